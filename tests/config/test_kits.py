"""Kits and parts: which parts the settings name, and the combinations that are refused."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from board_drivers import pi
from firmware_host.board.peg_source import PegSource
from firmware_host.config.kits import PARTS_OF_KIT, Chosen, Kit, LightSource, Parts, PartsClash, Where, parts_of
from firmware_host.config.settings import Settings
from firmware_host.config.settings_editor import settings_taken_at_once
from firmware_host.config.settings_errors import SettingsClash
from firmware_host.config.settings_sources import Layer, parse_toml, settings_of

PORT = "/dev/ttyACM0"
DRAWN_BOARD = Parts(PegSource.DRAWN, LightSource.DRAWN, Where.PAGE, Where.PAGE)
CHAIN_ON_PINS = Parts(PegSource.SENSORS, LightSource.PINS, Where.PINS, Where.PINS)
KEYS_ON_PINS = Parts(PegSource.SENSORS, LightSource.DRAWN, Where.PINS, Where.PINS, scanner="auto")
SCANNER_ALONE = Parts(PegSource.SENSORS, LightSource.DRAWN, Where.PAGE, Where.PAGE, scanner="auto")

WITHOUT_KIT = {
    (True, True, "none"): DRAWN_BOARD,
    (True, False, "none"): DRAWN_BOARD,
    (True, True, "auto"): "scanner",
    (True, False, "auto"): "scanner",
    (True, True, PORT): "scanner",
    (True, False, PORT): "scanner",
    (False, True, "none"): CHAIN_ON_PINS,
    (False, False, "none"): "gpio",
    (False, True, "auto"): KEYS_ON_PINS,
    (False, False, "auto"): SCANNER_ALONE,
    (False, True, PORT): replace(KEYS_ON_PINS, scanner=PORT),
    (False, False, PORT): replace(SCANNER_ALONE, scanner=PORT),
}
"""(simulate, gpio, scanner) -> the parts, or the setting that is refused: all that files without kits can say."""


def settings(*texts: str) -> Settings:
    """The settings of several layers, each as a file has them, a later one above an earlier one."""
    base = Layer({"state_folder": "/none"}, str)
    return settings_of(base, *(Layer(parse_toml(text, "file"), lambda name: f"file, {name}") for text in texts))


def test_every_file_without_a_kit_means_the_same_parts_as_ever() -> None:
    assert set(WITHOUT_KIT) == set(product((True, False), (True, False), ("none", "auto", PORT)))
    for (simulate, gpio, scanner), expected in WITHOUT_KIT.items():
        chosen = Chosen(simulate=simulate, gpio=gpio, scanner=scanner)
        if isinstance(expected, Parts):
            assert parts_of(chosen) == expected, chosen
            continue
        with pytest.raises(PartsClash) as clash:
            parts_of(chosen)
        assert clash.value.name == expected


@pytest.mark.parametrize("kit", Kit)
def test_a_kit_names_its_parts_whatever_simulate_is(kit: Kit) -> None:
    assert {parts_of(Chosen(kit=kit, simulate=simulate)) for simulate in (True, False)} == {PARTS_OF_KIT[kit]}


@pytest.mark.parametrize(
    ("kit", "on_pins"),
    [
        (Kit.PAGE, ()),
        (Kit.WOOD, ()),
        (Kit.DESK, (pi.KEYS, pi.DISPLAY)),
        (Kit.LIGHTS, (pi.KEYS, pi.DISPLAY)),
        (Kit.SENSING, (pi.KEYS, pi.DISPLAY)),
    ],
)
def test_parts_on_pins_are_named_as_the_driver_names_them(kit: Kit, on_pins: tuple[str, ...]) -> None:
    parts = PARTS_OF_KIT[kit]
    assert parts.on_pins == on_pins and parts.is_on_page is (on_pins == ())
    assert CHAIN_ON_PINS.on_pins == pi.ALL_PARTS


def test_single_parts_change_a_kit() -> None:
    parts = settings("kit = 'page'\nkeys = 'pins'\ndisplay = 'pins'").parts
    assert parts == Parts(PegSource.DRAWN, LightSource.DRAWN, Where.PINS, Where.PINS) and parts.has_screen
    own_strip = settings("kit = 'lights'\nlights = 'pins'\nkeys = 'page'\ndisplay = 'page'").parts
    assert own_strip.on_pins == (pi.LIGHTS,) and not own_strip.has_scanner
    assert settings("pegs = 'by_hand'\nlights = 'none'").parts == PARTS_OF_KIT[Kit.WOOD]


def test_the_sensing_board_is_looked_for_on_usb() -> None:
    sensing = settings("kit = 'sensing'\ngpio = false").parts
    assert sensing == replace(SCANNER_ALONE, lights=LightSource.USB) and sensing.has_lights
    assert settings(f"kit = 'sensing'\nscanner = '{PORT}'").parts.scanner == PORT
    own_board = settings("kit = 'lights'").parts
    assert own_board.has_lights and own_board.has_scanner and not own_board.has_sensors
    assert not settings("kit = 'sensing'\npegs = 'by_hand'\nlights = 'none'").parts.has_scanner


def test_a_chain_of_strips_can_be_the_board_of_a_kit() -> None:
    on_pins = settings("kit = 'sensing'\nscanner = 'none'\nlights = 'pins'").parts
    assert on_pins == settings("simulate = false").parts == CHAIN_ON_PINS
    on_cable = settings("kit = 'sensing'\ngpio = false\nlights = 'drawn'").parts
    assert on_cable == settings("simulate = false\ngpio = false\nscanner = 'auto'").parts == SCANNER_ALONE


def test_the_page_alone_offers_drawn_pegs_and_pegs_by_hand() -> None:
    assert PARTS_OF_KIT[Kit.PAGE].peg_sources == (PegSource.DRAWN, PegSource.BY_HAND)
    assert PARTS_OF_KIT[Kit.WOOD].peg_sources == (PegSource.BY_HAND, PegSource.DRAWN)
    assert PARTS_OF_KIT[Kit.DESK].peg_sources == (PegSource.BY_HAND,)
    assert PARTS_OF_KIT[Kit.SENSING].peg_sources == (PegSource.SENSORS,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scanner = 'auto'", "scanner: expected simulate = false, got simulate = true; a simulated board needs no"),
        ("kit = 'wood'\nscanner = 'auto'", "scanner: expected none, because nothing reads the pegs, got auto; leave"),
        ("kit = 'desk'\ngpio = false", "gpio: expected gpio = true for keys, display on the Pi's pins, got gpio = f"),
        ("kit = 'lights'\ngpio = false\nkeys = 'page'", "choose another place for: display"),
        ("simulate = false\ngpio = false", "gpio: expected a scanner to read the pegs, got scanner = none; set sc"),
        ("kit = 'sensing'\nscanner = 'auto'\nlights = 'pins'", "lights: expected drawn or none, because the scanner"),
        (
            "kit = 'sensing'\nscanner = 'none'",
            "scanner: expected a scanner for lights on USB, got scanner = none; set sc",
        ),
        ("kit = 'desk'\nsimulate = true", "simulate: expected simulate = false for kit desk, got simulate = true; l"),
        ("kit = 'page'\nsimulate = false", "simulate: expected simulate = true for kit page, got simulate = false"),
    ],
)
def test_parts_that_cannot_work_together_are_refused(text: str, message: str) -> None:
    with pytest.raises(SettingsClash) as clash:
        settings(text)
    assert message in str(clash.value) and str(clash.value).startswith("file, ")


def test_the_later_of_kit_and_simulate_counts() -> None:
    installed = "simulate = false"
    assert settings(installed, "kit = 'page'").kit_in_use is Kit.PAGE
    assert settings("kit = 'desk'", "simulate = true").kit_in_use is Kit.PAGE
    assert settings(installed).kit_in_use is Kit.SENSING


def test_page_and_own_board_change_places_without_a_restart() -> None:
    page, wood, desk = (settings(f"kit = '{kit}'") for kit in ("page", "wood", "desk"))
    assert "kit" in settings_taken_at_once(page, wood) and "kit" in settings_taken_at_once(wood, page)
    assert "kit" not in settings_taken_at_once(page, desk) | settings_taken_at_once(desk, wood)
