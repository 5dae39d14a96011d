"""The computer itself: which one it is, its power, its clock, and the libraries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib import metadata

from firmware_host.doctor.findings import Finding, Patient, ill, look, note, sound

MODEL = "/proc/device-tree/model"
EARLIEST = datetime(2026, 1, 1)
"""Nobody runs this program before it was written: a clock that says so has lost the time."""

THROTTLED = {
    0: "too little voltage now",
    2: "slowed down now",
    3: "too hot now",
    16: "too little voltage since it was switched on",
    18: "slowed down since it was switched on",
    19: "too hot since it was switched on",
}
"""Bit of what `vcgencmd get_throttled` prints -> what it means (documentation of vcgencmd)."""

LGPIO = "0.2.2"
"""What a package index may give in its place, 0.0.0.2, is an empty shell without a single function."""
ON_A_PI = ("gpiozero", "luma-oled", "pyserial")


def check_model(patient: Patient) -> Iterable[Finding]:
    model = patient.machine.read(MODEL).strip("\0\n")
    if model.startswith("Raspberry Pi"):
        yield sound("model", "a Raspberry Pi", model)
    elif not patient.needs_header:
        yield note("model", f"{model or 'no Raspberry Pi'}, which will do: no wire goes to its pins", "any computer")
    else:
        mend = "Run this on the Pi; on this computer set simulate = true."
        yield ill("model", "a Raspberry Pi", model or "another computer", mend)


def check_system(patient: Patient) -> Iterable[Finding]:
    told = dict(line.split("=", 1) for line in patient.machine.read("/etc/os-release").splitlines() if "=" in line)
    name = told.get("PRETTY_NAME", "").strip('"')
    if told.get("VERSION_CODENAME") in ("bookworm", "trixie"):
        yield sound("system", "Bookworm or Trixie", name)
    else:
        yield note("system", f"{name or 'not named'}: cribboard was made for Bookworm and Trixie", "Bookworm or Trixie")


def check_power(patient: Patient) -> Iterable[Finding]:
    expected = "enough voltage, and not too hot"
    said = re.fullmatch(r"throttled=0x([0-9a-f]+)", patient.machine.run("vcgencmd", "get_throttled"), re.IGNORECASE)
    if not said:
        yield note("power", "vcgencmd does not tell (it may want the group video)", expected)
        return
    bits = int(said[1], 16)
    if found := [meaning for bit, meaning in THROTTLED.items() if bits >> bit & 1]:
        mend = "Use a 5.1 V supply of 3 A or more with a short thick cable; give the Pi air."
        yield look("power", expected, "; ".join(found), mend)
    else:
        yield sound("power", expected, "no want of voltage, no heat since it was switched on")


def check_clock(patient: Patient) -> Iterable[Finding]:
    now = patient.machine.now()
    time, expected = f"{now:%Y-%m-%d %H:%M}", "a clock that the network keeps"
    if now.replace(tzinfo=None) < EARLIEST:
        mend = "Connect the network and wait a minute, or: sudo timedatectl set-time '2026-12-31 20:15:00'."
        yield look("clock", expected, f"{time}, which cannot be", mend)
    elif (kept := patient.machine.run("timedatectl", "show", "-p", "NTPSynchronized", "--value")) == "no":
        mend = "sudo timedatectl set-ntp true, with the network on. Games are kept with the date the clock tells."
        yield look("clock", expected, f"{time}, not kept by the network", mend)
    elif kept == "yes":
        yield sound("clock", expected, f"{time}, kept by the network")
    else:
        yield note("clock", f"{time}; nobody tells whether the network keeps it", expected)


def check_libraries(patient: Patient) -> Iterable[Finding]:
    for package, least in least_versions():
        yield _library(patient, package, least, "Run hardware/install.sh again, or: pip install -U cribboard.")
    mend = "sudo apt install python3-lgpio, then run hardware/install.sh again: it lets us see the system's own."
    if patient.needs_header:
        yield _library(patient, "lgpio", LGPIO, mend)


def least_versions() -> Iterator[tuple[str, str]]:
    """The libraries of the wires and the versions that our own package asks for."""
    for asked in metadata.requires("cribboard") or ():
        named = re.match(r"([\w.-]+)>=([\w.]+)", asked)
        if named and (package := named[1].replace(".", "-")) in ON_A_PI:
            yield package, named[2]


def _library(patient: Patient, package: str, least: str, mend: str) -> Finding:
    got, expected = patient.machine.version(package), f"{least} or newer"
    if got and _numbers(got) >= _numbers(least):
        return sound(package, expected, got)
    return ill(package, expected, got or "nothing", mend)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
