"""Driver of the keypad of a sensing board; the scanner debounces it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from board_drivers.ports import KEY_ROWS, KeyEdge
from board_drivers.serial_scanner import SerialScanner

LEGENDS = tuple(key.legend for row in KEY_ROWS for key in row)


class SerialKeypad:
    """`Keypad` on the board behind `scanner`. Keys that were down come up when the scanner is lost."""

    def __init__(self, scanner: SerialScanner, clock: Callable[[], float] = monotonic) -> None:
        self._scanner = scanner
        self._clock = clock
        self._down = 0

    def edges(self) -> Sequence[KeyEdge]:
        """The key edges since the last call, oldest first."""
        states = self._scanner.session.take_keys() if self._scanner.is_open else (0,)
        return [edge for state in states for edge in self._edges_to(state)]

    def _edges_to(self, state: int) -> Sequence[KeyEdge]:
        changed = state ^ self._down
        self._down = state
        at_s = self._clock()
        return [
            KeyEdge(legend, bool(state >> key & 1), at_s) for key, legend in enumerate(LEGENDS) if changed >> key & 1
        ]
