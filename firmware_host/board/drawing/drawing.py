"""Draws a board as SVG in millimetres, for the web page, the simulator and the hardware documentation.

Every hole is `<g class="hole" id="h-11" data-sensor="11" data-led="5" data-track="0" data-hole="1">` with a circle for
the hole (`well`) and one for its light (`light`); the track of the game hole is `shared`. Pegs and lit lights are not
drawn: the page that shows the drawing adds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from firmware_host.board.components import PlannedHole
from firmware_host.board.course import Hole
from firmware_host.board.drawing.engraved_lines import all_skunk_lines, five_hole_lines, lane_lines, star_outlines
from firmware_host.board.drawing.labels import Label, SkunkLine, Word, names, numbers, skunk_lines, title
from firmware_host.board.drawing.projection import Projection, svg_number
from firmware_host.board.drawing.theme import stylesheet
from firmware_host.board.drawing.track_lines import star, track_line
from firmware_host.board.drawing.wood_grain import grain
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP

DESCRIPTION = "A cribbage board with {count} holes. Tracks: {tracks}."
"""For screen readers."""


def draw(
    plan: BoardPlan,
    target: int | None = None,
    *,
    portrait: bool = False,
    styled: bool = True,
    engraved: bool = False,
    word: Word = str,
) -> str:
    """Returns the SVG text, with the skunk lines of a game to `target` if one is given. Raises UnsupportedTarget.

    `portrait` stands the board on its left end, numbers upright. With `styled=False` the drawing has no CSS of its own,
    as a strict content security policy requires: the page serves `stylesheet(plan)`. With `engraved` it has every line
    that a laser engraves, with the skunk lines of all targets. `word` translates the lettering and DESCRIPTION.
    """
    projection = Projection(plan.plate, portrait)
    parts = (
        _head(plan, projection, word),
        *((f"<style>{stylesheet(plan)}</style>",) if styled else ()),
        *_wood(projection),
        f'<path class="street" d="{(_engraved_lines if engraved else _street_lines)(plan, projection)}"/>',
        *_inlays(plan, projection),
        *(() if engraved else _star(plan, projection)),
        _label(projection, title(plan), "title"),
        *(_label(projection, number, "number") for number in numbers(plan)),
        *(_label(projection, name, "name end" if name.ends_here else "name") for name in names(plan, word)),
        *_skunks(projection, _skunk_lines(plan, target, word) if not engraved else all_skunk_lines(plan)),
        *(_hole(plan, projection, hole) for hole in plan.holes),
        "</svg>",
    )
    return "\n".join(parts) + "\n"


def _head(plan: BoardPlan, projection: Projection, word: Word) -> str:
    tracks = ", ".join(word(track.name) for track in plan.track_info)
    description = word(DESCRIPTION).format(count=plan.sensor_count, tracks=tracks)
    size = f"{svg_number(projection.width_mm)} {svg_number(projection.height_mm)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cribbage-board" viewBox="0 0 {size}" role="img"'
        f' aria-labelledby="board-title board-desc">\n<title id="board-title">{escape(plan.title)}</title>\n'
        f'<desc id="board-desc">{escape(description)}</desc>'
    )


def _wood(projection: Projection) -> Iterator[str]:
    yield (
        '<defs><linearGradient id="plank" x2="0" y2="1"><stop class="tone-light" offset="0"/>'
        '<stop class="tone" offset=".45"/><stop class="tone-deep" offset="1"/></linearGradient>'
        f'<clipPath id="plate">{_plate(projection)}</clipPath></defs>'
    )
    yield _plate(projection, fill="url(#plank)")
    waves = "".join(f'<path class="grain grain-{shade}" d="{wave}"/>' for shade, wave in enumerate(grain(projection)))
    yield f'<g clip-path="url(#plate)">{waves}</g>'
    yield _plate(projection, inset_mm=1.3, css_class="rim") + _plate(projection, inset_mm=3.4, css_class="string")


def _plate(projection: Projection, *, inset_mm: float = 0.0, css_class: str = "", fill: str = "") -> str:
    width_mm = projection.width_mm - 2 * inset_mm
    height_mm = projection.height_mm - 2 * inset_mm
    attributes = (f' class="{css_class}"' if css_class else "") + (f' fill="{fill}"' if fill else "")
    return (
        f'<rect{attributes} x="{svg_number(inset_mm)}" y="{svg_number(inset_mm)}" width="{svg_number(width_mm)}"'
        f' height="{svg_number(height_mm)}" rx="{svg_number(projection.plate.corner_mm - inset_mm)}"/>'
    )


def _street_lines(plan: BoardPlan, projection: Projection) -> str:
    """A fine line across the lane after every fifth hole; parallel lanes make it one line."""
    half_mm = plan.lane_mm / 2
    ends = (
        ((one.x_mm + other.x_mm) / 2, one.y_mm)
        for track in range(plan.tracks)
        for one, other in pairwise(plan.at(track, Hole(number)) for number in range(1, plan.lap + 1))
        if one.hole % HOLES_PER_STRIP == 0 and one.y_mm == other.y_mm
    )
    return "".join(projection.line((x_mm, y_mm - half_mm), (x_mm, y_mm + half_mm)) for x_mm, y_mm in ends)


def _engraved_lines(plan: BoardPlan, projection: Projection) -> str:
    """Lines along the lanes and after every fifth hole, and the star."""
    lines = (projection.line(*line) for line in (*lane_lines(plan), *five_hole_lines(plan)))
    return "".join(lines) + "".join(projection.line(*star) + "z" for star in star_outlines(plan))


def _inlays(plan: BoardPlan, projection: Projection) -> Iterator[str]:
    for track in range(plan.tracks):
        path = track_line(plan, projection, track)
        yield f'<path class="veneer" d="{path}"/><path class="inlay track-{track}" d="{path}"/>'


def _star(plan: BoardPlan, projection: Projection) -> Iterator[str]:
    for veneer, rays in zip(("light", "deep"), star(plan, projection), strict=True):
        yield f'<path class="star-{veneer}" d="{rays}"/>'


def _skunk_lines(plan: BoardPlan, target: int | None, word: Word) -> Iterator[SkunkLine]:
    return skunk_lines(plan, target, word) if target else iter(())


def _skunks(projection: Projection, lines: Iterator[SkunkLine]) -> Iterator[str]:
    for line in lines:
        yield f'<path class="skunk" d="{projection.line(*line.ends)}"/>' + _label(projection, line.name, "skunk-name")


def _label(projection: Projection, label: Label, css_class: str) -> str:
    x, y = map(svg_number, projection.at(label.place))
    turn = (
        f' transform="rotate(-90 {x} {y})"'
        if label.is_turned != (projection.is_standing and css_class != "number")
        else ""
    )
    return f'<text class="{css_class}" x="{x}" y="{y}"{turn}>{escape(label.text)}</text>'


def _hole(plan: BoardPlan, projection: Projection, hole: PlannedHole) -> str:
    track = "shared" if hole.track is None else hole.track
    place = (hole.x_mm, hole.y_mm)
    radius_mm = plan.plate.hole_mm / 2
    return (
        f'<g class="hole" id="h-{hole.sensor}" data-sensor="{hole.sensor}" data-led="{hole.led}"'
        f' data-track="{track}" data-hole="{hole.hole}">'
        f"{projection.circle(place, radius_mm, 'well')}"
        f"{projection.circle((hole.led_x_mm, hole.led_y_mm), plan.plate.light_mm / 2, 'light')}</g>"
    )
