"""Weighs the ways to build the electronics of a board: `python -m hardware.kicad.architectures` writes the page.

The price model is the project's own: set-up for each kind of board, a fee for each part that the assembler does not
keep loaded, joints, bare boards in whole lots, and a discount on the parts of several sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.netlist import matrix_circuit, without_lights
from firmware_host.circuits.sources import record_key, records
from firmware_host.config.board_plans import load_plan
from firmware_host.fabrication.costs import (
    bare_boards_usd,
    board_cm2,
    discount,
    hand_joints,
    making_usd,
    second_board_usd,
)
from firmware_host.fabrication.dimensions import load_table

PAGE = Path(__file__).parent / "architectures.md"
TABLE = Path(__file__).parent / "architectures.toml"
BOARDS = ("classic-61", "continuous-121-2")


class Extra(Struct, frozen=True, forbid_unknown_fields=True):
    """Parts of one kind that are in no netlist: joints and price are those of all pieces."""

    name: str
    joints: int
    usd: float
    pieces: int = 1
    loaded: bool = False
    by_hand: bool = False


class Variant(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the drawn circuit: the keys of the parts that go, and those that come."""

    without: tuple[str, ...]
    more: tuple[Extra, ...]


class ByHand(Struct, frozen=True, forbid_unknown_fields=True):
    """What is soldered by hand: for each hole and for each set."""

    hole: tuple[Extra, ...]
    set: tuple[Extra, ...]


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """What is not a number: what a fault takes away, what can be proved without a board, what a maker can repair."""

    title: str
    fails: str
    proved: str
    repair: str


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """What one way costs: US dollars for one set and each of five, and the work in it."""

    one_usd: float
    five_usd: float
    parts: int
    joints: int
    by_hand: int


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of `architectures.toml`; `chain` has the last figures of revision B by board."""

    other_hall_usd: tuple[float, ...]
    variant: Mapping[str, Variant]
    hand: Mapping[str, ByHand]
    chain: Mapping[str, Figures]
    text: Mapping[str, Words]


@cache
def weights() -> Weights:
    """The numbers and texts of the page."""
    return msgspec.toml.decode(TABLE.read_bytes(), type=Weights)


def figures(way: str, plan: BoardPlan) -> Figures:
    """The figures of one way for a board. Raises KeyError for an unknown way."""
    if way == "chain":
        return weights().chain[plan.id]
    if way in weights().hand:
        return _by_hand(weights().hand[way], plan)
    circuit = matrix_circuit(plan)
    if way == "matrix_dark":
        circuit = without_lights(circuit)
    return _assembled(circuit, weights().variant.get(way), plan)


def _assembled(
    circuit: Circuit,
    variant: Variant | None,
    plan: BoardPlan,
    hall_usd: float | None = None,
) -> Figures:
    """A board of the assembler. None: the price of a hall switch is that of the tables."""
    gone = set(variant.without) if variant else set()
    more = variant.more if variant else ()
    fitted = (part for part in circuit.parts if not part.kind.is_bare and not part.kind.left_empty)
    kept = [part for part in fitted if record_key(part) not in gone]
    table = records()
    prices = {key: table[key].usd for key in table} | ({"DRV5023AJ": hall_usd} if hall_usd is not None else {})
    parts_usd = sum(prices[record_key(part)] for part in kept) + sum(extra.usd for extra in more)
    machine = [part for part in kept if not part.kind.hand_fitted]
    fees = {record_key(part) for part in machine if not table[record_key(part)].loaded}
    fees |= {extra.name for extra in more if not extra.loaded and not extra.by_hand}
    joints = sum(len(part.kind.pins) for part in kept) + sum(extra.joints for extra in more)
    by_hand = hand_joints(circuit)
    by_hand += sum(extra.joints for extra in more if extra.by_hand)
    one, five = (
        parts_usd * discount(sets) + making_usd(len(fees), joints - by_hand, board_cm2(plan), sets) for sets in (1, 5)
    )
    return Figures(one, five, len(kept) + sum(extra.pieces for extra in more), joints, by_hand)


def _by_hand(way: ByHand, plan: BoardPlan) -> Figures:
    holes = plan.sensor_count
    usd = sum(extra.usd for extra in way.hole) * holes + sum(extra.usd for extra in way.set)
    joints = sum(extra.joints for extra in way.hole) * holes + sum(extra.joints for extra in way.set)
    parts = sum(extra.pieces for extra in way.hole) * holes + sum(extra.pieces for extra in way.set)
    return Figures(usd, usd * discount(5), parts, joints, joints)


INTRODUCTION = """# Ways to build the electronics

Made by `python -m hardware.kicad.architectures` from the netlists, [`sources.toml`](sources.toml),
[`architectures.toml`](architectures.toml) and the prices of assembly in [`parts.toml`](../parts.toml); a test
compares them. US dollars for the electronics alone: circuit boards, the parts on them, assembly, and the cables
between them; no Pi, supply, display, keypad, plate or pegs; no tax or postage. Prices of parts are estimates unless
`sources.toml` says where they are from; `parts.toml` says it of boards and assembly. The row of revision B, whose files
are gone, has the higher fees of before. [kits.md](../generated/kits.md) adds spare parts, so its circuit boards cost
some dollars more. **No board of revision C was built yet.**"""

WHY = """Why not the DRV5032AJ: it can be gated, as it samples once when it gets power (SLVSDC7F, section
7.4), and its thresholds are the best of all, but no public page says that its output may be above its supply. If it
may not, unpowered switches hold their rows low.

