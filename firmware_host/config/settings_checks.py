"""The checks of the values of settings, beside the general ones of `validation/fields.py`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType

from firmware_host.config.board_plans import DEMO, plan_ids
from firmware_host.validation.fields import Check, Invalid

_HOST_NAME = re.compile(r"[a-z0-9.-]+|[0-9a-f:]+", re.ASCII)
_BOARD_NAME = re.compile(r"[A-Za-z0-9_-]{0,40}")
_SOUND_DEVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:=,.@-]*")
_LONGEST_NAME = 10
_MAX_PLAYERS = 6


def folder(value: object) -> Path:
    """Accepts the path of a folder, which need not exist; `~` stands for a home folder. Raises Invalid."""
    if isinstance(value, str | Path) and str(value).strip() and "\0" not in str(value):
        with suppress(RuntimeError):  # `~name` of an unknown user
            return Path(value).expanduser()
    raise Invalid("the path of a folder")


def board_plan(value: object) -> str:
    """Accepts the id of a plan, or the path of a plan file, which is not opened here. Raises Invalid."""
    if isinstance(value, str) and (value in (*plan_ids(), DEMO) or value.endswith(".toml")):
        return value
    raise Invalid(f"one of {', '.join(plan_ids())}, or the path of a plan file ending in .toml")


def serial_port(*words: str) -> Check[str]:
    """A check that accepts an absolute path, or one of these words."""

    def check(value: object) -> str:
        if isinstance(value, str) and (value in words or (value.startswith("/") and "\0" not in value)):
            return value
        raise Invalid(f"{', '.join(words)}, or a port such as /dev/serial/by-id/usb-...")

    return check


def sound_device(value: object) -> str:
    """Accepts the name of an ALSA device, or nothing for the default one. Raises Invalid."""
    if isinstance(value, str) and (not value or _SOUND_DEVICE.fullmatch(value)):
        return value
    raise Invalid("the name of an ALSA device as aplay -L lists it, such as plughw:1, or nothing")


def broker_host(value: object) -> str:
    """Accepts the name or address of another computer, or nothing. Raises Invalid."""
    if isinstance(value, str) and (not value or _HOST_NAME.fullmatch(value.lower())):
        return value.lower()
    raise Invalid("a name or address such as broker.local or 192.168.1.2, without mqtt://, or nothing")


def board_name(value: object) -> str:
    """Accepts a name for MQTT topics, or nothing. Raises Invalid."""
    if isinstance(value, str) and _BOARD_NAME.fullmatch(value):
        return value
    raise Invalid("up to 40 of the letters A-Z, a-z, digits, _ and -, or nothing")


def club_code(value: object) -> str:
    """Accepts the six digits that the screen of a club night shows, or nothing. Raises Invalid."""
    if isinstance(value, str) and (value == "" or (len(value) == 6 and value.isascii() and value.isdecimal())):
        return value
    raise Invalid("six digits, or nothing")


def file_path(value: object) -> str:
    """Accepts the path of a file, which need not exist; `~` stands for a home folder; or nothing. Raises Invalid."""
    with suppress(Invalid):
        return "" if value == "" else str(folder(value))
    raise Invalid("the path of a file, or nothing")


def text_line(value: object) -> str:
    """Accepts up to 200 printable characters. Raises Invalid."""
    if isinstance(value, str) and len(value) <= 200 and value.isprintable():
        return value
    raise Invalid("up to 200 printable characters")


def listen_address(value: object) -> str:
    """Accepts an IP address or `localhost`. Raises Invalid."""
    with suppress(ValueError):
        if isinstance(value, str) and (value == "localhost" or ip_address(value)):
            return value
    raise Invalid("localhost, or an address of this computer, such as 127.0.0.1, or 0.0.0.0 for all it has")


def host_names(value: object) -> tuple[str, ...]:
    """Accepts a list, or one text with commas; returns lower case. Raises Invalid."""
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, list | tuple) and all(isinstance(name, str) for name in items):
        names = tuple(name.strip().lower() for name in items)
        if all(_HOST_NAME.fullmatch(name) for name in names):
            return names
    raise Invalid("names or addresses as in the panel's address, such as cards.local, without http:// and port")


def addresses(value: object) -> tuple[str, ...]:
    """Accepts a list, or one text with commas; empty: none. Raises Invalid."""
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, list | tuple) and all(isinstance(address, str) for address in items):
        with suppress(ValueError):
            return tuple(str(ip_address(address.strip())) for address in items if address.strip())
    raise Invalid("addresses such as 192.168.1.2, without http:// and port")


def player_names(value: object) -> tuple[str, ...]:
    """Accepts a list, or one text with commas. Raises Invalid."""
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, list | tuple) and len(items) <= _MAX_PLAYERS and all(isinstance(name, str) for name in items):
        names = tuple(name.strip() for name in items)
        if all(name.isprintable() and 1 <= len(name) <= _LONGEST_NAME for name in names):
            return names
    raise Invalid(f"at most {_MAX_PLAYERS} names of 1 to {_LONGEST_NAME} letters")


def house_rules(value: object) -> Mapping[str, object]:
    """Accepts any table; its options are checked with the variant, by `rules_for`. Raises Invalid."""
    if isinstance(value, Mapping):
        return MappingProxyType(dict(value))
    raise Invalid("a table of options, such as {muggins_mode = 'claim'}")
