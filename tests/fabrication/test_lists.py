"""Hole maps and parts lists."""

from __future__ import annotations

import csv
import re
from collections import Counter
from decimal import Decimal
from io import StringIO

import pytest

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.sources import record_of, records
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.bill import (
    BOARD_KITS,
    CSV_HEADER,
    DESK,
    LIGHTS,
    PART_SPARES,
    SENSING,
    Item,
    desk_list,
    kit_circuit,
    parts_csv,
    parts_list,
    total_cents,
)
from firmware_host.fabrication.board_space import clips
from firmware_host.fabrication.costs import (
    SETS,
    bare_boards_usd,
    costs_page,
    making_usd,
    second_board_usd,
    set_usd,
)
from firmware_host.fabrication.dimensions import load_case, load_table
from firmware_host.fabrication.hole_map import as_csv, hole_map
from hardware.kicad.layouts import layout_of
from hardware.pcb.fabrication import BOM_HEAD, bom_csv, placements_csv
from hardware.pcb.houses import JLCPCB_TURNS

CASE = load_case()
CLASSIC = load_plan("classic-61")
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]


@pytest.mark.parametrize("plan", PLANS)
def test_the_hole_map_agrees_with_the_plan(plan: BoardPlan) -> None:
    lines = list(csv.DictReader(StringIO(hole_map(plan))))
    assert len(lines) == plan.sensor_count
    for number, line in enumerate(lines, start=1):
        hole = plan.named(line["hole"])
        assert (line["switch"], line["light"]) == (f"U{100 + number}", f"D{number}")
        assert (int(line["strip"]), int(line["place"])) == (hole.strip + 1, hole.pos + 1)
        assert (float(line["x_mm"]), float(line["y_mm"])) == (hole.x_mm, hole.y_mm)


def test_a_hole_that_is_used_on_several_laps_lists_all_its_scores() -> None:
    lines = {line["hole"]: line for line in csv.DictReader(StringIO(hole_map(load_plan("classic-61"))))}
    assert lines["red 7"]["scores"] == "7 67 127"
    assert lines["game hole"]["scores"] == "61 121 181"
    assert lines["blue start"]["scores"] == "0"


def test_csv_fields_with_commas_and_quotes_are_quoted() -> None:
    fields = ["a, b", 'say "c"', "d"]
    assert next(csv.reader(StringIO(as_csv([fields])))) == fields


@pytest.mark.parametrize("plan", PLANS)
def test_the_parts_list_has_a_switch_and_a_light_per_hole_and_a_clip_per_screw(plan: BoardPlan) -> None:
    bought = {item.name.split(":")[0]: item.quantity for item in parts_list(plan, CASE, SENSING)}
    for part in ("DRV5023AJ", "SK9822-EC20"):
        assert plan.sensor_count < bought[part] <= plan.sensor_count * (1 + PART_SPARES) + 1
    assert bought["rod magnet N35, 2 x 5 mm"] >= 2 * plan.tracks
    assert bought.get("clip, printed, holds the edge of the circuit board", 0) == len(clips(plan, CASE))


@pytest.mark.parametrize("plan", PLANS)
def test_quantities_agree_with_the_bill_of_materials_of_the_circuit_board(plan: BoardPlan) -> None:
    """Counted independently, from the list that goes to the board house."""
    bought = Counter[str]()
    for item in parts_list(plan, CASE, SENSING):
        bought[item.name.split(": ")[-1]] += item.quantity
    for row in csv.DictReader(StringIO(bom_csv(kit_circuit(plan, SENSING), record_of))):
        count = 0 if row["Fitted"] == "left empty" else len(row["Designator"].split(","))
        assert int(row["Quantity"]) == len(row["Designator"].split(","))
        got = bought[f"{row['Manufacturer']} {row['Manufacturer Part Number']}"]
        assert count <= got <= count * (1 + PART_SPARES) + 1, row["Comment"]


def test_the_bill_of_materials_names_maker_number_and_place_of_every_part() -> None:
    rows = list(csv.DictReader(StringIO(bom_csv(kit_circuit(CLASSIC, SENSING), record_of))))
    assert tuple(rows[0]) == BOM_HEAD
    for row in rows:
        assert row["Manufacturer"] and row["Manufacturer Part Number"], row["Comment"]
        number, remark = row["LCSC Part #"], row["Remark"]
        assert remark.startswith("LCSC number: " if number else "no LCSC number: search for "), row["Comment"]
        assert number or row["Alternative"] in remark, row["Comment"]
    assert not any(ref == "J4" for row in rows for ref in row["Designator"].split(",")), "bare pads"


def test_each_number_names_one_part() -> None:
    numbers = Counter(record.lcsc for record in records().values() if record.lcsc)
    assert set(numbers.values()) == {1}


