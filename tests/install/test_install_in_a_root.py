"""The installer for real, in a fresh Debian of its own: installed, broken, mended, taken off again without a trace.

Root and debootstrap are needed. This proves no Raspberry Pi: its archive, its kernel and its config.txt at work are not
here.
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


def test_installed_broken_mended_and_taken_off_without_a_trace(debian: Debian) -> None:
    debian.install()
    debian.install("--uninstall", "--purge")
    bare = debian.tree()  # with the packages of the system, which stay

    debian.install()
    installed = debian.tree()
    told = (debian.folder / CONFIG).read_text()
    assert told.startswith(CONFIG_TXT) and told.count("dtparam=spi=on") == 1
    assert (debian.folder / f"{CONFIG}.before-cribboard").read_text() == CONFIG_TXT
    assert "twenty-nine" in debian.does("cribboard", "count", "5H 5S 5D JC", "5C")
    debian.does("systemd-analyze", "verify", "--man=no", "cribboard.service")

    again = debian.install()
    assert "now write" not in again and changed(installed, debian.tree()) == []

    spoil(debian.folder)
    debian.install()
    assert changed(installed, debian.tree()) == []

    doctor_knows_the_place(debian)
    taken_off(debian, bare)


def spoil(folder: Path) -> None:
    """A hand in the boot lines, a lost unit, an environment that was half deleted."""
    config = folder / CONFIG
    config.write_text(config.read_text().replace("dtparam=spi=on\n", ""))
    (folder / "etc/systemd/system/cribboard.service").unlink()
    shutil.rmtree(next((folder / "opt/cribboard/venv/lib").glob("python3*/site-packages/pip")))


def doctor_knows_the_place(debian: Debian) -> None:
    debian.does("install", "-d", "-o", "cribboard", "/var/lib/cribboard")  # systemd makes it at the first start
    doctor = debian.as_user("cribboard doctor --json")
    verdicts = {told["check"]: told["verdict"] for told in map(json.loads, doctor.stdout.splitlines())}
    assert doctor.returncode == 1, "there are no wires here"
    well = {"system", "gpiozero", "luma-oled", "boot lines", "groups", "folder", "journal"}
    assert {check for check in well if verdicts[check] != "ok"} == set()


def taken_off(debian: Debian, bare: Tree) -> None:
    (debian.folder / "var/lib/cribboard/journal.sqlite3").write_text("games")
    debian.install("--uninstall")
    left = set(changed(bare, debian.tree()))
    games_and_settings = {"var/lib/cribboard/journal.sqlite3", "etc/cribboard", "etc/cribboard/cribboard.toml"}
    user = {"etc/passwd", "etc/group", "etc/shadow", "etc/gshadow"}
    assert left == games_and_settings | user
    assert (debian.folder / CONFIG).read_text() == CONFIG_TXT

    debian.install("--uninstall", "--purge")
    assert changed(bare, debian.tree()) == []
