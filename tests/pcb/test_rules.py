"""All netlists pass the electrical rule check, and each rule detects its fault."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from firmware_host.circuits.catalogue import HALL
from firmware_host.circuits.circuit import Circuit, CircuitError, Part, wired
from firmware_host.circuits.hub_netlist import HUB
from firmware_host.circuits.row_netlist import row_circuit
from hardware.pcb.rules import circuit_faults, pad_faults

STRIP = row_circuit(1)
BOARDS = [pytest.param(circuit, id=circuit.name) for circuit in (STRIP, row_circuit(2), HUB)]


def rewired(circuit: Circuit, ref: str, **nets: str | None) -> Circuit:
    """The same circuit with some pins of one part on other nets; pin numbers begin with an underscore."""
    numbers = {number.removeprefix("_"): net for number, net in nets.items()}
    return with_part(circuit, replace(circuit.part(ref), nets={**circuit.part(ref).nets, **numbers}))


def with_part(circuit: Circuit, changed: Part) -> Circuit:
    return replace(circuit, parts=tuple(changed if part.ref == changed.ref else part for part in circuit.parts))


def without(circuit: Circuit, ref: str) -> Circuit:
    return replace(circuit, parts=tuple(part for part in circuit.parts if part.ref != ref))


@pytest.mark.parametrize("circuit", BOARDS)
def test_all_netlists_are_free_of_faults(circuit: Circuit) -> None:
    assert circuit_faults(circuit) == []


@pytest.mark.parametrize("circuit", BOARDS)
def test_a_pin_without_a_net_is_a_fault(circuit: Circuit) -> None:
    for part in circuit.parts:
        for pin in part.kind.pins:
            nets = {number: net for number, net in part.nets.items() if number != pin.number}
            found = circuit_faults(with_part(circuit, replace(part, nets=nets)))
            assert any(f"{part.ref}.{pin.number} " in fault and "got nothing" in fault for fault in found)


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        pytest.param(rewired(STRIP, "U106", _10=None), "U106.10 (DS): expected a net", id="an input left open"),
        pytest.param(
            rewired(STRIP, "U106", _7="SENSOR_DATA_0"),
            "SENSOR_DATA_0: expected one pin that drives it",
            id="two drivers",
        ),
        pytest.param(rewired(STRIP, "U101", _1="5V_PI"), "U101.1 (VCC): expected a rail, got 5V_PI", id="no such rail"),
        pytest.param(
            rewired(STRIP, "D103", _1="3V3"),
            "D103.1 (VDD): expected 4.5 to 5.5 V, got 3V3 at 3.3 V",
            id="a light at 3.3 V",
        ),
        pytest.param(
            rewired(STRIP, "D103", _6="SCLK"), "D103.6 (GND): expected GND, got SCLK", id="ground on a signal"
        ),
        pytest.param(
            rewired(STRIP, "U106", _9="3V3"),
            "3V3: expected no output on a rail",
            id="an output on a rail",
        ),
        pytest.param(without(STRIP, "R103"), "Strip 1/HOLE3: expected a pull-up", id="a switch without its pull-up"),
        pytest.param(
            rewired(STRIP, "R103", _1="GND"), "Strip 1/HOLE3: expected a pull-up", id="pulled down instead of up"
        ),
        pytest.param(without(STRIP, "D102"), "Strip 1/CLOCK2: expected a driver", id="a light left out"),
        pytest.param(without(STRIP, "J3"), "5V: expected one source, got none", id="nothing gives power"),
        pytest.param(without(STRIP, "R1"), "SCLK: expected a driver or a resistor", id="a clock without its resistor"),
        pytest.param(
            rewired(without(STRIP, "R2"), "R1", _1="LATCH"),
            "SCLK_OUT: expected a driver or a resistor",
            id="resistors in a row without a driver",
        ),
        pytest.param(without(HUB, "F1"), "5V_FUSED: expected one source, got none", id="a fuse left out"),
        pytest.param(without(HUB, "R1"), "SCLK: expected two pins or more, got J4.5", id="a net with one end"),
    ],
)
def test_each_fault_is_reported(broken: Circuit, expected: str) -> None:
    assert any(expected in fault for fault in circuit_faults(broken)), circuit_faults(broken)


def test_3_3_v_is_too_low_for_the_inputs_of_a_light() -> None:
    levels = {**STRIP.levels, "LIGHT_CLOCK_0": 3.3}
    assert circuit_faults(replace(STRIP, levels=levels)) == [
        "LIGHT_CLOCK_0: expected a high level of 3.50 V or more for D101.5 (CKI), got 3.30 V"
    ]


def test_a_duplicate_reference_is_a_fault() -> None:
    twice = replace(STRIP, parts=(*STRIP.parts, STRIP.part("U1")))
    assert "U1: expected one part of this name, got 2" in circuit_faults(twice)


def test_an_unknown_pin_name_is_refused() -> None:
    with pytest.raises(CircuitError, match="U9, DRV5032AJ: expected a pin of VCC, OUT, GND, got VDD"):
        wired("U9", HALL, VDD="3V3")


def test_pins_are_compared_with_the_pads_of_the_footprint() -> None:
    pads: Mapping[str, frozenset[str]] = {
        part.kind.footprint: frozenset(pin.number for pin in part.kind.pins) for part in STRIP.parts
    }
    assert pad_faults(STRIP, pads) == []
    found = pad_faults(STRIP, {**pads, HALL.footprint: frozenset("1234")})
    assert found == [f"DRV5032AJ: expected the pads 1 2 3 on {HALL.footprint}, got 1 2 3 4"]
