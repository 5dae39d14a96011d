"""The real firmware on an emulated chip, a real tty, and the real driver at the other end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from board_drivers.ports import SensorFrame
from board_drivers.scan_protocol import ErrorCode, Frame, FrameDecoder, Kind, decode, encode
from board_drivers.serial_scanner import SerialScanner, port_finder
from tests.firmware.conftest import STRIPS
from tests.firmware.driving import TIMEOUT_S, await_fault, await_frame, scans
from tests.firmware.rig import Chip, UsbCable

EMPTY: SensorFrame = frozenset()
SOME_HOLES = [8 * strip + 3 + strip % 5 for strip in range(0, STRIPS, 4)]


@pytest.fixture
def scanner(cable: UsbCable) -> Iterator[SerialScanner]:
    scanner = SerialScanner(port_finder(str(cable.by_id)), STRIPS)
    yield scanner
    scanner.close()


def move_pegs(scanner: SerialScanner, chip: Chip) -> None:
    """Put a peg into some holes, one after another; no other hole ever reads as full."""
    for hole in SOME_HOLES:
        for move, expected in ((chip.place_peg, frozenset({hole})), (chip.lift_peg, EMPTY)):
            move(hole)
            for seen in scans(scanner):
                assert seen in (EMPTY, {hole}), "an empty hole read as full"
                if seen == expected:
                    break


def test_every_peg_is_seen_in_its_hole(scanner: SerialScanner, chip: Chip) -> None:
    await_frame(scanner, EMPTY)
    corrupt_frames = scanner.session.corrupt_frames
    move_pegs(scanner, chip)
    hello = scanner.session.hello
    assert hello and (hello.protocol, hello.strips) == (1, STRIPS) and scanner.session.corrupt_frames == corrupt_frames


def test_noise_is_never_a_peg(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    random = Random(7)

    def noisy(sent: bytes) -> bytes:
        return bytes(byte ^ (1 << random.randrange(8)) if random.random() < 0.01 else byte for byte in sent)

    await_frame(scanner, EMPTY)
    cable.to_host = noisy
    cable.inject(random.randbytes(40))
    move_pegs(scanner, chip)
    assert scanner.session.corrupt_frames > 0


def test_frames_received_in_parts_are_put_together(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    held = bytearray()

    def in_parts(sent: bytes) -> bytes:
        """All bytes but the last, which is held back until more come."""
        held.extend(sent)
        passed = bytes(held[:-1])
        del held[:-1]
        return passed

    await_frame(scanner, EMPTY)
    cable.to_host = in_parts
    move_pegs(scanner, chip)


def test_incomplete_frames_are_dropped_and_the_next_one_counts(
    scanner: SerialScanner, chip: Chip, cable: UsbCable
) -> None:
    numbers = count()
    await_frame(scanner, EMPTY)
    cable.to_host = lambda sent: bytes(byte for byte in sent if next(numbers) % 97)
    move_pegs(scanner, chip)
    assert scanner.session.corrupt_frames > 0


def is_change(stuffed: bytes) -> bool:
    frame = decode(stuffed)
    return frame is not None and frame.kind == Kind.CHANGE


def test_snapshots_alone_show_every_peg(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    unsent, lost = bytearray(), list[bytes]()

    def without_changes(sent: bytes) -> bytes:
        unsent.extend(sent)
        *frames, rest = bytes(unsent).split(b"\0")
        unsent[:] = rest
        changes = [frame for frame in frames if is_change(frame)]
        lost.extend(changes)
        return b"".join(frame + b"\0" for frame in frames if frame not in changes)

    await_frame(scanner, EMPTY)
    cable.to_host = without_changes
    corrupt_frames = scanner.session.corrupt_frames
    move_pegs(scanner, chip)
    assert len(lost) == 2 * len(SOME_HOLES) and scanner.session.corrupt_frames == corrupt_frames


def test_reset_loses_no_peg(scanner: SerialScanner, chip: Chip) -> None:
    chip.place_peg(11)
    await_frame(scanner, frozenset({11}))
    chip.reset()
    chip.place_peg(12)
    await_frame(scanner, frozenset({11, 12}))


def test_watchdog_resets_a_hanging_firmware(scanner: SerialScanner, chip: Chip) -> None:
    await_frame(scanner, EMPTY)
    chip.hang()
    chip.place_peg(11)
    await_frame(scanner, frozenset({11}))


def test_silent_scanner_is_lost_until_it_sends_again(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    await_frame(scanner, EMPTY)
    cable.to_host = lambda _: b""
    await_fault(scanner, "Board lost")
    chip.place_peg(11)
    cable.to_host = bytes
    await_frame(scanner, frozenset({11}))


def test_unplugged_scanner_is_found_under_another_name(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    await_frame(scanner, EMPTY)
    before = cable.path
    cable.unplug()
    await_fault(scanner, "Board lost")
    other = UsbCable(cable.by_id.with_name("other"))  # takes the name that has become free
    cable.plug_in()
    chip.reset()
    chip.place_peg(11)
    await_frame(scanner, frozenset({11}))
    assert cable.path != before
    other.close()


def test_broken_chain_names_its_strip_and_recovers(scanner: SerialScanner, chip: Chip) -> None:
    await_frame(scanner, EMPTY)
    chip.chain.strips.floats[11] = 1
    chip.update_chain()
    fault = await_fault(scanner, "Chain fault at strip 12")
    assert "(counted from the scanner)" in fault.fix
    chip.chain.strips.floats.clear()
    chip.place_peg(11)
    await_frame(scanner, frozenset({11}))


@pytest.mark.parametrize("level", [False, True])
def test_stuck_data_line_is_named(scanner: SerialScanner, chip: Chip, level: bool) -> None:
    chip.chain.strips.stuck = level
    chip.update_chain()
    assert await_fault(scanner, "Sensor chain silent").got == f"nothing but {level:d}"


def test_chain_without_its_last_strips_is_recounted(cable: UsbCable, chip: Chip) -> None:
    shorter = SerialScanner(port_finder(str(cable.by_id)), STRIPS - 1)
    try:
        assert await_fault(shorter, "Chain too long").got == f"{STRIPS}"
        chip.chain.strips.floats[STRIPS - 1] = 0
        chip.update_chain()
        await_frame(shorter, EMPTY)
    finally:
        shorter.close()


def test_firmware_with_another_protocol_is_refused(
    scanner: SerialScanner, cable: UsbCable, build: Callable[..., Path]
) -> None:
    other = Chip(build("all", "rig", defines="-DPROTO_VERSION=2"), STRIPS, cable.far_end)
    try:
        fault = await_fault(scanner, "Scanner's firmware")
    finally:
        other.close()
    assert (fault.expected, fault.got) == ("hole-scan/1", "hole-scan/2") and "make -C hardware/firmware" in fault.fix


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (encode(Frame(Kind.PING, 5, b"\0are you there")), (Kind.PONG, b"\0are you there")),
        (encode(Frame(Kind.CONFIGURE, 0, bytes([2, 50]))), (Kind.CONFIGURED, bytes([2, 50]))),
        (
            encode(Frame(Kind.CONFIGURE, 9, bytes([0, 50]))),
            (Kind.ERROR, bytes([ErrorCode.UNKNOWN_COMMAND, ord("k"), 9])),
        ),
        (encode(Frame(ord("z"), 3)), (Kind.ERROR, bytes([ErrorCode.UNKNOWN_COMMAND, ord("z"), 3]))),
        (b"what is this\0", (Kind.ERROR, bytes([ErrorCode.CORRUPT_FRAME, 0, 0]))),
        (b"\1" * 220 + b"\0", (Kind.ERROR, bytes([ErrorCode.CORRUPT_FRAME, 0, 0]))),
    ],
)
def test_firmware_answers_commands(chip: Chip, cable: UsbCable, command: bytes, answer: tuple[int, bytes]) -> None:
    """A command may be lost while the chip is starting, so it is repeated."""
    import serial

    decoder, until_s = FrameDecoder(), time.monotonic() + TIMEOUT_S
    with serial.Serial(str(cable.by_id), 115200, timeout=0.1) as port:
        while time.monotonic() < until_s:
            port.write(command)
            repeat_s = time.monotonic() + 1.0
            while time.monotonic() < repeat_s:
                if answer in [(frame.kind, frame.payload) for frame in decoder.feed(port.read(64))]:
                    return
    pytest.fail(f"expected {answer}, got other frames")
