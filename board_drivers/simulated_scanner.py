"""A scanner of no hardware: at the other end of a cable it reads a chain, and says in hole-scan/1 what is on it.

It looks when it is listened to, and believes every look; the firmware waits until readings agree.
"""

from __future__ import annotations

from collections.abc import Callable

from board_drivers.hole_scan import PROTOCOL, ErrorCode, Frame, FrameDecoder, Kind, encode
from board_drivers.sensor_chain import Latch, SpiPort, signed_strips

BOOT_S = 1.5
"""A boot loader waits that long for a new program before it starts the old one."""
SNAPSHOT_S = 0.1
MOST_STRIPS = 120
MOST_CHANGES = 16
FIRMWARE = (1, 0)


class SimulatedScanner:
    """A `Cable` to a scanner, which starts when it is made: power comes by the cable."""

    def __init__(self, latch: Latch, port: SpiPort, clock: Callable[[], float]) -> None:
        self._latch, self._port, self._clock = latch, port, clock
        self._starts_s = clock() + BOOT_S
        self._heard, self._said, self._sequence = FrameDecoder(), bytearray(), 0
        self._state = b""
        self._was_broken = False
        self._said_state_s = float("-inf")

    def read(self) -> bytes:
        if self._uptime_s >= 0:
            self._look()
        said = bytes(self._said)
        self._said.clear()
        return said

    def write(self, told: bytes) -> None:
        if self._uptime_s < 0:
            return  # its boot loader does not care
        spoiled = self._heard.spoiled
        for frame in self._heard.feed(told):
            self._obey(frame)
        if self._heard.spoiled > spoiled:
            self._say(Kind.ERROR, bytes([ErrorCode.FRAME_SPOILED, 0, 0]))

    def close(self) -> None: ...

    @property
    def _uptime_s(self) -> float:
        return self._clock() - self._starts_s

    @property
    def _uptime(self) -> bytes:
        """In ms, as it is sent."""
        return (int(self._uptime_s * 1000) % 2**32).to_bytes(4, "big")

    def _obey(self, frame: Frame) -> None:
        match frame.kind:
            case Kind.ASK_HELLO:
                self._say_hello()
            case Kind.PING:
                self._say(Kind.PONG, frame.payload)
            case kind:
                self._say(Kind.ERROR, bytes([ErrorCode.ORDER_UNKNOWN, kind, frame.sequence]))

    def _look(self) -> None:
        """One look at the chain, and a word about it if there is news, or if it is time."""
        self._latch.on()
        self._latch.off()
        read = bytes(self._port.transfer([0] * (MOST_STRIPS + 1)))
        strips = signed_strips(read)
        is_broken = not strips or any(read[strips:])
        is_new = not is_broken and self._notice(read[:strips])
        if is_new or is_broken != self._was_broken or self._clock() - self._said_state_s >= SNAPSHOT_S:
            self._said_state_s, self._was_broken = self._clock(), is_broken
            if is_broken:
                self._say(Kind.ERROR, bytes([ErrorCode.CHAIN_BROKEN, strips, read[strips]]))
            else:
                self._say(Kind.SNAPSHOT, self._state)

    def _notice(self, state: bytes) -> bool:
        """What is new in a sound reading, told at once."""
        before, self._state = self._state, state
        if len(before) != len(state):
            self._say_hello()
            return True
        changes = [(strip, *pair) for strip, pair in enumerate(zip(before, state, strict=True)) if pair[0] != pair[1]]
        if 0 < len(changes) <= MOST_CHANGES:
            self._say(Kind.CHANGE, self._uptime + bytes(byte for change in changes for byte in change))
        return bool(changes)

    def _say_hello(self) -> None:
        self._say(Kind.HELLO, bytes([PROTOCOL, *FIRMWARE, len(self._state)]) + self._uptime)

    def _say(self, kind: Kind, payload: bytes) -> None:
        self._said += encode(Frame(kind, self._sequence, payload))
        self._sequence = (self._sequence + 1) % 256
