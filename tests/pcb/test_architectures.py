"""Revision C as a netlist: sound, within its limits of parts and joints, with a public place for each number."""

from __future__ import annotations

import pytest

from firmware_host.board.matrix import column_count, light_order
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import Circuit
from firmware_host.circuits.netlist import chain_turns, column_net, long_lines, matrix_circuit, row_net
from firmware_host.circuits.sources import Record, record_of, records
from firmware_host.config.board_plans import load_plan, plan_ids
from hardware.kicad.architectures import BOARDS, PAGE, figures, page
from hardware.kicad.connectors import CONTACTS, Contact, contact_of
from hardware.pcb.houses import JLCPCB_TURNS
from hardware.pcb.rules import circuit_faults

PLANS = [load_plan(board) for board in plan_ids()]
EACH = pytest.mark.parametrize("plan", PLANS, ids=[plan.id for plan in PLANS])
CLASSIC = load_plan("classic-61")


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m hardware.kicad.architectures"


@EACH
def test_the_circuit_has_no_electrical_fault(plan: BoardPlan) -> None:
    assert circuit_faults(matrix_circuit(plan)) == []


@EACH
def test_a_hole_takes_few_parts_and_joints(plan: BoardPlan) -> None:
    found = figures("matrix", plan)
    assert found.parts <= 3.7 * plan.sensor_count
    aim = 12.05 if plan.id == "corners-61" else 12.0  # its chain has three long lines, with resistors
    assert found.joints <= aim * plan.sensor_count
    assert found.by_hand <= 60


@EACH
def test_each_switch_is_alone_at_its_column_and_row(plan: BoardPlan) -> None:
    circuit = matrix_circuit(plan)
    switches = [part for part in circuit.parts if part.kind.name == "DRV5023AJ"]
    assert len({(part.nets["1"], part.nets["2"]) for part in switches}) == len(switches) == plan.sensor_count
    assert all(len(_switches(circuit, row_net(row))) <= column_count(plan) for row in range(16))
    assert all(len(_switches(circuit, column_net(column))) <= 16 for column in range(column_count(plan)))


def _switches(circuit: Circuit, net: str) -> list[str]:
    return [node.part.ref for node in circuit.nets[net] if node.part.kind.name == "DRV5023AJ"]


@EACH
def test_the_lights_are_one_chain(plan: BoardPlan) -> None:
    lights = [part for part in matrix_circuit(plan).parts if part.kind.name == "SK9822-EC20"]
    assert len(lights) == plan.sensor_count
    for one, other in zip(lights, lights[1:], strict=False):
        outputs = (_behind_resistor(one.nets["1"]), _behind_resistor(one.nets["6"]))
        assert outputs == (other.nets["3"], other.nets["4"])
    assert lights[-1].nets["1"] == "LIGHT_RETURN"


def _behind_resistor(net: str | None) -> str:
    """The net behind the resistor of a turn, where there is one."""
    assert net is not None
    return net.removesuffix("OUT")


def test_the_path_from_a_contact_to_a_chip_follows_from_the_netlist() -> None:
    circuit = matrix_circuit(CLASSIC)
    found = {name: contact_of(circuit, net) for name, net in CONTACTS.items()}
    assert found["J1, CC"] == Contact("", 100e3)
    assert found["J1, data"] == Contact("surge diode pair", 0.0)
    assert found["J2, keypad"] == Contact("surge diode array", 150.0)
    with pytest.raises(LookupError, match="ROW_DATA_8: expected a chip within one part, got none"):
        contact_of(circuit, "ROW_DATA_8")


def test_each_part_with_a_direction_has_a_rotation_at_the_assembler() -> None:
    undirected = ("resistor", "capacitor", "polyfuse")
    for part in matrix_circuit(CLASSIC).parts:
        if not (part.kind.hand_fitted or part.kind.is_bare or part.kind.name.startswith(undirected)):
            package = part.kind.footprint.split(":")[1]
            assert any(package.startswith(start) for start in JLCPCB_TURNS), package


def test_parts_agree_with_their_records() -> None:
    used = {}
    for part in matrix_circuit(CLASSIC).parts:
        if not part.kind.is_bare:
            record = record_of(part)
            used[record.key] = record
            assert record.footprint == part.kind.footprint
    assert used.keys() == records().keys()


@pytest.mark.parametrize("record", records().values(), ids=list(records()))
def test_a_number_has_a_public_place_or_words_to_search_for(record: Record) -> None:
    assert bool(record.lcsc) == bool(record.place) != bool(record.search)


def test_the_price_of_a_part_follows_its_steps_and_else_the_discount() -> None:
    switch, light = records()["DRV5023AJ"], records()["SK9822-EC20"]
    (least, usd), *_ = switch.steps
    assert [switch.piece_usd(pieces, 0.5) for pieces in (least - 1, least)] == [switch.usd / 2, usd]
    assert list(switch.steps) == sorted(switch.steps) and not light.steps
    assert light.piece_usd(1000, 0.5) == light.usd / 2


def test_the_matrix_meets_the_aims_of_price() -> None:
    aims = {("matrix", "classic-61"): (110, 60), ("matrix_dark", "classic-61"): (90, 45)}
    for (way, board), (one, five) in aims.items():
        found = figures(way, load_plan(board))
        assert found.one_usd <= one and found.five_usd <= five
    assert figures("matrix", load_plan("continuous-121-2")).one_usd <= 160


@EACH
def test_long_lines_of_the_chain_of_lights_are_at_turns(plan: BoardPlan) -> None:
    lights = light_order(plan)
    assert set(long_lines(lights)) <= set(chain_turns(lights))


def test_an_unknown_part_names_the_table() -> None:
    part = next(part for part in matrix_circuit(CLASSIC).parts if part.ref == "R1")
    strange = type(part)(part.ref, part.kind, "11k", part.nets)
    with pytest.raises(LookupError, match="R1: expected a record of resistor 11k 0402, got none"):
        record_of(strange)


def test_the_matrix_beats_the_chain_in_every_number() -> None:
    for plan in map(load_plan, BOARDS):
        matrix, chain = (figures(way, plan) for way in ("matrix", "chain"))
        assert matrix.one_usd < chain.one_usd
        assert matrix.five_usd < chain.five_usd
        assert matrix.parts < chain.parts
        assert matrix.joints < chain.joints
        assert matrix.by_hand < chain.by_hand
