"""A display that is missing, goes, and comes back, on the bus that luma really uses."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Iterator

import pytest

from board_drivers import oled
from board_drivers.oled import CHIPS, OledGlass
from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.ports import DriverFault, Scoreboard
from board_drivers.simulated import SimulatedBoard
from tests.drivers.bench_board import PATIENCE_S
from tests.drivers.bench_pi import BenchPi
from tests.drivers.chips import OledChip

# luma.oled 3.16 reads pictures in a way that Pillow will drop in its version 14.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

PAGE, LATER = [("Ann: 3 more, to 36", 1), ("47   52", 3)], [("Bob", 2)]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time for people is no time for tests."""
    monkeypatch.setattr(oled, "PING_S", 0.001)
    monkeypatch.setattr(oled, "PATIENCE_S", (0.001,))


@pytest.fixture
def chip(pi: BenchPi) -> OledChip:
    chip = OledChip(first_column=2)
    pi.i2c.append(chip)
    return chip


@pytest.fixture
def glass(pi: BenchPi, quick: None, caplog: pytest.LogCaptureFixture) -> Iterator[OledGlass]:
    caplog.set_level(logging.INFO)
    made = OledGlass("sh1106")
    yield made
    made.close()


def shows(chip: OledChip, page: list[tuple[str, int]]) -> bool:
    reference = SimulatedBoard(sensor_count=1, led_count=1)
    reference.scoreboard.show(page)
    return seen(chip, lambda: chip.is_on and chip.pixels() == reference.oled_pixels())


def seen(chip: OledChip, is_so: Callable[[], bool]) -> bool:
    with chip.heard:
        return chip.heard.wait_for(is_so, PATIENCE_S)


def is_missed(chip: OledChip) -> bool:
    """Unplugged for long enough to be asked in vain."""
    asked = chip.asked
    return seen(chip, lambda: chip.asked > asked + 1)


def test_a_page_reaches_the_glass_without_a_word_in_the_log(
    chip: OledChip, glass: OledGlass, caplog: pytest.LogCaptureFixture
) -> None:
    OledScoreboard(glass).show(PAGE)
    assert shows(chip, PAGE)
    assert not caplog.get_records("setup") and not caplog.records


@pytest.mark.parametrize("kind", CHIPS)
@pytest.mark.parametrize("address", [0x3C, 0x3D])
def test_each_chip_is_found_at_either_address(pi: BenchPi, quick: None, kind: str, address: int) -> None:
    chip = OledChip(first_column=2 if kind == "sh1106" else 0, address=address)
    pi.i2c.append(chip)
    glass = OledGlass(kind)
    OledScoreboard(glass).show(PAGE)
    assert shows(chip, PAGE)
    glass.close()
    assert not chip.is_on


def test_a_display_that_comes_late_gets_the_last_page(pi: BenchPi, glass: OledGlass) -> None:
    scoreboard = OledScoreboard(glass)
    scoreboard.show(PAGE)
    scoreboard.show(LATER)
    late = OledChip(first_column=2)
    pi.i2c.append(late)
    assert shows(late, LATER)


def test_a_display_that_was_off_for_a_while_comes_back_with_its_page(chip: OledChip, glass: OledGlass) -> None:
    OledScoreboard(glass).show(PAGE)
    assert shows(chip, PAGE)
    chip.unplug()
    assert not chip.is_on and not any(any(row) for row in chip.pixels())
    assert is_missed(chip)
    chip.plug_in()
    assert shows(chip, PAGE)


def test_a_page_shown_while_it_was_off_is_the_one_that_comes_back(chip: OledChip, glass: OledGlass) -> None:
    scoreboard = OledScoreboard(glass)
    scoreboard.show(PAGE)
    assert shows(chip, PAGE)
    chip.unplug()
    scoreboard.show(LATER)
    assert is_missed(chip)
    chip.plug_in()
    assert shows(chip, LATER)


def test_the_latest_of_many_pages_wins(chip: OledChip, glass: OledGlass) -> None:
    scoreboard: Scoreboard = OledScoreboard(glass)
    for number in range(100):
        scoreboard.show([(f"{number}", 3)])
    assert shows(chip, [("99", 3)])


def test_a_missing_display_is_told_once_with_its_mend_and_its_return_too(
    chip: OledChip, glass: OledGlass, caplog: pytest.LogCaptureFixture
) -> None:
    scoreboard = OledScoreboard(glass)
    scoreboard.show(PAGE)
    assert shows(chip, PAGE)
    chip.unplug()
    assert seen(chip, lambda: chip.asked > chip.writes + 10)
    chip.plug_in()
    assert shows(chip, PAGE)
    gone, *_, back = (record.getMessage() for record in caplog.records)
    assert "0x3c or 0x3d" in gone and "i2cdetect" in gone and back == "OLED: it is back"
    assert len(caplog.records) <= 3, "what it says of an I2C error, what it says of no answer, and that it is back"


@pytest.mark.parametrize(
    ("number", "mend"), [(errno.ENOENT, "dtparam=i2c_arm=on"), (errno.EACCES, "sudo usermod -aG i2c")]
)
def test_a_bus_that_cannot_be_opened_is_told_with_its_mend(
    pi: BenchPi, quick: None, caplog: pytest.LogCaptureFixture, number: int, mend: str
) -> None:
    pi.refused["/dev/i2c-1"] = number
    chip = OledChip(first_column=2)
    pi.i2c.append(chip)
    glass = OledGlass("sh1106")
    scoreboard = OledScoreboard(glass)
    scoreboard.show(PAGE)
    with pytest.raises(DriverFault, match=mend):
        oled.open_display("sh1106")
    pi.refused.clear()
    assert shows(chip, PAGE)
    glass.close()


def test_a_page_that_cannot_be_is_refused_although_there_is_no_display(glass: OledGlass) -> None:
    with pytest.raises(ValueError, match="at most 64 pixels"):
        OledScoreboard(glass).show([("x", 3)] * 3)


def test_each_next_try_waits_longer_up_to_a_quarter_of_a_minute() -> None:
    pauses = oled._pauses()
    assert [next(pauses) for _ in range(7)] == [1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]


def test_closing_twice_leaves_the_glass_dark(chip: OledChip, glass: OledGlass) -> None:
    OledScoreboard(glass).show(PAGE)
    assert shows(chip, PAGE)
    glass.close()
    glass.close()
    assert not chip.is_on
