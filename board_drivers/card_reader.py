"""Driver of an RFID or bar code reader on a serial port that sends one tag a line.

Nearly all such readers send the tag's number in printable ASCII and then CR, LF or both; framing bytes that some add
(STX, ETX) are dropped. A reader repeats the tag of a card that stays on it; each card is reported once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from time import monotonic

from board_drivers.ports import DriverError
from board_drivers.serial_port import Cable, SerialCable

MAX_TAG_LENGTH = 64
REPEAT_AFTER_S = 1.0
"""A card is taken as removed when its tag has not been read for this long; the next read is reported again."""
RETRY_S = 2.0
"""Pause before the port is opened again."""

_END = re.compile(rb"[\r\n]+")
_NOISE = re.compile(r"[^\x21-\x7e]+")


class TagLines:
    """Splits the received bytes into tags, and drops repeated ones."""

    def __init__(self) -> None:
        self._partial = b""
        self._read_s: dict[str, float] = {}

    def feed(self, received: bytes, at_s: float) -> list[str]:
        """The tags of the lines that these bytes complete; `at_s` is the time of reading, in seconds."""
        *lines, partial = _END.split(self._partial + received)
        self._partial = partial[: MAX_TAG_LENGTH * 2]
        return [tag for line in lines if (tag := _tag_in(line)) and self._is_new(tag, at_s)]

    def _is_new(self, tag: str, at_s: float) -> bool:
        last_s = self._read_s.get(tag, float("-inf"))
        self._read_s = {other: read_s for other, read_s in self._read_s.items() if at_s - read_s < REPEAT_AFTER_S}
        self._read_s[tag] = at_s
        return at_s - last_s >= REPEAT_AFTER_S


class SerialCardReader:
    """`CardReader` on a serial port that may be unplugged. Each fault is raised once; the port is retried every 2 s.

    `path` may be any name of the port; one under /dev/serial/by-id stays valid when the reader moves to another socket.
    """

    def __init__(
        self,
        path: str,
        baud: int,
        *,
        open_cable: Callable[[str, int], Cable] = SerialCable,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._path = path
        self._baud = baud
        self._open = open_cable
        self._clock = clock
        self._cable: Cable | None = None
        self._lines = TagLines()
        self._next_try_s = float("-inf")
        self._last_fault = ""

    def tags(self) -> Sequence[str]:
        """The tags read since the last call. Raises DriverError once per fault, not at every attempt."""
        at_s = self._clock()
        try:
            if self._cable is None and at_s >= self._next_try_s:
                self._next_try_s = at_s + RETRY_S
                self._cable = self._open(self._path, self._baud)
                self._lines = TagLines()
                self._last_fault = ""
            return self._lines.feed(self._cable.read(), at_s) if self._cable else ()
        except DriverError as fault:
            self.close()
            before = self._last_fault
            self._last_fault = str(fault)
            if before != self._last_fault:
                raise
            return ()

    def close(self) -> None:
        """May be called twice."""
        if self._cable:
            self._cable.close()
        self._cable = None


def _tag_in(line: bytes) -> str:
    """The longest run of printable ASCII; empty if it is longer than a tag can be."""
    tag = max(_NOISE.split(line.decode("latin-1")), key=len)
    return tag if len(tag) <= MAX_TAG_LENGTH else ""
