"""Does the stripboard do what the netlist says? What touches is followed from hole to hole; no sentence, no fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from hardware.pcb.circuit import Circuit
from hardware.stripboard.wiring import End, Hole, Pin, Wiring


def faults(wiring: Wiring, circuit: Circuit) -> list[str]:
    """Every leg out of place, every net in pieces, every two nets that touch."""
    return [*_misplaced(wiring, circuit), *_miswired(wiring, circuit)]


def joined(wiring: Wiring) -> Mapping[End, int]:
    """Which piece of copper each hole and each pin is on, by number: tracks end at cuts, wires join."""
    group: dict[End, End] = {}

    def top(end: End) -> End:
        while group.setdefault(end, end) != end:
            group[end] = end = group[group[end]]
        return end

    for one, other in _touching(wiring):
        group[top(one)] = top(other)
    numbers: dict[End, int] = {}
    return {end: numbers.setdefault(top(end), len(numbers)) for end in list(group)}


def _touching(wiring: Wiring) -> Iterator[tuple[End, End]]:
    for piece in wiring.pieces:
        for hole in piece.holes():
            yield hole, hole
            ahead = piece.ahead(hole)
            if piece.has(ahead) and not {hole, ahead} & wiring.cuts:
                yield hole, ahead
    yield from wiring.legs.items()
    yield from wiring.wires


def _misplaced(wiring: Wiring, circuit: Circuit) -> Iterator[str]:
    known = {(part.ref, pin.number) for part in circuit.parts for pin in part.kind.pins}
    wire_ends = [end for wire in wiring.wires for end in wire]
    in_holes = Counter([*wiring.legs.values(), *(end for end in wire_ends if isinstance(end, Hole))])
    for hole, times in sorted(in_holes.items()):
        if not any(piece.has(hole) for piece in wiring.pieces):
            yield f"{hole}: expected a hole of {', '.join(piece.name for piece in wiring.pieces)}, got none there"
        if hole in wiring.cuts:
            yield f"{hole}: expected no leg where the track is cut, got {times}"
        if times > 1:
            yield f"{hole}: expected one leg or wire, got {times}"
    for pin in sorted({*wiring.legs, *(end for end in wire_ends if not isinstance(end, Hole))} - known):
        yield f"{'.'.join(pin)}: expected a pin of {circuit.name}, got none of this name"
    for cut in sorted(wiring.cuts):
        if not any(piece.has(cut) for piece in wiring.pieces):
            yield f"{cut}: expected a hole to cut, got none there"


def _miswired(wiring: Wiring, circuit: Circuit) -> Iterator[str]:
    copper = joined(wiring)
    nets: dict[str, set[int]] = {}
    on: dict[int, set[str]] = {}
    for part in circuit.parts:
        for pin in part.kind.pins:
            at: Pin = (part.ref, pin.number)
            net = part.nets[pin.number] or f"open {part.ref}.{pin.number}"
            if at not in copper:
                yield f"{part.ref}.{pin.number} ({pin.name}): expected a hole or a wire, got neither"
                continue
            nets.setdefault(net, set()).add(copper[at])
            on.setdefault(copper[at], set()).add(net)
    for net, groups in sorted(nets.items()):
        if len(groups) > 1:
            yield f"{net}: expected one piece of copper, got {len(groups)} that do not touch"
    for touching in on.values():
        if len(touching) > 1:
            yield f"expected one net on a piece of copper, got {' and '.join(sorted(touching))}"
