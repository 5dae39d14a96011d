"""The kinds of scores, with their points and cards."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from firmware_host.cribbage.cards import Card


class ScoreKind(Enum):
    """What points are for. The values are the `why` of game records."""

    FIFTEEN = "fifteen"
    PAIR = "pair"
    PAIR_ROYAL = "pair_royal"
    DOUBLE_PAIR_ROYAL = "double_pair_royal"
    RUN = "run"
    FLUSH = "flush"
    HIS_NOBS = "his_nobs"
    """1: the jack of the starter's suit, held."""
    HIS_HEELS = "his_heels"
    """2 to the dealer: the starter is a jack."""
    THIRTY_ONE = "thirty_one"
    LAST_CARD = "last_card"
    """1: the last card of a series that stops short of 31."""
    GO = "go"
    """1 for a go itself, by the option `go_points`."""
    PONES_THREE = "pones_three"
    """3 to the pone, who has no crib, by the option `three_for_last`."""


class Score(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Points, and the cards that earned them; no cards for a go and for the pone's three."""

    kind: ScoreKind
    points: int
    cards: tuple[Card, ...] = ()


ALIKE = {
    2: (ScoreKind.PAIR, 2),
    3: (ScoreKind.PAIR_ROYAL, 6),
    4: (ScoreKind.DOUBLE_PAIR_ROYAL, 12),
}
"""Number of cards of one rank -> kind and points."""
