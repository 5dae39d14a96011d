"""Calculates the choices of sensible players: `python -m tests.tools.make_choice_tables` writes `choice_tables.py`.

A sensible player chooses the discard with the best mean: the hand, plus the own crib or minus the opponent's. That is
how good players discard and how published tables are made; the points of the play are not counted. The mean of a crib
depends on what the opponent discards. So each round takes the best discards of all deals against the opponent's choices
of the round before, given the own cards, until a round changes almost nothing. Nothing is random but the mean cribs of
the games with one discard, whose seed is fixed.

Suits are treated alike: a jack is nobs with a quarter of the starters that are no jacks, and nobody has a flush.
"""

from __future__ import annotations

import argparse
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firmware_host.cribbage.cards import JACK
from firmware_host.cribbage.ranks import rank_points
from firmware_host.strategy import choice_tables
from firmware_host.strategy.hidden_deals import KEPT_UNIT, LOW, Ranks, choices_of, deals_in_order, rest_of

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

KINDS_OF_TWO = (6, 5, 7)
"""Cards dealt to each of two players, who discard two."""
ROUNDS = {6: 6, 5: 6, 7: 3}
"""Rounds by the cards dealt: after these one more round changes 2 of 1,000 choices, between discards of equal worth."""
_CHUNK = 256
_WIDTH = 120


