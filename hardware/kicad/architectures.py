"""Weighs the ways to build the electronics of a board: `python -m hardware.kicad.architectures` writes the page.

The price model is the project's own: set-up for each kind of board, a fee for each part that the assembler does not
keep loaded, joints, bare boards in whole lots, and a discount on the parts of several sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import Circuit, Part
from firmware_host.circuits.netlist import matrix_circuit, without_lights
from firmware_host.circuits.sources import parts_usd, record_key, records
from firmware_host.config.board_plans import load_plan
from firmware_host.fabrication.bill import discount
from firmware_host.fabrication.costs import (
    bare_boards_usd,
    board_cm2,
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


def _assembled(circuit: Circuit, variant: Variant | None, plan: BoardPlan) -> Figures:
    """A board of the assembler."""
    gone = set(variant.without) if variant else set()
    more = variant.more if variant else ()
    fitted = (part for part in circuit.parts if not part.kind.is_bare and not part.kind.left_empty)
    kept = [part for part in fitted if record_key(part) not in gone]
    table = records()
    machine = [part for part in kept if not part.kind.hand_fitted]
    fees = {record_key(part) for part in machine if not table[record_key(part)].loaded}
    fees |= {extra.name for extra in more if not extra.loaded and not extra.by_hand}
    joints = sum(len(part.kind.pins) for part in kept) + sum(extra.joints for extra in more)
    by_hand = hand_joints(circuit)
    by_hand += sum(extra.joints for extra in more if extra.by_hand)
    one, five = (
        _parts_usd(kept, more, sets) + making_usd(len(fees), joints - by_hand, board_cm2(plan), sets) for sets in (1, 5)
    )
    return Figures(one, five, len(kept) + sum(extra.pieces for extra in more), joints, by_hand)


def _parts_usd(kept: Iterable[Part], more: Iterable[Extra], sets: int) -> float:
    """The parts of one of so many sets."""
    share = discount(sets)
    return parts_usd(kept, sets, share) + share * sum(extra.usd for extra in more)


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

Why not another switch of one pole. Two more have the right pins, a public price and stock on the same list.
DRV5023FAQDBZR (C114983, 470 pieces, 0.254 at 100) operates at 6.8 mT at most, so it sees each peg, and the neighbours
of an empty hole have the wrong sign for it too; but it surely releases below 0.5 mT only: a strong peg must be lifted
by 13.9 mm instead of 10.1, out of its hole, and a loudspeaker be 105 mm away. HX3144ESO (C558880, 8098 pieces, 0.204
at 100) operates at 10 and releases at 4 mT and is the cheapest, but no public page was found with the rating of its
output without supply or its power-on time. SS341RT is for north poles and operates at 13.5 mT. HAL2041SO (C22400320)
has no public levels. AH3366Q and AH3365Q (DS39178) have other pins and no lower price; TSH282CX
(dtsheet.com/doc/427192) has no public price.

Why three resistors of 1 ohm damp the plug: no list without fees has 0.33 ohm. Why the data lines of USB have no
resistors: the maker of the CH340N wants its pins directly at the bus. Why most turns of the chain of lights have none:
their lines stay within half a volt of the supply without them ([margins.md](margins.md))."""


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
    """The aims and what meets them, what decides the price, and what the second board of an order costs."""
    plan, wide = map(load_plan, BOARDS)
    lot = load_table("parts")["making"]["lot"]
    switch, holes = records()["DRV5023AJ"], plan.sensor_count
    one, five = (switch.piece_usd(sets * holes) for sets in (1, lot))
    whole, dark = figures("matrix", plan), figures("matrix_dark", plan)
    yield "## The aims, and what decides the price"
    yield ""
    wide_usd = figures("matrix", wide).one_usd
    yield f"The aims are 110 dollars for one {plan.id} and 60 for each of five, 90 and 45 without lights, 160 for"
    yield f"one {wide.id}, 3.7 parts and 12 joints a hole, and 60 joints by hand. The first two rows above meet"
    yield f"all of them: {whole.one_usd:.0f} and {whole.five_usd:.0f}, {dark.one_usd:.0f} and {dark.five_usd:.0f}, and"
    yield f"{wide_usd:.0f}. The board corners-61, which no aim names, has {_joints('corners-61'):.2f} joints a hole."
    yield ""
    yield f"On the classic board {holes} hall switches at {one:.2f} cost {holes * one:.0f} dollars; five boards get"
    yield f"them at {five:.2f}. A cent more is {holes / 100:.2f} dollars more: look at their price and stock first."
    yield f"The lot of {lot} bare boards of {board_cm2(plan):.0f} square centimetres costs"
    yield f"{bare_boards_usd(board_cm2(plan), lot):.0f}, and one set pays for it. The assembler makes two at least: the"
    yield f"second adds {second_board_usd(plan):.0f} dollars for parts and joints, which no price here has;"
    yield "[costs.md](../generated/costs.md) has it for every board and kit."
    yield ""
    yield "Five kinds of parts cost the fee for a feeder: switch, light, bridge, USB socket and fuse. No public list"
    yield "has such a fuse, such a socket or a cheaper bridge without it. The fuse soldered by hand would save its fee,"
    yield "but would have to be bought elsewhere."


def _joints(board: str) -> float:
    """The joints a hole of a board as drawn."""
    plan = load_plan(board)
    return figures("matrix", plan).joints / plan.sensor_count


def _facts() -> Iterator[str]:
    yield "## Facts about parts, and where they are from"
    yield ""
    for record in records().values():
        yield from (f"* {record.mpn}: {fact}" for fact in record.facts)
    yield ""
    yield WHY


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
