"""The chance to win from every score, for games of two sides, from a table made by self-play."""

from __future__ import annotations

import struct
import zlib
from binascii import a2b_base64
from functools import cache
from math import isqrt

from firmware_host.cribbage.rules import RuleSet
from firmware_host.strategy import win_tables

FULL_SCALE = 65_535
"""The stored number of a chance of 1."""

Rows = tuple[tuple[float, ...], ...]

_BY_DEAL = {(2, 6): "six_card", (2, 5): "five_card", (2, 7): "seven_card", (4, 5): "four_partners"}
"""Players and cards dealt -> the table."""


def table_for(rules: RuleSet) -> str | None:
    """The name of the table for these rules. None: more than two sides, a captain, or lowball."""
    if len(rules.sides) != 2 or rules.captain or rules.lowball:
        return None
    return _BY_DEAL.get((rules.players, rules.dealt[0]))


class WinChances:
    """The chances of one kind of game, by the points that each side still needs."""

    def __init__(self, name: str) -> None:
        self.rows = _rows(name)
        """[need of the dealer's side - 1][need of the other - 1]: the chance of the side that deals next."""
        self.by_pone = tuple(zip(*self.rows, strict=True))
        """The same by [need of the other][need of the dealer's side]."""
        self.size = len(self.rows)
        self.spreads = win_tables.SPREADS[name]

    def of_dealer(self, own_need: int, their_need: int) -> float:
        """The chance of the side that deals next, before the deal. Needs below 1 mean that the game is over."""
        if own_need <= 0:
            return 1.0
        if their_need <= 0:
            return 0.0
        if (excess := max(own_need, their_need) - self.size) > 0:  # a longer game: mostly the difference decides
            own_need = max(1, own_need - excess)
            their_need = max(1, their_need - excess)
        return self.rows[own_need - 1][their_need - 1]

    def of_pone(self, own_need: int, their_need: int) -> float:
        """The chance of the side that does not deal next."""
        return 1.0 - self.of_dealer(their_need, own_need)

    def slopes(self, own_need: int, their_need: int, *, is_dealer: bool) -> tuple[float, float]:
        """What one more point of the own side adds to its chance, and what one of the other side takes."""
        chance = self.of_dealer if is_dealer else self.of_pone
        step = 4  # over several points the table is smooth
        own_low = max(1, own_need - step)
        their_low = max(1, their_need - step)
        own = chance(own_low, their_need) - chance(own_need + step, their_need)
        theirs = chance(own_need, their_need + step) - chance(own_need, their_low)
        return own / (own_need + step - own_low), theirs / (their_need + step - their_low)


@cache
def chances_for(rules: RuleSet) -> WinChances | None:
    """The chances for these rules; None where there is no table."""
    name = table_for(rules)
    return WinChances(name) if name else None


@cache
def _rows(name: str) -> Rows:
    packed = zlib.decompress(a2b_base64(win_tables.CHANCES[name]))
    half = len(packed) // 2
    size = isqrt(half)
    both = bytes(byte for pair in zip(packed[half:], packed[:half], strict=True) for byte in pair)
    rows = list[tuple[float, ...]]()
    number = 0
    differences = struct.unpack(f"<{half}H", both)
    for start in range(0, half, size):
        row = list[float]()
        number = 0
        for difference in differences[start : start + size]:
            number = (number + difference) & 0xFFFF
            row.append(number / FULL_SCALE)
        rows.append(tuple(row))
    return tuple(rows)
