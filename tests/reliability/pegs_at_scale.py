"""Counts misread turns over a million simulated ones, on every board, to every target, in every style of play.

python -m tests.reliability.pegs_at_scale --turns 1000000
"""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import reduce
from itertools import accumulate, count, islice
from random import Random
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from board_drivers.simulated_hands import EVERYDAY, TIDY, UNTIDY
from tests.reliability.figures import publish
from tests.tracking.recorded_game import IntendedTurn, SwitchSettings
from tests.tracking.trace_check import COURSES, check_trace, replay, simulate_game

HARSH = replace(
    UNTIDY, taps=0.6, misplaces=0.35, hesitates=0.15, slides=0.15, jostles=0.5, reseats=0.15, wipes=0.12, overlaps=0.4
)
STYLES = {"tidy": TIDY, "everyday": EVERYDAY, "untidy": UNTIDY, "harsh": HARSH}
SWITCHES = {"ideal": (0.0, 0.0), "bouncing": (0.0, 0.6), "sampled": (0.05, 0.0)}
"""Sampling period in seconds and share of changes that bounce: ideal, bouncing, and sampled 20 times a second."""
TRACKS = (2, 3, 4)
GAMES_A_TASK = 20
TASKS_A_ROUND = 64
CONFIDENCE = 0.95


class Played(NamedTuple):
    """The result of one game."""

    seed: int
    style: str
    turns: int
    wrong: tuple[IntendedTurn, ...]
    after_s: Counter[float]
    """Delay from seating the peg to the reading, in seconds rounded to 0.01 -> number of turns."""


class Score(Struct, frozen=True):
    """Sums over games. `after_s` as in Played."""

    turns: int = 0
    wrong: int = 0
    after_s: Counter[float] = field(default_factory=Counter)

    def plus(self, other: Score) -> Score:
        return Score(self.turns + other.turns, self.wrong + other.wrong, self.after_s + other.after_s)

    def within_s(self, share: float) -> float:
        """The delay in seconds within which this share of the turns was read."""
        read_by_then = accumulate(self.after_s[after_s] for after_s in sorted(self.after_s))
        enough = share * self.after_s.total()
        return next(
            after_s for after_s, so_many in zip(sorted(self.after_s), read_by_then, strict=True) if so_many >= enough
        )

    def __str__(self) -> str:
        bound, half_s, most_s = upper_bound(self.wrong, self.turns), self.within_s(0.5), self.within_s(0.999)
        rate = f"{self.wrong} wrong of {self.turns:,} turns: at most 1 in {1 / bound:,.0f}, {CONFIDENCE:.0%} confidence"
        return f"{rate}; half are read within {half_s:.2f} s, 999 of 1,000 within {most_s:.2f} s"


def upper_bound(wrong: int, turns: int) -> float:
    """The share of wrong turns that is exceeded with 5 % probability at most (Clopper and Pearson 1934, one-sided).

    Solves P(at most `wrong` of `turns`) = 5 % by bisection, with Poisson in place of the binomial distribution.
    """
    low, high = 0.0, wrong + 20.0 + 5 * math.sqrt(wrong + 1)
    for _ in range(80):
        mean = (low + high) / 2
        at_most = sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(wrong + 1))
        low, high = (mean, high) if at_most > 1 - CONFIDENCE else (low, mean)
    return high / turns


def games_of(seeds: range) -> list[Played]:
    return [game_of(seed) for seed in seeds]


def game_of(seed: int) -> Played:
    """Plays game `seed`. Consecutive seeds cycle through styles, boards, targets and switches, to cover all evenly."""
    place, styles = seed, tuple(STYLES)
    place, style = place // len(styles), styles[place % len(styles)]
    place, course = place // len(COURSES), COURSES[place % len(COURSES)]
    place, switches = place // len(SWITCHES), tuple(SWITCHES.values())[place % len(SWITCHES)]
    tracks = Random(seed).choice(TRACKS)
    game = simulate_game(seed, course, tracks, STYLES[style], SwitchSettings(*switches))
    verdict = check_trace(list(replay(course, tracks, game.frames)), game.intended)
    after_s = Counter(round(latency_s, 2) for latency_s in verdict.latencies_s)
    return Played(seed, style, verdict.turns, tuple(verdict.wrong), after_s)


def run(turns: int, first_seed: int, workers: int) -> Iterator[Played]:
    """Play games until they have this many turns."""
    tasks = (range(seed, seed + GAMES_A_TASK) for seed in count(first_seed, GAMES_A_TASK))
    with ProcessPoolExecutor(workers) as pool:
        while turns > 0:
            for games in pool.map(games_of, islice(tasks, TASKS_A_ROUND)):
                yield from games
                turns -= sum(game.turns for game in games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1_000_000)
    parser.add_argument("--first-seed", type=int, default=50_000_000)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    scores = dict.fromkeys(STYLES, Score())
    with suppress(KeyboardInterrupt):  # Ctrl-C prints the figures so far
        for game in run(args.turns, args.first_seed, args.workers):
            scores[game.style] = scores[game.style].plus(Score(game.turns, len(game.wrong), game.after_s))
            for turn in game.wrong:
                print(f"wrong: game {game.seed} ({game.style}): {turn}", flush=True)
    figures = {style: str(score) for style, score in {**scores, **sums_of(scores)}.items()}
    publish("pegs_at_scale", figures, keep="KEEP_FIGURES" in os.environ)


def sums_of(scores: Mapping[str, Score]) -> dict[str, Score]:
    """Sums over all styles but the harsh one, which nobody plays, and over all."""
    but_harsh = reduce(Score.plus, (score for style, score in scores.items() if style != "harsh"))
    return {"all_but_harsh": but_harsh, "all": but_harsh.plus(scores["harsh"])}


if __name__ == "__main__":
    main()
