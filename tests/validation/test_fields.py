"""The reader of fields reports each bad, missing or unknown field: its path, what was expected, and what was there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.validation.fields import (
    LARGEST_INTEGER,
    Check,
    Choice,
    FaultKind,
    FieldFault,
    Fields,
    Flag,
    Integer,
    Invalid,
    InvalidType,
    ListOf,
    Number,
    Table,
    Text,
)

CHECKS: tuple[Check[object], ...] = (
    *(Flag(), Integer(), Integer(1, 6), Number(), Number(0, 1), Text(), Text(1), Text(1, 5), Table()),
    *(Choice(("a", "b")), Choice((1, 2)), ListOf(Text(1), "a list of texts"), ListOf(Integer(), "integers", 1)),
)


class FieldError(Exception):
    """What this caller raises."""

    def __init__(self, fault: FieldFault) -> None:
        super().__init__(f"{fault.path}: expected {fault.expected}, got {fault.got(repr)}")
        self.fault = fault


class Colour(Enum):
    RED = "r"
    BLUE = "b"


def fields(**values: object) -> Fields:
    return Fields(values, FieldError)


def fault_of(read: Callable[[Fields], object], values: Mapping[str, object]) -> tuple[FaultKind, str]:
    with pytest.raises(FieldError) as caught:
        read(Fields(values, FieldError))
    return caught.value.fault.kind, str(caught.value)


# Checks


@pytest.mark.parametrize(
    ("check", "value", "read"),
    [
        (Flag(), False, False),
        (Integer(1, 6), 6, 6),
        (Integer(), LARGEST_INTEGER, LARGEST_INTEGER),
        (Number(), 2, 2.0),
        (Number(0, 1), 0.5, 0.5),
        (Text(), "", ""),
        (Text(1, 3), " abc ", " abc "),
        (Text(1), "a\nb", "a\nb"),
        (Choice((1, 2)), 2, 2),
        (Table(), {"a": None}, {"a": None}),
        (ListOf(Integer(), "integers"), [], ()),
        (ListOf(Integer(), "integers"), [1, 2], (1, 2)),
    ],
)
def test_a_check_returns_the_value_in_its_type(check: Check[object], value: object, read: object) -> None:
    assert check(value) == read and type(check(value)) is type(read)


@pytest.mark.parametrize(
    ("check", "value", "expected"),
    [
        (Flag(), 1, "true or false"),
        (Integer(1, 6), True, "a whole number from 1 to 6"),
        (Integer(1, 6), 2.0, "a whole number from 1 to 6"),
        (Number(), "1", "a number"),
        (Number(), False, "a number"),
        (Text(1, 60), 5, "a text of 1 to 60 printable characters"),
        (Choice(("a", "b")), 1, "one of a, b"),
        (Choice((1, 2)), True, "one of 1, 2"),
        (Choice((1, 2)), [], "one of 1, 2"),
        (Table("a table"), [], "a table"),
        (ListOf(Text(), "a list of texts"), "text", "a list of texts"),
        (ListOf(Text(), "a list of texts"), ["text", 5], "a list of texts"),
    ],
)
def test_a_value_of_another_type_is_refused(check: Check[object], value: object, expected: str) -> None:
    with pytest.raises(InvalidType) as caught:
        check(value)
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("check", "value", "expected"),
    [
        (Integer(1, 6), 7, "a whole number from 1 to 6"),
        (Integer(1, 99, "a strip"), 100, "a strip"),
        (Integer(), -1, f"a whole number from 0 to {LARGEST_INTEGER}"),
        (Number(0.05, 5.0), 0, "a number from 0.05 to 5.0"),
        (Number(), math.inf, "a number"),
        (Number(), math.nan, "a number"),
        (Number(), 10**400, "a number"),
        (Text(1), " ", "a text"),
        (Text(1, 3), "abcd", "a text of 1 to 3 printable characters"),
        (Text(1, 3), "a\nb", "a text of 1 to 3 printable characters"),
        (Text(1, 3), "\ud800", "a text of 1 to 3 printable characters"),
        (Choice(("a", "b")), "A", "one of a, b"),
        (Choice(("a", "b"), '"a" or "b"'), "c", '"a" or "b"'),
        (ListOf(Text(), "a list of texts", shortest=1), [], "a list of texts"),
        (ListOf(Text(1), "a list of texts"), ["a", ""], "a list of texts"),
    ],
)
def test_a_value_outside_the_limits_is_refused(check: Check[object], value: object, expected: str) -> None:
    with pytest.raises(Invalid) as caught:
        check(value)
    assert str(caught.value) == expected and type(caught.value) is Invalid


@pytest.mark.parametrize("check", CHECKS, ids=repr)
def test_no_check_accepts_null(check: Check[object]) -> None:
    with pytest.raises(InvalidType):
        check(None)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda items: st.lists(items, max_size=3) | st.dictionaries(st.text(max_size=3), items, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(CHECKS), anything)
def test_a_check_returns_a_value_or_raises_invalid(check: Check[object], value: object) -> None:
    try:
        read = check(value)
    except Invalid as invalid:
        assert str(invalid)
    else:
        expected = tuple(value) if isinstance(value, list) else value
        assert read == (float(expected) if isinstance(read, float) and isinstance(expected, int) else expected)


# The reader


def test_each_kind_of_field_is_read() -> None:
    given = fields(
        text="a",
        number=1,
        integer=2,
        flag=True,
        choice="x",
        enum="r",
        texts=["a"],
        integers=[1],
        items=[None],
        table={},
    )
    assert given.text("text") == "a"
    assert given.number("number") == 1.0
    assert given.integer("integer") == 2
    assert given.flag("flag") is True
    assert given.choice("choice", ["x", "y"]) == "x"
    assert given.enum("enum", Colour) is Colour.RED
    assert given.texts("texts") == ("a",)
    assert given.integers("integers") == (1,)
    assert given.items("items") == (None,)
    assert given.mapping("table") == {}
    given.finish()


@pytest.mark.parametrize("values", [{}, {"field": None}], ids=["absent", "null"])
def test_an_optional_field_may_be_absent_or_null(values: Mapping[str, object]) -> None:
    read: tuple[Callable[[Fields], object], ...] = (
        lambda given: given.optional_text("field"),
        lambda given: given.optional_texts("field"),
        lambda given: given.optional_integer("field"),
        lambda given: given.optional_integers("field"),
        lambda given: given.optional_enum("field", Colour),
        lambda given: given.read_optional("field", Flag()),
    )
    for optional in read:
        given = Fields(values, FieldError)
        assert optional(given) is None
        given.finish()


def test_an_optional_field_is_checked_if_it_is_there() -> None:
    assert fields(field=5).optional_integer("field") == 5
    assert fields(field=False).read_optional("field", Flag()) is False
    assert fields(field="b").optional_enum("field", Colour) is Colour.BLUE
    kind, message = fault_of(lambda given: given.optional_enum("field", Colour), {"field": "g"})
    assert (kind, message) == (FaultKind.VALUE, "field: expected one of r, b, got 'g'")


@pytest.mark.parametrize("values", [{}, {"field": None}], ids=["absent", "null"])
def test_a_default_stands_for_an_absent_field(values: Mapping[str, object]) -> None:
    assert Fields(values, FieldError).text("field", "six_card") == "six_card"
    assert Fields(values, FieldError).number("field", 0.0) == 0.0
    assert Fields(values, FieldError).flag("field", default=False) is False
    assert Fields(values, FieldError).mapping("field") == {}


@pytest.mark.parametrize(
    ("values", "kind", "message"),
    [
        ({}, FaultKind.MISSING, "side: expected a whole number from 0 to 9007199254740991, got nothing"),
        ({"side": None}, FaultKind.NULL, "side: expected a whole number from 0 to 9007199254740991, got nothing"),
        ({"side": "1"}, FaultKind.TYPE, "side: expected a whole number from 0 to 9007199254740991, got '1'"),
        ({"side": -1}, FaultKind.VALUE, "side: expected a whole number from 0 to 9007199254740991, got -1"),
    ],
)
def test_a_fault_names_path_expectation_and_value(values: Mapping[str, object], kind: FaultKind, message: str) -> None:
    assert fault_of(lambda given: given.integer("side"), values) == (kind, message)


def test_a_fault_in_a_nested_table_has_the_whole_path() -> None:
    document = {"rows": {"oak": {"x": "wide"}}, "tracks": [{"name": "oak"}, {"name": 5}]}
    given = Fields(document, FieldError)
    with pytest.raises(FieldError, match=r"rows\.oak\.x: expected a number"):
        given.table("rows").table("oak").number("x")
    first, second = given.tables("tracks")
    assert first.text("name") == "oak"
    with pytest.raises(FieldError, match=r"tracks\[1\]\.name: expected a text, got 5"):
        second.text("name")


def test_unknown_fields_are_reported_at_the_end() -> None:
    given = fields(port=1, prot=2, table={"a": 1, "b": 2})
    assert given.integer("port") == 1
    inner = given.table("table")
    with pytest.raises(FieldError, match="table: expected nothing more, got 'a', 'b'"):
        inner.finish()
    assert given.keys == ("prot",)
    with pytest.raises(FieldError) as caught:
        given.finish()
    assert caught.value.fault == FieldFault(FaultKind.UNKNOWN, "", "nothing more", ("prot",))


def test_a_subclass_sets_its_own_limits_for_nested_tables_too() -> None:
    class Small(Fields):
        INTEGER = Integer(1, 6)

    given = Small({"die": 7, "cup": {"die": 7}}, FieldError)
    with pytest.raises(FieldError, match="die: expected a whole number from 1 to 6, got 7"):
        given.integer("die")
    with pytest.raises(FieldError, match="cup.die: expected a whole number from 1 to 6, got 7"):
        given.table("cup").integer("die")


def test_reading_leaves_the_mapping_as_it_was() -> None:
    values = {"text": "a"}
    Fields(values, FieldError).text("text")
    assert values == {"text": "a"}
