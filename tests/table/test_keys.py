"""Typing hands: which suits are asked for, and which are not."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.table.hand_entry import flush_is_possible, nobs_is_possible


@pytest.mark.parametrize(
    ("cards", "starter", "is_crib", "possible"),
    [
        ("2 6 8 K", "TS", False, True),
        ("2 2 8 K", "TS", False, False),
        ("2 6 8 T", "TS", False, True),
        ("2 6 8 T", "TS", True, False),  # five of one suit need five ranks
        ("2 6 8 K", "TS", True, True),
        ("2 6 8 K", "T", True, False),  # the starter's suit was not told
        ("2H 6H 8H KH", "TS", False, False),  # nothing left to ask
        ("2H 6S 8 K", "TS", False, False),
    ],
)
def test_a_flush_is_asked_for_only_where_it_is_possible(
    cards: str, starter: str, is_crib: bool, possible: bool
) -> None:
    held = parse_cards(cards, rank_only=True)
    assert flush_is_possible(held, parse_card(starter, rank_only=True), is_crib) is possible


@pytest.mark.parametrize(
    ("cards", "starter", "possible"),
    [
        ("2 6 8 J", "TS", True),
        ("2 6 8 K", "TS", False),
        ("2 6 8 JH", "TS", False),
        ("2 6 8 J", "T", False),
        ("2 J J 3", "JS", False),
    ],
)
def test_nobs_is_asked_for_only_where_it_is_possible(cards: str, starter: str, possible: bool) -> None:
    held = parse_cards(cards, rank_only=True)
    assert nobs_is_possible(held, parse_card(starter, rank_only=True)) is possible
