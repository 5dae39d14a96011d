"""The chance to win from every score, for games of two sides, from a table made by self-play."""

from __future__ import annotations

import struct
import zlib
from binascii import a2b_base64
from collections.abc import Mapping, Sequence
from functools import cache
from math import isqrt

from firmware_host.cribbage.last_holes import highest_score_for
from firmware_host.cribbage.rules import RuleSet, Side
from firmware_host.cribbage.score import ScoreKind
from firmware_host.strategy import win_tables

FULL_SCALE = 65_535
"""The stored number of a chance of 1."""
CHANGE_SCALE = 1000
"""The stored number of a change of 1 that house rules for the last holes make to a chance."""

Rows = tuple[tuple[float, ...], ...]
Ending = tuple[int, int, int]
"""House rules for the last holes: how many points a side has to need so that heels, a card of the play, and a go or
last card still score."""
USUAL_ENDING: Ending = (1, 1, 1)

_BY_DEAL = {(2, 6): "six_card", (2, 5): "five_card", (2, 7): "seven_card", (4, 5): "four_partners"}
"""Players and cards dealt -> the table."""


def table_for(rules: RuleSet) -> str | None:
    """The name of the table for these rules. None: more than two sides, a captain, or lowball."""
    if len(rules.sides) != 2 or rules.captain or rules.lowball:
        return None
    return _BY_DEAL.get((rules.players, rules.dealt[0]))


def ending_of(rules: RuleSet) -> Ending:
    """The house rules for the last holes, as the tables name them. A pair stands for every card that scores."""
    kinds = ScoreKind.HIS_HEELS, ScoreKind.PAIR, ScoreKind.LAST_CARD
    heels, card, go = (rules.target - highest_score_for(rules, Side(0), kind) for kind in kinds)
    return heels, card, go


class WinChances:
    """The chances of one kind of game, by the points that each side still needs. Raises KeyError for an ending without
    a table."""

    def __init__(self, name: str, ending: Ending = USUAL_ENDING) -> None:
        self.rows = _rows(name, ending)
        """[need of the dealer's side - 1][need of the other - 1]: the chance of the side that deals next."""
        self.by_pone = tuple(zip(*self.rows, strict=True))
        """The same by [need of the other][need of the dealer's side]."""
        self.size = len(self.rows)
        self.spreads = win_tables.SPREADS[name]
        self._wins_by_play = _wins_by_play(name, ending)

    def play_spread(self, who: str, need: int) -> list[float]:
        """The chance of each number of points that `dealer` or `pone` scores in the play and by heels, from 0, if so
        many are needed. Who does not win by what the last holes withhold is one hole short."""
        usual = self.spreads[f"{who} play"]
        wins = self._wins_by_play[who]
        if need > min(len(wins), len(usual) - 1):
            return usual
        won = wins[need - 1]
        return [*usual[: need - 1], sum(usual[need - 1 :]) - won, won]

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
    if name is None:
        return None
    ending = ending_of(rules)
    return WinChances(name, ending) if ending == USUAL_ENDING or has_table(name, ending) else None


def has_table(name: str, ending: Ending) -> bool:
    """Whether the changes by these house rules were calculated."""
    from firmware_host.strategy import last_holes_tables  # large, needed by few

    return (name, ending) in last_holes_tables.CHANGES


@cache
def _rows(name: str, ending: Ending) -> Rows:
    if ending == USUAL_ENDING:
        numbers = _numbers(win_tables.CHANCES[name])
        return tuple(tuple(number / FULL_SCALE for number in row) for row in numbers)
    from firmware_host.strategy import last_holes_tables

    usual = _rows(name, USUAL_ENDING)
    changes = _numbers(last_holes_tables.CHANGES[name, ending])
    return tuple(
        tuple(min(1.0, max(0.0, chance + _signed(change) / CHANGE_SCALE)) for chance, change in zip(*both, strict=True))
        for both in zip(usual, changes, strict=True)
    )


def _wins_by_play(name: str, ending: Ending) -> Mapping[str, Sequence[float]]:
    """The chances of both to win by heels and the play, by need from 1. None are listed for the usual rules."""
    if ending == USUAL_ENDING:
        return {"dealer": (), "pone": ()}
    from firmware_host.strategy import last_holes_tables

    packed = zlib.decompress(a2b_base64(last_holes_tables.WINS_BY_PLAY[name, ending]))
    wins = [number / FULL_SCALE for number in struct.unpack(f"<{len(packed) // 2}H", packed)]
    half = len(wins) // 2
    return {"dealer": wins[:half], "pone": wins[half:]}


def _numbers(text: str) -> list[list[int]]:
    """The rows of a stored table, 0 to 65,535."""
    packed = zlib.decompress(a2b_base64(text))
    half = len(packed) // 2
    size = isqrt(half)
    both = bytes(byte for pair in zip(packed[half:], packed[:half], strict=True) for byte in pair)
    differences = struct.unpack(f"<{half}H", both)
    rows = list[list[int]]()
    for start in range(0, half, size):
        row = list[int]()
        number = 0
        for difference in differences[start : start + size]:
            number = (number + difference) & 0xFFFF
            row.append(number)
        rows.append(row)
    return rows


def _signed(number: int) -> int:
    """The number of 16 bits with its sign."""
    return number - 0x10000 if number & 0x8000 else number
