"""What a board costs with its circuit boards made and assembled by a board house, for one, five and ten sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import Circuit
from firmware_host.fabrication.bill import (
    DEMO,
    LIGHTS,
    WHOLE,
    cents,
    circuit_counts,
    desk_list,
    parts_list,
    total_cents,
    unit_counts,
)
from firmware_host.fabrication.dimensions import load_case, load_table

SETS = (1, 5, 10)


def hand_joints(circuit: Circuit) -> int:
    """The pins that are soldered by hand: those of connectors and other parts with leads."""
    return sum(len(part.kind.pins) for part in circuit.parts if part.kind.hand_fitted)


def machine_joints(circuit: Circuit) -> int:
    """The pads that the board house solders."""
    fitted = (part for part in circuit.parts if not part.kind.hand_fitted and not part.kind.is_bare)
    return sum(len(part.kind.pins) for part in fitted)


def set_joints(plan: BoardPlan) -> int:
    """All joints by hand of one board."""
    return sum(count * hand_joints(circuit) for circuit, count in circuit_counts(unit_counts(plan, load_case())))


def making_cents(plan: BoardPlan, sets: int) -> int:
    """Circuit boards and their assembly for so many sets, in whole lots. Parts are not included."""
    making = load_table("parts")["making"]
    total = 0
    for circuit, count in circuit_counts(unit_counts(plan, load_case())):
        if not count:
            continue
        boards = math.ceil(count * sets / making["lot"]) * making["lot"]
        kinds = len({(part.kind.name, part.value) for part in circuit.parts if not part.kind.hand_fitted})
        total += cents(making["setup_usd"] + kinds * making["per_kind_usd"])
        total += cents(boards * making[f"{circuit.name.replace('-', '_')}_usd"])
        total += cents(count * sets * machine_joints(circuit) * making["per_joint_usd"])
    return total


def set_usd(plan: BoardPlan, sets: int, method: str = WHOLE) -> float:
    """The cost of one of so many sets: the parts list of the method and its circuit boards, without tax and postage."""
    parts = total_cents(parts_list(plan, load_case(), method))
    discount: float = load_table("parts")["making"]["discount"][str(sets)]
    return (parts * discount + making_cents(plan, sets) / sets) / 100


def computer_usd(demo: BoardPlan) -> float:
    """The Raspberry Pi and its memory card, which the demo set leaves out."""
    names = ("Raspberry Pi", "microSD card")
    return total_cents([item for item in desk_list(demo, load_case()) if item.name.startswith(names)]) / 100


def costs_page(plans: Sequence[BoardPlan], demo: BoardPlan) -> str:
    """The text of `hardware/generated/costs.md`; `demo` is the plan of the single strip."""
    return "\n".join((*_lines(plans), "", *_other_sets(plans, demo))) + "\n"


def _lines(plans: Sequence[BoardPlan]) -> Iterator[str]:
    per_hour = load_table("parts")["making"]["hand_joints_per_hour"]
    yield "# Costs and work"
    yield ""
    yield "Made by `cribboard draw` from the netlists and `parts.toml`; change those. US dollars for one set, with the"
    yield "circuit boards assembled by a board house, without tax and postage. Estimates from memory: ask for a quote."
    yield ""
    yield f"| board | row boards of 6 | of 1 | {_heads()} | joints by hand | hours of soldering |"
    yield f"| :--- | ---: | ---: |{' ---: |' * len(SETS)} ---: | ---: |"
    for plan in plans:
        units = unit_counts(plan, load_case())
        joints = set_joints(plan)
        hours = joints / per_hour
        yield f"| {plan.id} | {units['row_6']} | {units['row_1']} | {_costs(plan, WHOLE)} | {joints} | {hours:.1f} |"
    yield ""
    yield f"A joint by hand is a pin of a connector, fuse or jack; {per_hour} in an hour, with inspection. Cables are"
    yield "bought with plugs. The board house can solder the connectors as well, for more."


def _other_sets(plans: Sequence[BoardPlan], demo: BoardPlan) -> Iterator[str]:
    """The demo set, and kit `lights` for each board."""
    yield "The demo set is `parts-demo.csv` with the hub and one row board of 1. A Raspberry Pi is not included: a"
    yield f"Zero 2 W and its memory card are {computer_usd(demo):.0f} more. Kit `lights` is `parts-lights.csv` of a"
    yield "board: its hub and rows, a Pi, a keypad and a display, without plate, case and pegs. The switches on the"
    yield "rows are included, as in the order files; this kit needs none of them."
    yield ""
    yield f"| set | {_heads()} |"
    yield f"| :--- |{' ---: |' * len(SETS)}"
    yield f"| demo set | {_costs(demo, DEMO)} |"
    yield from (f"| lights of {plan.id} | {_costs(plan, LIGHTS)} |" for plan in plans)


def _heads() -> str:
    return " | ".join(f"USD, {sets} set{'s' if sets > 1 else ''}" for sets in SETS)


def _costs(plan: BoardPlan, method: str) -> str:
    return " | ".join(f"{set_usd(plan, sets, method):.0f}" for sets in SETS)
