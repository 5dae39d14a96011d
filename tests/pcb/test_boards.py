"""The netlists of row boards and hub agree with the drivers, the plans and the pins of the Pi."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import pytest

from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, header_pins
from board_drivers.sensor_chain import is_valid_reading, magnets_in
from firmware_host.board.strip import BITS_PER_STRIP, FIRST_HOLE_BIT, HOLES_PER_STRIP
from firmware_host.circuits.catalogue import CABLE_2, CABLE_8, POWER_2
from firmware_host.circuits.circuit import Circuit, Part, Role
from firmware_host.circuits.hub_netlist import HUB, LIGHT_OUTLETS
from firmware_host.circuits.hub_placement import BEYOND_PI_MM, HUB_LAYOUT
from firmware_host.circuits.layout import BoardLayout, Side
from firmware_host.circuits.row_boards import SIZES
from firmware_host.circuits.row_netlist import CABLE_NETS, HOLES, row_circuit
from firmware_host.circuits.row_placement import row_layout
from firmware_host.circuits.sources import source_of
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.power import power_of
from hardware.pcb.designators import label_box
from hardware.pcb.houses import HOUSES

PATTERN = load_plan(plan_ids()[0]).pattern
ROW = row_circuit(6)
LAYOUT = row_layout(PATTERN, 6)
CIRCUITS = [*(pytest.param(row_circuit(size), row_layout(PATTERN, size), id=f"row-{size}") for size in SIZES)]
CIRCUITS += [pytest.param(HUB, HUB_LAYOUT, id="hub")]
STRIPS = range(1, 7)


def net(part: Part, name: str) -> str | None:
    """The net of the first pin with this name."""
    return part.nets[part.kind.by_name[name][0].number]


def byte_sent(strip: int, magnets: set[int]) -> int:
    """The byte that the register of a strip sends, D7 first, with magnets over these holes."""
    register = ROW.part(f"U{strip}06")
    low = {"GND", *(f"Strip {strip}/HOLE{hole}" for hole in magnets)}
    return sum((net(register, f"D{bit}") not in low) << bit for bit in range(BITS_PER_STRIP))


@pytest.mark.parametrize("strip", STRIPS)
def test_an_empty_strip_sends_a_valid_byte(strip: int) -> None:
    assert byte_sent(strip, set()) == 0xBF
    assert is_valid_reading([byte_sent(strip, set()), 0])


@pytest.mark.parametrize("hole", HOLES)
def test_a_magnet_sets_the_bit_of_its_hole(hole: int) -> None:
    for strip in STRIPS:
        assert magnets_in([byte_sent(strip, {hole}), 0]) == {FIRST_HOLE_BIT + hole - 1}


def test_the_registers_form_one_chain_that_ends_in_zero() -> None:
    for strip in STRIPS:
        assert net(ROW.part(f"U{strip}06"), "Q7") == f"SENSOR_DATA_{strip - 1}"
        series = ROW.part(f"R{strip}06")
        assert set(series.nets.values()) == {f"SENSOR_DATA_{strip}", net(ROW.part(f"U{strip}06"), "DS")}
    assert set(ROW.part("R8").nets.values()) == {"GND", "SENSOR_DATA_6"}
    assert ROW.part("J2").nets["7"] == "SENSOR_DATA_6"


@pytest.mark.parametrize(("line", "data_in", "data_out"), [("DATA", "SDI", "SDO"), ("CLOCK", "CKI", "CKO")])
def test_light_order_is_hole_order(line: str, data_in: str, data_out: str) -> None:
    here: str | None = f"LIGHT_{line}_0"
    for strip in STRIPS:
        for hole in HOLES:
            light = ROW.part(f"D{strip}{hole:02}")
            assert net(light, data_in) == here
            here = net(light, data_out)
    assert here == f"LIGHT_{line}_6"
    assert len(HOLES) == HOLES_PER_STRIP


def test_each_board_drives_clock_and_latch_of_its_own_registers_through_schmitt_buffers() -> None:
    buffer = ROW.part("U1")
    for signal, resistor, pin in (("SCLK", "R1", "5"), ("LATCH", "R2", "6")):
        gate = "1" if signal == "SCLK" else "2"
        assert net(buffer, f"{gate}A") == ROW.part("J1").nets[pin] == f"{signal}_IN"
        assert set(ROW.part(resistor).nets.values()) == {net(buffer, f"{gate}Y"), signal}
    assert ROW.part("J2").nets["6"] == "LATCH"
    assert set(ROW.part("R9").nets.values()) == {"SCLK", ROW.part("J2").nets["5"]}
    assert {net(ROW.part(f"U{strip}06"), "CP") for strip in STRIPS} == {"SCLK"}
    assert {ROW.part(f"U{strip}06").kind.name for strip in STRIPS} == {"SN74HCS165"}


@pytest.mark.parametrize("towards", [pytest.param((ROW, "J2"), id="row"), pytest.param((HUB, "J4"), id="hub")])
def test_roles_match_at_both_ends_of_every_cable_wire(towards: tuple[Circuit, str]) -> None:
    """An output of one end is an input of the other, for power and for signals."""
    circuit, ref = towards
    out, into = circuit.part(ref), ROW.part("J1")
    match = {
        Role.POWER_OUT: Role.POWER_IN,
        Role.GROUND: Role.GROUND,
        Role.INPUT: Role.OUTPUT,
        Role.OUTPUT: Role.INPUT,
    }
    for pin in out.kind.pins:
        assert out.role(pin) is match[into.role(pin)], f"{ref}.{pin.number}"
        away, rails = out.nets[pin.number] or "", (circuit.rails, ROW.rails)
        sent, taken = rails[0].get(away), rails[1].get(into.nets[pin.number] or "")
        assert sent == taken or (away == "3V3_ROWS" and sent is not None), f"{ref}.{pin.number}"


def test_no_plug_brings_5_v_to_a_signal() -> None:
    """5 V has connectors of its own, and each family of connectors has only one use."""
    families = {CABLE_8.name: set[str](), POWER_2.name: set[str](), CABLE_2.name: set[str]()}
    for circuit in (ROW, HUB):
        for part in circuit.parts:
            if part.kind.name in families:
                families[part.kind.name] |= {str(name) for name in part.nets.values()}
    assert not any(name.startswith("5V") for name in families[CABLE_8.name] | families[CABLE_2.name])
    assert families[POWER_2.name] == {"5V", "5V_LIGHTS", "GND"}


def test_a_reversed_cable_brings_3_3_v_only_to_an_output_behind_a_resistor() -> None:
    mirrored = dict(zip(CABLE_NETS, reversed(CABLE_NETS), strict=True))
    assert CABLE_NETS[0] == CABLE_NETS[-1] == "GND"
    assert mirrored["3V3"] == "SENSOR_DATA"
    series = ROW.part("R3")
    assert set(series.nets.values()) == {"SENSOR_OUT", "SENSOR_DATA_0"} and ROW.part("J1").nets["7"] == "SENSOR_OUT"
    assert 3.3 / float(series.value) < 0.025, "ampere into an output of the register, which survives 35 mA"


def test_the_hub_connects_each_pin_of_the_pi_by_its_use() -> None:
    part = HUB.part("J1")
    rails = {"ground": "GND", "3v3": "3V3", "5v": "5V_PI"}
    for pin in header_pins().pins:
        open_pins = ("spare", "spi_ce0", "card_reader_tx", "card_reader_rx", "i2s_data_in")
        expected = None if pin.use in open_pins else rails.get(pin.use, pin.use.upper())
        assert part.nets[str(pin.physical)] == expected


def test_the_socket_is_over_the_header_of_the_pi() -> None:
    """Pin 1 is 8.37 and 4.77 mm from the corner of a Pi; the screws are those of the Pi."""
    place = HUB_LAYOUT.places["J1"]
    assert (place.x, place.y - BEYOND_PI_MM, place.side) == pytest.approx((8.37, 4.77, Side.BOTTOM))
    corners = {(round(screw.x, 2), round(screw.y - BEYOND_PI_MM, 2)) for screw in HUB_LAYOUT.screws}
    assert corners == {(3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5)}


def test_the_lights_receive_data_only_while_selected() -> None:
    gates = HUB.part("U1")
    assert {net(gates, "OE1"), net(gates, "OE2")} == {"SPI_CE1"}
    assert (net(gates, "A1"), net(gates, "A2")) == ("SPI_SCLK_HUB", "SPI_MOSI")
    assert set(HUB.part("R3").nets.values()) == {"3V3", "SPI_CE1"}


def test_the_light_rail_is_off_while_the_pi_boots() -> None:
    assert net(HUB.part("Q2"), "G") == "LIGHTS_ENABLE"
    assert set(HUB.part("R8").nets.values()) == {"LIGHTS_ENABLE", "GND"}
    assert set(HUB.part("R7").nets.values()) == {"GATE", "5V_LIGHTS_FUSED"}
    assert {HUB.part(ref).nets["1"] for ref in LIGHT_OUTLETS} == {"5V_LIGHTS"}


def test_fuse_and_reverse_protection_come_before_the_clamp() -> None:
    assert set(HUB.part("F1").nets.values()) == {"5V_JACK", "5V_FUSED"}
    guard = HUB.part("Q3")
    assert (net(guard, "D"), net(guard, "S")) == ("5V_FUSED", "5V_IN")
    assert set(HUB.part("R19").nets.values()) == {net(guard, "G"), "GND"}
    assert net(HUB.part("D1"), "K") == "5V_IN"


def test_keypad_rows_have_diodes_and_columns_have_resistors() -> None:
    keypad = list(HUB.part("J13").nets.values())
    for row, use in enumerate(KEYPAD_ROWS):
        diode = HUB.part(f"D{row + 2}")
        assert (net(diode, "K"), net(diode, "A")) == (use.upper(), keypad[row])
    for column, use in enumerate(KEYPAD_COLUMNS):
        assert set(HUB.part(f"R{column + 9}").nets.values()) == {use.upper(), keypad[4 + column]}


def test_the_rows_keep_their_levels_behind_the_diode() -> None:
    """A Schottky diode takes 0.3 V at most: the registers accept 2 to 6 V, and the Pi takes 2 V as high."""
    assert (net(HUB.part("D6"), "A"), net(HUB.part("D6"), "K")) == ("3V3", "3V3_ROWS")
    assert HUB.part("J4").nets["2"] == "3V3_ROWS"
    for kind in (ROW.part("U1").kind, ROW.part("U106").kind, ROW.part("U101").kind):
        assert kind.volts[0] <= HUB.rails["3V3_ROWS"] <= kind.volts[1]
    assert HUB.part("U3").kind is ROW.part("U1").kind, "its inputs accept the 3.3 V of the hub at a supply of 3 V"


def test_a_button_or_a_piezo_cannot_overload_a_pin() -> None:
    """A pin of the Pi drives 16 mA. A person may touch the button."""
    assert set(HUB.part("R20").nets.values()) == {"POWER_BUTTON", "BUTTON"} and HUB.part("R20").value == "1k"
    assert 3.3 / float(HUB.part("R18").value) <= 0.016


def test_the_eeprom_is_protected_until_a_jumper_is_closed() -> None:
    """Its pin WP has a pull-down inside, so the HAT design guide asks for 1 kohm."""
    pull_up, jumper = HUB.part("R17"), HUB.part("J14")
    assert set(pull_up.nets.values()) == {"3V3", "EEPROM_WP"} and pull_up.value == "1k"
    assert set(jumper.nets.values()) == {"EEPROM_WP", "GND"}
    assert {net(HUB.part("U4"), pin) for pin in ("A0", "A1", "A2")} == {"GND"}, "address 0x50"


RATED_A = {"PJ-102AH": 5.0, "MF-RG500-0": 5.0, "MF-RG300-0": 3.0, "B2B-XH-A(LF)(SN)": 3.0, "FDS6575": 8.0}
"""Of the data sheets: contacts, hold currents of the fuses at 23 degrees, the transistor at 70 degrees."""


@pytest.mark.parametrize("ref", ["J2", "F1", "Q3", "F3", "Q1", "J5"])
def test_every_part_of_the_supply_carries_the_largest_board(ref: str) -> None:
    powers = [power_of(load_plan(board)) for board in plan_ids()]
    lights_a, all_a = max(each.lights_ma for each in powers) / 1000, max(each.supply_a for each in powers)
    wanted = lights_a if ref in ("F3", "Q1", "J5") else all_a
    assert RATED_A[source_of(HUB.part(ref)).mpn] >= wanted


def test_the_amplifier_is_on_the_sound_pins_of_the_pi() -> None:
    """The driver of the sound card takes all four pins of I2S; GPIO20 would be its input."""
    sound = {pin.use: pin.bcm for pin in header_pins().pins if pin.use.startswith("i2s")}
    assert sound == {"i2s_bclk": 18, "i2s_lrclk": 19, "i2s_data_in": 20, "i2s_data": 21}
    assert HUB.part("J1").nets["38"] is None
    assert list(HUB.part("J12").nets.values())[:3] == ["I2S_LRCLK", "I2S_BCLK", "I2S_DATA"]


@pytest.mark.parametrize("size", SIZES)
def test_switches_and_lights_are_at_the_positions_of_the_plans(size: int) -> None:
    layout = row_layout(PATTERN, size)
    assert layout.width_mm == pytest.approx(size * PATTERN.reach_mm - PATTERN.slack_mm)
    assert layout.height_mm == pytest.approx(PATTERN.below_mm + PATTERN.above_mm)
    for place in range(size * HOLES_PER_STRIP):
        strip, hole = divmod(place, HOLES_PER_STRIP)
        switch, light = (layout.places[f"{letter}{strip + 1}{hole + 1:02}"] for letter in "UD")
        assert switch.x - layout.places["U101"].x == pytest.approx(PATTERN.along_mm(place))
        assert light.x == switch.x and switch.y - light.y == pytest.approx(PATTERN.light_mm)
        assert layout.height_mm - switch.y == pytest.approx(PATTERN.below_mm)


@pytest.mark.parametrize(("circuit", "layout"), CIRCUITS)
def test_every_part_has_a_position_and_every_position_a_part(circuit: Circuit, layout: BoardLayout) -> None:
    assert set(layout.places) == {part.ref for part in circuit.parts}
    assert all(0 < place.x < layout.width_mm and 0 < place.y < layout.height_mm for place in layout.places.values())


@pytest.mark.parametrize(("circuit", "layout"), CIRCUITS)
def test_fiducials_and_screws_keep_their_distance(circuit: Circuit, layout: BoardLayout) -> None:
    dots, screws = layout.fiducials, layout.screws
    assert len(dots) == 2
    for dot in dots:
        assert all(math.dist((dot.x, dot.y), (screw.x, screw.y)) > dot.clearance + screw.clearance for screw in screws)


@pytest.mark.parametrize("ref", ["F1", "F2", "F3"])
def test_the_hub_prints_which_fuse_is_where(ref: str) -> None:
    """All three have the same holes."""
    amps, place = HUB.part(ref).value.split()[1], HUB_LAYOUT.places[ref]
    (label,) = [label for label in HUB_LAYOUT.labels if label.text.startswith(ref)]
    assert f"{amps}A" in label.text and math.dist((label.x, label.y), (place.x, place.y)) < 6


@pytest.mark.parametrize("ref", ["C2", *LIGHT_OUTLETS])
def test_the_hub_prints_the_positive_pin_of_what_a_person_solders(ref: str) -> None:
    assert HUB.part(ref).nets["1"] == "5V_LIGHTS"
    place = HUB_LAYOUT.places[ref]
    signs = [label for label in HUB_LAYOUT.labels if label.text == "+"]
    assert min(math.dist((sign.x, sign.y), (place.x, place.y)) for sign in signs) < 5


def test_every_board_prints_its_name_revision_and_pins() -> None:
    for size in SIZES:
        texts = {label.text for label in row_layout(PATTERN, size).labels}
        assert {"J1 IN", "J2 OUT", "J3", "1", "5V", "GND", "3V3", "CLK", "LAT", "DATA", "> PI", "h1", "h5"} <= texts
        assert f"cribboard row-{size} rev B" in texts
    assert "cribboard hub B" in {label.text for label in HUB_LAYOUT.labels}


@pytest.mark.parametrize("size", SIZES)
def test_the_print_of_a_row_board_is_large_enough_and_does_not_overlap(size: int) -> None:
    labels = row_layout(PATTERN, size).labels
    assert min(label.height for label in labels) >= max(house.text_height for house in HOUSES)
    for one, other in combinations(labels, 2):
        assert not label_box(one).overlaps(label_box(other)), f"{one.text} over {other.text}"


@pytest.mark.parametrize("picture", ["row/row-1.webp", "row/row-6.webp", "hub/hub.webp"])
def test_each_board_has_a_small_picture_that_its_page_shows(picture: str) -> None:
    folder, name = picture.split("/")
    hardware = Path(__file__).parents[2] / "hardware"
    assert 5_000 < (hardware / picture).stat().st_size < 150_000
    assert f"({name})" in (hardware / folder / "README.md").read_text(encoding="utf-8")
