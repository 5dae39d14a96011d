"""ngspice decks of what happens at the connectors of revision C: discharges of a person, and plugs put in wrongly.

The discharge is that of IEC 61000-4-2 by contact: 3.75 A for each kilovolt after 0.8 ns, 2 A after 30 ns, 1 A after
60 ns (its table of levels, as in STMicroelectronics' data sheet of the ST3237EB, table 11). The path is found in the
netlist: the part that clamps the contact, and what is between it and a chip.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from firmware_host.circuits.circuit import Circuit, Node
from firmware_host.circuits.netlist import RAILS
from hardware.kicad.models import Assumed, farads
from hardware.pcb.ngspice import measure, value

DISCHARGE_KV = 8.0
"""Level 4 of IEC 61000-4-2."""
GENERATOR_OHM = 330.0
GENERATOR_F = 150e-12
CHIP_A = 1.33
"""What an input withstands that passes 2 kV of the human body model: 2 kV behind 1500 ohm."""
CHIPS = ("ATmega328P", "CH340N")
INPUT_OHM = 1.0
"""Of the diode of an input to the supply: an assumption, as no data sheet says it."""
STUB_NH = 2.0
"""From the contact's track to the part that clamps."""
RAIL_NH = 5.0
PIN_MAX_A = 0.04
"""Absolute maximum of an output of the ATmega328P."""


class Clamp(Struct, frozen=True):
    """A part that conducts above `volts`, with `ohm` in series."""

    volts: float
    ohm: float


CLAMPS: Mapping[str, Clamp] = {
    "surge diode array": Clamp(7.2, 0.66),  # SMF05C: breaks down at 7.2 V, and has 12.5 V at 8 A, at most
    "surge diode pair": Clamp(9.0, 1.4),  # H5VUT2U: breaks down at 9 V, and has 16 V at 5 A, at most
}
NO_CLAMP = Clamp(DISCHARGE_KV * 1000, GENERATOR_OHM)
"""The generator itself, which has no more than its voltage."""

CONTACTS: Mapping[str, str] = {
    "J1, data": "USB_P",
    "J1, CC": "CC1",
    "J2, keypad": "KEYPAD_ROW1",
    "J3, display": "SDA",
}
"""Nets of contacts by the names of the page."""


class Contact(Struct, frozen=True):
    """What is between a contact and the next chip: the kind of part that clamps it, or none, and the resistance."""

    clamp: str
    series_ohm: float


def contact_of(circuit: Circuit, net: str) -> Contact:
    """The path from a net of a connector into the next chip. Raises LookupError if there is no chip at its end."""
    clamp = next((node.part.kind.name for node in circuit.nets[net] if node.part.kind.name in CLAMPS), "")
    if any(node.part.kind.name in CHIPS for node in circuit.nets[net]):
        return Contact(clamp, 0.0)
    for node in circuit.nets[net]:
        for beyond in _beyond(node):
            if any(other.part.kind.name in CHIPS for other in circuit.nets[beyond]):
                return Contact(clamp, value(node.part.value) if node.part.kind.name == "resistor" else 0.0)
    raise LookupError(f"{net}: expected a chip within one part, got none")


def _beyond(node: Node) -> Iterator[str]:
    """The signals at the other end of a part that conducts."""
    for pair in node.part.kind.through:
        if node.pin.number in pair:
            other = node.part.nets[pair[pair[0] == node.pin.number]]
            if other and other not in RAILS:
                yield other


