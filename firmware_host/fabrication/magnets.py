"""Field of the pegs at the hall switches: nominal and worst case, at the own switch and at the neighbours'.

The switches are unipolar and every peg has its south pole down: a field is positive if it operates the switch below it.
Beside a peg the field has the other sign, so neighbours weaken the own peg's field, and cannot operate an empty hole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication.dimensions import Case, load_table
from firmware_host.fabrication.magnet_field import Rod

FOUR = 2
"""The arrangement of `crosstalk` that every board must bear."""


class Magnetics(Struct, frozen=True):
    """Magnet, switch and tolerances from `magnets.toml`, and the gap that results from the stack in `case.toml`.

    `gap_plus_mm`, `gap_minus_mm` and `offset_mm` are tolerances; `min_margin` is the required ratio of the worst-case
    field to the operate level. `weak_rod` has the lowest remanence. `speaker` is the magnet of the loudspeaker, which
    may make `speaker_mt` at a switch.
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
    speaker: Rod
    speaker_mt: float

    @property
    def peg_mt(self) -> float:
        """Field in mT at the switch under the peg, with nominal dimensions."""
        return self.rod.axial_mt(self.gap_mm)

    @property
    def peg_worst_mt(self) -> float:
        """Field in mT at the switch under the peg in the worst case: weak magnet, largest gap, largest offset."""
        return self.weak_rod.axial_mt(self.gap_mm + self.gap_plus_mm, self.offset_mm)

    @property
    def speaker_mm(self) -> float:
        """The least distance in mm from the loudspeaker to a switch: on its axis, where the field is largest."""
        return self.speaker.reach_mm(self.speaker_mt)


class Crosstalk(Struct, frozen=True):
    """Field in mT at the switch of a hole, caused by pegs around it.

    `worst_mt` is the most negative within the tolerances, which weakens a peg in the hole; `towards_mt` the largest,
    which could operate the switch of an empty hole if it were positive.
    """

    pegs: str
    nominal_mt: float
    worst_mt: float
    towards_mt: float


@cache
def magnetics(case: Case) -> Magnetics:
    """The magnetic design of the circuit board (SOT-23 switches)."""
    table = load_table("magnets")
    magnet = table["magnet"]
    switch = table["switch"]
    tolerance = table["tolerance"]
    speaker = table["speaker"]
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
        speaker=Rod(speaker["diameter_mm"], speaker["length_mm"], speaker["remanence_mt"]),
        speaker_mt=speaker["share"] * switch["release_mt"],
    )


def crosstalk(plan: BoardPlan, design: Magnetics) -> tuple[Crosstalk, ...]:
    """Crosstalk at a hole for four arrangements of pegs, from common to impossible in a game."""
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
    worst_mt = min(field_mt(gap, design.offset_mm) for gap in gaps)
    towards_mt = max(field_mt(gap, -design.offset_mm) for gap in gaps)
    return Crosstalk(pegs, field_mt(design.gap_mm), worst_mt, towards_mt)


def among_four_mt(plan: BoardPlan, design: Magnetics) -> float:
    """Field in mT at the switch of a weak peg with four strong ones around it, each in its own worst case."""
    return design.peg_worst_mt + crosstalk(plan, design)[FOUR].worst_mt


def least_remanence_mt(plan: BoardPlan, design: Magnetics) -> float:
    """The remanence in mT that all pegs must have, so that one among four has its margin in the worst case.

    The field is proportional to the remanence.
    """
    same_rods = design.peg_worst_mt / design.weak_rod.remanence_mt
    same_rods += crosstalk(plan, design)[FOUR].worst_mt / design.rod.remanence_mt
    return design.min_margin * design.operate_mt / same_rods


def magnets_page(plans: Sequence[BoardPlan], case: Case) -> str:
    """The text of `hardware/generated/magnets.md`."""
    design = magnetics(case)
    parts = (_own_hole(design), _neighbours(plans[0], design), _boards(plans, design), _lift(design), _others(design))
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _own_hole(design: Magnetics) -> Iterator[str]:
    rod = design.rod
    yield "# Magnets and switches"
    yield ""
    yield "Made by `cribboard draw` from `magnets.toml` and `case.toml`; change those. Calculated, not measured."
    yield ""
    yield f"Magnet: a rod of {rod.diameter_mm:g} x {rod.length_mm:g} mm, {rod.remanence_mt:g} mT, **south pole down**:"
    yield "the north end of a compass needle turns to that pole."
    yield f"A switch is on from {design.operate_mt:g} mT of a south pole, and surely off below {design.release_mt:g}."
    yield "A north pole never turns it on."
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
    yield f"Pegs around a hole of {plan.id}. Negative fields keep an empty hole off and weaken a peg in it:"
    yield ""
    heads = "nominal, mT | most negative, mT | largest, mT | weak peg among them / operate level"
    yield f"| pegs around a hole | {heads} |"
    yield "| :--- | ---: | ---: | ---: | ---: |"
    for around in crosstalk(plan, design):
        share = (design.peg_worst_mt + around.worst_mt) / design.operate_mt
        fields = f"{around.nominal_mt:.2f} | {around.worst_mt:.2f} | {around.towards_mt:.2f}"
        yield f"| {around.pegs} | {fields} | {share:.2f} |"


def _boards(plans: Sequence[BoardPlan], design: Magnetics) -> Iterator[str]:
    yield "Four pegs on all sides, each in its worst case, on every board:"
    yield ""
    yield "| board | pitch, mm | lane, mm | empty hole, largest mT | weak peg among four, mT | / operate level |"
    yield "| :--- | ---: | ---: | ---: | ---: | ---: |"
    for plan in plans:
        four = crosstalk(plan, design)[FOUR]
        among_mt = among_four_mt(plan, design)
        ratio = among_mt / design.operate_mt
        sizes = f"{plan.pattern.pitch_mm:g} | {plan.lane_mm:g}"
        yield f"| {plan.id} | {sizes} | {four.towards_mt:.2f} | {among_mt:.1f} | {ratio:.2f} |"
    yield ""
    least_mt = max(least_remanence_mt(plan, design) for plan in plans)
    yield f"Accepted remanence: {least_mt:.0f} mT or more. N35 has 1170 to 1220 mT; a stronger grade, such as N42, has"
    yield "more margin. All pegs of a board must have the same."


def _lift(design: Magnetics) -> Iterator[str]:
    on_mm = design.weak_rod.reach_mm(design.operate_mt)
    off_mm = design.rod.reach_mm(design.release_mt)
    yield f"The switch is on when the peg is within {on_mm - design.gap_mm:.1f} mm of its seat (weak magnet),"
    yield f"and surely off when the peg is lifted by {off_mm - design.gap_mm:.1f} mm (strong magnet)."


def _others(design: Magnetics) -> Iterator[str]:
    yield "A peg with its north pole down is not read, and may hold the switches beside it on: test the pegs as in"
    yield "[the assembly](../ASSEMBLY.md)."
    yield ""
    disc = design.speaker
    yield f"Loudspeaker: keep it **{math.ceil(design.speaker_mm / 5) * 5} mm** from the nearest hole."
    yield f"A bare disc of ferrite, {disc.diameter_mm:g} x {disc.length_mm:g} mm and {disc.remanence_mt:g} mT, makes"
    yield f"{design.speaker_mt:g} mT at {design.speaker_mm:.0f} mm on its axis, half of the level at which a switch"
    yield "surely is off. The iron of a speaker leaves less."
