"""A small board of its own, and functions that change a plan file before it is parsed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host.board.plan import BoardPlan, parse_plan

BOARDS = Path(__file__).parents[2] / "hardware" / "boards"

LITTLE_BOARD = """
id = "little-10"
title = "Little & Light"
tracks = [{ name = "oak", colour = "#7a5230" }, { name = "ash", colour = "#d9c7a0" }]
[course]
lap = 10
targets = [11, 21]
[plate]
margin_mm = 14.0
corner_mm = 6.0
thickness_mm = 12.0
[drill]
hole_mm = 3.2
light_mm = 2.0
[grid]
pitch_mm = 10.16
gap_mm = 5.08
lane_mm = 12.7
[strip]
light_mm = 5.08
below_mm = 4.6
above_mm = 7.8
slack_mm = 0.3
[rows]
oak = { x = -5.5, y = 0.0, holes = "oak - - - S1 S2 1..10" }
ash = { x = -5.5, y = 1.0, holes = "ash - - - S1 S2 1..10" }
end = { across = true, x = 12.5, y = 0.5, holes = "- - game - -" }
[chain]
order = ["oak", "ash", "end"]
mode = "return"
"""


ChangePlan = Callable[..., BoardPlan]


@pytest.fixture(scope="session")
def little_board() -> ChangePlan:
    """Parses the small board after changes to its file: pairs of (text that is there exactly once, replacement)."""
    return lambda *changes: parse_plan(_changed(LITTLE_BOARD, *changes))


@pytest.fixture(scope="session")
def classic_board() -> ChangePlan:
    """Parses the classic board after changes of the same form."""
    classic = (BOARDS / "classic-61.toml").read_text(encoding="utf-8")
    return lambda *changes: parse_plan(_changed(classic, *changes))


def _changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, f"expected {old!r} once, got it {text.count(old)} times"
        text = text.replace(old, new)
    return text
