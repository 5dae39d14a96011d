"""The chart of the magnets: the field at a switch over the gap, with the levels at which it is on and off."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from firmware_host.board.plan import BoardPlan
from firmware_host.drafting.magnets import Magnetics
from firmware_host.drafting.marks import Anchor, Drawing, Layer, Lettering, Mark, Point, Stroke, box

_WIDE_MM, _HIGH_MM, _LEFT_MM, _FOOT_MM, _TOP_MM = 150.0, 84.0, 18.0, 16.0, 10.0
_NEAREST_MM, _FARTHEST_MM = 1.0, 9.0
_LOWEST_MT, _HIGHEST_MT = 0.1, 200.0
_LETTER_MM = 3.0
_STEPS = 40


def magnet_chart(plan: BoardPlan, design: Magnetics) -> Drawing:
    """Both axes in the units of `magnets.toml`; the field on a scale of tens."""
    neighbours = (plan.pattern.pitch_mm, plan.pattern.pitch_mm, plan.lane_mm, plan.lane_mm)
    marks = (
        *_shade(design),
        *_grid(),
        *_level(design.operate_mt, "on, at the latest", 1.8),
        *_level(design.release_mt, "off, at the latest", -3.6),
        *_curve(Layer.OUTLINE, design.rod.on_axis_mt),
        *_curve(Layer.LED, lambda gap_mm: design.weak_rod.along_mt(gap_mm, design.aside_mm)),
        *_curve(Layer.SCREWS, lambda gap_mm: abs(sum(design.rod.along_mt(gap_mm, away) for away in neighbours))),
        *_key(),
    )
    return Drawing("field of a peg at its switch", _LEFT_MM + _WIDE_MM + 6, _FOOT_MM + _HIGH_MM + _TOP_MM, marks)


def _at(gap_mm: float, field_mt: float) -> Point:
    share = math.log(field_mt / _LOWEST_MT) / math.log(_HIGHEST_MT / _LOWEST_MT)
    across = (gap_mm - _NEAREST_MM) / (_FARTHEST_MM - _NEAREST_MM)
    return _LEFT_MM + _WIDE_MM * across, _FOOT_MM + _HIGH_MM * share


def _shade(design: Magnetics) -> Iterator[Mark]:
    """The gaps that tolerances allow, and in it the drawn one."""
    left, bottom = _at(design.gap_mm - design.narrower_mm, _LOWEST_MT)
    right, top = _at(design.gap_mm + design.wider_mm, _HIGHEST_MT)
    yield box(Layer.LIGHT, left, bottom, right, top)
    middle = _at(design.gap_mm, _LOWEST_MT)[0]
    yield Stroke(Layer.NOTES, ((middle, bottom), (middle, top)))
    yield Lettering(Layer.NOTES, ((left + right) / 2, top + 1.5), "gaps that tolerances allow", _LETTER_MM)


def _grid() -> Iterator[Mark]:
    for gap in range(int(_NEAREST_MM), int(_FARTHEST_MM) + 1):
        x_mm = _at(gap, 1.0)[0]
        yield Stroke(Layer.NOTES, ((x_mm, _FOOT_MM), (x_mm, _FOOT_MM + 1.5)))
        yield Lettering(Layer.NOTES, (x_mm, _FOOT_MM - 4.5), str(gap), _LETTER_MM)
    for level in (0.1, 1.0, 10.0, 100.0):
        y_mm = _at(_NEAREST_MM, level)[1]
        yield Stroke(Layer.NOTES, ((_LEFT_MM, y_mm), (_LEFT_MM + _WIDE_MM, y_mm)))
        yield Lettering(Layer.NOTES, (_LEFT_MM - 1.5, y_mm - 1.0), f"{level:g} mT", _LETTER_MM, Anchor.RIGHT)
    words = "gap from the tip of the peg to the switch's element, mm"
    yield Lettering(Layer.NOTES, (_LEFT_MM + _WIDE_MM / 2, _FOOT_MM - 11), words, _LETTER_MM)


def _level(field_mt: float, words: str, above_mm: float) -> Iterator[Mark]:
    left, right = _at(_NEAREST_MM, field_mt), _at(_FARTHEST_MM, field_mt)
    yield Stroke(Layer.POCKET, (left, right))
    place = _at(5.8, field_mt)[0], left[1] + above_mm
    yield Lettering(Layer.NOTES, place, f"{words}: {field_mt:g} mT", _LETTER_MM, Anchor.LEFT)


def _curve(layer: Layer, field: Callable[[float], float]) -> Iterator[Mark]:
    gaps = [_NEAREST_MM + (_FARTHEST_MM - _NEAREST_MM) * step / _STEPS for step in range(_STEPS + 1)]
    yield Stroke(layer, tuple(_at(gap_mm, max(_LOWEST_MT, field(gap_mm))) for gap_mm in gaps))


def _key() -> Iterator[Mark]:
    for row, (layer, words) in enumerate(
        (
            (Layer.OUTLINE, "its own peg, as drawn"),
            (Layer.LED, "its own peg, weak and off the middle"),
            (Layer.SCREWS, "no peg, but four round it"),
        )
    ):
        y_mm = _FOOT_MM + _HIGH_MM - 10 - 5 * row
        yield Stroke(layer, ((_LEFT_MM + 88, y_mm), (_LEFT_MM + 96, y_mm)))
        yield Lettering(Layer.NOTES, (_LEFT_MM + 98, y_mm - 1), words, _LETTER_MM, Anchor.LEFT)
