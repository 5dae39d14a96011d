"""Generates `clock-margins.md`, the margins of the clock by the model and by ngspice: python -m hardware.clock_page

Takes a minute or more, and needs ngspice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from board_drivers.sensor_chain import RATE_HZ
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.cables import CABLES_MM, cables_mm
from firmware_host.circuits.hub_netlist import PI_CLOCK_OHM
from firmware_host.circuits.row_boards import RowBoard, row_boards
from firmware_host.circuits.row_netlist import STRIPS_PER_ROW
from firmware_host.config.board_plans import load_plan, plan_ids
from hardware.hub.pi_line import INPUTS, UNFITTED_OHM, pi_lines
from hardware.row.chips import (
    BUFFER_INPUT,
    BUFFER_INPUTS,
    GATE_INPUT,
    HIGHEST_INPUT_V,
    PIS,
    REGISTER_INPUTS,
    ROW_SUPPLIES_V,
    at_supply,
)
from hardware.row.clock_chain import SETTLED_NS, Switch, extremes, pulse_after, pulse_margin_ns
from hardware.row.clock_line import (
    NEXT,
    Corner,
    clock_line,
    corners_of,
    edges,
    hold_margins_ns,
    input_of,
    register,
    setup_margin_ns,
)
from hardware.row.line import SUPPLY_V, Edge, Line, Thresholds, edge, waveforms
from hardware.row.spice import simulate

PAGE = Path(__file__).parent / "row" / "clock-margins.md"
FAST_HZ = 1e6
"""A clock that is too fast for the long chains, for comparison."""
_SHORT_NS = 60.0


class Worst(Struct, frozen=True):
    """The worst value of a quantity, where it is, and the same by ngspice."""

    model: float
    spice: float
    corner: Corner
    place: str


def seen_by_spice(line: Line, inputs: Mapping[str, Thresholds], *, lossy: bool, until_ns: float) -> dict[str, Edge]:
    """The edge at each probe as ngspice measures it; only step back and what follows are taken from its curves."""
    measures: dict[str, str] = {}
    for probe, limits in inputs.items():
        measures |= {
            f"low_{probe}": f"WHEN v({probe})={limits.rise_low_v} RISE=1",
            f"high_{probe}": f"WHEN v({probe})={limits.rise_high_v} RISE=1",
            f"peak_{probe}": f"MAX v({probe})",
        }
    done = simulate(line, measures, lossy=lossy, until_ns=until_ns)
    found = {}
    for probe, limits in inputs.items():
        low, high, peak = (done.measured[f"{name}_{probe}"] for name in ("low", "high", "peak"))
        curve = edge(done.waves[probe], limits)
        found[probe] = Edge(low * 1e9, high * 1e9, peak, curve.back_v, curve.after_v)
    return found


@cache
def spice_edges(corner: Corner, *, lossy: bool = False) -> Mapping[str, Edge]:
    """`edges` by ngspice."""
    inputs = {probe: input_of(probe, corner.supply_v) for probe in edges(corner)}
    return seen_by_spice(clock_line(corner), inputs, lossy=lossy, until_ns=120.0)


PLACES = ("near", "middle", "far")


def places(registers: int) -> Mapping[str, Sequence[str]]:
    """Near, middle and far registers of a board."""
    names = [register(number) for number in range(1, registers + 1)]
    return {"near": names[:1], "middle": names[1:-1], "far": names[-1:] if registers > 1 else []}


Quantity = Callable[[Mapping[str, Edge], str], float]
QUANTITIES: Mapping[str, Quantity] = {
    "edge, ns": lambda found, probe: found[probe].width_ns,
    "step back, V": lambda found, probe: found[probe].back_v,
    "highest voltage, V": lambda found, probe: found[probe].peak_v,
    "hold, ns": lambda found, probe: -hold_margins_ns(found)[probe],
}
"""What is worst at its maximum; margins are negative here."""


def kinds(plan: BoardPlan) -> Sequence[tuple[int, float]]:
    """The boards of a plan that differ: registers, and cable behind it in mm."""
    boards = row_boards(plan)
    return sorted({(len(b.strips), float(mm)) for b, mm in zip(boards, (*cables_mm(plan), 0), strict=True)})


@cache
def worst_at(plan_id: str, quantity: str, place: str, supply_v: float | None = None) -> Worst:
    """The worst value of a quantity at the near, middle or far registers of the boards of a plan.

    With this supply of the rows, or with the worst one.
    """
    value = QUANTITIES[quantity]
    best = None
    for registers, cable in kinds(load_plan(plan_id)):
        for corner in corners_of(registers, cable, supply_v):
            for probe in places(registers)[place]:
                found = value(edges(corner), probe)
                if best is None or found > best[0]:
                    best = found, corner, probe
    assert best is not None  # every plan has a board with six registers
    return Worst(abs(best[0]), abs(value(spice_edges(best[1]), best[2])), best[1], best[2])


@cache
def worst_setup(plan_id: str, supply_v: float | None = None) -> Worst:
    """The least setup margin of a plan in ns."""
    corners = [corner for kind in kinds(load_plan(plan_id)) for corner in corners_of(*kind, supply_v)]
    corner = min(corners, key=lambda one: setup_margin_ns(edges(one), RATE_HZ))
    by_model, by_spice = (setup_margin_ns(found, RATE_HZ) for found in (edges(corner), spice_edges(corner)))
    return Worst(by_model, by_spice, corner, NEXT)


@cache
def lengthening_ns() -> tuple[float, float]:
    """By how much one board of six lengthens a high pulse for a buffer with the lowest thresholds, by both programs."""
    high = 500.0
    period = 1000.0

    def switch_of(corner: Corner) -> Switch:
        return extremes(at_supply(BUFFER_INPUTS, corner.supply_v))[0]

    def by_model(corner: Corner) -> float:
        wave = waveforms(clock_line(corner), SETTLED_NS)[NEXT]
        return pulse_after(wave, high, period, switch_of(corner)) - high

    corner = max(corners_of(STRIPS_PER_ROW, CABLES_MM[-1]), key=by_model)
    line = clock_line(corner)
    edge_ns = corner.edge_ns
    switch = switch_of(corner)
    source = f"PULSE(0 {corner.supply_v} 0 {edge_ns}n {edge_ns}n {high - edge_ns}n {period}n)"
    seen = f"TRIG v({NEXT}) VAL={switch.rise_v} RISE=1 TARG v({NEXT}) VAL={switch.fall_v} FALL=1"
    done = simulate(line, {"pulse": seen}, lossy=False, until_ns=period, source=source)
    return by_model(corner), done.measured["pulse"] * 1e9 - high


@cache
def pi_worst(pi: str, quantity: str, probe: str, series_ohm: float) -> tuple[float, float]:
    """The worst value of a quantity at an input of the hub, by the model and by ngspice."""
    lines = list(pi_lines(PIS[pi], series_ohm))
    values = [_pi_value(quantity, edge(waveforms(line, _SHORT_NS)[probe], INPUTS[probe])) for line in lines]
    found = max(values)
    seen = seen_by_spice(lines[values.index(found)], INPUTS, lossy=False, until_ns=_SHORT_NS)
    return abs(found), abs(_pi_value(quantity, seen[probe]))


def _pi_value(quantity: str, seen: Edge) -> float:
    return {"highest": seen.peak_v, "back": seen.back_v, "lowest": -seen.after_v, "edge": seen.width_ns}[quantity]


class ProbePoint(Struct, frozen=True):
    """The strips where an oscilloscope sees the largest step back, the slowest edge, and the shortest pulse."""

    step_back_strip: int
    slow_strip: int
    last_strip: int


def probe_point(plan: BoardPlan) -> ProbePoint:
    """The strips where the model is worst, in the last of the boards that are alike."""
    back, slow = (
        max((worst_at(plan.id, quantity, place) for place in PLACES), key=lambda one: one.model)
        for quantity in ("step back, V", "edge, ns")
    )
    return ProbePoint(_strip(plan, back), _strip(plan, slow), plan.strip_count)


def _strip(plan: BoardPlan, worst: Worst) -> int:
    boards = row_boards(plan)
    behind = (*cables_mm(plan), 0)
    alike: list[RowBoard] = [
        board
        for board, mm in zip(boards, behind, strict=True)
        if (len(board.strips), float(mm)) == (worst.corner.registers, worst.corner.cable_mm)
    ]
    return alike[-1].strips[int(worst.place.removeprefix("r")) - 1].number + 1


def clock_page(plans: Sequence[BoardPlan]) -> str:
    """The text of `clock-margins.md`."""
    return (
        "\n".join(
            [
                *_head(),
                *_pi_table(),
                "",
                *_row_table(plans),
                "",
                *_chain_table(plans),
                "",
                *_supply_table(plans),
                "",
                *_probes(plans),
            ]
        )
        + "\n"
    )


def _head() -> Iterator[str]:
    yield """# Margins of the clock

