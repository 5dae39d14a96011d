"""Panels from the committed order files, read back independently: every board of a panel has the netlist intended."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace
from shapely.geometry import LineString

from firmware_host.circuits.row_boards import SIZES
from firmware_host.circuits.row_placement import row_layout
from firmware_host.config.board_plans import load_plan, plan_ids
from hardware.make_pcb import Design, designs, terminals
from hardware.pcb.gerber_netlist import check_copper, read_copper, read_drills
from hardware.pcb.houses import HOUSES
from hardware.pcb.panel import RAIL_MM, ROWS, TOOLING_MM, V_CUTS, Panel, panel_of, write_panel

ROW = Path(__file__).parents[2] / "hardware" / "row"
PATTERN = load_plan(plan_ids()[0]).pattern
LAYOUTS = {f"row-{size}": row_layout(PATTERN, size) for size in SIZES}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The files of each panel by layer."""
    found = {}
    for name in LAYOUTS:
        made, _ = write_panel(ROW / f"{name}-order.zip", tmp_path_factory.mktemp(name))
        with ZipFile(made) as packed:
            found[name] = {
                file.removeprefix(f"{name}-panel-"): packed.read(file).decode() for file in packed.namelist()
            }
    return found


def panel(name: str) -> Panel:
    layout = LAYOUTS[name]
    return panel_of(layout.width_mm, layout.height_mm)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_house_makes_the_panel(name: str) -> None:
    width, height = panel(name).size
    assert panel(name).rows == ROWS
    for house in HOUSES:
        assert min(width, height) >= house.least_panel
        assert sorted((width, height)) <= sorted(house.largest)
        assert width <= max(house.largest) and height <= min(house.largest)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_panel_has_every_layer_and_the_cuts(files: dict[str, dict[str, str]], name: str) -> None:
    with ZipFile(ROW / f"{name}-order.zip") as packed:
        layers = {file.removeprefix(f"{name}-") for file in packed.namelist() if file.endswith((".gbr", ".drl"))}
    assert set(files[name]) == layers | {f"{V_CUTS}.gbr"}
    for text in files[name].values():
        assert text.rstrip().endswith(("M02*", "M30"))
        assert text.count("M02*") + text.count("M30") == 1


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_board_of_a_panel_has_the_holes_of_one(files: dict[str, dict[str, str]], name: str) -> None:
    count = panel(name).columns * panel(name).rows
    with ZipFile(ROW / f"{name}-order.zip") as packed:
        for kind, more in (("PTH.drl", 0), ("NPTH.drl", 4)):
            one = list(read_drills(packed.read(f"{name}-{kind}").decode()))
            all_of_them = list(read_drills(files[name][kind]))
            assert len(all_of_them) == count * len(one) + more
    rails = [hole for hole in read_drills(files[name]["NPTH.drl"]) if hole[2] == TOOLING_MM]
    height = panel(name).size[1]
    assert {min(y, height - y) for _, y, _ in rails} == {RAIL_MM / 2} and len(rails) == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
def test_copper_keeps_its_distance_from_the_cuts(files: dict[str, dict[str, str]], name: str) -> None:
    cuts = [LineString(cut) for cut in panel(name).cuts()]
    drawn = re.findall(r"X(-?\d+)Y(-?\d+)D0([12])\*", files[name][f"{V_CUTS}.gbr"])
    assert len(drawn) == 2 * len(cuts) == 2 * (panel(name).rows + panel(name).columns)
    for side in "FB":
        for piece in read_copper(files[name][f"{side}_Cu.gbr"]):
            assert min(piece.distance(cut) for cut in cuts) >= max(house.edge for house in HOUSES) - 0.005


@pytest.mark.kicad
@pytest.mark.parametrize("design", [design for design in designs() if design.name in LAYOUTS], ids=lambda one: one.name)
def test_every_board_of_a_panel_has_the_netlist_intended(files: dict[str, dict[str, str]], design: Design) -> None:
    made = files[design.name]
    layers = [read_copper(made[f"{side}_Cu.gbr"]) for side in "FB"]
    copies = [
        replace(one, name=f"{copy} {one.name}", net=one.net and f"{copy} {one.net}", x=one.x + x, y=one.y + y)
        for copy, (x, y) in enumerate(panel(design.name).places())
        for one in terminals(design)
    ]
    found = check_copper(layers, list(read_drills(made["PTH.drl"])), copies)
    assert found.faults == ()
    assert found.clearance_mm >= max(house.clearance for house in HOUSES) - 0.001  # arcs are read as short lines
