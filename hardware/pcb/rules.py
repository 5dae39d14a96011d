"""Electrical rule check (ERC) of a circuit. Each fault is one line of text: expected, got."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from firmware_host.circuits.circuit import GROUND, Circuit, Kind, Node, Part, Role, nets_across

_DRIVERS = (Role.OUTPUT, Role.OPEN_DRAIN, Role.TRI_STATE)


def circuit_faults(circuit: Circuit) -> list[str]:
    """All faults of a circuit, in the order of its parts and then of its nets; empty if it is sound."""
    found = [*_names(circuit)]
    for part in circuit.parts:
        found += [*_pins(part), *_supply(part, circuit.rails)]
    for net, nodes in circuit.nets.items():
        found += _rail(net, nodes) if net in circuit.rails else _signal(net, nodes, circuit)
    return found


def pad_faults(circuit: Circuit, pads: Mapping[str, frozenset[str]]) -> list[str]:
    """Kinds whose pin numbers differ from the pads of their footprint; `pads` are the pad numbers by footprint."""
    kinds: dict[str, Kind] = {part.kind.name: part.kind for part in circuit.parts}
    found = []
    for kind in kinds.values():
        numbers = frozenset(pin.number for pin in kind.pins)
        if numbers != (found_pads := pads.get(kind.footprint, frozenset())):
            found.append(
                f"{kind.name}: expected the pads {_listed(numbers)} on {kind.footprint}, got {_listed(found_pads)}"
            )
    return found


def _listed(numbers: frozenset[str]) -> str:
    return " ".join(sorted(numbers, key=lambda number: (len(number), number))) or "none"


def _names(circuit: Circuit) -> Iterator[str]:
    for ref, times in Counter(part.ref for part in circuit.parts).items():
        if times > 1:
            yield f"{ref}: expected one part of this name, got {times}"


def _pins(part: Part) -> Iterator[str]:
    known = {pin.number for pin in part.kind.pins}
    for pin in part.kind.pins:
        if pin.number not in part.nets:
            yield f"{part.ref}.{pin.number} ({pin.name}): expected a net, or None for a pin left open, got nothing"
        elif part.nets[pin.number] is None and part.role(pin) in (Role.INPUT, Role.POWER_IN, Role.GROUND):
            role = part.role(pin).value
            yield f"{part.ref}.{pin.number} ({pin.name}): expected a net, got an open {role}"
    for number in part.nets:
        if number not in known:
            yield f"{part.ref}: expected a pin of {part.kind.name}, got {number}"


def _supply(part: Part, rails: Mapping[str, float]) -> Iterator[str]:
    for pin in part.kind.pins:
        net = part.nets.get(pin.number)
        role = part.role(pin)
        if role is Role.GROUND and net not in (None, GROUND):
            yield f"{part.ref}.{pin.number} ({pin.name}): expected {GROUND}, got {net}"
        if role is not Role.POWER_IN or net is None:
            continue
        lowest, highest = part.kind.volts
        if net not in rails:
            yield f"{part.ref}.{pin.number} ({pin.name}): expected a rail, got {net}"
        elif part.kind.volts != (0.0, 0.0) and not lowest <= rails[net] <= highest:
            yield (
                f"{part.ref}.{pin.number} ({pin.name}): expected {lowest:g} to {highest:g} V, "
                f"got {net} at {rails[net]:g} V"
            )


def _rail(net: str, nodes: Sequence[Node]) -> Iterator[str]:
    sources = sorted({node.part.ref for node in nodes if node.role is Role.POWER_OUT})
    if net != GROUND and len(sources) != 1:
        yield f"{net}: expected one source, got {', '.join(sources) or 'none'}"
    for node in nodes:
        if node.role in _DRIVERS:
            yield f"{net}: expected no {node.role.value} on a rail, got {node}"


def _signal(net: str, nodes: Sequence[Node], circuit: Circuit) -> Iterator[str]:
    if len(nodes) < 2:
        yield f"{net}: expected two pins or more, got {', '.join(map(str, nodes))}"
    drivers = [node for node in nodes if node.role in _DRIVERS]
    push_pull = [node for node in drivers if node.role is Role.OUTPUT]
    if len(push_pull) > 1 or (push_pull and len(drivers) > 1):
        yield f"{net}: expected one pin that drives it, got {', '.join(map(str, drivers))}"
    inputs = [node for node in nodes if node.role is Role.INPUT]
    pulls = _pulls(nodes, circuit.rails)
    if inputs and not push_pull and not pulls and not _is_driven_through_parts(net, circuit):
        yield f"{net}: expected a driver or a resistor to a rail, got neither for {inputs[0]}"
    if any(node.role is Role.OPEN_DRAIN for node in drivers) and inputs and not any(pulls.values()):
        yield f"{net}: expected a pull-up, as {drivers[0]} only pulls low, got none"
    volts = [level for node in drivers if (level := _level(node, circuit)) is not None]
    for node in inputs:
        if volts and min(volts) < (least := _min_high_v(node.part, circuit.rails)):
            yield f"{net}: expected a high level of {least:.2f} V or more for {node}, got {min(volts):.2f} V"


def _pulls(nodes: Sequence[Node], rails: Mapping[str, float]) -> Mapping[str, float]:
    """The rails to which resistors pull this net, with their voltages."""
    return {far: rails[far] for node in nodes for far in nets_across(node.part, node.pin.number) if far in rails}


def _is_driven_through_parts(net: str, circuit: Circuit) -> bool:
    """Whether the net is driven through series resistors or a diode; a rail does not conduct a signal."""
    reached = {net}
    waiting = [net]
    while waiting:
        nodes = circuit.nets.get(waiting.pop(), ())
        beyond = {far for node in nodes for far in nets_across(node.part, node.pin.number) if far not in circuit.rails}
        waiting += sorted(beyond - reached)
        reached |= beyond
    others = (node for far in reached - {net} for node in circuit.nets.get(far, ()))
    return any(node.role in _DRIVERS for node in others)


def _level(node: Node, circuit: Circuit) -> float | None:
    """The high level in volts that this pin drives; None if it only pulls low."""
    return None if node.role is Role.OPEN_DRAIN else _supply_v(node.part, circuit.rails)


def _supply_v(part: Part, rails: Mapping[str, float]) -> float | None:
    """The supply voltage of the part; None if it has no supply."""
    fed = [part.nets.get(pin.number) for pin in part.kind.pins if part.role(pin) is Role.POWER_IN]
    return next((rails[net] for net in fed if net is not None and net in rails), None)


def _min_high_v(part: Part, rails: Mapping[str, float]) -> float:
    """The lowest high level in volts of the inputs of this part."""
    return part.kind.min_input_high if part.kind.ttl else part.kind.min_input_high * (_supply_v(part, rails) or 0.0)
