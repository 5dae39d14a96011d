"""The engine refuses nothing legal, and does nothing that is not: random positions of all variants and house rules."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.cribbage.series import playable_cards
from firmware_host.strategy.engine import Level, choose_card, choose_discard
from firmware_host.strategy.play_judge import judge_cards
from firmware_host.strategy.view import PlayerView
from tests.strategy.positions import positions

FEW_HANDS = 4
"""Imagined hands, for speed: what is legal does not depend on them."""


def check(view: PlayerView, level: Level, random: Random) -> None:
    if view.starter is None:
        discard = choose_discard(view, level, random)
        assert len(set(discard)) == len(discard) == view.rules.cards_discarded(view.seat, view.dealer)
        assert set(discard) <= set(view.hand)
        return
    play = view.play()
    card = choose_card(view, level, random, FEW_HANDS)
    assert play.may_go(view.hand) if card is None else card in playable_cards(view.hand, play.count)


def check_positions(number: int, seed: int) -> int:
    random, checked = Random(seed), 0
    while checked < number:
        level = random.choice([*Level])
        for view in positions(random):
            check(view, level, random)
            checked += 1
    return checked


def test_every_choice_is_legal() -> None:
    check_positions(200, seed=1)


@pytest.mark.slow
def test_every_choice_is_legal_in_5_000_positions() -> None:
    assert check_positions(5_000, seed=3) >= 5_000


@pytest.mark.strength
@pytest.mark.timeout(36_000)
def test_every_choice_is_legal_in_100_000_positions() -> None:
    assert check_positions(100_000, seed=2) >= 100_000


def test_judged_cards_are_all_cards_that_may_be_played() -> None:
    random = Random(3)
    for _ in range(4):
        for view in positions(random):
            if view.starter is None:
                continue
            play = view.play()
            judged = judge_cards(view, random, hands=FEW_HANDS)
            cards = {each.card for each in judged if each.card is not None}
            assert cards == set(playable_cards(view.hand, play.count))
            assert any(each.card is None for each in judged) is play.may_go(view.hand)
            assert all(each.win is None or -1e-9 <= each.win <= 1 + 1e-9 for each in judged)
