"""A display that is missing, is unplugged and returns, on the I2C bus that luma uses."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Iterator, Sequence

import pytest

from board_drivers import oled
from board_drivers.font import Pixels
from board_drivers.oled import CHIPS, COLUMN_OFFSETS, OledDisplay
from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.ports import DriverError, Scoreboard
from board_drivers.simulated import SimulatedBoard
from tests.board_drivers.bench_board import TIMEOUT_S
from tests.board_drivers.bench_pi import BenchPi
from tests.board_drivers.chips import OledChip

# luma.oled 3.16 calls a method that Pillow 14 removes.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

PAGE, LATER = [("Ann: 3 more, to 36", 1), ("47   52", 3)], [("Bob", 2)]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the pauses of the driver."""
    monkeypatch.setattr(oled, "PING_S", 0.001)
    monkeypatch.setattr(oled, "RETRY_DELAYS_S", (0.001,))


@pytest.fixture
def chip(pi: BenchPi) -> OledChip:
    chip = OledChip(first_column=2)
    pi.i2c.append(chip)
    return chip


@pytest.fixture
def display(pi: BenchPi, quick: None, caplog: pytest.LogCaptureFixture) -> Iterator[OledDisplay]:
    caplog.set_level(logging.INFO)
    display = OledDisplay("sh1106")
    yield display
    display.close()


def shows(chip: OledChip, page: list[tuple[str, int]]) -> bool:
    pixels = reference_of(page)
    return wait_for(chip, lambda: chip.is_on and chip.pixels() == pixels)


def reference_of(page: list[tuple[str, int]]) -> Pixels:
    """What a display of the simulated board shows."""
    board = SimulatedBoard(sensor_count=1, led_count=1)
    board.scoreboard.show(page)
    return board.oled_pixels()


def wait_for(chip: OledChip, is_so: Callable[[], bool]) -> bool:
    with chip.written:
        return chip.written.wait_for(is_so, TIMEOUT_S)


def is_lost(chip: OledChip) -> bool:
    """Wait until the driver has written twice to a chip that is unplugged."""
    attempts = chip.attempts
    return wait_for(chip, lambda: chip.attempts > attempts + 1)


def test_page_reaches_the_display_and_nothing_is_logged(
    chip: OledChip, display: OledDisplay, caplog: pytest.LogCaptureFixture
) -> None:
    OledScoreboard(display).show(PAGE)
    assert shows(chip, PAGE)
    assert not caplog.get_records("setup") and not caplog.records


def test_display_sleeps_wakes_and_keeps_its_contrast_when_it_was_unplugged(
    chip: OledChip, display: OledDisplay
) -> None:
    scoreboard = OledScoreboard(display)
    scoreboard.show(PAGE)
    assert shows(chip, PAGE)
    scoreboard.set_contrast(0)
    assert wait_for(chip, lambda: not chip.is_on)
    scoreboard.show(LATER)
    scoreboard.set_contrast(8)
    assert shows(chip, LATER)
    assert wait_for(chip, lambda: chip.contrast == 8)
    chip.unplug()
    assert is_lost(chip)
    chip.plug_in()
    assert wait_for(chip, lambda: chip.is_on and chip.contrast == 8)


class LooseChip(OledChip):
    """Loses its power at the write with the number `lost_at`."""

    lost_at: int = 0

    def write(self, address: int, control: int, block: Sequence[int]) -> None:
        if self.writes == self.lost_at:
            self.lost_at = -1
            self.unplug()
        super().write(address, control, block)


@pytest.mark.parametrize("lost_at", [1, 2, 5])
def test_display_that_is_unplugged_while_it_is_opened_is_found_again(pi: BenchPi, quick: None, lost_at: int) -> None:
    chip = LooseChip(first_column=2, lost_at=lost_at)
    pi.i2c.append(chip)
    display = OledDisplay("sh1106")
    OledScoreboard(display).show(PAGE)
    assert wait_for(chip, lambda: chip.is_unplugged)
    assert is_lost(chip)
    chip.plug_in()
    assert shows(chip, PAGE)
    display.close()


def test_sleeping_display_that_was_unplugged_sleeps_again(chip: OledChip, display: OledDisplay) -> None:
    scoreboard = OledScoreboard(display)
    scoreboard.show(PAGE)
    assert shows(chip, PAGE)
    scoreboard.set_contrast(0)
    assert wait_for(chip, lambda: not chip.is_on)
    chip.unplug()
    assert is_lost(chip)
    chip.plug_in()
    page = reference_of(PAGE)
    assert wait_for(chip, lambda: chip.pixels() == page and not chip.is_on), "it has its page again, and is dark"


@pytest.mark.parametrize("offset", COLUMN_OFFSETS)
def test_each_column_offset_of_an_sh1106_shows_the_whole_page(pi: BenchPi, quick: None, offset: int) -> None:
    chip = OledChip(first_column=offset)
    pi.i2c.append(chip)
    display = OledDisplay("sh1106", offset)
    OledScoreboard(display).show(PAGE)
    assert shows(chip, PAGE)
    display.close()


