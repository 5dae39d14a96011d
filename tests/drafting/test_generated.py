"""What `cribboard draw` makes, and that the folder of it is fresh."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from board_drivers.pins import header_pins
from firmware_host.cli import main
from firmware_host.drafting.portfolio import KEPT, of_all, texts_of_board
from firmware_host.drafting.truths import the_case
from firmware_host.plans import demo_plan, load_plan, plan_ids

ROOT = Path(__file__).parents[2]
GENERATED = ROOT / "hardware" / "generated"


def kept(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix in KEPT}


@pytest.mark.parametrize("board", plan_ids())
def test_the_folder_of_each_board_is_fresh(board: str) -> None:
    """Mend: cribboard draw"""
    made = {name: body for name, body in texts_of_board(load_plan(board), the_case()).items() if name.endswith(KEPT)}
    assert kept(GENERATED / board) == made


def test_what_all_boards_share_is_fresh() -> None:
    """Mend: cribboard draw"""
    plans = [load_plan(board) for board in plan_ids()]
    assert kept(GENERATED) == dict(of_all(plans, demo_plan(), the_case(), header_pins()))


def test_no_folder_is_left_of_a_board_that_is_gone() -> None:
    assert {folder.name for folder in GENERATED.iterdir() if folder.is_dir()} == set(plan_ids())


def test_a_board_is_drawn_into_a_folder_of_its_own(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["draw", "classic-61", "--out", str(tmp_path / "new")])
    assert done.exit_code == 0, done.output
    assert {file.name for file in (tmp_path / "new" / "classic-61").iterdir()} >= {"drill-a4.pdf", "plate.dxf"}


def test_a_makers_own_plan_is_drawn(tmp_path: Path) -> None:
    text = (ROOT / "hardware" / "boards" / "classic-61.toml").read_text(encoding="utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(text.replace('id = "classic-61"', 'id = "mine"'), encoding="utf-8")
    done = CliRunner().invoke(main, ["draw", str(mine), "--out", str(tmp_path)])
    assert done.exit_code == 0 and (tmp_path / "mine" / "holes.csv").exists()


def test_a_plate_that_the_strips_screws_would_pierce_is_refused(tmp_path: Path) -> None:
    text = (ROOT / "hardware" / "boards" / "classic-61.toml").read_text(encoding="utf-8")
    thin = tmp_path / "thin.toml"
    thin.write_text(text.replace("thickness_mm = 12.0", "thickness_mm = 9.0"), encoding="utf-8")
    done = CliRunner().invoke(main, ["draw", str(thin), "--out", str(tmp_path / "new")])
    assert done.exit_code == 1 and "plate.thickness_mm: expected 10 or more" in done.output
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["classic-62"], "expected one of classic-61"), (["no.toml"], "no.toml: expected a plan file")],
)
def test_what_cannot_be_drawn_is_refused_by_name(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["draw", *arguments, "--out", str(tmp_path / "new")])
    assert done.exit_code == 1 and said in done.output
    assert not (tmp_path / "new").exists()


def test_away_from_a_checkout_a_folder_must_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["draw"])
    assert done.exit_code == 2 and "--out" in done.output


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    done = CliRunner().invoke(main, ["draw", "classic-61", "--out", str(tmp_path / "taken" / "in")])
    assert done.exit_code == 1 and "cannot be written" in done.output
