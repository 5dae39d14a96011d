"""Two keypads that people use as one."""

from __future__ import annotations

from collections.abc import Sequence

from board_drivers.ports import KeyEdge, Keypad


class BothKeypads:
    """The keypad with wires, and the one on the page beside it."""

    def __init__(self, wired: Keypad, on_page: Keypad) -> None:
        self._keypads = (wired, on_page)

    def edges(self) -> Sequence[KeyEdge]:
        """The edges of both; a step that reads them is shorter than a press of a key."""
        return [edge for keypad in self._keypads for edge in keypad.edges()]
