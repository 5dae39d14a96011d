"""How long a piece of advice takes: from nothing, and when tables of earlier hands are at hand."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest

from firmware_host.cribbage.advice import advise
from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.variants import VARIANTS

pytestmark = pytest.mark.bench

HANDS = 300
ROOT = Path(__file__).parents[2]

FIRST_HAND = """
from time import perf_counter
from firmware_host.cribbage.advice import advise
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.variants import VARIANTS
cards = parse_cards("AS 3H 5D 7C 9S JH")
began_s = perf_counter()
advise(cards, VARIANTS["six_card"], own_crib=True)
print(f"{1e3 * (perf_counter() - began_s):.1f}")
"""


@pytest.mark.parametrize("variant", ["five_card", "six_card", "seven_card", "three_hand"])
def test_milliseconds_a_hand(variant: str) -> None:
    rules, rng = VARIANTS[variant], random.Random(variant)
    hands = [rng.sample(PACK, max(rules.dealt)) for _ in range(HANDS)]

    def time_one(hand: list[Card]) -> float:
        began_s = perf_counter()
        discards = advise(hand, rules, own_crib=True)
        assert discards[0].total >= discards[-1].total
        return perf_counter() - began_s

    fresh_s = [time_one(hand) for hand in hands]
    again_s = [time_one(hand) for hand in hands]
    print(f"\n{variant}: {1e3 * median(fresh_s):.2f} ms a new hand, {1e3 * median(again_s):.2f} ms a known one")


def test_the_first_hand_of_all() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", FIRST_HAND], cwd=ROOT, capture_output=True, text=True, check=True)
        for _ in range(5)
    ]
    first_ms = [float(run.stdout) for run in runs]
    print(f"\nthe first six cards of a program: {median(first_ms):.0f} ms")
    assert len(first_ms) == 5
