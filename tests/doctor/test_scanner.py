"""The scanner check: the right scanner, another device, other firmware, another board, no port."""

from __future__ import annotations

import pytest

from board_drivers.serial_scanner import SerialScanner
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings_sources import load_settings
from firmware_host.doctor.findings import DoctorContext, Finding, Verdict
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.scanner import check_scanner, probe_scanner
from tests.board_drivers.cables import BenchCable, BenchPorts, BenchScanner

PORT = "/dev/ttyUSB0"
STRIPS = 25


class ReopeningDesk(BenchPorts):
    """Its ports can be opened again after they were closed."""

    def open(self, path: str, baud: int) -> BenchCable:
        cable = super().open(path, baud)
        cable.is_closed = False
        return cable


class GpsReceiver(BenchCable):
    """Sends without a pause, in another protocol."""

    def read(self) -> bytes:
        return b"$GPGGA,201500,4807.038,N\r\n"


@pytest.fixture
def desk() -> BenchPorts:
    return ReopeningDesk()


def probe(desk: BenchPorts) -> Finding:
    settings = load_settings(None, {}, {"state_folder": "/none", "simulate": False, "scanner": "auto"})

    def wait(pause_s: float) -> None:
        desk.now_s += pause_s

    scanner = SerialScanner(desk.find, STRIPS, open_cable=desk.open, clock=desk.clock)
    return probe_scanner(scanner, DoctorContext(ThisMachine(), settings, load_plan("classic-61")), desk.clock, wait)


def plugged_in(desk: BenchPorts, strips: int = STRIPS) -> BenchScanner:
    scanner = BenchScanner(strips)
    desk.plugged[PORT] = scanner.cable
    return scanner


def test_scanner_is_reported_with_its_firmware(desk: BenchPorts) -> None:
    scanner = plugged_in(desk)
    scanner.hello()
    scanner.snapshot()
    found = probe(desk)
    assert (found.verdict, found.got) == (Verdict.OK, "firmware 1.0, 25 strips, 0 magnets")


def test_another_device_on_the_port_is_reported(desk: BenchPorts) -> None:
    desk.plugged[PORT] = GpsReceiver()
    found = probe(desk)
    assert found.verdict is Verdict.FAULT and "bytes of something else" in found.got and "settings" in found.fix


def test_other_protocol_is_reported_with_both_versions(desk: BenchPorts) -> None:
    scanner = plugged_in(desk)
    scanner.hello(protocol=9)
    scanner.snapshot()
    found = probe(desk)
    assert found.verdict is Verdict.FAULT and "hole-scan/9" in found.got and "Flash the firmware" in found.fix


def test_scanner_of_another_board_is_reported_with_both_counts(desk: BenchPorts) -> None:
    scanner = plugged_in(desk, strips=51)
    scanner.hello()
    scanner.snapshot()
    found = probe(desk)
    assert found.verdict is Verdict.FAULT and "51" in found.got and "25" in found.expected


def test_silent_port_is_reported(desk: BenchPorts) -> None:
    desk.plugged[PORT] = BenchCable()
    assert probe(desk).got == "No scanner: nothing"


def test_missing_port_is_reported(desk: BenchPorts) -> None:
    found = probe(desk)
    assert found.verdict is Verdict.FAULT and found.got == "No scanner: none"


def test_board_on_the_header_has_no_scanner_check() -> None:
    settings = load_settings(None, {}, {"state_folder": "/none", "simulate": False})
    assert list(check_scanner(DoctorContext(ThisMachine(), settings, load_plan("classic-61")))) == []
