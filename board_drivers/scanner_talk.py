"""What a scanner says, and what may be believed of it. Bytes and seconds in, the chain's bytes or a fault out.

Snapshots are the truth. Changes only come sooner, and count as long as no frame is missing; after a gap in the
sequence nothing does until the next snapshot.
"""

from __future__ import annotations

from board_drivers.hole_scan import (
    PROTOCOL,
    ErrorCode,
    Frame,
    FrameDecoder,
    Hello,
    Kind,
    changes_in,
    encode,
    hello_in,
)
from board_drivers.ports import DriverFault
from board_drivers.sensor_chain import ChainHead, broken, miscounted, silent

HELLO_S = 3.0
"""How long a scanner may take to say hello: opening its port restarts it, and its boot loader waits first."""
SILENCE_S = 0.5
"""Five snapshots that did not come."""
SCANNER = ChainHead("the scanner", "Check the ribbon at the scanner: 5V, ground, D9, D12 and D13.")

STARTING = DriverFault(
    device="Scanner starting",
    expected="its first snapshot",
    got="none yet",
    mend=f"It takes up to {HELLO_S:.0f} seconds.",
)
LOST = DriverFault(
    device="Board lost",
    expected=f"a word from the scanner every {SILENCE_S} s",
    got="silence",
    mend="Check its USB cable; the game goes on when it is back.",
)


class ScannerTalk:
    """Everything one scanner has said since its port was opened at `opened_s`; its board should have so many strips."""

    def __init__(self, strips: int, opened_s: float) -> None:
        self.hello: Hello | None = None
        self._strips, self._opened_s, self._heard_s = strips, opened_s, opened_s
        self._decoder = FrameDecoder()
        self._received = 0
        self._sequence: int | None = None
        self._is_in_step = False
        self._state: list[int] | None = None
        self._broken: DriverFault | None = None

    @property
    def spoiled(self) -> int:
        """How many frames did not come through whole."""
        return self._decoder.spoiled

    def take(self, received: bytes, at_s: float) -> bytes:
        """Hear these bytes out. The answer is what to send back."""
        self._received += len(received)
        is_asked = False
        for frame in self._decoder.feed(received):
            self._heard_s = at_s
            self._keep_step(frame)
            self._hear(frame)
            is_asked = self.hello is None
        return encode(Frame(Kind.ASK_HELLO, 0)) if is_asked else b""

    @property
    def state(self) -> bytes:
        """One byte a strip; to be believed only while there is no fault."""
        return bytes(self._state or ())

    def fault(self, at_s: float) -> DriverFault | None:
        """Why there is nothing to believe now."""
        if self.hello is None:
            return STARTING if at_s - self._opened_s <= HELLO_S else self._no_scanner()
        if self.hello.protocol != PROTOCOL:
            return _wrong_version(self.hello)
        if at_s - self._heard_s > SILENCE_S:
            return LOST
        return self._broken or (STARTING if self._state is None else self._miscounted(len(self._state)))

    # What it says.

    def _keep_step(self, frame: Frame) -> None:
        """A frame was lost if this one does not follow the one before; hello begins anew."""
        is_next = self._sequence is not None and frame.sequence == (self._sequence + 1) % 256
        self._is_in_step = self._is_in_step and is_next
        self._sequence = frame.sequence

    def _hear(self, frame: Frame) -> None:
        match frame.kind:
            case Kind.HELLO if hello := hello_in(frame.payload):
                self.hello = hello
                self._state = None
            case Kind.SNAPSHOT:
                self._state, self._broken = list(frame.payload), None
                self._is_in_step = True
            case Kind.CHANGE if self._is_in_step:
                self._change(frame.payload)
            case Kind.ERROR if len(frame.payload) >= 3 and frame.payload[0] == ErrorCode.CHAIN_BROKEN:
                self._broken = _chain_fault(*frame.payload[1:3])

    def _change(self, payload: bytes) -> None:
        """All of it or nothing: a change that does not start from what is believed waits for the next snapshot."""
        state, changes = self._state or [], changes_in(payload)
        if all(change.strip < len(state) and state[change.strip] == change.before for change in changes):
            for change in changes:
                state[change.strip] = change.now
        else:
            self._is_in_step = False

    # What is wrong with it.

    def _miscounted(self, strips: int) -> DriverFault | None:
        return None if strips == self._strips else miscounted(strips, self._strips)

    def _no_scanner(self) -> DriverFault:
        return DriverFault(
            device="No scanner",
            expected=f"its hello within {HELLO_S:.0f} s",
            got=f"{self._received} bytes of something else" if self._received else "nothing",
            mend="Is it another device's port? Name the scanner's own in the settings, or flash its firmware again.",
        )


def _chain_fault(strip: int, byte: int) -> DriverFault:
    """A chain that begins with a whole byte of one level says nothing at all."""
    return silent(byte & 1, SCANNER) if strip == 0 and byte in (0x00, 0xFF) else broken(strip, byte, SCANNER)


def _wrong_version(hello: Hello) -> DriverFault:
    return DriverFault(
        device="Scanner's firmware",
        expected=f"hole-scan/{PROTOCOL}",
        got=f"hole-scan/{hello.protocol}",
        mend="Flash the firmware of this version: make -C hardware/firmware flash PORT=...",
    )
