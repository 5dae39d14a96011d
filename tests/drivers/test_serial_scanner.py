"""The scanner on its cable: what is believed, what is said when it cannot be, and how it is found again."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from board_drivers.hole_scan import FrameDecoder, Kind
from board_drivers.ports import DriverFault
from board_drivers.scanner_talk import HELLO_S, SILENCE_S
from board_drivers.serial_port import PortFound, ports_found
from board_drivers.serial_scanner import RETRY_S, SerialScanner, finder
from tests.drivers.cables import BenchCable, BenchScanner, Desk

STRIPS = 3
HOME = "/dev/ttyUSB0"
PEG_IN_STRIP_1 = 0xBF & ~0x10
"""Sensor 8 + 3."""


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def bench(desk: Desk) -> BenchScanner:
    """A scanner that is plugged in, and has not said a word."""
    bench = BenchScanner(STRIPS)
    desk.ports[HOME] = bench.cable
    return bench


@pytest.fixture
def scanner(desk: Desk, bench: BenchScanner) -> SerialScanner:
    return SerialScanner(desk.find, STRIPS, open_cable=desk.open, clock=desk.clock)


@pytest.fixture
def live(scanner: SerialScanner, bench: BenchScanner) -> SerialScanner:
    """It has said hello, and sent a first snapshot of an empty board."""
    bench.hello()
    bench.snapshot()
    assert scanner.scan() == frozenset()
    return scanner


def fault_of(scanner: SerialScanner) -> DriverFault:
    with pytest.raises(DriverFault) as caught:
        scanner.scan()
    assert caught.value.mend.endswith(".")
    return caught.value


# What is believed


def test_a_change_is_a_peg_at_once_and_a_snapshot_says_the_same(live: SerialScanner, bench: BenchScanner) -> None:
    bench.change(1, PEG_IN_STRIP_1)
    seen = live.scan()
    assert seen == {11}
    bench.snapshot()
    assert live.scan() is seen


def test_a_change_after_a_lost_frame_waits_for_the_next_snapshot(live: SerialScanner, bench: BenchScanner) -> None:
    bench.lose()
    bench.change(1, PEG_IN_STRIP_1)
    assert live.scan() == frozenset()
    bench.snapshot()
    assert live.scan() == {11}
    bench.change(1, 0xBF)
    assert live.scan() == frozenset(), "in step again"


def test_a_change_that_does_not_start_from_what_is_believed_waits_too(live: SerialScanner, bench: BenchScanner) -> None:
    bench.say(Kind.CHANGE, bytes([0, 0, 0, 0, 1, 0xAA, PEG_IN_STRIP_1]))
    bench.say(Kind.CHANGE, bytes([0, 0, 0, 0, STRIPS, 0xBF, PEG_IN_STRIP_1]))
    assert live.scan() == frozenset()


def test_nothing_is_believed_of_a_frame_that_fails_its_crc(live: SerialScanner, bench: BenchScanner) -> None:
    bench.state[1] = PEG_IN_STRIP_1
    bench.snapshot(spoiled=True)
    assert live.scan() == frozenset() and live.talk.spoiled == 1
    bench.snapshot()
    assert live.scan() == {11}


def test_a_spare_input_is_no_peg(live: SerialScanner, bench: BenchScanner) -> None:
    before = live.scan()
    bench.change(0, 0xBF & ~0x20)
    assert live.scan() is before


def test_a_reset_in_the_middle_starts_the_sequence_anew(live: SerialScanner, bench: BenchScanner) -> None:
    bench.hello()
    assert fault_of(live).device == "Scanner starting"
    bench.snapshot()
    bench.change(2, PEG_IN_STRIP_1)
    assert live.scan() == {19}


def test_kinds_that_this_program_does_not_know_are_left_alone(live: SerialScanner, bench: BenchScanner) -> None:
    bench.say(ord("Z"), b"something new")
    bench.change(1, PEG_IN_STRIP_1)
    assert live.scan() == {11}


# What is said when nothing can be


def test_until_it_has_said_hello_it_is_starting(desk: Desk, scanner: SerialScanner) -> None:
    assert fault_of(scanner).device == "Scanner starting"
    desk.now_s += HELLO_S
    assert fault_of(scanner).device == "Scanner starting"
    assert desk.opened == [HOME]


def test_what_says_no_hello_is_no_scanner(desk: Desk, bench: BenchScanner, scanner: SerialScanner) -> None:
    bench.cable.incoming += b"$GPGGA,0\0\r\n"
    fault_of(scanner)
    desk.now_s += HELLO_S + 0.1
    fault = fault_of(scanner)
    assert (fault.device, fault.got) == ("No scanner", "11 bytes of something else")
    assert bench.cable.is_closed


def test_a_scanner_that_runs_already_is_asked_for_its_hello(
    desk: Desk, bench: BenchScanner, scanner: SerialScanner
) -> None:
    bench.snapshot()
    fault_of(scanner)
    (asked,) = FrameDecoder().feed(bytes(bench.cable.sent))
    assert asked.kind == Kind.ASK_HELLO
    bench.hello()
    bench.snapshot()
    assert scanner.scan() == frozenset()


def test_silence_is_a_lost_board_and_the_port_is_closed_at_once(
    desk: Desk, live: SerialScanner, bench: BenchScanner
) -> None:
    desk.now_s += SILENCE_S
    live.scan()
    desk.now_s += 0.1
    assert fault_of(live).device == "Board lost"
    assert bench.cable.is_closed


def test_a_host_that_was_busy_for_long_hears_first_what_was_said_meanwhile(
    desk: Desk, live: SerialScanner, bench: BenchScanner
) -> None:
    desk.now_s += 10
    bench.snapshot()
    assert live.scan() == frozenset()


def test_another_protocol_is_refused_with_its_mend_and_left_alone(
    desk: Desk, scanner: SerialScanner, bench: BenchScanner
) -> None:
    bench.hello(protocol=2)
    bench.snapshot()
    fault = fault_of(scanner)
    assert (fault.expected, fault.got) == ("hole-scan/1", "hole-scan/2") and "flash" in fault.mend
    desk.now_s += 60
    assert fault_of(scanner).got == "hole-scan/2"
    assert desk.opened == [HOME], "opening it again would only restart it"


@pytest.mark.parametrize(
    ("told", "device"),
    [
        (bytes([1, 2, 0x7F]), "Chain fault at strip 3"),
        (bytes([1, 0, 0x00]), "Sensor chain silent"),
        (bytes([1, 0, 0xFF]), "Sensor chain silent"),
        (bytes([1, 0, 0x41]), "Chain fault at strip 1"),
    ],
)
def test_a_broken_chain_is_named_as_on_the_pi(
    live: SerialScanner, bench: BenchScanner, told: bytes, device: str
) -> None:
    bench.say(Kind.ERROR, told)
    fault = fault_of(live)
    assert fault.device == device
    bench.snapshot()
    assert live.scan() == frozenset()


@pytest.mark.parametrize(("strips", "device"), [(2, "Chain fault at strip 3"), (4, "Chain too long")])
def test_a_chain_of_another_length_is_told_with_both_counts(
    scanner: SerialScanner, bench: BenchScanner, strips: int, device: str
) -> None:
    bench.state = [0xBF] * strips
    bench.hello()
    bench.snapshot()
    fault = fault_of(scanner)
    assert (fault.device, fault.expected) == (device, f"{STRIPS} strips")


def test_a_fault_that_is_raised_again_and_again_grows_no_larger(scanner: SerialScanner) -> None:
    fault = fault_of(scanner)
    for _ in range(10):
        assert fault_of(scanner) is fault
    depth, trace = 0, fault.__traceback__
    while trace:
        depth, trace = depth + 1, trace.tb_next
    assert depth <= 3


# How it is found again


def test_unplugged_and_back_under_another_name(desk: Desk, live: SerialScanner, bench: BenchScanner) -> None:
    bench.cable.is_unplugged = True
    fault = fault_of(live)
    assert (fault.device, fault.got) == ("Board lost", "input/output error")
    assert bench.cable.is_closed
    del desk.ports[HOME]
    missed = fault_of(live)
    assert (missed.device, missed.got) == ("Board lost", "none")
    bench.cable = desk.ports["/dev/ttyUSB1"] = BenchCable()
    desk.now_s += RETRY_S
    bench.hello()
    bench.change(1, PEG_IN_STRIP_1)
    bench.snapshot()
    assert live.scan() == {11}
    assert desk.opened == [HOME, "/dev/ttyUSB1"]


def test_a_lost_board_stays_lost_in_words_until_it_has_spoken_again(
    desk: Desk, live: SerialScanner, bench: BenchScanner
) -> None:
    desk.now_s += SILENCE_S + 0.1
    assert fault_of(live).device == "Board lost"
    bench.cable = desk.ports[HOME] = BenchCable()
    assert fault_of(live).device == "Board lost"
    bench.hello()
    bench.snapshot()
    assert live.scan() == frozenset()


def test_every_port_is_tried_in_turn(desk: Desk, scanner: SerialScanner, bench: BenchScanner) -> None:
    desk.ports = {"/dev/ttyUSB7": BenchCable(), HOME: bench.cable}
    fault_of(scanner)
    desk.now_s += HELLO_S + 0.1
    assert fault_of(scanner).device == "No scanner"
    desk.now_s += RETRY_S
    bench.hello()
    bench.snapshot()
    assert scanner.scan() == frozenset()
    assert desk.opened == ["/dev/ttyUSB7", HOME]


def test_the_device_of_the_same_serial_number_is_tried_first(
    desk: Desk, scanner: SerialScanner, bench: BenchScanner
) -> None:
    desk.serials[HOME] = "A601"
    bench.hello()
    bench.snapshot()
    scanner.scan()
    bench.cable.is_unplugged = True
    fault_of(scanner)
    desk.ports = {HOME: BenchCable(), "/dev/ttyUSB2": BenchCable()}
    desk.serials = {HOME: "B999", "/dev/ttyUSB2": "A601"}
    fault_of(scanner)
    assert desk.opened[-1] == "/dev/ttyUSB2"


def test_a_port_that_cannot_be_opened_is_told_and_tried_again(desk: Desk) -> None:
    scanner = SerialScanner(finder("/dev/serial/by-id/scanner"), STRIPS, open_cable=desk.open, clock=desk.clock)
    assert fault_of(scanner).expected == "/dev/serial/by-id/scanner to open"
    bench = BenchScanner(STRIPS)
    desk.ports["/dev/serial/by-id/scanner"] = bench.cable
    fault_of(scanner)
    assert desk.opened == [], "not more than once a second"
    desk.now_s += RETRY_S
    bench.hello()
    bench.snapshot()
    assert scanner.scan() == frozenset()


def test_once_closed_it_opens_nothing_more(desk: Desk, live: SerialScanner, bench: BenchScanner) -> None:
    live.close()
    live.close()
    desk.now_s += 60
    live.scan()
    assert bench.cable.is_closed and desk.opened == [HOME]


def test_ports_are_told_by_their_bridges(monkeypatch: pytest.MonkeyPatch) -> None:
    def port(path: str, vid: int | None, pid: int | None, serial: str | None) -> SimpleNamespace:
        return SimpleNamespace(device=path, vid=vid, pid=pid, serial_number=serial)

    there = [
        port("/dev/ttyS0", None, None, None),
        port("/dev/ttyUSB0", 0x1A86, 0x7523, None),
        port("/dev/ttyUSB1", 0x0403, 0x6001, "A601"),
        port("/dev/ttyACM0", 0x046D, 0xC52B, "mouse"),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: there)
    expected = [PortFound("/dev/ttyUSB0", "WCH CH340"), PortFound("/dev/ttyUSB1", "FTDI FT232R", "A601")]
    assert ports_found() == expected


def test_other_devices_ports_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    there = [PortFound("/dev/ttyUSB0", "WCH CH340"), PortFound("/dev/ttyUSB1", "WCH CH340")]
    monkeypatch.setattr("board_drivers.serial_scanner.ports_found", lambda: there)
    assert finder("auto", never="/dev/ttyUSB1")() == there[:1]