class Deals:
    """All deals of one size with two discards, as arrays."""

    def __init__(self, dealt: int) -> None:
        self.dealt = dealt
        self.deals = tuple(deals_in_order(dealt))
        self.counts = np.array([[deal.count(rank) for rank in range(1, 14)] for deal in self.deals])
        self.pairs: tuple[Ranks, ...] = tuple(combinations_with_replacement(range(1, 14), 2))
        self.number: dict[Ranks, int] = {pair: number for number, pair in enumerate(self.pairs)}
        ways = np.array([[comb(cards, taken) for taken in range(5)] for cards in range(5)], np.float64)
        self.ways = ways
        low, high = self.counts[:, : len(LOW)], self.counts[:, len(LOW) :]
        self.low_parts, self.low_part = np.unique(low, axis=0, return_inverse=True)
        self.high_parts, self.high_part = np.unique(high, axis=0, return_inverse=True)
        self.choices = [choices_of(deal, 2) for deal in self.deals]
        self.kept_points = np.array(
            [
                [rank_points((*pair, *other, rank)) for pair in self.pairs]
                for other in self.pairs
                for rank in range(1, 14)
            ],
            np.float64,
        )
        """Row: the opponent's pair and the starter; column: the own pair."""
        self.hands: dict[Ranks, int] = {}
        for deal, choices in zip(self.deals, self.choices, strict=True):
            for discard in choices:
                self.hands.setdefault(rest_of(deal, discard), len(self.hands))
        self.worth = np.array(
            [[rank_points((*hand, rank)) for rank in range(1, 14)] for hand in self.hands], np.float64
        )
        most = max(map(len, self.choices))
        shape = (len(self.deals), most)
        self.is_choice = np.zeros(shape, bool)
        self.discard_number, self.hand_number = np.zeros(shape, int), np.zeros(shape, int)
        for row, (deal, choices) in enumerate(zip(self.deals, self.choices, strict=True)):
            for column, discard in enumerate(choices):
                self.is_choice[row, column] = True
                self.discard_number[row, column] = self.number[discard]
                self.hand_number[row, column] = self.hands[rest_of(deal, discard)]
        hand_jacks = np.array([hand.count(JACK) for hand in self.hands])
        unseen = 4 - self.counts
        starters = unseen.sum(1)[:, None]
        points = np.einsum("rcs,rs->rc", self.worth[self.hand_number], unseen.astype(np.float64))
        nobs = hand_jacks[self.hand_number] * (starters - unseen[:, [JACK - 1]]) / 4
        self.hand_points = (points + nobs) / starters

    def numbers_of(self, chosen: Numbers) -> bytes:
        """The chosen discards by their number among all pairs of ranks."""
        return bytes(self.discard_number[np.arange(len(self.deals)), chosen].tolist())

    def _ways(self, unseen: Numbers, parts: Numbers) -> Floats:
        """[deal, part]: in how many ways the unseen cards make each part."""
        ways = np.ones((len(unseen), len(parts)))
        for rank in range(parts.shape[1]):
            ways *= self.ways[unseen[:, [rank]], parts[None, :, rank]]
        return ways

    def kept_chances(self, chosen: Numbers) -> Floats:
        """[pair, rank]: the mean number of cards of the rank in the hand of somebody who discarded the pair, divided by
        the cards of that rank in a pack without the pair."""
        weights = self.ways[4, self.counts].prod(1)
        rows = np.arange(len(self.deals))
        pair = self.discard_number[rows, chosen]
        kept = self.counts.copy()
        for own in (0, 1):
            kept[rows, np.array([self.pairs[number][own] - 1 for number in pair])] -= 1
        total = np.zeros((len(self.pairs), 13))
        np.add.at(total, pair, weights[:, None] * kept)
        all_weights = np.bincount(pair, weights, len(self.pairs))
        left = np.array([[4 - pair.count(rank) for rank in range(1, 14)] for pair in self.pairs])
        with np.errstate(invalid="ignore"):
            chances = total / all_weights[:, None] / left
        even = (self.dealt - 2) / 50
        return np.nan_to_num(np.where(all_weights[:, None] > 0, chances, even), nan=even)

    def mean_cribs(self, chosen: Numbers) -> Iterator[tuple[slice, Floats]]:
        """Rows of deals and the mean points of a crib with each own pair, if the opponent discards by `chosen`."""
        rows = np.arange(len(self.deals))
        pair = self.discard_number[rows, chosen]
        order = np.argsort(pair, kind="stable")
        groups, starts = np.unique(pair[order], return_index=True)
        kept = 1 - self.kept_chances(chosen)
        pair_counts = np.array([[pair.count(rank) for rank in range(1, 14)] for pair in self.pairs])
        low, high = self.low_part[order], self.high_part[order]
        for first in range(0, len(self.deals), _CHUNK):
            part = slice(first, min(first + _CHUNK, len(self.deals)))
            unseen = 4 - self.counts[part]
            ways = self._ways(unseen[:, : len(LOW)], self.low_parts)[:, low]
            ways *= self._ways(unseen[:, len(LOW) :], self.high_parts)[:, high]
            weights = np.zeros((len(unseen), len(self.pairs)))
            weights[:, groups] = np.add.reduceat(ways, starts, axis=1)
            starters = np.maximum(unseen[:, None, :] - pair_counts[None], 0) * kept[None]
            starters /= starters.sum(2, keepdims=True)
            weights /= weights.sum(1, keepdims=True)
            of_both = (weights[:, :, None] * starters).reshape(len(unseen), -1)
            cribs = of_both @ self.kept_points
            no_jack = of_both.reshape(len(unseen), -1, 13)[:, :, np.arange(13) != JACK - 1].sum((1, 2))
            jacks = np.array([pair.count(JACK) for pair in self.pairs])
            cribs += jacks[None] * no_jack[:, None] / 4
            theirs = (of_both.reshape(len(unseen), -1, 13).sum(2) * jacks).sum(1) / 4
            yield part, cribs + theirs[:, None]

    def best(self, others: Numbers, *, own_crib: bool) -> Numbers:
        """The number of the best choice of each deal against an opponent who chooses by `others`."""
        worth = self.hand_points.copy()
        for part, cribs in self.mean_cribs(others):
            crib = np.take_along_axis(cribs, self.discard_number[part], 1)
            worth[part] += crib if own_crib else -crib
        return np.array(np.where(self.is_choice, worth, -np.inf).argmax(1))


def choices_of_two(dealt: int) -> tuple[Numbers, Numbers, Deals]:
    """The choices of the owner of the crib and of the opponent, after all rounds."""
    deals = Deals(dealt)
    owner = np.where(deals.is_choice, deals.hand_points, -np.inf).argmax(1)
    pone = owner.copy()
    for number in range(ROUNDS[dealt]):
        before = owner, pone
        pone = deals.best(owner, own_crib=False)
        owner = deals.best(pone, own_crib=True)
        changed = [int((old != new).sum()) for old, new in zip(before, (owner, pone), strict=True)]
        print(f"{dealt} cards, round {number}: {changed} of {len(owner)} changed", flush=True)
    return owner, pone, deals


def choices_of_one(cribs: Mapping[bool, Floats]) -> dict[bool, list[int]]:
    """The choices of a player who discards one card of five, when a crib with each rank is worth so much."""
    chosen: dict[bool, list[int]] = {}
    for own in (True, False):
        chosen[own] = [
            max(range(len(choices)), key=lambda number: _worth_of_one(deal, choices[number], cribs[own], own))
            for deal in deals_in_order(5)
            if (choices := choices_of(deal, 1))
        ]
    return chosen


