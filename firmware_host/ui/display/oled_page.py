"""The page on the OLED: the prompt, then the scores in large figures, then the last message, in 21 columns."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.game.state import Table
from firmware_host.ui.club_night import seat_lines
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.keys.advice_page import advice_lines
from firmware_host.ui.keys.keypad import takes_points
from firmware_host.ui.keys.menus import menu_lines
from firmware_host.ui.translator import Translator, untranslated

Page = tuple[tuple[str, int], ...]
"""(text, scale) of each line from the top. Scale 1 has 21 columns, 2 has 10, 3 has 7; a line is 8 x scale pixels high,
and all lines together are at most 64."""

ROWS = 8
"""Of scale 1; a line of scale 2 or 3 takes as many."""
COLUMNS = 21
BIG_COLUMNS = 7
PROMPT_LINES = 4
"""The most lines for the prompt, or for an error in its place; the last message gets what is left. In a menu: two."""


POINTS_OF_KEYS = ("A-10: 1-10", "J: 11  Q: 12", "K: 13-29")
"""The keys that answer how many points a side takes."""


def page(prompt: str, table: Table | None, last_message: str, choices: Sequence[str] = ()) -> Page:
    """The whole page. `choices`, the lines of a menu or of advice, take the place of the scores."""
    first = wrap_text(prompt, 2 if choices else PROMPT_LINES)
    if choices:
        return (*first, *((choice[:COLUMNS], 1) for choice in choices[: ROWS - len(first)]))
    if table is None:
        gap = (("", 1),) if len(first) < PROMPT_LINES else ()
        return (*first, *gap, ("crib", 2), ("board", 2))
    return with_scores(first, table, last_message)


def with_scores(first: Page, table: Table, last_message: str) -> Page:
    """The page with the scores below the first lines, and the last message, as far as there is room for each."""
    scores = score_lines(table)
    room = ROWS - sum(scale for _, scale in scores)
    lines = first[:room]
    return (*lines, *scores, *wrap_text(last_message, room - len(lines)))


def score_lines(table: Table) -> Page:
    """Two sides: names and large figures side by side. More sides: a line for each."""
    names = [
        side_key(table, side) + table.side_name(side) + dealer_mark(table, side) for side in range(len(table.sides))
    ]
    if len(names) != 2:
        room = COLUMNS - 4
        return tuple((f"{name[:room]:<{room}} {score:>3}", 1) for name, score in zip(names, table.scores, strict=True))
    left, right = (name[: COLUMNS // 2] for name in names)
    one, other = table.scores
    return (
        (f"{left:<{COLUMNS // 2}} {right:>{COLUMNS // 2}}", 1),
        (f"{one:<3}{other:>{BIG_COLUMNS - 3}}", 3),
    )


def side_key(table: Table, side: int) -> str:
    """The key that says that the side scores, where keys do."""
    return f"{'A' if side == 0 else side + 1} " if takes_points(table) else ""


def dealer_mark(table: Table, side: int) -> str:
    """A dot for the dealer's side, else nothing."""
    is_dealer = table.dealer is not None and table.rules.side_of(table.dealer) == side
    return "•" if is_dealer else ""


def wrap_text(text: str, max_lines: int) -> Page:
    """The text in lines of scale 1, broken at spaces but not at no-break spaces; what needs more lines is cut off.

    A word longer than a line is broken at its end.
    """
    lines = []
    line = ""
    for word in [part[at : at + COLUMNS] for part in text.split(" ") for at in range(0, max(1, len(part)), COLUMNS)]:
        if line and len(line) + 1 + len(word) > COLUMNS:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    return tuple((line, 1) for line in lines[:max_lines])


def question_lines(
    input_state: k.InputState, context: k.InputContext, tr: Translator = untranslated
) -> tuple[str, ...]:
    """The lines that take the place of the scores: a menu, advice on a discard, or the keys that answer a question.
    Empty for any other input."""
    match input_state:
        case k.Choosing():
            return menu_lines(input_state, context, tr)
        case k.TypingDeal():
            return tuple(
                line
                for advice in advice_lines(input_state, context, tr)
                for line, _scale in wrap_text(advice, PROMPT_LINES)
            )
        case k.SeatOffered(start=start, bracket=bracket):
            return seat_lines(start, bracket, tr)
        case k.ConfirmingNextDeal():
            return (tr("ENTER: yes, UNDO: no"),)
        case k.Scoring():
            return POINTS_OF_KEYS
        case _:
            return ()
