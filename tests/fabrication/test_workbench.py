"""The table of `make hardware` with and without figures of the circuit boards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fabrication import workbench

FIGURES = {
    "row-1": {"parts": 34, "erc_findings": 0, "drc_findings": 0, "netlist_faults": 4},
    "hub": {"parts": 35, "erc_findings": 2, "drc_findings": 1, "netlist_faults": 0},
}


def test_missing_circuit_boards_are_shown_as_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench, "FIGURES_FILE", tmp_path / "none.json")
    assert workbench.board_figure("drc_findings") == "not built"
    assert workbench.circuit_boards_summary().startswith("not built")


def test_findings_of_all_circuit_boards_are_summed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pcb.json").write_text(json.dumps(FIGURES))
    monkeypatch.setattr(workbench, "FIGURES_FILE", tmp_path / "pcb.json")
    assert (workbench.board_figure("drc_findings"), workbench.board_figure("netlist_faults")) == ("1", "4")
    assert workbench.circuit_boards_summary() == (
        "row-1: ERC 0, DRC 0, netlist 4 findings; hub: ERC 2, DRC 1, netlist 0 findings"
    )


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert list(workbench.columns([("board", "holes"), ("a", "125")])) == ["board  holes", "a        125"]
