"""The installer without installing: what it says it would do, and whether shell and systemd are content with it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware_host.doctor.boot_config import wanted
from firmware_host.settings import load_settings
from web_panel.serving import HANDS_FREE
from web_panel.stream import Pace

HARDWARE = Path(__file__).parents[2] / "hardware"
SCRIPT, SYSTEM = HARDWARE / "install.sh", HARDWARE / "system"
UNIT = SYSTEM / "cribboard.service"
EXPOSURE_LIMIT = 3.0
THREADS_OF_ITS_OWN = 20
"""Host, hands, lines, and what libraries begin."""


def installer(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(SCRIPT), *options], capture_output=True, text=True)


def tool(name: str) -> str:
    if found := shutil.which(name):
        return found
    pytest.skip(f"NOT PROVED HERE: there is no {name}; sudo apt install {name}")


def test_a_dry_run_tells_every_step_on_any_computer_and_ends_well() -> None:
    done = installer("--dry-run")
    assert done.returncode == 0 and done.stderr == ""
    steps = ["Packages", "The user cribboard", "The program", "Settings", "What the Pi is told at boot", "The service"]
    places = [done.stdout.index(f"\n{step}") for step in steps]
    assert places == sorted(places) and "  now " not in done.stdout
    if not os.path.exists("/boot/firmware/config.txt"):
        assert all(f"         | {line}\n" in done.stdout for line in wanted())


def test_a_dry_run_of_taking_it_off_ends_well() -> None:
    done = installer("--dry-run", "--uninstall", "--purge")
    assert done.returncode == 0 and "  now " not in done.stdout


@pytest.mark.parametrize(
    ("options", "said"), [(["--purge"], "together with --uninstall"), (["--instal"], "got --instal")]
)
def test_what_it_does_not_understand_it_does_not_begin(options: list[str], said: str) -> None:
    done = installer(*options)
    assert done.returncode == 1 and said in done.stderr and "Packages" not in done.stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may install")
def test_it_asks_for_root() -> None:
    done = installer()
    assert done.returncode == 1 and "expected root" in done.stderr


@pytest.mark.parametrize("script", [SCRIPT, SYSTEM / "cribboard.sh"], ids=lambda script: script.name)
def test_shellcheck_is_content(script: Path) -> None:
    done = subprocess.run([tool("shellcheck"), str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A file system with the unit and what it starts, and nothing else."""
    units = tmp_path / "etc/systemd/system"
    units.mkdir(parents=True)
    shutil.copy(UNIT, units)
    for target in ("multi-user.target", "sysinit.target", "basic.target", "shutdown.target", "network.target"):
        (units / target).write_text("[Unit]\nDescription=A target\n")
    (units / "systemd-modules-load.service").write_text("[Service]\nType=oneshot\nExecStart=/usr/local/bin/cribboard\n")
    for program in ("usr/local/bin/cribboard", "opt/cribboard/venv/bin/python3"):
        (tmp_path / program).parent.mkdir(parents=True)
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    return tmp_path


def test_systemd_understands_the_unit(root: Path) -> None:
    verify = [tool("systemd-analyze"), "verify", "--man=no", f"--root={root}", "cribboard.service"]
    done = subprocess.run(verify, capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "cribboard.service" in line]
    assert done.returncode == 0 and ours == [], done.stderr


def test_the_service_is_little_exposed(root: Path) -> None:
    ask = [tool("systemd-analyze"), "security", "--offline=true", f"--root={root}", "cribboard.service"]
    done = subprocess.run(ask, capture_output=True, text=True)
    told = re.search(r"Overall exposure level for cribboard.service: ([\d.]+)", done.stdout)
    assert told and float(told[1]) < EXPOSURE_LIMIT, done.stdout + done.stderr


def test_it_may_have_a_thread_for_every_phone() -> None:
    allowed = re.search(r"^TasksMax=(\d+)$", UNIT.read_text(), re.MULTILINE)
    assert allowed and int(allowed[1]) > Pace().streams + HANDS_FREE + THREADS_OF_ITS_OWN


def test_the_settings_it_writes_are_a_real_board_on_the_lan() -> None:
    settings = load_settings(SYSTEM / "cribboard.toml", {}, {"state_folder": "/var/lib/cribboard"})
    assert not settings.simulate and settings.address == "0.0.0.0"


def test_the_lan_is_told_the_port_of_the_settings() -> None:
    port = ElementTree.parse(SYSTEM / "avahi.xml").findtext("service/port")
    assert port == str(tomllib.loads((SYSTEM / "cribboard.toml").read_text())["port"])
