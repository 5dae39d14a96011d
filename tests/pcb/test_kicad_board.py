"""The KiCad project of revision C's classic board: as generated, and without a finding of KiCad's checks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware_host.circuits.circuit import Kind
from firmware_host.config.board_plans import load_plan
from hardware.kicad.make import BOARD, HERE, Built, build
from hardware.kicad.netlist import matrix_circuit
from hardware.pcb.sexpr import child, children, parse

pytestmark = [pytest.mark.kicad, pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("revision-c")


@pytest.fixture(scope="module")
def built(folder: Path) -> Built:
    """The board from its committed routes."""
    return build(folder / BOARD, folder / "kicad")


def test_the_electrical_rule_check_finds_nothing(built: Built) -> None:
    assert built.erc.findings == ()


def test_nothing_drawn_breaks_the_design_rules_of_both_houses_or_differs_from_the_schematic(built: Built) -> None:
    for house, report in built.drc.items():
        assert report.errors == (), house
        assert report.parity == (), house


def test_all_connections_at_the_holes_are_drawn(built: Built) -> None:
    """What is left to draw is at the controller: no switch or light is among it."""
    for report in built.drc.values():
        assert [
            text for text in report.unconnected if re.search(r" of (U[12]\d\d|D1?[0-9]?\d|C1\d\d\d?)\b", text)
        ] == []


def test_the_committed_project_is_what_the_tool_makes(built: Built, folder: Path) -> None:
    made = sorted(file for file in (folder / built.circuit.name).iterdir() if file.suffix.startswith(".kicad"))
    for file in made:
        assert file.read_text(encoding="utf-8") == (HERE / BOARD / file.name).read_text(encoding="utf-8"), file.name


KINDS = {part.kind.name: part.kind for part in matrix_circuit(load_plan(BOARD)).parts if part.kind.symbol}
SYMBOLS = Path("/usr/share/kicad/symbols")
ALIASES = {"SER": "DS", "SRCLK": "SHCP", "RCLK": "STCP", "SRCLR": "MR", "QH'": "Q7S", "VI": "IN"} | {
    f"Q{letter}": f"Q{number}" for number, letter in enumerate("ABCDEFGH")
}
"""KiCad's names of the pins of the column register, and ours."""


def symbol_pins(library: str, name: str) -> Mapping[str, str]:
    """The name of each pin of a KiCad symbol, by number."""
    symbols = {
        str(symbol[1]): symbol
        for symbol in children(parse((SYMBOLS / f"{library}.kicad_sym").read_text(encoding="utf-8")), "symbol")
    }
    found = symbols[name]
    while parent := child(found, "extends"):
        found = symbols[str(parent[1])]
    pins = [pin for unit in children(found, "symbol") for pin in children(unit, "pin")]
    return {str((child(pin, "number") or [])[1]): str((child(pin, "name") or [])[1]) for pin in pins}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_pins_agree_with_the_symbols_of_kicad(kind: Kind) -> None:
    theirs = symbol_pins(*kind.symbol.split(":"))
    assert {pin.number for pin in kind.pins} == set(theirs)
    if len(kind.pins) < 7:
        return
    for pin in kind.pins:
        inverted = re.sub(r"~\{(Q\d)\}", r"\1N", theirs[pin.number])
        plain = re.sub(r"~\{(\w+)\}", r"\1", inverted).split("/")[0]
        assert pin.name == ALIASES.get(plain, plain), f"{kind.name}.{pin.number}"
