"""OpenSCAD programs for the milled and printed parts: plate, spacer, bezel and peg head.

Each program starts with its dimensions as variables, named as in `hardware/case.toml` or in the plan, so that a maker
can change them. Plates are drilled as 2D shapes and then extruded: this renders a hundred times faster than in 3D.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication.bezel import bezel_layout
from firmware_host.fabrication.board_space import clips, pilot_depth_mm, recess
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.pieces import spacer_pieces
from firmware_host.fabrication.pockets import pockets_of
from firmware_host.fabrication.shapes import Point, format_number

_HEAD = "// Made by `cribboard draw`. Millimetres.\n"
SLAB = (
    "module slab(width, height, corner) {\n  translate([corner, corner]) offset(r = corner)\n"
    "    square([width - 2 * corner, height - 2 * corner]);\n}\n"
)


def plate(plan: BoardPlan, case: Case) -> str:
    """The plate: through holes for pegs, lights and screws; from below blind holes for the clips, and the recess.

    A 2D shape cannot have blind holes. They are only in the parts `bottom` and `lower`, and in `drilled`, which renders
    for minutes. Raises PlanError if the plate is too thin for them.
    """
    wood = plan.plate
    measures = {
        "width": wood.width_mm,
        "height": wood.height_mm,
        "thickness": wood.thickness_mm,
        "corner": wood.corner_mm,
        "hole": wood.hole_mm,
        "light": wood.light_mm,
        "screw": case.screws.hole_mm,
        "pilot": case.pilot.hole_mm,
        "pilot_deep": pilot_depth_mm(plan, case),
        "recess_deep": case.recess.depth_mm,
    }
    lists = {
        "holes": [(hole.x_mm, hole.y_mm) for hole in plan.holes],
        "lights": [(hole.led_x_mm, hole.led_y_mm) for hole in plan.holes],
        "screws": case.screws.places(wood),
        "pilots": clips(plan, case),
        "recess": [(box.left_mm, box.bottom_mm, box.right_mm, box.top_mm) for box in recess(plan, case)],
    }
    body = """module through() difference() {
  slab(width, height, corner);
  for (at = holes) translate(at) circle(d = hole, $fn = 32);
  for (at = lights) translate(at) circle(d = light, $fn = 24);
  for (at = screws) translate(at) circle(d = screw, $fn = 32);
}
module below() difference() {
  through();
  for (at = pilots) translate(at) circle(d = pilot, $fn = 16);
}
module bottom() difference() {
  below();
  for (p = recess) translate([p[0], p[1]]) square([p[2] - p[0], p[3] - p[1]]);
}
module layer(low, high) translate([0, 0, low]) linear_extrude(high - low) children();
if (part == "plate") layer(0, thickness) through();
if (part == "bottom" || part == "drilled") layer(0, recess_deep) bottom();
if (part == "lower" || part == "drilled") layer(recess_deep, pilot_deep) below();
if (part == "upper" || part == "drilled") layer(pilot_deep, thickness) through();
"""
    parts = (
        'part = "plate"; // or "bottom", "lower" and "upper": three layers to glue, with the recess and the blind\n'
        '                // holes of the lower side; or "drilled": one solid, which OpenSCAD renders for minutes\n'
    )
    return program(f"The plate of {plan.id}, seen from above.", measures, lists, parts + SLAB + body)


def spacer(plan: BoardPlan, case: Case) -> str:
    """The spacer between sheet and circuit board: its pockets, and all screw holes."""
    wood = plan.plate
    pockets = pockets_of(plan, case)
    measures = {
        "width": wood.width_mm,
        "height": wood.height_mm,
        "thickness": case.stack.spacer_mm,
        "corner": wood.corner_mm,
        "screw": case.screws.hole_mm,
        "clip_screw": case.clip.hole_mm,
    }
    lists = {"screws": case.screws.places(wood), "clip_screws": clips(plan, case)}
    shapes = "".join(f"  [{', '.join(map(_vector, pocket.corners))}],\n" for pocket in pockets)
    body = """linear_extrude(thickness) difference() {
  slab(width, height, corner);
  for (corners = pockets) polygon(corners);
  for (at = screws) translate(at) circle(d = screw, $fn = 32);
  for (at = clip_screws) translate(at) circle(d = clip_screw, $fn = 24);
}
"""
    comment = f"The spacer of {plan.id}: pockets by their corners, seen from above."
    return program(comment, measures, lists, f"pockets = [\n{shapes}];\n\n{SLAB}{body}")


def spacer_in_pieces(plan: BoardPlan, case: Case) -> str:
    """The pieces of the spacer for a 3D printer, as `spacer_pieces` has them."""
    pieces = spacer_pieces(plan, case)
    measures = {"thickness": case.stack.spacer_mm}
    rows = "".join(f"  {_polygons([piece.outline, *piece.openings])},\n" for piece in pieces)
    screws = "".join(f"  [{', '.join(_vector((*at, wide)) for at, wide in piece.screws)}],\n" for piece in pieces)
    places = ", ".join(_vector(piece.corner) for piece in pieces)
    body = """module piece(n) translate([-corners[n][0], -corners[n][1], 0]) linear_extrude(thickness) difference() {
  polygon(pieces[n][0]);
  if (len(pieces[n]) > 1) for (m = [1 : len(pieces[n]) - 1]) polygon(pieces[n][m]);
  for (at = screws[n]) translate([at[0], at[1]]) circle(d = at[2], $fn = 24);
}
for (n = [0 : len(pieces) - 1]) if (part == str(n + 1)) piece(n);
if (part == "") for (n = [0 : len(pieces) - 1]) translate([corners[n][0], corners[n][1], 0]) piece(n);
"""
    comment = f"The spacer of {plan.id} in {len(pieces)} pieces: each as its outline, then its openings."
    lists = f"pieces = [\n{rows}];\nscrews = [\n{screws}];\ncorners = [{places}];\n\n"
    part = 'part = ""; // "1", "2" and so on: that piece alone, at the origin\n'
    return program(comment, measures, {}, f"{part}{lists}{body}")


def bezel(case: Case) -> str:
    """The bezel, the lid of the case."""
    sizes = case.bezel
    openings = bezel_layout(case)
    measures = {
        "width": sizes.width_mm,
        "height": sizes.height_mm,
        "thickness": sizes.thickness_mm,
        "corner": sizes.corner_mm,
        "screw": case.screws.hole_mm,
        "oled_screw": case.oled.hole_mm,
        "button_hole": case.button.hole_mm,
        "recess": case.keypad.recess_mm,
    }
    lists = {
        "screws": openings.screws,
        "oled_screws": openings.oled_screws,
        "glass": [openings.glass],
        "keys": [openings.keys],
        "tail": [openings.tail],
        "button": [openings.button],
    }
    body = """module opening(p) { translate([p[0], p[1]]) square([p[2] - p[0], p[3] - p[1]]); }
