"""The clock from the Pi to the last register: worst corners of all boards, in the model and in ngspice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import ceil, hypot, log
from pathlib import Path

import numpy as np
import pytest

from board_drivers.sensor_chain import RATE_HZ
from firmware_host.circuits.hub_netlist import HUB, RAILS
from firmware_host.circuits.row_netlist import row_circuit
from firmware_host.config.board_plans import load_plan, plan_ids
from hardware.clock_page import PAGE, PLACES, clock_page, lengthening_ns, probe_point, seen_by_spice, worst_at
from hardware.hub.pi_line import INPUTS, TO_BUFFER_MM, TO_GATE_MM, pi_lines
from hardware.row.chips import (
    BUFFER_INPUT,
    GATE_INPUT,
    HIGHEST_INPUT_V,
    PIS,
    REGISTER_INPUTS,
    ROW_SUPPLIES_V,
    at_supply,
)
from hardware.row.clock_chain import ClockLost, Switch, pulse_after, pulse_margin_ns
from hardware.row.clock_line import (
    CORNERS,
    FITTED,
    NEXT,
    WITHOUT_DELAY,
    Corner,
    Resistors,
    clock_line,
    edges,
    hold_margins_ns,
    input_of,
    least_held_ns,
    setup_margin_ns,
)
from hardware.row.line import STEP_NS, SUPPLY_V, Edge, Line, Piece, edge, passed_ns, waveforms

HARDWARE = Path(__file__).parents[2] / "hardware"
PLANS = [load_plan(board) for board in plan_ids()]
REGISTER_INPUT = at_supply(REGISTER_INPUTS, SUPPLY_V)
WORST_HOLD = Corner(25.0, 90.0, 7.0, 1.0, 450, 6, 3.0)
WORST_STEP_BACK = Corner(8.0, 140.0, 7.0, 1.0, 0.0, 6, 3.3)
LONGEST_STEP_BACK = Corner(8.0, 140.0, 7.0, 1.0, 450, 6, 3.0)  # with 3.3 V a step stands still at both thresholds
HOLD_WITHOUT_DELAY = Corner(25.0, 90.0, 7.0, 3.0, 150, 6, 3.3)
STEP_WITHOUT_DELAY = Corner(25.0, 140.0, 7.0, 1.0, 150, 6, 3.3)
PEAK_WITHOUT_DELAY = Corner(8.0, 140.0, 7.0, 1.0, 450, 6, 3.3)
HARDEST = (WORST_HOLD, WORST_STEP_BACK, LONGEST_STEP_BACK, Corner(8.0, 140.0, 2.0, 1.0, 450, 1, 3.0))


def agree(ours: Mapping[str, Edge], theirs: Mapping[str, Edge]) -> None:
    """Where a wave nearly stands still at a threshold, its time is uncertain; so the lowest one has more tolerance."""
    assert set(ours) == set(theirs)
    for place, one in ours.items():
        other = theirs[place]
        assert one.low_ns == pytest.approx(other.low_ns, abs=6.0 if place == NEXT else 0.5)
        assert one.high_ns == pytest.approx(other.high_ns, abs=0.5)
        assert one.peak_v == pytest.approx(other.peak_v, abs=0.08)
        assert one.back_v == pytest.approx(other.back_v, abs=0.05)
        assert one.after_v == pytest.approx(other.after_v, abs=0.08)


@pytest.mark.kicad
@pytest.mark.parametrize("corner", HARDEST, ids=str)
def test_the_model_of_a_row_board_agrees_with_ngspice(corner: Corner) -> None:
    inputs = {place: input_of(place, corner.supply_v) for place in edges(corner)}
    theirs = seen_by_spice(clock_line(corner), inputs, lossy=False, until_ns=120.0)
    agree(edges(corner), theirs)
    assert min(hold_margins_ns(theirs).values()) >= 10
    assert max(one.back_v for one in theirs.values()) <= inputs["r1"].hysteresis_v - 0.05


@pytest.mark.kicad
def test_the_model_agrees_with_lossy_lines_in_ngspice() -> None:
    inputs = {place: input_of(place, LONGEST_STEP_BACK.supply_v) for place in edges(LONGEST_STEP_BACK)}
    agree(edges(LONGEST_STEP_BACK), seen_by_spice(clock_line(LONGEST_STEP_BACK), inputs, lossy=True, until_ns=120.0))


@pytest.mark.kicad
@pytest.mark.parametrize("lossy", [False, True])
@pytest.mark.parametrize("pi", PIS)
def test_the_model_of_the_line_from_the_pi_agrees_with_ngspice(pi: str, lossy: bool) -> None:
    hardest = max(pi_lines(PIS[pi]), key=lambda line: float(waveforms(line, 60.0)["gate"].max()))
    waves = waveforms(hardest, 60.0)
    ours = {probe: edge(waves[probe], limits) for probe, limits in INPUTS.items()}
    agree(ours, seen_by_spice(hardest, INPUTS, lossy=lossy, until_ns=60.0))


@pytest.mark.kicad
def test_the_lengthening_of_a_pulse_agrees_with_ngspice() -> None:
    ours, theirs = lengthening_ns()
    assert ours == pytest.approx(theirs, abs=1.0) and ours > 20


@pytest.mark.kicad
def test_the_page_of_the_margins_is_up_to_date() -> None:
    """Fix: run `python -m hardware.clock_page`. Another version of ngspice may change the last digits."""
    made, kept = clock_page(PLANS).split(), PAGE.read_text(encoding="utf-8").split()
    assert len(made) == len(kept)
    for one, other in zip(made, kept, strict=True):
        if re.fullmatch(r"\d+\.\d+", one):
            assert float(one) == pytest.approx(float(other), abs=0.3, rel=0.02)
        else:
            assert one == other


@pytest.mark.kicad
def test_the_bench_sheet_accepts_the_slowest_edge_and_no_slower_one() -> None:
    slowest_ns = max(worst_at(plan.id, "edge, ns", place).model for plan in PLANS for place in PLACES)
    text = f"within {5 * ceil(slowest_ns / 5)} ns"
    assert text in (HARDWARE / "BENCH.md").read_text(encoding="utf-8")
    assert text in (HARDWARE / "TEST.md").read_text(encoding="utf-8")


def probe_table() -> dict[str, list[str]]:
    """The strips for the oscilloscope by board, from the committed page."""
    text = PAGE.read_text(encoding="utf-8").split("## Where to hold the probe")[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return {row[0]: row[1:] for row in rows[2:]}


@pytest.mark.slow
def test_every_corner_of_every_board_has_its_margins() -> None:
    for corner in CORNERS:
        found = edges(corner)
        assert min(hold_margins_ns(found).values()) >= 10
        assert setup_margin_ns(found, RATE_HZ) >= 500
        for place, one in found.items():
            limits = input_of(place, corner.supply_v)
            assert one.back_v <= limits.hysteresis_v - 0.05
            assert one.after_v > limits.fall_high_v and one.peak_v < corner.supply_v + 0.1
    holds = {corner: min(hold_margins_ns(edges(corner)).values()) for corner in CORNERS}
    backs = {corner: max(one.back_v for one in edges(corner).values()) for corner in CORNERS}
    assert holds[WORST_HOLD] == min(holds.values()) and backs[WORST_STEP_BACK] == max(backs.values())


@pytest.mark.slow
@pytest.mark.parametrize("pi", PIS)
def test_the_line_from_every_pi_has_its_margins(pi: str) -> None:
    for line in pi_lines(PIS[pi]):
        waves = waveforms(line, 60.0)
        buffer, gate = edge(waves["buffer"], BUFFER_INPUT), edge(waves["gate"], GATE_INPUT)
        assert max(buffer.peak_v, gate.peak_v) < HIGHEST_INPUT_V - 0.5
        assert buffer.back_v <= BUFFER_INPUT.hysteresis_v - 0.2 and buffer.after_v > BUFFER_INPUT.fall_high_v
        assert gate.back_v <= 0.05 and gate.after_v > GATE_INPUT.rise_high_v + 0.4


@pytest.mark.slow
def test_the_shortest_pulse_arrives_at_the_last_board() -> None:
    margins = {plan.id: pulse_margin_ns(plan, RATE_HZ) for plan in PLANS}
    assert min(margins.values()) >= 200
    slowest = min(PLANS, key=lambda plan: margins[plan.id])
    assert pulse_margin_ns(slowest, 2 * RATE_HZ) < 0, "the clock may be faster"


@pytest.mark.slow
def test_the_probe_points_are_those_of_the_page() -> None:
    for plan in PLANS:
        point = probe_point(plan)
        strips = [point.step_back_strip, point.slow_strip, point.last_strip]
        assert probe_table()[plan.id] == [str(strip) for strip in strips]


def test_bench_sheet_and_test_send_the_oscilloscope_to_the_worst_strips() -> None:
    for page in ("BENCH.md", "TEST.md"):
        text = (HARDWARE / page).read_text(encoding="utf-8")
        assert "(row/clock-margins.md#where-to-hold-the-probe)" in text
    bench = (HARDWARE / "BENCH.md").read_text(encoding="utf-8")
    for column in range(3):
        strips = ", ".join(row[column] for row in probe_table().values())
        assert f"strip {strips}" in bench
    assert list(probe_table()) == list(plan_ids())


def test_the_boards_have_the_resistors_of_the_model() -> None:
    row = row_circuit(6)
    assert Resistors(330.0, 150.0, 47_000.0) == FITTED
    assert {row.part(ref).value for ref in ("R1", "R2")} == {HUB.part(ref).value for ref in ("R1", "R2")} == {"330"}
    assert row.part("R9").value == "150"
    assert {row.part(f"R{strip}06").value for strip in range(1, 7)} == {"47k"}
    assert HUB.part("R21").value == "47" and set(HUB.part("R21").nets.values()) == {"SPI_SCLK", "SPI_SCLK_HUB"}


def test_the_tracks_of_the_clock_on_the_hub_are_not_longer_than_in_the_model() -> None:
    rows = [line.split("\t") for line in (HARDWARE / "hub" / "hub-routes.tsv").read_text(encoding="utf-8").splitlines()]
    length = {"SPI_SCLK": 0.0, "SPI_SCLK_HUB": 0.0}
    for row in rows:
        if row[0] == "track" and row[1] in length:
            x1, y1, x2, y2 = map(float, row[3:7])
            length[row[1]] += hypot(x2 - x1, y2 - y1)
    assert 0 < length["SPI_SCLK"] < 12
    assert 0 < length["SPI_SCLK_HUB"] < TO_BUFFER_MM[1] + TO_GATE_MM[1]


def test_without_the_resistors_there_is_no_hold_margin() -> None:
    hold = min(hold_margins_ns(edges(HOLD_WITHOUT_DELAY, WITHOUT_DELAY), WITHOUT_DELAY).values())
    back = max(one.back_v for one in edges(STEP_WITHOUT_DELAY, WITHOUT_DELAY).values())
    peak = max(one.peak_v for one in edges(PEAK_WITHOUT_DELAY, WITHOUT_DELAY).values())
    assert hold < 0 and back > REGISTER_INPUT.hysteresis_v and peak > 2 * SUPPLY_V
    page = " ".join((HARDWARE / "row" / "README.md").read_text(encoding="utf-8").split())
    for words in (f"hold margin of {hold:.1f} ns", f"step back of {back:.2f} V", f"peak of {peak:.1f} V"):
        assert words in page


def test_the_resistor_at_the_serial_input_is_needed() -> None:
    least = min(hold_margins_ns(edges(WORST_HOLD)).values())
    assert least >= 10 and least - least_held_ns() < 0


def test_the_rows_are_calculated_with_what_the_diode_of_the_hub_leaves() -> None:
    assert (RAILS["3V3_ROWS"], RAILS["3V3"]) == ROW_SUPPLIES_V
    assert {corner.supply_v for corner in CORNERS} == set(ROW_SUPPLIES_V)


def test_thresholds_between_two_columns_of_a_data_sheet() -> None:
    assert at_supply(REGISTER_INPUTS, 2.0) == REGISTER_INPUTS[0]
    assert pytest.approx(SUPPLY_V) == BUFFER_INPUT.supply_v
    assert pytest.approx(1.42) == BUFFER_INPUT.rise_low_v
    assert pytest.approx(0.44) == BUFFER_INPUT.hysteresis_v


def test_a_matched_line_delays_its_edge_and_nothing_else() -> None:
    wave = waveforms(Line(75.0, 1.0, (Piece(500.0, 75.0, probe="end"),)), 20.0)["end"]
    assert passed_ns(wave, SUPPLY_V / 2) == pytest.approx(3.5, abs=0.05)  # 6 ns a metre, and half of the edge
    assert wave.max() == pytest.approx(SUPPLY_V, rel=0.03) and wave[-1] == pytest.approx(SUPPLY_V, rel=0.01)


def test_an_open_line_doubles_what_its_driver_sends() -> None:
    wave = waveforms(Line(20.0, 1.0, (Piece(500.0, 80.0, probe="end"),)), 9.0)["end"]
    assert np.median(wave[round(5.0 / STEP_NS) : round(8.0 / STEP_NS)]) == pytest.approx(
        2 * SUPPLY_V * 80 / 100, rel=0.02
    )


def test_a_slow_edge_lengthens_a_pulse_as_calculated() -> None:
    """With a capacitor behind a resistor the crossings are logarithms."""
    tau, switch = 30.0, Switch(1.4, 0.7)
    response = SUPPLY_V * (1 - np.exp(-np.arange(0, 600, STEP_NS) / tau))
    longer = tau * (log(SUPPLY_V / switch.fall_v) - log(SUPPLY_V / (SUPPLY_V - switch.rise_v)))
    assert pulse_after(response, 500.0, 1000.0, switch) == pytest.approx(500.0 + longer, abs=0.1)
    assert pulse_after(response, 100.0, 1000.0, switch) == pytest.approx(100.0 + longer, abs=1.5)


def test_a_pulse_that_is_too_short_is_lost() -> None:
    response = SUPPLY_V * (1 - np.exp(-np.arange(0, 600, STEP_NS) / 30.0))
    with pytest.raises(ClockLost, match="beyond 0.7 and 1.4 V"):
        pulse_after(response, 5.0, 1000.0, Switch(1.4, 0.7))


def test_a_step_back_and_a_second_edge_are_seen() -> None:
    seen = edge(np.array([0.0, 1.3, 2.0, 1.5, 2.8, 1.4, 3.3]), REGISTER_INPUT)
    assert seen.back_v == pytest.approx(0.5) and seen.after_v == 1.4


def test_a_weak_driver_without_edge_is_reported() -> None:
    with pytest.raises(ValueError, match="expected an edge"):
        edge(np.array([0.0, 1.5, 1.6]), REGISTER_INPUT)
