"""The real installer in a fresh Debian: install, damage, repair, upgrade, go back, and uninstall without a trace.

Needs root and debootstrap. It does not test a Raspberry Pi's archive, its kernel or the effect of its config.txt.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.install.debian import (
    CONFIG,
    CONFIG_TXT,
    GAMES,
    GAMES_AFTER,
    GAMES_BEFORE,
    Debian,
    Tree,
    changed,
    needs_debian,
)

pytestmark = [pytest.mark.slow, needs_debian]


def test_install_damage_repair_and_uninstall_leave_no_trace(debian: Debian) -> None:
    debian.install("--with", "mqtt")
    assert_root_ran_no_program_that_a_service_can_change(debian)
    debian.install("--uninstall", "--purge")
    assert "cribboard" not in (debian.folder / "etc/passwd").read_text()
    bare = debian.tree()  # with the system packages, which stay

    debian.install()
    installed = debian.tree()
    config = (debian.folder / CONFIG).read_text()
    assert config.startswith(CONFIG_TXT) and config.count("dtparam=spi=on") == 1
    assert (debian.folder / f"{CONFIG}.before-cribboard").read_text() == CONFIG_TXT
    assert "twenty-nine" in debian.run("cribboard", "count", "5H 5S 5D JC", "5C")
    debian.run("systemd-analyze", "verify", "--man=no", "cribboard.service")

    again = debian.install()
    assert "now write" not in again and changed(installed, debian.tree()) == []

    damage(debian.folder)
    debian.install()
    assert changed(installed, debian.tree()) == []

    assert_doctor_runs(debian)
    assert_uninstalled(debian, bare)


def assert_root_ran_no_program_that_a_service_can_change(debian: Debian) -> None:
    assert users(debian, "python-users") == {user_of(debian, "cribboard-build")}
    assert no_file_can_be_changed_by_the_service(debian.folder / "opt/cribboard")


def damage(folder: Path) -> None:
    """Edit the boot lines, delete the unit and a part of the environment."""
    config = folder / CONFIG
    config.write_text(config.read_text().replace("dtparam=spi=on\n", ""))
    (folder / "etc/systemd/system/cribboard.service").unlink()
    shutil.rmtree(next((folder / "opt/cribboard/versions").glob("*/lib/python3*/site-packages/pip")))


def assert_doctor_runs(debian: Debian) -> None:
    debian.run("install", "-d", "-o", "cribboard", "/var/lib/cribboard")  # systemd makes it at the first start
    doctor = debian.run_as_user("cribboard doctor --json")
    verdicts = {finding["check"]: finding["verdict"] for finding in map(json.loads, doctor.stdout.splitlines())}
    assert doctor.returncode == 1, "this computer has no board"
    passing = {"system", "gpiozero", "luma-oled", "boot lines", "groups", "folder", "journal"}
    assert {check for check in passing if verdicts[check] != "ok"} == set()


def assert_uninstalled(debian: Debian, bare: Tree) -> None:
    (debian.folder / "var/lib/cribboard/journal.sqlite3").write_text("games")
    (debian.folder / "etc/cribboard/mqtt-password").write_text("a file of another program")
    debian.install("--uninstall")
    left = set(changed(bare, debian.tree()))
    games_and_settings = {"var/lib/cribboard/journal.sqlite3", "etc/cribboard", "etc/cribboard/cribboard.toml"}
    games_and_settings.add("etc/cribboard/mqtt-password")
    user = {"etc/passwd", "etc/group", "etc/shadow", "etc/gshadow"}
    assert left == games_and_settings | user
    assert (debian.folder / CONFIG).read_text() == CONFIG_TXT

    debian.install("--uninstall", "--purge")
    assert changed(bare, debian.tree()) == []


def test_upgrades_keep_a_way_back(debian: Debian) -> None:
    debian.install()
    first = debian.version
    assert no_file_can_be_changed_by_the_service(debian.folder / "opt/cribboard")
    change_games(debian, 2, "CREATE TABLE old (x)")
    debian.add_release("99.0")
    debian.install(sources="src-99.0")
    assert debian.version == "99.0" and tables(debian, GAMES_BEFORE) == ["old"]

    change_games(debian, 2, "CREATE TABLE since (x)")
    debian.install("--rollback")
    assert debian.version == first and tables(debian, GAMES) == ["old", "since"], "it can read the games since"
    debian.install("--rollback")
    assert debian.version == "99.0" and tables(debian, GAMES) == ["old", "since"]

    change_games(debian, 3, "CREATE TABLE newer (x)")
    said = debian.install("--rollback")
    assert debian.version == first and tables(debian, GAMES) == ["old"], "it cannot read the new format"
    assert tables(debian, GAMES_AFTER) == ["newer", "old", "since"] and GAMES_AFTER in said

    assert_changed_package_is_refused(debian, first)
    assert users(debian, "pip-users") == {user_of(debian, "cribboard-build")}, "no pip of root"
    debian.install("--uninstall", "--purge")


def assert_changed_package_is_refused(debian: Debian, installed: str) -> None:
    """A package that is not the one that was tested: nothing changes."""
    pinned = debian.add_release("99.1") / "hardware/requirements/program.txt"
    pinned.write_text(re.sub("(?<=sha256:)[0-9a-f]{8}", "00000000", pinned.read_text()))
    done = debian.try_to_run("bash", "/src-99.1/hardware/install.sh")
    assert done.returncode == 1 and "DO NOT MATCH THE HASHES" in done.stderr, done.stdout + done.stderr
    assert debian.version == installed


def change_games(debian: Debian, journal_format: int, change: str) -> None:
    """Change a journal as the program would: `journal_format` is SQLite's user_version."""
    (debian.folder / GAMES).mkdir(exist_ok=True)
    with closing(sqlite3.connect(debian.folder / GAMES / "journal.sqlite3")) as database, database:
        database.execute(f"PRAGMA user_version = {journal_format}")
        database.execute(change)


