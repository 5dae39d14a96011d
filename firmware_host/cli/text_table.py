"""Text tables: rows as aligned columns that fit a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

COLUMNS = 80
GAP = 2
SMALL_GAP = 1
LEAST_TEXT = 8
"""A column of text becomes no narrower than this, unless its cells are or nothing else helps."""

Rows = Sequence[Sequence[str]]


def text_table(rows: Rows, text_columns: int) -> Iterator[str]:
    """One line a row. The first `text_columns` columns are aligned left, the others right.

    Where a line would be longer than COLUMNS, cells are wrapped and none is cut off: first at spaces, in the columns
    with the fewest long cells below the heading, so that headings go before names; then within the words of texts.
    """
    gap, widths = _layout(list(zip(*rows, strict=True)), text_columns)
    for row in rows:
        cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            texts = [
                part.ljust(width) if place < text_columns else part.rjust(width)
                for place, (part, width) in enumerate(zip(parts, widths, strict=True))
            ]
            yield (" " * gap).join(texts).rstrip()


def blocks_of_columns(rows: Rows) -> Iterator[Rows]:
    """The same rows in parts of as many columns as fit a line, each with the first column: for tables of any width."""
    first, *others = zip(*rows, strict=True)
    while others:
        taken = 1
        while taken < len(others) and _length(_natural([first, *others[: taken + 1]]), GAP) <= COLUMNS:
            taken += 1
        yield list(zip(first, *others[:taken], strict=True))
        others = others[taken:]


def _layout(columns: Rows, text_columns: int) -> tuple[int, list[int]]:
    """The gap between columns and their widths: of the longest cell each, or less where a line would be too long."""
    widths = _natural(columns)
    words = [max((len(word) for cell in column for word in cell.split()), default=1) for column in columns]
    texts = [min(word, LEAST_TEXT) if place < text_columns else word for place, word in enumerate(words)]
    for gap, least in ((GAP, words), (SMALL_GAP, words), (SMALL_GAP, texts), (SMALL_GAP, [1] * len(words))):
        while _length(widths, gap) > COLUMNS:
            wider = [place for place, width in enumerate(widths) if width > least[place]]
            if not wider:
                break
            widths[min(wider, key=lambda place: (_long_cells(columns[place], widths[place]), -widths[place]))] -= 1
        else:
            return gap, widths
    return SMALL_GAP, widths


def _natural(columns: Rows) -> list[int]:
    return [max(map(len, column)) for column in columns]


def _length(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _long_cells(column: Sequence[str], width: int) -> int:
    """How many cells below the heading of a column have to be wrapped if it becomes narrower than this width."""
    return sum(len(cell) >= width for cell in column[1:])


def _wrapped(cell: str, width: int) -> list[str]:
    if len(cell) <= width:
        return [cell]
    from textwrap import wrap  # few tables are too wide

    return wrap(cell, width, break_on_hyphens=False) or [""]
