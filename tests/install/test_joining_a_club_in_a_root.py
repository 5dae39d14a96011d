"""An installed board joins a club by the organiser's stick, and leaves it, as root in a fresh Debian.

Needs root and debootstrap.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.install.debian import GAMES, Debian, changed, needs_debian

pytestmark = [pytest.mark.slow, needs_debian]

SETTINGS = "etc/cribboard"
PASSWORD = f"{SETTINGS}/mqtt-password"
OF_PAGE = [f"{GAMES}/settings.toml", f"{GAMES}/settings.toml.copy"]
SAVED_ON_THE_PAGE = 'voice_volume = 40\nmqtt_host = "homeassistant.local"\n'
STICK = "/media/stick"


@pytest.fixture(scope="module", autouse=True)
def _installed(debian: Debian) -> None:
    debian.install("--with", "mqtt")
    debian.run("install", "-d", "-o", "cribboard", "-g", "cribboard", "-m", "700", f"/{GAMES}")  # as systemd does
    debian.run_as_user(f"umask 077; printf '{SAVED_ON_THE_PAGE}' > /{GAMES}/settings.toml")


@pytest.fixture
def stick(debian: Debian, tmp_path: Path) -> Path:
    """The organiser's stick, written by his own command on this computer."""
    folder = debian.folder / STICK.lstrip("/")
    command = [sys.executable, "-m", "firmware_host", "club", "board", "add", "table-3", "--into", str(folder)]
    subprocess.run(command, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)}, check=True, stdout=subprocess.DEVNULL)
    return folder


def test_a_board_joins_by_a_stick_and_leaves(debian: Debian, stick: Path) -> None:
    before = debian.tree()
    said = debian.run("cribboard", "club", "join", STICK)
    assert "joined; the settings before are in cribboard.toml.before-club" in said and "not installed" not in said
    joined = debian.tree()
    new = {f"{SETTINGS}/{name}" for name in ("club-ca.pem", "cribboard.toml", "cribboard.toml.before-club")}
    assert set(changed(before, joined)) == {*new, PASSWORD, *OF_PAGE, f"{OF_PAGE[0]}.before-club"}
    assert joined[f"{SETTINGS}/cribboard.toml.before-club"] == before[f"{SETTINGS}/cribboard.toml"]
    assert_only_the_service_reads(debian, stick)

    assert "nothing has changed" in debian.run("cribboard", "club", "join", STICK)
    assert changed(joined, debian.tree()) == []

    debian.run("cribboard", "club", "join", "--undo")
    assert set(changed(before, debian.tree())) <= {*OF_PAGE}
    assert (debian.folder / OF_PAGE[0]).read_text().startswith(SAVED_ON_THE_PAGE)


def assert_only_the_service_reads(debian: Debian, stick: Path) -> None:
    """The password is for root and the service; the settings of the page stay those of the service."""
    user = int(debian.run("id", "-u", "cribboard"))
    group = int(debian.run("id", "-g", "cribboard"))
    tree = debian.tree()
    assert tree[PASSWORD][:3] == (0o100640, 0, group)
    assert {tree[path][:3] for path in (*OF_PAGE, f"{OF_PAGE[0]}.before-club")} == {(0o100600, user, group)}
    assert debian.run_as_user(f"cat /{PASSWORD}").stdout == (stick / "mqtt-password").read_text()
    assert debian.try_to_run("runuser", "-u", "nobody", "--", "cat", f"/{PASSWORD}").returncode != 0
    findings = map(json.loads, debian.run_as_user("cribboard doctor --json").stdout.splitlines())
    (mqtt,) = (finding["got"] for finding in findings if finding["check"] == "mqtt")
    assert mqtt.startswith("no broker"), "it can read both files"


def test_a_damaged_stick_is_refused(debian: Debian, stick: Path) -> None:
    (stick / "club-ca.pem").write_text("-----BEGIN CERTIFICATE-----")
    assert_refused(debian, "club-ca.pem: expected a certificate")


def test_a_board_that_would_be_a_simulated_one_is_refused(debian: Debian, stick: Path) -> None:
    """Copied by hand, the settings of the stick replaced those of the board."""
    (debian.folder / SETTINGS / "cribboard.toml").write_text((stick / "cribboard.toml").read_text())
    assert_refused(debian, "so it would be a simulated one")


def assert_refused(debian: Debian, complaint: str) -> None:
    """In one line, and nothing changes."""
    before = debian.tree()
    done = debian.try_to_run("cribboard", "club", "join", STICK)
    assert done.returncode == 1 and complaint in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    assert changed(before, debian.tree()) == []
