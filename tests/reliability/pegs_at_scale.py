"""How often is a turn read wrong? Simulated hands play on, on every board, to every target, in every style.

python -m tests.reliability.pegs_at_scale --turns 1000000
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import count, islice
from random import Random
from typing import NamedTuple

from board_drivers.hands import EVERYDAY, TIDY, UNTIDY
from board_drivers.recorded_game import Meant, Wood
from tests.board.judge import COURSES, judge, play, read
from tests.reliability.figures import publish

HARSH = replace(
    UNTIDY, counts=0.6, errs=0.35, hesitates=0.15, slides=0.15, jostles=0.5, fingers=0.15, wipes=0.12, at_once=0.4
)
STYLES = {"tidy": TIDY, "everyday": EVERYDAY, "untidy": UNTIDY, "harsh": HARSH}
SWITCHES = {"ideal": (0.0, 0.0), "bouncing": (0.0, 0.6), "sampled": (0.05, 0.0)}
"""Period in seconds and share of changes that bounce: continuous switches, bouncing ones, 20 looks a second."""
TRACKS = (2, 3, 4)
GAMES_A_TASK = 20
SURE = 0.95


class Played(NamedTuple):
    """One game, and what came of it."""

    seed: int
    style: str
    turns: int
    wrong: tuple[Meant, ...]


@dataclass(frozen=True, slots=True)
class Score:
    turns: int = 0
    wrong: int = 0

    def plus(self, game: Played) -> Score:
        return Score(self.turns + game.turns, self.wrong + len(game.wrong))

    def __str__(self) -> str:
        bound = upper_bound(self.wrong, self.turns)
        return f"{self.wrong} wrong of {self.turns:,} turns: at most 1 in {1 / bound:,.0f}, {SURE:.0%} sure"


def upper_bound(wrong: int, turns: int) -> float:
    """The share of wrong turns that is exceeded with 5 % probability at most (Clopper and Pearson 1934, one-sided).

    The root of P(at most `wrong` of `turns`) = 5 %, by bisection; the binomial as Poisson, exact enough for so many.
    """
    low, high = 0.0, wrong + 20.0 + 5 * math.sqrt(wrong + 1)
    for _ in range(80):
        mean = (low + high) / 2
        at_most = sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(wrong + 1))
        low, high = (mean, high) if at_most > 1 - SURE else (low, mean)
    return high / turns


def games_of(seeds: range) -> list[Played]:
    return [game_of(seed) for seed in seeds]


def game_of(seed: int) -> Played:
    """Boards, targets, tracks, styles and switches take turns, so that a run covers all of them alike."""
    place, styles = seed, tuple(STYLES)
    place, style = place // len(styles), styles[place % len(styles)]
    place, course = place // len(COURSES), COURSES[place % len(COURSES)]
    place, switches = place // len(SWITCHES), tuple(SWITCHES.values())[place % len(SWITCHES)]
    tracks = Random(seed).choice(TRACKS)
    game = play(seed, course, tracks, STYLES[style], Wood(*switches))
    verdict = judge(list(read(course, tracks, game.frames)), game.meant)
    return Played(seed, style, verdict.turns, tuple(verdict.wrong))


def run(turns: int, first_seed: int, workers: int) -> Iterator[Played]:
    """Games until there are so many turns."""
    tasks = (range(seed, seed + GAMES_A_TASK) for seed in count(first_seed, GAMES_A_TASK))
    with ProcessPoolExecutor(workers) as pool:
        while turns > 0:
            for games in pool.map(games_of, islice(tasks, 4 * workers)):
                yield from games
                turns -= sum(game.turns for game in games)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--turns", type=int, default=1_000_000)
    asked.add_argument("--first-seed", type=int, default=1_000_000)
    asked.add_argument("--workers", type=int, default=2)
    args = asked.parse_args()
    scores = dict.fromkeys(STYLES, Score())
    total = Score()
    for game in run(args.turns, args.first_seed, args.workers):
        scores[game.style] = scores[game.style].plus(game)
        total = total.plus(game)
        for turn in game.wrong:
            print(f"wrong: game {game.seed} ({game.style}): {turn}", flush=True)
    figures = {style: str(score) for style, score in {**scores, "all": total}.items()}
    publish("pegs_at_scale", figures, keep="KEEP_FIGURES" in os.environ)


if __name__ == "__main__":
    main()
