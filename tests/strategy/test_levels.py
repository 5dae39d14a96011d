"""The levels, and the mistakes of the weaker ones."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from firmware_host.cribbage.cards import PACK, parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.strategy.engine import (
    FEWEST_HANDS,
    Depth,
    Level,
    choose_card,
    choose_discard,
    judged_discards,
)
from firmware_host.strategy.play_judge import HANDS
from firmware_host.strategy.view import PlayerView

ME, THEM = Seat(0), Seat(1)
SIX = VARIANTS["six_card"]
TRIES = 200


def dealt(cards: str, dealer: Seat) -> PlayerView:
    return PlayerView(rules=SIX, seat=ME, dealer=dealer, scores=(0, 0), hand=parse_cards(cards))


def after_their(card: str, hand: str) -> PlayerView:
    return PlayerView(
        rules=SIX,
        seat=ME,
        dealer=ME,
        scores=(0, 0),
        hand=parse_cards(hand),
        discarded=parse_cards("KS KH"),
        starter=parse_card("QS"),
        acts=((THEM, parse_card(card)),),
    )


def test_beginners_throw_fives_into_their_crib_and_experts_do_not() -> None:
    """The run stays with everybody; a five goes with the king where only the hand counts."""
    cards = "5H KD 7C 8C 9S 9D"
    view = dealt(cards, THEM)
    beginners = [choose_discard(view, Level.BEGINNER, Random(seed)) for seed in range(TRIES)]
    assert any(parse_card("5H") in discard for discard in beginners)
    spread = dealt("5H JD 2C 4C 6S KD", THEM)
    assert parse_card("5H") not in choose_discard(spread, Level.EXPERT, Random(1))


def test_beginners_miss_some_pairs_and_fifteens() -> None:
    pair = after_their("8S", "8C 4C 2C TC")
    pairs = sum(choose_card(pair, Level.BEGINNER, Random(seed)) == parse_card("8C") for seed in range(TRIES))
    fifteen = after_their("9S", "6C AC KC QC")
    fifteens = sum(choose_card(fifteen, Level.BEGINNER, Random(seed)) == parse_card("6C") for seed in range(TRIES))
    assert 0.85 * TRIES < pairs < TRIES and 0.8 * TRIES < fifteens < TRIES


def test_beginners_lead_fives_now_and_then() -> None:
    view = PlayerView(
        rules=SIX,
        seat=ME,
        dealer=THEM,
        scores=(0, 0),
        hand=parse_cards("5H 4D 6C 3S"),
        discarded=parse_cards("KS KH"),
        starter=parse_card("QS"),
    )
    leads = [choose_card(view, Level.BEGINNER, Random(seed)) for seed in range(TRIES)]
    assert 0 < leads.count(parse_card("5H")) < TRIES / 2
    assert choose_card(view, Level.CLUB, Random(1)) != parse_card("5H")
    assert choose_card(view, Level.EXPERT, Random(1)) != parse_card("5H")


@pytest.mark.parametrize("level", Level)
def test_the_same_randomness_gives_the_same_choices(level: Level) -> None:
    view = dealt("5H KD 7C 8C 9S 9D", ME)
    assert choose_discard(view, level, Random(4)) == choose_discard(view, level, Random(4))


def test_a_seat_without_a_discard_gives_nothing() -> None:
    rules = VARIANTS["six_hand"]
    view = PlayerView(rules=rules, seat=ME, dealer=ME, scores=(0,) * len(rules.sides), hand=PACK[:4])
    assert choose_discard(view, Level.EXPERT, Random(1)) == ()


def test_before_the_auction_the_crib_may_become_anybodys() -> None:
    """The dealer has no better claim to it than the pone, so both judge alike."""
    rules = VARIANTS["auction"]
    view = PlayerView(rules=rules, seat=ME, dealer=ME, scores=(0, 0), hand=parse_cards("2H 3D 7C 8C 9S KD"))
    assert judged_discards(view) == judged_discards(msgspec.structs.replace(view, buyer=THEM))
    assert choose_discard(view, Level.EXPERT, Random(1)) != parse_cards("2H 3D")


def test_slow_machines_imagine_fewer_hands() -> None:
    depth = Depth(limit_s=0.3)
    depth.took(0.3)
    assert depth.hands == HANDS
    depth.took(0.6)
    assert depth.hands == HANDS // 2
    depth.took(60.0)
    assert depth.hands == FEWEST_HANDS
    for _ in range(100):
        depth.took(0.0)
    assert depth.hands == HANDS
