"""The scanner's driver on the tty of a USB device that Debian's own kernel finds, loses and finds again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from board_drivers.ports import DriverFault, SensorFrame
from board_drivers.serial_port import PortFound, SerialCable, ports_found
from board_drivers.serial_scanner import AUTO, BAUD, SerialScanner, finder
from tests.drivers.cables import EMPTY_STRIP
from tests.kernel.inside.conftest import Start
from tests.kernel.inside.program import State
from tests.kernel.inside.usb_plug import SERIAL_NUMBER, ScannerAtFarEnd, UsbPlug

STRIPS = 25
FIRST, SECOND = Path("/dev/ttyACM0"), Path("/dev/ttyACM1")
SCAN_S, PATIENCE_S = 0.02, 300.0
PEG = frozenset({8 * 3 + 7})
PEG_IN_STRIP_3 = EMPTY_STRIP & ~1


@pytest.fixture(scope="module")
def plug() -> UsbPlug:
    return UsbPlug()


@pytest.fixture(scope="module")
def far_end(plug: UsbPlug) -> ScannerAtFarEnd:
    return ScannerAtFarEnd(STRIPS)


@pytest.fixture
def plugged(plug: UsbPlug, far_end: ScannerAtFarEnd) -> Iterator[UsbPlug]:
    """At /dev/ttyACM0, with a peg over one hole."""
    far_end.bench.state[:] = [EMPTY_STRIP] * STRIPS
    far_end.bench.state[3] = PEG_IN_STRIP_3
    plug.plug_in()
    until(FIRST.exists, "the kernel to find it")
    yield plug
    plug.unplug()
    until(lambda: not FIRST.exists() and not SECOND.exists(), "the kernel to miss it")


@pytest.fixture
def scanner(plugged: UsbPlug) -> Iterator[SerialScanner]:
    scanner = SerialScanner(finder(AUTO), STRIPS)
    until(lambda: seen(scanner) == PEG, "the peg")
    yield scanner
    scanner.close()


def seen(scanner: SerialScanner) -> SensorFrame | str:
    """The pegs, or the device that is at fault and what was got of it."""
    try:
        return scanner.scan()
    except DriverFault as fault:
        return f"{fault.device}: {fault.got}"


def until(is_so: Callable[[], bool], what: str) -> None:
    end_s = monotonic() + PATIENCE_S
    while not is_so():
        assert monotonic() < end_s, f"expected {what}"
        sleep(SCAN_S)


def test_it_is_known_by_its_ids(plugged: UsbPlug) -> None:
    assert ports_found() == [PortFound(str(FIRST), "Arduino Uno", SERIAL_NUMBER)]


def test_a_peg_that_moves_is_seen(scanner: SerialScanner, far_end: ScannerAtFarEnd) -> None:
    far_end.put(3, EMPTY_STRIP)
    until(lambda: seen(scanner) == frozenset(), "an empty board")
    far_end.put(24, PEG_IN_STRIP_3)
    until(lambda: seen(scanner) == frozenset({8 * 24 + 7}), "a peg in the last strip")
    assert scanner.talk.spoiled == 0


def test_unplugged_it_is_missed_and_plugged_in_again_it_is_found(scanner: SerialScanner, plugged: UsbPlug) -> None:
    plugged.unplug()
    until(lambda: str(seen(scanner)).startswith(("Board lost", "No scanner")), "it to be missed")
    until(lambda: not FIRST.exists(), "its port to go")
    plugged.plug_in()
    until(lambda: seen(scanner) == PEG, "the peg again")
    assert FIRST.exists(), "the driver kept the old port open"


def test_it_is_found_under_another_name(scanner: SerialScanner, plugged: UsbPlug) -> None:
    """The kernel gives the old name to nobody else while some program has the old port open."""
    held = os.open(FIRST, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    plugged.unplug()
    until(lambda: isinstance(seen(scanner), str), "it to be missed")
    plugged.plug_in()
    until(SECOND.exists, "the kernel to find it")
    until(lambda: seen(scanner) == PEG, "the peg again")
    os.close(held)


def test_a_scanner_that_falls_silent_is_missed(scanner: SerialScanner, far_end: ScannerAtFarEnd) -> None:
    far_end.silenced.set()
    until(lambda: seen(scanner) == "Board lost: silence", "it to be missed")
    far_end.silenced.clear()
    until(lambda: seen(scanner) == PEG, "the peg again")


def test_another_device_is_no_scanner(plugged: UsbPlug, far_end: ScannerAtFarEnd) -> None:
    far_end.chatter = b"$GPGGA,123519,4807.038,N\r\n"
    scanner = SerialScanner(finder(AUTO), STRIPS)
    until(lambda: "bytes of something else" in str(seen(scanner)), "it to be told")
    far_end.chatter = b""
    until(lambda: seen(scanner) == PEG, "the peg")
    scanner.close()


def test_a_port_that_another_program_holds(plugged: UsbPlug) -> None:
    other = SerialCable(str(FIRST), BAUD)
    with pytest.raises(DriverFault) as caught:
        SerialCable(str(FIRST), BAUD)
    other.close()
    assert str(FIRST) in str(caught.value)
    print(caught.value)


def test_a_game_that_waits_while_the_board_is_away(plugged: UsbPlug, far_end: ScannerAtFarEnd, start: Start) -> None:
    """The unchanged program, on a computer without a header."""
    program = start(header=False, scanner=AUTO)
    program.wait_until_open()
    program.wait_for(lambda now: not now["trouble"] and sensors_in(now) == PEG, "the peg on the panel")
    plugged.unplug()
    program.wait_for(lambda now: now["trouble"].startswith(("Board lost", "No scanner")), "it to be missed")
    plugged.plug_in()
    program.wait_for(lambda now: not now["trouble"] and sensors_in(now) == PEG, "the peg again")
    far_end.put(3, EMPTY_STRIP)
    program.wait_for(lambda now: sensors_in(now) == frozenset(), "an empty board")


def sensors_in(state: State) -> SensorFrame:
    return frozenset(peg["sensor"] for peg in state["pegs"])
