"""Does a peg switch its own sensor, and never a neighbour's? The shipped design, and the same with all against it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from firmware_host.board.plan import BoardPlan
from firmware_host.drafting.field import Rod
from firmware_host.drafting.truths import Case, told
from hardware.stripboard.strip import HALL_THICK_MM


@dataclass(frozen=True, slots=True)
class Magnetics:
    """`hardware/magnets.toml`, and the gap that follows from the stack under the plate."""

    rod: Rod
    weak_rod: Rod
    operate_mt: float
    release_mt: float
    gap_mm: float
    wider_mm: float
    narrower_mm: float
    aside_mm: float
    keep: float

    @property
    def own_mt(self) -> float:
        """What a peg gives its own switch when all is as drawn."""
        return self.rod.along_mt(self.gap_mm)

    @property
    def own_worst_mt(self) -> float:
        """The same from a weak magnet, too far away and beside the middle."""
        return self.weak_rod.along_mt(self.gap_mm + self.wider_mm, self.aside_mm)


@dataclass(frozen=True, slots=True)
class Crosstalk:
    """What an empty hole's switch feels of pegs around it, in mT: as drawn, and at the worst gap."""

    pegs: str
    nominal_mt: float
    worst_mt: float


@cache
def magnetics(case: Case) -> Magnetics:
    facts = told("magnets")
    magnet, switch, tolerance = facts["magnet"], facts["switch"], facts["tolerance"]
    size = magnet["diameter_mm"], magnet["length_mm"]
    return Magnetics(
        rod=Rod(*size, magnet["remanence_mt"]),
        weak_rod=Rod(*size, magnet["remanence_low_mt"]),
        operate_mt=switch["operate_mt"],
        release_mt=switch["release_mt"],
        gap_mm=case.stack.sheet_mm + case.stack.spacer_mm - switch["height_mm"] + switch["depth_mm"],
        wider_mm=tolerance["wider_mm"],
        narrower_mm=tolerance["narrower_mm"],
        aside_mm=tolerance["aside_mm"],
        keep=tolerance["keep"],
    )


def by_hand(case: Case) -> Magnetics:
    """The same over strips on stripboard: a thicker switch, and more sheets to make up for it."""
    stack, depth_mm = case.stack, told("magnets")["switch"]["depth_mm"]
    gap_mm = stack.sheets_by_hand * stack.sheet_mm + stack.spacer_mm - HALL_THICK_MM + depth_mm
    return replace(magnetics(case), gap_mm=gap_mm)


def crosstalk(plan: BoardPlan, design: Magnetics) -> tuple[Crosstalk, ...]:
    """Pegs around an empty hole, from what every game brings to what none can."""
    pitch, lane = plan.pattern.pitch_mm, plan.lane_mm
    diagonal = math.hypot(pitch, lane)
    around: Mapping[str, tuple[float, ...]] = {
        "one beside it in the lane": (pitch,),
        "both of its own pegs beside it, and one in the next lane": (pitch, pitch, lane),
        "four, on all sides": (pitch, pitch, lane, lane),
        "eight, which no game brings": (pitch, pitch, lane, lane, *(diagonal,) * 4),
    }
    return tuple(_crosstalk(design, pegs, distances) for pegs, distances in around.items())


def _crosstalk(design: Magnetics, pegs: str, distances: tuple[float, ...]) -> Crosstalk:
    def felt(gap_mm: float, nearer_mm: float = 0.0) -> float:
        return sum(design.rod.along_mt(gap_mm, away_mm - nearer_mm) for away_mm in distances)

    steps = 6
    narrowest, widest = design.gap_mm - design.narrower_mm, design.gap_mm + design.wider_mm
    gaps = [narrowest + (widest - narrowest) * step / steps for step in range(steps + 1)]
    return Crosstalk(pegs, felt(design.gap_mm), max((felt(gap, design.aside_mm) for gap in gaps), key=abs))


def is_sound(plan: BoardPlan, design: Magnetics) -> bool:
    """With all against it the switch is still on by a margin, and an empty hole amid four pegs still off."""
    four = crosstalk(plan, design)[2]
    return design.own_worst_mt >= design.keep * design.operate_mt and abs(four.worst_mt) < design.release_mt


def magnets_page(plan: BoardPlan, case: Case) -> str:
    """The tables of `hardware/generated/magnets.md`."""
    design = magnetics(case)
    lines = [*_own(design), "", *_others(plan, design), "", *_reaches(design), "", *_by_hand(plan, case)]
    return "\n".join(lines) + "\n"


def _own(design: Magnetics) -> Iterator[str]:
    rod = design.rod
    yield "# Magnets and switches"
    yield ""
    yield "Made by `cribboard draw` from `magnets.toml` and `case.toml`; change those. Calculated, not measured."
    yield ""
    yield f"A rod of {rod.diameter_mm:g} x {rod.length_mm:g} mm, {rod.remanence_mt:g} mT; the switch is on from"
    yield f"{design.operate_mt:g} mT, off below {design.release_mt:g} mT."
    yield ""
    yield "| a peg in its own hole | gap, mm | beside the middle, mm | field, mT | times what it needs |"
    yield "| :--- | ---: | ---: | ---: | ---: |"
    wide_mm = design.gap_mm + design.wider_mm
    for words, gap_mm, aside_mm, field_mt in (
        ("as drawn", design.gap_mm, 0.0, design.own_mt),
        ("all against it, magnet weak", wide_mm, design.aside_mm, design.own_worst_mt),
    ):
        times = field_mt / design.operate_mt
        yield f"| {words} | {gap_mm:.1f} | {aside_mm:.1f} | {field_mt:.1f} | {times:.1f} |"


def _others(plan: BoardPlan, design: Magnetics) -> Iterator[str]:
    yield "| pegs around an empty hole | as drawn, mT | all against it, mT | share of what keeps a switch on |"
    yield "| :--- | ---: | ---: | ---: |"
    for case in crosstalk(plan, design):
        share = abs(case.worst_mt) / design.release_mt
        yield f"| {case.pegs} | {case.nominal_mt:.2f} | {case.worst_mt:.2f} | {share:.0%} |"


def _reaches(design: Magnetics) -> Iterator[str]:
    on_mm, off_mm = design.weak_rod.reach_mm(design.operate_mt), design.rod.reach_mm(design.release_mt)
    yield f"A peg is seen from {on_mm - design.gap_mm:.1f} mm above its seat at the latest, and gone for certain when"
    yield f"it is lifted by {off_mm - design.gap_mm:.1f} mm."


def _by_hand(plan: BoardPlan, case: Case) -> Iterator[str]:
    design, sheets = by_hand(case), case.stack.sheets_by_hand
    four = abs(crosstalk(plan, design)[2].worst_mt)
    own_mt = design.own_worst_mt
    yield f"Over strips by hand: the TO-92 lies {HALL_THICK_MM:g} mm high, so {sheets} sheets lie above it. The gap is"
    yield f"{design.gap_mm:.2f} mm as drawn; with all against it a peg gives its own switch {own_mt:.1f} mT,"
    yield f"and four around an empty hole come to {four:.1f} mT."
