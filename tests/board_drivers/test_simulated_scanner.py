"""The simulated scanner sends the same frames as the firmware, and cable faults are seen by the driver."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec import Struct, field

from board_drivers.cable_faults import PulledCable, SerialNoise, with_faults
from board_drivers.fault_window import FaultWindow
from board_drivers.ports import DriverError
from board_drivers.scan_protocol import ErrorCode, Frame, FrameDecoder, Kind, encode, parse_hello
from board_drivers.simulated_firmware import BOOT_S, SNAPSHOT_S
from board_drivers.simulated_scanner import SimulatedScanner
from tests.board_drivers.cables import EMPTY_STRIP, BenchCable

PEG = EMPTY_STRIP & ~0x10


class ScannerRig(Struct, dict=True):
    """A simulated scanner with its chain and a clock; `chain` is one byte a strip."""

    chain: list[int] = field(default_factory=lambda: [EMPTY_STRIP] * 3)
    now_s: float = 0.0

    def __post_init__(self) -> None:
        self.scanner, self._decoder = SimulatedScanner(self, self, lambda: self.now_s), FrameDecoder()

    def on(self) -> None: ...
    def off(self) -> None: ...

    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        return (*self.chain, *[0] * len(words))[: len(words)]

    def frames(self, after_s: float = 0.0) -> list[Frame]:
        """Let the clock run on and read the scanner's frames."""
        self.now_s += after_s
        return list(self._decoder.feed(self.scanner.read()))

    def answers_to(self, kind: int, payload: bytes = b"") -> list[Frame]:
        self.scanner.write(encode(Frame(kind, 7, payload)))
        return self.frames()


@pytest.fixture
def rig() -> ScannerRig:
    """A scanner that has sent its hello and a first snapshot."""
    rig = ScannerRig()
    assert rig.frames(BOOT_S - 0.01) == rig.answers_to(Kind.ASK_HELLO) == []
    first, snapshot = rig.frames(0.02)
    hello = parse_hello(first.payload)
    assert first.sequence == 0 and hello and (hello.protocol, hello.strips) == (1, 3)
    assert (snapshot.kind, snapshot.payload) == (Kind.SNAPSHOT, bytes(rig.chain))
    return rig


def test_change_is_sent_at_once_and_snapshots_periodically(rig: ScannerRig) -> None:
    assert rig.frames(SNAPSHOT_S / 2) == []
    rig.chain[1] = PEG
    change, snapshot = rig.frames()
    assert change.payload[4:] == bytes([1, EMPTY_STRIP, PEG]) and snapshot.payload == bytes(rig.chain)
    assert [frame.kind for frame in rig.frames(SNAPSHOT_S)] == [Kind.SNAPSHOT]


def test_broken_chain_sends_an_error_and_a_shorter_chain_a_hello(rig: ScannerRig) -> None:
    rig.chain[1] = 0xFF
    (error,) = rig.frames()
    assert (error.kind, error.payload) == (Kind.ERROR, bytes([ErrorCode.CHAIN_BROKEN, 1, 0xFF]))
    rig.chain[:] = [EMPTY_STRIP] * 2
    hello, snapshot = rig.frames()
    assert hello.payload[3] == 2 and len(snapshot.payload) == 2


def test_commands_are_answered(rig: ScannerRig) -> None:
    assert [frame.kind for frame in rig.answers_to(Kind.ASK_HELLO)] == [Kind.HELLO]
    assert [frame.payload for frame in rig.answers_to(Kind.PING, b"x")] == [b"x"]
    assert [frame.payload[0] for frame in rig.answers_to(ord("?"))] == [ErrorCode.UNKNOWN_COMMAND]
    rig.scanner.write(b"noise\0")
    assert [frame.payload[0] for frame in rig.frames()] == [ErrorCode.CORRUPT_FRAME]


def test_noise_flips_loses_and_inserts_bytes_during_its_window() -> None:
    def carried(at_s: float, **shares: float) -> bytes:
        noise = SerialNoise(FaultWindow(1.0, 1.0), **({"flipped": 0, "lost": 0, "extra": 0} | shares), random=Random(1))
        cable = with_faults(lambda path, baud: BenchCable(bytearray(1000)), [noise], lambda: at_s)("/dev/x", 9600)
        return cable.read()

    assert carried(0.5, lost=1.0) == carried(2.5, lost=1.0) == bytes(1000)
    assert carried(1.5, lost=1.0) == b""
    assert {byte.bit_count() for byte in carried(1.5, flipped=1.0)} == {1}
    assert len(carried(1.5, extra=1.0)) == 2000
    assert 5 < sum(map(bool, carried(1.5, flipped=0.01))) < 20


def test_pulled_cable_neither_opens_nor_reads_nor_writes() -> None:
    now_s = 0.0
    open_cable = with_faults(lambda path, baud: BenchCable(), [PulledCable(FaultWindow(1.0, 1.0))], lambda: now_s)
    cable = open_cable("/dev/x", 9600)
    assert cable.read() == b""
    now_s = 1.5
    for use in (cable.read, lambda: cable.write(b"x"), lambda: open_cable("/dev/x", 9600)):
        with pytest.raises(DriverError, match="/dev/x"):
            use()
    now_s = 2.0
    assert open_cable("/dev/x", 9600).read() == b""
