"""A plan file with a mistake: the error names the place, what was expected, and what is there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board.plan import BoardPlan, PlanError, parse_plan

ChangePlan = Callable[..., BoardPlan]

SLIPS = {
    "a word without quotes": ('id = "little-10"', "id = little", "plan file", "TOML"),
    "no id": ('id = "little-10"\n', "", "id", "a text"),
    "capitals in the id": ('"little-10"', '"Little 10"', "id", "the form"),
    "an empty title": ('"Little & Light"', '" "', "title", "a text"),
    "no track": (
        '[{ name = "oak", colour = "#7a5230" }, { name = "ash", colour = "#d9c7a0" }]',
        "[]",
        "tracks",
        "tables",
    ),
    "tracks that are words": (
        '[{ name = "oak", colour = "#7a5230" }, { name = "ash", colour = "#d9c7a0" }]',
        '["oak", "ash"]',
        "tracks",
        "tables",
    ),
    "two tracks of one name": ('name = "ash"', 'name = "oak"', "tracks", "different name"),
    "a track called game": ('name = "ash"', 'name = "game"', "tracks[1].name", "the form"),
    "a colour by name": ('"#d9c7a0"', '"beige"', "tracks[1].colour", "the form"),
    "a track with a habit": ('colour = "#d9c7a0"', 'colour = "#d9c7a0", habit = 1', "tracks[1]", "nothing more"),
    "no lap": ("lap = 10\n", "", "course.lap", "a whole number"),
    "a lap that is true": ("lap = 10", "lap = true", "course.lap", "a whole number"),
    "a lap of none": ("lap = 10", "lap = 0", "course.lap", "a whole number"),
    "half a target": ("[11, 21]", "[11, 20.5]", "course.targets", "a whole number"),
    "one target, unlisted": ("[11, 21]", "21", "course.targets", "a list"),
    "a course that is a number": ("[course]\nlap = 10\ntargets = [11, 21]\n", "course = 1\n", "course", "a table"),
    "an extra course": ("lap = 10", "lap = 10\nlaps = 2", "course", "nothing more"),
    "a pitch in words": ("pitch_mm = 10.16", 'pitch_mm = "wide"', "grid.pitch_mm", "a number"),
    "a pitch of nothing": ("pitch_mm = 10.16", "pitch_mm = 0", "grid.pitch_mm", "above 0"),
    "a pitch beyond measure": ("pitch_mm = 10.16", "pitch_mm = inf", "grid.pitch_mm", "a number"),
    "a forgotten drill": ("light_mm = 2.0\n", "", "drill.light_mm", "a number"),
    "a mistyped table": ("[grid]", "[gird]", "grid", "a table"),
    "a row across in words": ("across = true", 'across = "yes"', "rows.end.across", "true or false"),
    "a mistyped key": ("across = true", "acros = true", "rows.end", "nothing more"),
    "no height": ('y = 1.0, holes = "ash', 'holes = "ash', "rows.ash.y", "a number"),
    "holes without a track": ('"oak - - - S1', '"- - - S1', "rows.oak.holes", "a track (oak, ash)"),
    "a track nobody knows": ('"oak - - - S1', '"elm - - - S1', "rows.oak.holes", "a track (oak, ash)"),
    "a hole nobody can read": ('"oak - - - S1', '"oak - - - S3', "rows.oak.holes", "S1, S2, game"),
    "a hole before the first": ('S2 1..10" }\nash', 'S2 0..9" }\nash', "rows.oak.holes", "S1, S2, game"),
    "half a strip": ('S2 1..10" }\nash', 'S2 1..9" }\nash', "rows.oak.holes", "whole strips of 5"),
    "an unknown way of wiring": ('"return"', '"zigzag"', "chain.mode", '"alternate" or "return"'),
    "a row left out of the chain": ('["oak", "ash", "end"]', '["oak", "end"]', "chain.order", "every row once"),
    "a row visited twice": ('["oak", "ash", "end"]', '["oak", "ash", "oak", "end"]', "chain.order", "every row once"),
    "an order of numbers": ('["oak", "ash", "end"]', "[0, 1, 2]", "chain.order", "a list of texts"),
    "a whole new table": ("[chain]", "[paint]\ncoats = 2\n[chain]", "plan file", "nothing more"),
}


@pytest.mark.parametrize(
    ("old", "new", "where", "expected"), [pytest.param(*slip, id=name) for name, slip in SLIPS.items()]
)
def test_a_mistake_in_a_plan_file_is_reported_with_its_place(
    little_board: ChangePlan, old: str, new: str, where: str, expected: str
) -> None:
    with pytest.raises(PlanError) as fault:
        little_board((old, new))
    assert fault.value.where == where
    assert expected in fault.value.expected
    assert str(fault.value) == f"{where}: expected {fault.value.expected}, got {fault.value.got}"


@given(st.text())
def test_any_other_text_is_refused_with_a_plan_error(text: str) -> None:
    with pytest.raises(PlanError):
        parse_plan(text)


def test_a_board_is_laid_out_as_its_file_says(little_board: ChangePlan) -> None:
    plan = little_board()
    assert (plan.sensor_count, plan.strip_count, plan.led_count) == (25, 7, 35)
    first, second = plan.named("oak 1"), plan.named("ash 1")
    assert first.x_mm == 14 + 55.88
    assert second.y_mm - first.y_mm == pytest.approx(12.7)
    assert plan.named("game hole").y_mm == pytest.approx((first.y_mm + second.y_mm) / 2)


def test_wiring_every_second_row_backwards_turns_its_strips_round(little_board: ChangePlan) -> None:
    there, back = little_board(), little_board(('"return"', '"alternate"'), ("y = 1.0", "y = -2.0"))
    assert there.named("ash 10").sensor > there.named("ash 1").sensor
    assert back.named("ash 10").sensor < back.named("ash 1").sensor
    assert back.named("ash 1").led_y_mm < back.named("ash 1").y_mm
    assert back.named("ash 1").x_mm == there.named("ash 1").x_mm
