"""The page of the OLED in letters that are twice as high: four lines of 21 columns. What does not fit stays small.

| line | with two sides |
| --- | --- |
| 1, 2 | the prompt |
| next | `Ann•    47 Ben     53` |
| rest | the last message |
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.game.state import Table
from firmware_host.ui.display.oled_page import COLUMNS, Page, dealer_mark, page, wrap_text

TALL = 12
"""The scale of tall letters; see `Line` in board_drivers/ports.py."""
LINES = 4
SCORE_COLUMNS = 3


def tall_page(prompt: str, table: Table | None, last_message: str, choices: Sequence[str] = ()) -> Page:
    """The whole page, as `oled_page.page` makes it. It is that page where prompt and scores need more than four tall
    lines, such as a long menu: nothing is lost."""
    below = tuple(choices) if choices else score_lines(table) if table else ()
    lines = (*(text for text, _scale in wrap_text(prompt, LINES + 1)), *below)
    if len(lines) > LINES:
        return page(prompt, table, last_message, choices)
    rest = wrap_text(last_message, LINES - len(lines)) if table and not choices and last_message else ()
    return tuple((text[:COLUMNS], TALL) for text in (*lines, *(text for text, _scale in rest)))


def score_lines(table: Table) -> tuple[str, ...]:
    """Names and scores, two sides a line."""
    names = [table.side_name(side) + dealer_mark(table, side) for side in range(len(table.sides))]
    width = COLUMNS // 2
    room = width - SCORE_COLUMNS - 1
    fields = [f"{name[:room]:<{room}} {score:>3}" for name, score in zip(names, table.scores, strict=True)]
    return tuple(" ".join(fields[at : at + 2]) for at in range(0, len(fields), 2))
