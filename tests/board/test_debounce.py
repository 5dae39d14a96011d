"""Chatter is bridged, and a new peg is seen at once."""

from __future__ import annotations

from firmware_host.board.course import Hole
from firmware_host.board.debounce import Debounce

FIVE, SIX = frozenset({Hole(5)}), frozenset({Hole(6)})
NONE = frozenset[Hole]()


def seeing_five() -> Debounce:
    debounce = Debounce(fall_s=0.03)
    assert debounce.see(FIVE, 1.0)
    return debounce


def test_a_hole_is_full_at_its_first_sign() -> None:
    assert seeing_five().full == FIVE


def test_a_bouncing_contact_changes_nothing() -> None:
    debounce = seeing_five()
    assert not debounce.see(NONE, 1.010)
    assert not debounce.see(FIVE, 1.022)
    assert debounce.deadline_s is None
    assert debounce.full == FIVE


def test_a_hole_is_empty_when_it_stayed_silent_for_long_enough() -> None:
    debounce = seeing_five()
    debounce.see(NONE, 2.0)
    assert debounce.deadline_s == 2.03
    assert not debounce.tick(2.029)
    assert debounce.tick(2.03)
    assert debounce.full == NONE
    assert debounce.deadline_s is None


def test_one_hole_may_fill_while_another_empties() -> None:
    debounce = seeing_five()
    assert debounce.see(SIX, 2.0)
    assert debounce.full == FIVE | SIX
    debounce.tick(2.03)
    assert debounce.full == SIX
