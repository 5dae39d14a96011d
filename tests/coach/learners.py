"""Simulated learners with a blind spot. They count by themselves, from cards, and share no code with the coach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations
from random import Random

from firmware_host.coach.attempt import Attempt, parts_of_level
from firmware_host.coach.kinds import Hand
from firmware_host.coach.progress import Progress, next_hand
from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.show import Part

SLIPS = 0.03
"""Share of answers that are wrong by chance."""

Counting = Mapping[Part, Callable[[Hand], int]]


def hand(cards: str) -> Hand:
    """The last card is the starter."""
    *held, starter = parse_cards(cards)
    return Hand(tuple(held), starter)


def fifteens(hand: Hand, sizes: tuple[int, ...] = (2, 3, 4, 5)) -> int:
    some = [each for size in sizes for each in combinations(hand.cards, size)]
    return 2 * sum(sum(card.pips for card in cards) == 15 for cards in some)


def ranks(hand: Hand) -> Counter[int]:
    return Counter(card.rank for card in hand.cards)


def pairs(hand: Hand) -> int:
    return sum(times * (times - 1) for times in ranks(hand).values())


def first_pair_only(hand: Hand) -> int:
    return max(times * (times - 1) for times in ranks(hand).values())


def alike_as_a_pair(hand: Hand, times: int) -> int:
    """Three alike (or four) are seen as one pair."""
    return sum(2 if number == times else number * (number - 1) for number in ranks(hand).values())


def longest(hand: Hand) -> tuple[int, int]:
    """Length and ways of the run; (0, 0) without one."""
    held = ranks(hand)
    for length in (5, 4, 3):
        for low in range(1, 15 - length):
            ways = 1
            for rank in range(low, low + length):
                ways *= held[rank]
            if ways:
                return length, ways
    return 0, 0


def runs(hand: Hand) -> int:
    length, ways = longest(hand)
    return length * ways


def no_run_of(hand: Hand, length: int, seen_as: int = 0) -> int:
    """A run of this length is seen as a shorter one, or not at all."""
    found, ways = longest(hand)
    return (seen_as if found == length else found) * ways


def each_run_once(hand: Hand, ways: tuple[int, ...]) -> int:
    found, times = longest(hand)
    return found * (1 if times in ways else times)


def flush(hand: Hand) -> int:
    suits = [card.suit for card in hand.held]
    return 0 if len(set(suits)) > 1 else 4 + (hand.starter.suit is suits[0])


def nobs(hand: Hand) -> int:
    return sum(card.rank == 11 and card.suit is hand.starter.suit for card in hand.held)


COUNTING: Counting = {
    Part.FIFTEENS: fifteens,
    Part.PAIRS: pairs,
    Part.RUNS: runs,
    Part.FLUSH: flush,
    Part.NOBS: nobs,
}


def answers_of(counting: Counting, hand: Hand, level: int, random: Random, slips: float = SLIPS) -> tuple[int, ...]:
    """What the learner answers; a slip is two points too few or too many."""
    answers = []
    for part in parts_of_level(level):
        points = counting[part](hand)
        answers.append(max(0, points + random.choice((-2, 2))) if random.random() < slips else points)
    return tuple(answers)


def practise(counting: Counting, hands: int, seed: int, slips: float = SLIPS, level: int = 5) -> Progress:
    """The progress after a number of hands, at one level."""
    random = Random(seed)
    progress = Progress(level)
    for _ in range(hands):
        hand = next_hand(progress, random.randrange)
        answers = answers_of(counting, hand, progress.level, random, slips)
        progress = progress.after(Attempt(hand, answers))
    return progress
