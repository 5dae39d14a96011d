"""The portable files of the firmware as a library: its frames against the Python codec, and its debouncing."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.scan_protocol import MAX_PAYLOAD, MAX_STUFFED, ErrorCode, Frame, FrameDecoder, decode, encode
from tests.firmware.library import DEBOUNCE, MAX_CHANGES, MAX_STRIPS, Chain, Result

Library = ctypes.CDLL

BYTES = st.integers(0, 255)
PAYLOADS = st.binary(max_size=MAX_PAYLOAD) | st.lists(st.sampled_from((0, 0xBF, 0xFF)), max_size=60).map(bytes)
FRAMES = st.builds(Frame, BYTES, BYTES, PAYLOADS)
NOTHING, FRAME, CORRUPT = range(3)


class Decoder(ctypes.Structure):
    _fields_ = (
        ("bytes", ctypes.c_uint8 * (MAX_STUFFED + 1)),
        ("received", ctypes.c_uint8),
        ("is_overlong", ctypes.c_bool),
    )


def decoded(library: Library, received: bytes) -> tuple[list[Frame], int]:
    """The frames that the firmware decodes from these bytes, and how many it reports as corrupt."""
    decoder, length, frames, corrupt_frames = Decoder(), ctypes.c_size_t(), [], 0
    for byte in received:
        result = library.proto_decode(ctypes.byref(decoder), byte, ctypes.byref(length))
        corrupt_frames += result == CORRUPT
        if result == FRAME:
            kind, sequence, *payload = decoder.bytes[: 2 + length.value]
            frames.append(Frame(kind, sequence, bytes(payload)))
    return frames, corrupt_frames


@given(frame=FRAMES)
def test_both_encode_the_same_frames(library: Library, frame: Frame) -> None:
    buffer = ctypes.create_string_buffer(MAX_STUFFED + 1)
    length = library.proto_encode(frame.kind, frame.sequence, frame.payload, len(frame.payload), buffer)
    assert buffer.raw[:length] == encode(frame)


@given(parts=st.lists(FRAMES.map(encode) | st.binary(max_size=300) | st.just(b"\0"), max_size=6))
def test_both_decode_the_same_from_any_bytes(library: Library, parts: Sequence[bytes]) -> None:
    received = b"".join(parts)
    decoder = FrameDecoder()
    assert decoded(library, received) == (list(decoder.feed(received)), decoder.corrupt_frames)


@given(stuffed=st.lists(st.integers(1, 5), max_size=12).map(bytes))
def test_both_agree_on_distances_that_do_not_add_up(library: Library, stuffed: bytes) -> None:
    frame = decode(stuffed)
    assert decoded(library, stuffed + b"\0") == ([frame] if frame else [], int(frame is None and bool(stuffed)))


# The chain


READ = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint8), ctypes.c_uint8)


class Strips:
    """A chain and the firmware's state of it. `disturbed`: bytes of the next readings, in place of `sent`."""

    def __init__(self, library: Library, count: int = 4) -> None:
        self._library, self._chain = library, Chain(debounce=DEBOUNCE)
        self.sent = bytearray([0xBF] * count)
        self.disturbed: list[bytes] = []
        self._read = READ(self._shift_in)

    def _shift_in(self, buffer: Sequence[int], count: int) -> None:
        sent = self.disturbed.pop(0) if self.disturbed else bytes(self.sent)
        for at, byte in enumerate(sent.ljust(count, b"\0")[:count]):
            buffer[at] = byte  # type: ignore[index]

    def scan(self) -> Result:
        return Result(self._library.scan_chain(ctypes.byref(self._chain), self._read))

    def scans(self, times: int) -> list[Result]:
        return [self.scan() for _ in range(times)]

    @property
    def state(self) -> bytes:
        return bytes(self._chain.state[: self._chain.strips])

    @property
    def changes(self) -> list[tuple[int, ...]]:
        return [tuple(self._chain.change[at]) for at in range(self._chain.changes)]

    @property
    def broken(self) -> tuple[int, int]:
        code, strip, byte = self._chain.fault
        assert code == ErrorCode.CHAIN_BROKEN
        return strip, byte