Made by `python -m hardware.clock_page` from the [model](clock_line.py) of the clock lines; change that. In each
cell the first number is that of the model in its worst corner, and the second is that of ngspice in the same corner,
with transmission lines without loss. Thresholds, drivers and loads are in [`chips.py`](chips.py), each with its source.
Nothing was measured.
"""


def _pi_table() -> Iterator[str]:
    yield f"""## From the Pi to the hub

With the resistor of {PI_CLOCK_OHM} ohm beside the pin of the Pi, and without. Inputs stand {HIGHEST_INPUT_V:g} V. The
buffer ignores a step back of {BUFFER_INPUT.hysteresis_v:.2f} V. The gate of the lights has no hysteresis: after an edge
it must not come back to {GATE_INPUT.rise_high_v:g} V. One table for all boards, because they share the hub.
"""
    yield "| Pi | ohm | highest, V | edge at the buffer, ns | step back, V | lowest after an edge at the gate, V |"
    yield "| :--- | ---: | ---: | ---: | ---: | ---: |"
    for pi in PIS:
        for ohm in (float(PI_CLOCK_OHM), UNFITTED_OHM):
            cells = [
                _pair(pi_worst(pi, "highest", "gate", ohm)),
                _pair(pi_worst(pi, "edge", "buffer", ohm), 1),
                _pair(pi_worst(pi, "back", "buffer", ohm)),
                _pair(pi_worst(pi, "lowest", "gate", ohm)),
            ]
            yield f"| {pi} | {ohm:.0f} | {' | '.join(cells)} |"


def _pair(values: tuple[float, float], digits: int = 2) -> str:
    return " / ".join(f"{value:.{digits}f}" for value in values)


def _row_table(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield f"""## The row boards of each plan

