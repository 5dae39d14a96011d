"""Parts lists: quantities from the board plan, names and estimated prices from `hardware/parts.toml`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.cables import cable_counts
from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.hub_netlist import HUB
from firmware_host.circuits.row_boards import SIZES, row_boards
from firmware_host.circuits.row_netlist import row_circuit
from firmware_host.circuits.sources import Source, source_of
from firmware_host.fabrication.dimensions import Case, load_table
from firmware_host.fabrication.hole_map import as_csv
from firmware_host.fabrication.magnets import magnetics
from firmware_host.fabrication.power import power_of
from firmware_host.fabrication.shapes import format_number
from firmware_host.fabrication.strips import strip_screws

WHOLE = "smt"
LIGHTS = "lights"
BUILD_METHODS = (WHOLE, LIGHTS)
"""The parts lists of each board: all of it, and kit `lights`, which is its circuit boards without plate and pegs."""
DEMO = "demo"
DESK = "desk"
PEGS_PER_TRACK = 2
SPARE_PEGS = 2
PART_SPARES = 0.05
"""Share of the parts on circuit boards that is bought on top."""
CSV_HEADER = ("part", "quantity", "usd_each_estimate", "usd_estimate", "alternative")


def cents(usd: float) -> int:
    """An amount in whole cents, which are added without error; half a cent is rounded up."""
    return math.floor(round(usd * 100, 6) + 0.5)


class Item(Struct, frozen=True):
    """One line of a parts list; prices are estimates in US dollars."""

    name: str
    quantity: int
    usd_each: float
    alternative: str

    @property
    def cents(self) -> int:
        """Price of the whole line."""
        return cents(self.quantity * self.usd_each)


def unit_counts(plan: BoardPlan, case: Case) -> Mapping[str, float]:
    """How many of each unit a board has; the keys are the values of `per` in `parts.toml`. Lengths are in metres."""
    pegs = PEGS_PER_TRACK * plan.tracks + SPARE_PEGS
    return {
        "board": 1,
        "hub": 1,
        "hole": plan.sensor_count,
        "strip": plan.strip_count,
        "light": plan.led_count,
        "row": len({strip.row for strip in plan.strips}),
        "row_board": len(row_boards(plan)),
        **{f"row_{size}": sum(len(board.strips) == size for board in row_boards(plan)) for size in SIZES},
        "peg": pegs,
        "screw": len(case.screws.places(plan.plate)),
        "strip_screw": len(strip_screws(plan)),
        "outlet": power_of(plan).fed_ends,
        **{f"cable_{length}": count for length, count in cable_counts(plan).items()},
        "metre": _bus_mm(plan) / 1000,
        "tube_metre": pegs * case.peg.tube_length_mm(plan.plate) / 1000,
        "pipe_metre": plan.sensor_count * plan.plate.thickness_mm / 1000,
    }


def _bus_mm(plan: BoardPlan) -> float:
    """Length of the bus wires: along the chain, and back from its far end to the hub if they are fed there too."""
    back_mm = plan.plate.width_mm + plan.plate.height_mm if power_of(plan).fed_ends == 2 else 0.0
    return plan.strip_count * plan.pattern.reach_mm + back_mm


def parts_list(plan: BoardPlan, case: Case, method: str) -> Sequence[Item]:
    """The parts for one board, built by `method` (one of `BUILD_METHODS`, or `DEMO`), without lines of quantity 0."""
    units = unit_counts(plan, case)
    placeholders = _placeholders(plan, case)
    parts = (part for part in load_table("parts")["part"] if method in part["methods"])
    items = [_item(part, units, placeholders, has_spares=method != DEMO) for part in parts]
    made = _circuit_boards(units)
    return [item for item in (*made, *_mounted(units, has_spares=method != DEMO), *items) if item.quantity]


def desk_list(plan: BoardPlan, case: Case) -> Sequence[Item]:
    """The parts of kit `desk`, without circuit boards. Nothing in it depends on the plan."""
    parts = (part for part in load_table("parts")["part"] if DESK in part["methods"])
    return [_item(part, unit_counts(plan, case), _placeholders(plan, case), has_spares=False) for part in parts]


def circuit_counts(units: Mapping[str, float]) -> Sequence[tuple[Circuit, int]]:
    """The circuits of a board, and how many of each there are."""
    return [(HUB, 1), *((row_circuit(size), int(units[f"row_{size}"])) for size in SIZES)]


def _circuit_boards(units: Mapping[str, float]) -> Iterator[Item]:
    """The boards to order; `costs` has their price, which depends on the number of sets."""
    for circuit, count in circuit_counts(units):
        folder = circuit.name.split("-")[0]
        name = f"circuit board {circuit.name}, assembled: {folder}/{circuit.name}-order.zip"
        yield Item(name, count, 0.0, "price: see costs.md; boards are made in lots of five")


def _mounted(units: Mapping[str, float], *, has_spares: bool) -> Iterator[Item]:
    """The parts on the circuit boards, from their netlists."""
    lines: dict[str, tuple[Source, int]] = {}
    for circuit, boards in circuit_counts(units):
        for part in circuit.parts:
            if not part.kind.is_bare:
                source = source_of(part)
                value = f" {part.value}" if part.kind.name in ("resistor", "capacitor", "polyfuse") else ""
                name = f"{part.kind.name}{value}: {source.maker} {source.mpn}"
                lines[name] = (source, lines.get(name, (source, 0))[1] + boards)
    for name, (source, quantity) in lines.items():
        wanted = quantity * (1 + (PART_SPARES if has_spares else 0.0)) if quantity > 10 else quantity
        yield Item(name, math.ceil(round(wanted, 6)), source.usd, source.alternative)


def total_cents(items: Sequence[Item]) -> int:
    """Sum of all lines, without tax and postage."""
    return sum(item.cents for item in items)


def parts_csv(items: Sequence[Item]) -> str:
    """CSV: one line per part, then the sum."""
    lines = [
        (item.name, item.quantity, format_number(item.usd_each), _usd(item.cents), item.alternative) for item in items
    ]
    total = (f"total, estimated {load_table('parts')['priced_on']}", "", "", _usd(total_cents(items)), "")
    return as_csv([CSV_HEADER, *lines, total])


def _item(
    part: Mapping[str, Any], units: Mapping[str, float], placeholders: Mapping[str, Any], *, has_spares: bool
) -> Item:
    spare = part.get("spare", 0.0) if has_spares else 0.0
    quantity = units[part["per"]] * part.get("each", 1) * (1 + spare)
    usd = part["usd"] + part.get("usd_per_supply_a", 0.0) * placeholders["supply_a"]
    return Item(part["name"].format(**placeholders), math.ceil(round(quantity, 6)), usd, part.get("alternative", ""))


def _placeholders(plan: BoardPlan, case: Case) -> Mapping[str, Any]:
    """Values of the placeholders in the part names of `parts.toml`."""
    power = power_of(plan)
    rod = magnetics(case).rod
    plate = plan.plate
    plate_size = (plate.width_mm, plate.height_mm, plate.thickness_mm)
    return {
        "supply_a": power.supply_a,
        "wire_awg": power.wire_awg,
        "magnet": f"{rod.diameter_mm:g} x {rod.length_mm:g} mm",
        "tube": f"{case.peg.tube_mm:g} / {case.peg.bore_mm:g} mm",
        "sheet": f"{case.stack.sheet_mm:g}",
        "spacer": f"{case.stack.spacer_mm:g}",
        "strip_screw": f"{case.pilot.screw_mm:g}",
        "plate_screw": f"{case.leg.screw_mm:g}",
        "leg": f"{case.leg.length_mm:g}",
        "hub_gap": f"{case.hub.gap_mm:g}",
        "plate": f"{' x '.join(format_number(side, 1) for side in plate_size)} mm",
    }


def _usd(cents: int) -> str:
    return f"{cents / 100:.2f}"
