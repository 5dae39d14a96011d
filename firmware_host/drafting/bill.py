"""What to buy for a board, and about what it costs: counted from the plan, priced from `hardware/parts.toml`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firmware_host.board.plan import BoardPlan
from firmware_host.drafting.hole_map import as_csv
from firmware_host.drafting.links import buffered
from firmware_host.drafting.magnets import magnetics
from firmware_host.drafting.marks import number
from firmware_host.drafting.power import power_of
from firmware_host.drafting.strips import screws_of
from firmware_host.drafting.truths import Case, told
from hardware.hub.netlist import HUB
from hardware.pcb.circuit import Part
from hardware.strip.netlist import STRIP

WAYS = ("smt", "stripboard")
DEMO = "demo"
PEGS_A_TRACK, SPARE_PEGS = 2, 2
NETLISTS = {"strip": STRIP, "hub": HUB}
HEAD = ("part", "quantity", "usd_each_estimate", "usd_estimate", "instead")


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a bill; prices are estimates in US dollars."""

    name: str
    quantity: int
    usd_each: float
    instead: str

    @property
    def usd(self) -> float:
        return self.quantity * self.usd_each


def counts(plan: BoardPlan, case: Case) -> Mapping[str, float]:
    """How often a board has whatever a part may be needed for."""
    pegs = PEGS_A_TRACK * plan.tracks + SPARE_PEGS
    return {
        "board": 1,
        "hub": 1,
        "hole": plan.sensor_count,
        "strip": plan.strip_count,
        "light": plan.led_count,
        "row": len({strip.row for strip in plan.strips}),
        "link": len(buffered(plan)),
        "peg": pegs,
        "screw": len(case.screws.places(plan.plate)),
        "sheet_by_hand": case.stack.sheets_by_hand,
        "strip_screw": len(screws_of(plan)),
        "metre": plan.strip_count * plan.pattern.reach_mm / 1000,
        "tube_metre": pegs * case.peg.tube_length_mm(plan.plate) / 1000,
        "pipe_metre": plan.sensor_count * plan.plate.thickness_mm / 1000,
    }


def bill(plan: BoardPlan, case: Case, way: str) -> Sequence[Item]:
    """All that this way of building asks for; nothing that would be bought no times."""
    counted, words = counts(plan, case), _words(plan, case)
    parts = (part for part in told("parts")["part"] if way in part["ways"])
    items = (_item(part, counted, words, has_spares=way != DEMO) for part in parts)
    return [item for item in items if item.quantity]


def total_usd(items: Sequence[Item]) -> float:
    return sum(item.usd for item in items)


def as_table(items: Sequence[Item]) -> str:
    """CSV: a line a part, and the sum."""
    lines = [(item.name, item.quantity, number(item.usd_each), _usd(item.usd), item.instead) for item in items]
    total = (f"total, estimated {told('parts')['priced']}", "", "", _usd(total_usd(items)), "")
    return as_csv([HEAD, *lines, total])


def _item(part: Mapping[str, Any], counted: Mapping[str, float], words: Mapping[str, Any], *, has_spares: bool) -> Item:
    spare = part.get("spare", 0.0) if has_spares else 0.0
    wanted = counted[part["per"]] * _each(part) * (1 + spare)
    usd = part["usd"] + part.get("usd_per_supply_a", 0.0) * words["supply_a"]
    return Item(part["name"].format(**words), math.ceil(round(wanted, 6)), usd, part.get("instead", ""))


def _each(part: Mapping[str, Any]) -> int:
    """As the list has it, or as often as the netlist does."""
    if "placed" not in part:
        return int(part.get("each", 1))
    return sum(part["placed"] in names_of(placed) for placed in NETLISTS[part["per"]].parts)


def names_of(part: Part) -> tuple[str, str, str]:
    """What a netlist calls a part: by its kind and value, by its kind alone, or by its own name."""
    return f"{part.kind.name} {part.value}", part.kind.name, part.ref


def _words(plan: BoardPlan, case: Case) -> Mapping[str, Any]:
    """What stands in braces in the names of parts."""
    power, rod, plate = power_of(plan), magnetics(case).rod, plan.plate
    wood = (plate.width_mm, plate.height_mm, plate.thickness_mm)
    return {
        "supply_a": power.supply_a,
        "fuse_a": power.fuse_a,
        "wire_awg": power.wire_awg,
        "magnet": f"{rod.diameter_mm:g} x {rod.length_mm:g} mm",
        "tube": f"{case.peg.tube_mm:g} / {case.peg.bore_mm:g} mm",
        "sheet": f"{case.stack.sheet_mm:g}",
        "spacer": f"{case.stack.spacer_mm:g}",
        "strip_screw": f"{case.pilot.screw_mm:g}",
        "plate": f"{' x '.join(number(side, 1) for side in wood)} mm",
    }


def _usd(amount: float) -> str:
    return f"{amount:.2f}"
