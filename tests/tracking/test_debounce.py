"""Debouncing: chatter is removed, and a new peg counts at once."""

from __future__ import annotations

from firmware_host.board.course import Hole
from firmware_host.tracking.debounce import Debounce

FIVE, SIX = frozenset({Hole(5)}), frozenset({Hole(6)})
NONE = frozenset[Hole]()


def seeing_five() -> Debounce:
    debounce = Debounce(fall_s=0.03)
    assert debounce.update(FIVE, 1.0)
    return debounce


def test_a_hole_is_occupied_from_its_first_frame() -> None:
    assert seeing_five().occupied == FIVE


def test_a_bouncing_contact_changes_nothing() -> None:
    debounce = seeing_five()
    assert not debounce.update(NONE, 1.010)
    assert not debounce.update(FIVE, 1.022)
    assert debounce.deadline_s is None
    assert debounce.occupied == FIVE


def test_a_hole_is_empty_once_it_read_empty_for_long_enough() -> None:
    debounce = seeing_five()
    debounce.update(NONE, 2.0)
    assert debounce.deadline_s == 2.03
    assert not debounce.tick(2.029)
    assert debounce.tick(2.03)
    assert debounce.occupied == NONE
    assert debounce.deadline_s is None


def test_one_hole_may_fill_while_another_empties() -> None:
    debounce = seeing_five()
    assert debounce.update(SIX, 2.0)
    assert debounce.occupied == FIVE | SIX
    debounce.tick(2.03)
    assert debounce.occupied == SIX
