"""A Pi that does not let us have what we need: each refusal with its name and its mend, and nothing left half open."""

from __future__ import annotations

import errno
import sys

import pytest

from board_drivers.header import Header
from board_drivers.lights_out import lights_out
from board_drivers.pi import Wiring, open_pi_board
from board_drivers.ports import Colour, DriverFault
from tests.drivers.bench_board import PATIENCE_S, BenchBoard
from tests.drivers.bench_pi import PI_4B, PI_5, BenchLgpio, BenchPi, LgpioError

# luma.oled 3.16 reads pictures in a way that Pillow will drop in its version 14.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

WIRING = Wiring(strips=3, lights=15, lights_ma=800, oled="sh1106")


def fault() -> DriverFault:
    with pytest.raises(DriverFault) as caught:
        open_pi_board(WIRING)
    assert caught.value.mend.endswith(".")
    return caught.value


@pytest.mark.parametrize("node", ["/dev/spidev0.0", "/dev/spidev0.1"])
@pytest.mark.parametrize(
    ("number", "got", "mend"),
    [
        (errno.ENOENT, "no such file or directory", "dtparam=spi=on"),
        (errno.EACCES, "permission denied", "sudo usermod -aG spi"),
        (errno.EBUSY, "device or resource busy", "fuser -v /dev/spidev0."),
    ],
)
def test_an_spi_port_that_is_not_to_be_had_is_never_driven_by_program(
    pi: BenchPi, node: str, number: int, got: str, mend: str
) -> None:
    pi.refused[node] = number
    refused = fault()
    assert refused.device == "SPI0" and node in refused.expected
    assert refused.got == got and mend in refused.mend


