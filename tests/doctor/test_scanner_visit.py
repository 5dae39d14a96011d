"""The doctor asks the scanner: the right one, another device, other firmware, another board, nobody."""

from __future__ import annotations

import pytest

from board_drivers.serial_scanner import SerialScanner
from firmware_host.doctor.findings import Finding, Patient, Verdict
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.scanner import ask, check_scanner
from firmware_host.plans import load_plan
from firmware_host.settings import load_settings
from tests.drivers.cables import BenchCable, BenchScanner, Desk

PORT = "/dev/ttyUSB0"
STRIPS = 25


class PatientDesk(Desk):
    """Its ports may be opened again."""

    def open(self, path: str, baud: int) -> BenchCable:
        cable = super().open(path, baud)
        cable.is_closed = False
        return cable


class Satellites(BenchCable):
    """A receiver of GPS, which never stops talking."""

    def read(self) -> bytes:
        return b"$GPGGA,201500,4807.038,N\r\n"


@pytest.fixture
def desk() -> Desk:
    return PatientDesk()


def visit(desk: Desk) -> Finding:
    settings = load_settings(None, {}, {"state_folder": "/none", "simulate": False, "scanner": "auto"})

    def wait(pause_s: float) -> None:
        desk.now_s += pause_s

    scanner = SerialScanner(desk.find, STRIPS, open_cable=desk.open, clock=desk.clock)
    return ask(scanner, Patient(ThisMachine(), settings, load_plan("classic-61")), desk.clock, wait)


def plugged_in(desk: Desk, strips: int = STRIPS) -> BenchScanner:
    scanner = BenchScanner(strips)
    desk.ports[PORT] = scanner.cable
    return scanner


def test_a_scanner_that_says_hello_is_told_with_its_firmware(desk: Desk) -> None:
    scanner = plugged_in(desk)
    scanner.hello()
    scanner.snapshot()
    found = visit(desk)
    assert (found.verdict, found.got) == (Verdict.OK, "firmware 1.0, 25 strips, 0 magnets")


def test_another_device_on_the_port_is_told(desk: Desk) -> None:
    desk.ports[PORT] = Satellites()
    found = visit(desk)
    assert found.verdict is Verdict.MEND and "bytes of something else" in found.got and "settings" in found.mend


def test_other_firmware_is_told_with_both_versions(desk: Desk) -> None:
    scanner = plugged_in(desk)
    scanner.hello(protocol=9)
    scanner.snapshot()
    found = visit(desk)
    assert found.verdict is Verdict.MEND and "hole-scan/9" in found.got and "Flash the firmware" in found.mend


def test_a_scanner_of_another_board_is_told_with_both_counts(desk: Desk) -> None:
    scanner = plugged_in(desk, strips=51)
    scanner.hello()
    scanner.snapshot()
    found = visit(desk)
    assert found.verdict is Verdict.MEND and "51" in found.got and "25" in found.expected


def test_a_port_that_says_nothing_is_told(desk: Desk) -> None:
    desk.ports[PORT] = BenchCable()
    assert visit(desk).got == "No scanner: nothing"


def test_no_port_at_all_is_told(desk: Desk) -> None:
    found = visit(desk)
    assert found.verdict is Verdict.MEND and found.got == "No scanner: none"


def test_a_board_on_the_header_has_no_scanner_to_ask() -> None:
    settings = load_settings(None, {}, {"state_folder": "/none", "simulate": False})
    assert list(check_scanner(Patient(ThisMachine(), settings, load_plan("classic-61")))) == []