def tables(debian: Debian, folder: str) -> list[str]:
    with closing(sqlite3.connect(debian.folder / folder / "journal.sqlite3")) as database:
        return sorted(name for (name,) in database.execute("SELECT name FROM sqlite_schema"))


def user_of(debian: Debian, name: str) -> int:
    return int(debian.run("id", "-u", name))


def users(debian: Debian, folder: str) -> set[int]:
    return {int(user.name) for user in (debian.folder / folder).iterdir()}


def no_file_can_be_changed_by_the_service(folder: Path) -> bool:
    entries = [entry.lstat() for entry in folder.rglob("*") if not entry.is_symlink()]
    return all(entry.st_uid == 0 and entry.st_gid == 0 and not entry.st_mode & 0o022 for entry in entries)


def test_options_are_kept_over_upgrade_and_return(debian: Debian) -> None:
    debian.install()
    assert not debian.has_module("paho.mqtt.enums") and "adds one of: mqtt" in debian.install()
    debian.run("cribboard-install", "--with", "mqtt")
    assert debian.has_module("paho.mqtt.enums") and options_that_doctor_names(debian) == {"mqtt"}
    again = debian.run("cribboard-install")
    assert "now install" not in again and debian.has_module("paho.mqtt.enums")

    debian.add_release("99.0")
    debian.install("--with", "https,voice", sources="src-99.0")
    assert debian.version == "99.0" and options_that_doctor_names(debian) == {"mqtt", "https", "voice"}
    debian.run("cribboard-install", "--rollback")
    assert debian.version != "99.0" and options_that_doctor_names(debian) == {"mqtt", "https", "voice"}
    assert debian.has_module("cryptography"), "the option that was chosen with the later version"

    debian.run("cribboard-install", "--without", "mqtt")
    assert not debian.has_module("paho.mqtt.enums") and options_that_doctor_names(debian) == {"https", "voice"}
    debian.run("cribboard-install", "--rollback")
    assert debian.version == "99.0" and not debian.has_module("paho.mqtt.enums")

    shutil.rmtree(next((debian.folder / "opt/cribboard/versions").glob("99.0-*/options/https/cryptography")))
    debian.run("cribboard-install")
    assert debian.has_module("cryptography"), "a damaged option is repaired"
    debian.run("cribboard-install", "--uninstall", "--purge")


def doctor(debian: Debian) -> list[dict[str, str]]:
    """The findings about options."""
    printed = debian.run_as_user("cribboard doctor --json").stdout.splitlines()
    return [finding for finding in map(json.loads, printed) if finding["check"] == "options"]


def options_that_doctor_names(debian: Debian) -> set[str]:
    (finding,) = doctor(debian)
    installed = finding["got"].split(";")[0].removeprefix("installed: ")
    return set(installed.split(", ")) - {"none"}


def test_a_missing_option_is_named_with_the_command_that_installs_it(debian: Debian) -> None:
    debian.install("--with", "mqtt")
    shutil.rmtree(next((debian.folder / "opt/cribboard/versions").glob("*/options/mqtt")))
    _, warning = doctor(debian)
    assert "mqtt is not installed" in warning["got"] and warning["fix"] == "Run: sudo cribboard-install --with mqtt."
    debian.run("cribboard-install", "--with", "mqtt")
    assert len(doctor(debian)) == 1


def test_a_version_with_a_command_that_cannot_be_loaded_is_not_used(debian: Debian) -> None:
    debian.install()
    installed = debian.version
    broken = debian.add_release("99.4") / "firmware_host/cli/deck.py"
    broken.write_text(f"{broken.read_text()}\nimport a_module_that_nobody_has\n")
    done = debian.try_to_run("bash", "/src-99.4/hardware/install.sh")
    assert done.returncode == 1 and "does not run on this computer" in done.stderr
    assert "commands work: " in done.stdout
    assert debian.version == installed


def test_a_damaged_copy_of_the_installer_is_not_run_further(debian: Debian) -> None:
    debian.install()
    debian.run("rm", "/opt/cribboard/venv/source/pyproject.toml")
    done = debian.try_to_run("cribboard-install")
    assert done.returncode == 1 and "is damaged. Fix: unpack the release again" in done.stderr
    debian.install("--uninstall", "--purge")
