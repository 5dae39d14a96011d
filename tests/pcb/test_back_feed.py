"""No plug of the scanner feeds the Pi: what can conduct on hub and row board, from the netlists alone.

A scanner feeds the logic of the rows with its own 5 V, through pin 2 of IN. A hub may be beside it, for keys and
display, and its cable fits the OUT of the last row. Then the 5 V must not get to the Pi.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from math import inf

import pytest

from firmware_host.circuits.circuit import GROUND, Circuit, Part, Role
from firmware_host.circuits.hub_netlist import HUB
from firmware_host.circuits.row_boards import SIZES
from firmware_host.circuits.row_netlist import row_circuit

Conductance = Iterator[tuple[str, str, float]]
"""Net, net behind it, ohms: current can flow from the first to the second."""

PI = ("HUB 3V3", "HUB 5V_PI")
LEAST_OHM = 400.0
"""Beyond it, 5 V drive less than 5 mA into a rail of 3.3 V, a tenth of what a Pi takes from it."""


def ohms(part: Part) -> float:
    return float(part.value.replace("k", "e3")) if part.kind.name == "resistor" else 0.0


def conducts(part: Part) -> Conductance:
    """From net to net through a part. Chips are taken at their worst: each output conducts from and to the supply."""
    nets = {pin.name: part.nets[pin.number] for pin in part.kind.pins}
    if part.kind.name in ("diode", "Schottky diode"):
        yield nets["A"] or "", nets["K"] or "", 0.0
        return
    both = [tuple(part.nets[number] for number in ends) for ends in part.kind.through]
    if "MOSFET" in part.kind.name:
        both = [(nets["D"], nets["S"])]
    elif part.kind.name == "polyfuse":
        both = [(nets["IN"], nets["OUT"])]
    elif part.ref == "J3" and part.kind.name.startswith("pin header"):
        both = [(part.nets["1"], part.nets["2"])]  # the jumper is closed
    else:
        drivers = (Role.OUTPUT, Role.TRI_STATE, Role.OPEN_DRAIN)
        supplies = [part.nets[pin.number] for pin in part.kind.pins if pin.role is Role.POWER_IN]
        both += [(net, part.nets[pin.number]) for net in supplies for pin in part.kind.pins if pin.role in drivers]
    for near, far in both:
        if near and far:
            yield near, far, ohms(part)
            yield far, near, ohms(part)


def network(circuits: Mapping[str, Circuit], plugged: Mapping[tuple[str, str], tuple[str, str]]) -> Conductance:
    """All that conducts, with the board in front of each net; `plugged` are connectors that are joined pin by pin."""
    for board, circuit in circuits.items():
        for part in circuit.parts:
            for one, other, ohm in conducts(part):
                if GROUND not in (one, other):
                    yield f"{board} {one}", f"{board} {other}", ohm
    for (board, ref), (far_board, far_ref) in plugged.items():
        near, far = circuits[board].part(ref), circuits[far_board].part(far_ref)
        for pin in near.kind.pins:
            here, there = near.nets[pin.number], far.nets[pin.number]
            if here and there and GROUND not in (here, there):
                yield f"{board} {here}", f"{far_board} {there}", 0.0
                yield f"{far_board} {there}", f"{board} {here}", 0.0


def least_ohm(source: str, conductors: Conductance) -> Mapping[str, float]:
    """The least resistance from a net to each net that it reaches."""
    onward: dict[str, list[tuple[str, float]]] = {}
    for one, other, ohm in conductors:
        onward.setdefault(one, []).append((other, ohm))
    found, waiting = {source: 0.0}, [(0.0, source)]
    while waiting:
        sum_ohm, net = heappop(waiting)
        for other, ohm in onward.get(net, ()):
            if sum_ohm + ohm < found.get(other, inf):
                found[other] = sum_ohm + ohm
                heappush(waiting, (found[other], other))
    return found


def reached(hub: Circuit, size: int, row_plug: str, source: str = "ROW 3V3") -> Mapping[str, float]:
    """From the 5 V of the scanner, with J4 of the hub in `row_plug` of the row board, and the lights on the hub."""
    plugged = {("HUB", "J4"): ("ROW", row_plug), ("HUB", "J5"): ("ROW", "J3")}
    return least_ohm(source, network({"HUB": hub, "ROW": row_circuit(size)}, plugged))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("row_plug", ["J1", "J2"])
def test_a_scanners_5_v_cannot_feed_the_pi(size: int, row_plug: str) -> None:
    found = reached(HUB, size, row_plug)
    for rail in PI:
        assert found.get(rail, inf) >= LEAST_OHM, f"{rail} through {found[rail]:g} ohm"


@pytest.mark.parametrize("row_plug", ["J1", "J2"])
def test_the_pi_still_feeds_the_rows(row_plug: str) -> None:
    found = reached(HUB, 6, row_plug, "HUB 3V3")
    assert found["ROW 3V3"] == 0


@pytest.mark.parametrize("row_plug", ["J1", "J2"])
def test_without_the_diode_the_scanner_would_feed_the_pi(row_plug: str) -> None:
    """The analysis detects the fault that it is for."""
    wire = Part("D6", HUB.part("R9").kind, "0", {"1": "3V3", "2": "3V3_ROWS"})
    parts = tuple(wire if part.ref == "D6" else part for part in HUB.parts)
    without = Circuit(HUB.name, HUB.title, HUB.rails, HUB.levels, parts)
    assert reached(without, 6, row_plug)["HUB 3V3"] == 0
