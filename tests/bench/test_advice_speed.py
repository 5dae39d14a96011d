"""How long advice on a discard takes: for new hands, for hands seen before, and for the first hand of a process."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

import pytest

from firmware_host.cribbage.advice import advise
from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import VARIANTS
from tests.bench.recording import Recorder
from tests.bench.timing import seconds

ROOT = Path(__file__).parents[2]
GAMES = ("five_card", "six_card", "seven_card", "three_hand")

FIRST_HAND = """
from time import perf_counter
from firmware_host.cribbage.advice import advise
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.variants import VARIANTS
cards = parse_cards("AS 3H 5D 7C 9S JH")
began_s = perf_counter()
advise(cards, VARIANTS["six_card"], own_crib=True)
print(1e3 * (perf_counter() - began_s))
"""


@pytest.mark.bench
def test_time_for_a_hand(recorder: Recorder) -> None:
    figures = {"first_hand_ms": first_hand_ms(recorder.pick(full=5, small=1))}
    for game in GAMES:
        rules, rng = VARIANTS[game], random.Random(game)
        hands = [rng.sample(PACK, max(rules.dealt)) for _ in range(recorder.pick(full=300, small=5))]
        figures[f"{game}_new_hand_ms"] = median_ms(hands, rules)
        figures[f"{game}_repeated_hand_ms"] = median_ms(hands, rules)
    recorder.record("advice", figures)


def median_ms(hands: Sequence[list[Card]], rules: RuleSet) -> float:
    return 1e3 * median(seconds(partial(advise, hand, rules, own_crib=True)) for hand in hands)


def first_hand_ms(processes: int) -> float:
    """The median of so many processes that give advice once."""
    command = [sys.executable, "-c", FIRST_HAND]
    runs = (subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True) for _ in range(processes))
    return median(float(run.stdout) for run in runs)
