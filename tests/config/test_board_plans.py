"""Board plans by id, by family and tracks, and by the path of a maker's own file."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.board.plan import PlanError
from firmware_host.config.board_plans import NoSuchPlan, PlanFailsAudit, load_plan, plan_ids

HARDWARE = Path(__file__).parents[2] / "hardware"
BOARDS = HARDWARE / "boards"


def test_built_in_boards_are_listed_by_id() -> None:
    assert plan_ids() == ("classic-61", "continuous-121-2", "continuous-121-3", "continuous-121-4", "corners-61")
    assert tuple(load_plan(board).id for board in plan_ids()) == plan_ids()


@pytest.mark.parametrize("tracks", [2, 3, 4])
def test_family_and_tracks_select_a_board(tracks: int) -> None:
    plan = load_plan("continuous-121", tracks)
    assert (plan.id, plan.tracks) == (f"continuous-121-{tracks}", tracks)
    assert load_plan(plan.id) == plan


def test_a_board_id_may_be_given_with_its_tracks() -> None:
    assert load_plan("classic-61", 2) == load_plan("classic-61")


@pytest.mark.parametrize(
    ("board", "tracks"),
    [("classic-62", None), ("continuous-121", None), ("continuous-121", 5), ("", 2), ("../pins", 2)],
)
def test_an_unknown_board_is_refused_with_the_known_ids(board: str, tracks: int | None) -> None:
    with pytest.raises(NoSuchPlan) as refused:
        load_plan(board, tracks)
    assert board in str(refused.value)
    assert all(known in str(refused.value) for known in plan_ids())


@pytest.mark.parametrize(("board", "tracks"), [("classic-61", 3), ("continuous-121-2", 3)])
def test_a_board_with_another_number_of_tracks_is_refused(board: str, tracks: int) -> None:
    with pytest.raises(NoSuchPlan, match=f"expected 2 tracks, got {tracks}"):
        load_plan(board, tracks)


def test_a_plan_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text((BOARDS / "classic-61.toml").read_text(encoding="utf-8").replace('"classic-61"', '"mine"'))
    assert load_plan(file).id == load_plan(str(file), 2).id == "mine"


def test_a_plan_file_that_fails_the_audit_is_refused_with_all_findings(tmp_path: Path) -> None:
    file = tmp_path / "tight.toml"
    file.write_text(
        (BOARDS / "classic-61.toml").read_text(encoding="utf-8").replace("margin_mm = 14.0", "margin_mm = 3.5")
    )
    with pytest.raises(PlanFailsAudit) as refused:
        load_plan(file)
    assert str(file) in str(refused.value)
    assert str(refused.value).count("too near the edge") > 50


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_an_unreadable_plan_file_is_refused_by_name(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "lost.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(NoSuchPlan, match="lost.toml"):
        load_plan(file)


def test_a_file_without_a_plan_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "note.toml"
    file.write_text("bread = 2")
    with pytest.raises(PlanError, match="id: expected a text, got nothing"):
        load_plan(file)


def test_all_boards_use_the_same_strip_and_drill_sizes() -> None:
    plans = [load_plan(board) for board in plan_ids()]
    assert len({plan.pattern for plan in plans}) == 1
    assert len({(plan.plate.hole_mm, plan.plate.light_mm) for plan in plans}) == 1
