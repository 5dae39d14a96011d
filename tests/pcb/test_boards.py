"""What the boards are for: the byte a strip sends, the order of its lights, links that fit, the pins of the Pi."""

from __future__ import annotations

from pathlib import Path

import pytest

from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, header_pins
from board_drivers.sensor_chain import is_sound, magnets_in
from firmware_host.board.strip import BITS_PER_STRIP, FIRST_HOLE_BIT, HOLES_PER_STRIP
from firmware_host.plans import load_plan, plan_ids
from hardware.hub.netlist import HUB, TO_HUB, TO_KEYPAD, TO_OLED
from hardware.hub.placement import HUB_SHEET
from hardware.make_pcb import the_strip
from hardware.pcb.circuit import Circuit, Part, Role
from hardware.pcb.fabrication import bill
from hardware.pcb.layout import Sheet
from hardware.pcb.schematic import schematic
from hardware.strip.netlist import HOLES, LINK_NETS, STRIP

HARDWARE = Path(__file__).parents[2] / "hardware"


def net(part: Part, name: str) -> str | None:
    """What the pin of this name is on."""
    return part.nets[part.kind.by_name[name][0].number]


def byte_sent(magnets: set[int]) -> int:
    """What the register shifts out, D7 first, with magnets over these holes and nothing on the spare input."""
    register = STRIP.part("U6")
    low = {"GND", *(f"HOLE{hole}" for hole in magnets)}
    return sum((net(register, f"D{bit}") not in low) << bit for bit in range(BITS_PER_STRIP))


def test_an_empty_strip_signs_its_byte() -> None:
    assert byte_sent(set()) == 0xBF
    assert is_sound([byte_sent(set()), 0])


@pytest.mark.parametrize("hole", HOLES)
def test_a_magnet_is_the_sensor_that_the_plans_say(hole: int) -> None:
    assert magnets_in([byte_sent({hole}), 0]) == {FIRST_HOLE_BIT + hole - 1}


def test_past_the_last_strip_there_are_only_zeros() -> None:
    (pull,) = [part for part in STRIP.parts if part.ref.startswith("R") and "SENSOR_DATA_ON" in part.nets.values()]
    assert "GND" in pull.nets.values()
    assert net(STRIP.part("U6"), "DS") == "SENSOR_DATA_ON"


@pytest.mark.parametrize(("line", "hears", "sends"), [("LIGHT_DATA", "SDI", "SDO"), ("LIGHT_CLOCK", "CKI", "CKO")])
def test_light_and_hole_have_the_same_number(line: str, hears: str, sends: str) -> None:
    here = line
    for hole in HOLES:
        light = STRIP.part(f"D{hole}")
        assert net(light, hears) == here
        here = net(light, sends) or ""
    assert here == f"{line}_ON"
    assert len(HOLES) == HOLES_PER_STRIP


@pytest.mark.parametrize("towards", [pytest.param((STRIP, "J2"), id="strip"), pytest.param((HUB, "J4"), id="hub")])
def test_every_link_meets_its_like(towards: tuple[Circuit, str]) -> None:
    """The two ends of one wire: where one gives or drives, the other takes or hears."""
    circuit, ref = towards
    out, into = circuit.part(ref), STRIP.part("J1")
    match = {
        Role.GIVES: Role.TAKES,
        Role.GROUND: Role.GROUND,
        Role.HEARS: Role.DRIVES,
        Role.DRIVES: Role.HEARS,
    }
    for pin in out.kind.pins:
        assert out.role(pin) is match[into.role(pin)], f"{ref}.{pin.number}"
        away, rails = out.nets[pin.number] or "", (circuit.rails, STRIP.rails)
        assert rails[0].get(away) == rails[1].get(into.nets[pin.number] or "")
    assert [into.nets[str(number)] for number in range(1, 10)] == list(LINK_NETS)


def test_sensor_data_runs_inwards_and_all_the_rest_outwards() -> None:
    link = STRIP.part("J1")
    assert [link.nets[pin.number] for pin in link.kind.pins if link.role(pin) is Role.HEARS] == ["SENSOR_DATA"]