@pytest.mark.parametrize("plan", PLANS)
def test_kit_lights_has_the_board_without_switches_plate_and_pegs(plan: BoardPlan) -> None:
    whole, lights = ({item.name: item.quantity for item in parts_list(plan, CASE, kit)} for kit in (SENSING, LIGHTS))
    at_the_pi = {item.name: item.quantity for item in desk_list(plan, CASE)}
    assert lights.items() <= (whole | at_the_pi).items() and at_the_pi.items() <= lights.items()
    assert not [name for name in lights if re.search("plate|peg|magnet|case and lid|DRV5023", name)]
    assert set_usd(plan, 1, LIGHTS) < set_usd(plan, 1)


@pytest.mark.parametrize("kit", BOARD_KITS)
def test_a_set_costs_its_parts_and_the_making_of_its_board(kit: str) -> None:
    """A lot of five boards has the same price for one set as for five."""
    parts = total_cents(parts_list(CLASSIC, CASE, kit)) / 100
    one, five = (set_usd(CLASSIC, sets, kit) for sets in (1, 5))
    making = load_table("parts")["making"]
    assert one > parts + making["setup_usd"]
    fixed = making["setup_usd"] + 3 * making["per_kind_usd"] + bare_boards_usd(100.0, 5)
    assert making_usd(3, 100, 100.0, 1) == pytest.approx(fixed + 100 * making["per_joint_usd"])
    assert making_usd(3, 100, 100.0, 5) == pytest.approx(fixed / 5 + 100 * making["per_joint_usd"])
    more = bare_boards_usd(700.0, 5) - bare_boards_usd(600.0, 5) + making["large_usd"]
    assert making_usd(3, 100, 700.0, 1) - making_usd(3, 100, 600.0, 1) == pytest.approx(more)
    assert five < one


@pytest.mark.parametrize("plan", PLANS)
def test_a_set_is_cheaper_in_larger_orders(plan: BoardPlan) -> None:
    one, five, ten = (set_usd(plan, sets) for sets in SETS)
    assert one > five > ten > 0


@pytest.mark.parametrize("kit", BOARD_KITS)
def test_a_second_board_adds_its_parts_and_joints_alone(kit: str) -> None:
    lights_usd = records()["SK9822-EC20"].usd * len(CLASSIC.holes)
    switches_usd = records()["DRV5023AJ"].piece_usd(250) * len(CLASSIC.holes) if kit == SENSING else 0.0
    second = second_board_usd(CLASSIC, kit)
    assert 5 < second - lights_usd - switches_usd < 10
    assert second < total_cents(parts_list(CLASSIC, CASE, kit)) / 100
    row = f"| {kit} | classic-61 | {set_usd(CLASSIC, 1, kit):.0f} | {set_usd(CLASSIC, 1, kit) + second:.0f} |"
    assert row in costs_page([CLASSIC])


@pytest.mark.parametrize("kit", BOARD_KITS)
@pytest.mark.parametrize("plan", PLANS)
def test_the_total_is_the_sum_of_the_lines_to_the_cent(plan: BoardPlan, kit: str) -> None:
    lines = list(csv.reader(StringIO(parts_csv(parts_list(plan, CASE, kit)))))
    assert tuple(lines[0]) == CSV_HEADER and str(load_table("parts")["priced_on"]) in lines[-1][0]
    for _, quantity, each, usd, _ in lines[1:-1]:
        assert abs(int(quantity) * Decimal(each) - Decimal(usd)) <= Decimal("0.005")
    assert sum(Decimal(usd) for *_, usd, _ in lines[1:-1]) == Decimal(lines[-1][3])


def test_half_a_cent_is_rounded_up() -> None:
    assert [Item("", quantity, 0.005, "").cents for quantity in (1, 2, 3)] == [1, 1, 2]


def test_every_part_has_a_known_kit_and_a_price() -> None:
    for part in load_table("parts")["part"]:
        assert part["kits"] and set(part["kits"]) <= {*BOARD_KITS, DESK}, part["name"]
        assert part["usd"] > 0


def test_a_desk_costs_less_than_fifty_dollars_and_a_third_of_a_board() -> None:
    desk = total_cents(desk_list(CLASSIC, CASE))
    assert 40_00 < desk < 50_00 and desk < total_cents(parts_list(CLASSIC, CASE, SENSING)) / 3


def test_jlcpcb_gets_placements_in_the_rotations_of_its_library() -> None:
    """A SOT-23 is turned by half a turn, an SOIC by three quarters; resistors are the same everywhere."""
    layout, circuit = layout_of(CLASSIC), kit_circuit(CLASSIC, SENSING)
    plain, theirs = (
        {
            row["Designator"]: int(row["Rotation"])
            for row in csv.DictReader(StringIO(placements_csv(circuit, layout, turns)))
        }
        for turns in ({}, JLCPCB_TURNS)
    )
    turned = {ref: (theirs[ref] - plain[ref]) % 360 for ref in plain}
    assert (turned["U101"], turned["Q1"], turned["U10"], turned["R1"], turned["D101"]) == (180, 180, 270, 0, 0)
