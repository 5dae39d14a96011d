"""Encodes and decodes hole-scan/1, the frames between a scanner and its host.

The table of kinds is in `hardware/firmware/README.md`. A frame is COBS(kind, sequence, payload, CRC-16/CCITT-FALSE) and
a zero byte. Zero occurs nowhere else, so a receiver finds the next frame wherever it starts. A frame that fails its CRC
is dropped.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterator
from enum import IntEnum

from msgspec import Struct
from msgspec.structs import replace

PROTOCOL = 1
MAX_PAYLOAD = 192
"""Keeps a body under 254 bytes, so that COBS never has to split a run."""
MAX_STUFFED = MAX_PAYLOAD + 5
"""Bytes of an encoded frame without its zero: kind, sequence, payload, CRC and one byte of COBS overhead."""
MAX_DISPLAY_PAYLOAD = 34
"""Bytes of the address of a display and of what it is sent: few enough that a scan waits for 2 ms only."""
CRC_START = 0xFFFF
SUPPLY_STEP_MA = 100
"""The unit in which a scanner tells the current of its supply."""


class Kind(IntEnum):
    """Kinds of frames: upper case from the scanner, lower case to it."""

    HELLO = ord("H")
    SNAPSHOT = ord("S")
    CHANGE = ord("C")
    ERROR = ord("E")
    PONG = ord("P")
    CONFIGURED = ord("K")
    LIGHTS_RECEIVED = ord("L")
    DISPLAY_ANSWERED = ord("O")
    KEYS = ord("B")
    DIAGNOSIS = ord("D")
    ASK_HELLO = ord("h")
    PING = ord("p")
    CONFIGURE = ord("k")
    LIGHTS = ord("l")
    DISPLAY = ord("o")
    DIAGNOSE = ord("d")


class ErrorCode(IntEnum):
    """The first byte of an `ERROR` payload."""

    CHAIN_BROKEN = 1
    """Followed by the first strip, counted from 0, whose byte lacks the signature, and that byte."""
    CORRUPT_FRAME = 2
    UNKNOWN_COMMAND = 3
    LIGHTS_REFUSED = 4
    """Followed by a `Refusal` and the sequence number of the refused frame."""
    ROW_SHORTED = 5
    """Followed by the row, from 0, that is low while no column has power."""
    COLUMN_CURRENT = 6
    """Followed by the column, from 0, that draws too little or too much, and its current in mA."""


class Refusal(IntEnum):
    """Why a frame of lights changed nothing."""

    NO_LIGHTS = 1
    WRONG_LENGTH = 2
    OUT_OF_RANGE = 3
    OUT_OF_ORDER = 4


class SensorLayout(IntEnum):
    """How the sensors of a scanner are wired."""

    STRIPS = 0
    """A chain of strips of five holes."""
    MATRIX = 1
    """The sensing board: columns of sixteen rows, two bytes of a snapshot each."""


class LightReturn(IntEnum):
    """Whether the data that the lights are sent comes back from the last one."""

    BROKEN = 0
    INTACT = 1
    UNKNOWN = 2


class Frame(Struct, frozen=True):
    """One frame. `sequence` counts the frames of one direction, from 0 after a reset, modulo 256."""

    kind: int
    sequence: int
    payload: bytes = b""


class Hello(Struct, frozen=True):
    """The payload of `HELLO`. `firmware`: major, minor. `strips` is 0 while the scanner cannot read its whole chain.

    `layout` is one of `SensorLayout`, or a number of a later protocol. `lights`: how many it can light at most.
    `supply_ma`: the current that its USB port promises, 0 if unknown. Firmware 1.0 sends none of these. `display`: the
    I2C address at which a display answers; 0: there is none, or the firmware is older than 1.2.
    """

    protocol: int
    firmware: tuple[int, int]
    strips: int
    uptime_ms: int
    layout: int = SensorLayout.STRIPS
    lights: int = 0
    supply_ma: int = 0
    display: int = 0


class Diagnosis(Struct, frozen=True):
    """The payload of `DIAGNOSIS`. `column_ma`: the current of each column; 255 mA and more are 255."""

    supply_ma: int
    light_return: LightReturn
    column_ma: tuple[int, ...]


class StripChange(Struct, frozen=True):
    """The byte of a strip before and after a change; `strip` is counted from 0."""

    strip: int
    before: int
    after: int


def encode(frame: Frame) -> bytes:
    """The bytes on the wire, with the closing zero. Raises ValueError for a payload over `MAX_PAYLOAD` bytes."""
    if len(frame.payload) > MAX_PAYLOAD:
        raise ValueError(f"expected at most {MAX_PAYLOAD} bytes of payload, got {len(frame.payload)}")
    body = bytes((frame.kind, frame.sequence)) + frame.payload
    body += crc_hqx(body, CRC_START).to_bytes(2, "big")
    return b"".join(bytes([len(run) + 1]) + run for run in body.split(b"\0")) + b"\0"


class FrameDecoder:
    """Splits the received bytes into frames. `corrupt_frames` counts those that failed COBS or CRC."""

    def __init__(self) -> None:
        self.corrupt_frames = 0
        self._partial = bytearray()

    def feed(self, received: bytes) -> Iterator[Frame]:
        """The frames that these bytes complete. All bytes are decoded at once, not while the result is iterated."""
        *ended, rest = received.split(b"\0")
        frames = []
        for end in ended:
            stuffed = bytes(self._partial) + end
            self._partial = bytearray()
            if frame := decode(stuffed):
                frames.append(frame)
            elif stuffed:
                self.corrupt_frames += 1
        self._partial = (self._partial + rest)[: MAX_STUFFED + 1]  # longer ones are corrupt anyway: do not grow
        return iter(frames)


def decode(stuffed: bytes) -> Frame | None:
    """The frame in these bytes, without their closing zero; None if COBS or CRC fail."""
    body = _unstuffed(stuffed) if len(stuffed) <= MAX_STUFFED else b""
    if len(body) < 4 or crc_hqx(body, CRC_START):  # the CRC over a body and its CRC is 0
        return None
    return Frame(body[0], body[1], body[2:-2])


def _unstuffed(stuffed: bytes) -> bytes:
    """COBS decoding; empty if the distances do not add up."""
    runs = []
    at = 0
    while at < len(stuffed):
        end = at + stuffed[at]
        runs.append(stuffed[at + 1 : end])
        at = end
    return b"\0".join(runs) if at == len(stuffed) else b""


def parse_hello(payload: bytes) -> Hello | None:
    """Parse the payload of `HELLO`; None if it is too short. Additional bytes, of a later protocol, are ignored."""
    if len(payload) < 8:
        return None
    protocol, major, minor, strips = payload[:4]
    hello = Hello(protocol, (major, minor), strips, int.from_bytes(payload[4:8], "big"))
    if len(payload) < 12:
        return hello
    lights = int.from_bytes(payload[9:11], "big")
    display = payload[12] if len(payload) > 12 else 0
    return replace(hello, layout=payload[8], lights=lights, supply_ma=payload[11] * SUPPLY_STEP_MA, display=display)


def parse_diagnosis(payload: bytes) -> Diagnosis | None:
    """Parse the payload of `DIAGNOSIS`; None if it is too short, or says what this version does not know."""
    if len(payload) < 2 or payload[1] not in tuple(LightReturn):
        return None
    return Diagnosis(payload[0] * SUPPLY_STEP_MA, LightReturn(payload[1]), tuple(payload[2:]))


def parse_changes(payload: bytes) -> tuple[StripChange, ...]:
    """Parse the payload of `CHANGE`: four bytes of uptime, then three bytes a strip. A cut last change is ignored."""
    changes = payload[4:]
    return tuple(StripChange(*changes[at : at + 3]) for at in range(0, len(changes) - 2, 3))