module bezel() difference() {
  linear_extrude(thickness) difference() {
    slab(width, height, corner);
    opening(glass[0]);
    opening(tail[0]);
    for (at = screws) translate(at) circle(d = screw, $fn = 32);
    for (at = oled_screws) translate(at) circle(d = oled_screw, $fn = 24);
    translate(button[0]) circle(d = button_hole, $fn = 48);
  }
  translate([0, 0, thickness - recess]) linear_extrude(recess + 1) opening(keys[0]);
}
bezel();
"""
    comment = "The bezel, the lid of the case, from the front. Openings: left, bottom, right, top. Measure first."
    return program(comment, measures, lists, SLAB + body)


def clip(case: Case) -> str:
    """A clip for the edge of the circuit board, as it is printed: on its side."""
    own = case.clip
    measures = {
        "tongue": own.tongue_mm,
        "beside": own.beside_mm,
        "foot": own.foot_mm,
        "length": own.length_mm,
        "over": own.over_mm,
        "step": case.stack.board_mm - own.grip_mm,
        "screw": own.hole_mm,
    }
    body = """difference() {
  linear_extrude(length) polygon([
    [0, 0], [foot, 0], [foot, step + over], [-tongue, step + over], [-tongue, step], [0, step]]);
  translate([beside, -1, length / 2]) rotate([-90, 0, 0]) cylinder(h = step + over + 2, d = screw, $fn = 24);
}
"""
    comment = "A clip: its foot stands on the spacer beside the circuit board, its tongue holds the edge of the board."
    return program(comment, measures, {}, body)


def peg_head(case: Case) -> str:
    """The head of a peg, with a bore from below for the brass tube."""
    peg = case.peg
    measures = {"bore": peg.tube_mm + peg.fit_mm, "socket": peg.socket_mm}
    body = """rotate_extrude($fn = 48) polygon(concat(
  silhouette, [[0, socket], [bore / 2, socket], [bore / 2, 0]]));
"""
    comment = "The head of a peg, standing on its lower end: its silhouette as radius and height. Print one per peg."
    return program(comment, measures, {"silhouette": peg.silhouette}, body)


def program(
    comment: str, measures: Mapping[str, float], lists: Mapping[str, Iterable[Sequence[float]]], body: str
) -> str:
    """A program with its dimensions and lists of places at the top. `body` uses them by these names."""
    lines = [f"{name} = {format_number(value)};" for name, value in measures.items()]
    lines += [f"{name} = [{', '.join(map(_vector, places))}];" for name, places in lists.items()]
    return f"// {comment}\n{_HEAD}" + "\n".join(lines) + f"\n\n{body}"


def _polygons(polygons: Sequence[Sequence[Point]]) -> str:
    outlines = (f"[{', '.join(map(_vector, corners))}]" for corners in polygons)
    return f"[{', '.join(outlines)}]"


def _vector(measures: Sequence[float]) -> str:
    return f"[{', '.join(map(format_number, measures))}]"
