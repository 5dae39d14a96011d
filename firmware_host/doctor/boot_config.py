"""Whether config.txt of the Raspberry Pi has the lines of `hardware/boot_config.txt`.

Format: raspberrypi.com/documentation/computers/config_txt.html. Section filters such as [pi4] are followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from board_drivers.device_nodes import CONFIG
from board_drivers.hardware_files import hardware_file
from firmware_host.doctor.findings import DoctorContext, Finding, failed, note, passed, warning
from firmware_host.doctor.system import MODEL

PLACES = (CONFIG, "/boot/config.txt")
"""The path since Bookworm, and the path before."""

FILTERS = {
    "Zero 2": ("pi0", "pi0w", "pi02"),
    "Pi 3 Model B Plus": ("pi3", "pi3+"),
    "Pi 3": ("pi3",),
    "Pi 4": ("pi4",),
    "Pi 400": ("pi4", "pi400"),
    "Pi 5": ("pi5",),
}
"""Part of a model's name -> the sections of config.txt that apply to it, besides [all]."""

CONFLICTS = {
    "dtoverlay=w1-gpio": "1-Wire takes GPIO4, the power button",
    "dtoverlay=spi1-": "SPI1 takes GPIO16 to 21, keys among them",
    "dtoverlay=max98357a": "without no-sdmode the amplifier's driver takes GPIO4, the power button",
}
"""Start of a setting -> the pins of ours that it takes. A setting that we require is no conflict."""


def check_boot_config(context: DoctorContext) -> Iterable[Finding]:
    """The required lines are there, and no line takes a pin of the board."""
    found = [(place, text) for place in PLACES if (text := context.machine.read(place))]
    if not found:
        yield note("boot lines", f"neither {' nor '.join(PLACES)} can be read")
        return
    place, text = found[0]
    settings = effective_settings(text, context.machine.read(MODEL))
    missing = [line for line in required_lines() if not set(settings_in(line)) <= settings]
    for line in missing:
        result = failed if line.startswith("dtparam=") else warning
        yield result(
            "boot lines", line, f"missing or incomplete in {place}", "Run hardware/install.sh, then restart the Pi."
        )
    required = {part for line in required_lines() for part in settings_in(line)}
    for start, conflict in CONFLICTS.items():
        if any(part.startswith(start) for part in settings - required):
            fix = f"Remove it from {place} and restart the Pi."
            yield warning("boot lines", f"no {start.rstrip('-')}", f"{start}: {conflict}", fix)
    if not missing:
        yield passed("boot lines", "the lines of hardware/boot_config.txt", f"all in {place}")


def required_lines() -> Iterator[str]:
    """The lines of hardware/boot_config.txt, without comments."""
    yield from _lines(hardware_file("boot_config.txt").read_text(encoding="utf-8"))


def effective_settings(text: str, model: str) -> set[str]:
    """The settings of a config.txt that apply to this model. The last one of a repeated dtparam counts."""
    sections = {"all", *next((names for part, names in FILTERS.items() if part in model), ())}
    applies = True
    settings = dict[str, str]()
    for line in _lines(text):
        if line.startswith("["):
            applies = line.strip("[]") in sections
        elif applies:
            settings |= {_key(part): part for part in settings_in(line)}
    return set(settings.values())


def settings_in(line: str) -> list[str]:
    """`dtparam=a=on,b=1` is two settings; every other line is one."""
    name, _, value = line.partition("=")
    return [f"{name}={part}" for part in value.split(",")] if name == "dtparam" else [line]


def _key(part: str) -> str:
    """Settings with the same key replace each other: a dtparam by its name, another line only by an equal one."""
    return part.rpartition("=")[0] if part.startswith("dtparam=") else part


def _lines(text: str) -> Iterator[str]:
    stripped = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return (line for line in stripped if line)
