"""Builds the KiCad project of each board and checks it: python -m hardware.kicad.make [BOARD...]

Needs KiCad 9 (`hardware/pcb/get_kicad.sh`). The tracks of the matrix, the lights and the supply follow a formula; those
of the controller are kept in a file.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import Circuit, CircuitError
from firmware_host.circuits.layout import BoardLayout, Copper, Pad, Rect
from firmware_host.circuits.netlist import matrix_circuit
from firmware_host.config.board_plans import load_plan
from hardware.kicad.controller import HERE, kept_copper, kept_file
from hardware.kicad.fiducials import fiducials
from hardware.kicad.layouts import BOARDS, layout_of, regular_copper
from hardware.kicad.order import Order, write_order
from hardware.kicad.placement import frame_of
from hardware.kicad.schematic import REVISION, schematic_files
from hardware.kicad.space import space_csv
from hardware.pcb.board_file import board_file, project_file
from hardware.pcb.designators import designators
from hardware.pcb.footprints import body, library_pads, placed_pads
from hardware.pcb.houses import HOUSES, minimums, pad_rules, strictest
from hardware.pcb.kicad_cli import CheckReport, check_board, check_schematic
from hardware.pcb.outlines import printed_boxes
from hardware.pcb.pictures import export_step
from hardware.pcb.pours import fill
from hardware.pcb.rules import circuit_faults, pad_faults
from hardware.pcb.sexpr import render

LIBRARY = HERE / "cribboard.pretty"
BUILD = HERE.parent / "build"
FIGURES_FILE = BUILD / "pcb.json"
"""What the checks found, by board, for the table of `make hardware`."""


class Built(Struct, frozen=True):
    """What the checks of a board found."""

    circuit: Circuit
    erc: CheckReport
    drc: Mapping[str, CheckReport]
    order: Order


def board_pads(circuit: Circuit, layout: BoardLayout) -> list[Pad]:
    """All pads, and the holes of sockets, sorted by part and number."""
    found = [
        pad
        for part in circuit.parts
        for pad in placed_pads(part.ref, part.kind.footprint, layout.places[part.ref], dict(part.nets))
    ]
    return sorted(found, key=lambda pad: (pad.part, pad.number, pad.rect.left, pad.rect.top))


def build(plan: BoardPlan, folder: Path, settings: Path) -> Built:
    """Writes the project into `folder` and runs all checks. Raises CircuitError for a faulty circuit."""
    circuit = matrix_circuit(plan)
    layout = layout_of(plan)
    pads = board_pads(circuit, layout)
    kinds = sorted({part.kind.footprint for part in circuit.parts})
    if found := circuit_faults(circuit) + pad_faults(circuit, library_pads(kinds)):
        raise CircuitError(circuit.name, "a netlist without faults", "; ".join(found), "fix netlist or catalogue")
    regular, kept = regular_copper(plan), kept_copper(kept_file(plan))
    copper = Copper([*regular.tracks, *kept.tracks], [*regular.vias, *kept.vias])
    folder.mkdir(parents=True, exist_ok=True)
    for name, sheet in schematic_files(circuit).items():
        (folder / name).write_text(render(sheet) + "\n", encoding="utf-8")
    _write_library(folder)
    bodies = _boxes(circuit, layout, pads)
    layout = replace(layout, fiducials=fiducials(layout, bodies.values(), pads, copper))
    pours = fill(layout, pads, copper)
    frame = frame_of(plan)
    space = space_csv(circuit, layout, bodies, frame.left_mm, frame.top_mm)
    (folder.parent / f"{plan.id}-space.csv").write_text(space, encoding="utf-8")
    refs = designators(circuit, layout, pads, printed_boxes(circuit, layout, bodies))
    named = replace(circuit, rails=dict.fromkeys(circuit.nets, 0.0))  # all nets are global
    file = folder / f"{plan.id}.kicad_pcb"
    file.write_text(render(board_file(named, layout, copper, pours, refs, REVISION)) + "\n", encoding="utf-8")
    drc = {}
    for house in HOUSES:
        _write_rules(circuit, layout, file, minimums(house), house.pad_ring)
        drc[house.name] = check_board(settings, file)
    _write_rules(circuit, layout, file, strictest(), max(house.pad_ring for house in HOUSES))
    erc = check_schematic(settings, file.with_suffix(".kicad_sch"))
    for report in folder.glob("*.json"):
        report.unlink()
    return Built(
        circuit, erc, drc, write_order(circuit, layout, pads, bodies, file, settings.parent / "order", settings)
    )


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


def figures_of(built: Built) -> Mapping[str, int]:
    """The number of parts, and of the findings of each check."""
    return {
        "parts": sum(not part.kind.is_bare for part in built.circuit.parts),
        "erc_findings": len(built.erc.findings),
        "drc_findings": sum(len(report.findings) for report in built.drc.values()),
        "netlist_faults": len(built.order.read_back.faults),
    }


def main(names: Sequence[str]) -> int:
    """Writes the projects and the orders; returns 1 if a check finds anything."""
    faulty = 0
    figures: dict[str, Mapping[str, int]] = json.loads(FIGURES_FILE.read_text()) if FIGURES_FILE.exists() else {}
    for name in names or BOARDS:
        built = build(load_plan(name), HERE / name, BUILD / "kicad")
        shutil.copy(built.order.file, HERE)
        solid = export_step(BUILD / "kicad", HERE / name / f"{name}.kicad_pcb")
        shutil.move(solid, BUILD / solid.name)
        figures[name] = figures_of(built)
        FIGURES_FILE.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        found = [*built.erc.findings, *(text for report in built.drc.values() for text in report.findings)]
        found += built.order.read_back.faults
        for text in found:
            print(text)
        print(f"{name}: {len(found)} findings of ERC, DRC for {len(built.drc)} houses, and the netlist of the Gerbers")
        faulty |= bool(found)
    return int(faulty)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
