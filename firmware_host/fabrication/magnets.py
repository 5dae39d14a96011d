"""Field of the pegs at the hall switches: nominal and worst case, at the own switch and at the neighbours'."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication.dimensions import Case, load_table
from firmware_host.fabrication.magnet_field import Rod


class Magnetics(Struct, frozen=True):
    """Magnet, switch and tolerances from `magnets.toml`, and the gap that results from the stack in `case.toml`.

    `gap_plus_mm`, `gap_minus_mm` and `offset_mm` are tolerances; `min_margin` is the required ratio of the worst-case
    field to the operate level. `weak_rod` has the lowest remanence.
    """

    rod: Rod
    weak_rod: Rod
    operate_mt: float
    release_mt: float
    gap_mm: float
    gap_plus_mm: float
    gap_minus_mm: float
    offset_mm: float
    min_margin: float

    @property
    def peg_mt(self) -> float:
        """Field in mT at the switch under the peg, with nominal dimensions."""
        return self.rod.axial_mt(self.gap_mm)

    @property
    def peg_worst_mt(self) -> float:
        """The same in the worst case: weak magnet, largest gap, largest offset."""
        return self.weak_rod.axial_mt(self.gap_mm + self.gap_plus_mm, self.offset_mm)


class Crosstalk(Struct, frozen=True):
    """Field in mT at the switch of an empty hole, caused by pegs around it: nominal and worst case."""

    pegs: str
    nominal_mt: float
    worst_mt: float


@cache
def magnetics(case: Case) -> Magnetics:
    """The magnetic design of the row boards (SOT-23 switches)."""
    table = load_table("magnets")
    magnet = table["magnet"]
    switch = table["switch"]
    tolerance = table["tolerance"]
    size = magnet["diameter_mm"], magnet["length_mm"]
    return Magnetics(
        rod=Rod(*size, magnet["remanence_mt"]),
        weak_rod=Rod(*size, magnet["remanence_low_mt"]),
        operate_mt=switch["operate_mt"],
        release_mt=switch["release_mt"],
        gap_mm=case.stack.sheet_mm + case.stack.spacer_mm - switch["height_mm"] + switch["depth_mm"],
        gap_plus_mm=tolerance["gap_plus_mm"],
        gap_minus_mm=tolerance["gap_minus_mm"],
        offset_mm=tolerance["offset_mm"],
        min_margin=tolerance["min_margin"],
    )


def crosstalk(plan: BoardPlan, design: Magnetics) -> tuple[Crosstalk, ...]:
    """Crosstalk at an empty hole for four arrangements of pegs, from common to impossible in a game."""
    pitch = plan.pattern.pitch_mm
    lane = plan.lane_mm
    diagonal = math.hypot(pitch, lane)
    arrangements: Mapping[str, tuple[float, ...]] = {
        "one, in the same lane": (pitch,),
        "two in the same lane, one in the next lane": (pitch, pitch, lane),
        "four, on all sides": (pitch, pitch, lane, lane),
        "eight (impossible in a game)": (pitch, pitch, lane, lane, *(diagonal,) * 4),
    }
    return tuple(_crosstalk(design, pegs, distances) for pegs, distances in arrangements.items())


def _crosstalk(design: Magnetics, pegs: str, distances: tuple[float, ...]) -> Crosstalk:
    def field_mt(gap_mm: float, nearer_mm: float = 0.0) -> float:
        return sum(design.rod.axial_mt(gap_mm, away_mm - nearer_mm) for away_mm in distances)

    steps = 6
    narrowest = design.gap_mm - design.gap_minus_mm
    widest = design.gap_mm + design.gap_plus_mm
    gaps = [narrowest + (widest - narrowest) * step / steps for step in range(steps + 1)]
    worst_mt = max((field_mt(gap, design.offset_mm) for gap in gaps), key=abs)
    return Crosstalk(pegs, field_mt(design.gap_mm), worst_mt)


def magnets_page(plan: BoardPlan, case: Case) -> str:
    """The text of `hardware/generated/magnets.md`."""
    design = magnetics(case)
    lines = [*_own_hole(design), "", *_neighbours(plan, design), "", *_lift(design), "", *_stronger(plan, design)]
    return "\n".join(lines) + "\n"


def _own_hole(design: Magnetics) -> Iterator[str]:
    rod = design.rod
    yield "# Magnets and switches"
    yield ""
    yield "Made by `cribboard draw` from `magnets.toml` and `case.toml`; change those. Calculated, not measured."
    yield ""
    yield f"Magnet: a rod of {rod.diameter_mm:g} x {rod.length_mm:g} mm, remanence {rod.remanence_mt:g} mT."
    yield f"The switch is on from {design.operate_mt:g} mT and off below {design.release_mt:g} mT."
    yield ""
    yield "| peg in its own hole | gap, mm | offset, mm | field, mT | field / operate level |"
    yield "| :--- | ---: | ---: | ---: | ---: |"
    max_gap_mm = design.gap_mm + design.gap_plus_mm
    for label, gap_mm, offset_mm, field_mt in (
        ("nominal", design.gap_mm, 0.0, design.peg_mt),
        ("worst case, weak magnet", max_gap_mm, design.offset_mm, design.peg_worst_mt),
    ):
        ratio = field_mt / design.operate_mt
        yield f"| {label} | {gap_mm:.1f} | {offset_mm:.1f} | {field_mt:.1f} | {ratio:.1f} |"


def _neighbours(plan: BoardPlan, design: Magnetics) -> Iterator[str]:
    yield "| pegs around an empty hole | nominal, mT | worst case, mT | worst case / release level |"
    yield "| :--- | ---: | ---: | ---: |"
    for neighbours in crosstalk(plan, design):
        share = abs(neighbours.worst_mt) / design.release_mt
        yield f"| {neighbours.pegs} | {neighbours.nominal_mt:.2f} | {neighbours.worst_mt:.2f} | {share:.0%} |"


def _lift(design: Magnetics) -> Iterator[str]:
    on_mm = design.weak_rod.reach_mm(design.operate_mt)
    off_mm = design.rod.reach_mm(design.release_mt)
    yield f"The switch is on when the peg is within {on_mm - design.gap_mm:.1f} mm of its seat (weak magnet),"
    yield f"and off when the peg is lifted by {off_mm - design.gap_mm:.1f} mm (strong magnet)."


def accepted_remanence_mt(plan: BoardPlan, design: Magnetics) -> tuple[float, float]:
    """The range of remanence in mT in which a peg of this size operates its switch and no other, in the worst case.

    The field is proportional to the remanence.
    """
    weakest = design.weak_rod.remanence_mt * design.min_margin * design.operate_mt / design.peg_worst_mt
    strongest = design.rod.remanence_mt * design.release_mt / abs(crosstalk(plan, design)[2].worst_mt)
    return weakest, strongest


def _stronger(plan: BoardPlan, design: Magnetics) -> Iterator[str]:
    weakest, strongest = accepted_remanence_mt(plan, design)
    yield f"Accepted remanence: {weakest:.0f} to {strongest:.0f} mT. N35 has 1170 to 1220 mT. **Do not use N52 or"
    yield "stronger** (1430 mT and more): four such pegs around an empty hole can keep its switch on."
