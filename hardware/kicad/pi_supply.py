"""ngspice deck of a Raspberry Pi on its own supply, with the board at its USB port.

Currents and the level of the warning are those of Raspberry Pi's documentation (power supplies; USB): a bare Pi 4 under
stress takes 1.25 A; a Pi 5 has 3 A less the 0.6 A that such a supply leaves its ports. The Zero 2 W is that of
`power.toml`. Leads, plugs and the capacitors of a Pi are assumptions.
"""

from __future__ import annotations

import math

from msgspec import Struct

from board_drivers.serial_lights import BOARD_MA
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.netlist import matrix_circuit
from hardware.kicad.models import BIASED, Assumed, damper_ohms, farads
from hardware.pcb.ngspice import measure

WARNING_V = 4.63
"""Below it a Pi other than a Zero shows a warning, give or take 5 %."""
PORT_A = 0.5
"""What a USB-A port promises at the other end of a cable to USB-C, and so what the board keeps to."""
INPUT_F = 47e-6
"""Capacitors of a Pi at its 5 V."""


class Supply(Struct, frozen=True):
    """Of a Pi: volts, and ohms of its cable there and back."""

    name: str
    volts: float
    ohm: float


class Computer(Struct, frozen=True):
    """A Pi: its largest current without USB, and the limit of the switch of its ports, infinite without one."""

    name: str
    load_a: float
    limit_a: float = math.inf


SUPPLIES = (Supply("5.1 V", 5.1, 0.1), Supply("5.0 V, poor cable", 5.0, 0.2))
COMPUTERS = (Computer("Zero 2 W", 0.6), Computer("Pi 4", 1.25, 1.2), Computer("Pi 5", 2.4, 0.6))


def pi_volts(computer: Computer, board_a: float, supply: Supply) -> float:
    """The voltage at a Pi at rest, whose port feeds the board with `board_a`."""
    return supply.volts - (computer.load_a + min(board_a, computer.limit_a)) * supply.ohm


def plugged_v(computer: Computer, plan: BoardPlan, corner: Assumed, supply: Supply) -> float:
    """The least voltage at the Pi while the plug of the board goes into its port.

    A port with a switch passes no more than its limit; at a port without one the empty capacitors of the board drain
    those of the Pi.
    """
    if computer.limit_a < math.inf:
        return pi_volts(computer, computer.limit_a, supply)
    circuit = matrix_circuit(plan)
    deck = (
        "plug",
        f"Vs s 0 {supply.volts}",
        f"Ls s a {corner.cable_uh}u",
        f"Rs a p {supply.ohm}",
        f"Cp p 0 {INPUT_F}",
        f"Ip p 0 {computer.load_a}",
        "Vk k 0 PWL(0 0 100u 0 100.1u 1)",
        "S1 p q k 0 plug",
        ".model plug SW(vt=0.5 vh=0.1 ron=0.01 roff=100meg)",
        f"Lq q b {corner.cable_uh}u",
        f"Rq b v {corner.cable_ohm + corner.fuse_ohm}",
        f"Cv v 0 {farads(circuit, '5V') * corner.ceramic}",
        f"Rd v d {damper_ohms(circuit)}",
        f"Cd d 0 {farads(circuit, 'DAMPED') * BIASED}",
        f"Rl v 0 {5000 / BOARD_MA}",
        ".tran 0.1u 500u 0 0.2u",
        ".measure tran least_v MIN v(p) FROM=90u TO=500u",
    )
    return measure(deck, ("least_v",))["least_v"]
