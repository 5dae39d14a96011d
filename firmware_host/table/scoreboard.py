"""The page of the OLED: what to do next, then the scores large, then the last count. 21 columns of small letters."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.table import entries as k
from firmware_host.table.advice_entry import advice_lines
from firmware_host.table.choosing import lines_of
from firmware_host.table.state import Table
from firmware_host.table.words import Words, as_written

Page = tuple[tuple[str, int], ...]
"""(text, scale) from the top: scale 1 has 21 columns, 2 has 10, 3 has 7; at most 64 pixels of 8 x scale."""

COLUMNS = 21
BIG_COLUMNS = 7
FIRST_LINES = 4
"""What the prompt may take, or a refusal in its place; the last count gives way. While a question is open: two."""


def page(prompt: str, table: Table | None, last_said: str, choices: Sequence[str] = ()) -> Page:
    """The whole page. While a question is open its choices stand in place of the scores."""
    first = wrapped(prompt, 2 if choices else FIRST_LINES)
    if choices:
        return (*first, *((choice[:COLUMNS], 1) for choice in choices[: 8 - len(first)]))
    if table is None:
        gap = (("", 1),) if len(first) < FIRST_LINES else ()
        return (*first, *gap, ("crib", 2), ("board", 2))
    rest = 8 - len(first) - len(scores := score_lines(table)) - 2 * any(scale == 3 for _, scale in scores)
    return (*first, *scores, *wrapped(last_said, rest))


def score_lines(table: Table) -> Page:
    """Two sides: names and big figures side by side. More: a line each."""
    names = [table.side_name(side) + dealer_mark(table, side) for side in range(len(table.pegs))]
    if len(names) != 2:
        room = COLUMNS - 4
        return tuple((f"{name[:room]:<{room}} {score:>3}", 1) for name, score in zip(names, table.scores, strict=True))
    left, right = (name[: COLUMNS // 2] for name in names)
    one, other = table.scores
    return (
        (f"{left:<{COLUMNS // 2}} {right:>{COLUMNS // 2}}", 1),
        (f"{one:<3}{other:>{BIG_COLUMNS - 3}}", 3),
    )


def dealer_mark(table: Table, side: int) -> str:
    is_dealer = table.dealer is not None and table.rules.side_of(table.dealer) == side
    return "•" if is_dealer else ""


def wrapped(text: str, most: int) -> Page:
    """The text in at most so many lines of small letters, broken between words; a no-break space holds. A word longer
    than a line is broken where the line ends."""
    lines, line = [], ""
    for word in (part[at : at + COLUMNS] for part in text.split(" ") for at in range(0, max(1, len(part)), COLUMNS)):
        if line and len(line) + 1 + len(word) > COLUMNS:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    return tuple((line, 1) for line in lines[:most])


def choices_of(entry: k.Entry, around: k.Surroundings, _: Words = as_written) -> tuple[str, ...]:
    """What stands in place of the scores while the keys ask a question, or give advice."""
    match entry:
        case k.Choosing():
            return lines_of(entry, around, _)
        case k.TypingDeal():
            return tuple(line for said in advice_lines(entry, around, _) for line, _scale in wrapped(said, FIRST_LINES))
        case _:
            return ()
