"""Reads the payload of a message into its type. The type has the limits; fields that are not known are ignored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Generic, Protocol, TypeVar

from msgspec import DecodeError, Meta, Struct, ValidationError
from msgspec.json import Decoder, encode

from firmware_host.errors import HostError
from firmware_host.mqtt_messages.topics import VERSION

Version = Annotated[int, Meta(extra_json_schema={"const": VERSION})]

LONGEST_MESSAGE = 10_000
"""Bytes."""
LONGEST_TEXT = 100
"""Characters of a name or another text."""
HIGHEST = 10**6
"""The highest number."""
Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]
Count = Annotated[int, Meta(ge=0, le=HIGHEST)]
Number = Annotated[int, Meta(ge=1, le=HIGHEST)]
Spread = Annotated[int, Meta(ge=-HIGHEST, le=HIGHEST)]


class MalformedMessage(HostError):
    """The message is not what its type says. `where` is the message and the field, such as `result.sides[0].score`."""


class UnknownVersion(MalformedMessage):
    """The message has another version; a newer program can read it."""


class Versioned(Protocol):
    """Every message."""

    @property
    def version(self) -> int:
        """Of topics and payloads."""


T = TypeVar("T", bound=Versioned)


class _AnyVersion(Struct, frozen=True):
    version: int


class MessageReader(Generic[T]):
    """Reads one kind of message. `name` is that of its schema."""

    def __init__(self, kind: type[T], name: str, longest: int = LONGEST_MESSAGE) -> None:
        self._decoder = Decoder(kind)
        self._name = name
        self.longest = longest

    def read(self, payload: bytes) -> T:
        """The message. Raises MalformedMessage; UnknownVersion whatever else is wrong with it."""
        if len(payload) > self.longest:
            raise self.malformed("", f"at most {self.longest} bytes", str(len(payload)))
        try:
            message = self._decoder.decode(payload)
        except ValidationError as error:
            self._check_version(_version_in(payload))
            raise self._from(error) from error
        except (DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise self.malformed("", "JSON", ascii(payload[:40])) from error
        self._check_version(message.version)
        return message

    def malformed(self, path: str, expected: str, got: str) -> MalformedMessage:
        """The error for a field, whose path begins with a dot; empty for the whole message."""
        return MalformedMessage(expected, got, f"{self._name}{path}", self._fix)

    @property
    def _fix(self) -> str:
        return f"send what schemas/{self._name}.json describes"

    def _check_version(self, version: int | None) -> None:
        if version not in (None, VERSION):
            fix = "update the older of the two programs"
            raise UnknownVersion(f"version {VERSION}", f"version {version}", f"{self._name}.version", fix)

    def _from(self, error: ValidationError) -> MalformedMessage:
        """The words of msgspec, such as "Expected `int`, got `bool` - at `$.revision`", as ours."""
        text, _, path = str(error).partition(" - at `$")
        path = path.rstrip("`")
        if missing := re.fullmatch(r"Object missing required field `(.*)`", text):
            return self.malformed(f"{path}.{missing[1]}", "a value", "nothing")
        if enum := re.fullmatch(r"Invalid enum value (.*)", text):
            return self.malformed(path, "one of the values of this field", enum[1][:40])
        expected, _, got = text.removeprefix("Expected ").partition(", got ")
        return self.malformed(path, expected, got or "another value")


_VERSIONED = Decoder(_AnyVersion)


def _version_in(payload: bytes) -> int | None:
    """None for one that is not an integer."""
    try:
        return _VERSIONED.decode(payload).version
    except (DecodeError, RecursionError):
        return None


def as_payload(message: Struct | Mapping[str, object]) -> str:
    """The message as it is sent."""
    return encode(message).decode()
