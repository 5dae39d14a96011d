"""Two displays that show the same."""

from __future__ import annotations

from collections.abc import Sequence

from board_drivers.ports import Scoreboard


class BothScoreboards:
    """The display with wires, and the one on the page beside it."""

    def __init__(self, wired: Scoreboard, on_page: Scoreboard) -> None:
        self._scoreboards = (on_page, wired)

    def show(
        self, page: Sequence[tuple[str, int]], *, is_inverted: bool = False, shift_px: tuple[int, int] = (0, 0)
    ) -> None:
        """See `Scoreboard.show`."""
        for scoreboard in self._scoreboards:
            scoreboard.show(page, is_inverted=is_inverted, shift_px=shift_px)

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        """See `Scoreboard.show_picture`."""
        for scoreboard in self._scoreboards:
            scoreboard.show_picture(rows)

    def set_contrast(self, level: int) -> None:
        """See `Scoreboard.set_contrast`."""
        for scoreboard in self._scoreboards:
            scoreboard.set_contrast(level)
