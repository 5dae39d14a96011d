"""`cribboard draw` and the committed files in `hardware/generated`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from board_drivers.pins import header_pins
from firmware_host.cli import main
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.dimensions import load_case
from firmware_host.fabrication.outputs import COMMITTED_SUFFIXES, board_text_files, shared_files

ROOT = Path(__file__).parents[2]
GENERATED = ROOT / "hardware" / "generated"


def committed(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix in COMMITTED_SUFFIXES}


@pytest.mark.parametrize("board", plan_ids())
def test_committed_files_of_each_board_are_up_to_date(board: str) -> None:
    """Fix: run `cribboard draw`."""
    made = {
        name: body
        for name, body in board_text_files(load_plan(board), load_case()).items()
        if name.endswith(COMMITTED_SUFFIXES)
    }
    assert committed(GENERATED / board) == made


def test_committed_shared_files_are_up_to_date() -> None:
    """Fix: run `cribboard draw`."""
    plans = [load_plan(board) for board in plan_ids()]
    assert committed(GENERATED) == dict(shared_files(plans, load_case(), header_pins()))


def test_there_is_one_folder_per_board() -> None:
    assert {folder.name for folder in GENERATED.iterdir() if folder.is_dir()} == set(plan_ids())


def test_draw_writes_a_board_into_its_own_folder(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["draw", "classic-61", "--out", str(tmp_path / "new")])
    assert done.exit_code == 0, done.output
    assert {file.name for file in (tmp_path / "new" / "classic-61").iterdir()} >= {"drill-a4.pdf", "plate.dxf"}


def test_draw_accepts_a_plan_file(tmp_path: Path) -> None:
    text = (ROOT / "hardware" / "boards" / "classic-61.toml").read_text(encoding="utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(text.replace('id = "classic-61"', 'id = "mine"'), encoding="utf-8")
    done = CliRunner().invoke(main, ["draw", str(mine), "--out", str(tmp_path)])
    assert done.exit_code == 0 and (tmp_path / "mine" / "holes.csv").exists()


def test_draw_refuses_a_plate_that_is_too_thin_for_the_screws(tmp_path: Path) -> None:
    text = (ROOT / "hardware" / "boards" / "classic-61.toml").read_text(encoding="utf-8")
    thin = tmp_path / "thin.toml"
    thin.write_text(text.replace("thickness_mm = 12.0", "thickness_mm = 9.0"), encoding="utf-8")
    done = CliRunner().invoke(main, ["draw", str(thin), "--out", str(tmp_path / "new")])
    assert done.exit_code == 1 and "plate.thickness_mm: expected 10 or more" in done.output
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(["classic-62"], "expected one of classic-61"), (["no.toml"], "no.toml: expected a plan file")],
)
def test_draw_refuses_an_unknown_board(tmp_path: Path, arguments: list[str], expected: str) -> None:
    done = CliRunner().invoke(main, ["draw", *arguments, "--out", str(tmp_path / "new")])
    assert done.exit_code == 1 and expected in done.output
    assert not (tmp_path / "new").exists()


def test_draw_outside_a_checkout_needs_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["draw"])
    assert done.exit_code == 2 and "--out" in done.output


def test_draw_reports_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    done = CliRunner().invoke(main, ["draw", "classic-61", "--out", str(tmp_path / "taken" / "in")])
    assert done.exit_code == 1 and "cannot be written" in done.output
