"""The installer without installing: its dry run, and the checks of ShellCheck and systemd."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware_host.config.kits import Kit
from firmware_host.config.settings_sources import load_settings
from firmware_host.doctor.boot_config import required_lines
from firmware_host.doctor.buses import GROUPS
from firmware_host.doctor.voice import GROUP as AUDIO
from web_panel.server.limits import ServerLimits

HARDWARE = Path(__file__).parents[2] / "hardware"
SCRIPT, SYSTEM = HARDWARE / "install.sh", HARDWARE / "system"
UNIT = SYSTEM / "cribboard.service"
EXPOSURE_LIMIT = 3.0
OTHER_THREADS = 20
"""Host, drivers, server, and those that libraries start."""
MOST_MEMORY_MIB = 147
"""Measured: resident memory at its highest, while all scorecards of 10,000 games are downloaded as JSON."""
SMALLEST_PI_MIB, SYSTEM_MIB = 512, 160
"""A Pi Zero 2 W; its graphics memory, kernel and Debian's services."""


@cache
def installer(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(SCRIPT), *options], capture_output=True, text=True)


def tool(name: str) -> str:
    if found := shutil.which(name):
        return found
    pytest.skip(f"NOT TESTED HERE: {name} not found. Fix: sudo apt install {name}")


def test_dry_run_prints_every_step_on_any_computer_and_succeeds() -> None:
    done = installer("--dry-run")
    assert done.returncode == 0 and done.stderr == ""
    steps = ["Packages", "The user cribboard", "The program", "Settings", "Boot configuration", "The service"]
    places = [done.stdout.index(f"\n{step}") for step in steps]
    assert places == sorted(places) and "  now " not in done.stdout
    if not os.path.exists("/boot/firmware/config.txt"):
        assert all(f"         | {line}\n" in done.stdout for line in required_lines())


def test_sh_starts_it_too() -> None:
    done = subprocess.run(["sh", str(SCRIPT), "--kit", "desk", "--help"], capture_output=True, text=True)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", installer("--help").stdout)


def test_dry_run_of_uninstalling_succeeds() -> None:
    done = installer("--dry-run", "--uninstall", "--purge")
    assert done.returncode == 0 and "  now " not in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--purge"], "together with --uninstall"),
        (["--instal"], "got --instal"),
        (["--wait", "soon"], "expected seconds, got soon"),
        (["--with", "mqtt,voise"], "--with: expected names of mqtt, https, voice, club, league, got voise"),
        (["--without", "mqtts"], "--without: expected names of mqtt, https, voice, club, league, got mqtts"),
        (["--with"], "got nothing"),
        (["--with", "mqtt", "--without", "voice,mqtt"], "expected --with mqtt or --without mqtt, got both"),
        (["--rollback", "--with", "mqtt"], "when installing, got them with another command"),
        (["--wait"], "expected seconds, got nothing"),
        (["--kit", "dsk"], "--kit: expected one of page, wood, desk, lights, sensing, got dsk"),
        (["--kit"], "got nothing"),
        (["--uninstall", "--kit", "desk"], "expected --kit when installing"),
        (["--rollback", "--uninstall"], "got both"),
    ],
)
def test_wrong_options_are_refused_before_the_first_step(options: list[str], message: str) -> None:
    done = installer(*options)
    assert done.returncode == 1 and message in done.stderr and "Packages" not in done.stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may install")
def test_installing_needs_root() -> None:
    done = installer()
    assert done.returncode == 1 and "expected root" in done.stderr


WITH_OPTIONS = ["--with", "mqtt,voice", "--with", "club", "--kit", "desk"]


def test_options_bring_their_packages() -> None:
    done = installer("--dry-run", *WITH_OPTIONS)
    packages = done.stdout[: done.stdout.index("The user")]
    assert {"espeak-ng", "alsa-utils", "mosquitto"} <= set(packages.split())
    remembered = done.stdout[done.stdout.index("write /etc/cribboard/options") :]
    assert re.findall(r"^         \| (\w+)$", remembered.split("\n\n")[0], re.MULTILINE) == ["mqtt", "voice", "club"]


@pytest.mark.parametrize(("options", "kit"), [([], "sensing"), (WITH_OPTIONS, "desk"), (["--kit", "2"], "wood")])
def test_settings_of_the_first_installation_have_the_kit(options: list[str], kit: str) -> None:
    """Without a terminal nobody is asked."""
    done = installer("--dry-run", *options)
    settings = done.stdout[done.stdout.index("write /etc/cribboard/cribboard.toml") :].split("\n\n")[0]
    assert re.findall(r"^         \| ((?:kit|simulate).*)$", settings, re.MULTILINE) == [f'kit = "{kit}"']
    assert f"Kit:       {kit}, " in done.stdout


