"""What the Pi is told at boot: the lines of `hardware/boot_config.txt` among those of its config.txt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files

from board_drivers.nodes import CONFIG
from firmware_host.doctor.computer import MODEL
from firmware_host.doctor.findings import Finding, Patient, ill, look, note, sound

PLACES = (CONFIG, "/boot/config.txt")
"""Bookworm and later, and before."""

FILTERS = {
    "Zero 2": ("pi0", "pi0w", "pi02"),
    "Pi 3 Model B Plus": ("pi3", "pi3+"),
    "Pi 3": ("pi3",),
    "Pi 4": ("pi4",),
    "Pi 400": ("pi4", "pi400"),
    "Pi 5": ("pi5",),
}
"""Part of a model's name -> the sections of config.txt that speak to it, besides [all]."""

IN_THE_WAY = {
    "dtoverlay=w1-gpio": "1-Wire takes GPIO4, the power button",
    "dtoverlay=spi1-": "SPI1 takes GPIO16 to 21, keys among them",
    "dtparam=i2s=on": "I2S takes GPIO18 to 21, piezo and keys among them",
}
"""How a line begins -> what it takes from us."""


def check_boot_config(patient: Patient) -> Iterable[Finding]:
    said = [(place, text) for place in PLACES if (text := patient.machine.read(place))]
    if not said:
        yield note("boot lines", f"neither {' nor '.join(PLACES)} is here to be read")
        return
    place, text = said[0]
    told = settled(text, patient.machine.read(MODEL))
    missing = [line for line in wanted() if not set(parts_of(line)) <= told]
    for line in missing:
        found = ill if line.startswith("dtparam=") else look
        yield found("boot lines", line, f"not all of it in {place}", "Run hardware/install.sh, then restart the Pi.")
    for begin, harm in IN_THE_WAY.items():
        if any(part.startswith(begin) for part in told):
            mend = f"Take it out of {place} and restart the Pi."
            yield look("boot lines", f"no {begin.rstrip('-')}", f"{begin}: {harm}", mend)
    if not missing:
        yield sound("boot lines", "the lines of hardware/boot_config.txt", f"all of them in {place}")


def wanted() -> Iterator[str]:
    """The lines a board needs."""
    yield from _lines(files("hardware").joinpath("boot_config.txt").read_text(encoding="utf-8"))


def settled(text: str, model: str) -> set[str]:
    """Every setting that holds for this model; of a dtparam that is told twice, the last counts."""
    sections = {"all", *next((names for part, names in FILTERS.items() if part in model), ())}
    is_ours, told = True, dict[str, str]()
    for line in _lines(text):
        if line.startswith("["):
            is_ours = line.strip("[]") in sections
        elif is_ours:
            told |= {_key(part): part for part in parts_of(line)}
    return set(told.values())


def parts_of(line: str) -> list[str]:
    """`dtparam=a=on,b=1` is two settings; every other line is one."""
    name, _, value = line.partition("=")
    return [f"{name}={part}" for part in value.split(",")] if name == "dtparam" else [line]


def _key(part: str) -> str:
    """What a later line would replace: a dtparam by its name, anything else only by itself."""
    return part.rpartition("=")[0] if part.startswith("dtparam=") else part


def _lines(text: str) -> Iterator[str]:
    stripped = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return (line for line in stripped if line)
