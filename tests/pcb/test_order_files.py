"""The stored order files of revision C: what a person who orders a board finds in them. Needs no KiCad."""

from __future__ import annotations

import re
from csv import DictReader
from io import StringIO
from zipfile import ZipFile

import pytest

from firmware_host.circuits.netlist import matrix_circuit
from firmware_host.circuits.sources import record_of
from firmware_host.config.board_plans import load_plan
from hardware.kicad.controller import HERE
from hardware.kicad.layouts import BOARDS, layout_of
from hardware.kicad.placement import frame_of
from hardware.pcb.board_file import ORIGIN_MM
from hardware.pcb.fabrication import DRILLS, LAYERS, order_lists
from hardware.pcb.houses import HOUSES

LEAST_FROM_EDGE_MM = 3.35 + 1.0
"""Of the middle of a fiducial, whose opening in the mask is 2 mm wide: jlcpcb.com/help/article/48."""
EACH = pytest.mark.parametrize("name", BOARDS)


@EACH
def test_parts_and_placements_are_those_of_netlist_places_and_sources(name: str) -> None:
    plan = load_plan(name)
    with ZipFile(HERE / f"{name}-order.zip") as packed:
        stored = {file: packed.read(file).decode() for file in packed.namelist() if file.endswith(".csv")}
    assert stored == order_lists(matrix_circuit(plan), layout_of(plan), record_of)


@EACH
def test_each_line_of_the_parts_list_has_the_footprint_and_number_of_its_record(name: str) -> None:
    parts = {part.ref: part for part in matrix_circuit(load_plan(name)).parts}
    with ZipFile(HERE / f"{name}-order.zip") as packed:
        lines = list(DictReader(StringIO(packed.read(f"{name}-bom.csv").decode())))
    for line in lines:
        for ref in line["Designator"].split(","):
            part, record = parts[ref], record_of(parts[ref])
            assert (line["Comment"], line["LCSC Part #"]) == (part.value, record.lcsc), ref
            assert record.footprint.split(":")[1] == line["Footprint"], ref


@EACH
def test_layers_and_drills_are_complete_and_the_board_fits_both_houses(name: str) -> None:
    with ZipFile(HERE / f"{name}-order.zip") as packed:
        files = set(packed.namelist())
    gerbers = {f"{name}-{layer.replace('.', '_').replace('SilkS', 'Silkscreen')}.gbr" for layer in LAYERS}
    assert gerbers | {f"{name}-{kind}.drl" for kind in DRILLS} < files
    layout = layout_of(load_plan(name))
    for house in HOUSES:
        assert min(layout.width_mm, layout.height_mm) <= min(house.largest)
        assert max(layout.width_mm, layout.height_mm) <= max(house.largest)


@EACH
def test_three_fiducials_are_far_enough_from_the_edge_for_the_assembler(name: str) -> None:
    text = (HERE / name / f"{name}.kicad_pcb").read_text(encoding="utf-8")
    found = re.findall(r'\(footprint "Fiducial:.*?\(at ([\d.]+) ([\d.]+)', text, re.S)
    frame = frame_of(load_plan(name))
    assert len(found) == 3
    for x, y in ((float(x) - ORIGIN_MM, float(y) - ORIGIN_MM) for x, y in found):
        assert min(x, y, frame.width_mm - x, frame.height_mm - y) >= LEAST_FROM_EDGE_MM
