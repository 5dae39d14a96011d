"""The check of MQTT: the files and the broker's port. A game can be played without, so nothing here is a
FAULT.

It does not log in: the broker would close the connection of a running board, which has the same client id. Why the
broker refuses a board is in the log and on the page Device. Names and addresses are left out: strangers may read a
report.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from firmware_host.doctor.findings import DoctorContext, Finding, passed, warning

EXPECTED = "readable files and a broker that answers"
FILES = ("mqtt_password_file", "mqtt_ca", "mqtt_certificate", "mqtt_key")
TIMEOUT_S = 5.0


def check_mqtt(context: DoctorContext) -> Iterable[Finding]:
    """One line for a board with a broker; none where MQTT is off."""
    settings = context.settings
    if not settings.mqtt_host:
        return
    if not has_paho():
        return  # check_options says how to install it
    for name in FILES:
        file = getattr(settings, name)
        if file and (got := unreadable(Path(file))):
            yield warning("mqtt", EXPECTED, f"{name} cannot be read: {got}", f"Correct {name}, or the file's rights.")
            return
    if got := unreachable(settings.mqtt_host, settings.mqtt_port):
        fix = "Start the broker, or correct mqtt_host and mqtt_port; the game goes on without."
        yield warning("mqtt", EXPECTED, f"no broker: {got}", fix)
    else:
        got = "on; the broker can be reached. Whether it accepts the board is on the page Device"
        yield passed("mqtt", EXPECTED, got)


def has_paho() -> bool:
    """Whether paho-mqtt 2 is installed; version 1 has no such module."""
    with suppress(ModuleNotFoundError):
        return find_spec("paho.mqtt.enums") is not None
    return False


def unreadable(file: Path) -> str:
    """Why a file cannot be read; empty if it can."""
    try:
        file.open("rb").close()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def unreachable(host: str, port: int) -> str:
    """Why no connection to the port can be made; empty if one can."""
    try:
        socket.create_connection((host, port), TIMEOUT_S).close()
    except OSError as error:
        return error.strerror or str(error)
    return ""
