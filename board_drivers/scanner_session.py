"""The host's side of hole-scan/1, without I/O: received bytes and times in, the chain's state or a fault out.

A snapshot carries the whole state; a change only arrives sooner. A change is applied while no frame is missing. After a
gap in the sequence numbers, changes are ignored until the next snapshot.

A corrupt frame is answered with a ping. On a noisy cable several long snapshots in a row may be corrupt; the short pong
still arrives, so the scanner is not taken for lost, and not reset by opening its port again.
"""

from __future__ import annotations

from board_drivers.ports import DriverError
from board_drivers.scan_protocol import (
    PROTOCOL,
    ErrorCode,
    Frame,
    FrameDecoder,
    Hello,
    Kind,
    encode,
    parse_changes,
    parse_hello,
)
from board_drivers.sensor_chain import ChainHead, broken_chain_error, silent_chain_error, strip_count_error

HELLO_S = 3.0
"""Time limit for the first HELLO: opening the port resets the scanner, and its boot loader waits first."""
SILENCE_S = 0.5
"""A scanner that has sent no frame for this long, five snapshots, is lost."""
SCANNER = ChainHead("the scanner", "Check the ribbon at the scanner: 5V, ground, D9, D12 and D13.")

STARTING = DriverError(
    device="Scanner starting",
    expected="its first snapshot",
    got="none yet",
    fix=f"It takes up to {HELLO_S:.0f} seconds.",
)
LOST = DriverError(
    device="Board lost",
    expected=f"a frame from the scanner every {SILENCE_S} s",
    got="silence",
    fix="Check its USB cable; the game goes on when it is plugged in again.",
)


class ScannerSession:
    """Receives the frames of one scanner since its port was opened at `opened_s`. `strips`: how many the board has."""

    def __init__(self, strips: int, opened_s: float) -> None:
        self.hello: Hello | None = None
        self._strips = strips
        self._opened_s = opened_s
        self._last_frame_s = opened_s
        self._decoder = FrameDecoder()
        self._received = 0
        self._sequence: int | None = None
        self._is_in_sequence = False
        self._state: list[int] | None = None
        self._chain_fault: DriverError | None = None

    @property
    def corrupt_frames(self) -> int:
        """How many frames failed COBS or CRC."""
        return self._decoder.corrupt_frames

    def receive(self, received: bytes, at_s: float) -> bytes:
        """Process the bytes read at `at_s`. Returns the bytes to send to the scanner, empty if there are none."""
        self._received += len(received)
        corrupt_before = self.corrupt_frames
        needs_hello = False
        for frame in self._decoder.feed(received):
            self._last_frame_s = at_s
            self._check_sequence(frame)
            self._handle(frame)
            needs_hello = self.hello is None
        if needs_hello:
            return encode(Frame(Kind.ASK_HELLO, 0))
        return encode(Frame(Kind.PING, 0)) if self.hello and self.corrupt_frames > corrupt_before else b""

    @property
    def state(self) -> bytes:
        """One byte a strip; valid only while `fault` returns None."""
        return bytes(self._state or ())

    def fault(self, at_s: float) -> DriverError | None:
        """Why the state is not valid at `at_s`; None if it is."""
        if self.hello is None:
            return STARTING if at_s - self._opened_s <= HELLO_S else self._no_scanner()
        if self.hello.protocol != PROTOCOL:
            return _wrong_version(self.hello)
        if at_s - self._last_frame_s > SILENCE_S:
            return LOST
        return self._chain_fault or (STARTING if self._state is None else self._strip_count_error(len(self._state)))

    # Frames

    def _check_sequence(self, frame: Frame) -> None:
        """A frame was lost if this one's number does not follow the last one's."""
        is_next = self._sequence is not None and frame.sequence == (self._sequence + 1) % 256
        self._is_in_sequence = self._is_in_sequence and is_next
        self._sequence = frame.sequence

    def _handle(self, frame: Frame) -> None:
        match frame.kind:
            case Kind.HELLO if hello := parse_hello(frame.payload):
                self.hello = hello
                self._state = None
            case Kind.SNAPSHOT:
                self._state = list(frame.payload)
                self._chain_fault = None
                self._is_in_sequence = True
            case Kind.CHANGE if self._is_in_sequence:
                self._apply_changes(frame.payload)
            case Kind.ERROR if len(frame.payload) >= 3 and frame.payload[0] == ErrorCode.CHAIN_BROKEN:
                self._chain_fault = _chain_error(*frame.payload[1:3])

    def _apply_changes(self, payload: bytes) -> None:
        """Apply all changes of a frame, or none if one of them does not start from the present state."""
        state = self._state or []
        changes = parse_changes(payload)
        if all(change.strip < len(state) and state[change.strip] == change.before for change in changes):
            for change in changes:
                state[change.strip] = change.after
        else:
            self._is_in_sequence = False

    # Faults

    def _strip_count_error(self, strips: int) -> DriverError | None:
        return None if strips == self._strips else strip_count_error(strips, self._strips)

    def _no_scanner(self) -> DriverError:
        return DriverError(
            device="No scanner",
            expected=f"its hello within {HELLO_S:.0f} s",
            got=f"{self._received} bytes of something else" if self._received else "nothing",
            fix="If that is another device's port, name the scanner's in the settings; else flash its firmware again.",
        )


def _chain_error(strip: int, byte: int) -> DriverError:
    """If the first byte is all zeros or all ones, the chain sends nothing."""
    is_silent = strip == 0 and byte in (0x00, 0xFF)
    return silent_chain_error(byte & 1, SCANNER) if is_silent else broken_chain_error(strip, byte, SCANNER)


def _wrong_version(hello: Hello) -> DriverError:
    return DriverError(
        device="Scanner's firmware",
        expected=f"hole-scan/{PROTOCOL}",
        got=f"hole-scan/{hello.protocol}",
        fix="Flash the firmware of this version: make -C hardware/firmware flash PORT=...",
    )
