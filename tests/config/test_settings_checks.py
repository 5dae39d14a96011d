"""The checks of settings return a value in its type, or say what was expected."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.config.settings_checks import LARGEST_INTEGER, Check, Choice, Flag, Integer, Invalid, Number

CHECKS: tuple[Check[object], ...] = (
    *(Flag(), Integer(), Integer(1, 6), Number(), Number(0, 1)),
    *(Choice(("a", "b")), Choice((1, 2))),
)


@pytest.mark.parametrize(
    ("check", "value", "read"),
    [
        (Flag(), False, False),
        (Integer(1, 6), 6, 6),
        (Integer(), LARGEST_INTEGER, LARGEST_INTEGER),
        (Number(), 2, 2.0),
        (Number(0, 1), 0.5, 0.5),
        (Choice((1, 2)), 2, 2),
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
        (Integer(1, 6), 7, "a whole number from 1 to 6"),
        (Integer(), -1, f"a whole number from 0 to {LARGEST_INTEGER}"),
        (Number(), "1", "a number"),
        (Number(), False, "a number"),
        (Number(0.05, 5.0), 0, "a number from 0.05 to 5.0"),
        (Number(), math.inf, "a number"),
        (Number(), math.nan, "a number"),
        (Number(), 10**400, "a number"),
        (Choice(("a", "b")), 1, "one of a, b"),
        (Choice(("a", "b")), "A", "one of a, b"),
        (Choice((1, 2)), True, "one of 1, 2"),
        (Choice((1, 2)), [], "one of 1, 2"),
    ],
)
def test_any_other_value_is_refused(check: Check[object], value: object, expected: str) -> None:
    with pytest.raises(Invalid) as caught:
        check(value)
    assert str(caught.value) == expected


@pytest.mark.parametrize("check", CHECKS, ids=repr)
def test_no_check_accepts_null(check: Check[object]) -> None:
    with pytest.raises(Invalid):
        check(None)


anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.lists(st.none())


@given(st.sampled_from(CHECKS), anything)
@example(Number(), 2**53 + 1)
def test_a_check_returns_an_equal_value_or_raises_invalid(check: Check[object], value: object) -> None:
    """An integer that no float is equal to becomes the nearest one."""
    try:
        assert check(value) == (float(value) if isinstance(check, Number) and isinstance(value, int) else value)
    except Invalid as invalid:
        assert str(invalid)
