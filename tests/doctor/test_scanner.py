"""The scanner check: the right scanner, another device, other firmware, another board, no port."""

from __future__ import annotations

import pytest

from board_drivers.serial_port import PortInfo
from board_drivers.serial_scanner import SerialScanner
from board_drivers.simulated_sensing_board import SimulatedSensingBoard
from firmware_host.config.board_plans import load_plan
from firmware_host.config.matrix_wiring import matrix_wiring
from firmware_host.config.settings_sources import load_settings
from firmware_host.doctor.findings import DoctorContext, Finding, Verdict
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.scanner import check_scanner, probe_all, probe_scanner
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


class SensingDesk:
    """A simulated sensing board for the classic plan, with a clock that waiting moves."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.board = SimulatedSensingBoard(8, 125, self.clock)

    def clock(self) -> float:
        return self.now_s

    def wait(self, pause_s: float) -> None:
        self.now_s += pause_s

    def findings(self, **options: object) -> dict[str, Finding]:
        options = {"state_folder": "/none", "scanner": "auto", "kit": "sensing", **options}
        settings = load_settings(None, {}, options)
        plan = load_plan("classic-61")
        scanner = SerialScanner(
            lambda: [PortInfo(PORT, "WCH CH340")],
            STRIPS,
            matrix=matrix_wiring(plan, plan),
            open_cable=lambda path, baud: self.board,
            clock=self.clock,
        )
        context = DoctorContext(ThisMachine(), settings, plan)
        return {found.about: found for found in probe_all(scanner, context, self.clock, self.wait)}


def test_sensing_board_is_reported_with_its_currents() -> None:
    found = SensingDesk().findings()
    assert {about: finding.verdict for about, finding in found.items()} == {
        "scanner": Verdict.OK,
        "supply": Verdict.NOTE,
        "lights": Verdict.OK,
        "columns": Verdict.OK,
    }
    assert found["scanner"].got == "sensing board, firmware 1.2, 8 columns, 0 magnets"
    assert (found["supply"].got, found["columns"].got) == ("500 mA", "40 to 40 mA")


def test_display_at_the_sensing_board_is_reported_with_its_address() -> None:
    desk = SensingDesk()
    desk.board.display = lambda address, _block: address == 0x3D
    found = desk.findings()["display"]
    assert (found.verdict, found.got) == (Verdict.OK, "a display answers at 0x3d on J3 of the circuit board")


def test_dead_column_is_reported_with_its_holes() -> None:
    desk = SensingDesk()
    desk.board.dead_columns = {1}
    found = desk.findings()
    assert found["scanner"].verdict is Verdict.FAULT and found["scanner"].got == "Sensor column 2: 0 mA"
    assert "red 16 to 30, blue back start" in found["scanner"].expected


def test_kit_lights_needs_no_switches_on_the_sensing_board() -> None:
    desk = SensingDesk()
    desk.board.dead_columns = set(range(8))
    desk.board.column_ma = []
    found = desk.findings(kit="lights", lights="usb")
    assert found["scanner"].got == "sensing board, firmware 1.2; its switches are not used"
    assert {about: finding.verdict for about, finding in found.items()} == {
        "scanner": Verdict.OK,
        "supply": Verdict.NOTE,
        "lights": Verdict.OK,
    }


def test_shorted_row_is_reported_with_its_holes() -> None:
    desk = SensingDesk()
    desk.board.shorted_rows = {4}
    assert "red 5, red 20" in desk.findings()["scanner"].fix


def test_broken_chain_of_lights_is_reported() -> None:
    desk = SensingDesk()
    desk.board.is_light_chain_cut = True
    assert desk.findings()["lights"].verdict is Verdict.FAULT


def test_column_with_a_dead_switch_is_a_warning() -> None:
    desk = SensingDesk()
    desk.board.column_ma[5] = 26
    found = desk.findings()["column"]
    assert (found.verdict, found.got) == (Verdict.WARNING, "26 mA into column 6") and "blue" in found.fix


def test_one_switch_without_power_is_found_beside_the_other_columns() -> None:
    desk = SensingDesk()
    desk.board.column_ma = [43, 44, 40, 43, 42, 41, 40, 40]
    found = desk.findings()
    assert found["column"].got == "40 mA into column 3" and "43 mA into this one" in found["column"].expected
    assert "red 46 to 60, game hole" in found["column"].fix and "columns" not in found


def test_columns_of_fifteen_switches_are_not_short_of_one() -> None:
    desk = SensingDesk()
    desk.board.column_ma = [43, 43, 43, 43, 43, 40, 40, 40]
    assert desk.findings()["columns"].verdict is Verdict.OK


def test_sensing_board_of_another_size_is_reported() -> None:
    desk = SensingDesk()
    desk.board = SimulatedSensingBoard(16, 245, desk.clock)
    assert desk.findings()["scanner"].got == "Another board: 16"


def test_board_on_the_header_has_no_scanner_check() -> None:
    settings = load_settings(None, {}, {"state_folder": "/none", "simulate": False})
    assert list(check_scanner(DoctorContext(ThisMachine(), settings, load_plan("classic-61")))) == []