def discharge(contact: Contact, corner: Assumed) -> Mapping[str, float]:
    """A person's discharge into a contact: `pin_v` at the chip, `chip_a` into the chip's own diode."""
    clamp = CLAMPS.get(contact.clamp, NO_CLAMP)
    points = ((0.8, 3.75), (4.0, 2.0), (30.0, 2.0), (60.0, 1.0), (150.0, 0.0))
    pulse = " ".join(f"{nanoseconds}n {amperes * DISCHARGE_KV}" for nanoseconds, amperes in points)
    deck = (
        "discharge",
        f"Id 0 c PWL(0 0 {pulse})",
        f"Ls c k {STUB_NH}n",
        "Dk k e clamp",
        f"Ve e 0 {clamp.volts - 0.7}",
        "Dg c g generator",
        f"Vg g 0 {NO_CLAMP.volts}",
        f"Rs c p {max(contact.series_ohm, 0.01)}",
        "Cp p 0 5p",
        "Dp p r input",
        f"Lr r s {RAIL_NH}n",
        f"Vs s 0 {corner.supply_v}",
        f".model clamp D(is=1e-14 n=1 rs={clamp.ohm})",
        f".model generator D(is=1e-14 n=1 rs={GENERATOR_OHM})",
        f".model input D(is=1e-14 n=1 rs={INPUT_OHM})",
        ".tran 0.05n 150n 0 0.05n",
        ".measure tran pin_v MAX v(p)",
        ".measure tran chip_a MAX i(Vs)",
    )
    return measure(deck, ("pin_v", "chip_a"))


def supply_step_v(circuit: Circuit, corner: Assumed) -> float:
    """How much a discharge raises 5 V if it enters there: its charge in the capacitors of the board."""
    return DISCHARGE_KV * 1000 * GENERATOR_F / (farads(circuit, "5V") * corner.ceramic)


class Mistake(Struct, frozen=True):
    """A plug put in wrongly: the lines of its deck, with the source that measures, and what is allowed in A."""

    title: str
    lines: tuple[str, ...]
    allowed_a: float


MODULE = (
    # a display module: diodes from its ground to each pin and to its rail, and from its data lines to the rail
    "Dg1 mg mv diode",
    "Dg2 mg mscl diode",
    "Dg3 mg msda diode",
    "Du1 mscl mr diode",
    "Du2 msda mr diode",
    "Dr mv mr diode",
    "Rl mr mg 165",
)
"""What a display module of 20 mA is taken as, by the nets `mg`, `mv`, `mscl`, `msda` of its pins."""


def mistakes(circuit: Circuit) -> tuple[Mistake, ...]:
    """Every way to put in a plug wrongly that has a current. The keypad has none: it only exchanges its keys."""
    pull_up = value(circuit.part("R1").value)
    return (
        Mistake(
            "display: supply and ground exchanged in the lead",
            (*MODULE, "Vm v mg 0", "Rw mv 0 0.05", "Rc mscl 0 30k", "Rd msda 0 30k"),
            2.0,
        ),
        Mistake(
            "display: its plug turned, data line driven low",
            (*MODULE, "Vm mg pin 0", "Rp pin 0 25", "Rc mscl v 0.05", "Rd msda 0 0.05", "Rv mv v 30k"),
            PIN_MAX_A,
        ),
        Mistake(
            "programmer: turned, with the board on USB: its reset output low",
            ("Rw v a 0.05", "Vm a b 0", "Rp b 0 25"),
            PIN_MAX_A,
        ),
        Mistake(
            "programmer: turned, without USB: its 5 V at RESET",
            (f"Rr v a {pull_up}", "Vm a b 0", "Dp 0g b diode", "Rg 0g 0 0.01", "Rl b 0 100"),
            PIN_MAX_A,
        ),
    )


def wrong_plug(mistake: Mistake, corner: Assumed) -> float:
    """The largest current of a mistake in A, with the board's 5 V behind cable and fuse."""
    deck = (
        "mistake",
        f"Vs s 0 {corner.supply_v}",
        f"Rs s v {corner.cable_ohm + corner.fuse_ohm}",
        *mistake.lines,
        ".model diode D(is=1e-12 n=1 rs=0.5)",
        ".tran 1u 10u",
        ".measure tran amps MAX i(Vm)",
    )
    return measure(deck, ("amps",))["amps"]
