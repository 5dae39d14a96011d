"""Makes the habits of sensible players: `python -m firmware_host.cribbage.habit_making` writes `habit_tables.py`.

A sensible player lays away what leaves most on average: the hand, and the crib besides if it is the player's own, or
less the crib if it is the opponent's. What a crib is worth hangs on the opponent's habit in turn; so both begin with
any two cards and learn from each other, round after round, until learning changes next to nothing.

Every deal is counted. Players here choose by ranks alone: a jack is his nobs with a quarter of the starters that are no
jacks, and flushes are left out, since ranks do not tell them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from operator import mul

from firmware_host.cribbage.cards import JACK
from firmware_host.cribbage.crib_odds import rank_sets, ways_of_rank_sets, weighed_points
from firmware_host.cribbage.habit import RANDOM, Habit
from firmware_host.cribbage.ranks import rank_points

DEALS = (5, 6, 7)
"""Cards dealt to each of two players."""
SCALE = 10_000
"""Weights say how many of so many players who hold two cards lay them away."""
ROUNDS = 16
"""Then no weight is more than 60 of 10,000 from what the next round would teach, and most are within 2."""

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
        deals = prod([comb(4, times) for times in Counter(hand).values()])
        for pair in combinations(hand, 2):
            held[pair] += deals
        dealer, pone = sensible_discards(hand, habits)
        by_dealer[dealer] += deals
        by_pone[pone] += deals
    return Habits(_habit(by_dealer, held), _habit(by_pone, held))


def sensible_discards(hand: Ranks, habits: Habits) -> tuple[Ranks, Ranks]:
    """What the dealer and what the pone would lay away from the ranks of a hand, sorted."""
    times = [0, *(4 - hand.count(rank) for rank in range(1, 14))]
    ways = ways_of_rank_sets(times, 3)
    dealers_crib, pones_crib = _Crib.filled(times, ways, habits.pone), _Crib.filled(times, ways, habits.dealer)
    hands = {pair: _hand_points(_without(hand, pair), times) for pair in sorted(set(combinations(hand, 2)))}
    unseen = sum(times)
    dealer = max(hands, key=lambda pair: hands[pair] * dealers_crib.ways + dealers_crib.points(pair) * unseen)
    pone = max(hands, key=lambda pair: hands[pair] * pones_crib.ways - pones_crib.points(pair) * unseen)
    return dealer, pone


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
