"""What the simulated scanners share: a `Cable` whose other end starts, sends its state and answers commands.

It scans whenever its cable is read, and accepts every reading; the real firmware debounces.
"""

from __future__ import annotations

from collections.abc import Callable

from board_drivers.scan_protocol import PROTOCOL, ErrorCode, Frame, FrameDecoder, Kind, encode

BOOT_S = 1.5
"""How long the boot loader waits for a new program before it starts the old one."""
SNAPSHOT_S = 0.1
MAX_CHANGES = 16
FIRMWARE = (1, 2)

Sample = Callable[[], tuple[bytes, bytes]]
"""Scans once: the bytes of a snapshot, and the payload of an `ERROR`, which is empty if the snapshot is valid."""
Answer = Callable[[Frame], tuple[Kind, bytes] | None]
"""The kind and payload of the answer to a command; None for an unknown one."""


class SimulatedFirmware:
    """A `Cable` to a scanner that starts `BOOT_S` after it is made, as it has its power from the cable.

    `hello` returns what it says of itself after its uptime.
    """

    def __init__(
        self, clock: Callable[[], float], sample: Sample, answer: Answer, hello: Callable[[], bytes] = bytes
    ) -> None:
        self._clock = clock
        self._sample = sample
        self._answer = answer
        self._hello = hello
        self._starts_s = clock() + BOOT_S
        self._decoder = FrameDecoder()
        self._unsent = bytearray()
        self._sequence = 0
        self._state = b""
        self._error = b""
        self._state_sent_s = float("-inf")

    def read(self) -> bytes:
        """The frames since the last call, with what one scan adds."""
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
                unknown = (Kind.ERROR, bytes([ErrorCode.UNKNOWN_COMMAND, kind, frame.sequence]))
                self._send(*(self._answer(frame) or unknown))

    def _scan(self) -> None:
        """Scan once; send the state if it has changed, or if a snapshot is due."""
        state, error = self._sample()
        is_new = not error and self._set_state(state)
        is_due = self._clock() - self._state_sent_s >= SNAPSHOT_S
        if is_new or bool(error) != bool(self._error) or is_due:
            self._state_sent_s = self._clock()
            self._send(*((Kind.ERROR, error) if error else (Kind.SNAPSHOT, self._state)))
        self._error = error

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
        self._send(Kind.HELLO, bytes([PROTOCOL, *FIRMWARE, len(self._state)]) + self._uptime + self._hello())

    def _send(self, kind: Kind, payload: bytes) -> None:
        self._unsent += encode(Frame(kind, self._sequence, payload))
        self._sequence = (self._sequence + 1) % 256
