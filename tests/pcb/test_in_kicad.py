"""Both boards made anew by KiCad: no error, nothing unconnected, all files there; and what is broken is caught.

KiCad runs on Debian's own Python, so each of these is a process of its own.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest

from hardware.hub.netlist import HUB
from hardware.hub.placement import HUB_SHEET
from hardware.make_pcb import the_strip
from hardware.pcb.catalogue import HALL
from hardware.pcb.circuit import Circuit, Kind, Role
from hardware.pcb.fabrication import DRILLS, GERBERS, drill_hits
from hardware.pcb.kicad import SYMBOLS
from hardware.pcb.layout import Sheet
from hardware.strip.netlist import STRIP
from hardware.stripboard.strip import TO_92

ROOT = Path(__file__).parents[2]
PYTHON = "/usr/bin/python3"
pytestmark = pytest.mark.kicad
BOARDS = pytest.mark.parametrize(("circuit", "sheet"), [(STRIP, the_strip()), (HUB, HUB_SHEET)], ids=["strip", "hub"])


def in_kicad(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PYTHON, *words], cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both boards, made from nothing."""
    folder = tmp_path_factory.mktemp("made")
    done = in_kicad("-m", "hardware.make_pcb", "--into", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@BOARDS
def test_the_rules_are_kept_and_nothing_is_unconnected(made: Path, circuit: Circuit, sheet: Sheet) -> None:
    told = json.loads((made / "pcb.json").read_text())[circuit.name]
    assert (told["drc_errors"], told["drc_warnings"], told["unconnected"]) == (0, 0, 0)
    assert told["parts"] == len(circuit.parts)


@BOARDS
def test_the_order_is_complete(made: Path, circuit: Circuit, sheet: Sheet) -> None:
    with ZipFile(made / circuit.name / f"{circuit.name}-order.zip") as packed:
        names = set(packed.namelist())
    wanted = {f"{circuit.name}-{layer}.gbr" for layer in GERBERS} | {f"{circuit.name}-{kind}.drl" for kind in DRILLS}
    assert names == wanted | {f"{circuit.name}-bom.csv", f"{circuit.name}-cpl.csv"}


@BOARDS
def test_the_board_has_its_size(made: Path, circuit: Circuit, sheet: Sheet) -> None:
    outline = (made / circuit.name / "gerber" / f"{circuit.name}-Edge_Cuts.gbr").read_text()
    corners = [(int(x) / 1e6, int(y) / 1e6) for x, y in re.findall(r"^X(-?\d+)Y(-?\d+)D0[12]\*$", outline, re.M)]
    assert "%MOMM*%" in outline
    assert "%FSLAX46Y46*%" in outline
    xs, ys = zip(*corners, strict=True)
    assert (min(xs), max(xs)) == pytest.approx((0, sheet.width_mm), abs=0.01)
    assert (min(ys), max(ys)) == pytest.approx((0, sheet.height_mm), abs=0.01)


@BOARDS
def test_every_hole_is_drilled(made: Path, circuit: Circuit, sheet: Sheet) -> None:
    """Vias apart, the plated holes are the pins of what goes through the board; the others are for screws."""
    hits = {
        kind: dict(drill_hits((made / circuit.name / "gerber" / f"{circuit.name}-{kind}.drl").read_text()))
        for kind in DRILLS
    }
    through = sum(len(part.kind.pins) for part in circuit.parts if part.kind.hand_fitted)
    assert sum(count for size, count in hits["PTH"].items() if size > 0.3) == through
    assert hits["PTH"][0.3] == json.loads((made / "pcb.json").read_text())[circuit.name]["vias"]
    assert hits["NPTH"] == {sheet.screws[0].drill: len(sheet.screws)}


@BOARDS
def test_what_travels_with_the_project_is_fresh(made: Path, circuit: Circuit, sheet: Sheet) -> None:
    for name in (f"{circuit.name}-order.zip", "assembly.svg", "schematic.svg", "bom.csv"):
        kept = ROOT / "hardware" / circuit.name / name
        assert kept.read_bytes() == (made / circuit.name / name).read_bytes(), f"{kept} is stale: make pcb"


def test_the_room_that_the_spacer_leaves_for_parts_is_that_of_the_land_patterns(made: Path) -> None:
    kept = ROOT / "hardware" / "strip" / "bodies.csv"
    assert kept.read_bytes() == (made / "strip" / "bodies.csv").read_bytes(), f"{kept} is stale: make pcb"


BREAK = """
import dataclasses, sys
from pathlib import Path
from hardware.hub.netlist import HUB
from hardware.hub.placement import HUB_SHEET
from hardware.pcb.kicad import KicadBoard
from hardware.pcb.layout import Track, Side
from hardware.pcb.router import lay_tracks
made = KicadBoard(Path(sys.argv[1]), HUB, HUB_SHEET)
copper = lay_tracks("hub", HUB_SHEET, made.pads())
if sys.argv[2] == "cut":
    tracks = [track for track in copper.tracks if track.net != "SPI_MISO"]
else:
    pads = {pad.net: pad.rect for pad in made.pads() if pad.part == "U1"}
    a, b = pads["SCLK"], pads["SPI_MOSI"]
    tracks = [*copper.tracks, Track("SCLK", Side.TOP, a.left + 0.4, a.top + 0.3, b.left + 0.4, b.top + 0.3, 0.25)]
made.lay(dataclasses.replace(copper, tracks=tracks))
verdict = made.check()
print(len(verdict.errors), len(verdict.unconnected), *verdict.errors, *verdict.unconnected, sep="\\n")
"""


@pytest.mark.parametrize(("how", "told"), [("cut", "SPI_MISO"), ("short", "SPI_MOSI")])
def test_a_broken_net_is_caught(tmp_path: Path, how: str, told: str) -> None:
    done = in_kicad("-c", BREAK, str(tmp_path / "broken.kicad_pcb"), how)
    errors, unconnected, *findings = done.stdout.splitlines()
    assert (int(unconnected) if how == "cut" else int(errors)) >= 1, done.stdout + done.stderr
    assert any(told in finding for finding in findings)


def symbol(library: str, name: str) -> Mapping[str, tuple[str, str]]:
    """KiCad's own symbol: pin number -> name and electrical type."""
    text = (SYMBOLS / f"{library}.kicad_sym").read_text(encoding="utf-8")
    start = text.index(f'(symbol "{name}"')
    following = re.compile(r'\n  \(symbol "').search(text, start + 1)
    block = text[start : following.start() if following else None]
    if parent := re.search(r'\(extends "([^"]+)"\)', block):
        return symbol(library, parent[1])
    pins = re.findall(r'\(pin (\w+) \w+.*?\(name "([^"]*)".*?\(number "([^"]*)"', block, re.S)
    return {number: (label, kind) for kind, label, number in pins}


KINDS = {part.kind.name: part.kind for circuit in (STRIP, HUB) for part in circuit.parts if part.kind.symbol}
SAID = {
    "power_in": (Role.TAKES, Role.GROUND),
    "input": (Role.HEARS,),
    "output": (Role.DRIVES, Role.SINKS),
    "tri_state": (Role.GATED,),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_pins_are_those_of_kicads_own_library(kind: Kind) -> None:
    """An independent witness: numbers always; what a pin does, and its name, where the library tells."""
    theirs = symbol(*kind.symbol.split(":"))
    assert {pin.number for pin in kind.pins} == set(theirs)
    for pin in kind.pins:
        name, electrical = theirs[pin.number]
        assert pin.role in SAID.get(electrical, tuple(Role)), f"{kind.name}.{pin.number}: {electrical}"
        plain = re.sub(r"~\{(\w+)\}", r"\1", name)
        if len(kind.pins) > 2 and len(plain) > 1 and plain not in {"Q7"} and "." not in plain:
            assert pin.name == plain, f"{kind.name}.{pin.number}"


def test_a_switch_in_to_92_has_its_legs_in_the_order_of_kicads_own_library() -> None:
    """The same maker's switch in the same case; the SOT-23 has another order."""
    theirs = symbol("Sensor_Magnetic", "DRV5033AJxLPG")
    assert [theirs[str(leg)][0] for leg in (1, 2, 3)] == list(TO_92)
    assert [pin.name for pin in HALL.pins] != list(TO_92)
