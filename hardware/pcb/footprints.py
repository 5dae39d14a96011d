"""Footprints of KiCad's library: their pads and outlines, placed on a board."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path

from msgspec import Struct

from firmware_host.circuits.circuit import CircuitError
from firmware_host.circuits.layout import Pad, Placement, Rect, Side, to_board
from hardware.pcb.sexpr import Node, child, children, floats, number, parse, row

FOOTPRINTS = Path("/usr/share/kicad/footprints")
OWN = "cribboard"
OWN_FOOTPRINTS = Path(__file__).parents[1] / "kicad"
"""Where the library is whose footprints KiCad lacks."""
WIDER_PADS_MM = {"Connector_Molex:Molex_PicoBlade_53047-0810_1x08_P1.25mm_Vertical": (0.9, 1.3)}
"""Pads that leave less copper around their hole than board houses ask for, and the size that replaces theirs."""
_SHAPES = ("fp_line", "fp_rect", "fp_circle", "fp_arc", "fp_poly")
_SWAPPED = str.maketrans("FB", "BF")


class FootprintPad(Struct, frozen=True):
    """A pad in the coordinates of its footprint, y down. `drill` is 0 for a pad without a hole."""

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: float
    sides: tuple[Side, ...]
    shape: str


@cache
def library_footprint(name: str) -> list[Node]:
    """The S-expression of a footprint, by its name in KiCad's library. Raises CircuitError if there is none."""
    library, pattern = name.split(":")
    home = OWN_FOOTPRINTS if library == OWN else FOOTPRINTS
    file = home / f"{library}.pretty" / f"{pattern}.kicad_mod"
    if not file.exists():
        fix = "install kicad-footprints, or name one that it has"
        raise CircuitError(name, "a footprint of KiCad's library", f"no {file}", fix)
    made = parse(file.read_text(encoding="utf-8"))
    if name in WIDER_PADS_MM:
        for pad in children(made, "pad"):
            pad[:] = [row("size", *WIDER_PADS_MM[name]) if part[:1] == ["size"] else part for part in pad]
    return made


@cache
def footprint_pads(name: str) -> tuple[FootprintPad, ...]:
    """All pads of a footprint that have a number or a hole."""
    found = []
    for pad in children(library_footprint(name), "pad"):
        at = floats(child(pad, "at") or [])
        size = floats(child(pad, "size") or [])
        drill = child(pad, "drill")
        layers = [str(layer) for layer in (child(pad, "layers") or [])[1:]]
        sides = tuple(side for side, copper in zip(Side, ("F.Cu", "B.Cu"), strict=True) if {copper, "*.Cu"} & {*layers})
        turned = len(at) > 2 and at[2] % 180 == 90
        width, height = reversed(size) if turned else size
        hole = float(str(drill[1])) if drill and str(drill[1]) != "oval" else max(floats(drill[1:])) if drill else 0.0
        if sides:
            found.append(FootprintPad(str(pad[1]), at[0], at[1], width, height, hole, sides, str(pad[3])))
    return tuple(found)


def library_pads(names: list[str]) -> dict[str, frozenset[str]]:
    """The pad numbers of each footprint."""
    return {name: frozenset(pad.number for pad in footprint_pads(name) if pad.number) for name in names}


def placed_pads(ref: str, name: str, place: Placement, nets: dict[str, str | None]) -> list[Pad]:
    """The pads of a part on the board, as bounding boxes."""
    found = []
    for pad in footprint_pads(name):
        x, y = to_board(place, pad.x, pad.y)
        wide, high = (pad.height, pad.width) if place.turn % 180 else (pad.width, pad.height)
        sides = pad.sides if len(pad.sides) == 2 or place.side is Side.TOP else (Side.BOTTOM,)
        rect = Rect(*(round(edge, 4) for edge in (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)))
        found.append(Pad(ref, pad.number, nets.get(pad.number), rect, sides, pad.drill, pad.shape))
    return found


def body(name: str, place: Placement, layer: str = "F.Fab") -> Rect | None:
    """The bounding box of a part's outline on the fabrication layer, on the board; None if it has none."""
    points = []
    for kind in _SHAPES:
        for shape in children(library_footprint(name), kind):
            if (child(shape, "layer") or ["", ""])[1] != layer:
                continue
            if kind == "fp_circle":
                (cx, cy), (ex, ey) = (floats(child(shape, key) or []) for key in ("center", "end"))
                reach = ((cx - ex) ** 2 + (cy - ey) ** 2) ** 0.5
                points += [(cx - reach, cy - reach), (cx + reach, cy + reach)]
            else:
                ends = [floats(end) for key in ("start", "mid", "end") for end in children(shape, key)]
                ends += [floats(xy) for pts in children(shape, "pts") for xy in children(pts, "xy")]
                points += [(end[0], end[1]) for end in ends]
    if not points:
        return None
    corners = [to_board(place, x, y) for x, y in points]
    return Rect.around(Rect(x, y, x, y) for x, y in corners)


def flipped(footprint: list[Node]) -> list[Node]:
    """The same footprint for the bottom side: y mirrored and F layers exchanged with B layers."""

    def flip(node: Node, head: str = "") -> Node:
        if isinstance(node, list):
            name = str(node[0]) if node and not isinstance(node[0], list) else ""
            if name in ("at", "start", "mid", "end", "center", "xy"):
                rest = [str(item) for item in node[1:]]
                rest[1] = number(-float(rest[1]))
                if name == "at" and len(rest) > 2:
                    rest[2] = number(-float(rest[2]))
                return [name, *rest]
            if name in ("layer", "layers"):
                return [name, *(type(item)(_other(str(item))) for item in node[1:] if isinstance(item, str))]
            return [flip(item, name) for item in node]
        return node

    done = flip(deepcopy(footprint))
    assert isinstance(done, list)
    return done


def _other(layer: str) -> str:
    return layer[:1].translate(_SWAPPED) + layer[1:] if layer.startswith(("F.", "B.")) else layer
