"""The tracks of the controller, which follow no formula: drawn once and kept in a file, so that nothing searches again.

After a change of the places open the project in KiCad, draw what its design rule check misses, and run
`python -m hardware.kicad.controller BOARD`: it takes all that is not regular from the board into the file. The two
boards with a loop share one file, as their controller is the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.layout import Copper, Side, Track, Via
from firmware_host.config.board_plans import load_plan
from hardware.kicad.layouts import regular_copper
from hardware.kicad.placement import has_lanes
from hardware.pcb.board_file import ORIGIN_MM
from hardware.pcb.routes import copper_lines, read_copper_lines, track_order, via_order
from hardware.pcb.sexpr import Node, child, children, floats, parse

HERE = Path(__file__).parent
LOOP_FILE = HERE / "loop-controller.tsv"
_SIDES = {"F.Cu": Side.TOP, "B.Cu": Side.BOTTOM}


def kept_file(plan: BoardPlan) -> Path:
    """The file of a board."""
    return HERE / f"{plan.id}-controller.tsv" if has_lanes(plan) else LOOP_FILE


def kept_copper(file: Path) -> Copper:
    """The tracks and vias of a file."""
    return read_copper_lines(file.read_text(encoding="utf-8").splitlines())


def drawn_copper(board: Node, regular: Copper) -> Copper:
    """What a board file has beside the regular copper."""
    names = {str(net[1]): str(net[2]) for net in children(board, "net")}
    tracks = set(_tracks(board, names)) - set(regular.tracks)
    vias = set(_vias(board, names)) - set(regular.vias)
    return Copper(sorted(tracks, key=track_order), sorted(vias, key=via_order))


def _tracks(board: Node, names: Mapping[str, str]) -> Iterator[Track]:
    for segment in children(board, "segment"):
        start, end = (_point(segment, name) for name in ("start", "end"))
        side = _SIDES[str((child(segment, "layer") or [])[1])]
        yield Track(_net(segment, names), side, *start, *end, floats(child(segment, "width") or [])[0])


def _vias(board: Node, names: Mapping[str, str]) -> Iterator[Via]:
    for via in children(board, "via"):
        yield Via(_net(via, names), *_point(via, "at"))


def _net(item: Node, names: Mapping[str, str]) -> str:
    return names[str((child(item, "net") or [])[1])]


def _point(item: Node, name: str) -> tuple[float, float]:
    x, y = floats(child(item, name) or [])[:2]
    return round(x - ORIGIN_MM, 4), round(y - ORIGIN_MM, 4)


def lines_of(copper: Copper) -> str:
    """The text of the file."""
    return "\n".join(copper_lines(copper)) + "\n"


if __name__ == "__main__":
    (name,) = sys.argv[1:]
    board_plan = load_plan(name)
    drawn = parse((HERE / name / f"{name}.kicad_pcb").read_text(encoding="utf-8"))
    kept = drawn_copper(drawn, regular_copper(board_plan))
    kept_file(board_plan).write_text(lines_of(kept), encoding="utf-8")
