"""The real installer in a fresh Debian: install, damage, repair, upgrade, go back, and uninstall without a trace.

Needs root and debootstrap. It does not test a Raspberry Pi's archive, its kernel or the effect of its config.txt.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
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
    needs_debian,
    unpacked,
)

pytestmark = [pytest.mark.slow, needs_debian]


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def debian(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    with unpacked(tmp_path_factory.mktemp(request.param), request.param) as debian:
        yield debian


def changed(before: Tree, after: Tree) -> Sequence[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def test_install_damage_repair_and_uninstall_leave_no_trace(debian: Debian) -> None:
    debian.install()
    debian.install("--uninstall", "--purge")
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
    debian.install("--uninstall")
    left = set(changed(bare, debian.tree()))
    games_and_settings = {"var/lib/cribboard/journal.sqlite3", "etc/cribboard", "etc/cribboard/cribboard.toml"}
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
    assert {int(user.name) for user in (debian.folder / "pip-users").iterdir()} == {user_of(debian)}, "no pip of root"
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


def user_of(debian: Debian) -> int:
    return int(debian.run("id", "-u", "cribboard"))


def no_file_can_be_changed_by_the_service(folder: Path) -> bool:
    entries = [entry.lstat() for entry in folder.rglob("*") if not entry.is_symlink()]
    return all(entry.st_uid == 0 and entry.st_gid == 0 and not entry.st_mode & 0o022 for entry in entries)
