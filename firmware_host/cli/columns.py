"""Rows of text as columns that line up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def in_columns(rows: Sequence[Sequence[str]], words: int) -> Iterator[str]:
    """A line a row, which all have as many cells. The first `words` columns start together, figures end together."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        texts = [cell.ljust(width) if place < words else cell.rjust(width) for place, (cell, width) in enumerate(cells)]
        yield "  ".join(texts).rstrip()
