"""What a board costs with its circuit boards made and assembled by a board house, for one, five and ten sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import Circuit
from firmware_host.fabrication.bill import cents, circuit_counts, parts_list, total_cents, unit_counts
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


def set_usd(plan: BoardPlan, sets: int) -> float:
    """The cost of one of so many sets, everything included but tax and postage."""
    parts = total_cents(parts_list(plan, load_case(), "smt"))
    discount: float = load_table("parts")["making"]["discount"][str(sets)]
    return (parts * discount + making_cents(plan, sets) / sets) / 100


def costs_page(plans: Sequence[BoardPlan]) -> str:
    """The text of `hardware/generated/costs.md`."""
    return "\n".join(_lines(plans)) + "\n"


def _lines(plans: Sequence[BoardPlan]) -> Iterator[str]:
    per_hour = load_table("parts")["making"]["hand_joints_per_hour"]
    yield "# Costs and work"
    yield ""
    yield "Made by `cribboard draw` from the netlists and `parts.toml`; change those. US dollars for one set, with the"
    yield "circuit boards assembled by a board house, without tax and postage. Estimates from memory: ask for a quote."
    yield ""
    heads = " | ".join(f"USD, {sets} set{'s' if sets > 1 else ''}" for sets in SETS)
    yield f"| board | row boards of 6 | of 1 | {heads} | joints by hand | hours of soldering |"
    yield f"| :--- | ---: | ---: |{' ---: |' * len(SETS)} ---: | ---: |"
    for plan in plans:
        units = unit_counts(plan, load_case())
        joints = set_joints(plan)
        costs = " | ".join(f"{set_usd(plan, sets):.0f}" for sets in SETS)
        hours = joints / per_hour
        yield f"| {plan.id} | {units['row_6']} | {units['row_1']} | {costs} | {joints} | {hours:.1f} |"
    yield ""
    yield f"A joint by hand is a pin of a connector, fuse or jack; {per_hour} in an hour, with inspection. Cables are"
    yield "bought with plugs. The board house can solder the connectors as well, for more."
