"""Tables of results in the page of margins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct


class Figure(Struct, frozen=True):
    """A column of a table: its head, and the result that it shows, scaled to so many digits."""

    head: str
    key: str
    scale: float = 1.0
    digits: int = 0

    def cell(self, found: Mapping[str, float]) -> str:
        """The result as it is printed."""
        return f"{found[self.key] * self.scale:.{self.digits}f}"


Rows = Iterable[tuple[Sequence[str], Mapping[str, float]]]
"""Rows of a table: what they are about, and the results."""


def table(about: Sequence[str], figures: Sequence[Figure], rows: Rows) -> Iterator[str]:
    """A table in Markdown: first what a row is about, then its figures."""
    yield _line((*about, *(figure.head for figure in figures)))
    yield _line((*(":---" for _ in about), *("---:" for _ in figures)))
    yield from (_line((*names, *(figure.cell(found) for figure in figures))) for names, found in rows)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
