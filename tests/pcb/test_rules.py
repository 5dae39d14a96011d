"""The tables of both boards keep every rule, and each rule notices when it is broken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from hardware.hub.netlist import HUB
from hardware.pcb.catalogue import HALL
from hardware.pcb.circuit import Circuit, CircuitError, Part, wired
from hardware.pcb.rules import faults, pad_faults
from hardware.strip.netlist import STRIP

BOARDS = [pytest.param(STRIP, id="strip"), pytest.param(HUB, id="hub")]


def rewired(circuit: Circuit, ref: str, **nets: str | None) -> Circuit:
    """The same board with some pins of one part on other nets; pin numbers begin with an underscore."""
    numbers = {number.removeprefix("_"): net for number, net in nets.items()}
    return with_part(circuit, replace(circuit.part(ref), nets={**circuit.part(ref).nets, **numbers}))


def with_part(circuit: Circuit, changed: Part) -> Circuit:
    return replace(circuit, parts=tuple(changed if part.ref == changed.ref else part for part in circuit.parts))


def without(circuit: Circuit, ref: str) -> Circuit:
    return replace(circuit, parts=tuple(part for part in circuit.parts if part.ref != ref))


@pytest.mark.parametrize("circuit", BOARDS)
def test_both_boards_keep_every_rule(circuit: Circuit) -> None:
    assert faults(circuit) == []


@pytest.mark.parametrize("circuit", BOARDS)
def test_every_pin_is_on_a_net_or_said_to_be_open(circuit: Circuit) -> None:
    for part in circuit.parts:
        for pin in part.kind.pins:
            nets = {number: net for number, net in part.nets.items() if number != pin.number}
            told = faults(with_part(circuit, replace(part, nets=nets)))
            assert any(f"{part.ref}.{pin.number} " in fault and "got nothing" in fault for fault in told)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        pytest.param(rewired(STRIP, "U6", _10=None), "U6.10 (DS): expected a net", id="an input left open"),
        pytest.param(
            rewired(STRIP, "U6", _7="SENSOR_DATA"), "SENSOR_DATA: expected one pin that drives it", id="two drivers"
        ),
        pytest.param(rewired(STRIP, "U1", _1="5V_PI"), "U1.1 (VCC): expected a rail, got 5V_PI", id="no such rail"),
        pytest.param(
            rewired(STRIP, "D3", _1="3V3"), "D3.1 (VDD): expected 4.5 to 5.5 V, got 3V3 at 3.3 V", id="a light at 3.3 V"
        ),
        pytest.param(rewired(STRIP, "D3", _6="AUX"), "D3.6 (GND): expected GND, got AUX", id="ground on a signal"),
        pytest.param(
            rewired(STRIP, "U6", _9="3V3"),
            "3V3: expected no pin that drives high and low on a rail",
            id="an output on a rail",
        ),
        pytest.param(without(STRIP, "R3"), "HOLE3: expected a pull-up", id="a switch without its pull-up"),
        pytest.param(rewired(STRIP, "R3", _1="GND"), "HOLE3: expected a pull-up", id="pulled down instead of up"),
        pytest.param(without(STRIP, "D2"), "LIGHT_CLOCK_2: expected something that drives it", id="a light left out"),
        pytest.param(without(STRIP, "J1"), "5V: expected one source, got none", id="nothing gives power"),
        pytest.param(without(HUB, "F1"), "5V_FUSED: expected one source, got none", id="a fuse left out"),
        pytest.param(without(HUB, "R1"), "SPI_SCLK: expected two pins or more, got J1.7", id="a net with one end"),
    ],
)
def test_what_is_wrong_is_told_by_name(broken: Circuit, told: str) -> None:
    assert any(told in fault for fault in faults(broken)), faults(broken)


def test_lights_do_not_hear_the_three_volts_of_a_pi() -> None:
    levels = {**STRIP.levels, "LIGHT_CLOCK": 3.3}
    assert faults(replace(STRIP, levels=levels)) == [
        "LIGHT_CLOCK: expected a one of 3.50 V or more for D1.5 (CKI), got 3.30 V"
    ]


def test_a_name_given_twice_is_told() -> None:
    twice = replace(STRIP, parts=(*STRIP.parts, STRIP.part("U1")))
    assert "U1: expected one part of this name, got 2" in faults(twice)


def test_a_pin_that_the_kind_does_not_have_is_refused_at_once() -> None:
    with pytest.raises(CircuitError, match="U9, DRV5032AJ: expected a pin of VCC, OUT, GND, got VDD"):
        wired("U9", HALL, VDD="3V3")


def test_pins_are_compared_with_the_pads_of_the_land_pattern() -> None:
    pads: Mapping[str, frozenset[str]] = {
        part.kind.footprint: frozenset(pin.number for pin in part.kind.pins) for part in STRIP.parts
    }
    assert pad_faults(STRIP, pads) == []
    told = pad_faults(STRIP, {**pads, HALL.footprint: frozenset("1234")})
    assert told == [f"DRV5032AJ: expected the pads 1 2 3 on {HALL.footprint}, got 1 2 3 4"]
