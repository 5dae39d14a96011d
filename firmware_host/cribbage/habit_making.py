"""Makes the habits of sensible players: `python -m firmware_host.cribbage.habit_making` writes `habit_tables.py`.

A sensible player lays away what leaves most on average: the hand, and the crib besides if it is the player's own, or
less the crib if it is the opponent's. What a crib is worth hangs on the opponent's habit in turn; so both begin with
any two cards and learn from each other, round after round, until learning changes next to nothing.

Every deal is counted, by its ranks and by the suit of which enough cards could be kept for a flush. The other suits are
not told apart: a jack is his nobs with a quarter of the starters that are no jacks, and a crib has no flush.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from operator import mul
from typing import NamedTuple

from firmware_host.cribbage.cards import JACK
from firmware_host.cribbage.crib_odds import rank_sets, ways_of_rank_sets, weighed_points
from firmware_host.cribbage.habit import RANDOM, Habit
from firmware_host.cribbage.ranks import rank_points

DEALS = (5, 6, 7)
"""Cards dealt to each of two players."""
SCALE = 10_000
"""Weights say how many of so many players who hold two cards lay them away."""
ROUNDS = 16
"""After these no weight is more than 40 of 10,000 from what another round would teach, and on average 2 or 3."""

Ranks = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Habits:
    """How the two at the table lay away: the dealer to the own crib, the pone to the dealer's."""

    dealer: Habit
    pone: Habit


BEGINNERS = Habits(RANDOM, RANDOM)


def settled_habits(dealt: int) -> Habits:
    """What players who are dealt so many cards have learnt in the end."""
    habits = BEGINNERS
    for _ in range(ROUNDS):
        learnt = learn(hands_of(dealt), habits)
        # Half-way only: two who answer each other's last habit in full may chase each other for ever.
        habits = Habits(habits.dealer.half_way_to(learnt.dealer), habits.pone.half_way_to(learnt.pone))
    return habits


def hands_of(dealt: int) -> Iterator[Ranks]:
    """The ranks of every deal, each once, sorted."""
    return (ranks for ranks in rank_sets(dealt) if max(map(ranks.count, ranks)) <= 4)


def learn(hands: Iterable[Ranks], habits: Habits) -> Habits:
    """The habits of those who lay away these hands sensibly, against opponents with the old habits."""
    held, by_dealer, by_pone = Counter[Ranks](), Counter[Ranks](), Counter[Ranks]()
    for hand in hands:
        for deals, dealer, pone in sensible_discards(hand, habits):
            by_dealer[dealer] += deals
            by_pone[pone] += deals
            for pair in combinations(hand, 2):
                held[pair] += deals
    return Habits(_habit(by_dealer, held), _habit(by_pone, held))


class Choice(NamedTuple):
    """What the dealer and what the pone would lay away, and in how many deals of a hand."""

    deals: int
    dealer: Ranks
    pone: Ranks


def sensible_discards(hand: Ranks, habits: Habits) -> Iterator[Choice]:
    """The choice for each flush that sorted ranks may hold, and at last where they hold none."""
    times = [0, *(4 - hand.count(rank) for rank in range(1, 14))]
    ways = ways_of_rank_sets(times, 3)
    unseen = sum(times)
    own, theirs = _Crib.filled(times, ways, habits.pone), _Crib.filled(times, ways, habits.dealer)
    pairs: list[Ranks] = sorted(set(combinations(hand, 2)))
    hands = {pair: _hand_points(_without(hand, pair), times) for pair in pairs}
    for_dealer = {pair: points * own.ways + own.points(pair) * unseen for pair, points in hands.items()}
    for_pone = {pair: points * theirs.ways - theirs.points(pair) * unseen for pair, points in hands.items()}
    for deals, flush in _flushes(hand, unseen):
        yield Choice(deals, _best(for_dealer, flush, own.ways), _best(for_pone, flush, theirs.ways))


def _best(worth: Mapping[Ranks, int], flush: Mapping[Ranks, int], ways: int) -> Ranks:
    return max(worth, key=lambda pair: worth[pair] + flush.get(pair, 0) * ways)


def _flushes(hand: Ranks, unseen: int) -> Iterator[tuple[int, Mapping[Ranks, int]]]:
    """How many deals hold each flush, and what laying away a pair then adds: four times the points, over every starter.

    Two suits never have enough cards at once, for more than half a hand is kept.
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


@dataclass(frozen=True, slots=True)
class _Crib:
    """The crib as far as ranks tell. Points are four times what they are, summed over all ways, to stay whole."""

    ways: int
    of_ranks: Sequence[int]
    starters_no_jack: int

    @classmethod
    def filled(cls, times: Sequence[int], ways: Sequence[int], habit: Habit) -> _Crib:
        """A crib to which a player of that habit has laid away two of the unseen cards, `times[rank]` of a rank."""
        with_card = habit.with_card(times)
        pairs = sum(map(mul, times, with_card)) // 2
        of_ranks = list(map(mul, ways, habit.of_three))
        all_ways = pairs * (sum(times) - 2)
        return cls(all_ways, of_ranks, all_ways - times[JACK] * (pairs - with_card[JACK]))

    def points(self, pair: Ranks) -> int:
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


def _habit(laid_away: Mapping[Ranks, int], held: Mapping[Ranks, int]) -> Habit:
    def weight(pair: Ranks) -> int:
        return (SCALE * laid_away[pair] + held[pair] // 2) // held[pair] if held[pair] else 0

    return Habit(tuple(tuple(weight((low, high)) for low in range(1, high + 1)) for high in range(1, 14)))


def module_text(habits: Mapping[int, Habits]) -> str:
    """All of `habit_tables.py`, for the habits by the number of cards dealt."""
    dealers = {dealt: both.dealer for dealt, both in habits.items()}
    pones = {dealt: both.pone for dealt, both in habits.items()}
    return _HEADING + _table_text("DEALER", dealers) + _table_text("PONE", pones)


_HEADING = '''"""What sensible players lay away: of 10,000 who hold two cards, how many give these two to the crib.

Made by habit_making.py, which says how; not written by hand. A line for each rank, ace to king; in it the number with
each rank up to the line's own. First the cards dealt to each.
"""
'''


def _table_text(name: str, habits: Mapping[int, Habit]) -> str:
    entries = "".join(f'    {dealt}: """\n{habit}\n""",\n' for dealt, habit in habits.items())
    return f"\n{name} = {{\n{entries}}}\n"


if __name__ == "__main__":
    print(module_text({dealt: settled_habits(dealt) for dealt in DEALS}), end="")
