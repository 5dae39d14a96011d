"""The real firmware, on an emulated chip, on a real tty, and the real driver at the other end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from board_drivers.hole_scan import ErrorCode, Frame, FrameDecoder, Kind, decode, encode
from board_drivers.ports import DriverFault, SensorFrame
from board_drivers.serial_scanner import SerialScanner, finder
from tests.firmware.conftest import STRIPS
from tests.firmware.rig import Chip, UsbCable

PATIENCE_S = 30.0
"""How long a test waits for the chip before it fails."""
LOOK_S = 0.005
NOBODY: SensorFrame = frozenset()
SOME_HOLES = [8 * strip + 3 + strip % 5 for strip in range(0, STRIPS, 4)]


@pytest.fixture
def scanner(cable: UsbCable) -> Iterator[SerialScanner]:
    made = SerialScanner(finder(str(cable.by_id)), STRIPS)
    yield made
    made.close()


def looks(scanner: SerialScanner) -> Iterator[SensorFrame | DriverFault]:
    """What each scan sees or says, until patience ends."""
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        try:
            yield scanner.scan()
        except DriverFault as fault:
            yield fault
        time.sleep(LOOK_S)
    pytest.fail("it was never seen")


def await_frame(scanner: SerialScanner, expected: SensorFrame) -> None:
    for seen in looks(scanner):
        if seen == expected:
            return


def await_fault(scanner: SerialScanner, device: str) -> DriverFault:
    return next(seen for seen in looks(scanner) if isinstance(seen, DriverFault) and seen.device == device)


def move_pegs(scanner: SerialScanner, chip: Chip) -> None:
    """Pegs in and out, one at a time; nothing is ever seen but the hole that is full."""
    for hole in SOME_HOLES:
        for move, expected in ((chip.place_peg, frozenset({hole})), (chip.lift_peg, NOBODY)):
            move(hole)
            for seen in looks(scanner):
                assert seen in (NOBODY, {hole}), "never a hole that holds no peg"
                if seen == expected:
                    break


def test_every_peg_is_seen_where_it_stands(scanner: SerialScanner, chip: Chip) -> None:
    await_frame(scanner, NOBODY)
    spoiled = scanner.talk.spoiled
    move_pegs(scanner, chip)
    hello = scanner.talk.hello
    assert hello and (hello.protocol, hello.strips) == (1, STRIPS) and scanner.talk.spoiled == spoiled


def test_noise_between_and_within_frames_is_never_a_peg(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    random = Random(7)

    def noisy(told: bytes) -> bytes:
        return bytes(byte ^ (1 << random.randrange(8)) if random.random() < 0.01 else byte for byte in told)

    await_frame(scanner, NOBODY)
    cable.spoil = noisy
    cable.inject(random.randbytes(40))
    move_pegs(scanner, chip)
    assert scanner.talk.spoiled > 0


def test_frames_that_come_by_halves_are_put_together(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    held = bytearray()

    def by_halves(told: bytes) -> bytes:
        """Never the last byte that came, however long it takes for the next."""
        held.extend(told)
        passed = bytes(held[:-1])
        del held[:-1]
        return passed

    await_frame(scanner, NOBODY)
    cable.spoil = by_halves
    move_pegs(scanner, chip)


def test_half_frames_are_nothing_and_the_next_whole_one_counts(
    scanner: SerialScanner, chip: Chip, cable: UsbCable
) -> None:
    numbers = count()
    await_frame(scanner, NOBODY)
    cable.spoil = lambda told: bytes(byte for byte in told if next(numbers) % 97)
    move_pegs(scanner, chip)
    assert scanner.talk.spoiled > 0


def is_change(stuffed: bytes) -> bool:
    frame = decode(stuffed)
    return frame is not None and frame.kind == Kind.CHANGE


def test_without_a_single_change_frame_snapshots_tell_all(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    unsent, lost = bytearray(), list[bytes]()

    def without_changes(told: bytes) -> bytes:
        unsent.extend(told)
        *frames, rest = bytes(unsent).split(b"\0")
        unsent[:] = rest
        changes = [frame for frame in frames if is_change(frame)]
        lost.extend(changes)
        return b"".join(frame + b"\0" for frame in frames if frame not in changes)

    await_frame(scanner, NOBODY)
    cable.spoil = without_changes
    spoiled = scanner.talk.spoiled
    move_pegs(scanner, chip)
    assert len(lost) == 2 * len(SOME_HOLES) and scanner.talk.spoiled == spoiled


def test_a_reset_costs_a_moment_and_no_peg(scanner: SerialScanner, chip: Chip) -> None:
    chip.place_peg(11)
    await_frame(scanner, frozenset({11}))
    chip.reset()
    chip.place_peg(12)
    await_frame(scanner, frozenset({11, 12}))


def test_a_firmware_that_hangs_is_reset_by_its_watchdog(scanner: SerialScanner, chip: Chip) -> None:
    await_frame(scanner, NOBODY)
    chip.hang()
    chip.place_peg(11)
    await_frame(scanner, frozenset({11}))


def test_silence_is_a_lost_board_until_it_speaks_again(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    await_frame(scanner, NOBODY)
    cable.spoil = lambda _: b""
    await_fault(scanner, "Board lost")
    chip.place_peg(11)
    cable.spoil = bytes
    await_frame(scanner, frozenset({11}))


def test_unplugged_and_back_under_another_name(scanner: SerialScanner, chip: Chip, cable: UsbCable) -> None:
    await_frame(scanner, NOBODY)
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


def test_a_broken_chain_is_named_by_its_strip_and_comes_back(scanner: SerialScanner, chip: Chip) -> None:
    await_frame(scanner, NOBODY)
    chip.chain.strips.floats[11] = 1
    chip.see_chain()
    fault = await_fault(scanner, "Chain fault at strip 12")
    assert "(counted from the scanner)" in fault.mend
    chip.chain.strips.floats.clear()
    chip.place_peg(11)
    await_frame(scanner, frozenset({11}))


@pytest.mark.parametrize("level", [False, True])
def test_a_data_line_that_is_stuck_is_told_as_such(scanner: SerialScanner, chip: Chip, level: bool) -> None:
    chip.chain.strips.stuck = level
    chip.see_chain()
    assert await_fault(scanner, "Sensor chain silent").got == f"nothing but {level:d}"


def test_a_chain_without_its_last_strips_is_counted_anew(cable: UsbCable, chip: Chip) -> None:
    shorter = SerialScanner(finder(str(cable.by_id)), STRIPS - 1)
    try:
        assert await_fault(shorter, "Chain too long").got == f"{STRIPS}"
        chip.chain.strips.floats[STRIPS - 1] = 0
        chip.see_chain()
        await_frame(shorter, NOBODY)
    finally:
        shorter.close()


def test_firmware_of_another_protocol_is_refused(
    scanner: SerialScanner, cable: UsbCable, build: Callable[..., Path]
) -> None:
    other = Chip(build("all", "rig", defines="-DPROTO_VERSION=2"), STRIPS, cable.far_end)
    try:
        fault = await_fault(scanner, "Scanner's firmware")
    finally:
        other.close()
    assert (fault.expected, fault.got) == ("hole-scan/1", "hole-scan/2") and "make -C hardware/firmware" in fault.mend


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (encode(Frame(Kind.PING, 5, b"\0are you there")), (Kind.PONG, b"\0are you there")),
        (encode(Frame(Kind.CONFIGURE, 0, bytes([2, 50]))), (Kind.CONFIGURED, bytes([2, 50]))),
        (encode(Frame(Kind.CONFIGURE, 9, bytes([0, 50]))), (Kind.ERROR, bytes([ErrorCode.ORDER_UNKNOWN, ord("k"), 9]))),
        (encode(Frame(ord("z"), 3)), (Kind.ERROR, bytes([ErrorCode.ORDER_UNKNOWN, ord("z"), 3]))),
        (b"what is this\0", (Kind.ERROR, bytes([ErrorCode.FRAME_SPOILED, 0, 0]))),
        (b"\1" * 220 + b"\0", (Kind.ERROR, bytes([ErrorCode.FRAME_SPOILED, 0, 0]))),
    ],
)
def test_what_the_firmware_answers(chip: Chip, cable: UsbCable, asked: bytes, answer: tuple[int, bytes]) -> None:
    """An order may be lost while the chip is still starting, as on any cable: it is given again."""
    import serial

    decoder, until_s = FrameDecoder(), time.monotonic() + PATIENCE_S
    with serial.Serial(str(cable.by_id), 115200, timeout=0.1) as port:
        while time.monotonic() < until_s:
            port.write(asked)
            again_s = time.monotonic() + 1.0
            while time.monotonic() < again_s:
                if answer in [(frame.kind, frame.payload) for frame in decoder.feed(port.read(64))]:
                    return
    pytest.fail(f"expected {answer}, got other frames")
