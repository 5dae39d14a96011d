"""Decodes JSON as a Struct, and says which of its fields is wrong.

The types of the fields hold the limits, so one definition decodes a value, describes it (`msgspec.json.schema`) and
words the error. Only text that msgspec refuses is read again here, to name the first bad field in the order of the
Struct, with what was expected and found. Null means the same as an absent field.

    class Guess(Struct, frozen=True, forbid_unknown_fields=True):
        points: Annotated[int, Meta(ge=0, le=29)]
        name: str | None = None

    decode(b'{"points": 30}', Guess)  # FieldError: points, a whole number from 0 to 29, (30,)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, auto
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import Meta, Struct, ValidationError, inspect
from msgspec.structs import fields

S = TypeVar("S", bound=Struct)


class FaultKind(Enum):
    """What is wrong with a field."""

    MISSING = auto()
    NULL = auto()
    TYPE = auto()
    VALUE = auto()
    UNKNOWN = auto()


class FieldFault(Struct, frozen=True):
    """A field that cannot be used, or fields that nobody asked for."""

    kind: FaultKind
    path: str
    """The keys that lead to the field, such as `tracks[1].name`; for unknown fields, to their table."""
    expected: str
    values: tuple[object, ...]
    """The value that was found; empty if the field is missing or null; the names of unknown fields."""

    def got(self, show: Callable[[object], str]) -> str:
        """What was found, each value or name as `show` writes it; `nothing` if there was none."""
        return ", ".join(map(show, self.values)) or "nothing"


class FieldError(ValueError):
    """A field of the JSON object cannot be used. The text is that of msgspec, with the path of the value."""

    def __init__(self, text: str, fault: FieldFault) -> None:
        super().__init__(text)
        self.fault = fault
        """The first bad field of the object itself."""


def one_of(words: Iterable[str]) -> Meta:
    """The limits of a text that is one of these words, where the program has them in no enumeration."""
    choices = list(words)
    return Meta(pattern=f"^({'|'.join(choices)})$", extra_json_schema={"enum": choices})


def decode(text: bytes | str, kind: type[S], parse: Callable[[Any], object] | None = None) -> S:
    """The object in a JSON text. Raises FieldError for a field, and for text that is no JSON what `parse` raises; by
    default ValueError or RecursionError of `json.loads`."""
    try:
        decoded: S = _decoder(kind).decode(text)
    except (ValueError, RecursionError):
        import json  # not needed for right text

        decoded = convert((parse or json.loads)(text), kind)  # succeeds for what Python alone reads: lone surrogates
    return decoded


def convert(value: object, kind: type[S]) -> S:
    """The object in a JSON value that is parsed already. Raises FieldError."""
    try:
        converted: S = msgspec.convert(value, kind)
    except ValidationError as error:
        fault = fault_in(value, kind)
        if fault is None and isinstance(value, dict) and None in value.values():
            return convert({name: found for name, found in value.items() if found is not None}, kind)
        text = str(error)
        raise FieldError(text, fault or FieldFault(FaultKind.VALUE, "", text, ())) from error
    return converted


@cache
def _decoder(kind: type[S]) -> msgspec.json.Decoder[S]:
    """Made when it is first used: a Struct that no request needs costs nothing."""
    return msgspec.json.Decoder(kind)


def fault_in(value: object, kind: type[Struct]) -> FieldFault | None:
    """The first fault of a value that should become this Struct."""
    if not isinstance(value, dict):
        return FieldFault(FaultKind.TYPE, "", "a JSON object", (value,))
    known = set()
    for field in fields(kind):
        known.add(field.encode_name)
        found = value.get(field.encode_name)
        if found is None and not field.required:
            continue
        try:
            msgspec.convert(found, field.type)
        except ValidationError as error:
            fault = FaultKind.TYPE if ", got `" in str(error) else FaultKind.VALUE
            if found is None:
                fault = FaultKind.NULL if field.encode_name in value else FaultKind.MISSING
            return FieldFault(fault, field.encode_name, words_for(field.type), () if found is None else (found,))
    unknown = tuple(name for name in value if name not in known)
    if unknown and kind.__struct_config__.forbid_unknown_fields:
        return FieldFault(FaultKind.UNKNOWN, "", "nothing more", unknown)
    return None


def words_for(kind: Any) -> str:
    """What a field of this type takes, for an error message: the description of the type if it has one."""
    return _words(inspect.type_info(kind))


def _words(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str(description)}):
            return description
        case inspect.Metadata(extra_json_schema={"enum": list(choices)}):
            return f"one of {', '.join(choices)}"
        case inspect.Metadata(type=inner):
            return _words(inner)
        case inspect.UnionType(types=(first, *_)):
            return _words(first)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=low, le=high) if low is not None and high is not None:
            return f"a whole number from {low} to {high}"
        case inspect.IntType():
            return "a whole number"
        case inspect.StrType():
            return "a text"
        case inspect.BytesType(min_length=shortest, max_length=longest):
            return f"{shortest or 0} to {longest} bytes in base64"
        case inspect.DateType():
            return "a date such as 2026-03-14"
        case inspect.LiteralType(values=values):
            return " or ".join(map(str, values))
        case inspect.EnumType(cls=members):
            return f"one of {', '.join(str(member.value) for member in members)}"
        case inspect.ListType() | inspect.VarTupleType() | inspect.TupleType():
            return "a list"
    return "an object"
