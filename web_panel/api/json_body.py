"""Reads the JSON body of a request: every field has a type, and a wrong one is answered with 400 and its name."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, Self, TypeVar

from flask import json, request
from flask.typing import ResponseReturnValue
from msgspec import Struct

from firmware_host.validation.fields import FieldFault, Fields, Integer, Invalid, ListOf, Text
from web_panel.errors import Problem, malformed

T = TypeVar("T")

LARGEST_INTEGER = 9_999
LONGEST_TEXT = 60
"""In characters."""


class Base64(Struct, frozen=True):
    """Accepts a text in base64 that stands for 1 to `longest` bytes."""

    longest: int

    def __call__(self, value: object) -> bytes:
        with suppress(ValueError):
            content = b64decode(value, validate=True) if isinstance(value, str) else b""
            if 0 < len(content) <= self.longest:
                return content
        raise Invalid(f"1 to {self.longest} bytes in base64")


class JsonBody(Fields):
    """The fields of one JSON object. Raises Problem (400) for whatever cannot be used."""

    TEXT = Text(1, LONGEST_TEXT)
    TEXTS = ListOf(TEXT, "a list of printable texts")
    INTEGER = Integer(0, LARGEST_INTEGER)
    INTEGERS = ListOf(INTEGER, "a list of whole numbers from 0")

    @classmethod
    def of_text(cls, text: bytes) -> Self:
        """The body of a request in UTF-8. Raises Problem if it is no JSON object."""
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise malformed("a JSON object", f"something else ({error})") from error
        if not isinstance(fields, dict):
            raise malformed("a JSON object", type(fields).__name__)
        return cls(fields, malformed_field)

    def bytes(self, key: str, longest: int) -> bytes:
        """1 to `longest` bytes, in base64."""
        return self.read(key, Base64(longest))


class JsonView(Generic[T]):
    """A Flask view that is called with its request body as `read` returns it.

    The OpenAPI description calls `read` with a body of its own to learn what a request may hold.
    """

    def __init__(self, read: Callable[[JsonBody], T], view: Callable[..., ResponseReturnValue]) -> None:
        self.read = read
        self._view = view
        self.__name__ = view.__name__
        self.__doc__ = view.__doc__

    def __call__(self, **path: str) -> ResponseReturnValue:
        body = JsonBody.of_text(request.get_data())
        value = self.read(body)
        body.finish()
        return self._view(value, **path)


def reads_json(
    read: Callable[[JsonBody], T],
) -> Callable[[Callable[..., ResponseReturnValue]], JsonView[T]]:
    """Decorates a view whose first argument is what `read` makes of the request body."""
    return lambda view: JsonView(read, view)


def no_fields(body: JsonBody) -> None:
    """Reads an empty object: `{}`."""


def shown(value: object) -> str:
    """A value as an error message quotes it: in ASCII, and no longer than LONGEST_TEXT characters."""
    text = ascii(value)
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}..."


def malformed_field(fault: FieldFault) -> Problem:
    """The answer to a body with such a field."""
    return malformed(fault.expected, fault.got(shown), fault.path)
