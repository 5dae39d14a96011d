"""The average hand of each player as an SVG bar chart, with a line at the average of all possible hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from web_panel.language import format_number

WIDTH = 400
ROW = 30
LEFT = 116
RIGHT = 44
"""In SVG user units."""
MAX_NAME_LENGTH = 14


def draw_average_chart(means: Sequence[tuple[str, float]], overall: float, language: str) -> str:
    """One bar for each player and mean, and a line at the `overall` mean. The table beside it has the same numbers."""
    height = ROW * len(means) + 24
    most = max([overall, *(mean for _, mean in means)]) * 1.05
    parts = [*_bars(means, most, language), *_overall(overall, most, height, language)]
    return f'<svg class="average-chart" viewBox="0 0 {WIDTH} {height}" aria-hidden="true">{"".join(parts)}</svg>'


def _bars(means: Sequence[tuple[str, float]], most: float, language: str) -> Iterator[str]:
    for place, (name, mean) in enumerate(means):
        y = ROW * place
        width = _x(mean, most) - LEFT
        short = name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"
        yield f'<text x="{LEFT - 10}" y="{y + 20}" text-anchor="end">{escape(short)}</text>'
        yield f'<rect x="{LEFT}" y="{y + 5}" width="{width:.1f}" height="{ROW - 10}" rx="4"/>'
        yield f'<text x="{LEFT + width + 8:.1f}" y="{y + 20}">{format_number(mean, language)}</text>'


def _overall(overall: float, most: float, height: int, language: str) -> Iterator[str]:
    x = _x(overall, most)
    yield f'<path class="overall" d="M{x:.1f} 0V{height - 18}"/>'
    number = format_number(overall, language, 2)
    yield f'<text class="axis" x="{x:.1f}" y="{height - 4}" text-anchor="middle">{number}</text>'


def _x(mean: float, most: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * mean / most
