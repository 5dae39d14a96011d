"""The files of the case: an OpenSCAD program with the base and everything in it, and a drawing from above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.enclosure import PI_KINDS, Block, blocks
from firmware_host.fabrication.enclosure_walls import (
    Post,
    bosses,
    grille,
    openings,
    pillars,
    speaker_slot,
    vents,
)
from firmware_host.fabrication.shapes import Circle, Drawing, Layer, Rectangle, Shape, Text, rectangle
from firmware_host.fabrication.solids import program

_LAYERS = {
    "Pi": Layer.STRIP,
    "display": Layer.GLOW,
    "button": Layer.METAL,
    "speaker": Layer.SHEET,
    "amplifier": Layer.PART,
    "piezo": Layer.METAL,
    "cables": Layer.GLOW,
}
_LETTER_MM = 2.6
_SCALE = 1.4
_BORDER_MM = 24.0

_BODY = """part = "base"; // or "assembly": the base with everything in it and the lid above; or "parts", "collisions"
pi = "full";   // 3B+, 4 and 5; or "zero" for a Zero 2 W

use <bezel.scad>
module box(b, less = 0) translate([b[0] + less, b[1] + less, b[2] + less])
  cube([b[3] - b[0] - 2 * less, b[4] - b[1] - 2 * less, b[5] - b[2] - 2 * less]);
module post(p, d) translate([p[0], p[1], p[2] - 0.01]) cylinder(h = p[3] - p[2] + 0.01, d = d, $fn = 32);
function bosses() = pi == "zero" ? bosses_zero : bosses_full;
function windows() = pi == "zero" ? windows_zero : windows_full;
function parts() = pi == "zero" ? parts_zero : parts_full;

module base() difference() {
  union() {
    difference() {
      linear_extrude(inside) slab(width, height, corner);
      translate([wall, wall, floor]) linear_extrude(inside) slab(width - 2 * wall, height - 2 * wall, corner - wall);
    }
    for (p = pillars) post(p, pillar);
    for (p = bosses()) post(p, boss);
    for (b = slot) box([b[0], b[1], b[2] - 0.01, b[3], b[4] + 0.01, b[5]]);
  }
  for (b = concat(windows(), vents)) box(b);
  for (at = grille) translate([at[0], height + 1, at[1]]) rotate([90, 0, 0])
    cylinder(h = wall + 2, d = grille_hole, $fn = 16);
  for (p = pillars) translate([p[0], p[1], inside - pillar_deep])
    cylinder(h = pillar_deep + 1, d = pillar_hole, $fn = 24);
  for (p = bosses()) translate([p[0], p[1], -1]) {
    cylinder(h = p[3] + 2, d = boss_hole, $fn = 24);
    cylinder(h = sink_deep + 1, d = sink, $fn = 32);
  }
}
module in_it() for (b = parts()) color(b[6]) box(b, 0.02);
module lid() translate([0, 0, inside]) bezel();

