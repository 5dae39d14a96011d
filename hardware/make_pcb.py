"""Builds both circuit boards and everything that is ordered with them: /usr/bin/python3 -m hardware.make_pcb

Needs KiCad 6 from Debian (`hardware/pcb/get_kicad.sh` installs it). Writes into hardware/build, and the drawings and
the packed files that travel with the project beside each board's table.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from firmware_host.plans import load_plan, plan_ids
from hardware.hub.netlist import HUB
from hardware.hub.placement import HUB_SHEET
from hardware.pcb.assembly import assembly
from hardware.pcb.circuit import Circuit, CircuitError
from hardware.pcb.fabrication import bill, pack, placements, plot
from hardware.pcb.kicad import KicadBoard, library_pads
from hardware.pcb.layout import Sheet
from hardware.pcb.report import Verdict
from hardware.pcb.router import lay_tracks
from hardware.pcb.rules import faults, pad_faults
from hardware.pcb.schematic import schematic
from hardware.strip import bodies
from hardware.strip.netlist import STRIP
from hardware.strip.placement import strip_sheet

HERE = Path(__file__).parent
BUILD = HERE / "build"


def the_strip() -> Sheet:
    """The strip's sheet; all boards use the same strip. Raises CircuitError if their plans no longer agree."""
    patterns = {load_plan(board).pattern for board in plan_ids()}
    if len(patterns) != 1:
        mend = "give all plans the same [grid] and [strip], or make a strip for each"
        raise CircuitError("hardware/boards", "one strip for all boards", f"{len(patterns)} patterns", mend)
    return strip_sheet(patterns.pop())


def make(circuit: Circuit, sheet: Sheet, build: Path) -> tuple[KicadBoard, Verdict]:
    """The board in KiCad, routed, poured and checked. Raises CircuitError before that if its table is unsound."""
    wrong = faults(circuit) + pad_faults(circuit, library_pads(sorted({p.kind.footprint for p in circuit.parts})))
    if wrong:
        raise CircuitError(circuit.name, "a sound table of parts", "; ".join(wrong), "mend netlist.py or catalogue.py")
    made = KicadBoard(build / f"{circuit.name}.kicad_pcb", circuit, sheet)
    made.lay(lay_tracks(circuit.name, sheet, made.pads()))
    return made, made.check()


def publish(made: KicadBoard, home: Path) -> None:
    """All that people order and solder from: in the build folder, and what travels with the project in `home`."""
    circuit, sheet, build = made.circuit, made.sheet, made.file.parent
    gerbers = plot(made, build / "gerber")
    texts = {f"{circuit.name}-bom.csv": bill(circuit), f"{circuit.name}-cpl.csv": placements(circuit, sheet)}
    contents = {file.name: file.read_bytes() for file in gerbers}
    contents |= {name: text.encode() for name, text in texts.items()}
    pack(home / f"{circuit.name}-order.zip", contents)
    (home / "assembly.svg").write_text(assembly(circuit, sheet, made.pads(), made.bodies()), encoding="utf-8")
    kept = {"schematic.svg": schematic(circuit), "bom.csv": bill(circuit)}
    if circuit is STRIP:  # it lies in the spacer, which must leave room for its parts
        kept[bodies.FILE] = bodies.as_table(sheet, made.pads(), made.bodies())
    for name, text in kept.items():
        (home / name).write_text(text, encoding="utf-8")


def figures(made: KicadBoard, verdict: Verdict) -> dict[str, float]:
    """What the table of `make hardware` shows of one board."""
    return {
        "width_mm": made.sheet.width_mm,
        "height_mm": made.sheet.height_mm,
        "parts": len(made.circuit.parts),
        "nets": len(made.circuit.nets),
        "vias": made.vias,
        "drc_errors": len(verdict.errors),
        "drc_warnings": len(verdict.warnings),
        "unconnected": len(verdict.unconnected),
    }


def main(into: Path | None = None) -> int:
    """Make both boards; 1 if KiCad finds anything wrong. With `into`, all goes there and nothing here is touched."""
    build, rows = into or BUILD, {}
    for circuit, sheet, home in ((STRIP, the_strip(), HERE / "strip"), (HUB, HUB_SHEET, HERE / "hub")):
        made, verdict = make(circuit, sheet, build / circuit.name)
        publish(made, build / circuit.name if into else home)
        rows[circuit.name] = figures(made, verdict)
        print(f"{circuit.name}: {', '.join(f'{key} {value:g}' for key, value in rows[circuit.name].items())}")
        for finding in (*verdict.errors, *verdict.unconnected, *verdict.warnings):
            print(f"  {finding}")
    (build / "pcb.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return int(any(row["drc_errors"] or row["unconnected"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[2]) if sys.argv[1:2] == ["--into"] else None))
