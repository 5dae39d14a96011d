"""Turns key edges (down, up) into key presses.

FN means one thing when tapped and another when held. A key that goes down while FN is down is returned as `WITH_FN` and
its legend, and FN itself then counts as not pressed.
"""

from __future__ import annotations

from collections.abc import Iterator

from board_drivers.ports import KeyEdge, Keypad
from firmware_host.ui.keys.input_state import FN, FN_HELD, WITH_FN

HELD_S = 1.0
"""FN held for this many seconds opens the menu."""
STUCK_S = 20.0
"""A key that is down for this many seconds is stuck: nobody holds a key so long."""


class KeyPresses:
    """The presses of one keypad, in order. A key is pressed when it goes down, FN when it comes up or was held."""

    def __init__(self, keypad: Keypad) -> None:
        self._keypad = keypad
        self.edge_count = 0
        """How many keys went down or came up."""
        self._fn_down_s: float | None = None
        """When FN went down, while it may still be tapped or held."""
        self._is_asking = False
        """Whether another key went down while FN was down, which is still down."""
        self._down_s: dict[str, float] = {}

    def read(self, at_s: float) -> Iterator[str]:
        """The legends of the keys pressed since the last call; FN_HELD once for a held FN."""
        for edge in self._keypad.edges():
            self._track(edge)
            if edge.legend == FN:
                yield from self._fn(edge)
            elif edge.is_down:
                self._is_asking |= self._fn_down_s is not None
                self._fn_down_s = None
                yield f"{WITH_FN}{edge.legend}" if self._is_asking else edge.legend
        if self._fn_down_s is not None and at_s - self._fn_down_s >= HELD_S:
            self._fn_down_s = None
            yield FN_HELD

    def _fn(self, edge: KeyEdge) -> Iterator[str]:
        down_s = self._fn_down_s
        self._fn_down_s = edge.at_s if edge.is_down else None
        self._is_asking = False
        if not edge.is_down and down_s is not None:
            was_held = edge.at_s - down_s >= HELD_S  # both edges may come at once from a busy computer
            yield FN_HELD if was_held else FN

    def newly_stuck(self, at_s: float) -> list[str]:
        """The keys that have just been down for STUCK_S. Each is reported once, until it has come up again."""
        stuck = [legend for legend, down_s in self._down_s.items() if at_s - down_s >= STUCK_S]
        for legend in stuck:
            del self._down_s[legend]
        return stuck

    def _track(self, edge: KeyEdge) -> None:
        self.edge_count += 1
        if edge.is_down:
            self._down_s[edge.legend] = edge.at_s
        else:
            self._down_s.pop(edge.legend, None)
