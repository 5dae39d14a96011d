"""From keys that go down and up to presses: FN means one thing when it is tapped, another when it is held."""

from __future__ import annotations

from collections.abc import Iterator

from board_drivers.ports import KeyEdge, Keypad
from firmware_host.table.entries import FN, FN_HELD

HELD_S = 1.0
"""FN held this long opens the menu."""
STUCK_S = 20.0
"""No finger rests on a key this long."""


class Presses:
    """The presses of one keypad, in order. A key counts when it goes down; FN, when it is known which it was."""

    def __init__(self, keypad: Keypad) -> None:
        self._keypad = keypad
        self._fn_down_s: float | None = None
        self._down_s: dict[str, float] = {}

    def read(self, at_s: float) -> Iterator[str]:
        for edge in self._keypad.edges():
            self._note(edge)
            if edge.legend != FN:
                if edge.is_down:
                    yield edge.legend
            elif edge.is_down:
                self._fn_down_s = edge.at_s
            elif self._fn_down_s is not None:
                self._fn_down_s = None
                yield FN
        if self._fn_down_s is not None and at_s - self._fn_down_s >= HELD_S:
            self._fn_down_s = None
            yield FN_HELD

    def stuck(self, at_s: float) -> list[str]:
        """The keys that turn out to be stuck now; each is told once, until it has come up again."""
        stuck = [legend for legend, down_s in self._down_s.items() if at_s - down_s >= STUCK_S]
        for legend in stuck:
            del self._down_s[legend]
        return stuck

    def _note(self, edge: KeyEdge) -> None:
        if edge.is_down:
            self._down_s[edge.legend] = edge.at_s
        else:
            self._down_s.pop(edge.legend, None)