Near is the register next to IN, far the last one of six. An edge is the time from the lowest to the highest rising
threshold. A step back must be below {_least_hysteresis_v():.2f} V, and a hold margin, which has the skew, above 0.
The rows have {_supplies()} V, whichever is worse.
"""
    yield "| board | quantity | near | middle | far |"
    yield "| :--- | :--- | ---: | ---: | ---: |"
    for plan in plans:
        for quantity in QUANTITIES:
            digits = 1 if quantity.endswith("ns") else 2
            found = (worst_at(plan.id, quantity, place) for place in PLACES)
            yield f"| {plan.id} | {quantity} | {' | '.join(_pair((one.model, one.spice), digits) for one in found)} |"


def _chain_table(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield f"""## The whole chain, at {RATE_HZ / 1e3:.0f} kHz

Setup is the least time by which data is there before it is sampled. The buffers of a chain lengthen or shorten the
pulses: one board of six with a cable of {CABLES_MM[-1]} mm by up to {_pair(lengthening_ns(), 1)} ns. The margin of the
pulse is what a register at the last board does not need of the shortest one, high or low, if all buffers are at the
same extreme of their data sheet; the model alone calculates it. It is why the clock is not faster.
"""
    yield f"| board | boards in the chain | setup, ns | margin of the pulse, ns | the same at {FAST_HZ / 1e6:g} MHz |"
    yield "| :--- | ---: | ---: | ---: | ---: |"
    for plan in plans:
        setup = worst_setup(plan.id)
        pulses = [pulse_margin_ns(plan, hz) for hz in (RATE_HZ, FAST_HZ)]
        cells = (f"{one:.0f}" if one > 0 else "none: the clock is lost" for one in pulses)
        yield f"| {plan.id} | {len(row_boards(plan))} | {_pair((setup.model, setup.spice), 0)} | {' | '.join(cells)} |"


def _supply_table(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield f"""## The supply of the rows

