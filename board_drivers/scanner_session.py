"""The host's side of hole-scan/1, without I/O: received bytes and times in, the chain's state or a fault out.

A snapshot carries the whole state; a change only arrives sooner. A change is applied while no frame is missing. After a
gap in the sequence numbers, changes are ignored until the next snapshot.

The strips of a sensing board are the columns of its matrix, two bytes each. Its lights, keys and display use the same
cable.

A corrupt frame is answered with a ping. On a noisy cable several long snapshots in a row may be corrupt; the short pong
still arrives, so the scanner is not taken for lost, and not reset by opening its port again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from board_drivers.display_session import DisplaySession
from board_drivers.light_session import LightSession
from board_drivers.matrix_wiring import MatrixWiring
from board_drivers.ports import DriverError, SensorFrame
from board_drivers.scan_protocol import (
    PROTOCOL,
    Diagnosis,
    ErrorCode,
    Frame,
    FrameDecoder,
    Hello,
    Kind,
    SensorLayout,
    encode,
    parse_changes,
    parse_diagnosis,
    parse_hello,
)
from board_drivers.sensor_chain import (
    ChainHead,
    broken_chain_error,
    magnets_in,
    silent_chain_error,
    strip_count_error,
)

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
KEY_STATES_KEPT = 64
LINE_ERRORS = (ErrorCode.ROW_SHORTED, ErrorCode.COLUMN_CURRENT)
LOST = DriverError(
    device="Board lost",
    expected=f"a frame from the scanner every {SILENCE_S} s",
    got="silence",
    fix="Check its USB cable; the game goes on when it is plugged in again.",
)
NO_MATRIX = DriverError(
    device="Another board",
    expected="a board of strips",
    got="a sensing board, for which this plan has too many rows of holes",
    fix="Name the board that is plugged in in the settings.",
)


class ScannerSession:
    """Receives the frames of one scanner since its port was opened at `opened_s`.

    `strips`: how many the board has if it is one of strips. `matrix`: its wiring if it is a sensing board; None: there
    is no such board.
    """

    def __init__(self, strips: int, opened_s: float, matrix: MatrixWiring | None = None) -> None:
        self.hello: Hello | None = None
        self.diagnosis: Diagnosis | None = None
        self.lights = LightSession()
        self.display = DisplaySession()
        self._keys = deque[int](maxlen=KEY_STATES_KEPT)
        self._strips = strips
        self._matrix = matrix
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
        ping = encode(Frame(Kind.PING, 0)) if self.hello and self.corrupt_frames > corrupt_before else b""
        return ping + self.lights.due(at_s)

    @property
    def state(self) -> bytes:
        """One byte a strip; valid only while `fault` returns None."""
        return bytes(self._state or ())

    def take_keys(self) -> Sequence[int]:
        """The states of the keypad since the last call, oldest first. Bit 4 x row + column: the key is down."""
        states = tuple(self._keys)
        self._keys.clear()
        return states

    @property
    def magnets(self) -> SensorFrame:
        """The sensors that see a magnet; valid only while `fault` returns None."""
        if self._is_matrix and self._matrix:
            return self._matrix.magnets_in(self.state)
        return magnets_in((*self.state, 0))

    def fault(self, at_s: float) -> DriverError | None:
        """Why the state is not valid at `at_s`; None if it is."""
        if self.hello is None:
            return STARTING if at_s - self._opened_s <= HELLO_S else self._no_scanner()
        if self.hello.protocol != PROTOCOL:
            return _wrong_version(self.hello)
        if at_s - self._last_frame_s > SILENCE_S:
            return LOST
        if self._is_matrix and not self._matrix:
            return NO_MATRIX
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
            case Kind.ERROR if len(frame.payload) >= 3:
                self._handle_error(frame)
            case Kind.LIGHTS_RECEIVED:
                self.lights.receive(frame)
            case Kind.DISPLAY_ANSWERED if len(frame.payload) >= 2:
                self.display.receive(frame)
            case Kind.KEYS if len(frame.payload) >= 2:
                self._keys.append(int.from_bytes(frame.payload[:2], "big"))
            case Kind.DIAGNOSIS:
                self.diagnosis = parse_diagnosis(frame.payload)

    def _handle_error(self, frame: Frame) -> None:
        code, first, second = frame.payload[:3]
        if code == ErrorCode.CHAIN_BROKEN:
            self._chain_fault = _chain_error(first, second)
        elif code == ErrorCode.LIGHTS_REFUSED:
            self.lights.receive(frame)
        elif code in LINE_ERRORS and self._matrix:
            self._chain_fault = self._matrix.line_fault(code, first, second)

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

    @property
    def _is_matrix(self) -> bool:
        return self.hello is not None and self.hello.layout == SensorLayout.MATRIX

    def _strip_count_error(self, strips: int) -> DriverError | None:
        if self._is_matrix and self._matrix:
            return None if strips == self._matrix.strips else self._matrix.wrong_size(strips)
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
