"""How many hands and cards a second, beside a scorer from the package index in the same run. Figures are printed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import pytest
from cribbage_scorer import cribbage_scorer

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.series import count_of, points_for, scores_for
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.totals import show_total
from firmware_host.cribbage.variants import VARIANTS

pytestmark = pytest.mark.bench

SIX_CARD = VARIANTS["six_card"]


def report(
    what: str, call: Callable[..., Any], asked: Sequence[tuple[Any, ...]], capfd: pytest.CaptureFixture[str]
) -> None:
    """Prints the best of three rounds, after one to warm up."""
    seconds = []
    for _ in range(4):
        begun = perf_counter()
        for arguments in asked:
            call(*arguments)
        seconds.append(perf_counter() - begun)
    with capfd.disabled():
        print(f"\n{what:<34}{len(asked) / min(seconds[1:]):>12,.0f} a second", end="")


def foreign(card: Card) -> tuple[int, str]:
    assert card.suit
    return card.rank, card.suit.value


def test_hands_a_second(capfd: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(1)
    shows = [(tuple(cards[:4]), cards[4]) for cards in (dice.sample(PACK, 5) for _ in range(200_000))]
    theirs = [(foreign(starter), [foreign(card) for card in held]) for held, starter in shows[:20_000]]
    report("show_total, hands", show_total, shows, capfd)
    report("count_show with all parts, hands", lambda held, starter: count_show(held, starter, SIX_CARD), shows, capfd)
    report("cribbage-scorer, hands", cribbage_scorer.show_calc_score, theirs, capfd)


def test_cards_in_play_a_second(capfd: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(2)
    piles = []
    for _ in range(100_000):
        pile = dice.sample(PACK, dice.randint(1, 10))
        while count_of(pile) > 31:
            pile.pop()
        piles.append((tuple(pile),))
    theirs = [([foreign(card) for card in pile],) for (pile,) in piles[:20_000]]
    report("points_for, cards in play", points_for, piles, capfd)
    report("scores_for, cards in play", lambda pile: scores_for(pile, SIX_CARD), piles, capfd)
    report("cribbage-scorer, cards in play", cribbage_scorer.play_score_ongoing, theirs, capfd)
