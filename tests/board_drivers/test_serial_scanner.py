"""The scanner's driver: which frames it accepts, which faults it raises, and how it finds the scanner again."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from board_drivers.ports import DriverError
from board_drivers.scan_protocol import FrameDecoder, Kind
from board_drivers.scanner_session import HELLO_S, SILENCE_S
from board_drivers.serial_port import PortInfo, bridge_name, find_ports
from board_drivers.serial_scanner import RETRY_S, SerialScanner, port_finder
from tests.board_drivers.cables import BenchCable, BenchPorts, BenchScanner

STRIPS = 3
PORT = "/dev/ttyUSB0"
PEG_IN_STRIP_1 = 0xBF & ~0x10
"""Sensor 8 + 3."""


@pytest.fixture
def ports() -> BenchPorts:
    return BenchPorts()


@pytest.fixture
def bench(ports: BenchPorts) -> BenchScanner:
    """A scanner that is plugged in and has not sent anything."""
    bench = BenchScanner(STRIPS)
    ports.plugged[PORT] = bench.cable
    return bench


@pytest.fixture
def scanner(ports: BenchPorts, bench: BenchScanner) -> SerialScanner:
    return SerialScanner(ports.find, STRIPS, open_cable=ports.open, clock=ports.clock)


@pytest.fixture
def live(scanner: SerialScanner, bench: BenchScanner) -> SerialScanner:
    """A driver whose scanner has sent its hello and a first snapshot of an empty board."""
    bench.hello()
    bench.snapshot()
    assert scanner.scan() == frozenset()
    return scanner


def fault_of(scanner: SerialScanner) -> DriverError:
    with pytest.raises(DriverError) as caught:
        scanner.scan()
    assert caught.value.fix.endswith(".")
    return caught.value


# Which frames are accepted


def test_change_moves_a_peg_at_once_and_the_snapshot_agrees(live: SerialScanner, bench: BenchScanner) -> None:
    bench.change(1, PEG_IN_STRIP_1)
    frame = live.scan()
    assert frame == {11}
    bench.snapshot()
    assert live.scan() is frame


def test_change_after_a_lost_frame_waits_for_the_next_snapshot(live: SerialScanner, bench: BenchScanner) -> None:
    bench.lose_frame()
    bench.change(1, PEG_IN_STRIP_1)
    assert live.scan() == frozenset()
    bench.snapshot()
    assert live.scan() == {11}
    bench.change(1, 0xBF)
    assert live.scan() == frozenset(), "in sequence again"


def test_change_that_does_not_start_from_the_known_state_is_ignored(live: SerialScanner, bench: BenchScanner) -> None:
    bench.send(Kind.CHANGE, bytes([0, 0, 0, 0, 1, 0xAA, PEG_IN_STRIP_1]))
    bench.send(Kind.CHANGE, bytes([0, 0, 0, 0, STRIPS, 0xBF, PEG_IN_STRIP_1]))
    assert live.scan() == frozenset()


def test_frame_that_fails_its_crc_is_ignored(live: SerialScanner, bench: BenchScanner) -> None:
    bench.state[1] = PEG_IN_STRIP_1
    bench.snapshot(is_corrupt=True)
    assert live.scan() == frozenset() and live.session.corrupt_frames == 1
    bench.snapshot()
    assert live.scan() == {11}


def test_corrupt_frame_is_answered_with_a_ping_whose_pong_keeps_the_board(
    ports: BenchPorts, live: SerialScanner, bench: BenchScanner
) -> None:
    """Half of the long snapshots of a large board are corrupt on a noisy cable, but few of the short pongs."""
    sent = len(bench.cable.sent)
    for _ in range(10):
        ports.now_s += SILENCE_S / 2
        bench.snapshot(is_corrupt=True)
        assert live.scan() == frozenset()
        (request,) = FrameDecoder().feed(bytes(bench.cable.sent[sent:]))
        assert request.kind == Kind.PING
        sent = len(bench.cable.sent)
        bench.send(Kind.PONG, b"")
        live.scan()
    assert ports.opened == [PORT]


def test_scanner_whose_frames_are_all_corrupt_is_lost(
    ports: BenchPorts, live: SerialScanner, bench: BenchScanner
) -> None:
    for _ in range(2):
        ports.now_s += SILENCE_S / 2
        bench.snapshot(is_corrupt=True)
        assert live.scan() == frozenset()
    ports.now_s += SILENCE_S / 2
    bench.snapshot(is_corrupt=True)
    assert fault_of(live).device == "Board lost"


def test_spare_input_is_no_peg(live: SerialScanner, bench: BenchScanner) -> None:
    before = live.scan()
    bench.change(0, 0xBF & ~0x20)
    assert live.scan() is before


def test_reset_restarts_the_sequence(live: SerialScanner, bench: BenchScanner) -> None:
    bench.hello()
    assert fault_of(live).device == "Scanner starting"
    bench.snapshot()
    bench.change(2, PEG_IN_STRIP_1)
    assert live.scan() == {19}


def test_unknown_kinds_of_frames_are_ignored(live: SerialScanner, bench: BenchScanner) -> None:
    bench.send(ord("Z"), b"something new")
    bench.change(1, PEG_IN_STRIP_1)
    assert live.scan() == {11}


# Which faults are raised


def test_scanner_is_starting_until_its_hello(ports: BenchPorts, scanner: SerialScanner) -> None:
    assert fault_of(scanner).device == "Scanner starting"
    ports.now_s += HELLO_S
    assert fault_of(scanner).device == "Scanner starting"
    assert ports.opened == [PORT]


def test_device_without_a_hello_is_no_scanner(ports: BenchPorts, bench: BenchScanner, scanner: SerialScanner) -> None:
    bench.cable.incoming += b"$GPGGA,0\0\r\n"
    fault_of(scanner)
    ports.now_s += HELLO_S + 0.1
    fault = fault_of(scanner)
    assert (fault.device, fault.got) == ("No scanner", "11 bytes of something else")
    assert bench.cable.is_closed


def test_scanner_that_is_already_running_is_asked_for_its_hello(
    ports: BenchPorts, bench: BenchScanner, scanner: SerialScanner
) -> None:
    bench.snapshot()
    fault_of(scanner)
    (request,) = FrameDecoder().feed(bytes(bench.cable.sent))
    assert request.kind == Kind.ASK_HELLO
    bench.hello()
    bench.snapshot()
    assert scanner.scan() == frozenset()


def test_silent_scanner_is_lost_and_its_port_is_closed_at_once(
    ports: BenchPorts, live: SerialScanner, bench: BenchScanner
) -> None:
    ports.now_s += SILENCE_S
    live.scan()
    ports.now_s += 0.1
    assert fault_of(live).device == "Board lost"
    assert bench.cable.is_closed


def test_busy_host_reads_buffered_frames_before_it_calls_the_scanner_lost(
    ports: BenchPorts, live: SerialScanner, bench: BenchScanner
) -> None:
    ports.now_s += 10
    bench.snapshot()
    assert live.scan() == frozenset()


def test_other_protocol_is_refused_with_a_fix_and_the_port_stays_open(
    ports: BenchPorts, scanner: SerialScanner, bench: BenchScanner
) -> None:
    bench.hello(protocol=2)
    bench.snapshot()
    fault = fault_of(scanner)
    assert (fault.expected, fault.got) == ("hole-scan/1", "hole-scan/2") and "flash" in fault.fix
    ports.now_s += 60
    assert fault_of(scanner).got == "hole-scan/2"
    assert ports.opened == [PORT], "opening it again would only reset the scanner"


@pytest.mark.parametrize(
    ("payload", "device"),
    [
        (bytes([1, 2, 0x7F]), "Chain fault at strip 3"),
        (bytes([1, 0, 0x00]), "Sensor chain silent"),
        (bytes([1, 0, 0xFF]), "Sensor chain silent"),
        (bytes([1, 0, 0x41]), "Chain fault at strip 1"),
    ],
)
def test_broken_chain_has_the_same_fault_as_on_the_pi(
    live: SerialScanner, bench: BenchScanner, payload: bytes, device: str
) -> None:
    bench.send(Kind.ERROR, payload)
    fault = fault_of(live)
    assert fault.device == device
    bench.snapshot()
    assert live.scan() == frozenset()


@pytest.mark.parametrize(("strips", "device"), [(2, "Chain fault at strip 3"), (4, "Chain too long")])
def test_chain_of_another_length_is_reported_with_both_counts(
    scanner: SerialScanner, bench: BenchScanner, strips: int, device: str
) -> None:
    bench.state = [0xBF] * strips
    bench.hello()
    bench.snapshot()
    fault = fault_of(scanner)
    assert (fault.device, fault.expected) == (device, f"{STRIPS} strips")


def test_traceback_of_a_repeated_fault_does_not_grow(scanner: SerialScanner) -> None:
    fault = fault_of(scanner)
    for _ in range(10):
        assert fault_of(scanner) is fault
    depth, trace = 0, fault.__traceback__
    while trace:
        depth, trace = depth + 1, trace.tb_next
    assert depth <= 3


# How the scanner is found again


def test_unplugged_scanner_is_found_under_another_name(
    ports: BenchPorts, live: SerialScanner, bench: BenchScanner
) -> None:
    bench.cable.is_unplugged = True
    fault = fault_of(live)
    assert (fault.device, fault.got) == ("Board lost", "input/output error")
    assert bench.cable.is_closed
    del ports.plugged[PORT]
    missing = fault_of(live)
    assert (missing.device, missing.got) == ("Board lost", "none")
    bench.cable = ports.plugged["/dev/ttyUSB1"] = BenchCable()
    ports.now_s += RETRY_S
    bench.hello()
    bench.change(1, PEG_IN_STRIP_1)
    bench.snapshot()
    assert live.scan() == {11}
    assert ports.opened == [PORT, "/dev/ttyUSB1"]


def test_lost_board_stays_lost_until_the_next_snapshot(
    ports: BenchPorts, live: SerialScanner, bench: BenchScanner
) -> None:
    ports.now_s += SILENCE_S + 0.1
    assert fault_of(live).device == "Board lost"
    bench.cable = ports.plugged[PORT] = BenchCable()
    assert fault_of(live).device == "Board lost"
    bench.hello()
    bench.snapshot()
    assert live.scan() == frozenset()


def test_every_port_is_tried_in_turn(ports: BenchPorts, scanner: SerialScanner, bench: BenchScanner) -> None:
    ports.plugged = {"/dev/ttyUSB7": BenchCable(), PORT: bench.cable}
    fault_of(scanner)
    ports.now_s += HELLO_S + 0.1
    assert fault_of(scanner).device == "No scanner"
    ports.now_s += RETRY_S
    bench.hello()
    bench.snapshot()
    assert scanner.scan() == frozenset()
    assert ports.opened == ["/dev/ttyUSB7", PORT]


def test_device_with_the_same_serial_number_is_tried_first(
    ports: BenchPorts, scanner: SerialScanner, bench: BenchScanner
) -> None:
    ports.serials[PORT] = "A601"
    bench.hello()
    bench.snapshot()
    scanner.scan()
    bench.cable.is_unplugged = True
    fault_of(scanner)
    ports.plugged = {PORT: BenchCable(), "/dev/ttyUSB2": BenchCable()}
    ports.serials = {PORT: "B999", "/dev/ttyUSB2": "A601"}
    fault_of(scanner)
    assert ports.opened[-1] == "/dev/ttyUSB2"


def test_port_that_cannot_be_opened_raises_and_is_retried(ports: BenchPorts) -> None:
    scanner = SerialScanner(port_finder("/dev/serial/by-id/scanner"), STRIPS, open_cable=ports.open, clock=ports.clock)
    assert fault_of(scanner).expected == "/dev/serial/by-id/scanner to open"
    bench = BenchScanner(STRIPS)
    ports.plugged["/dev/serial/by-id/scanner"] = bench.cable
    fault_of(scanner)
    assert ports.opened == [], "it is retried once a second at most"
    ports.now_s += RETRY_S
    bench.hello()
    bench.snapshot()
    assert scanner.scan() == frozenset()


def test_closed_scanner_opens_no_port(ports: BenchPorts, live: SerialScanner, bench: BenchScanner) -> None:
    live.close()
    live.close()
    ports.now_s += 60
    live.scan()
    assert bench.cable.is_closed and ports.opened == [PORT]


def test_ports_are_recognised_by_their_usb_chips(monkeypatch: pytest.MonkeyPatch) -> None:
    def port(path: str, vid: int | None, pid: int | None, serial: str | None) -> SimpleNamespace:
        return SimpleNamespace(device=path, vid=vid, pid=pid, serial_number=serial)

    present = [
        port("/dev/ttyS0", None, None, None),
        port("/dev/ttyUSB0", 0x1A86, 0x7523, None),
        port("/dev/ttyUSB1", 0x0403, 0x6001, "A601"),
        port("/dev/ttyACM0", 0x046D, 0xC52B, "mouse"),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: present)
    expected = [PortInfo("/dev/ttyUSB0", "WCH CH340"), PortInfo("/dev/ttyUSB1", "FTDI FT232R", "A601")]
    assert find_ports() == expected


@pytest.mark.parametrize(
    ("vendor", "product", "name"),
    [
        (0x1A86, 0x7523, "WCH CH340"),
        (0x1A86, 0x55D4, "WCH CH9102"),
        (0x1A86, 0x0001, ""),
        (0x0403, 0x6001, "FTDI FT232R"),
        (0x2341, 0x0043, "Arduino Uno"),
        (0x2341, 0x0058, "Arduino"),
        (0x2E8A, 0x000A, "Raspberry Pi RP2040"),
        (0x303A, 0x1001, "Espressif ESP32"),
        (None, None, ""),
    ],
)
def test_usual_usb_chips_are_known(vendor: int | None, product: int | None, name: str) -> None:
    assert bridge_name(vendor, product) == name


def test_excluded_port_is_never_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    present = [PortInfo("/dev/ttyUSB0", "WCH CH340"), PortInfo("/dev/ttyUSB1", "WCH CH340")]
    monkeypatch.setattr("board_drivers.serial_scanner.find_ports", lambda: present)
    assert port_finder("auto", exclude="/dev/ttyUSB1")() == present[:1]
