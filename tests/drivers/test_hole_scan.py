"""Frames on a bad wire: split anywhere, with garbage between them, bits flipped, bytes lost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.hole_scan import (
    MOST_PAYLOAD,
    MOST_STUFFED,
    Frame,
    FrameDecoder,
    Hello,
    Kind,
    StripChange,
    changes_in,
    encode,
    hello_in,
)

BYTES = st.integers(0, 255)
PAYLOADS = st.binary(max_size=MOST_PAYLOAD) | st.lists(st.sampled_from((0, 0xBF, 0xFF)), max_size=60).map(bytes)
FRAMES = st.builds(Frame, BYTES, BYTES, PAYLOADS)
SHORT_FRAMES = st.builds(Frame, BYTES, BYTES, st.binary(max_size=30))


def heard(*parts: bytes) -> list[Frame]:
    decoder = FrameDecoder()
    return [frame for part in parts for frame in decoder.feed(part)]


def test_a_frame_on_the_wire_byte_by_byte() -> None:
    """The check value of CRC-16/CCITT-FALSE is 0x29B1 for "123456789"; each zero becomes a distance."""
    assert encode(Frame(ord("1"), ord("2"), b"3456789")) == b"\x0c123456789\x29\xb1\x00"
    with_zeros = encode(Frame(Kind.CHANGE, 0, b"\0\0\xbf"))
    assert with_zeros[:4] == b"\x02C\x01\x01" and with_zeros[5:6] == b"\xbf"


def test_a_payload_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match=f"at most {MOST_PAYLOAD} bytes of payload, got {MOST_PAYLOAD + 1}"):
        encode(Frame(Kind.SNAPSHOT, 0, bytes(MOST_PAYLOAD + 1)))


@given(FRAMES)
def test_what_is_encoded_is_decoded(frame: Frame) -> None:
    wire = encode(frame)
    assert wire.index(0) == len(wire) - 1 <= MOST_STUFFED
    assert heard(wire) == [frame]


@given(SHORT_FRAMES, SHORT_FRAMES)
def test_a_frame_may_be_split_at_every_offset(first: Frame, second: Frame) -> None:
    wire = encode(first) + encode(second)
    for offset in range(len(wire) + 1):
        assert heard(wire[:offset], wire[offset:]) == [first, second]
    assert heard(*(bytes([byte]) for byte in wire)) == [first, second]


@given(st.lists(st.tuples(st.binary(max_size=300), SHORT_FRAMES), max_size=4), st.binary(max_size=50))
def test_garbage_between_frames_costs_no_frame(told: Sequence[tuple[bytes, Frame]], rest: bytes) -> None:
    wire = b"".join(garbage + b"\0" + encode(frame) for garbage, frame in told) + rest
    found = iter(heard(wire))
    assert all(frame in found for _, frame in told), "each frame that was sent comes through, in its order"


@given(FRAMES, st.data())
def test_no_flipped_bit_is_taken_for_a_frame_that_was_never_sent(frame: Frame, data: st.DataObject) -> None:
    """A CRC of 16 bits sees every single flip; one that makes or unmakes a zero splits or joins frames."""
    wire = bytearray(encode(frame))
    bit = data.draw(st.integers(0, 8 * (len(wire) - 1) - 1))
    wire[bit // 8] ^= 1 << bit % 8
    after = Frame(Kind.SNAPSHOT, 1, b"\xbf")
    assert [found for found in heard(bytes(wire), encode(after)) if found != after] == []


@given(FRAMES, st.data())
def test_half_a_frame_costs_one_frame_and_no_more(frame: Frame, data: st.DataObject) -> None:
    wire = encode(frame)
    lost = data.draw(st.integers(1, len(wire) - 1))
    decoder = FrameDecoder()
    assert list(decoder.feed(wire[lost:])) == []
    assert decoder.spoiled == (lost < len(wire) - 1)
    assert list(decoder.feed(encode(frame))) == [frame]


def test_a_line_that_never_ends_is_not_kept() -> None:
    decoder = FrameDecoder()
    for _ in range(1000):
        assert list(decoder.feed(b"\xff" * 1000)) == []
    assert len(decoder._part) <= MOST_STUFFED + 1
    assert list(decoder.feed(b"\0" + encode(Frame(Kind.HELLO, 0)))) == [Frame(Kind.HELLO, 0)]
    assert decoder.spoiled == 1


def test_what_a_scanner_says_of_itself() -> None:
    assert hello_in(bytes([1, 1, 4, 25, 0, 1, 0, 2])) == Hello(1, (1, 4), 25, 65538)
    assert hello_in(bytes([1, 1, 4])) is None
    assert hello_in(bytes([2, 0, 0, 0, 0, 0, 0, 0, 99])) == Hello(2, (0, 0), 0, 0)


def test_changes_by_strip_and_a_half_one_left_out() -> None:
    told = bytes([0, 0, 0, 9, 3, 0xBF, 0xBE, 4, 0xBE])
    assert changes_in(told) == (StripChange(3, 0xBF, 0xBE),)
