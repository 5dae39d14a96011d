"""Text tables: rows as aligned columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def text_table(rows: Sequence[Sequence[str]], text_columns: int) -> Iterator[str]:
    """One line a row, all of the same length. The first `text_columns` columns are aligned left, the others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        texts = [
            cell.ljust(width) if place < text_columns else cell.rjust(width)
            for place, (cell, width) in enumerate(cells)
        ]
        yield "  ".join(texts).rstrip()