Why not the omnipolar DRV5033AJ: a switch that has just got power is undecided between release and operate, and four
pegs around an empty hole give 1.9 mT, more than the 1 mT at which it surely releases. To a unipolar switch these
neighbours have the wrong sign. The price is that every magnet must point the same way, south towards the board.

Why not a cheaper switch. The HAL2041SO is the cheapest in a public list of the assembler's stock (tscircuit/jlcsearch,
magnetic_sensors.md: C22400320, 0.046), and a public board for chess has 128 of them, with power all the time; no public
page was found with the rating of its output, its levels or its polarity. Those of Diodes' unipolar switches are public:
AH3366Q and AH3365Q (DS39178; the data sheet AH3365Q) operate at 10 mT and release at 8.5 and 8 mT typically, run from 3
to 28 V behind a blocking diode, and have a Zener clamp at the output, so no diode to the supply. They are a second
source, but no lower price and no largest operate point was found, and their pins are others (1 supply, 2 ground, 3
output): the board would have to be drawn again. Taiwan Semiconductor's TSH282CX has the right pins (1 supply, 2 output,
3 ground), one pole, and an output rated to 27 V by itself (dtsheet.com/doc/427192), but no public price was found."""


def page() -> str:
    """The text of the page."""
    return "\n".join((INTRODUCTION, "", *_table(), "", *_words(), "", *_aims(), "", *_facts(), ""))


def _table() -> Iterator[str]:
    plans = [load_plan(board) for board in BOARDS]
    heads = " | ".join(f"{plan.id}, one | each of five | parts a hole | joints a hole | by hand" for plan in plans)
    yield f"| way | {heads} |"
    yield f"| :--- |{' ---: | ---: | ---: | ---: | ---: |' * len(plans)}"
    for way, words in weights().text.items():
        cells = " | ".join(_cells(figures(way, plan), plan) for plan in plans)
        yield f"| {words.title} | {cells} |"


def _cells(found: Figures, plan: BoardPlan) -> str:
    holes = plan.sensor_count
    cells = (
        f"{found.one_usd:.0f}",
        f"{found.five_usd:.0f}",
        f"{found.parts / holes:.1f}",
        f"{found.joints / holes:.1f}",
        f"{found.by_hand}",
    )
    return " | ".join(cells)


def _words() -> Iterator[str]:
    yield "| way | what a fault takes away | proved without a board | what a maker can repair |"
    yield "| :--- | :--- | :--- | :--- |"
    for words in weights().text.values():
        yield f"| {words.title} | {words.fails} | {words.proved} | {words.repair} |"


def _aims() -> Iterator[str]:
    """What the price of the hall switch decides, and what the second board of an order costs."""
    plan = load_plan(BOARDS[0])
    area = board_cm2(plan)
    hall = records()["DRV5023AJ"].usd
    halls = plan.sensor_count
    lot = load_table("parts")["making"]["lot"]
    circuit = matrix_circuit(plan)
    yield "## What decides the price"
    yield ""
    lot_usd = bare_boards_usd(area, lot)
    second_usd = second_board_usd(plan)
    yield f"On the classic board {halls} hall switches at {hall:.2f} cost {halls * hall:.0f} dollars. The lot of {lot}"
    yield f"bare boards of {area:.0f} square centimetres costs {lot_usd:.0f}, and one set pays for it. The"
    yield f"assembler makes two boards at least: the second adds {second_usd:.0f} dollars for parts and joints, which"
    yield "no price here has; [costs.md](../generated/costs.md) has it for every board and kit."
    yield "The aims are 110 dollars for one classic board and 60 for each of five, 90 and 45 without lights."
    yield "With a switch at 0.27 all four would be met. Its price and those of its like at 100 to 600 pieces were"
    yield "looked for in public parts lists, in lists of the assembler's stock, and in stored pages of makers and"
    yield "distributors, and not found. Switches at a fifth of that are sold, but no data sheet with their largest"
    yield "operate and smallest release point was found:"
    yield ""
    yield f"| hall switch, USD | {plan.id}, one | each of five | without lights, one | each of five |"
    yield "| ---: | ---: | ---: | ---: | ---: |"
    for usd in (hall, *weights().other_hall_usd):
        whole, dark = (_assembled(some, None, plan, usd) for some in (circuit, without_lights(circuit)))
        yield f"| {usd:.2f} | {whole.one_usd:.0f} | {whole.five_usd:.0f} | {dark.one_usd:.0f} | {dark.five_usd:.0f} |"


def _facts() -> Iterator[str]:
    yield "## Facts about parts, and where they are from"
    yield ""
    for record in records().values():
        yield from (f"* {record.mpn}: {fact}" for fact in record.facts)
    yield ""
    yield WHY


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