The diode D6 of the hub leaves the rows {ROW_SUPPLIES_V[0]:.1f} V or more; the hub itself has {SUPPLY_V:.1f} V.
The worst values of all boards with one and the other:
"""
    yield f"| quantity | {' | '.join(f'rows with {supply_v:.1f} V' for supply_v in ROW_SUPPLIES_V)} |"
    yield "| :--- | ---: | ---: |"
    for quantity in QUANTITIES:
        digits = 1 if quantity.endswith("ns") else 2
        cells = [_pair(_worst_with(plans, quantity, supply_v), digits) for supply_v in ROW_SUPPLIES_V]
        yield f"| {quantity} | {' | '.join(cells)} |"
    limits = (f"{at_supply(REGISTER_INPUTS, supply_v).hysteresis_v:.2f}" for supply_v in ROW_SUPPLIES_V)
    yield f"| least hysteresis of a register, V | {' | '.join(limits)} |"
    setups = [min((worst_setup(plan.id, one) for plan in plans), key=lambda w: w.model) for one in ROW_SUPPLIES_V]
    yield f"| setup, ns | {' | '.join(_pair((one.model, one.spice), 0) for one in setups)} |"
    pulses = [min(pulse_margin_ns(plan, RATE_HZ, (supply_v,)) for plan in plans) for supply_v in ROW_SUPPLIES_V]
    yield f"| margin of the pulse, ns | {' | '.join(f'{one:.0f}' for one in pulses)} |"


def _worst_with(plans: Sequence[BoardPlan], quantity: str, supply_v: float) -> tuple[float, float]:
    found = [worst_at(plan.id, quantity, place, supply_v) for plan in plans for place in PLACES]
    sign = -1 if quantity.startswith("hold") else 1
    worst = max(found, key=lambda one: sign * one.model)
    return worst.model, worst.spice


def _least_hysteresis_v() -> float:
    return min(at_supply(REGISTER_INPUTS, supply_v).hysteresis_v for supply_v in ROW_SUPPLIES_V)


def _supplies() -> str:
    return " or ".join(f"{supply_v:.1f}" for supply_v in ROW_SUPPLIES_V)


def _probes(plans: Sequence[BoardPlan]) -> Iterator[str]:
    yield """## Where to hold the probe

Strips are counted from 1, next to the Pi. The clock is pin 2 of the register of a strip. Of boards that are alike the
last one is listed, because its pulses have passed most buffers.
"""
    yield "| board | largest step back: strip | slowest edge: strip | shortest pulse: strip |"
    yield "| :--- | ---: | ---: | ---: |"
    for plan in plans:
        point = probe_point(plan)
        yield f"| {plan.id} | {point.step_back_strip} | {point.slow_strip} | {point.last_strip} |"


def main() -> None:
    """Writes the page."""
    PAGE.write_text(clock_page([load_plan(board) for board in plan_ids()]), encoding="utf-8")


if __name__ == "__main__":
    main()
