"""The table of `make hardware`: what the circuit boards' job left is told, and what was not built is said to be so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.drafting import workbench

MADE = {
    "strip": {"parts": 34, "drc_errors": 0, "unconnected": 4},
    "hub": {"parts": 35, "drc_errors": 1, "unconnected": 0},
}


def test_circuit_boards_that_were_not_built_are_said_to_be_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench, "BOARDS_MADE", tmp_path / "none.json")
    assert workbench.board_figure("drc_errors") == "not built"
    assert workbench.boards_in_words().startswith("not built")


def test_errors_of_both_circuit_boards_are_added_up_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pcb.json").write_text(json.dumps(MADE))
    monkeypatch.setattr(workbench, "BOARDS_MADE", tmp_path / "pcb.json")
    assert (workbench.board_figure("drc_errors"), workbench.board_figure("unconnected")) == ("1", "4")
    assert workbench.boards_in_words() == ("strip: 0 DRC errors, 4 unconnected; hub: 1 DRC errors, 0 unconnected")


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert list(workbench.columns([("board", "holes"), ("a", "125")])) == ["board  holes", "a        125"]
