"""The KiCad projects of revision C: as generated, and without a finding of KiCad's checks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from csv import DictReader
from io import StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from firmware_host.circuits.circuit import Kind
from firmware_host.circuits.layout import CLEARANCE_MM
from firmware_host.circuits.netlist import matrix_circuit
from firmware_host.config.board_plans import load_plan
from hardware.kicad.controller import HERE, drawn_copper, kept_file, lines_of
from hardware.kicad.layouts import BOARDS, regular_copper
from hardware.kicad.make import Built, build
from hardware.pcb.fabrication import DRILLS, LAYERS
from hardware.pcb.sexpr import child, children, parse

pytestmark = [pytest.mark.kicad, pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("revision-c")


@pytest.fixture(scope="module", params=BOARDS)
def built(request: pytest.FixtureRequest, folder: Path) -> Built:
    """Each board from its committed routes."""
    return build(load_plan(request.param), folder / request.param, folder / "kicad")


def test_the_electrical_rule_check_finds_nothing(built: Built) -> None:
    assert built.erc.findings == ()


def test_the_design_rule_check_of_both_houses_finds_nothing_and_no_connection_is_missing(built: Built) -> None:
    for house, report in built.drc.items():
        assert report.findings == (), house


def test_the_gerber_files_have_the_netlist_intended(built: Built) -> None:
    found = built.order.read_back
    assert found.faults == ()
    open_pins = sum(part.nets.get(pin.number) is None for part in built.circuit.parts for pin in part.kind.pins)
    assert found.nets == len(built.circuit.nets) + open_pins
    assert found.clearance_mm >= CLEARANCE_MM - 0.001
    assert found.ring_mm >= 0.13


def test_the_committed_order_is_up_to_date(built: Built) -> None:
    committed = HERE / built.order.file.name
    assert committed.read_bytes() == built.order.file.read_bytes(), f"{committed.name}: python -m hardware.kicad.make"


def test_the_order_has_every_layer_drill_part_and_place(built: Built) -> None:
    name = built.circuit.name
    with ZipFile(built.order.file) as packed:
        names = set(packed.namelist())
        bought = list(DictReader(StringIO(packed.read(f"{name}-bom.csv").decode())))
        placed = list(DictReader(StringIO(packed.read(f"{name}-cpl.csv").decode())))
    gerbers = {f"{name}-{layer.replace('.', '_').replace('SilkS', 'Silkscreen')}.gbr" for layer in LAYERS}
    assert gerbers | {f"{name}-{kind}.drl" for kind in DRILLS} < names
    mounted = {part.ref for part in built.circuit.parts if not part.kind.is_bare}
    assert {ref for line in bought for ref in line["Designator"].split(",")} == mounted
    by_hand = {part.ref for part in built.circuit.parts if part.kind.hand_fitted}
    assert {line["Designator"] for line in placed} == mounted - by_hand


@pytest.mark.parametrize("name", BOARDS)
def test_the_tracks_of_the_controller_can_be_taken_back_from_the_board(name: str) -> None:
    plan = load_plan(name)
    board = parse((HERE / name / f"{name}.kicad_pcb").read_text(encoding="utf-8"))
    assert lines_of(drawn_copper(board, regular_copper(plan))) == kept_file(plan).read_text(encoding="utf-8")


def test_the_committed_project_is_what_the_tool_makes(built: Built, folder: Path) -> None:
    made = sorted(file for file in (folder / built.circuit.name).iterdir() if file.suffix.startswith(".kicad"))
    for file in made:
        assert file.read_text(encoding="utf-8") == (HERE / built.circuit.name / file.name).read_text(
            encoding="utf-8"
        ), file.name


def test_the_committed_space_is_that_of_the_board(built: Built, folder: Path) -> None:
    """Spacer, clips and recess follow from it."""
    name = f"{built.circuit.name}-space.csv"
    assert (HERE / name).read_text(encoding="utf-8") == (folder / name).read_text(encoding="utf-8")


KINDS = {part.kind.name: part.kind for part in matrix_circuit(load_plan(BOARDS[0])).parts if part.kind.symbol}
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
