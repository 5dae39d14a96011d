"""Supply of the hub in ngspice, and the rise of the light rail in a model of our own.

All decks are made from the parts of hub and row boards, so a changed value changes the result. Beside the parts there
are the supply with the resistance and inductance of its cable, a Pi that takes a constant current, and dark lights.

C6 is between drain and gate of Q1. While the rail rises, the current through R6 charges C6, and the voltage of the gate
stands still: so the rail rises at a rate that depends on R6, R7 and C6, not on the transistor, and the inrush is that
rate times the capacitance of the rail. `rise_model` is this as a differential equation; tests compare it with ngspice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from board_drivers.light_chain import IDLE_MA
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import GROUND
from firmware_host.circuits.hub_netlist import HUB, RAILS
from firmware_host.circuits.hub_supply import CABLE_OHM, FUSE_OHM, PI_A, SUPPLY_V, SWITCH_OHM
from firmware_host.circuits.row_boards import row_boards
from firmware_host.circuits.row_netlist import row_circuit
from hardware.hub.spice import OPEN_OHM, Tolerances, elements, models, value
from hardware.pcb.ngspice import measure

NETS = (*(net for net in RAILS if not net.startswith("3V3")), "GATE", "GATE_PULL", "GUARD", "LIGHTS_ENABLE")
"""The nets of the supply; the decks have all parts between them."""
ENABLE_S = 0.001
UNTIL_S = 0.12
"""When the program turns the rail on, and how long is simulated."""
UP_V = 4.4
"""From here on a light is taken to work, as in the bench sheet. Its data sheet says 4.5 V."""
ROW_SPREAD = 1.1
"""Capacitors of the rows above their printed value."""
FOLLOW_S = 1e-4
"""In the model: the time in which the current follows the gate."""


class Corner(Struct, frozen=True):
    """A supply with its cable, and the tolerances of the parts."""

    volts: float
    ohm: float
    microhenry: float
    parts: Tolerances


TYPICAL = Corner(SUPPLY_V, CABLE_OHM, 0.5, Tolerances())
FAST = Corner(5.25, 0.05, 0.3, Tolerances(0.99, 0.72, 0.9, 1.2, 0.4, 160.0))
SLOW = Corner(4.85, 0.15, 1.0, Tolerances(1.01, 1.1, 1.1, 1.2, 1.5, 100.0))
"""The largest inrush and the longest rise: capacitors of 10 and 20 %, resistors of 1 %, a USB or a poor supply."""


def row_farad(plan: BoardPlan) -> float:
    """The capacitors on the 5 V of all row boards of a plan."""
    return sum(_farad(len(board.strips)) for board in row_boards(plan))


@cache
def _farad(strips: int) -> float:
    parts = row_circuit(strips).parts
    return sum(value(part.value) for part in parts if set(part.nets.values()) == {"5V", GROUND} and part.ref[0] == "C")


def _deck(corner: Corner, volts: str, closed: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    """The supply circuit of the hub behind a voltage at the jack."""
    yield "supply of the hub"
    yield from models(corner.parts)
    yield f"Vsupply supply 0 {volts}"
    yield f"Rcable supply cable {corner.ohm}"
    yield f"Lcable cable n_5V_JACK {corner.microhenry}u"
    yield from elements(HUB, NETS, corner.parts, closed)
    yield from others


def _lights(plan: BoardPlan) -> Sequence[str]:
    """All rows at the outlets of the hub, without the wires that would damp the inrush."""
    return (
        f"Crows n_5V_LIGHTS 0 {row_farad(plan) * ROW_SPREAD:.6g}",
        f"Rlights n_5V_LIGHTS 0 {_light_ohm(plan):.6g}",
    )


def _light_ohm(plan: BoardPlan) -> float:
    """Dark lights, as a resistor."""
    return 5000.0 / (IDLE_MA * plan.led_count)


_ENABLE = f"Venable n_LIGHTS_ENABLE 0 PWL(0 0 {ENABLE_S} 0 {ENABLE_S + 1e-6} 3.3)"
_PI = f"Ipi n_5V_PI 0 {PI_A}"
_PI_CAPACITOR = "Cpi n_5V_PI 0 10u"


def rise(plan: BoardPlan, corner: Corner) -> Mapping[str, float]:
    """The rail is turned on. `inrush_a` is the peak through F3, `supply_a` that of the supply with a Pi on it.

    `up_s` is the time until `UP_V`; `pi_v` the lowest voltage of the Pi, which warns below 4.63 V; `watt` the largest
    power of Q1, and `joule` its energy.
    """
    wanted = ("inrush_a", "supply_a", "up_s", "pi_v", "watt", "joule")
    return measure(
        (
            *_deck(corner, f"{corner.volts}", ("J3",), (*_lights(plan), _ENABLE, _PI)),
            "Bpower power 0 V=(v(n_5V_LIGHTS_FUSED)-v(n_5V_LIGHTS))*i(VfuseF3)",
            f".tran 20u {UNTIL_S}",
            ".measure tran inrush_a MAX i(VfuseF3)",
            ".measure tran supply_a MAX i(Lcable)",
            f".measure tran up_s TRIG AT={ENABLE_S} TARG v(n_5V_LIGHTS) VAL={UP_V} RISE=1",
            ".measure tran pi_v MIN v(n_5V_PI)",
            ".measure tran watt MAX v(power)",
            f".measure tran joule INTEG v(power) FROM=0 TO={UNTIL_S}",
        ),
        wanted,
    )


def curves(plan: BoardPlan, corner: Corner) -> Mapping[float, tuple[float, float]]:
    """By the time in ms after the rail is turned on: the rail in V and the current through F3 in A."""
    times = [ENABLE_S + 0.002 * number for number in range(51)]
    lines = []
    names = []
    for number, at_s in enumerate(times):
        names += [f"v{number}", f"i{number}"]
        lines += [f".measure tran v{number} FIND v(n_5V_LIGHTS) AT={at_s:.4f}"]
        lines += [f".measure tran i{number} FIND i(VfuseF3) AT={at_s:.4f}"]
    deck = _deck(corner, f"{corner.volts}", ("J3",), (*_lights(plan), _ENABLE, _PI))
    found = measure((*deck, f".tran 20u {times[-1] + 0.001}", *lines), names)
    return {2.0 * number: (found[f"v{number}"], found[f"i{number}"]) for number in range(len(times))}


def plugged_in(plan: BoardPlan, corner: Corner) -> Mapping[str, float]:
    """A live supply is plugged in while nothing drives the switch: `rail_v` and `inside_v` are the highest voltages.

    The Pi is on the hub, with 10 uF, and takes nothing yet.
    """
    pulse = f"PWL(0 0 100u 0 101u {corner.volts})"
    return measure(
        (
            *_deck(corner, pulse, ("J3",), (*_lights(plan), _PI_CAPACITOR)),
            ".tran 0.5u 20m",
            ".measure tran rail_v MAX v(n_5V_LIGHTS)",
            ".measure tran inside_v MAX v(n_5V_IN)",
        ),
        ("rail_v", "inside_v"),
    )


def reversed_supply(plan: BoardPlan, *, usb: bool, jumper: bool) -> Mapping[str, float]:
    """The supply has the wrong polarity. `usb`: the Pi has a supply of its own; then J3, the jumper, must be open.

    `jack_a` is the current at the jack, `clamp_a` that of D1, `fuse_a` that of F2, at rest; `gate_v` and `drain_v` are
    the largest voltages between gate or drain and source of Q3, `inside_v` and `pi_v` the lowest voltages behind it.
    """
    pi = ("Vusb usb 0 5.1", "Rusb usb n_5V_PI 0.15") if usb else ("Rpi n_5V_PI 0 100", _PI_CAPACITOR)
    source = f"PWL(0 0 1m 0 1.01m {-TYPICAL.volts})"
    absolute = {
        "gate_v": "v(n_GUARD)-v(n_5V_IN)",
        "drain_v": "v(n_5V_FUSED)-v(n_5V_IN)",
        "jack_a": "i(VfuseF1)",
        "clamp_a": "i(VclampD1)",
        "fuse_a": "i(VfuseF2)",
    }
    return measure(
        (
            *_deck(TYPICAL, source, ("J3",) if jumper else (), (*_lights(plan), *pi)),
            *(f"B{name} abs_{name} 0 V=abs({what})" for name, what in absolute.items()),
            ".tran 5u 20m",
            *(f".measure tran {name} MAX v(abs_{name})" for name in absolute if name.endswith("_v")),
            *(f".measure tran {name} FIND v(abs_{name}) AT=19m" for name in absolute if name.endswith("_a")),
            ".measure tran inside_v MIN v(n_5V_IN)",
            ".measure tran pi_v MIN v(n_5V_PI)",
        ),
        (*absolute, "inside_v", "pi_v"),
    )


def steady(plan: BoardPlan, *, jack: bool, usb: bool, jumper: bool, enabled: bool) -> Mapping[str, float]:
    """The voltages at rest, for a supply at the jack, at the USB of the Pi, at both or at neither.

    `jumper` closes J3. Without a supply the jack has 1 Mohm, and the Pi has 50 ohm.
    """
    corner = TYPICAL if jack else replace(TYPICAL, ohm=1e6)
    usb_ohm = 0.15 if usb else 1e6
    lights = ("Venable n_LIGHTS_ENABLE 0 3.3",) if enabled else ()
    pi = (f"Vusb usb 0 {5.1 if usb else 0}", f"Rusb usb n_5V_PI {usb_ohm}", "Rpi n_5V_PI 0 50")
    deck = _deck(corner, "5.1" if jack else "0", ("J3",) if jumper else (), (*_lights(plan), *pi, *lights))
    nets = {"pi_v": "5V_PI", "rail_v": "5V_LIGHTS", "jack_v": "5V_JACK"}
    measures = (f".measure tran {name} FIND v(n_{net}) AT=0.9" for name, net in nets.items())
    return measure((*deck, ".tran 1m 1", *measures), tuple(nets))


def full_load(plan: BoardPlan, corner: Corner, lights_a: float) -> Mapping[str, float]:
    """`rail_v` at the outlets and `pi_v`, with all lights together at this current; dark ones are part of it."""
    more_a = lights_a - IDLE_MA * plan.led_count / 1000
    load = f"Ifull n_5V_LIGHTS 0 PWL(0 0 0.2 0 0.21 {more_a:.6g})"
    deck = _deck(corner, f"{corner.volts}", ("J3",), (*_lights(plan), _ENABLE, _PI, load))
    measures = (".measure tran rail_v FIND v(n_5V_LIGHTS) AT=0.3", ".measure tran pi_v FIND v(n_5V_PI) AT=0.3")
    return measure((*deck, ".tran 0.2m 0.31", *measures), ("rail_v", "pi_v"))


def wrong_supply(plan: BoardPlan, volts: float, limit_a: float) -> Mapping[str, float]:
    """A supply of another voltage, which limits its current: `pi_v` is what the Pi gets, `watt` what D1 takes.

    D1 is for peaks: 600 W for a millisecond, but some 5 W at rest.
    """
    source = (f"Isource 0 source {limit_a}", "Dlimit source limit ideal", f"Vlimit limit 0 {volts}")
    return measure(
        (
            *_deck(replace(TYPICAL, ohm=OPEN_OHM), "0", ("J3",), (*_lights(plan), _PI, *source)),
            "Rsource source n_5V_JACK 0.1",
            ".model ideal D(is=1u n=0.1)",
            "Bwatt watt 0 V=v(n_5V_IN)*i(VclampD1)",
            ".tran 5u 20m",
            ".measure tran pi_v FIND v(n_5V_PI) AT=19m",
            ".measure tran watt FIND v(watt) AT=19m",
        ),
        ("pi_v", "watt"),
    )


def rise_model(plan: BoardPlan, corner: Corner, step_s: float = 5e-6) -> Mapping[str, float]:
    """`inrush_a` and `up_s` of `rise` by our own integration.

    Q1 follows the square law and has no charge of its own; there is no inductance, and no resistance in the capacitors.
    """
    parts = corner.parts
    on_ohm, off_ohm = (value(HUB.part(ref).value) * parts.resistor for ref in ("R6", "R7"))
    hold_f = value(HUB.part("C3").value) * parts.ceramic
    slope_f = value(HUB.part("C6").value) * parts.coupling
    rail_f = value(HUB.part("C2").value) * parts.electrolytic + row_farad(plan) * ROW_SPREAD
    light_ohm = _light_ohm(plan)
    ohm = corner.ohm + FUSE_OHM["holds 5 A"] + SWITCH_OHM
    source_v = corner.volts - PI_A * ohm
    ohm += FUSE_OHM["holds 3 A"]
    drive_v = rail_v = amps = inrush_a = up_s = 0.0
    for step in range(round((UNTIL_S - ENABLE_S) / step_s)):
        over = max(0.0, drive_v - parts.threshold_v)
        across = max(0.0, source_v - amps * ohm - rail_v)
        wanted = parts.gain * (over * over / 2 if across > over else (over - across / 2) * across)
        amps += (wanted - amps) * step_s / FOLLOW_S
        slope = (amps - rail_v / light_ohm) / rail_f
        gate_v = source_v - amps * ohm - drive_v
        drive_v += (gate_v / on_ohm - drive_v / off_ohm - slope_f * slope) / (hold_f + slope_f) * step_s
        rail_v += slope * step_s
        inrush_a = max(inrush_a, amps)
        if not up_s and rail_v >= UP_V:
            up_s = step * step_s
    return {"inrush_a": inrush_a, "up_s": up_s}
