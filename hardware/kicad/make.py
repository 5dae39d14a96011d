"""Builds the KiCad project of the classic board and checks it: python -m hardware.kicad.make

Needs KiCad 9 (`hardware/pcb/get_kicad.sh`). The tracks of the matrix, the lights and the supply are drawn; those of the
controller are not, so the board cannot be ordered.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import GROUND, Circuit, CircuitError
from firmware_host.circuits.layout import EDGE_MM, BoardLayout, CopperZone, Label, Pad, Rect, Side
from firmware_host.config.board_plans import load_plan
from hardware.kicad.copper import SIGNAL_MM, ZONE_LEFT_MM, regular_copper
from hardware.kicad.netlist import matrix_circuit
from hardware.kicad.placement import HEIGHT_MM, WIDTH_MM, places
from hardware.kicad.schematic import REVISION, schematic_files
from hardware.pcb.board_file import board_file, project_file
from hardware.pcb.designators import designators
from hardware.pcb.footprints import body, library_pads, placed_pads
from hardware.pcb.houses import HOUSES, minimums, pad_rules, strictest
from hardware.pcb.kicad_cli import CheckReport, check_board, check_schematic
from hardware.pcb.pours import fill
from hardware.pcb.rules import circuit_faults, pad_faults
from hardware.pcb.sexpr import render

HERE = Path(__file__).parent
BOARD = "classic-61"
LIBRARY = HERE / "cribboard.pretty"


class Built(Struct, frozen=True):
    """What the checks of a board found."""

    circuit: Circuit
    erc: CheckReport
    drc: Mapping[str, CheckReport]


def layout_of(plan: BoardPlan) -> BoardLayout:
    """The layout of the board: places, ground below, 5 V at the right end."""
    inside = Rect(EDGE_MM, EDGE_MM, WIDTH_MM - EDGE_MM, HEIGHT_MM - EDGE_MM)
    zones = [
        CopperZone(GROUND, Side.BOTTOM, inside),
        CopperZone("5V", Side.BOTTOM, Rect(ZONE_LEFT_MM, 3.0, WIDTH_MM - EDGE_MM, HEIGHT_MM - 3.0), 1),
    ]
    labels = [Label(f"cribboard {plan.id} {REVISION}", 40.0, 60.0, Side.TOP, 1.5)]
    return BoardLayout(WIDTH_MM, HEIGHT_MM, places(plan), zones, [], labels, 0.2, SIGNAL_MM, {})


def board_pads(circuit: Circuit, layout: BoardLayout) -> list[Pad]:
    """All pads, and the holes of sockets, sorted by part and number."""
    found = [
        pad
        for part in circuit.parts
        for pad in placed_pads(part.ref, part.kind.footprint, layout.places[part.ref], dict(part.nets))
    ]
    return sorted(found, key=lambda pad: (pad.part, pad.number, pad.rect.left, pad.rect.top))


def build(folder: Path, settings: Path) -> Built:
    """Writes the project into `folder` and runs all checks. Raises CircuitError for a faulty circuit."""
    plan = load_plan(BOARD)
    circuit = matrix_circuit(plan)
    layout = layout_of(plan)
    pads = board_pads(circuit, layout)
    kinds = sorted({part.kind.footprint for part in circuit.parts})
    if found := circuit_faults(circuit) + pad_faults(circuit, library_pads(kinds)):
        raise CircuitError(circuit.name, "a netlist without faults", "; ".join(found), "fix netlist or catalogue")
    copper = regular_copper(plan)
    folder.mkdir(parents=True, exist_ok=True)
    for name, sheet in schematic_files(circuit).items():
        (folder / name).write_text(render(sheet) + "\n", encoding="utf-8")
    _write_library(folder)
    pours, _ = fill(layout, pads, copper)
    refs = designators(circuit, layout, pads, _boxes(circuit, layout, pads))
    named = replace(circuit, rails=dict.fromkeys(circuit.nets, 0.0))  # all nets are global
    file = folder / f"{BOARD}.kicad_pcb"
    file.write_text(render(board_file(named, layout, copper, pours, refs, REVISION)) + "\n", encoding="utf-8")
    drc = {}
    for house in HOUSES:
        _write_rules(circuit, layout, file, minimums(house), house.pad_ring)
        drc[house.name] = check_board(settings, file)
    _write_rules(circuit, layout, file, strictest(), max(house.pad_ring for house in HOUSES))
    erc = check_schematic(settings, file.with_suffix(".kicad_sch"))
    for report in folder.glob("*.json"):
        report.unlink()
    return Built(circuit, erc, drc)


def _write_library(folder: Path) -> None:
    """The library with the light's footprint lies beside the boards, which share it."""
    beside = folder.parent / LIBRARY.name
    if beside != LIBRARY:
        shutil.copytree(LIBRARY, beside, dirs_exist_ok=True)
    uri = f"${{KIPRJMOD}}/../{LIBRARY.name}"
    entry = f'(lib (name "{LIBRARY.stem}")(type "KiCad")(uri "{uri}")(options "")(descr ""))'
    table = f"(fp_lib_table\n  (version 7)\n  {entry}\n)\n"
    (folder / "fp-lib-table").write_text(table, encoding="utf-8")


def _write_rules(
    circuit: Circuit, layout: BoardLayout, file: Path, rules: Mapping[str, float], pad_ring: float
) -> None:
    file.with_suffix(".kicad_pro").write_text(project_file(circuit, layout, rules), encoding="utf-8")
    file.with_suffix(".kicad_dru").write_text(pad_rules(pad_ring), encoding="utf-8")


def _boxes(circuit: Circuit, layout: BoardLayout, pads: Sequence[Pad]) -> Mapping[str, Rect]:
    """The space of each part on the board."""
    own: dict[str, list[Rect]] = {}
    for pad in pads:
        own.setdefault(pad.part, []).append(pad.rect)
    found = {}
    for part in circuit.parts:
        outline = body(part.kind.footprint, layout.places[part.ref])
        found[part.ref] = Rect.around([*own[part.ref], outline] if outline else own[part.ref])
    return found


def main() -> int:
    """Writes the project; returns 1 if a check finds an error."""
    built = build(HERE / BOARD, HERE.parent / "build" / "kicad")
    for text in (*built.erc.findings, *(text for report in built.drc.values() for text in report.errors)):
        print(text)
    for house, report in built.drc.items():
        print(f"{BOARD}, {house}: {len(report.errors)} errors, {len(report.unconnected)} connections to draw")
    return int(any(report.errors for report in built.drc.values()))


if __name__ == "__main__":
    sys.exit(main())