@pytest.fixture
def strips(library: Library) -> Strips:
    strips = Strips(library)
    assert strips.scan() is Result.RECOUNTED
    return strips


def test_peg_is_accepted_at_the_third_equal_reading(strips: Strips) -> None:
    strips.sent[2] = 0xAF
    assert strips.scans(4) == [Result.SAME, Result.SAME, Result.CHANGED, Result.SAME]
    assert strips.state == bytes([0xBF, 0xBF, 0xAF, 0xBF])


def test_change_has_its_strip_and_the_byte_before_and_after(strips: Strips) -> None:
    strips.sent[0], strips.sent[3] = 0xBE, 0xAF
    while strips.scan() is not Result.CHANGED:
        pass
    assert strips.changes == [(0, 0xBF, 0xBE), (3, 0xBF, 0xAF)]


def test_bouncing_contact_is_accepted_once_it_has_settled(strips: Strips) -> None:
    for byte in (0xAF, 0xBF, 0xAF, 0xAF, 0xBF, 0xBF, 0xAF, 0xAE):
        strips.sent[1] = byte
        assert strips.scan() is Result.SAME
    assert strips.scans(2) == [Result.SAME, Result.CHANGED]
    assert strips.changes == [(1, 0xBF, 0xAE)]


def test_disturbance_of_one_reading_is_no_fault_and_no_peg(strips: Strips) -> None:
    strips.disturbed = [b"\xbf\x5f\xbf\xbf"]
    assert strips.scans(5) == [Result.SAME] * 5 and strips.state == bytes([0xBF] * 4)


def test_broken_chain_is_reported_at_the_third_scan_with_its_strip_and_byte(strips: Strips) -> None:
    strips.sent[2] = 0x7F
    assert strips.scans(4) == [Result.SAME, Result.SAME, Result.BROKEN, Result.BROKEN]
    assert strips.broken == (2, 0x7F)
    strips.sent[2] = 0xBF
    assert strips.scan() is Result.SAME


def test_bits_past_the_end_are_a_broken_chain(strips: Strips) -> None:
    strips.sent += b"\x01"
    assert strips.scans(3)[-1] is Result.BROKEN and strips.broken == (4, 0x01)


@pytest.mark.parametrize("count", [1, 3, 5, MAX_STRIPS])
def test_chain_of_another_length_is_recounted(strips: Strips, count: int) -> None:
    strips.sent = bytearray([0xBE] * count)
    assert strips.scans(4) == [Result.SAME, Result.SAME, Result.RECOUNTED, Result.SAME]
    assert strips.state == bytes([0xBE] * count)


def test_missing_chain_is_broken_at_once_and_counted_when_it_is_connected(library: Library) -> None:
    strips = Strips(library, count=0)
    assert strips.scans(2) == [Result.BROKEN, Result.BROKEN] and strips.broken == (0, 0)
    strips.sent += b"\xbf\xbf"
    assert strips.scans(2) == [Result.RECOUNTED, Result.SAME]


def test_too_many_strips_are_reported_as_a_broken_chain(library: Library) -> None:
    strips = Strips(library, count=MAX_STRIPS + 1)
    assert strips.scan() is Result.BROKEN and strips.broken == (MAX_STRIPS, 0xBF)


def test_changes_beyond_the_limit_are_counted(library: Library) -> None:
    strips = Strips(library, count=MAX_CHANGES + 4)
    strips.scan()
    strips.sent = bytearray([0xBE] * (MAX_CHANGES + 4))
    strips.scans(3)
    assert strips._chain.changes == MAX_CHANGES + 4 and strips.state == bytes(strips.sent)
