"""Builds all circuit boards and their order files: python -m hardware.make_pcb

Needs KiCad 9 (`hardware/pcb/get_kicad.sh` installs it) for its footprints, checks and plots. Writes into
hardware/build; the drawings and order files that are committed are written to hardware/row and hardware/hub. A board
whose layout changed is routed again, which takes some minutes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from firmware_host.board.strip import StripPattern
from firmware_host.circuits.circuit import Circuit, CircuitError
from firmware_host.circuits.hub_netlist import HUB
from firmware_host.circuits.hub_placement import HUB_LAYOUT
from firmware_host.circuits.layout import BoardLayout, Copper, Pad, Rect
from firmware_host.circuits.row_boards import SIZES
from firmware_host.circuits.row_bodies import bodies_csv, file_name
from firmware_host.circuits.row_netlist import row_circuit
from firmware_host.circuits.row_placement import RowCell, row_layout
from firmware_host.config.board_plans import load_plan, plan_ids
from hardware.pcb import gerber_netlist
from hardware.pcb.assembly import assembly_svg
from hardware.pcb.board_file import board_file, project_file
from hardware.pcb.designators import designators
from hardware.pcb.fabrication import bom_csv, order_lists, plot_gerbers, write_zip
from hardware.pcb.footprints import body, library_pads, placed_pads
from hardware.pcb.gerber_netlist import CopperCheck, Terminal, terminals_of
from hardware.pcb.houses import HOUSES, minimums, pad_rules, strictest
from hardware.pcb.kicad_cli import CheckReport, check_board, check_schematic, run_kicad
from hardware.pcb.panel import write_panel
from hardware.pcb.pictures import export_step, render_sides, small_picture
from hardware.pcb.pours import fill
from hardware.pcb.router import route_board
from hardware.pcb.routes import routed, routes_text
from hardware.pcb.rules import circuit_faults, pad_faults
from hardware.pcb.schematic_file import schematic_files
from hardware.pcb.sexpr import render
from hardware.row.routing import route_row

HERE = Path(__file__).parent
BUILD = HERE / "build"
SHEETS = 2
"""Sheets that are published: the first, and one of those that are repeated."""
KICAD_DATED = re.compile(r"<title>.*?</title>|<desc>.*?</desc>", re.S)


def shared_pattern() -> StripPattern:
    """The pattern of the strips, which all boards share. Raises CircuitError if the plans need different boards."""
    patterns = {load_plan(board).pattern for board in plan_ids()}
    if len(patterns) != 1:
        fix = "give all plans the same [grid] and [strip], or make one row board per plan"
        raise CircuitError("hardware/boards", "one row board for all plans", f"{len(patterns)} patterns", fix)
    return patterns.pop()


class Design(Struct, frozen=True):
    """One circuit board: its circuit, its layout, and the folder of its committed files."""

    circuit: Circuit
    layout: BoardLayout
    home: Path

    @property
    def name(self) -> str:
        """The name of all files of this board."""
        return self.circuit.name

    def pads(self) -> list[Pad]:
        """All numbered pads on the board, sorted by part and number."""
        found = [
            pad
            for part in self.circuit.parts
            for pad in placed_pads(part.ref, part.kind.footprint, self.layout.places[part.ref], dict(part.nets))
            if pad.number
        ]
        return sorted(found, key=lambda pad: (pad.part, pad.number, pad.rect.left, pad.rect.top))

    def boxes(self) -> dict[str, Rect]:
        """The space of each part on the board. Only the pads count for parts that are soldered from the other side."""
        pads = self.pads()
        found = {}
        for part in self.circuit.parts:
            own = [pad.rect for pad in pads if pad.part == part.ref]
            outline = None if part.kind.hand_fitted else body(part.kind.footprint, self.layout.places[part.ref])
            found[part.ref] = Rect.around([*own, outline] if outline else own)
        return found

    def route(self, earlier: Copper) -> Copper:
        """Routes the board, which takes minutes if nothing of `earlier` fits."""
        if self.circuit.sheets:
            return route_row(RowCell(shared_pattern()), len(self.circuit.sheets), self.layout, self.pads(), earlier)
        return route_board(self.name, self.layout, self.pads(), earlier)


def designs() -> tuple[Design, ...]:
    """All circuit boards."""
    rows = (Design(row_circuit(size), row_layout(shared_pattern(), size), HERE / "row") for size in SIZES)
    return (*rows, Design(HUB, HUB_LAYOUT, HERE / "hub"))


class Made(Struct, frozen=True):
    """A board that was built: its file and copper, and what the checks found."""

    design: Design
    file: Path
    copper: Copper
    erc: CheckReport
    drc: Mapping[str, CheckReport]
    """By board house, each with its own design rules."""
    read_back: CopperCheck
    gerbers: Sequence[Path]

    @property
    def drc_findings(self) -> tuple[str, ...]:
        """What the design rules of all houses find."""
        return tuple(f"{name}: {finding}" for name, report in self.drc.items() for finding in report.findings)


def make(design: Design, folder: Path, settings: Path) -> Made:
    """Builds a board and checks it. Raises CircuitError for a faulty circuit, NoRoute from the router."""
    circuit = design.circuit
    layout = design.layout
    pads = design.pads()
    kinds = sorted({part.kind.footprint for part in circuit.parts})
    if found := circuit_faults(circuit) + pad_faults(circuit, library_pads(kinds)):
        raise CircuitError(circuit.name, "a netlist without faults", "; ".join(found), "fix netlist or catalogue")
    copper = routed(design.home / f"{design.name}-routes.tsv", layout, pads, design.route)
    return check(design, copper, folder, settings)


def check(design: Design, copper: Copper, folder: Path, settings: Path) -> Made:
    """Writes the files of a board with this copper into `folder`, and runs all checks."""
    circuit = design.circuit
    layout = design.layout
    pads = design.pads()
    pours, stitching = fill(layout, pads, copper)
    copper = Copper(copper.tracks, copper.vias, stitching)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{design.name}.kicad_pcb"
    refs = designators(circuit, layout, pads, design.boxes())
    file.write_text(render(board_file(circuit, layout, copper, pours, refs)) + "\n", encoding="utf-8")
    for name, sheet in schematic_files(circuit).items():
        (folder / name).write_text(render(sheet) + "\n", encoding="utf-8")
    drc = {}
    for house in HOUSES:
        file.with_suffix(".kicad_pro").write_text(project_file(circuit, layout, minimums(house)), encoding="utf-8")
        file.with_suffix(".kicad_dru").write_text(pad_rules(house.pad_ring), encoding="utf-8")
        drc[house.name] = check_board(settings, file)
    file.with_suffix(".kicad_pro").write_text(project_file(circuit, layout, strictest()), encoding="utf-8")
    file.with_suffix(".kicad_dru").write_text(pad_rules(max(h.pad_ring for h in HOUSES)), encoding="utf-8")
    erc = check_schematic(settings, file.with_suffix(".kicad_sch"))
    gerbers = plot_gerbers(settings, file, folder / "gerber")
    return Made(design, file, copper, erc, drc, read_back(design, folder / "gerber"), gerbers)


def read_back(design: Design, gerbers: Path) -> CopperCheck:
    """Compares the copper in the Gerber and drill files with the netlist."""
    return gerber_netlist.read_back(design.name, gerbers, design.pads(), design.layout.height_mm)


def terminals(design: Design) -> Sequence[Terminal]:
    """The pins of a board at their places in the Gerber files, with the nets intended."""
    return terminals_of(design.pads(), design.layout.height_mm)


def publish(made: Made, home: Path, settings: Path) -> None:
    """Writes the files for ordering and soldering into `home`, among them the KiCad project."""
    design = made.design
    folder = made.file.parent
    circuit = design.circuit
    layout = design.layout
    name = design.name
    home.mkdir(parents=True, exist_ok=True)
    order = order_lists(circuit, layout)
    contents = {file.name: file.read_bytes() for file in made.gerbers} | {k: v.encode() for k, v in order.items()}
    write_zip(home / f"{name}-order.zip", contents)
    own = [made.file.with_suffix(suffix) for suffix in (".kicad_pcb", ".kicad_pro", ".kicad_dru")]
    project = [*own, *sorted(folder.glob("*.kicad_sch"))]
    write_zip(home / f"{name}-kicad.zip", {file.name: file.read_bytes() for file in project})
    run_kicad(
        settings,
        "sch",
        "export",
        "svg",
        "--exclude-drawing-sheet",
        "-o",
        f"{folder / 'svg'}/",
        str(made.file.with_suffix(".kicad_sch")),
    )
    drawings = sorted((folder / "svg").glob("*.svg"))[:SHEETS]
    for number, drawing in enumerate(drawings, start=1):
        text = KICAD_DATED.sub("", drawing.read_text(encoding="utf-8"))
        (home / f"{name}-schematic-{number}.svg").write_text(text, encoding="utf-8")
    texts = {
        f"{name}-assembly.svg": assembly_svg(circuit, layout, design.pads(), design.boxes()),
        f"{name}-bom.csv": bom_csv(circuit),
        f"{name}-routes.tsv": routes_text(layout, design.pads(), made.copper),
    }
    if circuit.sheets:  # the spacer must leave room for its parts
        texts[file_name(len(circuit.sheets))] = bodies_csv(circuit, layout, design.boxes())
    for file, text in texts.items():
        (home / file).write_text(text, encoding="utf-8")


def picture(made: Made, home: Path, settings: Path) -> None:
    """Writes the solid and the pictures of a board beside its file, and a small picture of both sides into `home`.

    The renderer depends on the machine, so its pictures are not compared with the committed ones.
    """
    export_step(settings, made.file)
    small_picture(render_sides(settings, made.file, made.design.layout), home / f"{made.design.name}.webp")


def figures(made: Made) -> dict[str, float]:
    """The figures of one board for the table of `make hardware`."""
    return {
        "width_mm": made.design.layout.width_mm,
        "height_mm": made.design.layout.height_mm,
        "parts": len(made.design.circuit.parts),
        "nets": len(made.design.circuit.nets),
        "vias": len(made.copper.vias) + len(made.copper.stitching),
        "erc_findings": len(made.erc.findings),
        "drc_findings": len(made.drc_findings),
        **{f"drc_{name}": len(report.findings) for name, report in made.drc.items()},
        "netlist_faults": len(made.read_back.faults),
        "clearance_mm": round(made.read_back.clearance_mm, 3),
        "ring_mm": round(made.read_back.ring_mm, 3),
        "drill_mm": made.read_back.drill_mm,
        "hole_to_hole_mm": round(made.read_back.hole_to_hole_mm, 3),
    }


def main(into: Path | None = None) -> int:
    """Builds all boards; returns 1 if a check finds anything. With `into`, all files are written there."""
    build = into or BUILD
    rows = {}
    for design in designs():
        made = make(design, build / design.name, build / "kicad")
        home = build / "published" / design.home.name if into else design.home
        publish(made, home, build / "kicad")
        picture(made, home, build / "kicad")
        if design.circuit.sheets:  # a row, which is too slim for the machines of a board house
            write_panel(home / f"{design.name}-order.zip", build)
        rows[design.name] = figures(made)
        print(f"{design.name}: {', '.join(f'{key} {value:g}' for key, value in rows[design.name].items())}")
        for finding in (*made.erc.findings, *made.drc_findings, *made.read_back.faults):
            print(f"  {finding}")
    (build / "pcb.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return int(any(row[key] for row in rows.values() for key in ("erc_findings", "drc_findings", "netlist_faults")))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[2]) if sys.argv[1:2] == ["--into"] else None))
