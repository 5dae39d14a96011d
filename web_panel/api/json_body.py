"""Reads the JSON body of a request as a Struct. A wrong field is answered with 400 and its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

from flask import request
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct

from firmware_host.validation.typed import FieldError, FieldFault, decode
from web_panel.errors import Problem, malformed

LONGEST_TEXT = 60
"""In characters."""

Whole = Annotated[int, Meta(ge=0, le=9_999)]
"""A number of a body: a seat, a side, points, an index."""
Wholes = Annotated[tuple[Whole, ...], Meta(description="a list of whole numbers from 0")]


def text_of(longest: int) -> Meta:
    """The limits of a text that is not blank."""
    words = f"a text of 1 to {longest} printable characters"
    return Meta(min_length=1, max_length=longest, pattern=r"\S", description=words)


Text = Annotated[str, text_of(LONGEST_TEXT)]
Texts = Annotated[tuple[Text, ...], Meta(description="a list of printable texts")]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object: `{}`; the base of every body. A field that may be left out may also be null.

    Raises Problem for texts with control characters or lone surrogates, which no screen, file or network protocol can
    carry; no schema can say that.
    """

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str) and not text.isprintable():
                    raise malformed("printable texts", shown(text), name)


B = TypeVar("B", bound=Body)


class JsonView(Generic[B]):
    """A Flask view that is called with its request body. The OpenAPI description shows the schema of `body`."""

    def __init__(self, body: type[B], view: Callable[..., ResponseReturnValue]) -> None:
        self.body = body
        self._view = view
        self.__name__ = view.__name__
        self.__doc__ = view.__doc__

    def __call__(self, **path: str) -> ResponseReturnValue:
        return self._view(read_body(request.get_data(), self.body), **path)


def reads_json(body: type[B]) -> Callable[[Callable[..., ResponseReturnValue]], JsonView[B]]:
    """Decorates a view whose first argument is the request body."""
    return lambda view: JsonView(body, view)


def read_body(text: bytes, kind: type[B]) -> B:
    """The body of a request in UTF-8. Raises Problem (400) for whatever cannot be used."""
    try:
        return decode(text, kind)
    except FieldError as error:
        raise malformed_field(error.fault) from error
    except (ValueError, RecursionError) as error:
        raise malformed("a JSON object", f"something else ({error})") from error


def shown(value: Any) -> str:
    """A value as an error message quotes it: in ASCII, and no longer than LONGEST_TEXT characters."""
    text = ascii(value)
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}..."


def malformed_field(fault: FieldFault) -> Problem:
    """The answer to a body with such a field."""
    return malformed(fault.expected, fault.got(shown), fault.path)
