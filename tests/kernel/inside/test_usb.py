"""The scanner's driver on a USB tty that Debian's own kernel finds, loses and finds again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from board_drivers.ports import DriverError, SensorFrame
from board_drivers.serial_port import PortInfo, SerialCable, find_ports
from board_drivers.serial_scanner import AUTO, BAUD, SerialScanner, port_finder
from tests.board_drivers.cables import EMPTY_STRIP
from tests.kernel.inside.conftest import Start
from tests.kernel.inside.program import State
from tests.kernel.inside.usb_plug import SERIAL_NUMBER, ScannerAtFarEnd, UsbPlug

STRIPS = 25
FIRST, SECOND = Path("/dev/ttyACM0"), Path("/dev/ttyACM1")
SCAN_S, TIMEOUT_S = 0.02, 300.0
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
    wait_until(FIRST.exists, "the kernel to find it")
    yield plug
    plug.unplug()
    wait_until(lambda: not FIRST.exists() and not SECOND.exists(), "the kernel to remove it")


@pytest.fixture
def scanner(plugged: UsbPlug) -> Iterator[SerialScanner]:
    scanner = SerialScanner(port_finder(AUTO), STRIPS)
    wait_until(lambda: scan(scanner) == PEG, "the peg")
    yield scanner
    scanner.close()


def scan(scanner: SerialScanner) -> SensorFrame | str:
    """The frame, or the device and the `got` of the fault."""
    try:
        return scanner.scan()
    except DriverError as fault:
        return f"{fault.device}: {fault.got}"


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    end_s = monotonic() + TIMEOUT_S
    while not is_so():
        assert monotonic() < end_s, f"expected {what}"
        sleep(SCAN_S)


def test_port_is_found_by_its_usb_ids(plugged: UsbPlug) -> None:
    assert find_ports() == [PortInfo(str(FIRST), "Arduino Uno", SERIAL_NUMBER)]


def test_moved_peg_is_seen(scanner: SerialScanner, far_end: ScannerAtFarEnd) -> None:
    far_end.set_strip(3, EMPTY_STRIP)
    wait_until(lambda: scan(scanner) == frozenset(), "an empty board")
    far_end.set_strip(24, PEG_IN_STRIP_3)
    wait_until(lambda: scan(scanner) == frozenset({8 * 24 + 7}), "a peg in the last strip")
    assert scanner.session.corrupt_frames == 0


def test_unplugged_scanner_is_lost_and_found_again(scanner: SerialScanner, plugged: UsbPlug) -> None:
    plugged.unplug()
    wait_until(lambda: str(scan(scanner)).startswith(("Board lost", "No scanner")), "the scanner to be lost")
    wait_until(lambda: not FIRST.exists(), "its port to go")
    plugged.plug_in()
    wait_until(lambda: scan(scanner) == PEG, "the peg again")
    assert FIRST.exists(), "the driver kept the old port open"


def test_scanner_is_found_under_another_name(scanner: SerialScanner, plugged: UsbPlug) -> None:
    """The kernel does not reuse the old name while a program has the old port open."""
    held = os.open(FIRST, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    plugged.unplug()
    wait_until(lambda: isinstance(scan(scanner), str), "the scanner to be lost")
    plugged.plug_in()
    wait_until(SECOND.exists, "the kernel to find it")
    wait_until(lambda: scan(scanner) == PEG, "the peg again")
    os.close(held)


def test_silent_scanner_is_lost(scanner: SerialScanner, far_end: ScannerAtFarEnd) -> None:
    far_end.silenced.set()
    wait_until(lambda: scan(scanner) == "Board lost: silence", "the scanner to be lost")
    far_end.silenced.clear()
    wait_until(lambda: scan(scanner) == PEG, "the peg again")


def test_other_device_is_no_scanner(plugged: UsbPlug, far_end: ScannerAtFarEnd) -> None:
    far_end.chatter = b"$GPGGA,123519,4807.038,N\r\n"
    scanner = SerialScanner(port_finder(AUTO), STRIPS)
    wait_until(lambda: "bytes of something else" in str(scan(scanner)), "the device to be refused")
    far_end.chatter = b""
    wait_until(lambda: scan(scanner) == PEG, "the peg")
    scanner.close()


def test_port_held_by_another_program_raises(plugged: UsbPlug) -> None:
    other = SerialCable(str(FIRST), BAUD)
    with pytest.raises(DriverError) as caught:
        SerialCable(str(FIRST), BAUD)
    other.close()
    assert str(FIRST) in str(caught.value)
    print(caught.value)


def test_program_waits_while_the_scanner_is_unplugged(plugged: UsbPlug, far_end: ScannerAtFarEnd, start: Start) -> None:
    """The unchanged program, on a computer without a header."""
    program = start(gpio=False, scanner=AUTO)
    program.wait_until_open()
    program.wait_for(lambda now: not now["fault"] and sensors_in(now) == PEG, "the peg on the panel")
    plugged.unplug()
    program.wait_for(lambda now: now["fault"].startswith(("Board lost", "No scanner")), "the scanner to be lost")
    plugged.plug_in()
    program.wait_for(lambda now: not now["fault"] and sensors_in(now) == PEG, "the peg again")
    far_end.set_strip(3, EMPTY_STRIP)
    program.wait_for(lambda now: sensors_in(now) == frozenset(), "an empty board")


def sensors_in(state: State) -> SensorFrame:
    return frozenset(peg["sensor"] for peg in state["pegs"])
