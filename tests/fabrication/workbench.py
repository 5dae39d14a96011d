"""`make hardware`: builds all fabrication files into hardware/build, checks the solids, and prints a table."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from board_drivers.pins import header_pins
from firmware_host.board.matrix import column_count
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.bezel import bezel_layout
from firmware_host.fabrication.bill import SENSING, parts_list, total_cents
from firmware_host.fabrication.board_space import clips
from firmware_host.fabrication.dimensions import load_case
from firmware_host.fabrication.enclosure import PI_KINDS
from firmware_host.fabrication.enclosure_walls import bosses, grille, openings, vents
from firmware_host.fabrication.outputs import board_files, shared_files
from firmware_host.fabrication.pieces import spacer_pieces
from firmware_host.fabrication.pockets import pockets_of
from firmware_host.fabrication.shapes import format_number
from tests.fabrication.solid import Solid

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "hardware" / "build"
FIGURES_FILE = BUILD / "pcb.json"
"""Written by `make pcb`: {"classic-61": {"erc_findings": 0, "drc_findings": 0, ...}, ...}."""
HEADER = ("board", "holes", "columns", "plate, mm", "through holes", "DRC", "netlist faults", "parts", "USD")
NOT_BUILT = "not built"


class SolidError(Exception):
    """A rendered solid is not watertight or has the wrong number of holes."""


def main() -> None:
    """Exits with 1 and a message if a solid is wrong or OpenSCAD fails."""
    case, plans = load_case(), [load_plan(board) for board in plan_ids()]
    shared = write_files(BUILD, shared_files(plans, case, header_pins()))
    try:
        check_solid(render_scad(shared / "peg-head.scad"), 0)
        check_solid(render_scad(shared / "clip.scad"), 1)
        check_solid(render_scad(shared / "bezel.scad"), bezel_layout(case).through_holes)
        check_case(shared)
        rows = [table_row(plan, write_files(BUILD / plan.id, board_files(plan, case))) for plan in plans]
    except (SolidError, subprocess.CalledProcessError) as fault:
        sys.exit(str(fault))
    for line in columns([HEADER, *rows]):
        print(line)
    print(f"\nThe files are in {BUILD.relative_to(ROOT)}. Circuit boards: {circuit_boards_summary()}")


def write_files(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Writes the files into the folder, which is created; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in files.items():
        (folder / name).write_bytes(body)
    return folder


def render_scad(program: Path, part: str = "", **values: str) -> Solid:
    """Renders an OpenSCAD program, or one named part of it, to an STL file beside it. `values` are other variables."""
    solid = program.with_name("-".join((program.stem, *filter(None, (part, *values.values())))) + ".stl")
    command = [*_openscad(part, values), "-q", "--export-format", "asciistl", "-o", str(solid), str(program)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return Solid.read(solid)


def _openscad(part: str, values: Mapping[str, str]) -> list[str]:
    named = ({"part": part} if part else {}) | dict(values)
    return ["openscad", *(word for name, value in named.items() for word in ("-D", f'{name}="{value}"'))]


def check_solid(solid: Solid, through_holes: int) -> Solid:
    """Returns the solid. Raises SolidError if it is not watertight or the number of through holes differs."""
    if solid.open_edges or solid.through_holes != through_holes:
        got = f"{solid.open_edges} open edges and {solid.through_holes} through holes"
        raise SolidError(f"expected a closed solid with {through_holes} through holes, got {got}")
    return solid


def table_row(plan: BoardPlan, folder: Path) -> Sequence[str]:
    """Renders and checks plate and spacer of one board; returns its row of the table."""
    case = load_case()
    screws = len(case.screws.places(plan.plate))
    through, pilots = 2 * len(plan.holes) + screws, len(clips(plan, case))
    plate = check_solid(render_scad(folder / "plate.scad"), through)
    for part in ("bottom", "lower"):
        check_solid(render_scad(folder / "plate.scad", part), through + pilots)
    check_solid(render_scad(folder / "plate.scad", "upper"), through)
    check_solid(render_scad(folder / "spacer.scad"), len(pockets_of(plan, case)) + screws + pilots)
    check_pieces(plan, folder)
    bought = parts_list(plan, case, SENSING)
    return (
        *(plan.id, str(len(plan.holes)), str(column_count(plan))),
        " x ".join(format_number(side_mm, 2) for side_mm in plate.size_mm),
        str(plate.through_holes),
        *(board_figure(plan.id, key) for key in ("drc_findings", "netlist_faults")),
        *(str(sum(item.quantity for item in bought)), f"{total_cents(bought) / 100:.0f}"),
    )


def check_case(folder: Path) -> Sequence[Solid]:
    """Renders the base of the case for each kind of Pi and checks it: its openings, and that no part meets it."""
    case, found = load_case(), []
    for pi in PI_KINDS:
        base = render_scad(folder / "case.scad", "base", pi=pi)
        closed = sum(hole.top <= case.box.inside_mm for hole in openings(case, pi))
        holes = len(list(vents(case))) + len(list(bosses(case, pi))) + len(list(grille(case))) + closed
        found.append(check_solid(base, holes))
        if not is_empty(folder / "case.scad", "collisions", pi=pi):
            raise SolidError(f"case.scad with pi={pi}: expected no collision, got one; see part collisions")
    return found


def is_empty(program: Path, part: str, **values: str) -> bool:
    """Whether a part of an OpenSCAD program is nothing."""
    command = [*_openscad(part, values), "-o", str(program.with_name("empty.stl")), str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 1 and "Current top level object is empty" in done.stderr


def check_pieces(plan: BoardPlan, folder: Path) -> Sequence[Solid]:
    """Renders each piece of the spacer to its own STL file and checks it."""
    pieces = spacer_pieces(plan, load_case())
    solids = [render_scad(folder / "spacer-pieces.scad", f"{piece.number}") for piece in pieces]
    return [
        check_solid(solid, len(piece.openings) + len(piece.screws)) for solid, piece in zip(solids, pieces, strict=True)
    ]


def board_figure(board: str, key: str) -> str:
    """A figure of a circuit board, or "not built"."""
    made = circuit_board_figures().get(board)
    return str(made[key]) if made else NOT_BUILT


def circuit_board_figures() -> Mapping[str, Mapping[str, Any]]:
    """The figures that `make pcb` wrote; empty if it did not run."""
    if not FIGURES_FILE.exists():
        return {}
    figures: Mapping[str, Any] = json.loads(FIGURES_FILE.read_text(encoding="utf-8"))
    return {name: made for name, made in figures.items() if isinstance(made, dict) and "drc_findings" in made}


def circuit_boards_summary() -> str:
    """One line of text about the checks of the circuit boards."""
    made = circuit_board_figures()
    if not made:
        return f"{NOT_BUILT}; make pcb builds them."
    return "; ".join(
        f"{name}: ERC {board['erc_findings']}, DRC {board['drc_findings']}, netlist {board['netlist_faults']} findings"
        for name, board in made.items()
    )


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of aligned columns: the first left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures in rows:
        cells = (figure.rjust(width) for figure, width in zip(figures, widths[1:], strict=True))
        yield "  ".join((name.ljust(widths[0]), *cells)).rstrip()


if __name__ == "__main__":
    main()
