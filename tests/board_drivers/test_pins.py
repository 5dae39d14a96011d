"""pins.toml agrees with the header of every Pi, and everything that is made from it is up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.data import SPI_HARDWARE_PINS
from gpiozero.pins.pi import PiBoardInfo

from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, HeaderPin, HeaderPins, header_pins
from board_drivers.wiring_page import wiring_page
from firmware_host.doctor.boot_config import required_lines

HARDWARE = Path(__file__).parents[2] / "hardware"
REVISIONS = {"Zero2W": 0x902120, "3B+": 0xA020D3, "4B": 0xC03114, "5B": 0xC04170}
POWER = {"3v3": "3V3", "5v": "5V", "ground": "GND"}


@pytest.fixture(params=REVISIONS)
def j8(request: pytest.FixtureRequest) -> Any:
    """The 40-pin header of one Pi, as gpiozero knows it: number -> pin."""
    board = PiBoardInfo.from_revision(REVISIONS[request.param])
    assert board.model == request.param
    return board.headers["J8"].pins


def test_every_pin_has_the_gpio_number_of_the_header(j8: Any) -> None:
    named = {pin.physical: POWER.get(pin.use, f"GPIO{pin.bcm}") for pin in header_pins().pins}
    assert named == {number: pin.name for number, pin in j8.items()}


def test_display_is_on_the_only_two_pins_with_fixed_pull_ups(j8: Any) -> None:
    fixed = {number for number, pin in j8.items() if pin.pull == "up"}
    assert fixed == {pin.physical for pin in header_pins().pins if pin.use in ("oled_sda", "oled_scl")}


def test_pull_at_boot_is_up_until_gpio_8_and_down_from_9() -> None:
    """Broadcom BCM2835 ARM Peripherals, table 6-31; the same on its successors and on RP1."""
    for pin in header_pins().pins:
        if pin.bcm is not None:
            assert pin.boot_pull == ("up" if pin.bcm <= 8 else "down"), pin


def test_chains_are_on_the_bus_that_gpiozero_drives_in_hardware() -> None:
    pins, (bus,) = header_pins(), SPI_HARDWARE_PINS.values()
    used = [f"GPIO{pins.bcm(use)}" for use in ("spi_sclk", "spi_mosi", "spi_miso", "spi_ce0", "spi_ce1")]
    assert used == [bus["clock"], bus["mosi"], bus["miso"], *bus["select"]]


def test_only_power_ground_and_spares_have_several_pins() -> None:
    uses = [pin.use for pin in header_pins().pins if pin.use not in (*POWER, "spare")]
    assert len(uses) == len(set(uses))
    assert {*KEYPAD_ROWS, *KEYPAD_COLUMNS} < set(uses)


@pytest.mark.parametrize("use", ["ground", "trumpet"])
def test_use_without_a_gpio_has_no_number(use: str) -> None:
    with pytest.raises(LookupError, match=use):
        header_pins().bcm(use)


def test_use_of_several_pins_has_no_number() -> None:
    twice = HeaderPins((HeaderPin(11, "spare", 17), HeaderPin(13, "spare", 27)))
    with pytest.raises(LookupError, match="got 2"):
        twice.bcm("spare")


def test_no_other_device_is_on_the_four_pins_that_the_sound_driver_takes() -> None:
    """The overlay max98357a sets GPIO18 to 21 to I2S; a key on one of them would depend on who comes last."""
    assert {pin.use.partition("_")[0] for pin in header_pins().pins if pin.bcm in range(18, 22)} == {"i2s"}


def test_wiring_page_is_up_to_date() -> None:
    """If this fails: make wiring-page."""
    assert (HARDWARE / "WIRING.md").read_text(encoding="utf-8") == wiring_page(header_pins())


def test_pins_of_the_older_design_are_in_a_section_of_their_own() -> None:
    today, _, older = wiring_page(header_pins()).partition("## An older design: a chain of strips")
    in_chain = [pin for pin in header_pins().pins if pin.chain_note]
    assert {"sensor_latch", "lights_enable", "spi_mosi", "spi_miso"} <= {pin.use for pin in in_chain}
    assert all(pin.chain_note in older and not pin.note for pin in in_chain)
    assert "strip" not in today and "74" not in today.split("## Pin by pin")[1]


def test_boot_lines_have_the_pins_of_the_button_and_the_rail() -> None:
    """The installer writes hardware/boot_config.txt into config.txt; the wiring page has its lines from pins.toml."""
    lines = list(required_lines())
    assert lines and set(lines) <= set(wiring_page(header_pins()).splitlines())
    assert "dtoverlay=max98357a,no-sdmode" in lines, "without no-sdmode the amplifier takes the button's pin"
    (button,) = [line for line in lines if line.startswith("dtoverlay=gpio-shutdown,")]
    assert f"gpio_pin={header_pins().bcm('power_button')}," in button
