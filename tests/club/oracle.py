"""An independent reading of the rules of a club night, by brute force. It shares no code with `firmware_host.club`.

People are plain numbers, results are tuples, and nothing is computed in the way of the program: pairings are found by
trying all of them, places by counting who is better, and brackets from the final downwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

Results = Iterable[tuple[int, int, int, int]]
"""Each official game: one player, the other one, and their scores."""


def fewest_rematches(players: Sequence[int], met: Counter[frozenset[int]]) -> int:
    """The fewest pairs that have met before, over all ways to pair an even number of players."""
    order = sorted(players)
    # Dirac: if each has at least half of the others left to meet, there is a round without a rematch.
    to_meet = [sum(not met[frozenset((one, two))] for two in order if two != one) for one in order]
    if order and min(to_meet) >= len(order) / 2:
        return 0

    @cache
    def fewest(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        first, rest = left[0], left[1:]
        best = len(left)
        for place, other in enumerate(rest):
            is_rematch = met[frozenset((first, other))] > 0
            best = min(best, is_rematch + fewest(rest[:place] + rest[place + 1 :]))
            if best == 0:
                break
        return best

    return fewest(tuple(order))


def faults_of_round(
    present: Sequence[int],
    games: Sequence[tuple[int, int]],
    byes: Sequence[int],
    met: Counter[frozenset[int]],
    had_bye: Counter[int],
) -> list[str]:
    """What is wrong with a round; `met` and `had_bye` are the rounds before it."""
    faults = []
    seated = [player for game in games for player in game] + list(byes)
    if sorted(seated) != sorted(present):
        faults.append(f"seated {sorted(seated)}, present {sorted(present)}")
    if len(byes) != len(present) % 2:
        faults.append(f"{len(byes)} byes")
    fewest_byes = min(had_bye[player] for player in present)
    faults += [f"{player} has a bye too early" for player in byes if had_bye[player] > fewest_byes]
    free = [player for player in present if had_bye[player] == fewest_byes] if len(present) % 2 else [None]
    possible = min(fewest_rematches([player for player in present if player != bye], met) for bye in free)
    rematches = sum(met[frozenset(game)] > 0 for game in games)
    if rematches != possible:
        faults.append(f"{rematches} rematches, {possible} possible")
    return faults


def table_of(
    players: Sequence[int], results: Results, byes: Sequence[int], bye_points: int, bye_spread: int, skunk_below: int
) -> dict[int, tuple[int, int, int, int]]:
    """Player -> game points, games won, spread, plus points, from scratch."""
    rows = {player: [0, 0, 0, 0] for player in players}
    for one, two, score_one, score_two in results:
        winner, loser = (one, two) if score_one > score_two else (two, one)
        margin = abs(score_one - score_two)
        is_skunk = min(score_one, score_two) < skunk_below
        rows[winner][0] += 3 if is_skunk else 2
        rows[winner][1] += 1
        rows[winner][2] += margin
        rows[winner][3] += margin
        rows[loser][2] -= margin
    for player in byes:
        rows[player][0] += bye_points
        rows[player][2] += bye_spread
        rows[player][3] += bye_spread
    return {player: (row[0], row[1], row[2], row[3]) for player, row in rows.items()}


def places_of(table: Mapping[int, tuple[int, int, int, int]]) -> dict[int, int]:
    """Player -> place: one more than the number of players who are better."""

    def is_better(one: tuple[int, int, int, int], two: tuple[int, int, int, int]) -> bool:
        for mine, theirs in zip(one, two, strict=True):
            if mine != theirs:
                return mine > theirs
        return False

    return {player: 1 + sum(is_better(other, row) for other in table.values()) for player, row in table.items()}


def qualifiers_of(entrants: int, one_in: int) -> int:
    """Counted up one by one: the smallest number that is at least a share of one in `one_in`."""
    count = 0
    while count * one_in < entrants:
        count += 1
    return count


def knock_out(seeds: Sequence[int], wins: Callable[[int, int], int]) -> tuple[set[frozenset[int]], int, int]:
    """All matches, who wins the last, and how many byes there are. `wins` says who wins a match.

    Built from the final downwards: in a section of `size` places the seed `s` meets the seed `size + 1 - s` at last.
    """
    full = 1
    while full < len(seeds):
        full += full
    matches, byes = set[frozenset[int]](), 0

    def best_of_section(seed: int, size: int) -> int | None:
        nonlocal byes
        if size == full:
            return seeds[seed - 1] if seed <= len(seeds) else None
        one, two = best_of_section(seed, 2 * size), best_of_section(2 * size + 1 - seed, 2 * size)
        if one is None or two is None:
            byes += 1
            return one if two is None else two
        matches.add(frozenset((one, two)))
        return wins(one, two)

    champion = best_of_section(1, 1)
    assert champion is not None
    return matches, champion, byes
