"""Worst corners of the clock line: with the resistors all margins are positive, in the model and in ngspice."""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_left
from pathlib import Path

import pytest

from hardware.hub.netlist import HUB
from hardware.row.clock_line import (
    FALL_HIGH_V,
    FITTED,
    HYSTERESIS_V,
    STEP_NS,
    SUPPLY_V,
    WITHOUT_DELAY,
    Corner,
    Resistors,
    edge,
    hold_margin_ns,
    least_after_edge_v,
    least_held_ns,
    setup_margin_ns,
    spice_deck,
    waveforms,
    worst,
)
from hardware.row.netlist import row_circuit

PAGE = Path(__file__).parents[2] / "hardware" / "row" / "README.md"
WORST_HOLD = Corner(8.0, 90.0, 7.0, 1.0, 400.0, 6)
WORST_STEP_BACK = Corner(8.0, 140.0, 7.0, 1.0, 0.0, 6)
WORST_WITHOUT_DELAY = Corner(25.0, 90.0, 7.0, 3.0, 400.0, 6)
HARDEST = (WORST_HOLD, WORST_STEP_BACK, Corner(8.0, 140.0, 2.0, 1.0, 400.0, 1), Corner(25.0, 140.0, 7.0, 3.0, 150.0, 6))


def simulated(corner: Corner, folder: Path) -> tuple[list[list[float]], float]:
    """The curves of ngspice in steps of the model, and the delay in ns by the resistor at the serial input."""
    deck, curves = folder / "clock.cir", folder / "curves.txt"
    deck.write_text(spice_deck(corner, str(curves)), encoding="utf-8")
    done = subprocess.run(["ngspice", "-b", str(deck)], capture_output=True, text=True, timeout=120, check=True)
    held = re.search(r"^held\s*=\s*([-\d.e+]+)", done.stdout, re.M)
    assert held is not None and "failed" not in done.stdout, done.stdout
    rows = [[float(word) for word in line.split()] for line in curves.read_text(encoding="utf-8").splitlines()]
    times = [row[0] * 1e9 for row in rows]
    waves = [_in_steps(times, [row[column] for row in rows]) for column in range(1, len(rows[0]), 2)]
    return waves, float(held[1]) * 1e9


def _in_steps(times: list[float], volts: list[float]) -> list[float]:
    found = []
    for step in range(round(times[-1] / STEP_NS)):
        after = max(1, bisect_left(times, step * STEP_NS))
        share = (step * STEP_NS - times[after - 1]) / (times[after] - times[after - 1])
        found.append(volts[after - 1] + share * (volts[after] - volts[after - 1]))
    return found


@pytest.mark.kicad
@pytest.mark.parametrize("corner", HARDEST, ids=str)
def test_the_model_agrees_with_ngspice(corner: Corner, tmp_path: Path) -> None:
    waves, held_ns = simulated(corner, tmp_path)
    theirs, ours = [edge(wave) for wave in waves], [edge(wave) for wave in waveforms(corner)]
    for one, other in zip(ours, theirs, strict=True):
        assert one.low_ns == pytest.approx(other.low_ns, abs=0.8)
        assert one.high_ns == pytest.approx(other.high_ns, abs=0.8)
        assert one.peak_v == pytest.approx(other.peak_v, abs=0.15)
        assert one.back_v == pytest.approx(other.back_v, abs=0.1)
    assert held_ns == pytest.approx(least_held_ns(), abs=0.2)
    assert hold_margin_ns(ours) == pytest.approx(hold_margin_ns(theirs), abs=1.0)
    assert hold_margin_ns(theirs) >= 10
    assert max(one.back_v for one in theirs) <= HYSTERESIS_V - 0.05


@pytest.mark.slow
def test_every_corner_has_positive_margins_and_the_page_has_the_worst() -> None:
    rows = list(worst())
    hold = {corner: hold_margin_ns(edges) for corner, edges, _ in rows}
    backs = {corner: max(one.back_v for one in edges) for corner, edges, _ in rows}
    setup = min(setup_margin_ns(edges) for _, edges, _ in rows)
    peak = max(one.peak_v for _, edges, _ in rows for one in edges)
    assert min(hold.values()) >= 10 and setup >= 100
    assert max(backs.values()) <= HYSTERESIS_V - 0.05
    assert min(lowest for _, _, lowest in rows) > FALL_HIGH_V
    assert peak < SUPPLY_V + 0.1
    assert hold[WORST_HOLD] == min(hold.values())
    assert backs[WORST_STEP_BACK] == max(backs.values())
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    for sentence in (
        f"hold margin of +{min(hold.values()):.1f} ns",
        f"step back of {max(backs.values()):.2f} V",
        f"setup margin of {setup:.0f} ns",
        f"peak of {peak:.1f} V",
    ):
        assert sentence in page


def test_the_boards_have_the_resistors_of_the_model() -> None:
    row = row_circuit(6)
    assert Resistors(330.0, 150.0, 47_000.0) == FITTED
    assert {row.part(ref).value for ref in ("R1", "R2")} == {HUB.part(ref).value for ref in ("R1", "R2")} == {"330"}
    assert row.part("R9").value == "150"
    assert {row.part(f"R{strip}06").value for strip in range(1, 7)} == {"47k"}


def test_without_the_resistors_there_is_no_hold_margin() -> None:
    edges = [edge(wave) for wave in waveforms(WORST_WITHOUT_DELAY, WITHOUT_DELAY)]
    hold, back = hold_margin_ns(edges, WITHOUT_DELAY), max(one.back_v for one in edges)
    assert hold < 0
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"a hold margin of {hold:.1f} ns and a step back of {back:.2f} V" in page


def test_the_resistor_at_the_serial_input_is_needed() -> None:
    edges = [edge(wave) for wave in waveforms(WORST_HOLD)]
    assert hold_margin_ns(edges) >= 10
    assert hold_margin_ns(edges) - least_held_ns() < 0


def test_a_second_edge_after_the_first_is_seen() -> None:
    assert least_after_edge_v([0.0, 1.3, 2.8, 1.4, 3.3]) == 1.4
    assert edge([0.0, 1.3, 2.0, 1.5, 2.8]).back_v == pytest.approx(0.5)


def test_a_weak_driver_without_edge_is_reported() -> None:
    with pytest.raises(ValueError, match="expected an edge"):
        edge([0.0, 1.5, 1.6])
