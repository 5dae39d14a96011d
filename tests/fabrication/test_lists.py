"""Hole maps, parts lists and wire lists."""

from __future__ import annotations

import csv
import re
from collections import Counter
from decimal import Decimal
from io import StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.cables import BENDS_MM, cable_counts, connector, gaps_mm
from firmware_host.circuits.row_boards import row_boards
from firmware_host.circuits.row_netlist import row_circuit
from firmware_host.circuits.row_placement import row_layout
from firmware_host.circuits.sources import PLACES, SOURCES
from firmware_host.config.board_plans import demo_plan, load_plan, plan_ids
from firmware_host.fabrication.bill import (
    BUILD_METHODS,
    CSV_HEADER,
    DEMO,
    DESK,
    LIGHTS,
    PART_SPARES,
    WHOLE,
    Item,
    circuit_counts,
    desk_list,
    parts_csv,
    parts_list,
    total_cents,
    unit_counts,
)
from firmware_host.fabrication.costs import SETS, making_cents, set_joints, set_usd
from firmware_host.fabrication.dimensions import load_case, load_table
from firmware_host.fabrication.hole_map import as_csv, hole_map
from hardware.kicad.sources import records
from hardware.pcb.fabrication import BOM_HEAD, bom_csv, order_lists

CASE = load_case()
HARDWARE = Path(__file__).parents[2] / "hardware"
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]


@pytest.mark.parametrize("plan", PLANS)
def test_the_hole_map_agrees_with_the_plan(plan: BoardPlan) -> None:
    lines = list(csv.DictReader(StringIO(hole_map(plan))))
    assert len(lines) == plan.sensor_count
    for line in lines:
        hole = plan.named(line["hole"])
        assert (int(line["sensor_bit"]), int(line["light"])) == (hole.sensor, hole.led)
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
def test_the_parts_list_has_a_switch_and_a_light_per_place_and_a_register_per_strip(plan: BoardPlan) -> None:
    bought = {item.name.split(":")[0]: item.quantity for item in parts_list(plan, CASE, "smt")}
    for part, needed in (
        ("DRV5032AJ", plan.led_count),
        ("SN74HCS165", plan.strip_count),
        ("APA102-2020", plan.led_count),
    ):
        assert needed < bought[part] <= needed * (1 + PART_SPARES) + 1
    assert bought["rod magnet N35, 2 x 5 mm"] >= 2 * plan.tracks


@pytest.mark.parametrize("plan", PLANS)
def test_quantities_agree_with_the_bill_of_materials_of_the_circuit_boards(plan: BoardPlan) -> None:
    """Counted independently, from the lists that go to the board house."""
    bought = {item.name.split(": ")[-1]: item.quantity for item in parts_list(plan, CASE, "smt")}
    wanted = Counter[str]()
    for circuit, boards in circuit_counts(unit_counts(plan, CASE)):
        for row in csv.DictReader(StringIO(bom_csv(circuit))):
            name = f"{row['Manufacturer']} {row['Manufacturer Part Number']}"
            assert int(row["Quantity"]) == len(row["Designator"].split(","))
            wanted[name] += boards * int(row["Quantity"])
    for name, quantity in wanted.items():
        if name in bought and quantity:  # the same transistor is on two lines
            assert 0 < bought[name] <= quantity * (1 + PART_SPARES) + 1, name
    assert set(wanted) - set(bought) <= {name for name, quantity in wanted.items() if not quantity}


def test_the_bill_of_materials_names_maker_number_and_alternative_of_every_part() -> None:
    for circuit, _ in circuit_counts(unit_counts(load_plan("classic-61"), CASE)):
        rows = list(csv.DictReader(StringIO(bom_csv(circuit))))
        assert tuple(rows[0]) == BOM_HEAD
        for row in rows:
            assert row["Manufacturer"] and row["Manufacturer Part Number"] and row["Alternative"], row["Comment"]
            number, remark = row["LCSC Part #"], row["Remark"]
            assert remark.startswith("LCSC number: " if number else "no LCSC number: search for "), row["Comment"]
            assert (number or row["Manufacturer Part Number"]) in remark
        assert not any(ref.startswith("TP") for row in rows for ref in row["Designator"].split(","))


def test_each_number_names_one_part_and_a_public_place() -> None:
    numbers = Counter(source.lcsc for source in SOURCES.values() if source.lcsc)
    assert numbers.keys() == PLACES.keys() and set(numbers.values()) == {1}
    for source in SOURCES.values():
        place = PLACES.get(source.lcsc, "")
        assert source.lcsc in place
        assert not place or source.mpn in place


def test_a_number_is_not_that_of_another_part_of_revision_c() -> None:
    """A board house places what the number says, whatever the name: the light of revision C has other pads."""
    others = {record.lcsc: record.mpn for record in records().values() if record.lcsc}
    for source in SOURCES.values():
        assert others.get(source.lcsc, source.mpn) == source.mpn


@pytest.mark.parametrize("name", ["row-1", "row-6", "hub"])
def test_the_order_file_has_the_parts_list_beside_it(name: str) -> None:
    home = HARDWARE / name.split("-")[0]
    circuit = next(
        circuit for circuit, _ in circuit_counts(unit_counts(load_plan("classic-61"), CASE)) if circuit.name == name
    )
    with ZipFile(home / f"{name}-order.zip") as order:
        packed = order.read(f"{name}-bom.csv").decode("utf-8")
    assert packed == (home / f"{name}-bom.csv").read_text(encoding="utf-8") == bom_csv(circuit)


