"""The expected points of the play by the cards kept, from a table that the engine's search has filled."""

from __future__ import annotations

import zlib
from binascii import a2b_base64
from functools import cache

from firmware_host.strategy import play_tables
from firmware_host.strategy.hidden_deals import Ranks, rank_sets

UNIT = 1 / 25
"""The unit of the stored points."""
LEAST = -5.0
"""The points of a stored 0."""


def expected_play(kept: Ranks, *, is_dealer: bool) -> float:
    """Own points of the play minus the opponent's, on average, for a player of two who keeps these sorted ranks, three
    to five."""
    return LEAST + UNIT * _table(len(kept), is_dealer)[_numbers(len(kept))[kept]]


@cache
def _numbers(size: int) -> dict[Ranks, int]:
    return {hand: number for number, hand in enumerate(rank_sets(size))}


@cache
def _table(size: int, is_dealer: bool) -> bytes:
    return zlib.decompress(a2b_base64(play_tables.POINTS[size, is_dealer]))
