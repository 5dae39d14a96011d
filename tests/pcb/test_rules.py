"""Each rule of the electrical rule check detects its fault; `test_architectures.py` checks all boards."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.circuits.catalogue import HALL
from firmware_host.circuits.circuit import Circuit, CircuitError, Part, wired
from firmware_host.circuits.netlist import matrix_circuit
from firmware_host.config.board_plans import load_plan
from hardware.pcb.rules import circuit_faults, pad_faults

BOARD = matrix_circuit(load_plan("classic-61"))


def rewired(circuit: Circuit, ref: str, **nets: str | None) -> Circuit:
    """The same circuit with some pins of one part on other nets; pin numbers begin with an underscore."""
    numbers = {number.removeprefix("_"): net for number, net in nets.items()}
    return with_part(circuit, replace(circuit.part(ref), nets={**circuit.part(ref).nets, **numbers}))


def with_part(circuit: Circuit, changed: Part) -> Circuit:
    return replace(circuit, parts=tuple(changed if part.ref == changed.ref else part for part in circuit.parts))


def without(circuit: Circuit, ref: str) -> Circuit:
    return replace(circuit, parts=tuple(part for part in circuit.parts if part.ref != ref))


def test_a_pin_without_a_net_is_a_fault() -> None:
    """One part of each kind, as the check takes a moment for a whole board."""
    kinds = {part.kind.name: part for part in BOARD.parts}
    for part in kinds.values():
        pin = part.kind.pins[-1]
        nets = {number: net for number, net in part.nets.items() if number != pin.number}
        found = circuit_faults(with_part(BOARD, replace(part, nets=nets)))
        assert any(f"{part.ref}.{pin.number} " in fault and "got nothing" in fault for fault in found)


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        pytest.param(rewired(BOARD, "U10", _14=None), "U10.14 (DS): expected a net", id="an input left open"),
        pytest.param(
            rewired(BOARD, "U15", _7="ROW_DATA"), "ROW_DATA: expected one pin that drives it", id="two drivers"
        ),
        pytest.param(
            rewired(BOARD, "U101", _1="KEY_ROW1"), "U101.1 (VCC): expected a rail, got KEY_ROW1", id="no such rail"
        ),
        pytest.param(rewired(BOARD, "D3", _2="ROW1"), "D3.2 (GND): expected GND, got ROW1", id="ground on a signal"),
        pytest.param(rewired(BOARD, "U15", _9="5V"), "5V: expected no output on a rail", id="an output on a rail"),
        pytest.param(without(BOARD, "R20"), "ROW0: expected a pull-up", id="a row without its pull-up"),
        pytest.param(rewired(BOARD, "R20", _1="GND"), "ROW0: expected a pull-up", id="pulled down instead of up"),
        pytest.param(without(BOARD, "D12"), "LIGHT_CLOCK12: expected a driver", id="a light left out"),
        pytest.param(without(BOARD, "J1"), "VBUS: expected one source, got none", id="nothing gives power"),
        pytest.param(without(BOARD, "R3"), "LIGHT_CLOCK0: expected a driver", id="a clock without its resistor"),
        pytest.param(without(BOARD, "F1"), "5V: expected one source, got none", id="a fuse left out"),
        pytest.param(without(BOARD, "C5"), "AREF: expected two pins or more, got U1.20", id="a net with one end"),
    ],
)
def test_each_fault_is_reported(broken: Circuit, expected: str) -> None:
    assert any(expected in fault for fault in circuit_faults(broken)), circuit_faults(broken)


def test_3_3_v_are_too_low_for_a_light_and_for_its_inputs() -> None:
    low = replace(BOARD, rails={**BOARD.rails, "LOW": 3.3})
    dark = circuit_faults(rewired(low, "D3", _5="LOW"))
    assert "D3.5 (VDD): expected 4.5 to 5.5 V, got LOW at 3.3 V" in dark
    controller = BOARD.part("U1")
    supplied = {pin.number: "LOW" for pin in controller.kind.pins if pin.name in ("VCC", "AVCC")}
    weak = circuit_faults(with_part(low, replace(controller, nets={**controller.nets, **supplied})))
    assert any("expected a high level of 3.50 V or more for U10.14 (DS), got 3.30 V" in fault for fault in weak)


def test_a_duplicate_reference_is_a_fault() -> None:
    twice = replace(BOARD, parts=(*BOARD.parts, BOARD.part("U1")))
    assert "U1: expected one part of this name, got 2" in circuit_faults(twice)


def test_an_unknown_pin_name_is_refused() -> None:
    with pytest.raises(CircuitError, match="U9, DRV5023AJ: expected a pin of VCC, OUT, GND, got VDD"):
        wired("U9", HALL, VDD="5V")


def test_pins_are_compared_with_the_pads_of_the_footprint() -> None:
    pads: dict[str, frozenset[str]] = {}
    for part in BOARD.parts:
        pads[part.kind.footprint] = frozenset(pin.number for pin in part.kind.pins)
    resistors = next(part.kind.footprint for part in BOARD.parts if part.kind.name == "resistor")
    assert pads[resistors] == {"1", "2"}
    assert pad_faults(BOARD, pads) == []
    found = pad_faults(BOARD, {**pads, HALL.footprint: frozenset("1234")})
    assert f"DRV5023AJ: expected the pads 1 2 3 on {HALL.footprint}, got 1 2 3 4" in found
