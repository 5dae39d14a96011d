"""`make hardware`: builds all that a maker needs into hardware/build, checks it, and prints what came of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from board_drivers.pins import header_pins
from firmware_host.board.audit import light_frame_bytes
from firmware_host.board.plan import BoardPlan
from firmware_host.drafting.bill import WAYS, bill, total_usd
from firmware_host.drafting.front import front
from firmware_host.drafting.marks import number
from firmware_host.drafting.pockets import pockets_of
from firmware_host.drafting.portfolio import of_all, of_board
from firmware_host.drafting.strips import screws_of
from firmware_host.drafting.truths import the_case
from firmware_host.plans import demo_plan, load_plan, plan_ids
from tests.drafting.solid import Solid

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "hardware" / "build"
BOARDS_MADE = BUILD / "pcb.json"
"""What `make pcb` says of the circuit boards: {"strip": {"drc_errors": 0, "unconnected": 0, ...}, "hub": {...}}."""
HEAD = (
    *("board", "holes", "strips", "sensor bits", "LED frame", "plate, mm", "through holes"),
    *("DRC errors", "unconnected", "parts", "USD"),
)
NOT_BUILT = "not built"


class SolidFault(Exception):
    """A solid is not what its drawing says."""


def main() -> None:
    """Exits with 1 and the fault, if a solid is not what it should be."""
    case, plans = the_case(), [load_plan(board) for board in plan_ids()]
    shared = written(BUILD, of_all(plans, demo_plan(), case, header_pins()))
    try:
        checked(raised(shared / "peg-head.scad"), 0)
        checked(raised(shared / "bezel.scad"), front(case).through_holes)
        rows = [row_of(plan, written(BUILD / plan.id, of_board(plan, case))) for plan in plans]
    except (SolidFault, subprocess.CalledProcessError) as fault:
        sys.exit(str(fault))
    for line in columns([HEAD, *rows]):
        print(line)
    print(f"\nAll of it is in {BUILD.relative_to(ROOT)}. Circuit boards: {boards_in_words()}")


def written(folder: Path, files: Mapping[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in files.items():
        (folder / name).write_bytes(body)
    return folder


def raised(program: Path, part: str = "") -> Solid:
    """The solid that OpenSCAD makes of a program, or of one part that it names, kept beside it as STL."""
    solid = program.with_name(f"{program.stem}{part and f'-{part}'}.stl")
    named = ["-D", f'part="{part}"'] if part else []
    command = ["openscad", "-q", "--export-format", "asciistl", *named, "-o", str(solid), str(program)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return Solid.read(solid)


def checked(solid: Solid, through_holes: int) -> Solid:
    """Raises SolidFault for one that leaks, or is pierced more or less often than it should be."""
    if solid.open_edges or solid.through_holes != through_holes:
        got = f"{solid.open_edges} open edges and {solid.through_holes} through holes"
        raise SolidFault(f"expected a closed solid with {through_holes} through holes, got {got}")
    return solid


def row_of(plan: BoardPlan, folder: Path) -> Sequence[str]:
    """One board's line of the table; its plate and spacer are made and checked."""
    case = the_case()
    screws = len(case.screws.places(plan.plate))
    through, pilots = 2 * len(plan.holes) + screws, len(screws_of(plan))
    plate = checked(raised(folder / "plate.scad"), through)
    checked(raised(folder / "plate.scad", "lower"), through + pilots)
    checked(raised(folder / "plate.scad", "upper"), through)
    checked(raised(folder / "spacer.scad"), len(pockets_of(plan, case)) + screws + pilots)
    bought = bill(plan, case, WAYS[0])
    return (
        *(plan.id, str(len(plan.holes)), str(plan.strip_count), str(plan.bit_count)),
        f"{light_frame_bytes(plan.led_count)} B",
        " x ".join(number(side_mm, 2) for side_mm in plate.size_mm),
        str(plate.through_holes),
        *(board_figure(key) for key in ("drc_errors", "unconnected")),
        *(str(sum(item.quantity for item in bought)), f"{total_usd(bought):.0f}"),
    )


def board_figure(key: str) -> str:
    """The sum over strip and hub, or that they were not built."""
    figures = boards_made()
    return str(sum(made.get(key, 0) for made in figures.values())) if figures else NOT_BUILT


def boards_made() -> Mapping[str, Mapping[str, Any]]:
    """What the job of the circuit boards left, if it ran."""
    if not BOARDS_MADE.exists():
        return {}
    told: Mapping[str, Any] = json.loads(BOARDS_MADE.read_text(encoding="utf-8"))
    return {name: made for name, made in told.items() if isinstance(made, dict) and "drc_errors" in made}


def boards_in_words() -> str:
    made = boards_made()
    if not made:
        return f"{NOT_BUILT}; make pcb builds them."
    return "; ".join(
        f"{name}: {board['drc_errors']} DRC errors, {board.get('unconnected', '?')} unconnected"
        for name, board in made.items()
    )


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Names to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures in rows:
        cells = (figure.rjust(width) for figure, width in zip(figures, widths[1:], strict=True))
        yield "  ".join((name.ljust(widths[0]), *cells)).rstrip()


if __name__ == "__main__":
    main()
