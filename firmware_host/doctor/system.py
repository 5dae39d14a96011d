"""Checks of the computer: model, system, power supply, clock and Python packages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib import metadata

from firmware_host.doctor.findings import DoctorContext, Finding, failed, note, passed, warning
from firmware_host.optional_packages import Installation

MODEL = "/proc/device-tree/model"
EARLIEST = datetime(2026, 1, 1)
"""A clock before this date is wrong: the program did not exist yet."""

THROTTLED = {
    0: "voltage too low now",
    2: "slowed down now",
    3: "too hot now",
    16: "voltage was too low since power-on",
    18: "was slowed down since power-on",
    19: "was too hot since power-on",
}
"""Bit of `vcgencmd get_throttled` -> its meaning (documentation of vcgencmd)."""

LGPIO = "0.2.2"
"""A package index may offer 0.0.0.2 instead, which has no functions at all."""
OTHER_NAMES = {"lgpio": ("adafruit-lgpio",)}
"""Package -> others that have the same modules."""
ON_A_PI = ("gpiozero", "luma-oled", "pyserial")


def check_model(context: DoctorContext) -> Iterable[Finding]:
    """A board that is wired to a header runs on a Raspberry Pi."""
    model = context.machine.read(MODEL).strip("\0\n")
    if model.startswith("Raspberry Pi"):
        yield passed("model", "a Raspberry Pi", model)
    elif not context.needs_header:
        yield note("model", f"{model or 'no Raspberry Pi'}, which is enough: no wire goes to its pins", "any computer")
    else:
        fix = "Run this on the Pi; on another computer set kit = page."
        yield failed("model", "a Raspberry Pi", model or "another computer", fix)


def check_system(context: DoctorContext) -> Iterable[Finding]:
    """The system is a Debian that cribboard is tested on."""
    release = dict(line.split("=", 1) for line in context.machine.read("/etc/os-release").splitlines() if "=" in line)
    name = release.get("PRETTY_NAME", "").strip('"')
    if release.get("VERSION_CODENAME") in ("bookworm", "trixie"):
        yield passed("system", "Bookworm or Trixie", name)
    else:
        yield note("system", f"{name or 'unknown'}: cribboard is tested on Bookworm and Trixie", "Bookworm or Trixie")


def check_power(context: DoctorContext) -> Iterable[Finding]:
    """The Pi has seen no undervoltage and no overheating since it has power."""
    expected = "enough voltage, not too hot"
    printed = re.fullmatch(r"throttled=0x([0-9a-f]+)", context.machine.run("vcgencmd", "get_throttled"), re.IGNORECASE)
    if not printed:
        yield note("power", "no answer from vcgencmd (it may need the group video)", expected)
        return
    bits = int(printed[1], 16)
    if found := [meaning for bit, meaning in THROTTLED.items() if bits >> bit & 1]:
        fix = "Use a 5.1 V supply of 3 A or more with a short, thick cable; cool the Pi."
        yield warning("power", expected, "; ".join(found), fix)
    else:
        yield passed("power", expected, "no undervoltage and no overheating since power-on")


def check_clock(context: DoctorContext) -> Iterable[Finding]:
    """The clock is set by the network: games are stored with its date."""
    now = context.machine.now()
    time = f"{now:%Y-%m-%d %H:%M}"
    expected = "a clock set by the network"
    if now.replace(tzinfo=None) < EARLIEST:
        fix = "Connect the network and wait a minute, or: sudo timedatectl set-time '2026-12-31 20:15:00'."
        yield warning("clock", expected, f"{time}, which is too early", fix)
    elif (synchronised := context.machine.run("timedatectl", "show", "-p", "NTPSynchronized", "--value")) == "no":
        fix = (
            "Connect the network and run: sudo timedatectl set-ntp true. Games are stored with the date of this clock."
        )
        yield warning("clock", expected, f"{time}, not set by the network", fix)
    elif synchronised == "yes":
        yield passed("clock", expected, f"{time}, set by the network")
    else:
        yield note("clock", f"{time}; unknown whether the network sets it", expected)


def check_libraries(context: DoctorContext) -> Iterable[Finding]:
    """The libraries for the hardware are installed, each in a version that is new enough."""
    for package, minimum in minimum_versions():
        fix = f"Run: {Installation.here().repair_command(package, minimum)}."
        yield _library(context, package, minimum, fix)
    fix = (
        "sudo apt install python3-lgpio, then run hardware/install.sh again, which makes the system's package visible."
    )
    if context.needs_header:
        yield _library(context, "lgpio", LGPIO, fix)


def minimum_versions() -> Iterator[tuple[str, str]]:
    """The hardware packages and the lowest version of each that our own package requires."""
    for requirement in metadata.requires("cribboard") or ():
        named = re.match(r"([\w.-]+)>=([\w.]+)", requirement)
        if named and (package := named[1].replace(".", "-")) in ON_A_PI:
            yield package, named[2]


def _library(context: DoctorContext, package: str, minimum: str, fix: str) -> Finding:
    names = (package, *OTHER_NAMES.get(package, ()))
    got = next(filter(None, map(context.machine.version, names)), "")
    expected = f"{minimum} or newer"
    if got and is_new_enough(got, minimum):
        return passed(package, expected, got)
    return failed(package, expected, got or "nothing", fix)


def is_new_enough(version: str, minimum: str) -> bool:
    """Whether a version such as 2.0.1.post3 is the minimum or a later one."""
    return _numbers(version) >= _numbers(minimum)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
