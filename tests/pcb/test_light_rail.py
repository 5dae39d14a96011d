"""Supply and light rail in ngspice: inrush, rise, reversed supply, who feeds whom; the page has the same figures."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from itertools import product

import pytest
from msgspec.structs import replace

from board_drivers.light_chain import RAIL_RISE_S
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.hub_netlist import HUB
from firmware_host.circuits.hub_supply import PI_A
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.dimensions import load_table
from firmware_host.fabrication.power import power_of
from hardware.hub import light_rail
from hardware.hub.light_rail import (
    FAST,
    SLOW,
    TYPICAL,
    Corner,
    full_load,
    plugged_in,
    reversed_supply,
    rise,
    rise_model,
    row_farad,
    steady,
    wrong_supply,
)
from hardware.hub.spice import value
from hardware.pcb.ngspice import SpiceError, measure
from tests.pcb.light_rail_page import FIGURE, PAGE, figure, page

needs_ngspice = pytest.mark.skipif(
    not shutil.which("ngspice"), reason="NOT TESTED HERE: ngspice not found. Fix: sudo apt install ngspice"
)
PLANS = [load_plan(board) for board in plan_ids()]
LARGEST = PLANS[-1]
CORNERS = {"typical": TYPICAL, "fast": FAST, "slow": SLOW}
Results = Mapping[tuple[str, str], Mapping[str, float]]


@pytest.fixture(scope="module", params=[pytest.param(PLANS, id="all", marks=pytest.mark.slow), (PLANS[0], LARGEST)])
def rises(request: pytest.FixtureRequest) -> Results:
    return {(plan.id, name): rise(plan, corner) for plan in request.param for name, corner in CORNERS.items()}


def plans_in(rises: Results) -> list[BoardPlan]:
    return [plan for plan in PLANS if (plan.id, "typical") in rises]


@needs_ngspice
def test_the_inrush_leaves_enough_for_the_pi_on_the_smallest_supply(rises: Results) -> None:
    for plan in plans_in(rises):
        assert rises[plan.id, "fast"]["supply_a"] <= power_of(plan).supply_a * 0.9
        assert rises[plan.id, "typical"]["pi_v"] >= 4.75, "the Pi warns below 4.63 V"


@needs_ngspice
def test_the_first_frame_comes_after_the_slowest_rise(rises: Results) -> None:
    assert max(found["up_s"] for found in rises.values()) * 1.2 <= RAIL_RISE_S


@needs_ngspice
def test_the_switch_stays_within_its_rating(rises: Results) -> None:
    """FDS6575: 2.5 W at rest, and 50 A in pulses. The rise takes less than 0.1 s, in which its case takes up 0.1 J."""
    assert max(found["watt"] for found in rises.values()) <= 5
    assert max(found["joule"] for found in rises.values()) <= 0.1


@needs_ngspice
def test_our_model_agrees_with_ngspice(rises: Results) -> None:
    for plan, (name, corner) in product(plans_in(rises), CORNERS.items()):
        theirs, ours = rises[plan.id, name], rise_model(plan, corner)
        assert ours["inrush_a"] == pytest.approx(theirs["inrush_a"], rel=0.06)
        assert ours["up_s"] == pytest.approx(theirs["up_s"], rel=0.05)


@needs_ngspice
def test_without_c6_the_inrush_would_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = tuple(replace(part, value="1u") if part.ref == "C3" else part for part in HUB.parts if part.ref != "C6")
    monkeypatch.setattr(light_rail, "HUB", replace(HUB, parts=parts))
    found = rise(PLANS[0], FAST)
    assert found["supply_a"] > power_of(PLANS[0]).supply_a


@needs_ngspice
@pytest.mark.parametrize("plan", (PLANS[0], LARGEST), ids=lambda plan: str(plan.id))
def test_plugging_in_the_supply_does_not_light_anything(plan: BoardPlan) -> None:
    """C6 pulls at the gate; C3 holds it, but a transistor with the lowest threshold conducts for a moment."""
    found = plugged_in(plan, FAST)
    assert found["rail_v"] < 1.0, "a light needs 4.5 V, and shows nothing at 1 V"
    assert found["inside_v"] < 7.0, "D1 limits what the inductance of the cable makes"


@needs_ngspice
@pytest.mark.parametrize(("usb", "jumper"), [(False, False), (False, True), (True, False)])
def test_a_reversed_supply_does_no_harm(usb: bool, jumper: bool) -> None:
    """Q3 survives 20 V, and 8 V at its gate; the Pi takes no voltage below -0.3 V."""
    found = reversed_supply(LARGEST, usb=usb, jumper=jumper)
    assert max(found["jack_a"], found["clamp_a"], found["fuse_a"]) < 1e-4
    assert found["drain_v"] < 20 and found["gate_v"] < 8
    assert found["pi_v"] > (4.9 if usb else -0.3)


@needs_ngspice
def test_a_reversed_supply_against_the_rule_of_the_jumper_opens_a_fuse() -> None:
    """The page says so: F2 holds 3 A and opens from 6 A on; the pulse is within the 50 A of Q3."""
    found = reversed_supply(LARGEST, usb=True, jumper=True)
    assert 6 < found["fuse_a"] < 50 and found["clamp_a"] < 1e-3


@needs_ngspice
@pytest.mark.parametrize("jumper", [False, True])
def test_a_pi_without_power_leaves_the_lights_off(jumper: bool) -> None:
    found = steady(LARGEST, jack=True, usb=False, jumper=jumper, enabled=False)
    assert found["rail_v"] < 0.01
    assert found["pi_v"] == pytest.approx(5.1 if jumper else 0.0, abs=0.1)


@needs_ngspice
def test_an_open_jumper_keeps_both_supplies_apart() -> None:
    found = steady(LARGEST, jack=False, usb=True, jumper=False, enabled=True)
    assert found["pi_v"] > 5 and found["rail_v"] < 0.01 and found["jack_v"] < 0.01


@needs_ngspice
def test_the_supply_of_the_pi_can_feed_the_demo_board() -> None:
    found = steady(PLANS[0], jack=False, usb=True, jumper=True, enabled=True)
    assert found["rail_v"] > 4.75 and found["pi_v"] > 4.75


@needs_ngspice
@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: str(plan.id))
def test_with_all_lights_on_the_outlets_and_the_pi_have_enough(plan: BoardPlan) -> None:
    """The power table calculates without ngspice. The Pi warns below 4.63 V."""
    power = power_of(plan)
    found = full_load(plan, TYPICAL, power.lights_ma / 1000)
    assert found["rail_v"] - power.drop_v == pytest.approx(power.far_v, abs=0.02)
    assert found["pi_v"] >= 4.63


@needs_ngspice
def test_a_supply_of_12_v_is_not_survived() -> None:
    """The page warns of it; if this fails, the hub got a protection, and the page can say so."""
    found = wrong_supply(LARGEST, 12.0, 2.0)
    assert found["pi_v"] > 6 and found["watt"] > 5


def numbers(text: str) -> tuple[str, list[float]]:
    """The text without its numbers, and the numbers."""
    return re.sub(r"-?\d+(\.\d+)?", "#", text), [float(number[0]) for number in re.finditer(r"-?\d+(?:\.\d+)?", text)]


@pytest.mark.slow
@needs_ngspice
@pytest.mark.parametrize(("file", "make"), [(PAGE, page), (FIGURE, figure)], ids=["page", "figure"])
def test_page_and_figure_are_up_to_date(file: object, make: object) -> None:
    """If this fails: python -m tests.pcb.light_rail_page. Another version of ngspice may round otherwise."""
    assert hasattr(file, "read_text") and callable(make)
    (words, old), (new_words, new) = numbers(file.read_text(encoding="utf-8")), numbers(make())
    assert words == new_words
    assert new == pytest.approx(old, rel=0.02, abs=1.01)


def test_the_pi_of_the_decks_takes_what_the_power_table_has_beside_the_lights() -> None:
    assert pytest.approx(sum(load_table("power")["other_loads_ma"].values()) / 1000) == PI_A


def test_the_rows_have_a_capacitor_for_each_light() -> None:
    for plan in PLANS:
        assert row_farad(plan) == pytest.approx(plan.led_count * 100e-9)


@pytest.mark.parametrize(
    ("text", "number"), [("47k", 47e3), ("3k9", 3900), ("100n", 1e-7), ("2u2", 2.2e-6), ("1000u 10V", 1e-3), ("33", 33)]
)
def test_printed_values(text: str, number: float) -> None:
    assert value(text) == pytest.approx(number)


@needs_ngspice
def test_a_measurement_that_fails_is_an_error() -> None:
    """ngspice itself says "failed" and exits with 0."""
    deck = ("test", "V1 a 0 5", "R1 a 0 1k", ".tran 1u 10u", ".measure tran never WHEN v(a)=9")
    with pytest.raises(SpiceError, match="expected results for never, got none for never.*failed"):
        measure(deck, ("never",))


def test_the_corners_differ_from_the_typical_parts_in_every_value() -> None:
    for corner in (FAST, SLOW):
        assert isinstance(corner, Corner)
        assert all(
            getattr(corner.parts, name) != getattr(TYPICAL.parts, name) for name in TYPICAL.parts.__struct_fields__
        )
