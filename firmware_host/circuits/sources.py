"""Where to buy the parts of the boards, and where each number was found; see `hardware/kicad/sources.toml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

import msgspec
from msgspec import Struct

from board_drivers.hardware_files import hardware_file
from firmware_host.circuits.circuit import Part

TABLE = hardware_file("kicad", "sources.toml")


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """One part of the order. Either `lcsc` and the `place` where it was found, or `search`: what to look for.

    `usd` is for one piece, `steps` the price of one of at least so many, where a public list has them.
    """

    key: str
    footprint: str
    maker: str
    mpn: str
    usd: float
    lcsc: str = ""
    place: str = ""
    search: str = ""
    loaded: bool = False
    usd_from: str = ""
    steps: tuple[tuple[int, float], ...] = ()
    facts: tuple[str, ...] = ()

    @property
    def alternative(self) -> str:
        """What else may be fitted."""
        return "" if self.lcsc else self.search

    def piece_usd(self, pieces: int, share: float = 1.0) -> float:
        """The price of one of so many pieces: by its steps, else the share of `usd` that a large order costs."""
        prices = [usd for least, usd in self.steps if pieces >= least]
        return prices[-1] if prices else self.usd * share

    @property
    def remark(self) -> str:
        """Where the number of LCSC was found or, without a number, what to search for."""
        return f"LCSC number: {self.place}" if self.lcsc else f"no LCSC number: search for {self.search or self.mpn}"


class _Table(Struct, forbid_unknown_fields=True):
    part: list[Record]


@cache
def records() -> Mapping[str, Record]:
    """All records by their key."""
    table = msgspec.toml.decode(TABLE.read_bytes(), type=_Table)
    return {record.key: record for record in table.part}


def record_key(part: Part) -> str:
    """The key of a part: its kind, for resistors and capacitors with value and size."""
    sort = part.kind.name.split()[0]
    if sort not in ("resistor", "capacitor"):
        return part.kind.name
    size = part.kind.footprint.split("_")[-2]
    return f"{sort} {part.value} {size}"


def record_of(part: Part) -> Record:
    """The record of a part. Raises LookupError if the table has none."""
    try:
        return records()[record_key(part)]
    except KeyError:
        raise LookupError(
            f"{part.ref}: expected a record of {record_key(part)}, got none; add it to {TABLE.name}"
        ) from None


def parts_usd(parts: Iterable[Part], boards: int, share: float = 1.0) -> float:
    """The price of these parts for one of so many equal circuit boards. `share`: see `Record.piece_usd`.

    Raises LookupError if the table lacks one.
    """
    counts = Counter(map(record_of, parts))
    return sum(count * record.piece_usd(count * boards, share) for record, count in counts.items())
