"""The real installer in a fresh Debian: install, damage, repair, and uninstall without leaving a file behind.

Needs root and debootstrap. It does not test a Raspberry Pi's archive, its kernel or the effect of its config.txt.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.install.debian import CONFIG, CONFIG_TXT, Debian, Tree, needs_debian, unpacked

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
    shutil.rmtree(next((folder / "opt/cribboard/venv/lib").glob("python3*/site-packages/pip")))


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
