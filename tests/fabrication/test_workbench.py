"""The table of `make hardware` with and without figures of the circuit boards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fabrication import workbench

FIGURES = {
    "classic-61": {"parts": 376, "erc_findings": 0, "drc_findings": 0, "netlist_faults": 4},
    "corners-61": {"parts": 382, "erc_findings": 2, "drc_findings": 1, "netlist_faults": 0},
}


def test_missing_circuit_boards_are_shown_as_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench, "FIGURES_FILE", tmp_path / "none.json")
    assert workbench.board_figure("classic-61", "drc_findings") == "not built"
    assert workbench.circuit_boards_summary().startswith("not built")


def test_findings_of_circuit_boards_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pcb.json").write_text(json.dumps(FIGURES))
    monkeypatch.setattr(workbench, "FIGURES_FILE", tmp_path / "pcb.json")
    assert workbench.board_figure("classic-61", "netlist_faults") == "4"
    assert workbench.board_figure("continuous-121-2", "netlist_faults") == "not built"
    assert workbench.circuit_boards_summary() == (
        "classic-61: ERC 0, DRC 0, netlist 4 findings; corners-61: ERC 2, DRC 1, netlist 0 findings"
    )


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert list(workbench.columns([("board", "holes"), ("a", "125")])) == ["board  holes", "a        125"]
