"""ngspice decks of a board of revision C, from its netlist: the matrix, its rows, the lights' lines and the supply.

Values of parts come from the netlist and from the facts in `sources.toml`. What no public page says is an assumption
with a name here; the page of margins lists all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from firmware_host.board.matrix import ROWS, column_count
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import GROUND, Circuit
from firmware_host.circuits.netlist import DAMPERS, column_net, matrix_circuit, row_net
from hardware.pcb.ngspice import measure, value

HALL_A = 2.7e-3
"""Typical supply current of a hall switch."""
HALL_MIN_V = 2.7
"""Its least supply."""


BIASED = 0.7
"""What 5 V leave of a large ceramic capacitor."""
COPPER_OHM = 0.5e-3
"""A square of copper of 35 um."""
DAMPER_M = 0.11
"""From the USB socket to the resistor and the capacitors that damp its cable, along the board."""
DAMPER_TRACK_MM = 1.2
DAMPER_NH_PER_M = 600.0
"""A track of this width above ground 1.5 mm below."""


class Assumed(Struct, frozen=True):
    """What no public page says, at one corner."""

    supply_v: float = 5.0
    hall_a: float = HALL_A
    output_pf: float = 10.0
    """Of an open-drain output that is off."""
    output_ohm: float = 60.0
    """Of an output that is on."""
    line_pf_per_m: float = 80.0
    line_ohm: float = 125.0
    """A track of 0.25 mm above ground 1.5 mm below."""
    driver_ohm: float = 25.0
    """Of a pin of the controller."""
    edge_ns: float = 3.0
    light_ohm: float = 50.0
    light_edge_ns: float = 4.0
    """Of an output of a light."""
    light_pf: float = 8.0
    ceramic: float = 0.9
    fuse_ohm: float = 0.05
    cable_ohm: float = 0.2
    cable_uh: float = 0.5
    """A USB cable of a metre: both leads, with the plugs."""


TYPICAL = Assumed()
FAST = Assumed(
    supply_v=5.25,
    hall_a=2 * HALL_A,
    output_pf=20.0,
    line_pf_per_m=120.0,
    line_ohm=140.0,
    driver_ohm=15.0,
    edge_ns=1.0,
    light_ohm=30.0,
    light_edge_ns=2.0,
    light_pf=3.0,
    ceramic=1.1,
    fuse_ohm=0.02,
    cable_ohm=0.05,
    cable_uh=1.0,
)
"""The strongest drivers and the largest supply, with the largest loads of the matrix."""
SLOW = Assumed(
    supply_v=4.75,
    driver_ohm=40.0,
    edge_ns=8.0,
    light_ohm=100.0,
    light_edge_ns=10.0,
    light_pf=15.0,
    line_ohm=90.0,
    cable_ohm=0.4,
)
CORNERS: Mapping[str, Assumed] = {"typical": TYPICAL, "fast": FAST, "slow": SLOW}


def switches_at(circuit: Circuit, net: str) -> int:
    """The number of hall switches on a net."""
    return sum(node.part.kind.name == "DRV5023AJ" for node in circuit.nets[net])


def farads(circuit: Circuit, net: str) -> float:
    """The capacitors from a net to ground, as printed."""
    return sum(
        value(part.value)
        for part in circuit.parts
        if part.kind.name == "capacitor" and set(part.nets.values()) == {net, GROUND}
    )


def _ohms(circuit: Circuit, ref: str) -> float:
    return value(circuit.part(ref).value)


def damper_ohms(circuit: Circuit) -> float:
    """The resistors of the damper, side by side."""
    return 1 / sum(1 / _ohms(circuit, ref) for ref in DAMPERS)


def gate_column(plan: BoardPlan, corner: Assumed) -> Mapping[str, float]:
    """A column is turned on at 1 us and off at 101 us, with all its switches.

    `up_s` is the time until its supply is enough, `column_v` what it reaches, `sense_v` the voltage over the resistor
    that the controller measures at 60 us, `peak_a` the largest current from 5 V, `down_s` the time until the switches
    are surely off after the column is turned off.
    """
    circuit = matrix_circuit(plan)
    column = max(range(column_count(plan)), key=lambda number: switches_at(circuit, column_net(number)))
    count = switches_at(circuit, column_net(column))
    hall = count * corner.hall_a
    load = farads(circuit, column_net(column)) * corner.ceramic + count * 20e-12
    deck = (
        "column",
        f"Vs vcc 0 {corner.supply_v}",
        "Vm vcc s 0",
        f"R10 s h {_ohms(circuit, 'R10')}",
        f"Vg q 0 PWL(0 {corner.supply_v} 1u {corner.supply_v} 1.01u 0 101u 0 101.01u {corner.supply_v})",
        "Rg q g 50",
        "M1 c g h switch",
        # AO3401A: threshold 0.9 V, 60 milliohm at 4.5 V, 645 pF
        ".model switch VDMOS(pchan vto=-0.9 kp=12 rd=20m rs=10m rg=5 cgdmax=150p cgdmin=40p cgs=580p cjo=100p is=1n)",
        f"Cc c 0 {load}",
        f"Bh c 0 I=v(c)>{HALL_MIN_V} ? {hall} : v(c)*{hall}/{HALL_MIN_V}",
        "Bd d 0 V=v(s)-v(h)",
        ".ic v(c)=0",
        ".tran 0.05u 140u",
        f".measure tran on_s WHEN v(c)={HALL_MIN_V} RISE=1",
        ".measure tran column_v FIND v(c) AT=60u",
        ".measure tran sense_v FIND v(d) AT=60u",
        ".measure tran peak_a MAX i(Vm)",
        f".measure tran off_s WHEN v(c)={HALL_MIN_V} FALL=1",
    )
    found = measure(deck, ("on_s", "column_v", "sense_v", "peak_a", "off_s"))
    return {
        "up_s": found["on_s"] - 1e-6,
        "column_v": found["column_v"],
        "sense_v": found["sense_v"],
        "peak_a": found["peak_a"],
        "down_s": found["off_s"] - 101e-6,
        "switches": count,
    }


def row_line(plan: BoardPlan, corner: Assumed, length_m: float) -> Mapping[str, float]:
    """The longest row: pulled low by a switch for 20 us, then released. Times to 30 and 70 % of the supply."""
    circuit = matrix_circuit(plan)
    count = max(switches_at(circuit, row_net(row)) for row in range(ROWS))
    load = count * corner.output_pf + length_m * corner.line_pf_per_m + 10
    deck = (
        "row",
        f"Vs vcc 0 {corner.supply_v}",
        f"Rp vcc r {_ohms(circuit, 'R20') * 1.05}",
        f"Cr r 0 {load}p",
        "Vc k 0 PWL(0 0 1u 0 1.1u 5 21u 5 21.1u 0)",
        "S1 r 0 k 0 out",
        f".model out SW(vt=2.5 vh=0.1 ron={corner.output_ohm} roff=100meg)",
        f".ic v(r)={corner.supply_v}",
        ".tran 0.02u 60u",
        f".measure tran low_s WHEN v(r)={0.3 * corner.supply_v} FALL=1",
        ".measure tran low_v FIND v(r) AT=20u",
        f".measure tran high_s WHEN v(r)={0.7 * corner.supply_v} RISE=1",
    )
    found = measure(deck, ("low_s", "low_v", "high_s"))
    return {
        "fall_s": found["low_s"] - 1.05e-6,
        "low_v": found["low_v"],
        "rise_s": found["high_s"] - 21.05e-6,
        "leak_a": 0.3 * corner.supply_v / (_ohms(circuit, "R20") * 1.05) / count,
        "switches": count,
    }


def ghost(plan: BoardPlan, corner: Assumed, *, clamps: bool) -> Mapping[str, float]:
    """Column 0 is on and its holes are empty; all other holes have pegs. The rows must be high.

    With `clamps` each output has a diode to its own supply, as many switches have: then the rows feed the columns that
    are off, whose switches pull their rows low.
    """
    circuit = matrix_circuit(plan)
    columns = column_count(plan)
    body = ["ghost", f"Vs vcc 0 {corner.supply_v}", "Vc c0 0 4.5", ".model clamp D(is=1e-12 n=1)"]
    body += [f"Rp{row} vcc r{row} {_ohms(circuit, 'R20')}" for row in range(ROWS)]
    for column in range(1, columns):
        body.append(f"Cc{column} c{column} 0 {farads(circuit, column_net(column)) or 1e-9}")
        body.append(f"Rc{column} c{column} 0 1meg")
    for part in circuit.parts:
        if part.kind.name == "DRV5023AJ":
            column = int(part.nets["1"].removeprefix("COLUMN"))  # type: ignore[union-attr]
            row = int(part.nets["2"].removeprefix("ROW"))  # type: ignore[union-attr]
            body += _switch(f"{column}x{row}", column, row, corner, clamps=clamps)
    body += [".tran 1u 100u", ".measure tran high_v FIND v(r0) AT=99u", ".measure tran off_v FIND v(c1) AT=99u"]
    return measure(body, ("high_v", "off_v"))


def _switch(name: str, column: int, row: int, corner: Assumed, *, clamps: bool) -> Sequence[str]:
    """A switch under a peg, which conducts from its least supply on; in column 0 there is none."""
    lines = []
    if column:
        lines.append(f"B{name} r{row} 0 I=v(c{column})>{HALL_MIN_V} ? v(r{row})/{corner.output_ohm} : 0")
        lines.append(f"Rs{name} c{column} 0 {HALL_MIN_V / corner.hall_a}")
    if clamps:
        lines.append(f"D{name} r{row} c{column} clamp")
    return lines


def light_line(plan: BoardPlan, corner: Assumed, length_m: float, *, first: bool) -> Mapping[str, float]:
    """A clock edge up and down at the first light, behind the resistor, or at any other, from the light before it."""
    source = corner.driver_ohm + _ohms(matrix_circuit(plan), "R2") if first else corner.light_ohm
    edge = corner.edge_ns if first else corner.light_edge_ns
    values = f"R=5 L={5.6 * corner.line_ohm}n C={5.6 / corner.line_ohm}n LEN={length_m}"
    supply = corner.supply_v
    low = 0.3 * supply
    high = 0.7 * supply
    deck = (
        "light",
        f"Vs s 0 PWL(0 0 5n 0 {5 + edge}n {supply} 105n {supply} {105 + edge}n 0)",
        f"Rs s a {source}",
        "O1 a 0 b 0 line",
        f".model line LTRA {values}",
        f"Cl b 0 {corner.light_pf}p",
        ".tran 0.1n 205n 0 0.2n",
        ".measure tran high_v MAX v(b)",
        ".measure tran low_v MIN v(b)",
        f".measure tran rise_s TRIG v(b) VAL={low} RISE=1 TARG v(b) VAL={high} RISE=1",
        f".measure tran late_s WHEN v(b)={high} RISE=LAST",
    )
    found = measure(deck, ("high_v", "low_v", "rise_s", "late_s"))
    return {**found, "above_v": found["high_v"] - supply, "late_s": found["late_s"] - 5e-9}


def plug_in(plan: BoardPlan, corner: Assumed) -> Mapping[str, float]:
    """The USB plug goes in: the capacitors of the board are empty, the source is stiff. Volts on the board, amperes."""
    circuit = matrix_circuit(plan)
    at_once = farads(circuit, "5V")
    damped = farads(circuit, "DAMPED")
    deck = (
        "plug",
        f"Vs s 0 PWL(0 0 1u 0 1.1u {corner.supply_v})",
        f"Lc s a {corner.cable_uh}u",
        f"Rc a v {corner.cable_ohm + corner.fuse_ohm}",
        f"Cv v 0 {at_once * corner.ceramic}",
        f"Lt v t {DAMPER_M * DAMPER_NH_PER_M}n",
        f"Rd t d {damper_ohms(circuit) + DAMPER_M * 1000 / DAMPER_TRACK_MM * COPPER_OHM}",
        f"Cd d 0 {damped * BIASED}",
        "D1 0 v surge",
        ".model surge D(bv=6.4 ibv=10m is=1n n=1.1 rs=0.035 cjo=5n)",
        ".tran 0.05u 200u 0 0.1u",
        ".measure tran high_v MAX v(v)",
        ".measure tran peak_a MIN i(Vs)",
    )
    found = measure(deck, ("high_v", "peak_a"))
    return {"high_v": found["high_v"], "peak_a": -found["peak_a"], "farad": at_once + damped}


def far_light(corner: Assumed, amperes: float, squares: float) -> float:
    """The supply in volts at the far end of a rail whose lights there take all of this current."""
    return corner.supply_v - amperes * (corner.cable_ohm + corner.fuse_ohm + squares * COPPER_OHM)
