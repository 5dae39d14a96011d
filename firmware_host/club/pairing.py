"""Pairs rounds: nobody meets the same opponent twice while that can be avoided, and byes are shared out.

What a round is measured by, in this order:

1. Nobody sits twice. With an odd number of players exactly one has a bye.
2. The bye goes to somebody with the fewest byes so far.
3. As few pairs as possible have met before (`rematches`), over all possible rounds and choices of the bye.
4. Where rematches cannot be avoided: pairs that met least often.

| situation | method |
|---|---|
| the same players since the first round | the circle: one stays at table 1, the others move on by one place |
| some came or left; a round without rematches exists | maximum matching of the pairs that have not met |
| every round has a rematch | the best of all rounds; above SMALL players see `_matched` |

With n players the circle has n - 1 rounds without a rematch (n, if n is odd).

A round without rematches today may force one tomorrow. The circle method has no such end. Where it cannot be used,
`plan_rounds` pairs all rounds to come in several orders of the players, and takes the plan with the fewest rematches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from firmware_host.club.events import Pair
from firmware_host.club.matching import NOBODY, maximum_matching
from firmware_host.club.members import MemberId
from firmware_host.club.state import Night

SMALL = 12
"""So many players are paired by looking at every possible round."""
PLANS = 3
"""Orders of the players that `plan_rounds` tries."""


class Pairing(Struct, frozen=True):
    """One round. The games are at tables 1, 2 and so on. `byes` has one member for an odd number of players."""

    games: tuple[Pair, ...]
    byes: tuple[MemberId, ...]


class Cost(NamedTuple):
    """What is bad about a round; the lower, the better."""

    rematches: int
    """Pairs that have met before."""
    squares: int
    """Sum of the squares of how often each pair has met before."""


class Past(Struct, frozen=True):
    """What the players have had so far."""

    met: Mapping[frozenset[MemberId], int]
    """Two members -> how often they have been paired. A pair that has never been is not in it."""
    byes: Mapping[MemberId, int]
    games: Mapping[MemberId, int]

    def times(self, one: MemberId, two: MemberId) -> int:
        """How often two players have met."""
        return self.met.get(frozenset((one, two)), 0)

    def cost(self, games: Sequence[Pair]) -> Cost:
        """What is bad about these games."""
        times = [self.times(*pair) for pair in games]
        return Cost(sum(met > 0 for met in times), sum(met * met for met in times))

    def after(self, round: Pairing) -> Past:
        """The same with one more round."""
        met = dict(self.met)
        byes = dict(self.byes)
        games = dict(self.games)
        for pair in round.games:
            met[frozenset(pair)] = self.times(*pair) + 1
            for player in pair:
                games[player] = games.get(player, 0) + 1
        for player in round.byes:
            byes[player] = byes.get(player, 0) + 1
        return Past(met, byes, games)


def past_of(night: Night) -> Past:
    """What the players have had in all rounds of the night that are paired."""
    past = Past({}, {}, {})
    for round in night.rounds:
        past = past.after(Pairing(tuple(game.players for game in round.games), round.byes))
    return past


def next_round(night: Night) -> Pairing:
    """The next round, for two players or more who are present."""
    left = night.settings.games - len(night.rounds)
    return plan_rounds(night.present, past_of(night), left)[0]


def plan_rounds(players: Sequence[MemberId], past: Past, rounds: int) -> list[Pairing]:
    """So many rounds for two players or more, if nobody comes or leaves. The first has the fewest rematches."""
    best: tuple[int, list[Pairing]] | None = None
    for shift in range(min(PLANS, len(players))):
        plan = list[Pairing]()
        then = past
        rematches = 0
        for _ in range(rounds):
            round = best_round([*players[shift:], *players[:shift]], then)
            rematches += then.cost(round.games).rematches
            then = then.after(round)
            plan.append(round)
            if best is not None and rematches >= best[0]:
                break
        if best is None or rematches < best[0]:
            best = rematches, plan
        if best[0] == 0 or past.met == {}:
            break
    assert best is not None
    return best[1]


def best_round(players: Sequence[MemberId], past: Past) -> Pairing:
    """The best round by the rules of this module, for two players or more. Their order decides between equal ones."""
    may_have_bye = _bye_candidates(players, past)
    circle = [round for round in _circle(players) if not round.byes or round.byes[0] in may_have_bye]
    for round in circle:
        if past.cost(round.games).rematches == 0:
            return round
    found = list[tuple[Cost, Pairing]]()
    byes: list[MemberId | None] = [*may_have_bye] or [None]
    for bye in byes:
        playing = [player for player in players if player != bye]
        games = _matched(playing, past)
        found.append((past.cost(games), Pairing(games, () if bye is None else (bye,))))
        if found[-1][0].rematches == 0:
            return found[-1][1]
    if len(players) <= SMALL:
        for bye in byes:
            games = _best_of_all([player for player in players if player != bye], past)
            found.append((past.cost(games), Pairing(games, () if bye is None else (bye,))))
    # Of equal rounds one of the circle: a small field then goes through the same circle again, and stays even.
    ranked = [(past.cost(round.games), round) for round in circle] + found
    return min(ranked, key=lambda each: each[0])[1]


def _bye_candidates(players: Sequence[MemberId], past: Past) -> list[MemberId]:
    """Who may have the bye, the one with the most games first; [] for an even number of players."""
    if len(players) % 2 == 0:
        return []
    fewest = min(past.byes.get(player, 0) for player in players)
    candidates = [player for player in players if past.byes.get(player, 0) == fewest]
    return sorted(candidates, key=lambda player: -past.games.get(player, 0))


def _circle(players: Sequence[MemberId]) -> Iterator[Pairing]:
    """The rounds of the circle method, in which each meets each once. An empty place gives the bye."""
    places: list[MemberId | None] = [*players, *([None] * (len(players) % 2))]
    for turn in range(len(places) - 1):
        ring = [places[0], *places[len(places) - turn :], *places[1 : len(places) - turn]]
        pairs = list(zip(ring, reversed(ring), strict=True))[: len(ring) // 2]
        games = tuple(Pair(one, two) for one, two in pairs if one is not None and two is not None)
        yield Pairing(games, tuple(one or two for one, two in pairs if one is None or two is None))  # type: ignore[misc]


def _matched(players: Sequence[MemberId], past: Past) -> tuple[Pair, ...]:
    """Games with as few rematches as possible: a maximum matching of those who have not met, and then the others.

    Those left over by a maximum matching have all met one another, so each further game is a rematch in any case.
    """
    places = range(len(players))
    neighbours = [
        [other for other in places if other != place and not past.times(players[place], players[other])]
        for place in places
    ]
    partners = maximum_matching(neighbours)
    games = [Pair(players[one], players[two]) for one, two in enumerate(partners) if two > one]
    left = [players[place] for place in places if partners[place] == NOBODY]
    if len(left) <= SMALL:
        return (*games, *_best_of_all(left, past))
    while left:
        player = left.pop(0)
        opponent = min(left, key=lambda other: past.times(player, other))
        left.remove(opponent)
        games.append(Pair(player, opponent))
    return tuple(games)


def _best_of_all(players: Sequence[MemberId], past: Past) -> tuple[Pair, ...]:
    """The games of lowest cost for an even number of players, SMALL at most."""
    times = [[past.times(one, two) if one != two else 0 for two in players] for one in players]

    @cache
    def best(free: int) -> tuple[int, int, tuple[tuple[int, int], ...]]:
        if not free:
            return 0, 0, ()
        one = (free & -free).bit_length() - 1
        rounds = []
        for two in range(one + 1, len(players)):
            if free >> two & 1:
                rematches, squares, pairs = best(free & ~(1 << one | 1 << two))
                met = times[one][two]
                rounds.append((rematches + (met > 0), squares + met * met, ((one, two), *pairs)))
        return min(rounds)

    return tuple(Pair(players[one], players[two]) for one, two in best((1 << len(players)) - 1)[2])
