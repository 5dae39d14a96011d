"""The checks of the values of settings.

A check returns a value in its proper type, or raises Invalid with what was expected. The values come from the settings
file, the environment and the command line, one by one, and each is reported with its place: so they are not the fields
of one Struct. A check does not accept None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar

from msgspec import Struct

from firmware_host.config.board_plans import plan_ids
from firmware_host.cribbage.names import is_name

T = TypeVar("T")
Check = Callable[[object], T]

LARGEST_NUMBER = 1e300
"""The limit of a number without limits of its own. Excludes infinity and integers that no float can hold."""
LARGEST_INTEGER = 2**53 - 1
"""The largest integer that every JSON parser reads exactly."""

_HOST_NAME = re.compile(r"[a-z0-9.-]+|[0-9a-f:]+", re.ASCII)
_BOARD_NAME = re.compile(r"[A-Za-z0-9_-]{0,40}")
_SOUND_DEVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:=,.@-]*")
_LONGEST_NAME = 10
_MAX_PLAYERS = 6


class Invalid(ValueError):
    """A value that a check does not accept. The text says what was expected."""


class Flag(Struct, frozen=True):
    """Accepts true and false."""

    def __call__(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise Invalid("true or false")


class Integer(Struct, frozen=True):
    """Accepts an integer from `low` to `high`."""

    low: int = 0
    high: int = LARGEST_INTEGER

    def __call__(self, value: object) -> int:
        expected = f"a whole number from {self.low} to {self.high}"
        if not isinstance(value, int) or isinstance(value, bool):
            raise Invalid(expected)
        if not self.low <= value <= self.high:
            raise Invalid(expected)
        return value


class Number(Struct, frozen=True):
    """Accepts an integer or a finite float from `low` to `high`, and returns a float. No limits: any such number."""

    low: float = -LARGEST_NUMBER
    high: float = LARGEST_NUMBER

    def __call__(self, value: object) -> float:
        expected = f"a number from {self.low} to {self.high}" if self.high < LARGEST_NUMBER else "a number"
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise Invalid(expected)
        if not self.low <= value <= self.high:
            raise Invalid(expected)
        return float(value)


class Choice(Struct, Generic[T], frozen=True):
    """Accepts one of `words`, which may also be numbers."""

    words: tuple[T, ...]

    def __call__(self, value: object) -> T:
        for word in self.words:
            if type(word) is type(value) and word == value:
                return word
        raise Invalid(f"one of {', '.join(map(str, self.words))}")


def folder(value: object) -> Path:
    """Accepts the path of a folder, which need not exist; `~` stands for a home folder. Raises Invalid."""
    if isinstance(value, str | Path) and str(value).strip() and "\0" not in str(value):
        with suppress(RuntimeError):  # `~name` of an unknown user
            return Path(value).expanduser()
    raise Invalid("the path of a folder")


def board_plan(value: object) -> str:
    """Accepts the id of a plan, or the path of a plan file, which is not opened here. Raises Invalid."""
    if isinstance(value, str) and (value in plan_ids() or value.endswith(".toml")):
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
        if all(is_name(name, _LONGEST_NAME) for name in names):
            return names
    raise Invalid(f"at most {_MAX_PLAYERS} names of 1 to {_LONGEST_NAME} letters")


def house_rules(value: object) -> Mapping[str, object]:
    """Accepts any table; its options are checked with the variant, by `rules_for`. Raises Invalid."""
    if isinstance(value, Mapping):
        return MappingProxyType(dict(value))
    raise Invalid("a table of options, such as {muggins_mode = 'claim'}")
