"""A circuit as data: parts, their pins, and the net of each pin. No geometry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property

from msgspec import Struct, field

GROUND = "GND"


class CircuitError(ValueError):
    """A circuit is inconsistent. `where`, `expected`, `got` and `fix` are the parts of the message."""

    def __init__(self, where: str, expected: str, got: str, fix: str) -> None:
        super().__init__(f"{where}: expected {expected}, got {got}; {fix}")
        self.where = where
        self.expected = expected
        self.got = got
        self.fix = fix


class Role(Enum):
    """The electrical type of a pin, as in the KiCad symbol editor. The value is the text in messages."""

    POWER_OUT = "power output"
    POWER_IN = "power input"
    GROUND = "ground"
    OUTPUT = "output"
    OPEN_DRAIN = "open-drain output"
    TRI_STATE = "tri-state output"
    INPUT = "input"
    PASSIVE = "passive"


class Pin(Struct, frozen=True):
    """A pin of a kind of part. Several pads with the same number are one pin."""

    number: str
    name: str
    role: Role


class Kind(Struct, frozen=True, dict=True):
    """A kind of part.

    `volts` is the range of its supply; (0, 0) means that it has none. `min_input_high` is the lowest high level of its
    inputs, as a share of the supply or, if `ttl`, in volts. `through` lists the pairs of pins that conduct, for example
    in a resistor. `height_mm` is the largest height above the circuit board, solder included; 0 if nothing is above it.
    `is_bare` marks copper without a part, such as a test point, and `left_empty` pads whose part nothing uses yet.
    """

    name: str
    footprint: str
    pins: tuple[Pin, ...]
    volts: tuple[float, float] = (0.0, 0.0)
    min_input_high: float = 0.0
    ttl: bool = False
    through: tuple[tuple[str, str], ...] = ()
    symbol: str = ""
    hand_fitted: bool = False
    height_mm: float = 0.0
    is_bare: bool = False
    left_empty: bool = False

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[Pin]]:
        """Pins by name, each in the order of their numbers."""
        names: dict[str, list[Pin]] = {}
        for pin in self.pins:
            names.setdefault(pin.name, []).append(pin)
        return names


class Part(Struct, frozen=True):
    """One part on the board. `nets` is by pin number; None means that the pin is intentionally not connected.

    `sheet` is the name of its sheet in the schematic.
    """

    ref: str
    kind: Kind
    value: str
    nets: Mapping[str, str | None]
    roles: Mapping[str, Role] = field(default_factory=dict)
    sheet: str = ""

    def role(self, pin: Pin) -> Role:
        """The role of the pin: for a connector that of the far end (`roles`), otherwise that of the kind."""
        return self.roles.get(pin.number, pin.role)


class Node(Struct, frozen=True):
    """One pin of one part, as a member of a net."""

    part: Part
    pin: Pin

    @property
    def role(self) -> Role:
        return self.part.role(self.pin)

    def __str__(self) -> str:
        return f"{self.part.ref}.{self.pin.number} ({self.pin.name})"


class Circuit(Struct, frozen=True, dict=True):
    """The circuit of one board. `rails` are the power nets with their voltages, ground included."""

    name: str
    title: str
    rails: Mapping[str, float]
    parts: tuple[Part, ...]

    @cached_property
    def nets(self) -> Mapping[str, Sequence[Node]]:
        """The nodes of each net, sorted by net name."""
        nets: dict[str, list[Node]] = {}
        for part in self.parts:
            for pin in part.kind.pins:
                if (net := part.nets.get(pin.number)) is not None:
                    nets.setdefault(net, []).append(Node(part, pin))
        return {name: nets[name] for name in sorted(nets)}

    def part(self, ref: str) -> Part:
        """The part with this reference. Raises LookupError if there is none."""
        for part in self.parts:
            if part.ref == ref:
                return part
        raise LookupError(f"{self.name}: no part {ref}")


def wired(ref: str, kind: Kind, value: str = "", /, **nets: str | None) -> Part:
    """A part with its nets by pin name; all pins of one name get the same net. Pin numbers are written as `_1`.

    Raises CircuitError for a pin that the kind does not have.
    """
    by_number: dict[str, str | None] = {}
    for key, net in nets.items():
        name = key.removeprefix("_")
        if name not in kind.by_name:
            known = ", ".join(kind.by_name)
            raise CircuitError(f"{ref}, {kind.name}", f"a pin of {known}", name, "name the pin as the catalogue does")
        by_number |= {pin.number: net for pin in kind.by_name[name]}
    return Part(ref, kind, value or kind.name, by_number)


def connector(ref: str, kind: Kind, value: str, pins: Mapping[str, tuple[str | None, Role]]) -> Part:
    """A connector: for each pin number its net and the role of the far end."""
    return Part(
        ref,
        kind,
        value,
        {number: net for number, (net, _) in pins.items()},
        {number: role for number, (_, role) in pins.items()},
    )


def nets_across(part: Part, number: str) -> Iterator[str]:
    """The nets that this pin reaches through the part itself, for example on the other side of a resistor."""
    for ends in part.kind.through:
        if number in ends:
            far = part.nets.get(ends[0] if ends[1] == number else ends[1])
            if far is not None:
                yield far
