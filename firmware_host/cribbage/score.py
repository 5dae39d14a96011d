"""What points are paid for: one name for each, and the cards that earn them."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from firmware_host.cribbage.cards import Card


class ScoreKind(Enum):
    FIFTEEN = "fifteen"
    PAIR = "pair"
    PAIR_ROYAL = "pair_royal"
    DOUBLE_PAIR_ROYAL = "double_pair_royal"
    RUN = "run"
    FLUSH = "flush"
    HIS_NOBS = "his_nobs"
    """The jack of the starter's suit, held: 1."""
    HIS_HEELS = "his_heels"
    """A jack as starter: 2 to the dealer."""
    THIRTY_ONE = "thirty_one"
    LAST_CARD = "last_card"
    GO = "go"
    """A point for a go itself, where the table has agreed on it."""
    PONES_THREE = "pones_three"
    """What the first pone of a five-card game has for the dealer's crib."""


class Score(NamedTuple):
    """Points and what earned them. `cards` is empty where no card did."""

    kind: ScoreKind
    points: int
    cards: tuple[Card, ...] = ()


ALIKE = {
    2: (ScoreKind.PAIR, 2),
    3: (ScoreKind.PAIR_ROYAL, 6),
    4: (ScoreKind.DOUBLE_PAIR_ROYAL, 12),
}
"""So many cards of one rank -> what it is called and worth."""
