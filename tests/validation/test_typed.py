"""JSON is decoded by the type of a Struct; a bad, missing or unknown field is named, with what was expected."""

from __future__ import annotations

import json
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from firmware_host.validation.typed import FaultKind, FieldError, decode, one_of


class Colour(Enum):
    RED = "r"
    BLUE = "b"


class Sample(Struct, frozen=True, forbid_unknown_fields=True):
    points: Annotated[int, Meta(ge=0, le=29)]
    name: Annotated[str, Meta(min_length=1, description="a short text")]
    flag: bool | None = None
    colour: Colour | None = None
    crib: Literal["own", "theirs"] | None = None
    role: Annotated[str, one_of(("owner", "viewer"))] | None = None
    chunk: Annotated[bytes, Meta(min_length=1, max_length=8)] | None = None
    day: date | None = None
    cards: tuple[str, ...] | None = None
    scores: tuple[int, int] | None = None
    options: dict[str, Any] | None = None


class Open(Struct, frozen=True):
    """Fields that are not known are ignored."""

    points: int
    size: int = 3


GOOD = {"points": 29, "name": "Ann"}


def fault_of(fields: dict[str, object]) -> tuple[FaultKind, str, str, tuple[object, ...]]:
    with pytest.raises(FieldError) as caught:
        decode(json.dumps(fields).encode(), Sample)
    fault = caught.value.fault
    return fault.kind, fault.path, fault.expected, fault.values


def test_every_field_is_decoded_into_its_type() -> None:
    text = """{"points": 0, "name": "Zoë", "flag": true, "colour": "b", "crib": "own", "role": "viewer",
    "chunk": "Pw==", "day": "2026-03-14", "cards": ["5H"], "scores": [1, 2],
    "options": {"a": [1]}}"""
    expected = Sample(
        0, "Zoë", True, Colour.BLUE, "own", "viewer", b"?", date(2026, 3, 14), ("5H",), (1, 2), {"a": [1]}
    )
    assert decode(text, Sample) == decode(text.encode(), Sample) == expected


def test_null_means_an_absent_field() -> None:
    assert decode(json.dumps(GOOD | {"flag": None, "options": None}).encode(), Sample) == Sample(29, "Ann")
    assert decode('{"points": 1, "size": null, "more": null}', Open) == Open(1)


@pytest.mark.parametrize(
    ("changes", "kind", "expected"),
    [
        ({"points": None}, FaultKind.NULL, "a whole number from 0 to 29"),
        ({"points": "1"}, FaultKind.TYPE, "a whole number from 0 to 29"),
        ({"points": True}, FaultKind.TYPE, "a whole number from 0 to 29"),
        ({"points": 1.0}, FaultKind.TYPE, "a whole number from 0 to 29"),
        ({"points": 30}, FaultKind.VALUE, "a whole number from 0 to 29"),
        ({"points": 10**30}, FaultKind.VALUE, "a whole number from 0 to 29"),
        ({"name": ""}, FaultKind.VALUE, "a short text"),
        ({"flag": 1}, FaultKind.TYPE, "true or false"),
        ({"colour": "green"}, FaultKind.VALUE, "one of r, b"),
        ({"crib": "mine"}, FaultKind.VALUE, "own or theirs"),
        ({"role": "owners"}, FaultKind.VALUE, "one of owner, viewer"),
        ({"chunk": ""}, FaultKind.VALUE, "1 to 8 bytes in base64"),
        ({"chunk": "AAAAAAAAAAAA"}, FaultKind.VALUE, "1 to 8 bytes in base64"),
        ({"chunk": "?"}, FaultKind.VALUE, "1 to 8 bytes in base64"),
        ({"day": "tomorrow"}, FaultKind.VALUE, "a date such as 2026-03-14"),
        ({"cards": "5H"}, FaultKind.TYPE, "a list"),
        ({"cards": [5]}, FaultKind.TYPE, "a list"),
        ({"scores": [5]}, FaultKind.VALUE, "a list"),
        ({"options": []}, FaultKind.TYPE, "an object"),
    ],
)
def test_a_bad_field_is_named(changes: dict[str, object], kind: FaultKind, expected: str) -> None:
    ((field, value),) = changes.items()
    assert fault_of(GOOD | changes) == (kind, field, expected, () if value is None else (value,))


def test_the_first_bad_field_in_the_order_of_the_type_is_named() -> None:
    assert fault_of({"flag": 1, "name": 5})[:2] == (FaultKind.MISSING, "points")
    assert fault_of({"flag": 1, "name": 5, "points": 1})[:2] == (FaultKind.TYPE, "name")


def test_unknown_fields_are_named_last_and_together() -> None:
    assert fault_of({"seats": 1, "seat": 2} | GOOD) == (FaultKind.UNKNOWN, "", "nothing more", ("seats", "seat"))
    assert fault_of({"seats": 1, "points": 1})[:2] == (FaultKind.MISSING, "name")
    assert decode(b'{"points": 1, "more": 2}', Open) == Open(1)


@pytest.mark.parametrize("text", [b"", b"{", b'{"points": 1} 2', b"\xff", b'{"name": "\xff"}', b"[" * 100_000])
def test_text_that_is_no_json_is_another_error(text: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)) as caught:
        decode(text, Sample)
    assert not isinstance(caught.value, FieldError | msgspec.MsgspecError)


def test_bad_syntax_comes_before_a_bad_field() -> None:
    with pytest.raises(json.JSONDecodeError):
        decode(b'{"points": "1", ', Sample)


def test_what_only_python_reads_is_decoded_too() -> None:
    assert decode(b'{"points": 1, "name": "\\ud800", "options": {"a": Infinity}}', Sample).name == "\ud800"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda items: st.lists(items, max_size=3) | st.dictionaries(st.text(max_size=3), items, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(Sample.__struct_fields__), json_values))
def test_any_object_is_decoded_or_has_a_fault(fields: dict[str, object]) -> None:
    try:
        read = decode(json.dumps(GOOD | fields).encode(), Sample)
    except FieldError as error:
        assert error.fault.expected and str(error)
    else:
        assert decode(msgspec.json.encode(read), Sample) == read
