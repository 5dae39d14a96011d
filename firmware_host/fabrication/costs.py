"""What a board costs with its circuit board made and assembled by a board house, for one, five and ten sets.

The price model: set-up for an order, a fee for each kind of part that the assembler does not keep loaded, joints, bare
boards by their area in whole lots, and a discount on the parts of several sets, if no public list has their price by
quantity. A large board costs more to assemble.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.sources import parts_usd, record_of
from firmware_host.fabrication.bill import BOARD_KITS, SENSING, kit_circuit, parts_list, total_cents
from firmware_host.fabrication.board_space import board_space
from firmware_host.fabrication.dimensions import load_case, load_table

SETS = (1, 5, 10)
EDGE_MM = 12.0
"""Circuit board beyond the outermost hole, where none is drawn yet."""


def hand_joints(circuit: Circuit) -> int:
    """The pins that are soldered by hand: those of connectors and other parts with leads."""
    by_hand = (part for part in circuit.parts if part.kind.hand_fitted and not part.kind.left_empty)
    return sum(len(part.kind.pins) for part in by_hand)


def machine_joints(circuit: Circuit) -> int:
    """The pads that the board house solders."""
    fitted = (part for part in circuit.parts if not part.kind.hand_fitted and not part.kind.is_bare)
    return sum(len(part.kind.pins) for part in fitted)


def board_cm2(plan: BoardPlan) -> float:
    """The area of one circuit board: that which is drawn, else an estimate from the holes and lights over it."""
    if space := board_space(plan.id):
        return space.outline.area_cm2
    xs = [x for planned in plan.holes for x in (planned.x_mm, planned.led_x_mm)]
    ys = [y for planned in plan.holes for y in (planned.y_mm, planned.led_y_mm)]
    return (max(xs) - min(xs) + EDGE_MM) * (max(ys) - min(ys) + EDGE_MM / 2) / 100


def making_usd(fees: int, joints: int, cm2: float, sets: int) -> float:
    """Making and assembly of one board of so many, in whole lots.

    `fees`: kinds of parts with a feeder fee; `joints`: those by machine; `cm2`: the area of a board.
    """
    making = load_table("parts")["making"]
    boards = math.ceil(sets / making["lot"]) * making["lot"]
    fixed = making["setup_usd"] + fees * making["per_kind_usd"] + bare_boards_usd(cm2, boards)
    if cm2 > making["large_cm2"]:
        fixed += making["large_usd"]
    return float(fixed / sets + joints * making["per_joint_usd"])


def bare_boards_usd(cm2: float, boards: int) -> float:
    """The price of an order of so many bare boards of an area."""
    return boards * cm2 * float(load_table("parts")["making"]["board_usd_per_cm2"])


def set_usd(plan: BoardPlan, sets: int, kit: str = SENSING) -> float:
    """The cost of one of so many sets: the parts list of the kit and its circuit board, without tax and postage."""
    circuit = kit_circuit(plan, kit)
    machine = [record_of(part) for part in circuit.parts if not part.kind.hand_fitted and not part.kind.is_bare]
    fees = len({record.key for record in machine if not record.loaded})
    parts = total_cents(parts_list(plan, load_case(), kit, sets)) / 100
    return parts + making_usd(fees, machine_joints(circuit), board_cm2(plan), sets)


def second_board_usd(plan: BoardPlan, kit: str = SENSING) -> float:
    """The parts and joints by machine of one circuit board more in the same order, for a house that assembles two."""
    circuit = kit_circuit(plan, kit)
    machine = (part for part in circuit.parts if not part.kind.hand_fitted and not part.kind.is_bare)
    joints_usd = machine_joints(circuit) * float(load_table("parts")["making"]["per_joint_usd"])
    return parts_usd(machine, boards=2) + joints_usd


def costs_page(plans: Sequence[BoardPlan]) -> str:
    """The text of `hardware/generated/costs.md`."""
    return "\n".join(_lines(plans)) + "\n"


def _lines(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield "# Costs and work"
    yield ""
    yield "Made by `cribboard draw` from the netlists, `kicad/sources.toml` and `parts.toml`; change those. US dollars"
    yield "for one set, with the circuit board assembled by a board house, without tax and postage. Mostly estimates:"
    yield "ask for a quote. Kit `sensing` is `parts-sensing.csv` of a board, kit `lights` its `parts-lights.csv`: a"
    yield "circuit board without switches, a Pi, a keypad and a display, beside a board that you have. The house"
    yield "whose fees these are assembles two boards at least: there one set costs what the column `1 set, 2 boards`"
    yield "says, and the second board is a spare. All sums include every line of the parts lists."
    yield ""
    one, *more = SETS
    yield f"| kit | board | {one} set | {one} set, 2 boards | {' | '.join(f'each of {sets} sets' for sets in more)} |"
    yield f"| :--- | :--- |{' ---: |' * (len(SETS) + 1)}"
    yield from (_row(plan, kit) for kit in BOARD_KITS for plan in plans)
    yield ""
    joints = " or ".join(map(str, sorted({hand_joints(kit_circuit(plan, SENSING)) for plan in plans})))
    yield f"By hand on the circuit board of kit `sensing`: the {joints} pins of the keypad's header J2, some minutes"
    yield "with inspection. The board house can solder them as well, for more. On that of kit `lights` nothing is"
    yield "soldered by hand. J3 stays empty on both."


def _row(plan: BoardPlan, kit: str) -> str:
    one, *more = (set_usd(plan, sets, kit) for sets in SETS)
    cells = (one, one + second_board_usd(plan, kit), *more)
    return f"| {kit} | {plan.id} | {' | '.join(f'{usd:.0f}' for usd in cells)} |"
