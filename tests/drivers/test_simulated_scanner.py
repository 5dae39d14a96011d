"""The simulated scanner says what the firmware says, and a cable that goes wrong is one to whoever listens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from board_drivers.hole_scan import ErrorCode, Frame, FrameDecoder, Kind, encode, hello_in
from board_drivers.misbehaving_cable import PulledCable, SerialNoise, with_troubles
from board_drivers.ports import DriverFault
from board_drivers.simulated_scanner import BOOT_S, SNAPSHOT_S, SimulatedScanner
from board_drivers.span import Span
from tests.drivers.cables import EMPTY_STRIP, BenchCable

PEG = EMPTY_STRIP & ~0x10


@dataclass
class Desk:
    """A chain, a scanner at it, a clock, and what the scanner says."""

    chain: list[int] = field(default_factory=lambda: [EMPTY_STRIP] * 3)
    now_s: float = 0.0

    def __post_init__(self) -> None:
        self.scanner, self._decoder = SimulatedScanner(self, self, lambda: self.now_s), FrameDecoder()

    def on(self) -> None: ...
    def off(self) -> None: ...

    def transfer(self, words: Sequence[int]) -> Sequence[int]:
        return (*self.chain, *[0] * len(words))[: len(words)]

    def hear(self, after_s: float = 0.0) -> list[Frame]:
        self.now_s += after_s
        return list(self._decoder.feed(self.scanner.read()))

    def order(self, kind: int, payload: bytes = b"") -> list[Frame]:
        self.scanner.write(encode(Frame(kind, 7, payload)))
        return self.hear()


@pytest.fixture
def desk() -> Desk:
    """It has said its first words."""
    desk = Desk()
    assert desk.hear(BOOT_S - 0.01) == desk.order(Kind.ASK_HELLO) == []
    hello, snapshot = desk.hear(0.02)
    told = hello_in(hello.payload)
    assert hello.sequence == 0 and told and (told.protocol, told.strips) == (1, 3)
    assert (snapshot.kind, snapshot.payload) == (Kind.SNAPSHOT, bytes(desk.chain))
    return desk


def test_a_change_comes_at_once_and_a_snapshot_in_its_time(desk: Desk) -> None:
    assert desk.hear(SNAPSHOT_S / 2) == []
    desk.chain[1] = PEG
    change, snapshot = desk.hear()
    assert change.payload[4:] == bytes([1, EMPTY_STRIP, PEG]) and snapshot.payload == bytes(desk.chain)
    assert [frame.kind for frame in desk.hear(SNAPSHOT_S)] == [Kind.SNAPSHOT]


def test_a_broken_chain_is_an_error_and_a_shorter_one_another_hello(desk: Desk) -> None:
    desk.chain[1] = 0xFF
    (error,) = desk.hear()
    assert (error.kind, error.payload) == (Kind.ERROR, bytes([ErrorCode.CHAIN_BROKEN, 1, 0xFF]))
    desk.chain[:] = [EMPTY_STRIP] * 2
    hello, snapshot = desk.hear()
    assert hello.payload[3] == 2 and len(snapshot.payload) == 2


def test_orders_are_answered(desk: Desk) -> None:
    assert [frame.kind for frame in desk.order(Kind.ASK_HELLO)] == [Kind.HELLO]
    assert [frame.payload for frame in desk.order(Kind.PING, b"x")] == [b"x"]
    assert [frame.payload[0] for frame in desk.order(ord("?"))] == [ErrorCode.ORDER_UNKNOWN]
    desk.scanner.write(b"noise\0")
    assert [frame.payload[0] for frame in desk.hear()] == [ErrorCode.FRAME_SPOILED]


def test_noise_flips_loses_and_adds_in_its_time() -> None:
    def carried(at_s: float, **shares: float) -> bytes:
        noise = SerialNoise(Span(1.0, 1.0), **({"flipped": 0, "lost": 0, "extra": 0} | shares), random=Random(1))
        cable = with_troubles(lambda path, baud: BenchCable(bytearray(1000)), [noise], lambda: at_s)("/dev/x", 9600)
        return cable.read()

    assert carried(0.5, lost=1.0) == carried(2.5, lost=1.0) == bytes(1000)
    assert carried(1.5, lost=1.0) == b""
    assert {byte.bit_count() for byte in carried(1.5, flipped=1.0)} == {1}
    assert len(carried(1.5, extra=1.0)) == 2000
    assert 5 < sum(map(bool, carried(1.5, flipped=0.01))) < 20


def test_a_pulled_cable_neither_opens_nor_reads_nor_takes_a_word() -> None:
    now_s = 0.0
    open_cable = with_troubles(lambda path, baud: BenchCable(), [PulledCable(Span(1.0, 1.0))], lambda: now_s)
    cable = open_cable("/dev/x", 9600)
    assert cable.read() == b""
    now_s = 1.5
    for use in (cable.read, lambda: cable.write(b"x"), lambda: open_cable("/dev/x", 9600)):
        with pytest.raises(DriverFault, match="/dev/x"):
            use()
    now_s = 2.0
    assert open_cable("/dev/x", 9600).read() == b""
