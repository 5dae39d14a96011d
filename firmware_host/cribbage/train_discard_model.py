"""Trains the discard model: `python -m firmware_host.cribbage.train_discard_model` writes `discard_tables.py`.

A sensible player chooses the discard with the best mean: the hand plus the own crib, or minus the opponent's crib. The
mean of a crib depends on what the opponent discards. So dealer and pone start with any two cards, and each round takes
the best discards against the other's model of the round before, until a round changes almost nothing.

Every deal is counted, by its ranks and by the suit of which enough cards could be kept for a flush. Other suits are
treated alike: a jack is nobs with a quarter of the starters that are no jacks, and a crib has no flush.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from operator import mul
from typing import NamedTuple

from msgspec import Struct

from firmware_host.cribbage.cards import JACK
from firmware_host.cribbage.crib_odds import rank_sets, ways_of_rank_sets, weighed_points
from firmware_host.cribbage.discard_model import RANDOM_DISCARDS, DiscardModel
from firmware_host.cribbage.ranks import rank_points

DEALS = (5, 6, 7)
"""Cards dealt to each of two players."""
SCALE = 10_000
"""A weight is the number of players, of this many who hold two cards, that discard both."""
ROUNDS = 16
"""After these one more round changes no weight by more than 40 of 10,000, and the average weight by 2 or 3."""

Ranks = tuple[int, ...]
"""Sorted ranks, 1 to 13."""


class DiscardModels(Struct, frozen=True):
    """The model of the dealer, who owns the crib, and of the pone."""

    dealer: DiscardModel
    pone: DiscardModel


UNTRAINED = DiscardModels(RANDOM_DISCARDS, RANDOM_DISCARDS)


def trained_models(dealt: int) -> DiscardModels:
    """The models after all rounds, for `dealt` cards to each player."""
    models = UNTRAINED
    for _ in range(ROUNDS):
        trained = train_round(hands_of(dealt), models)
        # The average with the model before: with full steps the two models may alternate for ever.
        models = DiscardModels(models.dealer.average_with(trained.dealer), models.pone.average_with(trained.pone))
    return models


def hands_of(dealt: int) -> Iterator[Ranks]:
    """The sorted ranks of every possible deal, each once."""
    return (ranks for ranks in rank_sets(dealt) if max(map(ranks.count, ranks)) <= 4)


def train_round(hands: Iterable[Ranks], models: DiscardModels) -> DiscardModels:
    """The models of players who choose the best discards from these hands, against opponents with the old models."""
    held = Counter[Ranks]()
    by_dealer = Counter[Ranks]()
    by_pone = Counter[Ranks]()
    for hand in hands:
        for deals, dealer, pone in best_discards(hand, models):
            by_dealer[dealer] += deals
            by_pone[pone] += deals
            for pair in combinations(hand, 2):
                held[pair] += deals
    return DiscardModels(_model(by_dealer, held), _model(by_pone, held))


class Choice(NamedTuple):
    """The best discards of the dealer and of the pone, and the number of deals of a hand for which they are best."""

    deals: int
    dealer: Ranks
    pone: Ranks


def best_discards(hand: Ranks, models: DiscardModels) -> Iterator[Choice]:
    """The choice for each flush that a hand of these ranks may hold, and last the choice without a flush."""
    times = [0, *(4 - hand.count(rank) for rank in range(1, 14))]
    ways = ways_of_rank_sets(times, 3)
    unseen = sum(times)
    own = _Crib.filled(times, ways, models.pone)
    theirs = _Crib.filled(times, ways, models.dealer)
    pairs: list[Ranks] = sorted(set(combinations(hand, 2)))
    hands = {pair: _hand_points(_without(hand, pair), times) for pair in pairs}
    for_dealer = {pair: points * own.ways + own.points(pair) * unseen for pair, points in hands.items()}
    for_pone = {pair: points * theirs.ways - theirs.points(pair) * unseen for pair, points in hands.items()}
    for deals, flush in _flushes(hand, unseen):
        yield Choice(deals, _best(for_dealer, flush, own.ways), _best(for_pone, flush, theirs.ways))


def _best(worth: Mapping[Ranks, int], flush: Mapping[Ranks, int], ways: int) -> Ranks:
    return max(worth, key=lambda pair: worth[pair] + flush.get(pair, 0) * ways)


def _flushes(hand: Ranks, unseen: int) -> Iterator[tuple[int, Mapping[Ranks, int]]]:
    """The number of deals with each flush, and what each discard adds then: four times the points, over every starter.

    Two suits never have enough cards at once, because more than half the hand is kept.
    """
    kept = len(hand) - 2
    times = Counter(hand)
    without_flush = prod([comb(4, cards) for cards in times.values()])
    for size in range(kept, len(times) + 1):
        points = 4 * (kept * unseen + 13 - size)
        for suited in combinations(times, size):
            if deals := 4 * prod([comb(3, cards - (rank in suited)) for rank, cards in times.items()]):
                without_flush -= deals
                yield deals, {_without(hand, flush): points for flush in combinations(suited, kept)}
    yield without_flush, {}


class _Crib(Struct, frozen=True):
    """The crib by ranks only. Points are summed over all ways, and times four, so that they are integers."""

    ways: int
    of_ranks: Sequence[int]
    starters_no_jack: int

    @classmethod
    def filled(cls, times: Sequence[int], ways: Sequence[int], model: DiscardModel) -> _Crib:
        """A crib with two of the unseen cards, discarded by `model`; `times[rank]` cards of a rank are unseen."""
        with_card = model.with_card(times)
        pairs = sum(map(mul, times, with_card)) // 2
        of_ranks = list(map(mul, ways, model.of_three))
        all_ways = pairs * (sum(times) - 2)
        return cls(all_ways, of_ranks, all_ways - times[JACK] * (pairs - with_card[JACK]))

    def points(self, pair: Ranks) -> int:
        """The points of the crib with this discard."""
        return 4 * weighed_points(pair, self.of_ranks) + pair.count(JACK) * self.starters_no_jack


def _hand_points(kept: Ranks, times: Sequence[int]) -> int:
    """Four times the points of the kept ranks, over every starter."""
    starters_no_jack = sum(times) - times[JACK]
    points: int = sum(map(mul, _worth(kept), times))
    return 4 * points + kept.count(JACK) * starters_no_jack


@lru_cache(maxsize=8192)
def _worth(kept: Ranks) -> bytes:
    return bytes((0, *(rank_points((*kept, rank)) for rank in range(1, 14))))


def _without(hand: Ranks, pair: Ranks) -> Ranks:
    kept = list(hand)
    for rank in pair:
        kept.remove(rank)
    return tuple(kept)


def _model(discarded: Mapping[Ranks, int], held: Mapping[Ranks, int]) -> DiscardModel:
    def weight(pair: Ranks) -> int:
        return (SCALE * discarded[pair] + held[pair] // 2) // held[pair] if held[pair] else 0

    return DiscardModel(tuple(tuple(weight((low, high)) for low in range(1, high + 1)) for high in range(1, 14)))


def module_text(models: Mapping[int, DiscardModels]) -> str:
    """The text of `discard_tables.py`, for models by the number of cards dealt."""
    dealers = {dealt: both.dealer for dealt, both in models.items()}
    pones = {dealt: both.pone for dealt, both in models.items()}
    return _HEADING + _table_text("DEALER", dealers) + _table_text("PONE", pones)


_HEADING = '''"""What sensible players discard: of 10,000 who hold two cards, how many give these two to the crib.

Generated by train_discard_model.py; do not edit. The first key is the number of cards dealt to each player. A table has
a line for each rank, ace to king: its numbers with each rank up to itself.
"""
'''


def _table_text(name: str, models: Mapping[int, DiscardModel]) -> str:
    entries = "".join(f'    {dealt}: """\n{model}\n""",\n' for dealt, model in models.items())
    return f"\n{name} = {{\n{entries}}}\n"


if __name__ == "__main__":
    print(module_text({dealt: trained_models(dealt) for dealt in DEALS}), end="")
