"""Stripboard as data: pieces of it, which leg is in which hole, where tracks are cut, what wires join.

Holes are told as on the drawing, seen from the side of the parts: `S4c` is piece S, column 4 from the left, row c from
above. A wire may also end at a pin in the air, such as `D1.SDI` of a light that is glued on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hardware.pcb.circuit import Circuit, CircuitError

GRID_MM = 2.54
_HOLE = re.compile(r"([A-Z])(\d+)([a-z])")

Pin = tuple[str, str]
"""Of a part, by its name and its number."""


@dataclass(frozen=True, slots=True, order=True)
class Hole:
    """A hole of a piece; columns and rows count from 1."""

    piece: str
    column: int
    row: int

    @classmethod
    def named(cls, name: str) -> Hole:
        """The inverse of `str`. Raises CircuitError."""
        if not (found := _HOLE.fullmatch(name)):
            raise CircuitError("stripboard", "a hole such as S4c", name, "piece, column, row")
        return cls(found[1], int(found[2]), ord(found[3]) - ord("a") + 1)

    def __str__(self) -> str:
        return f"{self.piece}{self.column}{chr(ord('a') + self.row - 1)}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of stripboard: its tracks run along its columns, or from row to row in each column.

    `edge` is how far it reaches beyond its outer holes, in steps of the grid: 1 where it is snapped through a line of
    holes, a half where it is sawn between two.
    """

    name: str
    title: str
    columns: int
    rows: int
    is_along: bool
    edge: float

    def holes(self) -> Iterator[Hole]:
        """All of them, column by column."""
        return (Hole(self.name, c, r) for c in range(1, self.columns + 1) for r in range(1, self.rows + 1))

    def has(self, hole: Hole) -> bool:
        return hole.piece == self.name and 1 <= hole.column <= self.columns and 1 <= hole.row <= self.rows

    def ahead(self, hole: Hole) -> Hole:
        """The next hole on the same track."""
        step = (1, 0) if self.is_along else (0, 1)
        return Hole(hole.piece, hole.column + step[0], hole.row + step[1])


End = Hole | Pin
Wire = tuple[End, End]


@dataclass(frozen=True, slots=True)
class Wiring:
    """One circuit on stripboard. `legs` goes by pin; a pin that is in no hole hangs in the air, on wires."""

    pieces: Sequence[Piece]
    legs: Mapping[Pin, Hole]
    cuts: frozenset[Hole]
    wires: Sequence[Wire]

    def links(self, piece: str) -> list[tuple[Hole, Hole]]:
        """The wires that stay on one piece."""
        pairs = [(one, other) for one, other in self.wires if isinstance(one, Hole) and isinstance(other, Hole)]
        return [(one, other) for one, other in pairs if one.piece == other.piece == piece]

    def leads(self) -> list[Wire]:
        """The wires that leave a piece."""
        links = {pair for piece in self.pieces for pair in self.links(piece.name)}
        return [wire for wire in self.wires if wire not in links]


def pin_of(circuit: Circuit, ref: str, name: str) -> Pin:
    """A pin by the name that the catalogue gives it. Raises CircuitError."""
    kind = circuit.part(ref).kind
    if name not in kind.by_name or len(kind.by_name[name]) != 1:
        raise CircuitError(ref, f"a pin of {', '.join(kind.by_name)}", name, "name the pin as the catalogue does")
    return ref, kind.by_name[name][0].number