@pytest.mark.parametrize("kind", CHIPS)
def test_turned_display_shows_the_page_upside_down(pi: BenchPi, quick: None, kind: str) -> None:
    chip = OledChip(first_column=2 if kind == "sh1106" else 0)
    pi.i2c.append(chip)
    display = OledDisplay(kind, is_turned=True)
    OledScoreboard(display).show(PAGE)
    turned = tuple(row[::-1] for row in reversed(reference_of(PAGE)))
    assert wait_for(chip, lambda: chip.pixels() == turned)
    display.close()


@pytest.mark.parametrize("kind", CHIPS)
@pytest.mark.parametrize("address", [0x3C, 0x3D])
def test_every_chip_is_found_at_either_address(pi: BenchPi, quick: None, kind: str, address: int) -> None:
    chip = OledChip(first_column=2 if kind == "sh1106" else 0, address=address)
    pi.i2c.append(chip)
    display = OledDisplay(kind)
    OledScoreboard(display).show(PAGE)
    assert shows(chip, PAGE)
    display.close()
    assert not chip.is_on


def test_display_plugged_in_late_gets_the_last_page(pi: BenchPi, display: OledDisplay) -> None:
    scoreboard = OledScoreboard(display)
    scoreboard.show(PAGE)
    scoreboard.show(LATER)
    late = OledChip(first_column=2)
    pi.i2c.append(late)
    assert shows(late, LATER)


def test_display_that_was_unplugged_gets_its_page_back(chip: OledChip, display: OledDisplay) -> None:
    OledScoreboard(display).show(PAGE)
    assert shows(chip, PAGE)
    chip.unplug()
    assert not chip.is_on and not any(any(row) for row in chip.pixels())
    assert is_lost(chip)
    chip.plug_in()
    assert shows(chip, PAGE)


def test_display_gets_the_page_shown_while_it_was_unplugged(chip: OledChip, display: OledDisplay) -> None:
    scoreboard = OledScoreboard(display)
    scoreboard.show(PAGE)
    assert shows(chip, PAGE)
    chip.unplug()
    scoreboard.show(LATER)
    assert is_lost(chip)
    chip.plug_in()
    assert shows(chip, LATER)


def test_latest_of_many_pages_is_shown(chip: OledChip, display: OledDisplay) -> None:
    scoreboard: Scoreboard = OledScoreboard(display)
    for number in range(100):
        scoreboard.show([(f"{number}", 3)])
    assert shows(chip, [("99", 3)])


def test_missing_display_is_logged_once_with_its_fix_and_once_when_it_returns(
    chip: OledChip, display: OledDisplay, caplog: pytest.LogCaptureFixture
) -> None:
    scoreboard = OledScoreboard(display)
    scoreboard.show(PAGE)
    assert shows(chip, PAGE)
    chip.unplug()
    assert wait_for(chip, lambda: chip.attempts > chip.writes + 10)
    chip.plug_in()
    assert shows(chip, PAGE)
    gone, *_, back = (record.getMessage() for record in caplog.records)
    assert "0x3c or 0x3d" in gone and "i2cdetect" in gone and back == "OLED: found again"
    assert len(caplog.records) <= 3, "one line for the I2C error, one for no answer, one for the return"


@pytest.mark.parametrize(
    ("number", "fix"), [(errno.ENOENT, "dtparam=i2c_arm=on"), (errno.EACCES, "sudo usermod -aG i2c")]
)
def test_bus_that_cannot_be_opened_is_reported_with_its_fix(
    pi: BenchPi, quick: None, caplog: pytest.LogCaptureFixture, number: int, fix: str
) -> None:
    pi.refused["/dev/i2c-1"] = number
    chip = OledChip(first_column=2)
    pi.i2c.append(chip)
    display = OledDisplay("sh1106")
    scoreboard = OledScoreboard(display)
    scoreboard.show(PAGE)
    with pytest.raises(DriverError, match=fix):
        oled.open_display("sh1106")
    pi.refused.clear()
    assert shows(chip, PAGE)
    display.close()


def test_impossible_page_is_refused_even_without_a_display(display: OledDisplay) -> None:
    with pytest.raises(ValueError, match="at most 64 pixels"):
        OledScoreboard(display).show([("x", 3)] * 3)


def test_retry_delays_grow_to_15_seconds() -> None:
    delays = oled._retry_delays()
    assert [next(delays) for _ in range(7)] == [1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]


def test_close_turns_the_display_off_and_may_be_repeated(chip: OledChip, display: OledDisplay) -> None:
    OledScoreboard(display).show(PAGE)
    assert shows(chip, PAGE)
    display.close()
    display.close()
    assert not chip.is_on
