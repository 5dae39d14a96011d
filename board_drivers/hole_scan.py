"""hole-scan/1: the frames between a scanner and its host. The table of kinds is in `hardware/firmware/README.md`.

A frame is COBS(kind, sequence, payload, CRC-16/CCITT-FALSE) and a zero: a zero byte always ends one, wherever a
listener comes in. What fails its CRC is no frame.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

PROTOCOL = 1
MOST_PAYLOAD = 192
"""Keeps a body under 254 bytes, so that COBS never has to split a run."""
MOST_STUFFED = MOST_PAYLOAD + 5
CRC_START = 0xFFFF


class Kind(IntEnum):
    """Upper case comes from the scanner, lower case goes to it."""

    HELLO = ord("H")
    SNAPSHOT = ord("S")
    CHANGE = ord("C")
    ERROR = ord("E")
    PONG = ord("P")
    CONFIGURED = ord("K")
    ASK_HELLO = ord("h")
    PING = ord("p")
    CONFIGURE = ord("k")


class ErrorCode(IntEnum):
    CHAIN_BROKEN = 1
    """Followed by the first strip, from 0, that did not sign its byte, and that byte."""
    FRAME_SPOILED = 2
    ORDER_UNKNOWN = 3


@dataclass(frozen=True, slots=True)
class Frame:
    """`sequence` counts the frames of one direction, from 0 after a reset, modulo 256."""

    kind: int
    sequence: int
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the scanner is. `strips` is 0 while it cannot read its chain in one piece."""

    protocol: int
    firmware: tuple[int, int]
    strips: int
    uptime_ms: int


@dataclass(frozen=True, slots=True)
class StripChange:
    """The byte of a strip, before and after."""

    strip: int
    before: int
    now: int


def encode(frame: Frame) -> bytes:
    """The bytes on the wire. ValueError: the payload is too long."""
    if len(frame.payload) > MOST_PAYLOAD:
        raise ValueError(f"expected at most {MOST_PAYLOAD} bytes of payload, got {len(frame.payload)}")
    body = bytes((frame.kind, frame.sequence)) + frame.payload
    body += crc_hqx(body, CRC_START).to_bytes(2, "big")
    return b"".join(bytes([len(run) + 1]) + run for run in body.split(b"\0")) + b"\0"


class FrameDecoder:
    """Bytes in as they come, whole frames out. `spoiled` counts what ended in a zero and was no frame."""

    def __init__(self) -> None:
        self.spoiled = 0
        self._part = bytearray()

    def feed(self, received: bytes) -> Iterator[Frame]:
        """All bytes are taken at once, whether or not the frames are asked for."""
        *ended, rest = received.split(b"\0")
        frames = []
        for end in ended:
            stuffed, self._part = bytes(self._part) + end, bytearray()
            if frame := decode(stuffed):
                frames.append(frame)
            elif stuffed:
                self.spoiled += 1
        self._part = (self._part + rest)[: MOST_STUFFED + 1]  # what is longer can only be spoiled: no need to keep it
        return iter(frames)


def decode(stuffed: bytes) -> Frame | None:
    """The frame that these bytes, without their zero, are; None if they are none."""
    body = _unstuffed(stuffed) if len(stuffed) <= MOST_STUFFED else b""
    if len(body) < 4 or crc_hqx(body, CRC_START):  # over a body and its CRC it comes to 0
        return None
    return Frame(body[0], body[1], body[2:-2])


def _unstuffed(stuffed: bytes) -> bytes:
    """Nothing if the distances do not add up."""
    runs, at = [], 0
    while at < len(stuffed):
        end = at + stuffed[at]
        runs.append(stuffed[at + 1 : end])
        at = end
    return b"\0".join(runs) if at == len(stuffed) else b""


def hello_in(payload: bytes) -> Hello | None:
    """None: too short. A scanner of another protocol need only begin as ours does; what it adds is left alone."""
    if len(payload) < 8:
        return None
    protocol, major, minor, strips = payload[:4]
    return Hello(protocol, (major, minor), strips, int.from_bytes(payload[4:8], "big"))


def changes_in(payload: bytes) -> tuple[StripChange, ...]:
    """After four bytes of the scanner's clock in ms, three a strip."""
    told = payload[4:]
    return tuple(StripChange(*told[at : at + 3]) for at in range(0, len(told) - 2, 3))
