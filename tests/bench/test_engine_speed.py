"""Processor time of the engine: for a discard at some scores, and for a card of the play where there is a choice."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest

from firmware_host.cribbage.series import playable_cards
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.strategy.engine import Level, choose_card, choose_discard
from firmware_host.strategy.view import PlayerView
from tests.bench.recording import Recorder
from tests.bench.timing import processor_seconds
from tests.strategy.positions import positions_of


@pytest.mark.bench
def test_time_for_a_discard_and_a_card(recorder: Recorder) -> None:
    figures = dict[str, float]()
    for variant, rules in VARIANTS.items():
        random = Random(variant)
        views = [view for _ in range(recorder.pick(full=40, small=1)) for view in positions_of(rules, random)]
        discards = [milliseconds(view, random) for view in views if view.starter is None]
        cards = [milliseconds(view, random) for view in views if has_choice(view)]
        figures[f"{variant}_discard_ms"] = median(discards)
        figures[f"{variant}_slowest_discard_ms"] = max(discards)
        figures[f"{variant}_card_ms"] = median(cards)
        figures[f"{variant}_slowest_card_ms"] = max(cards)
    recorder.record("engine", figures)


def has_choice(view: PlayerView) -> bool:
    return view.starter is not None and len(playable_cards(view.hand, view.play().count)) > 1


def milliseconds(view: PlayerView, random: Random) -> float:
    """What the expert takes."""

    def choose() -> None:
        if view.starter is None:
            choose_discard(view, Level.EXPERT, random)
        else:
            choose_card(view, Level.EXPERT, random)

    return 1e3 * processor_seconds(choose)
