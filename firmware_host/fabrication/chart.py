"""Chart of the magnetic field at a switch over the gap, with the operate and release levels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication.magnets import Magnetics
from firmware_host.fabrication.shapes import Anchor, Drawing, Layer, Point, Polyline, Shape, Text, rectangle

_WIDE_MM = 150.0
_HIGH_MM = 84.0
_LEFT_MM = 18.0
_FOOT_MM = 16.0
_TOP_MM = 10.0
_NEAREST_MM = 1.0
_FARTHEST_MM = 9.0
_LOWEST_MT = 0.1
_HIGHEST_MT = 200.0
_LETTER_MM = 3.0
_STEPS = 40


def magnet_chart(plan: BoardPlan, design: Magnetics) -> Drawing:
    """Field in mT (logarithmic) over the gap in mm: of the own peg, nominal and worst case, and of four neighbours."""
    neighbours = (plan.pattern.pitch_mm, plan.pattern.pitch_mm, plan.lane_mm, plan.lane_mm)
    shapes = (
        *_shade(design),
        *_grid(),
        *_level(design.operate_mt, "switch is on", 1.8),
        *_level(design.release_mt, "switch is off", -3.6),
        *_curve(Layer.OUTLINE, design.rod.on_axis_mt),
        *_curve(Layer.LED, lambda gap_mm: design.weak_rod.axial_mt(gap_mm, design.offset_mm)),
        *_curve(Layer.SCREWS, lambda gap_mm: abs(sum(design.rod.axial_mt(gap_mm, away) for away in neighbours))),
        *_legend(),
    )
    return Drawing("field of a peg at its switch", _LEFT_MM + _WIDE_MM + 6, _FOOT_MM + _HIGH_MM + _TOP_MM, shapes)


def _at(gap_mm: float, field_mt: float) -> Point:
    share = math.log(field_mt / _LOWEST_MT) / math.log(_HIGHEST_MT / _LOWEST_MT)
    across = (gap_mm - _NEAREST_MM) / (_FARTHEST_MM - _NEAREST_MM)
    return _LEFT_MM + _WIDE_MM * across, _FOOT_MM + _HIGH_MM * share


def _shade(design: Magnetics) -> Iterator[Shape]:
    """The range of gaps within tolerance, with a line at the nominal gap."""
    left, bottom = _at(design.gap_mm - design.gap_minus_mm, _LOWEST_MT)
    right, top = _at(design.gap_mm + design.gap_plus_mm, _HIGHEST_MT)
    yield rectangle(Layer.LIGHT, left, bottom, right, top)
    middle = _at(design.gap_mm, _LOWEST_MT)[0]
    yield Polyline(Layer.NOTES, ((middle, bottom), (middle, top)))
    yield Text(Layer.NOTES, ((left + right) / 2, top + 1.5), "gaps within tolerance", _LETTER_MM)


def _grid() -> Iterator[Shape]:
    for gap in range(int(_NEAREST_MM), int(_FARTHEST_MM) + 1):
        x_mm = _at(gap, 1.0)[0]
        yield Polyline(Layer.NOTES, ((x_mm, _FOOT_MM), (x_mm, _FOOT_MM + 1.5)))
        yield Text(Layer.NOTES, (x_mm, _FOOT_MM - 4.5), str(gap), _LETTER_MM)
    for level in (0.1, 1.0, 10.0, 100.0):
        y_mm = _at(_NEAREST_MM, level)[1]
        yield Polyline(Layer.NOTES, ((_LEFT_MM, y_mm), (_LEFT_MM + _WIDE_MM, y_mm)))
        yield Text(Layer.NOTES, (_LEFT_MM - 1.5, y_mm - 1.0), f"{level:g} mT", _LETTER_MM, Anchor.RIGHT)
    caption = "gap from the tip of the peg to the sensor element, mm"
    yield Text(Layer.NOTES, (_LEFT_MM + _WIDE_MM / 2, _FOOT_MM - 11), caption, _LETTER_MM)


def _level(field_mt: float, label: str, above_mm: float) -> Iterator[Shape]:
    left = _at(_NEAREST_MM, field_mt)
    right = _at(_FARTHEST_MM, field_mt)
    yield Polyline(Layer.POCKET, (left, right))
    place = _at(5.8, field_mt)[0], left[1] + above_mm
    yield Text(Layer.NOTES, place, f"{label}: {field_mt:g} mT", _LETTER_MM, Anchor.LEFT)


def _curve(layer: Layer, field: Callable[[float], float]) -> Iterator[Shape]:
    gaps = [_NEAREST_MM + (_FARTHEST_MM - _NEAREST_MM) * step / _STEPS for step in range(_STEPS + 1)]
    yield Polyline(layer, tuple(_at(gap_mm, max(_LOWEST_MT, field(gap_mm))) for gap_mm in gaps))


def _legend() -> Iterator[Shape]:
    for row, (layer, label) in enumerate(
        (
            (Layer.OUTLINE, "own peg, nominal"),
            (Layer.LED, "own peg, weak magnet, off centre"),
            (Layer.SCREWS, "four neighbours, negative up to 5 mm"),
        )
    ):
        y_mm = _FOOT_MM + _HIGH_MM - 10 - 5 * row
        yield Polyline(layer, ((_LEFT_MM + 88, y_mm), (_LEFT_MM + 96, y_mm)))
        yield Text(Layer.NOTES, (_LEFT_MM + 98, y_mm - 1), label, _LETTER_MM, Anchor.LEFT)