@pytest.mark.parametrize(("ref", "name", "every"), [("J1", TO_HUB, 1), ("J2", TO_KEYPAD, 1), ("J3", TO_OLED, 2)])
def test_the_hub_takes_each_pin_of_the_pi_for_what_it_is(ref: str, name: str, every: int) -> None:
    header = header_pins()
    (plug,) = [plug for plug in header.plugs if plug.name == name]
    part = HUB.part(ref)
    pins = [pin for pin in header.pins if plug.first <= pin.physical <= plug.last][::every]
    assert len(part.kind.pins) == len(pins)
    for place, pin in enumerate(pins, start=1):
        expected = {"ground": "GND", "3v3": part.nets["1"], "spare": None, "spi_ce0": None}
        assert part.nets[str(place)] == expected.get(pin.use, pin.use.upper())


def test_the_lights_hear_the_pi_only_while_it_selects_them() -> None:
    gates = HUB.part("U1")
    assert {net(gates, "OE1"), net(gates, "OE2")} == {"SPI_CE1"}
    assert (net(gates, "A1"), net(gates, "A2")) == ("SCLK", "SPI_MOSI")
    assert {HUB.part("R1").nets[number] for number in "12"} == {"SPI_SCLK", "SCLK"}
    assert {HUB.part("R3").nets[number] for number in "12"} == {"3V3", "SPI_CE1"}


def test_a_pi_that_is_still_booting_keeps_the_lights_dark() -> None:
    assert net(HUB.part("Q2"), "G") == "LIGHTS_ENABLE"
    assert set(HUB.part("R8").nets.values()) == {"LIGHTS_ENABLE", "GND"}
    assert set(HUB.part("R7").nets.values()) == {"GATE", "5V_FUSED"}


def test_keys_reach_the_pi_through_diodes_and_resistors() -> None:
    keypad = list(HUB.part("J8").nets.values())
    for row, use in enumerate(KEYPAD_ROWS):
        diode = HUB.part(f"D{row + 2}")
        assert (net(diode, "K"), net(diode, "A")) == (use.upper(), keypad[row])
    for column, use in enumerate(KEYPAD_COLUMNS):
        assert set(HUB.part(f"R{column + 9}").nets.values()) == {use.upper(), keypad[4 + column]}


def test_switches_and_lights_are_where_the_plans_have_them() -> None:
    sheet, pattern = the_strip(), load_plan(plan_ids()[0]).pattern
    assert (sheet.width_mm, sheet.height_mm) == (55.58, 12.4)
    assert sheet.width_mm == pytest.approx(pattern.reach_mm - pattern.slack_mm)
    assert sheet.height_mm == pytest.approx(pattern.below_mm + pattern.above_mm)
    for hole in HOLES:
        switch, light = sheet.places[f"U{hole}"], sheet.places[f"D{hole}"]
        assert switch.x - sheet.places["U1"].x == pytest.approx((hole - 1) * pattern.pitch_mm)
        assert light.x == switch.x and switch.y - light.y == pytest.approx(pattern.light_mm)
        assert sheet.height_mm - switch.y == pytest.approx(pattern.below_mm)


def test_strips_end_to_end_stand_a_tenth_of_an_inch_apart() -> None:
    sheet, pattern = the_strip(), load_plan(plan_ids()[0]).pattern
    first, last = sheet.places["J1"].x, sheet.places["J2"].x
    assert sheet.width_mm - last + pattern.slack_mm + first == pytest.approx(2.54)


@pytest.mark.parametrize(("circuit", "sheet"), [(STRIP, the_strip()), (HUB, HUB_SHEET)], ids=["strip", "hub"])
def test_every_part_has_its_place_and_no_place_is_empty(circuit: Circuit, sheet: Sheet) -> None:
    assert set(sheet.places) == {part.ref for part in circuit.parts}
    assert all(0 < place.x < sheet.width_mm and 0 < place.y < sheet.height_mm for place in sheet.places.values())


@pytest.mark.parametrize("circuit", [STRIP, HUB], ids=["strip", "hub"])
def test_the_drawings_beside_the_tables_are_fresh(circuit: Circuit) -> None:
    home = HARDWARE / circuit.name
    assert (home / "schematic.svg").read_text(encoding="utf-8") == schematic(circuit), "make pcb"
    assert (home / "bom.csv").read_text(encoding="utf-8") == bill(circuit), "make pcb"
