"""The check of the options: which are installed, and which are wanted but missing. A game can be played without, so
nothing here is a FAULT."""

from __future__ import annotations

import re
from collections.abc import Iterable

from firmware_host.config.settings import Settings
from firmware_host.doctor.findings import DoctorContext, Finding, note, warning
from firmware_host.doctor.machine import Machine
from firmware_host.doctor.system import is_new_enough
from firmware_host.optional_packages import Option, install_command, requirements_of

CHOSEN = "/etc/cribboard/options"
"""The options that the installer keeps in every version: a name a line."""
PROGRAMS = {Option.VOICE: ("espeak-ng", "aplay"), Option.CLUB: ("mosquitto",)}
FOLDERS = ("/usr/local/bin", "/usr/bin", "/usr/local/sbin", "/usr/sbin")
"""Where Debian's packages put programs; a user's PATH may lack those of the administrator."""


def check_options(context: DoctorContext) -> Iterable[Finding]:
    """One line for all options, and a warning for each that is wanted but missing."""
    machine = context.machine
    installed = [option for option in Option if is_installed(machine, option)]
    others = [option for option in Option if option not in installed]
    names, missing = (", ".join(option.value for option in each) or "none" for each in (installed, others))
    yield note("options", f"installed: {names}; not installed: {missing}", "any")
    for option in others:
        if wanted := _who_wants(context, option):
            got = f"{option.value} is not installed, but {wanted}"
            yield warning("options", f"the option {option.value}", got, f"Run: {install_command(option)}.")


def is_installed(machine: Machine, option: Option) -> bool:
    """Whether its Python packages are there in versions that the program accepts, and its programs too."""
    programs = {name for folder in FOLDERS for name in machine.names(folder)}
    has_packages = all(_has(machine, requirement) for requirement in requirements_of(option))
    return has_packages and programs.issuperset(PROGRAMS.get(option, ()))


def _has(machine: Machine, requirement: str) -> bool:
    """`requirement`: a package with bounds, such as paho-mqtt<3,>=2.1."""
    package = re.split(r"[^A-Za-z0-9._-]", requirement)[0]
    at_least = re.search(r">=([0-9.]+)", requirement)
    got = machine.version(package)
    return bool(got) and (at_least is None or is_new_enough(got, at_least[1]))


def _who_wants(context: DoctorContext, option: Option) -> str:
    """Why the board needs the option, as the end of a sentence; empty if it does not."""
    chosen = [line.split("#")[0].strip() for line in context.machine.read(CHOSEN).splitlines()]
    if option.value in chosen:
        return "the installer was told to install it"
    return f"the settings have {setting}" if (setting := _setting(context.settings, option)) else ""


def _setting(settings: Settings, option: Option) -> str:
    """The setting that is on and needs the option; empty if none is."""
    is_on = {
        Option.MQTT: settings.mqtt_host and "mqtt_host",
        Option.HTTPS: settings.https and "https = true",
        Option.VOICE: settings.voice and "voice = true",
    }
    return is_on.get(option) or ""