@pytest.mark.parametrize("plan", PLANS)
def test_kit_lights_has_the_rows_of_a_whole_board_without_plate_and_pegs(plan: BoardPlan) -> None:
    whole, lights = (
        {item.name: item.quantity for item in parts_list(plan, CASE, method)} for method in (WHOLE, LIGHTS)
    )
    assert lights.items() < whole.items()
    assert not [name for name in lights if re.search("plate|peg|magnet|case and lid", name)]
    assert set_usd(plan, 1, LIGHTS) < set_usd(plan, 1)


def test_the_demo_set_costs_its_circuit_boards_as_well() -> None:
    parts = total_cents(parts_list(demo_plan(), CASE, DEMO)) / 100
    assert set_usd(demo_plan(), 1, DEMO) == pytest.approx(parts + making_cents(demo_plan(), 1) / 100)
    assert making_cents(demo_plan(), 1) > 2 * 100 * load_table("parts")["making"]["setup_usd"]


@pytest.mark.parametrize("plan", PLANS)
def test_a_set_is_cheaper_in_larger_orders_and_takes_an_evening_of_soldering(plan: BoardPlan) -> None:
    one, five, ten = (set_usd(plan, sets) for sets in SETS)
    assert one > five > ten > 0
    assert set_joints(plan) / load_table("parts")["making"]["hand_joints_per_hour"] < 5


@pytest.mark.parametrize(
    ("plan", "method"), [*((load_plan(board), "smt") for board in plan_ids()), (demo_plan(), DEMO)]
)
def test_the_total_is_the_sum_of_the_lines_to_the_cent(plan: BoardPlan, method: str) -> None:
    lines = list(csv.reader(StringIO(parts_csv(parts_list(plan, CASE, method)))))
    assert tuple(lines[0]) == CSV_HEADER and str(load_table("parts")["priced_on"]) in lines[-1][0]
    for _, quantity, each, usd, _ in lines[1:-1]:
        assert abs(int(quantity) * Decimal(each) - Decimal(usd)) <= Decimal("0.005")
    assert sum(Decimal(usd) for *_, usd, _ in lines[1:-1]) == Decimal(lines[-1][3])


def test_half_a_cent_is_rounded_up() -> None:
    assert [Item("", quantity, 0.005, "").cents for quantity in (1, 2, 3)] == [1, 1, 2]


def test_every_part_has_a_known_method_and_a_price() -> None:
    for part in load_table("parts")["part"]:
        assert part["methods"] and set(part["methods"]) <= {*BUILD_METHODS, DEMO, DESK}, part["name"]
        assert part["usd"] > 0


def test_the_parts_of_the_first_evening_cost_less_than_fifty_dollars_without_circuit_boards() -> None:
    assert 10_00 < total_cents(parts_list(demo_plan(), CASE, DEMO)) < 50_00


def test_a_desk_costs_less_than_fifty_dollars_and_a_tenth_of_a_board() -> None:
    desk = total_cents(desk_list(demo_plan(), CASE))
    assert 40_00 < desk < 50_00 and desk < total_cents(parts_list(load_plan("classic-61"), CASE, "smt")) / 2


@pytest.mark.parametrize("plan", PLANS)
def test_every_cable_is_bought(plan: BoardPlan) -> None:
    bought = [item for item in parts_list(plan, CASE, "smt") if item.name.startswith("cable, Molex")]
    assert sum(item.quantity for item in bought) == len(row_boards(plan))


@pytest.mark.parametrize("plan", PLANS)
def test_every_cable_between_two_boards_is_long_enough(plan: BoardPlan) -> None:
    """A cable for each gap, the longest ones for the longest gaps, and one more to the hub."""
    counts = cable_counts(plan)
    lengths = sorted(length for length, count in counts.items() for _ in range(count))
    assert len(lengths) == len(row_boards(plan))
    lengths.remove(max(lengths))
    for gap, length in zip(sorted(gaps_mm(plan)), lengths, strict=True):
        assert gap + BENDS_MM <= length


def test_out_of_a_board_is_at_the_end_where_the_next_board_begins() -> None:
    plan = load_plan("classic-61")
    boards = row_boards(plan)
    (out_x, _), (in_x, _) = connector(plan, boards[1], "J2"), connector(plan, boards[2], "J1")
    assert out_x > 300 and in_x > 300, "red-out ends on the right, and red-home begins there"


def test_jlcpcb_gets_placements_in_the_rotations_of_its_library() -> None:
    """A SOT-23 is turned by half a turn, a TSSOP by a quarter; resistors are the same everywhere."""
    lists = order_lists(row_circuit(1), row_layout(load_plan("classic-61").pattern, 1))
    plain, theirs = (
        {row["Designator"]: int(row["Rotation"]) for row in csv.DictReader(StringIO(lists[f"row-1-cpl{end}.csv"]))}
        for end in ("", "-jlcpcb")
    )
    turned = {ref: (theirs[ref] - plain[ref]) % 360 for ref in plain}
    assert (turned["U101"], turned["U106"], turned["R1"], turned["D101"]) == (180, 270, 0, 0)
