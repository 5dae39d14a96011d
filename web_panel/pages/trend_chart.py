"""The average hand of a player game by game as an SVG line chart, with a line at the average of all possible hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from web_panel.language import format_number

WIDTH = 480
HEIGHT = 180
LEFT = 30
RIGHT = 46
TOP = 12
BOTTOM = 16
"""In SVG user units."""


def draw_trend_chart(means: Sequence[float], overall: float, language: str) -> str:
    """A dot and a line for each game, oldest first. A table beside it has the same numbers."""
    lowest = min([0.0, *means])
    highest = max([overall * 1.6, *means])
    parts = [*_grid(overall, lowest, highest, language), *_line(means, lowest, highest)]
    return f'<svg class="trend-chart" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{"".join(parts)}</svg>'


def _grid(overall: float, lowest: float, highest: float, language: str) -> Iterator[str]:
    for value in range(0, int(highest) + 1, 4):
        y = _y(value, lowest, highest)
        yield f'<path class="street" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text class="axis" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value}</text>'
    y = _y(overall, lowest, highest)
    yield f'<path class="overall" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
    yield f'<text class="axis" x="{WIDTH - RIGHT + 6}" y="{y + 4:.1f}">{format_number(overall, language, 2)}</text>'


def _line(means: Sequence[float], lowest: float, highest: float) -> Iterator[str]:
    points = [(_x(place, len(means)), _y(mean, lowest, highest)) for place, mean in enumerate(means)]
    yield f'<path class="line" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in points)}"/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


def _x(place: int, places: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (place / (places - 1) if places > 1 else 0.5)


def _y(value: float, lowest: float, highest: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - lowest) / (highest - lowest)
