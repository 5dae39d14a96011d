"""The scores of a game as an SVG line chart, with a step for each leap.

Lines differ by dashes and by the names at their ends, not by colour alone. A text alternative describes the chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from firmware_host.ui.translator import Translator

ScoreHistory = Sequence[Sequence[int]]
"""The scores of all sides after each change, from the start to the end."""

WIDTH = 480
HEIGHT = 240
LEFT = 34
RIGHT = 124
TOP = 10
BOTTOM = 14
"""Margins for the scale at the left and the names at the right. Everything is in SVG user units."""

DASHES = ("none", "7 4", "2 4", "10 3 2 3", "12 4", "1 3")
MIN_NAME_DISTANCE = 17
LOWEST_NAME = HEIGHT - 9
"""The middle of a name whose letters stand just inside the chart."""
MAX_NAME_LENGTH = 11
STREET = 30


def draw_score_chart(
    names: Sequence[str], history: ScoreHistory, target: int, skunk_lines: Sequence[int], tr: Translator
) -> str:
    """The chart up to the `target`. A style sheet colours the classes `side-0`, `side-1` and so on."""
    description = describe(names, history, tr)
    parts = [*_grid(target, skunk_lines, tr), *_sides(names, history, target)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="score-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="{escape(description)}">{"".join(parts)}</svg>'
    )


def describe(names: Sequence[str], history: ScoreHistory, tr: Translator) -> str:
    """The chart as a text: the final scores, and how often the lead changed."""
    ends = ", ".join(f"{name} {score}" for name, score in zip(names, history[-1], strict=True))
    changes = sum(one != other for one, other in pairwise(leaders(history)))
    sentence = tr.counted(
        "{scores}; the lead changed {times} time", "{scores}; the lead changed {times} times", changes
    )
    return sentence.format(scores=ends, times=changes)


def leaders(history: ScoreHistory) -> Iterator[int]:
    """The side that leads after each change. In a tie, the side that led before."""
    leader = None
    for scores in history:
        best = max(scores)
        if list(scores).count(best) == 1:
            leader = list(scores).index(best)
        if leader is not None:
            yield leader


def _grid(target: int, skunk_lines: Sequence[int], tr: Translator) -> Iterator[str]:
    for score in (*range(0, target - STREET // 2, STREET), target):
        y = _y(score, target)
        yield f'<path class="street" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text class="axis" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{score}</text>'
    for line, name in zip(skunk_lines, (tr("skunk"), tr("double skunk")), strict=False):
        y = _y(line, target)
        yield f'<path class="skunk" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text class="axis" x="{LEFT + 4}" y="{y - 3:.1f}">{name}</text>'


def _sides(names: Sequence[str], history: ScoreHistory, target: int) -> Iterator[str]:
    heights = _apart([_y(score, target) for score in history[-1]])
    for side, name in enumerate(names):
        points = [(_x(turn, len(history)), _y(scores[side], target)) for turn, scores in enumerate(history)]
        x, y = points[-1]
        short = name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"
        yield f'<g class="side-{side}"><path class="line" stroke-dasharray="{DASHES[side]}" d="{_steps(points)}"/>'
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
        yield f'<text x="{x + 9:.1f}" y="{heights[side] + 4:.1f}">{escape(short)} {history[-1][side]}</text></g>'


def _steps(points: Sequence[tuple[float, float]]) -> str:
    """An SVG path of steps: a score holds until the next leap."""
    (x, y), *later = points
    return f"M{x:.1f} {y:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in later)


def _apart(heights: Sequence[float]) -> list[float]:
    """The heights, moved so that names do not overlap: down, and up again where the chart ends."""
    settled = dict[int, float]()
    order = sorted(range(len(heights)), key=heights.__getitem__)
    lowest = float("-inf")
    for place in order:
        lowest = settled[place] = max(heights[place], lowest + MIN_NAME_DISTANCE)
    limit = float(LOWEST_NAME)
    for place in reversed(order):
        settled[place] = min(settled[place], limit)
        limit = settled[place] - MIN_NAME_DISTANCE
    return [settled[place] for place in range(len(heights))]


def _x(turn: int, turns: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (turn / (turns - 1) if turns > 1 else 0)


def _y(score: int, target: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * max(0, min(score, target)) / target
