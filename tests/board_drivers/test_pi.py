"""Opening the board on a Pi: every refusal names the device and the fix, and nothing stays open after it."""

from __future__ import annotations

import errno
import sys
import threading

import pytest

from board_drivers.header import Header
from board_drivers.lights_out import lights_out
from board_drivers.pi import Wiring, open_pi_board
from board_drivers.ports import Colour, DriverError
from tests.board_drivers.bench_board import TIMEOUT_S, BenchBoard
from tests.board_drivers.bench_pi import PI_4B, PI_5, BenchLgpio, BenchPi, LgpioError

# luma.oled 3.16 calls a method that Pillow 14 removes.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

WIRING = Wiring(strips=3, lights=15, lights_ma=800, oled="sh1106")


def fault() -> DriverError:
    with pytest.raises(DriverError) as caught:
        open_pi_board(WIRING)
    assert caught.value.fix.endswith(".")
    return caught.value


@pytest.mark.parametrize("node", ["/dev/spidev0.0", "/dev/spidev0.1"])
@pytest.mark.parametrize(
    ("number", "got", "fix"),
    [
        (errno.ENOENT, "no such file or directory", "dtparam=spi=on"),
        (errno.EACCES, "permission denied", "sudo usermod -aG spi"),
        (errno.EBUSY, "device or resource busy", "fuser -v /dev/spidev0."),
    ],
)
def test_missing_spi_port_is_never_replaced_by_software_spi(
    pi: BenchPi, node: str, number: int, got: str, fix: str
) -> None:
    pi.refused[node] = number
    refused = fault()
    assert refused.device == "SPI0" and node in refused.expected
    assert refused.got == got and fix in refused.fix


