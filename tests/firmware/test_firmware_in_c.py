"""The firmware's pure files as a library: its frames against our codec, and what it believes of a chain."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from enum import IntEnum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.hole_scan import MOST_PAYLOAD, MOST_STUFFED, Frame, FrameDecoder, decode, encode

Library = ctypes.CDLL

BYTES = st.integers(0, 255)
PAYLOADS = st.binary(max_size=MOST_PAYLOAD) | st.lists(st.sampled_from((0, 0xBF, 0xFF)), max_size=60).map(bytes)
FRAMES = st.builds(Frame, BYTES, BYTES, PAYLOADS)
PART, WHOLE, SPOILED = range(3)


@pytest.fixture(scope="session")
def library(build: Callable[..., Path]) -> Library:
    loaded = ctypes.CDLL(str(build("library") / "libscan.so"))
    loaded.proto_encode.restype = ctypes.c_size_t
    loaded.proto_encode.argtypes = [ctypes.c_uint8, ctypes.c_uint8, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
    return loaded


class Decoder(ctypes.Structure):
    _fields_ = (("bytes", ctypes.c_uint8 * (MOST_STUFFED + 1)), ("taken", ctypes.c_uint8), ("is_lost", ctypes.c_bool))


def heard(library: Library, received: bytes) -> tuple[list[Frame], int]:
    """The frames that the firmware takes from these bytes, and how many it calls spoiled."""
    decoder, length, frames, spoiled = Decoder(), ctypes.c_size_t(), [], 0
    for byte in received:
        taken = library.proto_take(ctypes.byref(decoder), byte, ctypes.byref(length))
        spoiled += taken == SPOILED
        if taken == WHOLE:
            kind, sequence, *payload = decoder.bytes[: 2 + length.value]
            frames.append(Frame(kind, sequence, bytes(payload)))
    return frames, spoiled


@given(frame=FRAMES)
def test_both_write_the_same_frames(library: Library, frame: Frame) -> None:
    room = ctypes.create_string_buffer(MOST_STUFFED + 1)
    length = library.proto_encode(frame.kind, frame.sequence, frame.payload, len(frame.payload), room)
    assert room.raw[:length] == encode(frame)


@given(parts=st.lists(FRAMES.map(encode) | st.binary(max_size=300) | st.just(b"\0"), max_size=6))
def test_both_read_the_same_from_any_bytes(library: Library, parts: Sequence[bytes]) -> None:
    received = b"".join(parts)
    decoder = FrameDecoder()
    assert heard(library, received) == (list(decoder.feed(received)), decoder.spoiled)


@given(stuffed=st.lists(st.integers(1, 5), max_size=12).map(bytes))
def test_both_agree_on_distances_that_do_not_add_up(library: Library, stuffed: bytes) -> None:
    frame = decode(stuffed)
    assert heard(library, stuffed + b"\0") == ([frame] if frame else [], int(frame is None and bool(stuffed)))


# The chain.


class Look(IntEnum):
    SAME, CHANGED, RECOUNTED, BROKEN = range(4)


MOST_STRIPS, MOST_CHANGES, DEBOUNCE = 120, 16, 3
READ = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint8), ctypes.c_uint8)


class Chain(ctypes.Structure):
    _fields_ = (
        ("strips", ctypes.c_uint8),
        ("state", ctypes.c_uint8 * MOST_STRIPS),
        ("debounce", ctypes.c_uint8),
        ("broken_at", ctypes.c_uint8),
        ("broken_by", ctypes.c_uint8),
        ("changes", ctypes.c_uint8),
        ("change", ctypes.c_uint8 * 3 * MOST_CHANGES),
        ("raw", ctypes.c_uint8 * (MOST_STRIPS + 1)),
        ("fresh", ctypes.c_uint8 * MOST_STRIPS),
        ("agreed", ctypes.c_uint8 * MOST_STRIPS),
        ("odd", ctypes.c_uint8),
    )


class Strips:
    """A chain as the firmware sees it; `sparks` are readings that come out otherwise, the next one first."""

    def __init__(self, library: Library, count: int = 4) -> None:
        self._library, self._chain = library, Chain(debounce=DEBOUNCE)
        self.sent = bytearray([0xBF] * count)
        self.sparks: list[bytes] = []
        self._read = READ(self._shift_in)

    def _shift_in(self, room: Sequence[int], count: int) -> None:
        sent = self.sparks.pop(0) if self.sparks else bytes(self.sent)
        for at, byte in enumerate(sent.ljust(count, b"\0")[:count]):
            room[at] = byte  # type: ignore[index]

    def look(self) -> Look:
        return Look(self._library.scan_look(ctypes.byref(self._chain), self._read))

    def looks(self, times: int) -> list[Look]:
        return [self.look() for _ in range(times)]

    @property
    def state(self) -> bytes:
        return bytes(self._chain.state[: self._chain.strips])

    @property
    def changes(self) -> list[tuple[int, ...]]:
        return [tuple(self._chain.change[at]) for at in range(self._chain.changes)]

    @property
    def broken(self) -> tuple[int, int]:
        return self._chain.broken_at, self._chain.broken_by


@pytest.fixture
def strips(library: Library) -> Strips:
    made = Strips(library)
    assert made.look() is Look.RECOUNTED
    return made


def test_a_peg_is_believed_at_the_third_reading_that_agrees(strips: Strips) -> None:
    strips.sent[2] = 0xAF
    assert strips.looks(4) == [Look.SAME, Look.SAME, Look.CHANGED, Look.SAME]
    assert strips.state == bytes([0xBF, 0xBF, 0xAF, 0xBF])


def test_a_change_tells_its_strip_before_and_after(strips: Strips) -> None:
    strips.sent[0], strips.sent[3] = 0xBE, 0xAF
    while strips.look() is not Look.CHANGED:
        pass
    assert strips.changes == [(0, 0xBF, 0xBE), (3, 0xBF, 0xAF)]


def test_a_contact_that_bounces_is_believed_once_it_has_come_to_rest(strips: Strips) -> None:
    for byte in (0xAF, 0xBF, 0xAF, 0xAF, 0xBF, 0xBF, 0xAF, 0xAE):
        strips.sent[1] = byte
        assert strips.look() is Look.SAME
    assert strips.looks(2) == [Look.SAME, Look.CHANGED]
    assert strips.changes == [(1, 0xBF, 0xAE)]


def test_a_spark_in_one_reading_is_no_fault_and_no_peg(strips: Strips) -> None:
    strips.sparks = [b"\xbf\x5f\xbf\xbf"]
    assert strips.looks(5) == [Look.SAME] * 5 and strips.state == bytes([0xBF] * 4)


def test_a_chain_that_breaks_is_told_at_the_third_scan_with_its_strip_and_byte(strips: Strips) -> None:
    strips.sent[2] = 0x7F
    assert strips.looks(4) == [Look.SAME, Look.SAME, Look.BROKEN, Look.BROKEN]
    assert strips.broken == (2, 0x7F)
    strips.sent[2] = 0xBF
    assert strips.look() is Look.SAME


def test_bits_past_the_end_break_the_chain_there(strips: Strips) -> None:
    strips.sent += b"\x01"
    assert strips.looks(3)[-1] is Look.BROKEN and strips.broken == (4, 0x01)


@pytest.mark.parametrize("count", [1, 3, 5, MOST_STRIPS])
def test_a_chain_of_another_length_is_counted_anew(strips: Strips, count: int) -> None:
    strips.sent = bytearray([0xBE] * count)
    assert strips.looks(4) == [Look.SAME, Look.SAME, Look.RECOUNTED, Look.SAME]
    assert strips.state == bytes([0xBE] * count)


def test_a_chain_never_read_is_broken_at_once_and_counted_when_it_comes(library: Library) -> None:
    strips = Strips(library, count=0)
    assert strips.looks(2) == [Look.BROKEN, Look.BROKEN] and strips.broken == (0, 0)
    strips.sent += b"\xbf\xbf"
    assert strips.looks(2) == [Look.RECOUNTED, Look.SAME]


def test_more_strips_than_there_is_room_for_break_the_chain_where_the_room_ends(library: Library) -> None:
    strips = Strips(library, count=MOST_STRIPS + 1)
    assert strips.look() is Look.BROKEN and strips.broken == (MOST_STRIPS, 0xBF)


def test_more_changes_at_once_than_are_kept_are_counted_all_the_same(library: Library) -> None:
    strips = Strips(library, count=MOST_CHANGES + 4)
    strips.look()
    strips.sent = bytearray([0xBE] * (MOST_CHANGES + 4))
    strips.looks(3)
    assert strips._chain.changes == MOST_CHANGES + 4 and strips.state == bytes(strips.sent)
