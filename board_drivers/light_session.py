"""The lights behind a scanner, without I/O: pictures and answers in, the frames to send and faults out.

A picture is acknowledged frame by frame. One that is not acknowledged in time is sent again, whole; a newer picture
replaces it. The scanner shows a picture only when it has all of it: a lost frame delays a picture and never mixes two.
"""

from __future__ import annotations

from collections.abc import Sequence

from board_drivers.light_chain import IDLE_MA, within_budget
from board_drivers.picture_frames import picture_payloads
from board_drivers.ports import Colour, DriverError
from board_drivers.scan_protocol import Frame, Kind, LightReturn, Refusal, encode

ANSWER_S = 0.2
"""How long to wait for the answers to a picture. The largest board takes 0.05 s."""
REPEAT_S = 0.5
"""A picture that is shown again within this time is not sent again: a caller that sees a fault tries at once."""
TRIES = 5
"""How many pictures in a row may stay without an answer, and how often the end of the chain may be silent."""
REASONS = {
    Refusal.NO_LIGHTS: "the scanner has no lights",
    Refusal.WRONG_LENGTH: "frame of a wrong length",
    Refusal.OUT_OF_RANGE: "more lights than the scanner can light",
    Refusal.OUT_OF_ORDER: "frames in another order",
}
UNANSWERED = DriverError(
    device="Lights",
    expected="an answer from the scanner",
    got="none",
    fix="Check its USB cable.",
)
BROKEN = DriverError(
    device="Lights",
    expected="the data to come back from the last light",
    got="nothing",
    fix="Run the light test of the set-up: the first dark light, or the one before it, is broken or badly soldered.",
)


class LightSession:
    """The pictures for one scanner."""

    def __init__(self) -> None:
        self._colours: Sequence[Colour] = ()
        self._picture: Sequence[bytes] = ()
        self._unanswered: set[int] = set()
        self._number = 0
        self._sent_s = float("-inf")
        self._silent_pictures = 0
        self._silent_ends = 0
        self._refusal: DriverError | None = None

    def show(self, colours: Sequence[Colour], budget_ma: float, at_s: float) -> bytes:
        """The bytes that show one colour a light within this current; none for a picture that was sent just now.

        Raises DriverError if dark lights exceed the current.
        """
        if tuple(colours) == self._colours and at_s - self._sent_s < REPEAT_S:
            return b""
        self._colours = tuple(colours)
        idle_ma = len(colours) * IDLE_MA
        if budget_ma <= idle_ma:
            expected = f"more than {idle_ma:.0f} mA for {len(colours)} lights in the dark"
            fix = "Plug the board into a stronger USB supply, or increase lights_ma in the settings."
            raise DriverError("Lights", expected, f"{budget_ma:.0f} mA", fix)
        brightness, dimmed = within_budget(colours, budget_ma - idle_ma)
        self._picture = tuple(picture_payloads(dimmed, brightness))
        return self._send(at_s)

    def due(self, at_s: float) -> bytes:
        """The bytes of a picture that was not answered in time; empty if there is none."""
        is_late = self._unanswered and at_s - self._sent_s > ANSWER_S
        return self._send(at_s) if is_late and self._silent_pictures < TRIES else b""

    def receive(self, frame: Frame) -> None:
        """Process the answer to a frame of lights."""
        if frame.kind == Kind.LIGHTS_RECEIVED and len(frame.payload) >= 2:
            number, seen = frame.payload[:2]
            self._answer(number, None)
            if not self._unanswered:
                self._silent_ends = self._silent_ends + 1 if seen == LightReturn.BROKEN else 0
        elif frame.kind == Kind.ERROR and len(frame.payload) >= 3:
            _, reason, number = frame.payload[:3]
            if reason != Refusal.OUT_OF_ORDER:  # a frame before it was lost: the picture is sent again
                self._answer(number, _refused(reason))

    @property
    def fault(self) -> DriverError | None:
        """Why the lights do not show the last picture; None if they do, or may still."""
        if self._refusal:
            return self._refusal
        if self._silent_pictures >= TRIES:
            return UNANSWERED
        return BROKEN if self._silent_ends >= TRIES else None

    def _send(self, at_s: float) -> bytes:
        self._silent_pictures = min(self._silent_pictures + 1, TRIES) if self._unanswered else 0
        frames = []
        for payload in self._picture:
            self._number = (self._number + 1) % 256
            frames.append(Frame(Kind.LIGHTS, self._number, payload))
        self._unanswered = {frame.sequence for frame in frames}
        self._sent_s = at_s
        return b"".join(map(encode, frames))

    def _answer(self, number: int, refusal: DriverError | None) -> None:
        if number in self._unanswered:
            self._unanswered.discard(number)
            self._silent_pictures = 0
            self._refusal = refusal


def _refused(reason: int) -> DriverError:
    text = REASONS[Refusal(reason)] if reason in tuple(Refusal) else f"reason {reason}"
    fix = "Name the board that is there in the settings, or flash the firmware of this version."
    return DriverError("Lights", "the scanner to take the picture", text, fix)
