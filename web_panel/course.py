"""The course of a game as a line chart in SVG: the scores of every side, leap by leap, up to the game hole.

Lines are told apart by dashes and by the names at their ends, not by colour alone; the whole is told in words too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from firmware_host.table.words import Words

Course = Sequence[Sequence[int]]
"""The scores of all sides, from the beginning to the end."""

WIDTH, HEIGHT = 480, 240
LEFT, RIGHT, TOP, BOTTOM = 34, 124, 10, 14
"""Room for the figures at the left and the names at the right; everything in the drawing's own units."""

DASHES = ("none", "7 4", "2 4", "10 3 2 3", "12 4", "1 3")
NAME_APART = 17
LONGEST_NAME = 11
STREET = 30


def draw_course(names: Sequence[str], course: Course, target: int, lines: Sequence[int], _: Words) -> str:
    """`lines` are the skunk lines. A style sheet colours the classes `side-0`, `side-1` ..."""
    said = told(names, course, _)
    parts = [*_grid(target, lines), *_sides(names, course, target)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="course" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f" aria-label={quoteattr(said)}>{''.join(parts)}</svg>"
    )


def told(names: Sequence[str], course: Course, _: Words) -> str:
    """The chart in words: who stands where, and how often the lead changed."""
    ends = ", ".join(f"{name} {score}" for name, score in zip(names, course[-1], strict=True))
    changes = sum(one != other for one, other in pairwise(leaders(course)))
    sentence = _.counted("{scores}; the lead changed {times} time", "{scores}; the lead changed {times} times", changes)
    return sentence.format(scores=ends, times=changes)


def leaders(course: Course) -> Iterator[int]:
    """Who was ahead, moment by moment; a tie leaves it with whoever was ahead before."""
    leader = None
    for scores in course:
        best = max(scores)
        if list(scores).count(best) == 1:
            leader = list(scores).index(best)
        if leader is not None:
            yield leader


def _grid(target: int, lines: Sequence[int]) -> Iterator[str]:
    for score in (*range(0, target - STREET // 2, STREET), target):
        y = _y(score, target)
        yield f'<path class="street" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text class="figure" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{score}</text>'
    for place, line in enumerate(lines):
        y = _y(line, target)
        yield f'<path class="skunk" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text class="figure" x="{LEFT + 4}" y="{y - 3:.1f}">{"S" * (place + 1)}</text>'


def _sides(names: Sequence[str], course: Course, target: int) -> Iterator[str]:
    heights = _apart([_y(score, target) for score in course[-1]])
    for side, name in enumerate(names):
        points = [(_x(turn, len(course)), _y(scores[side], target)) for turn, scores in enumerate(course)]
        x, y = points[-1]
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        yield f'<g class="side-{side}"><path class="walk" stroke-dasharray="{DASHES[side]}" d="{_steps(points)}"/>'
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
        yield f'<text x="{x + 9:.1f}" y="{heights[side] + 4:.1f}">{escape(short)} {course[-1][side]}</text></g>'


def _steps(points: Sequence[tuple[float, float]]) -> str:
    """A score holds until the next leap: steps, not slopes."""
    (x, y), *later = points
    return f"M{x:.1f} {y:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in later)


def _apart(heights: Sequence[float]) -> list[float]:
    """The same heights from top to bottom, with room for a name between any two."""
    settled = dict[int, float]()
    lowest = float("-inf")
    for place in sorted(range(len(heights)), key=heights.__getitem__):
        lowest = settled[place] = max(heights[place], lowest + NAME_APART)
    return [settled[place] for place in range(len(heights))]


def _x(turn: int, turns: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (turn / (turns - 1) if turns > 1 else 0)


def _y(score: int, target: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * max(0, min(score, target)) / target
