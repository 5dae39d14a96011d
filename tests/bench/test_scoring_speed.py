"""How many hands and cards are scored in a second, compared with the package `cribbage-scorer` in the same run.

The floor is the least that Python needs for such a call: the look-ups in the table, or adding up the count.
"""

from __future__ import annotations

import random
from functools import partial

import pytest
from cribbage_scorer import cribbage_scorer

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.series import count_of, points_for, scores_for
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.totals import show_total
from firmware_host.cribbage.variants import VARIANTS
from tests.bench.recording import Recorder
from tests.bench.timing import Work, calls_per_second

pytestmark = pytest.mark.bench

SIX_CARD = VARIANTS["six_card"]
PEER_SHARE = 10
"""The peer is slower, and gets one call for every ten of ours."""

ROW = bytes(len(PACK))
PAGE = [[[ROW] for _ in PACK] for _ in PACK]
PAIR = [[0 for _ in PACK] for _ in PACK]


def look_up(held: tuple[Card, ...], starter: Card) -> int:
    """The five look-ups of `show_total` without its suits."""
    a, b, c, d = held
    return PAGE[a][b][PAIR[c][d]][starter]


def as_peer(card: Card) -> tuple[int, str]:
    assert card.suit
    return card.rank, card.suit.value


def test_hands_at_the_show(recorder: Recorder) -> None:
    rng = random.Random(1)
    deals = (rng.sample(PACK, 5) for _ in range(recorder.pick(full=200_000, small=1_000)))
    shows = [(tuple(cards[:4]), cards[4]) for cards in deals]
    peers = [(as_peer(starter), [as_peer(card) for card in held]) for held, starter in shows[::PEER_SHARE]]
    works: dict[str, Work] = {
        "show_total_per_s": (show_total, shows),
        "table_look_up_per_s": (look_up, shows),
        "count_show_per_s": (partial(count_show, rules=SIX_CARD), shows),
        "cribbage_scorer_per_s": (cribbage_scorer.show_calc_score, peers),
    }
    recorder.record("scoring_hands", calls_per_second(works))


def test_cards_in_play(recorder: Recorder) -> None:
    rng = random.Random(2)
    piles = list[tuple[tuple[Card, ...]]]()
    for _ in range(recorder.pick(full=100_000, small=1_000)):
        pile = rng.sample(PACK, rng.randint(1, 10))
        while count_of(pile) > 31:
            pile.pop()
        piles.append((tuple(pile),))
    peers = [([as_peer(card) for card in pile],) for (pile,) in piles[::PEER_SHARE]]
    works: dict[str, Work] = {
        "points_for_per_s": (points_for, piles),
        "count_of_per_s": (count_of, piles),
        "scores_for_per_s": (partial(scores_for, rules=SIX_CARD), piles),
        "cribbage_scorer_per_s": (cribbage_scorer.play_score_ongoing, peers),
    }
    recorder.record("scoring_play", calls_per_second(works))