def in_shell(commands: str, answers: str = "") -> str:
    """What these commands print after the installer's functions for kits were read."""
    functions = f"say() {{ printf '%s\\n' \"$*\"; }}\n. {HARDWARE}/installer/kits.sh"
    done = subprocess.run(["bash", "-euc", f"{functions}\n{commands}"], input=answers, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("answers", "kit"), [("3\n", "desk"), ("wood\n", "wood"), ("\n", "sensing"), ("x\n1\n", "page")]
)
def test_question_takes_a_number_or_a_name(answers: str, kit: str) -> None:
    asked = in_shell('ask_kit; printf "|%s" "$kit"', answers)
    assert "What do you play on?" in asked and asked.endswith(f"|{kit}")
    assert all(f"{number}  {name}" in asked for number, name in enumerate(Kit, start=1))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = 1\nsimulate = false\nb = 2\n", 'a = 1\nkit = "desk"\nb = 2\n'),
        ('kit = "page"\n# simulate = true\n', 'kit = "desk"\n# simulate = true\n'),
        ("[mqtt]\nhost = 'x'\n", "kit = \"desk\"\n[mqtt]\nhost = 'x'\n"),
    ],
)
def test_kit_of_an_installed_board_takes_the_place_of_the_one_before(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "cribboard.toml"
    file.write_text(before)
    assert in_shell(f"with_kit {file} desk") == after


@pytest.mark.parametrize("script", [SCRIPT, *sorted(SYSTEM.glob("*.sh"))], ids=lambda script: script.name)
def test_shellcheck_has_no_findings(script: Path) -> None:
    done = subprocess.run([tool("shellcheck"), "-x", str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with the unit, the targets it names and the programs it starts."""
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


def test_the_service_may_open_the_board_and_its_sound() -> None:
    """Majors of the kernel's list: 89 I2C, 116 ALSA, 153 SPI. The user of the service is in the group of each."""
    allowed = re.findall(r"^DeviceAllow=char-(\w+) rw$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert {"gpiochip", "89", "116", "153"} <= set(allowed)
    (groups,) = re.findall(r'^GROUPS_NEEDED="(.*)"$', SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)
    assert groups.split() == [*GROUPS, AUDIO]


def test_systemd_verifies_the_unit(root: Path) -> None:
    verify = [tool("systemd-analyze"), "verify", "--man=no", f"--root={root}", "cribboard.service"]
    done = subprocess.run(verify, capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "cribboard.service" in line]
    assert done.returncode == 0 and ours == [], done.stderr


def test_exposure_of_the_service_is_below_the_limit(root: Path) -> None:
    command = [tool("systemd-analyze"), "security", "--offline=true", f"--root={root}", "cribboard.service"]
    done = subprocess.run(command, capture_output=True, text=True)
    level = re.search(r"Overall exposure level for cribboard.service: ([\d.]+)", done.stdout)
    assert level and float(level[1]) < EXPOSURE_LIMIT, done.stdout + done.stderr


def test_service_may_have_every_thread_of_the_panel() -> None:
    allowed = re.search(r"^TasksMax=(\d+)$", UNIT.read_text(), re.MULTILINE)
    assert allowed and int(allowed[1]) > ServerLimits().workers + OTHER_THREADS


def test_service_has_a_limit_of_memory_above_what_it_needs_and_below_what_a_pi_has() -> None:
    limit = re.search(r"^MemoryMax=(\d+)M$", UNIT.read_text(), re.MULTILINE)
    assert limit and 2 * MOST_MEMORY_MIB < int(limit[1]) < SMALLEST_PI_MIB - SYSTEM_MIB


def test_installed_settings_are_a_real_board_on_the_lan() -> None:
    settings = load_settings(SYSTEM / "cribboard.toml", {}, {"state_folder": "/var/lib/cribboard"})
    assert settings.kit_in_use is Kit.SENSING and settings.address == "0.0.0.0"


def test_avahi_announces_the_port_of_the_settings() -> None:
    port = ElementTree.parse(SYSTEM / "avahi.xml").findtext("service/port")
    assert port == str(tomllib.loads((SYSTEM / "cribboard.toml").read_text())["port"])
