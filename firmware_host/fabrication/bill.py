"""Parts lists: quantities from the board plan, names and estimated prices from `hardware/parts.toml`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.netlist import matrix_circuit, without_switches
from firmware_host.circuits.sources import Record, record_of
from firmware_host.fabrication.board_space import board_space, clips
from firmware_host.fabrication.dimensions import Case, load_table
from firmware_host.fabrication.hole_map import as_csv
from firmware_host.fabrication.magnets import magnetics
from firmware_host.fabrication.power import power_of
from firmware_host.fabrication.shapes import format_number

SENSING = "sensing"
LIGHTS = "lights"
BOARD_KITS = (SENSING, LIGHTS)
"""The kits with a circuit board: all of it, and its lights alone beside the holes of a board that is there."""
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
        "peg": pegs,
        "screw": len(case.screws.places(plan.plate)),
        "clip": len(clips(plan, case)),
        "tube_metre": pegs * case.peg.tube_length_mm(plan.plate) / 1000,
        "pipe_metre": plan.sensor_count * plan.plate.thickness_mm / 1000,
    }


def kit_circuit(plan: BoardPlan, kit: str) -> Circuit:
    """The circuit board of a kit (one of `BOARD_KITS`). That of `lights` has no connectors: the keypad is at the Pi."""
    circuit = matrix_circuit(plan)
    return _without_connectors(without_switches(circuit)) if kit == LIGHTS else circuit


def _without_connectors(circuit: Circuit) -> Circuit:
    return replace(circuit, parts=tuple(part for part in circuit.parts if not part.kind.hand_fitted))


def discount(sets: int) -> float:
    """The price of parts for so many sets, as a share of their single price."""
    return float(load_table("parts")["making"]["discount"][str(sets)])


def parts_list(plan: BoardPlan, case: Case, kit: str, sets: int = 1) -> Sequence[Item]:
    """The parts of a kit (one of `BOARD_KITS`) for one board of so many, without lines of quantity 0.

    A plan without a drawn board gets no circuit board.
    """
    others = (replace(item, usd_each=item.usd_each * discount(sets)) for item in other_parts(plan, case, kit))
    items = [*_circuit_board(plan, kit, sets), *others]
    return [item for item in items if item.quantity]


def _circuit_board(plan: BoardPlan, kit: str, sets: int) -> Iterator[Item]:
    """The circuit board, and the parts on it."""
    if board_space(plan.id):
        name = f"circuit board, made and assembled: kicad/{plan.id}-order.zip"
        yield Item(name, 1, 0.0, "its parts are below; costs.md adds making and assembly to this sum")
        yield from _mounted(kit_circuit(plan, kit), sets)


def desk_list(plan: BoardPlan, case: Case) -> Sequence[Item]:
    """The parts of kit `desk`, without a circuit board. Nothing in it depends on the plan."""
    return list(other_parts(plan, case, DESK))


def other_parts(plan: BoardPlan, case: Case, kit: str) -> Iterator[Item]:
    """The parts that are on no circuit board."""
    units = unit_counts(plan, case)
    placeholders = _placeholders(plan, case)
    wanted = (part for part in load_table("parts")["part"] if kit in part["kits"])
    return (_item(part, units, placeholders) for part in wanted)


def _mounted(circuit: Circuit, sets: int) -> Iterator[Item]:
    """The parts on the circuit board, from its netlist."""
    lines: dict[str, tuple[Record, int]] = {}
    for part in circuit.parts:
        if not part.kind.is_bare and not part.kind.left_empty:
            record = record_of(part)
            lines[record.key] = (record, lines.get(record.key, (record, 0))[1] + 1)
    for key, (record, quantity) in lines.items():
        wanted = math.ceil(round(quantity * (1 + PART_SPARES) if quantity > 10 else quantity, 6))
        usd = record.piece_usd(wanted * sets, discount(sets))
        yield Item(f"{key}: {record.maker} {record.mpn}", wanted, usd, record.alternative)


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


def _item(part: Mapping[str, Any], units: Mapping[str, float], placeholders: Mapping[str, Any]) -> Item:
    quantity = units[part["per"]] * part.get("each", 1) * (1 + part.get("spare", 0.0))
    name = part["name"].format(**placeholders)
    return Item(name, math.ceil(round(quantity, 6)), part["usd"], part.get("alternative", ""))


def _placeholders(plan: BoardPlan, case: Case) -> Mapping[str, Any]:
    """Values of the placeholders in the part names of `parts.toml`."""
    rod = magnetics(case).rod
    plate = plan.plate
    plate_size = (plate.width_mm, plate.height_mm, plate.thickness_mm)
    return {
        "source_a": f"{power_of(plan).source_a:g}",
        "magnet": f"{rod.diameter_mm:g} x {rod.length_mm:g} mm",
        "tube": f"{case.peg.tube_mm:g} / {case.peg.bore_mm:g} mm",
        "sheet": f"{case.stack.sheet_mm:g}",
        "spacer": f"{case.stack.spacer_mm:g}",
        "clip_screw": f"{case.pilot.screw_mm:g}",
        "plate_screw": f"{case.leg.screw_mm:g}",
        "leg": f"{case.leg.length_mm:g}",
        "plate": f"{' x '.join(format_number(side, 1) for side in plate_size)} mm",
    }


def _usd(cents: int) -> str:
    return f"{cents / 100:.2f}"