def test_spi_port_that_opens_but_fails_is_never_replaced_by_software_spi(
    pi: BenchPi, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise LgpioError("can not open SPI device")

    monkeypatch.setattr(BenchLgpio, "spi_open", refuse)
    refused = fault()
    assert refused.device == "SPI0" and refused.expected.endswith("to work")
    assert "can not open SPI device" in refused.got and "fuser -v /dev/spidev0." in refused.fix


@pytest.mark.parametrize(("number", "fix"), [(errno.ENOENT, "kit = page"), (errno.EACCES, "sudo usermod -aG gpio")])
def test_gpiochip_that_cannot_be_opened_is_reported_with_its_fix(pi: BenchPi, number: int, fix: str) -> None:
    pi.refused["/dev/gpiochip0"] = number
    refused = fault()
    assert refused.device == "GPIO" and "/dev/gpiochip0" in refused.expected and fix in refused.fix


@pytest.mark.parametrize(
    ("revision", "chips", "header"),
    [
        (PI_4B, {0: "pinctrl-bcm2711"}, 0),
        (PI_5, {0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}, 4),
        (PI_5, {0: "pinctrl-rp1", 4: "pinctrl-rp1"}, 0),
        (0xB04180, {0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}, 4),
    ],
    ids=["4B", "5 at first", "5 since 2024", "compute module 5"],
)
def test_header_is_found_on_every_pi_by_the_label_of_its_chip(
    pi: BenchPi, revision: int, chips: dict[int, str], header: int
) -> None:
    pi.revision, pi.chips = revision, chips
    bench = BenchBoard(pi, strips=3)
    board = open_pi_board(WIRING)
    bench.strips.place_peg(3)
    assert board.sensors.scan() == {3} and pi.header_chip == header
    board.close()


def test_computer_without_a_header_chip_is_refused(pi: BenchPi) -> None:
    pi.chips = {0: "INT34C5:00"}
    refused = fault()
    assert "gpiochip0 = INT34C5:00" in refused.got and "kit = page" in refused.fix


@pytest.mark.parametrize("bcm", [25, 24, 5, 22])
def test_pin_held_by_another_program_is_named(pi: BenchPi, bcm: int) -> None:
    pi.busy.add(bcm)
    refused = fault()
    assert (refused.device, refused.got) == (f"GPIO{bcm}", "GPIO busy")
    assert f"gpioinfo | grep -w GPIO{bcm}" in refused.fix


@pytest.mark.parametrize("bcm", [25, 22])
def test_everything_opened_before_a_refusal_is_released(pi: BenchPi, bcm: int) -> None:
    running = set(threading.enumerate())
    pi.busy.add(bcm)
    kept = fault()
    pi.busy.clear()
    BenchBoard(pi, strips=3)
    open_pi_board(WIRING).close()
    assert set(threading.enumerate()) <= running
    assert kept.__traceback__, "it still refers to everything that was opened"


def test_first_fault_is_raised_even_if_releasing_fails_too(pi: BenchPi, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(header: Header) -> None:
        raise OSError("the chip is gone")

    monkeypatch.setattr(Header, "close", fail)
    pi.busy.add(25)
    with pytest.raises(DriverError, match="GPIO25"):
        open_pi_board(WIRING)


def test_close_makes_lights_and_display_dark_before_the_rail_goes_off(pi: BenchPi) -> None:
    bench = BenchBoard(pi, strips=3)
    shown: list[list[Colour]] = []
    pi.gpio[7].listen(lambda is_high: shown.append(bench.lights.colours) if is_high else None)
    board = open_pi_board(WIRING)
    board.lights.show([(255, 0, 0)] * 15)
    with bench.oled.written:
        assert bench.oled.written.wait_for(lambda: bench.oled.is_on, TIMEOUT_S)
    board.close()
    dark, red = [(0, 0, 0)] * 15, [(255, 0, 0)] * 15
    assert shown[-2:] == [red, dark] and not bench.rail.is_high
    assert not bench.oled.is_on


def test_lights_out_turns_off_the_rail_of_a_crashed_board(pi: BenchPi) -> None:
    bench = BenchBoard(pi, strips=3)
    bench.rail.drive(True)
    lights_out()
    assert not bench.rail.is_high


def test_lights_out_does_not_touch_a_running_board(pi: BenchPi) -> None:
    pi.busy.add(24)
    with pytest.raises(DriverError, match="GPIO24"):
        lights_out()


def test_board_may_be_opened_again_after_close(pi: BenchPi) -> None:
    bench = BenchBoard(pi, strips=3)
    for _ in range(3):
        board = open_pi_board(WIRING)
        assert bench.rail.is_high and board.sensors.scan() == frozenset()
        board.close()
        assert not bench.rail.is_high


def test_missing_lgpio_names_the_package_to_install(pi: BenchPi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert "sudo apt install python3-lgpio" in fault().fix


def test_folder_that_lgpio_may_not_write_to_is_named(pi: BenchPi, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoPipe:
        """lgpio makes a pipe in the working folder when it is imported, and opens it."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == "gpiozero.pins.lgpio":
                raise FileNotFoundError(errno.ENOENT, "No such file or directory", ".lgd-nfy-3")

    monkeypatch.setattr(sys, "meta_path", [NoPipe(), *sys.meta_path])
    refused = fault()
    assert refused.got.startswith("No such file or directory in ") and "folder it may write to" in refused.fix


def test_bus_that_fails_during_a_game_raises_and_recovers(pi: BenchPi) -> None:
    BenchBoard(pi, strips=3)
    board = open_pi_board(WIRING)
    pi.refused["/dev/spidev0.0"] = errno.ENODEV
    with pytest.raises(DriverError, match="/dev/spidev0.0 to open, got no such device"):
        board.sensors.scan()
    pi.refused.clear()
    assert board.sensors.scan() == frozenset()
    board.close()


def test_board_starts_with_a_broken_chain_and_raises_at_each_scan(pi: BenchPi) -> None:
    bench = BenchBoard(pi, strips=3)
    bench.strips.floats[2] = 1
    board = open_pi_board(WIRING)
    for _ in range(2):
        with pytest.raises(DriverError, match="Chain fault at strip 3"):
            board.sensors.scan()
    bench.strips.floats.clear()
    assert board.sensors.scan() == frozenset()
    board.close()


def test_unknown_use_of_a_line_is_refused(pi: BenchPi, header: Header) -> None:
    with pytest.raises(LookupError, match="trumpet"):
        header.output("trumpet")
