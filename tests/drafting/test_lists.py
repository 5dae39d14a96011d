"""Maps, bills and tables: counted from the plan, and the sums are right."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest

from board_drivers.pins import header_pins
from firmware_host.board.plan import BoardPlan
from firmware_host.drafting import demo
from firmware_host.drafting.bill import DEMO, HEAD, NETLISTS, WAYS, as_table, bill, names_of, total_usd
from firmware_host.drafting.hole_map import as_csv, hole_map
from firmware_host.drafting.links import STRIPS_A_SEGMENT, buffered
from firmware_host.drafting.power import power_of
from firmware_host.drafting.truths import the_case, told
from firmware_host.plans import demo_plan, load_plan, plan_ids
from hardware.hub.netlist import HUB
from hardware.pcb.catalogue import LINK, TEST_PAD, WIRE_PAD
from hardware.pcb.circuit import Circuit, Part
from hardware.pcb.fabrication import bill as order_list
from hardware.strip.netlist import STRIP

CASE = the_case()
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]


@pytest.mark.parametrize("plan", PLANS)
def test_the_hole_map_names_every_hole_sensor_and_light_as_the_plan_does(plan: BoardPlan) -> None:
    lines = list(csv.DictReader(StringIO(hole_map(plan))))
    assert len(lines) == plan.sensor_count
    for line in lines:
        hole = plan.named(line["hole"])
        assert (int(line["sensor_bit"]), int(line["light"])) == (hole.sensor, hole.led)
        assert (int(line["strip"]), int(line["place"])) == (hole.strip + 1, hole.pos + 1)
        assert (float(line["x_mm"]), float(line["y_mm"])) == (hole.x_mm, hole.y_mm)


def test_a_lapped_hole_lists_every_score_it_may_mean() -> None:
    lines = {line["hole"]: line for line in csv.DictReader(StringIO(hole_map(load_plan("classic-61"))))}
    assert lines["red 7"]["scores"] == "7 67 127"
    assert lines["game hole"]["scores"] == "61 121 181"
    assert lines["blue start"]["scores"] == "0"


def test_fields_with_commas_and_quotes_survive_csv() -> None:
    fields = ["a, b", 'say "c"', "d"]
    assert next(csv.reader(StringIO(as_csv([fields])))) == fields


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("plan", PLANS)
def test_a_bill_has_a_switch_a_hole_a_register_a_strip_and_five_lights(plan: BoardPlan, way: str) -> None:
    bought = {item.name.split(",")[0]: item.quantity for item in bill(plan, CASE, way)}
    for part, needed in (
        ("hall switch DRV5032AJ", plan.led_count if way == "smt" else plan.sensor_count),
        ("shift register 74HC165", plan.strip_count),
        (next(name for name in bought if name.startswith("light ")), plan.led_count),
    ):
        assert needed < bought[part] <= needed * 1.05 + 1
    assert bought["rod magnet N35"] >= 2 * plan.tracks
    assert bought.get("buffer 74LVC2G17 with 100 nF", 0) == len(buffered(plan))


COPPER = {LINK.name, WIRE_PAD.name, TEST_PAD.name}
"""Holes of the circuit board itself, with nothing to buy for them."""


def lines_for(part: Part, per: str, way: str) -> list[Mapping[str, Any]]:
    lines = [line for line in told("parts")["part"] if line["per"] == per and way in line["ways"]]
    return [line for line in lines if line.get("placed") in names_of(part)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("per", "circuit"), [("strip", STRIP), ("hub", HUB)], ids=["strip", "hub"])
def test_every_part_of_the_netlist_is_on_one_line_of_the_bill_and_none_is_on_it_that_is_not(
    per: str, circuit: Circuit, way: str
) -> None:
    """Part by part; by hand a switch is fitted only where a hole is drilled, so that line is counted from the plan."""
    found = Counter[str]()
    for part in circuit.parts:
        lines = lines_for(part, per, way)
        counted_otherwise = part.kind.name in COPPER or (way == "stripboard" and part.kind.name == "DRV5032AJ")
        assert len(lines) == (0 if counted_otherwise else 1), part.ref
        found.update(line["placed"] for line in lines)
    placed = {
        line["placed"]
        for line in told("parts")["part"]
        if line["per"] == per and way in line["ways"] and "placed" in line
    }
    assert set(found) == placed


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("plan", PLANS)
def test_the_bill_buys_what_the_netlists_hold_for_every_strip_and_the_hub(plan: BoardPlan, way: str) -> None:
    """Counted here by another way: from the lists that go to the board house."""
    bought = {item.name: item.quantity for item in bill(plan, CASE, way)}
    for per, circuit, boards in (("strip", STRIP, plan.strip_count), ("hub", HUB, 1)):
        ordered = [ref for row in csv.DictReader(StringIO(order_list(circuit))) for ref in row["designators"].split()]
        lines = [line for ref in ordered for line in lines_for(circuit.part(ref), per, way)]
        for line in lines:
            wanted = lines.count(line) * boards
            name = line["name"].format(fuse_a=power_of(plan).fuse_a)
            assert wanted <= bought[name] < wanted * (1 + line.get("spare", 0)) + 1, name


def test_a_part_that_no_netlist_holds_would_not_be_bought() -> None:
    for line in told("parts")["part"]:
        if "placed" in line:
            assert any(line["placed"] in names_of(part) for part in NETLISTS[line["per"]].parts), line["name"]


@pytest.mark.parametrize("plan", PLANS)
def test_no_driver_serves_more_strips_than_it_can_and_buffers_stand_at_the_head_of_a_row(plan: BoardPlan) -> None:
    heads = (0, *buffered(plan), plan.strip_count)
    assert all(0 < after - before <= STRIPS_A_SEGMENT for before, after in pairwise(heads))
    for strip in buffered(plan):
        assert plan.strips[strip].row != plan.strips[strip - 1].row


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("plan", PLANS)
def test_the_total_is_the_sum_of_the_lines_to_the_cent(plan: BoardPlan, way: str) -> None:
    lines = list(csv.reader(StringIO(as_table(bill(plan, CASE, way)))))
    assert tuple(lines[0]) == HEAD and str(told("parts")["priced"]) in lines[-1][0]
    exact = sum(int(quantity) * float(usd) for _, quantity, usd, _, _ in lines[1:-1])
    assert abs(exact - float(lines[-1][3])) < 0.01


def test_every_part_belongs_to_a_way_that_there_is_and_is_priced() -> None:
    for part in told("parts")["part"]:
        assert part["ways"] and set(part["ways"]) <= {*WAYS, DEMO}, part["name"]
        assert part["usd"] > 0


def test_the_one_strip_costs_about_six_dollars() -> None:
    assert 4 < total_usd(bill(demo_plan(), CASE, DEMO)) < 7


def test_the_breadboard_list_wires_every_leg_of_both_chips_once() -> None:
    wired = Counter(
        leg.strip().rstrip(",")
        for pair in demo.wires(header_pins())
        for end in pair
        for chip in ("74HC165 ", "74AHCT125 ")
        if chip in end
        for leg in f"{chip}{end.split(chip)[1].replace(', ', f', {chip}')}".split(", ")
    )
    every = {f"74HC165 {name} ({leg})" for name, leg in demo.REGISTER.items()}
    every |= {f"74AHCT125 {name} ({leg})" for name, leg in demo.BUFFER.items()}
    assert wired == dict.fromkeys(every, 1)


def test_the_breadboard_list_asks_for_as_many_resistors_as_the_bill_has() -> None:
    bought = {item.name: item.quantity for item in bill(demo_plan(), CASE, DEMO)}
    ends = " ".join(end for pair in demo.wires(header_pins()) for end in pair)
    assert bought["resistor 10 k"] == ends.count("10 k")
    assert bought["resistor 47 ohm"] == ends.count("47 ohm")
    assert bought["capacitor 100 nF"] == sum(chip in ends for chip in ("74HC165", "74AHCT125"))
    strip = Counter(part.kind.name for part in STRIP.parts)
    fitted = {name.split(",")[0]: quantity for name, quantity in bought.items()}
    assert fitted["hall switch DRV5032AJ"] == strip["DRV5032AJ"] == ends.count("output of switch")
    assert (fitted["shift register 74HC165"], fitted["light SK9822"]) == (strip["74HC165"], strip["APA102-2020"])


def test_the_register_of_the_breadboard_sends_the_byte_that_the_driver_reads() -> None:
    """D7 leads and is high, D6 is low, D5 is the spare; then the holes, the first one first."""
    ends = {
        to.split()[1]: start for start, to in demo.wires(header_pins()) if to.startswith("74HC165") and "," not in to
    }
    assert [ends[f"D{4 - hole}"].split()[3][:2] for hole in range(5)] == ["h1", "h2", "h3", "h4", "h5"]
    both = [(start, to) for start, to in demo.wires(header_pins()) if "D7" in to or "D6" in to]
    assert both[0][0].startswith("3.3 V") and both[1][0].startswith("ground")
