"""A simulated scanner: a `Cable` whose other end reads a sensor chain and sends hole-scan/1.

It reads the chain whenever its cable is read, and accepts every reading; the real firmware debounces.
"""

from __future__ import annotations

from collections.abc import Callable

from board_drivers.scan_protocol import PROTOCOL, ErrorCode, Frame, FrameDecoder, Kind, encode
from board_drivers.sensor_chain import Latch, SpiPort, signed_strips

BOOT_S = 1.5
"""How long the boot loader waits for a new program before it starts the old one."""
SNAPSHOT_S = 0.1
MAX_STRIPS = 120
MAX_CHANGES = 16
FIRMWARE = (1, 0)


class SimulatedScanner:
    """A `Cable` to a scanner that starts `BOOT_S` after it is made, as it has its power from the cable."""

    def __init__(self, latch: Latch, port: SpiPort, clock: Callable[[], float]) -> None:
        self._latch = latch
        self._port = port
        self._clock = clock
        self._starts_s = clock() + BOOT_S
        self._decoder = FrameDecoder()
        self._unsent = bytearray()
        self._sequence = 0
        self._state = b""
        self._was_broken = False
        self._state_sent_s = float("-inf")

    def read(self) -> bytes:
        """The frames since the last call, with what one reading of the chain adds."""
        if self._uptime_s >= 0:
            self._scan()
        sent = bytes(self._unsent)
        self._unsent.clear()
        return sent

    def write(self, data: bytes) -> None:
        """Answer the frames in these bytes at the next `read`; the boot loader ignores them."""
        if self._uptime_s < 0:
            return
        corrupt_frames = self._decoder.corrupt_frames
        for frame in self._decoder.feed(data):
            self._execute(frame)
        if self._decoder.corrupt_frames > corrupt_frames:
            self._send(Kind.ERROR, bytes([ErrorCode.CORRUPT_FRAME, 0, 0]))

    def close(self) -> None: ...

    @property
    def _uptime_s(self) -> float:
        return self._clock() - self._starts_s

    @property
    def _uptime(self) -> bytes:
        """In ms, as four bytes."""
        return (int(self._uptime_s * 1000) % 2**32).to_bytes(4, "big")

    def _execute(self, frame: Frame) -> None:
        match frame.kind:
            case Kind.ASK_HELLO:
                self._send_hello()
            case Kind.PING:
                self._send(Kind.PONG, frame.payload)
            case kind:
                self._send(Kind.ERROR, bytes([ErrorCode.UNKNOWN_COMMAND, kind, frame.sequence]))

    def _scan(self) -> None:
        """Read the chain once; send its state if it has changed, or if a snapshot is due."""
        self._latch.on()
        self._latch.off()
        read = bytes(self._port.transfer([0] * (MAX_STRIPS + 1)))
        strips = signed_strips(read)
        is_broken = not strips or any(read[strips:])
        is_new = not is_broken and self._set_state(read[:strips])
        if is_new or is_broken != self._was_broken or self._clock() - self._state_sent_s >= SNAPSHOT_S:
            self._state_sent_s = self._clock()
            self._was_broken = is_broken
            if is_broken:
                self._send(Kind.ERROR, bytes([ErrorCode.CHAIN_BROKEN, strips, read[strips]]))
            else:
                self._send(Kind.SNAPSHOT, self._state)

    def _set_state(self, state: bytes) -> bool:
        """Keep this state and send what has changed in it; whether anything has."""
        before = self._state
        self._state = state
        if len(before) != len(state):
            self._send_hello()
            return True
        changes = [(strip, *pair) for strip, pair in enumerate(zip(before, state, strict=True)) if pair[0] != pair[1]]
        if 0 < len(changes) <= MAX_CHANGES:
            self._send(Kind.CHANGE, self._uptime + bytes(byte for change in changes for byte in change))
        return bool(changes)

    def _send_hello(self) -> None:
        self._send(Kind.HELLO, bytes([PROTOCOL, *FIRMWARE, len(self._state)]) + self._uptime)

    def _send(self, kind: Kind, payload: bytes) -> None:
        self._unsent += encode(Frame(kind, self._sequence, payload))
        self._sequence = (self._sequence + 1) % 256
