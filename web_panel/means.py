"""Averages as bars in SVG, against the mean of all hands there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from web_panel.language import in_figures

WIDTH, ROW, LEFT, RIGHT = 400, 30, 116, 44
"""In the drawing's own units."""
LONGEST_NAME = 14


def draw_means(means: Sequence[tuple[str, float]], known: float, language: str) -> str:
    """One bar a player; a line stands at the `known` mean. The table beside it says the same in figures."""
    height = ROW * len(means) + 24
    most = max([known, *(mean for _, mean in means)]) * 1.05
    parts = [*_bars(means, most, language), *_known(known, most, height, language)]
    return f'<svg class="means" viewBox="0 0 {WIDTH} {height}" aria-hidden="true">{"".join(parts)}</svg>'


def _bars(means: Sequence[tuple[str, float]], most: float, language: str) -> Iterator[str]:
    for place, (name, mean) in enumerate(means):
        y, width = ROW * place, _x(mean, most) - LEFT
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        yield f'<text x="{LEFT - 10}" y="{y + 20}" text-anchor="end">{escape(short)}</text>'
        yield f'<rect x="{LEFT}" y="{y + 5}" width="{width:.1f}" height="{ROW - 10}" rx="4"/>'
        yield f'<text x="{LEFT + width + 8:.1f}" y="{y + 20}">{in_figures(mean, language)}</text>'


def _known(known: float, most: float, height: int, language: str) -> Iterator[str]:
    x = _x(known, most)
    yield f'<path class="skunk" d="M{x:.1f} 0V{height - 18}"/>'
    figures = in_figures(known, language, 2)
    yield f'<text class="figure" x="{x:.1f}" y="{height - 4}" text-anchor="middle">{figures}</text>'


def _x(mean: float, most: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * mean / most
