"""Boards by name: those that travel with the program, whole families, and a maker's own file."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.board.plan import PlanError
from firmware_host.plans import NoSuchPlan, UnsoundPlan, demo_plan, load_plan, plan_ids

HARDWARE = Path(__file__).parents[1] / "hardware"
BOARDS = HARDWARE / "boards"


def test_the_boards_are_listed_by_the_id_they_bear() -> None:
    assert plan_ids() == ("classic-61", "continuous-121-2", "continuous-121-3", "continuous-121-4")
    assert tuple(load_plan(board).id for board in plan_ids()) == plan_ids()


@pytest.mark.parametrize("tracks", [2, 3, 4])
def test_a_family_and_its_tracks_name_a_board(tracks: int) -> None:
    plan = load_plan("continuous-121", tracks)
    assert (plan.id, plan.tracks) == (f"continuous-121-{tracks}", tracks)
    assert load_plan(plan.id) == plan


def test_a_board_that_is_its_own_family_may_be_named_with_its_tracks() -> None:
    assert load_plan("classic-61", 2) == load_plan("classic-61")


@pytest.mark.parametrize(
    ("board", "tracks"),
    [("classic-62", None), ("continuous-121", None), ("continuous-121", 5), ("", 2), ("../pins", 2)],
)
def test_a_board_that_does_not_exist_is_refused_by_name(board: str, tracks: int | None) -> None:
    with pytest.raises(NoSuchPlan) as refused:
        load_plan(board, tracks)
    assert board in str(refused.value)
    assert all(known in str(refused.value) for known in plan_ids())


@pytest.mark.parametrize(("board", "tracks"), [("classic-61", 3), ("continuous-121-2", 3)])
def test_a_board_with_other_tracks_than_asked_for_is_refused(board: str, tracks: int) -> None:
    with pytest.raises(NoSuchPlan, match=f"expected 2 tracks, got {tracks}"):
        load_plan(board, tracks)


def test_a_makers_own_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text((BOARDS / "classic-61.toml").read_text(encoding="utf-8").replace('"classic-61"', '"mine"'))
    assert load_plan(file).id == load_plan(str(file), 2).id == "mine"


def test_a_makers_board_that_would_not_work_is_refused_with_all_its_faults(tmp_path: Path) -> None:
    file = tmp_path / "tight.toml"
    file.write_text(
        (BOARDS / "classic-61.toml").read_text(encoding="utf-8").replace("margin_mm = 14.0", "margin_mm = 3.5")
    )
    with pytest.raises(UnsoundPlan) as refused:
        load_plan(file)
    assert str(file) in str(refused.value)
    assert str(refused.value).count("too near the edge") > 50


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "lost.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(NoSuchPlan, match="lost.toml"):
        load_plan(file)


def test_a_file_that_is_no_plan_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "note.toml"
    file.write_text("bread = 2")
    with pytest.raises(PlanError, match="id: expected a text, got nothing"):
        load_plan(file)


def test_all_boards_share_one_strip_and_one_drill() -> None:
    plans = [load_plan(board) for board in plan_ids()]
    assert len({plan.pattern for plan in plans}) == 1
    assert len({(plan.plate.hole_mm, plan.plate.light_mm, plan.lane_mm) for plan in plans}) == 1


def test_one_strip_is_a_sound_plan_of_five_holes_and_no_board_to_choose() -> None:
    plan = load_plan(HARDWARE / "demo" / "one-strip.toml")
    assert plan == demo_plan() and plan.id not in plan_ids()
    assert (plan.strip_count, plan.sensor_count, plan.led_count, plan.bit_count) == (1, 5, 5, 8)
    assert plan.pattern == load_plan("classic-61").pattern
