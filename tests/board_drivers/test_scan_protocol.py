"""hole-scan/1 frames: encoding, and decoding with splits, garbage, flipped bits and lost bytes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.scan_protocol import (
    MAX_PAYLOAD,
    MAX_STUFFED,
    Frame,
    FrameDecoder,
    Hello,
    Kind,
    StripChange,
    encode,
    parse_changes,
    parse_hello,
)

BYTES = st.integers(0, 255)
PAYLOADS = st.binary(max_size=MAX_PAYLOAD) | st.lists(st.sampled_from((0, 0xBF, 0xFF)), max_size=60).map(bytes)
FRAMES = st.builds(Frame, BYTES, BYTES, PAYLOADS)
SHORT_FRAMES = st.builds(Frame, BYTES, BYTES, st.binary(max_size=30))


def decoded(*parts: bytes) -> list[Frame]:
    decoder = FrameDecoder()
    return [frame for part in parts for frame in decoder.feed(part)]


def test_bytes_of_a_frame_on_the_wire() -> None:
    """The check value of CRC-16/CCITT-FALSE is 0x29B1 for "123456789"; COBS replaces each zero by a distance."""
    assert encode(Frame(ord("1"), ord("2"), b"3456789")) == b"\x0c123456789\x29\xb1\x00"
    with_zeros = encode(Frame(Kind.CHANGE, 0, b"\0\0\xbf"))
    assert with_zeros[:4] == b"\x02C\x01\x01" and with_zeros[5:6] == b"\xbf"


def test_long_payload_is_refused() -> None:
    with pytest.raises(ValueError, match=f"at most {MAX_PAYLOAD} bytes of payload, got {MAX_PAYLOAD + 1}"):
        encode(Frame(Kind.SNAPSHOT, 0, bytes(MAX_PAYLOAD + 1)))


@given(FRAMES)
def test_encoded_frame_decodes_to_itself(frame: Frame) -> None:
    wire = encode(frame)
    assert wire.index(0) == len(wire) - 1 <= MAX_STUFFED
    assert decoded(wire) == [frame]


@given(SHORT_FRAMES, SHORT_FRAMES)
def test_frame_may_be_split_at_every_offset(first: Frame, second: Frame) -> None:
    wire = encode(first) + encode(second)
    for offset in range(len(wire) + 1):
        assert decoded(wire[:offset], wire[offset:]) == [first, second]
    assert decoded(*(bytes([byte]) for byte in wire)) == [first, second]


@given(st.lists(st.tuples(st.binary(max_size=300), SHORT_FRAMES), max_size=4), st.binary(max_size=50))
def test_garbage_between_frames_loses_no_frame(sent: Sequence[tuple[bytes, Frame]], rest: bytes) -> None:
    wire = b"".join(garbage + b"\0" + encode(frame) for garbage, frame in sent) + rest
    found = iter(decoded(wire))
    assert all(frame in found for _, frame in sent), "every sent frame is decoded, in order"


@given(FRAMES, st.data())
def test_flipped_bit_never_makes_another_frame(frame: Frame, data: st.DataObject) -> None:
    """A CRC of 16 bits detects every single flip; one that makes or removes a zero splits or joins frames."""
    wire = bytearray(encode(frame))
    bit = data.draw(st.integers(0, 8 * (len(wire) - 1) - 1))
    wire[bit // 8] ^= 1 << bit % 8
    after = Frame(Kind.SNAPSHOT, 1, b"\xbf")
    assert [found for found in decoded(bytes(wire), encode(after)) if found != after] == []


@given(FRAMES, st.data())
def test_half_a_frame_loses_only_that_frame(frame: Frame, data: st.DataObject) -> None:
    wire = encode(frame)
    lost = data.draw(st.integers(1, len(wire) - 1))
    decoder = FrameDecoder()
    assert list(decoder.feed(wire[lost:])) == []
    assert decoder.corrupt_frames == (lost < len(wire) - 1)
    assert list(decoder.feed(encode(frame))) == [frame]


def test_endless_frame_is_not_buffered() -> None:
    decoder = FrameDecoder()
    for _ in range(1000):
        assert list(decoder.feed(b"\xff" * 1000)) == []
    assert len(decoder._partial) <= MAX_STUFFED + 1
    assert list(decoder.feed(b"\0" + encode(Frame(Kind.HELLO, 0)))) == [Frame(Kind.HELLO, 0)]
    assert decoder.corrupt_frames == 1


def test_hello_is_parsed_and_too_short_ones_are_refused() -> None:
    assert parse_hello(bytes([1, 1, 4, 25, 0, 1, 0, 2])) == Hello(1, (1, 4), 25, 65538)
    assert parse_hello(bytes([1, 1, 4])) is None
    assert parse_hello(bytes([2, 0, 0, 0, 0, 0, 0, 0, 99])) == Hello(2, (0, 0), 0, 0)


def test_changes_are_parsed_and_a_cut_one_is_ignored() -> None:
    payload = bytes([0, 0, 0, 9, 3, 0xBF, 0xBE, 4, 0xBE])
    assert parse_changes(payload) == (StripChange(3, 0xBF, 0xBE),)
