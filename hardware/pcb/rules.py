"""What must hold in every circuit, told as sentences: no sentence, no fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from hardware.pcb.circuit import GROUND, Circuit, Kind, Node, Part, Role, across

_ALWAYS = (Role.DRIVES,)
_SOMETIMES = (Role.SINKS, Role.GATED)
_SPEAKERS = (*_ALWAYS, *_SOMETIMES)


def faults(circuit: Circuit) -> list[str]:
    """Everything that is wrong with the table, in the order of the parts and then of the nets."""
    found = [*_names(circuit)]
    for part in circuit.parts:
        found += [*_pins(part), *_supply(part, circuit.rails)]
    for net, nodes in circuit.nets.items():
        found += _rail(net, nodes) if net in circuit.rails else _signal(net, nodes, circuit)
    return found


def pad_faults(circuit: Circuit, pads: Mapping[str, frozenset[str]]) -> list[str]:
    """Where a kind's pin numbers are not those of its land pattern; `pads` are the pad numbers of each."""
    kinds: dict[str, Kind] = {part.kind.name: part.kind for part in circuit.parts}
    found = []
    for kind in kinds.values():
        numbers = frozenset(pin.number for pin in kind.pins)
        if numbers != (there := pads.get(kind.footprint, frozenset())):
            found.append(f"{kind.name}: expected the pads {_listed(numbers)} on {kind.footprint}, got {_listed(there)}")
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
        elif part.nets[pin.number] is None and part.role(pin) in (Role.HEARS, Role.TAKES, Role.GROUND):
            what = part.role(pin).value
            yield f"{part.ref}.{pin.number} ({pin.name}): expected a net, got a pin left open that {what}"
    for number in part.nets:
        if number not in known:
            yield f"{part.ref}: expected a pin of {part.kind.name}, got {number}"


def _supply(part: Part, rails: Mapping[str, float]) -> Iterator[str]:
    for pin in part.kind.pins:
        net, role = part.nets.get(pin.number), part.role(pin)
        if role is Role.GROUND and net not in (None, GROUND):
            yield f"{part.ref}.{pin.number} ({pin.name}): expected {GROUND}, got {net}"
        if role is not Role.TAKES or net is None:
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
    sources = sorted({node.part.ref for node in nodes if node.role is Role.GIVES})
    if net != GROUND and len(sources) != 1:
        yield f"{net}: expected one source, got {', '.join(sources) or 'none'}"
    for node in nodes:
        if node.role in _SPEAKERS:
            yield f"{net}: expected no pin that {node.role.value} on a rail, got {node}"


def _signal(net: str, nodes: Sequence[Node], circuit: Circuit) -> Iterator[str]:
    if len(nodes) < 2:
        yield f"{net}: expected two pins or more, got {', '.join(map(str, nodes))}"
    speakers = [node for node in nodes if node.role in _SPEAKERS]
    steady = [node for node in speakers if node.role in _ALWAYS]
    if len(steady) > 1 or (steady and len(speakers) > 1):
        yield f"{net}: expected one pin that drives it, got {', '.join(map(str, speakers))}"
    hearers = [node for node in nodes if node.role is Role.HEARS]
    rests = _rests(nodes, circuit.rails)
    if hearers and not steady and not rests and not _heard_through(nodes, circuit):
        yield f"{net}: expected something that drives it, or a resistor to a rail, got neither for {hearers[0]}"
    if any(node.role is Role.SINKS for node in speakers) and hearers and not any(rests.values()):
        yield f"{net}: expected a pull-up, as {speakers[0]} only pulls low, got none"
    volts = [level for node in speakers if (level := _level(node, net, circuit)) is not None]
    for node in hearers:
        if volts and min(volts) < (least := _least(node.part, circuit.rails)):
            yield f"{net}: expected a one of {least:.2f} V or more for {node}, got {min(volts):.2f} V"


def _rests(nodes: Sequence[Node], rails: Mapping[str, float]) -> Mapping[str, float]:
    """The rails that resistors hold this net to while nobody drives it, and their volts."""
    return {far: rails[far] for node in nodes for far in across(node.part, node.pin.number) if far in rails}


def _heard_through(nodes: Sequence[Node], circuit: Circuit) -> bool:
    """Whether someone drives the net from the other side of a series resistor or a diode."""
    return any(
        beyond.role in _SPEAKERS
        for node in nodes
        for far in across(node.part, node.pin.number)
        for beyond in circuit.nets.get(far, ())
    )


def _level(node: Node, net: str, circuit: Circuit) -> float | None:
    """The volts of a one from this pin; None if it can only pull low."""
    if node.role is Role.SINKS:
        return None
    return circuit.levels[net] if net in circuit.levels else _volts(node.part, circuit.rails)


def _volts(part: Part, rails: Mapping[str, float]) -> float | None:
    """What the part lives on; None if it has no supply of its own."""
    fed = [part.nets.get(pin.number) for pin in part.kind.pins if part.role(pin) is Role.TAKES]
    return next((rails[net] for net in fed if net is not None and net in rails), None)


def _least(part: Part, rails: Mapping[str, float]) -> float:
    """The least volts that this part's inputs take for a one."""
    return part.kind.high if part.kind.ttl else part.kind.high * (_volts(part, rails) or 0.0)
