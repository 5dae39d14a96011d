"""The chart of a game: where the names at the ends of its lines stand."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from firmware_host.ui.translator import untranslated
from web_panel.pages.score_chart import HEIGHT, MIN_NAME_DISTANCE, draw_score_chart

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eva", "Finn")
NAME_DEPTH = 4
"""A letter such as g reaches so far below its line."""


@pytest.mark.parametrize("ends", [(121, 0, 0), (121, 3, 0, 2, 0, 1), (121, 121), (121, 120, 119, 118, 117, 60)])
def test_names_stand_apart_and_inside_the_chart(ends: tuple[int, ...]) -> None:
    names = NAMES[: len(ends)]
    chart = draw_score_chart(names, ((0,) * len(ends), ends), 121, (91, 61), untranslated)
    found = {name: float(y) for y, name in re.findall(r'y="([\d.]+)">(\w+) \d+</text></g>', chart)}
    assert [*found] == [*names]
    assert max(found.values()) <= HEIGHT - NAME_DEPTH and min(found.values()) > MIN_NAME_DISTANCE / 2
    assert all(low - high >= MIN_NAME_DISTANCE - 0.1 for high, low in pairwise(sorted(found.values())))