if (part == "base") base();
if (part == "parts") in_it();
if (part == "collisions") intersection() { union() { base(); lid(); } in_it(); }
if (part == "assembly") {
  color("SlateGray") base();
  in_it();
  translate([0, 0, lift]) color("LightSlateGray") lid();
}
"""


def case_program(case: Case) -> str:
    """The program for the base of the case; its lid is `bezel.scad`."""
    box = case.box
    lid = case.bezel
    measures = {
        "width": lid.width_mm,
        "height": lid.height_mm,
        "inside": box.inside_mm,
        "wall": box.wall_mm,
        "floor": box.floor_mm,
        "corner": box.corner_mm,
        "pillar": box.pillar_mm,
        "pillar_hole": box.pillar_hole_mm,
        "pillar_deep": box.pillar_deep_mm,
        "boss": box.boss_mm,
        "boss_hole": box.boss_hole_mm,
        "sink": box.boss_sink_mm,
        "sink_deep": box.boss_sink_deep_mm,
        "grille_hole": case.speaker.hole_mm,
        "lift": 60.0,
    }
    lists: dict[str, Sequence[Sequence[float]]] = {
        "pillars": [*map(_post, pillars(case))],
        "slot": _edges(speaker_slot(case)),
        "vents": _edges(vents(case)),
        "grille": [*grille(case)],
    }
    for pi in PI_KINDS:
        lists[f"bosses_{pi}"] = [*map(_post, bosses(case, pi))]
        lists[f"windows_{pi}"] = _edges(openings(case, pi))
    parts = "".join(f"parts_{pi} = [\n{''.join(map(_part, blocks(case, pi)))}];\n" for pi in PI_KINDS)
    comment = "The base of the case; boxes are left, front, bottom, right, back, top. Print it as it stands."
    return program(comment, measures, lists, f"{parts}\n{_BODY}").replace("\n\n\n", "\n\n")


def case_drawing(case: Case) -> Drawing:
    """The case from above without its lid, with a full-size Pi; its openings, and the names of what is in it."""
    box = case.box
    lid = case.bezel
    inner = lid.width_mm - 2 * box.wall_mm, lid.height_mm - 2 * box.wall_mm
    shapes: list[Shape] = [
        Rectangle(Layer.PRINT, _at(0, 0), _SCALE * lid.width_mm, _SCALE * lid.height_mm, _SCALE * box.corner_mm),
        Rectangle(Layer.BORE, _at(box.wall_mm, box.wall_mm), _SCALE * inner[0], _SCALE * inner[1], 2.0),
        *(_seen(Layer.BORE, opening) for opening in openings(case, "full")),
        *(Circle(Layer.PRINT, _at(post.x, post.y), _SCALE * box.pillar_mm) for post in pillars(case)),
        *(_seen(Layer.PRINT, block) for block in speaker_slot(case)),
    ]
    found = sorted(blocks(case, "full"), key=lambda block: block.top)
    for block in found:
        if block.owner != "keypad":
            shapes.append(_seen(_LAYERS.get(block.owner, Layer.PART), block))
    shapes += (label for block in found for label in _labels(block))
    shapes += _wall_labels(case)
    size = _SCALE * lid.width_mm + 2 * _BORDER_MM, _SCALE * lid.height_mm + 2 * _BORDER_MM
    return Drawing(f"the case from above, {_SCALE:g} : 1", *size, tuple(shapes))


def _at(x: float, y: float) -> tuple[float, float]:
    return _BORDER_MM + _SCALE * x, _BORDER_MM + _SCALE * y


def _seen(layer: Layer, block: Block) -> Shape:
    """A block from above."""
    return rectangle(layer, *_at(block.left, block.front), *_at(block.right, block.back))


def _labels(block: Block) -> Iterator[Text]:
    names = {
        "display": "display, piezo below it",
        "button": "power button",
        "speaker: magnet": "speaker",
        "amplifier": "amplifier",
        "Pi: heat sink": "Pi",
    }
    if name := names.get(block.name):
        x, y = _at((block.left + block.right) / 2, (block.front + block.back) / 2)
        yield Text(Layer.NOTES, (x, y - _LETTER_MM * 0.36), name, _LETTER_MM)


def _wall_labels(case: Case) -> Iterator[Text]:
    """What goes through each wall, beside it, turned along the side walls."""
    lid = case.bezel
    box = case.box
    beside = (
        ("card", -4.0, box.pi_y_mm + 28.0),
        ("USB, network", lid.width_mm + 6.0, box.pi_y_mm + 28.0),
        ("cables to the board", lid.width_mm + 6.0, box.cable_y_mm + box.cable_width_mm / 2),
    )
    for text, x, y in beside:
        yield Text(Layer.NOTES, _at(x, y), text, _LETTER_MM, turn=90.0)
    yield Text(Layer.NOTES, _at(box.pi_x_mm + 12.0, -5.0), "USB power of the Pi", _LETTER_MM)
    yield Text(Layer.NOTES, _at(case.speaker.x_mm, lid.height_mm + 3.0), "grille of the speaker", _LETTER_MM)


def _post(post: Post) -> tuple[float, ...]:
    return post.x, post.y, post.bottom, post.top


def _edges(found: Iterable[Block]) -> list[tuple[float, ...]]:
    return [(block.left, block.front, block.bottom, block.right, block.back, block.top) for block in found]


def _part(block: Block) -> str:
    """A row of the list of parts: the box, and its colour."""
    colours = {"Pi": "ForestGreen", "display": "MidnightBlue", "button": "Silver", "piezo": "Gold"}
    colour = colours.get(block.owner, {"speaker": "DimGray", "cables": "Khaki"}.get(block.owner, "Wheat"))
    edges = ", ".join(f"{edge:.2f}" for edge in _edges([block])[0])
    return f'  [{edges}, "{colour}"], // {block.name}\n'
