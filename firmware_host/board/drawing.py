"""The drawing of a board: an SVG in millimetres, for the phone, the simulator and the pages of the manual.

Every hole is `<g class="hole" id="h-11" data-sensor="11" data-led="5" data-track="0" data-hole="1">` with a circle for
the hole (`well`) and one for its light (`light`); the track of the game hole is `shared`. No peg is drawn and no light
is lit: that is for the page that shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from firmware_host.board.course import Hole
from firmware_host.board.dress import stylesheet
from firmware_host.board.grain import grain
from firmware_host.board.inlay import inlay, star
from firmware_host.board.lettering import Word, names, numbers, skunk_lines, title
from firmware_host.board.plan import BoardPlan
from firmware_host.board.sheet import Sheet, short
from firmware_host.board.strip import HOLES_PER_STRIP
from firmware_host.board.wood import PlannedHole


def draw(plan: BoardPlan, target: int | None = None, *, portrait: bool = False, styled: bool = True) -> str:
    """The board as SVG text, with the skunk lines of a game to `target` (none: no lines). Raises TargetNotCarried.

    `portrait` stands the board on its left end, numbers upright. Without `styled` the drawing carries no CSS of its
    own: the page brings `stylesheet(plan)`, as a strict content security policy asks.
    """
    sheet = Sheet(plan.plate, portrait)
    parts = (
        _head(plan, sheet),
        *((f"<style>{stylesheet(plan)}</style>",) if styled else ()),
        *_wood(sheet),
        f'<path class="street" d="{_street_lines(plan, sheet)}"/>',
        *_inlays(plan, sheet),
        *_star(plan, sheet),
        _word(sheet, title(plan), "title"),
        *(_word(sheet, number, "number") for number in numbers(plan)),
        *(_word(sheet, name, "name end" if name.ends_here else "name") for name in names(plan)),
        *_skunks(plan, sheet, target),
        *(_hole(plan, sheet, hole) for hole in plan.holes),
        "</svg>",
    )
    return "\n".join(parts) + "\n"


def _head(plan: BoardPlan, sheet: Sheet) -> str:
    tracks = ", ".join(lane.name for lane in plan.inlays)
    size = f"{short(sheet.width_mm)} {short(sheet.height_mm)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cribbage-board" viewBox="0 0 {size}" role="img"'
        f' aria-labelledby="board-title board-desc">\n<title id="board-title">{escape(plan.title)}</title>\n'
        f'<desc id="board-desc">A cribbage board with {plan.sensor_count} holes. Tracks: {tracks}.</desc>'
    )


def _wood(sheet: Sheet) -> Iterator[str]:
    yield (
        '<defs><linearGradient id="plank" x2="0" y2="1"><stop class="tone-light" offset="0"/>'
        '<stop class="tone" offset=".45"/><stop class="tone-deep" offset="1"/></linearGradient>'
        f'<clipPath id="plate">{_plate(sheet)}</clipPath></defs>'
    )
    yield _plate(sheet, fill="url(#plank)")
    waves = "".join(f'<path class="grain grain-{shade}" d="{wave}"/>' for shade, wave in enumerate(grain(sheet)))
    yield f'<g clip-path="url(#plate)">{waves}</g>'
    yield _plate(sheet, inset_mm=1.3, dress="rim") + _plate(sheet, inset_mm=3.4, dress="string")


def _plate(sheet: Sheet, *, inset_mm: float = 0.0, dress: str = "", fill: str = "") -> str:
    width_mm, height_mm = sheet.width_mm - 2 * inset_mm, sheet.height_mm - 2 * inset_mm
    worn = (f' class="{dress}"' if dress else "") + (f' fill="{fill}"' if fill else "")
    return (
        f'<rect{worn} x="{short(inset_mm)}" y="{short(inset_mm)}" width="{short(width_mm)}"'
        f' height="{short(height_mm)}" rx="{short(sheet.plate.corner_mm - inset_mm)}"/>'
    )


def _street_lines(plan: BoardPlan, sheet: Sheet) -> str:
    """A fine line across the lane after every fifth hole; lanes side by side make one line of it."""
    half_mm = plan.lane_mm / 2
    ends = (
        ((one.x_mm + other.x_mm) / 2, one.y_mm)
        for track in range(plan.tracks)
        for one, other in pairwise(plan.at(track, Hole(number)) for number in range(1, plan.lap + 1))
        if one.hole % HOLES_PER_STRIP == 0 and one.y_mm == other.y_mm
    )
    return "".join(sheet.line((x_mm, y_mm - half_mm), (x_mm, y_mm + half_mm)) for x_mm, y_mm in ends)


def _inlays(plan: BoardPlan, sheet: Sheet) -> Iterator[str]:
    for track in range(plan.tracks):
        way = inlay(plan, sheet, track)
        yield f'<path class="veneer" d="{way}"/><path class="inlay track-{track}" d="{way}"/>'


def _star(plan: BoardPlan, sheet: Sheet) -> Iterator[str]:
    for veneer, rays in zip(("light", "deep"), star(plan, sheet), strict=True):
        yield f'<path class="star-{veneer}" d="{rays}"/>'


def _skunks(plan: BoardPlan, sheet: Sheet, target: int | None) -> Iterator[str]:
    for line in skunk_lines(plan, target) if target else ():
        yield f'<path class="skunk" d="{sheet.line(*line.ends)}"/>' + _word(sheet, line.name, "skunk-name")


def _word(sheet: Sheet, word: Word, dress: str) -> str:
    x, y = map(short, sheet.at(word.place))
    turn = f' transform="rotate(-90 {x} {y})"' if word.is_turned != (sheet.is_standing and dress != "number") else ""
    return f'<text class="{dress}" x="{x}" y="{y}"{turn}>{escape(word.text)}</text>'


def _hole(plan: BoardPlan, sheet: Sheet, hole: PlannedHole) -> str:
    track = "shared" if hole.track is None else hole.track
    place, radius_mm = (hole.x_mm, hole.y_mm), plan.plate.hole_mm / 2
    return (
        f'<g class="hole" id="h-{hole.sensor}" data-sensor="{hole.sensor}" data-led="{hole.led}"'
        f' data-track="{track}" data-hole="{hole.hole}">'
        f"{sheet.circle(place, radius_mm, 'well')}"
        f"{sheet.circle((hole.led_x_mm, hole.led_y_mm), plan.plate.light_mm / 2, 'light')}</g>"
    )
