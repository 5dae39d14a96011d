"""Processor time of advice on a discard: for the first hand of a process, for new hands, and for hands seen before.

The floor is the sums of products alone: for each discard the points of every set of hidden ranks, times its weight.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from math import comb
from operator import mul
from pathlib import Path
from statistics import median

import pytest

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.strategy.discard_judge import judge_discards
from tests.bench.recording import Recorder
from tests.bench.timing import processor_seconds

ROOT = Path(__file__).parents[2]
FIRST_HAND = """
import sys
from time import process_time
from firmware_host.strategy.discard_judge import judge_discards
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.variants import VARIANTS
rules = VARIANTS[sys.argv[1]]
cards = parse_cards("AS 3H 5D 7C 9S JH KD")[:max(rules.dealt)]
began_s = process_time()
judge_discards(cards, rules, own_crib=True)
print(1e3 * (process_time() - began_s))
"""


@pytest.mark.bench
def test_time_for_a_hand(recorder: Recorder) -> None:
    figures = dict[str, float]()
    for game, rules in VARIANTS.items():
        rng = random.Random(game)
        figures[f"{game}_first_hand_ms"] = first_hand_ms(game, recorder.pick(full=5, small=1))
        hands = [rng.sample(PACK, max(rules.dealt)) for _ in range(recorder.pick(full=300, small=5))]
        figures[f"{game}_new_hand_ms"] = median_ms(hands, rules)
        figures[f"{game}_repeated_hand_ms"] = median_ms(hands, rules)
        figures[f"{game}_floor_ms"] = 1e3 * median(processor_seconds(partial(sum_products, rules)) for _ in hands)
    recorder.record("advice", figures)


def median_ms(hands: Sequence[list[Card]], rules: RuleSet) -> float:
    return 1e3 * median(processor_seconds(partial(judge_discards, hand, rules, own_crib=True)) for hand in hands)


def sum_products(rules: RuleSet) -> None:
    """As many sums of products as advice needs, of as many numbers: one for each discard, or two with a model."""
    discards = max(rules.discards)
    row = range(comb(12 + 5 - discards, 5 - discards))
    for _ in range(comb(max(rules.dealt), discards) * (2 if rules.players == 2 and not rules.bidding else 1)):
        sum(map(mul, row, row))


def first_hand_ms(game: str, processes: int) -> float:
    """The median of so many processes that give advice once."""
    command = [sys.executable, "-c", FIRST_HAND, game]
    runs = (subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True) for _ in range(processes))
    return median(float(run.stdout) for run in runs)
