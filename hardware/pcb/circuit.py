"""A circuit as a table: which pin of which part is on which net. Pure data, no geometry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

GROUND = "GND"


class CircuitError(ValueError):
    """The table contradicts itself: where, what was expected, what was got, and the mend."""

    def __init__(self, where: str, expected: str, got: str, mend: str) -> None:
        super().__init__(f"{where}: expected {expected}, got {got}; {mend}")
        self.where, self.expected, self.got, self.mend = where, expected, got, mend


class Role(Enum):
    """What a pin does to its net."""

    GIVES = "gives power"
    TAKES = "takes power"
    GROUND = "ground"
    DRIVES = "drives high and low"
    SINKS = "pulls low or lets go"
    GATED = "drives while it is enabled, else lets go"
    HEARS = "hears"
    PASSIVE = "passive"


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin of a kind of part. Several pads may carry one number; they are one pin."""

    number: str
    name: str
    role: Role


@dataclass(frozen=True)
class Kind:
    """A part as the catalogue has it.

    `volts` is the supply it lives on, lowest and highest; `high` the least volts that its inputs take for a one, as a
    share of the supply or, if `ttl`, in volts. `through` pairs the pins that a resistor or switch joins. `height_mm` is
    what stands above the circuit board at most, solder included; nought where nothing lies above the part.
    """

    name: str
    footprint: str
    pins: tuple[Pin, ...]
    volts: tuple[float, float] = (0.0, 0.0)
    high: float = 0.0
    ttl: bool = False
    through: tuple[tuple[str, str], ...] = ()
    symbol: str = ""
    hand_fitted: bool = False
    height_mm: float = 0.0

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[Pin]]:
        """The pins of each name, in the order of their numbers."""
        names: dict[str, list[Pin]] = {}
        for pin in self.pins:
            names.setdefault(pin.name, []).append(pin)
        return names


@dataclass(frozen=True)
class Part:
    """One part on the board. `nets` goes by pin number; None says that the pin is left open on purpose."""

    ref: str
    kind: Kind
    value: str
    nets: Mapping[str, str | None]
    roles: Mapping[str, Role] = field(default_factory=dict)

    def role(self, pin: Pin) -> Role:
        """A connector's pin does what its other end does; every other pin does what its kind says."""
        return self.roles.get(pin.number, pin.role)


@dataclass(frozen=True, slots=True)
class Node:
    """A pin of a part, where it meets a net."""

    part: Part
    pin: Pin

    @property
    def role(self) -> Role:
        return self.part.role(self.pin)

    def __str__(self) -> str:
        return f"{self.part.ref}.{self.pin.number} ({self.pin.name})"


@dataclass(frozen=True)
class Circuit:
    """A whole board.

    `rails` are the nets that carry power, with their volts; ground is one of them. `levels` are the volts of a one on
    nets that are driven from beyond a connector.
    """

    name: str
    title: str
    rails: Mapping[str, float]
    levels: Mapping[str, float]
    parts: tuple[Part, ...]

    @cached_property
    def nets(self) -> Mapping[str, Sequence[Node]]:
        """What meets on each net, sorted by name."""
        nets: dict[str, list[Node]] = {}
        for part in self.parts:
            for pin in part.kind.pins:
                if (net := part.nets.get(pin.number)) is not None:
                    nets.setdefault(net, []).append(Node(part, pin))
        return {name: nets[name] for name in sorted(nets)}

    def part(self, ref: str) -> Part:
        """Raises LookupError."""
        for part in self.parts:
            if part.ref == ref:
                return part
        raise LookupError(f"{self.name}: no part {ref}")


def wired(
    ref: str, kind: Kind, value: str = "", *, roles: Mapping[str, Role] | None = None, **nets: str | None
) -> Part:
    """A row of the table: nets by pin name, all pins of one name alike. A number begins with an underscore.

    Raises CircuitError for a name that the kind does not have.
    """
    by_number: dict[str, str | None] = {}
    for key, net in nets.items():
        name = key.removeprefix("_")
        if name not in kind.by_name:
            known = ", ".join(kind.by_name)
            raise CircuitError(f"{ref}, {kind.name}", f"a pin of {known}", name, "name the pin as the catalogue does")
        by_number |= {pin.number: net for pin in kind.by_name[name]}
    return Part(ref, kind, value or kind.name, by_number, roles or {})


def plugged(ref: str, kind: Kind, value: str, pins: Mapping[str, tuple[str | None, Role]]) -> Part:
    """A connector: by pin number, its net and what the other end does there."""
    return Part(
        ref,
        kind,
        value,
        {number: net for number, (net, _) in pins.items()},
        {number: role for number, (_, role) in pins.items()},
    )


def across(part: Part, number: str) -> Iterator[str]:
    """The nets on the other side of what joins this pin to another."""
    for ends in part.kind.through:
        if number in ends:
            far = part.nets.get(ends[0] if ends[1] == number else ends[1])
            if far is not None:
                yield far