def _worth_of_one(deal: Ranks, discard: Ranks, cribs: Floats, own: bool) -> float:
    hand = rest_of(deal, discard)
    unseen = [4 - deal.count(rank) for rank in range(1, 14)]
    points = sum(rank_points((*hand, rank)) * unseen[rank - 1] for rank in range(1, 14))
    mean = points / sum(unseen) + hand.count(JACK) * (1 - unseen[JACK - 1] / sum(unseen)) / 4
    crib = float(cribs[discard[0] - 1])
    return mean + (crib if own else -crib)


def cribs_of_one(chosen: Mapping[bool, list[int]], seed: int = 1, cribs: int = 60_000) -> dict[bool, Floats]:
    """The mean points of a crib with one card of each rank: the others' by `chosen`, three of opponents in an own crib;
    in the opponents' one of the partner and two of opponents."""
    from random import Random

    random = Random(seed)
    means: dict[bool, Floats] = {}
    for own in (True, False):
        shares = [_discarded_ranks(chosen[False]), _discarded_ranks(chosen[True])]
        sources = [shares[0], shares[0], shares[own]] if own else [shares[1], shares[1], shares[0]]
        totals = np.zeros(13)
        for _ in range(cribs):
            others = [random.choices(range(1, 14), share)[0] for share in sources]
            starter = random.randrange(1, 14)
            for rank in range(1, 14):
                totals[rank - 1] += rank_points((rank, *others, starter)) + 0.25 * (rank == JACK)
        means[own] = totals / cribs
    return means


def _discarded_ranks(chosen: list[int]) -> list[float]:
    share = [0.0] * 13
    for deal, number in zip(deals_in_order(5), chosen, strict=True):
        rank = choices_of(deal, 1)[number][0]
        ways = 1
        for held in set(deal):
            ways *= comb(4, deal.count(held))
        share[rank - 1] += ways
    return share


def module_text() -> str:
    """The text of `choice_tables.py`, calculated anew: some ten minutes."""
    choices: dict[tuple[int, int, bool], str] = {}
    kept: dict[tuple[int, int, bool], str] = {}
    for dealt in KINDS_OF_TWO:
        owner, pone, deals = choices_of_two(dealt)
        for own, chosen in ((True, owner), (False, pone)):
            choices[dealt, 2, own] = packed(deals.numbers_of(chosen))
            units = np.rint(deals.kept_chances(chosen) / KEPT_UNIT).clip(0, 255).astype(int)
            kept[dealt, 2, own] = packed(bytes(units.ravel().tolist()))
    cribs = {True: np.zeros(13), False: np.zeros(13)}
    for _ in range(3):
        chosen_ones = choices_of_one(cribs)
        cribs = cribs_of_one(chosen_ones)
    for own in (True, False):
        choices[5, 1, own] = packed(
            bytes(
                choices_of(deal, 1)[number][0] - 1
                for deal, number in zip(deals_in_order(5), chosen_ones[own], strict=True)
            )
        )
    return _HEADING + _table("CHOICES", choices, _CHOICES) + _table("KEPT", kept, _KEPT)


def packed(numbers: bytes) -> str:
    """Bytes, compressed, as base64 in lines."""
    text = b64encode(zlib.compress(numbers, 9)).decode()
    return "\n".join(text[start : start + _WIDTH] for start in range(0, len(text), _WIDTH))


def _table(name: str, entries: Mapping[tuple[int, int, bool], str], meaning: str) -> str:
    lines = "".join(f'    {key}: """\n{text}\n""",\n' for key, text in entries.items())
    return f'\n{name} = {{\n{lines}}}\n"""{meaning}"""\n'


_HEADING = '''"""What sensible players discard from every deal.

Generated by tests/tools/make_choice_tables.py; do not edit. The keys are the cards dealt, the cards discarded, and
whether the crib belongs to the player's side. Bytes, compressed with zlib, as base64.
"""
'''
_CHOICES = "For each of `deals_in_order`, the number of the discard among `rank_sets` so many cards."
_KEPT = """For each pair of ranks that was discarded and each rank: the chance that a card of this rank is in the hand
of the player who discarded the pair, in units of 1/400."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    Path(choice_tables.__file__).write_text(module_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