def test_an_spi_port_that_opens_and_will_not_be_set_up_is_never_driven_by_program_either(
    pi: BenchPi, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise LgpioError("can not open SPI device")

    monkeypatch.setattr(BenchLgpio, "spi_open", refuse)
    refused = fault()
    assert refused.device == "SPI0" and refused.expected.endswith("to work")
    assert "can not open SPI device" in refused.got and "fuser -v /dev/spidev0." in refused.mend


@pytest.mark.parametrize(
    ("number", "mend"), [(errno.ENOENT, "simulate = true"), (errno.EACCES, "sudo usermod -aG gpio")]
)
def test_a_gpio_chip_that_is_not_to_be_had_is_told_with_its_mend(pi: BenchPi, number: int, mend: str) -> None:
    pi.refused["/dev/gpiochip0"] = number
    refused = fault()
    assert refused.device == "GPIO" and "/dev/gpiochip0" in refused.expected and mend in refused.mend


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
def test_the_header_is_found_on_every_pi_by_the_label_of_its_chip(
    pi: BenchPi, revision: int, chips: dict[int, str], header: int
) -> None:
    pi.revision, pi.chips = revision, chips
    wood = BenchBoard(pi, strips=3)
    board = open_pi_board(WIRING)
    wood.strips.place_peg(3)
    assert board.sensors.scan() == {3} and pi.header_chip == header
    board.close()


def test_a_computer_whose_only_chip_is_another_one_is_told_so(pi: BenchPi) -> None:
    pi.chips = {0: "INT34C5:00"}
    refused = fault()
    assert "gpiochip0 = INT34C5:00" in refused.got and "simulate = true" in refused.mend


@pytest.mark.parametrize("bcm", [25, 24, 5, 21])
def test_a_second_program_on_the_same_pins_is_told_with_the_pin(pi: BenchPi, bcm: int) -> None:
    pi.busy.add(bcm)
    refused = fault()
    assert (refused.device, refused.got) == (f"GPIO{bcm}", "GPIO busy")
    assert f"gpioinfo | grep -w GPIO{bcm}" in refused.mend


@pytest.mark.parametrize("bcm", [25, 21])
def test_whatever_was_opened_before_a_refusal_is_let_go_of(pi: BenchPi, bcm: int) -> None:
    pi.busy.add(bcm)
    kept = fault()
    pi.busy.clear()
    BenchBoard(pi, strips=3)
    open_pi_board(WIRING).close()
    assert kept.__traceback__, "what still leads to everything that was half open"


def test_the_first_fault_is_told_even_if_letting_go_fails_too(pi: BenchPi, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(header: Header) -> None:
        raise OSError("the chip is gone")

    monkeypatch.setattr(Header, "close", fail)
    pi.busy.add(25)
    with pytest.raises(DriverFault, match="GPIO25"):
        open_pi_board(WIRING)


def test_closing_leaves_lights_and_glass_dark_before_their_power_goes(pi: BenchPi) -> None:
    wood = BenchBoard(pi, strips=3)
    shown: list[list[Colour]] = []
    pi.gpio[7].listen(lambda is_high: shown.append(wood.lights.colours) if is_high else None)
    board = open_pi_board(WIRING)
    board.lights.show([(255, 0, 0)] * 15)
    with wood.oled.heard:
        assert wood.oled.heard.wait_for(lambda: wood.oled.is_on, PATIENCE_S)
    board.close()
    dark, red = [(0, 0, 0)] * 15, [(255, 0, 0)] * 15
    assert shown[-2:] == [red, dark] and not wood.rail.is_high
    assert not wood.oled.is_on


def test_the_rail_goes_off_after_a_board_that_ended_without_a_farewell(pi: BenchPi) -> None:
    wood = BenchBoard(pi, strips=3)
    wood.rail.drive(True)
    lights_out()
    assert not wood.rail.is_high


def test_a_running_board_keeps_its_lights(pi: BenchPi) -> None:
    pi.busy.add(24)
    with pytest.raises(DriverFault, match="GPIO24"):
        lights_out()


def test_a_board_may_be_opened_again_after_it_was_closed(pi: BenchPi) -> None:
    wood = BenchBoard(pi, strips=3)
    for _ in range(3):
        board = open_pi_board(WIRING)
        assert wood.rail.is_high and board.sensors.scan() == frozenset()
        board.close()
        assert not wood.rail.is_high


def test_without_lgpio_the_package_is_named(pi: BenchPi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert "sudo apt install python3-lgpio" in fault().mend


def test_a_folder_that_lgpio_may_not_write_to_is_named(pi: BenchPi, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoPipe:
        """lgpio makes a pipe in the working folder when it is imported, and opens it."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == "gpiozero.pins.lgpio":
                raise FileNotFoundError(errno.ENOENT, "No such file or directory", ".lgd-nfy-3")

    monkeypatch.setattr(sys, "meta_path", [NoPipe(), *sys.meta_path])
    refused = fault()
    assert refused.got.startswith("No such file or directory in ") and "folder it may write to" in refused.mend


def test_a_bus_that_fails_in_the_middle_of_a_game_is_a_fault_and_recovers(pi: BenchPi) -> None:
    BenchBoard(pi, strips=3)
    board = open_pi_board(WIRING)
    pi.refused["/dev/spidev0.0"] = errno.ENODEV
    with pytest.raises(DriverFault, match="/dev/spidev0.0 to open, got no such device"):
        board.sensors.scan()
    pi.refused.clear()
    assert board.sensors.scan() == frozenset()
    board.close()


def test_a_board_starts_with_a_broken_chain_and_says_so_at_each_scan(pi: BenchPi) -> None:
    wood = BenchBoard(pi, strips=3)
    wood.strips.floats[2] = 1
    board = open_pi_board(WIRING)
    for _ in range(2):
        with pytest.raises(DriverFault, match="Chain fault at strip 3"):
            board.sensors.scan()
    wood.strips.floats.clear()
    assert board.sensors.scan() == frozenset()
    board.close()


def test_lines_are_named_as_the_wiring_names_them(pi: BenchPi, header: Header) -> None:
    with pytest.raises(LookupError, match="trumpet"):
        header.output("trumpet")
