"""Key edges become presses, whenever the host gets to read them."""

from __future__ import annotations

import pytest

from board_drivers.ports import KeyEdge
from firmware_host.host.parts.key_presses import HELD_S, KeyPresses
from firmware_host.ui.keys.input_state import FN, FN_HELD


class RecordedKeypad:
    """Gives all its edges at the first read."""

    def __init__(self, *edges: KeyEdge) -> None:
        self._edges = edges

    def edges(self) -> tuple[KeyEdge, ...]:
        edges, self._edges = self._edges, ()
        return edges


@pytest.mark.parametrize(("held_s", "expected"), [(0.1, FN), (HELD_S, FN_HELD), (3.0, FN_HELD)])
def test_fn_is_tapped_or_held_even_if_both_edges_are_read_at_once(held_s: float, expected: str) -> None:
    presses = KeyPresses(RecordedKeypad(KeyEdge(FN, True, 5.0), KeyEdge(FN, False, 5.0 + held_s)))
    assert list(presses.read(9.0)) == [expected]


def test_fn_that_is_still_down_is_reported_once() -> None:
    presses = KeyPresses(RecordedKeypad(KeyEdge(FN, True, 5.0)))
    assert [list(presses.read(at_s)) for at_s in (5.5, 6.1, 7.0)] == [[], [FN_HELD], []]


def test_keys_that_go_down_while_fn_is_down_are_asked_about_and_fn_is_not_pressed() -> None:
    edges = (KeyEdge(FN, True, 5.0), KeyEdge("7", True, 5.4), KeyEdge("7", False, 5.5), KeyEdge("A", True, 7.0))
    presses = KeyPresses(RecordedKeypad(*edges, KeyEdge(FN, False, 7.5), KeyEdge("7", True, 8.0)))
    assert list(presses.read(9.0)) == ["FN+7", "FN+A", "7"]


def test_after_fn_opened_the_menu_a_key_is_a_choice_even_if_fn_is_still_down() -> None:
    keypad = RecordedKeypad(KeyEdge(FN, True, 5.0))
    presses = KeyPresses(keypad)
    assert list(presses.read(6.5)) == [FN_HELD]
    keypad.__init__(KeyEdge("2", True, 6.8), KeyEdge(FN, False, 7.0))  # type: ignore[misc]
    assert list(presses.read(7.5)) == ["2"]
