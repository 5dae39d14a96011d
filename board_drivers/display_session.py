"""What a display behind a scanner is sent, without I/O: numbered frames out, their answers in.

One thread sends and another one receives. Answers come in the order of the frames, so one that is left out shows that a
frame, or its answer, was lost. Nothing is sent twice: the display counts the bytes that it has received.
"""

from __future__ import annotations

from collections import deque
from threading import Condition

from board_drivers.scan_protocol import Frame, Kind, encode

ANSWER_S = 0.5
"""How long to wait for an answer. The host reads answers every 0.02 s."""
MAX_UNANSWERED = 128
"""More frames than a picture needs, and fewer than there are sequence numbers."""


class DisplaySession:
    """The frames for the display of one scanner. Its methods may be called from any thread."""

    def __init__(self) -> None:
        self._change = Condition()
        self._unanswered = deque[int]()
        self._number = 0
        self._failure = ""

    def restart(self) -> None:
        """Forget the frames without an answer, and what was wrong with others."""
        with self._change:
            self._unanswered.clear()
            self._failure = ""

    def frame(self, address: int, block: bytes) -> bytes:
        """The bytes of a frame that writes this block to the display at an I2C address."""
        with self._change:
            self._number = (self._number + 1) % 256
            self._unanswered.append(self._number)
            return encode(Frame(Kind.DISPLAY, self._number, bytes([address]) + block))

    def receive(self, frame: Frame) -> None:
        """Process the answer to a frame."""
        number, is_written = frame.payload[:2]
        with self._change:
            if number not in self._unanswered:
                return
            while self._unanswered.popleft() != number:
                self._failure = "a frame was lost on the cable"
            if not is_written:
                self._failure = "no answer"
            self._change.notify()

    def wait(self, unanswered: int = MAX_UNANSWERED) -> None:
        """Wait until at most so many frames have no answer. Raises OSError, at once after a failure."""
        with self._change:
            is_in_time = self._change.wait_for(
                lambda: bool(self._failure) or len(self._unanswered) <= unanswered, ANSWER_S
            )
            if self._failure or not is_in_time:
                raise OSError(self._failure or "no answer from the circuit board")
