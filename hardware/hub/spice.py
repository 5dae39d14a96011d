"""Parts of a circuit as elements for ngspice.

The models of the transistors and diodes are written after the values of their data sheets; nobody measured a part.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec import Struct

from firmware_host.circuits.circuit import GROUND, Circuit, Part
from firmware_host.circuits.hub_supply import FUSE_OHM

ESR_OHM = 0.05
"""Of an electrolytic capacitor of 1000 uF and 10 V."""
CLOSED_OHM = 0.01
OPEN_OHM = 1e9
_UNITS = {"k": 1e3, "n": 1e-9, "u": 1e-6, "p": 1e-12}


class Tolerances(Struct, frozen=True):
    """The true value of each kind of part as a share of its printed value, and the transistors.

    `ceramic`: with the loss by voltage. `threshold_v`: gate threshold of the P-channel transistors, 0.4 to 1.5 V in the
    data sheet. `gain`: in A/V2; 160 fits its 57 S at 10 A, and 100 with 1.5 V the largest resistance at 2.5 V.
    """

    resistor: float = 1.0
    ceramic: float = 0.95
    coupling: float = 1.0
    electrolytic: float = 1.0
    threshold_v: float = 0.6
    gain: float = 130.0


def value(text: str) -> float:
    """A printed value in ohms or farads: `47k`, `3k9`, `0R47`, `100n`, `2u2`, `1000u 10V`."""
    number, unit, rest = re.fullmatch(r"(\d+)([knupR]?)(\d*)", text.split()[0]).groups()  # type: ignore[union-attr]
    return float(f"{number}.{rest or 0}") * _UNITS.get(unit, 1.0)


def models(tolerances: Tolerances) -> Iterator[str]:
    """FDS6575 (20 V, 17 milliohm at 2.5 V, 5 nF), BSS138, and SMBJ5.0A (6.4 to 7 V at 10 mA, 9.2 V at 65 A)."""
    yield (
        f".model switch VDMOS(pchan vto={-tolerances.threshold_v:g} kp={tolerances.gain:g} rd=5m rs=2.5m rg=3 "
        "cgdmax=1.2n cgdmin=450p cgs=4.5n cjo=430p is=1n n=1.1 rb=10m)"
    )
    yield ".model small VDMOS(nchan vto=1.3 kp=0.5 rd=1 rs=0.5 rg=10 cgdmax=20p cgdmin=5p cgs=30p cjo=20p is=1p)"
    yield ".model surge D(bv=6.4 ibv=10m is=1n n=1.1 rs=0.035 cjo=5n)"


def elements(circuit: Circuit, nets: Collection[str], tolerances: Tolerances, closed: Collection[str]) -> Iterator[str]:
    """All parts that are connected to these nets alone. `closed`: references of the jumpers that are closed.

    Each fuse has a voltage source of 0 V in series, `Vfuse` and its reference, which measures its current.
    """
    for part in circuit.parts:
        own = {net for net in part.nets.values() if net is not None}
        if own <= set(nets):
            yield from _element(part, tolerances, part.ref in closed)


def _element(part: Part, tolerances: Tolerances, is_closed: bool) -> Iterator[str]:
    pins = {pin.name: spice_net(part.nets[pin.number]) for pin in part.kind.pins}
    ref = part.ref
    first = part.kind.name
    if first == "resistor":
        yield f"R{ref} {pins['1']} {pins['2']} {value(part.value) * tolerances.resistor:.6g}"
    elif first == "capacitor":
        coupling = tolerances.coupling if ref == "C6" else tolerances.ceramic
        yield f"C{ref} {pins['1']} {pins['2']} {value(part.value) * coupling:.6g}"
    elif first == "electrolytic":
        yield f"C{ref} {pins['1']} esr_{ref} {value(part.value) * tolerances.electrolytic:.6g}"
        yield f"Resr{ref} esr_{ref} {pins['2']} {ESR_OHM}"
    elif first == "polyfuse":
        yield f"R{ref} {pins['IN']} fuse_{ref} {FUSE_OHM[part.value]}"
        yield f"Vfuse{ref} fuse_{ref} {pins['OUT']} 0"
    elif first.startswith("P-channel MOSFET"):
        yield f"M{ref} {pins['D']} {pins['G']} {pins['S']} switch"
    elif first == "N-channel MOSFET":
        yield f"M{ref} {pins['D']} {pins['G']} {pins['S']} small"
    elif first == "surge diode":
        yield f"Vclamp{ref} {pins['K']} clamp_{ref} 0"
        yield f"D{ref} {pins['A']} clamp_{ref} surge"
    elif first == "pin header 1 x 2":
        yield f"R{ref} {pins['1']} {pins['2']} {CLOSED_OHM if is_closed else OPEN_OHM:g}"


def spice_net(net: str | None) -> str:
    """The name of a net in ngspice, where ground is 0."""
    return "open" if net is None else "0" if net == GROUND else f"n_{net}"
