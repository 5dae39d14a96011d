"""A reader of tagged cards on a serial port: RFID or bar codes, one tag a line.

That is what nearly all of them send: the number of the tag in printable letters, and CR, LF or both. What some put
around it (STX and ETX) is left out. A card that lies on the reader is told again and again; once is enough.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from time import monotonic

from board_drivers.ports import DriverFault
from board_drivers.serial_port import Cable, SerialCable

LONGEST_TAG = 64
AGAIN_S = 1.0
"""A tag that was not told for so long was taken away, and counts when it comes again."""
RETRY_S = 2.0

_END = re.compile(rb"[\r\n]+")
_NOISE = re.compile(r"[^\x21-\x7e]+")


class TagLines:
    """Bytes in as they come, tags out; `at_s` is when."""

    def __init__(self) -> None:
        self._part = b""
        self._told_s: dict[str, float] = {}

    def feed(self, received: bytes, at_s: float) -> list[str]:
        *lines, part = _END.split(self._part + received)
        self._part = part[: LONGEST_TAG * 2]
        return [tag for line in lines if (tag := _tag_in(line)) and self._is_fresh(tag, at_s)]

    def _is_fresh(self, tag: str, at_s: float) -> bool:
        before_s = self._told_s.get(tag, float("-inf"))
        self._told_s = {other: told_s for other, told_s in self._told_s.items() if at_s - told_s < AGAIN_S}
        self._told_s[tag] = at_s
        return at_s - before_s >= AGAIN_S


class SerialCardReader:
    """`CardReader` on a serial port that may be unplugged: what is wrong is raised once, then it is looked for again.

    Any name of the port will do; one under /dev/serial/by-id finds the reader wherever it is plugged in.
    """

    def __init__(
        self,
        path: str,
        baud: int,
        *,
        open_cable: Callable[[str, int], Cable] = SerialCable,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._path, self._baud, self._open, self._clock = path, baud, open_cable, clock
        self._cable: Cable | None = None
        self._lines = TagLines()
        self._next_try_s = float("-inf")
        self._lament = ""

    def tags(self) -> Sequence[str]:
        """Raises DriverFault when the reader is missed for the first time, or for another reason than before."""
        at_s = self._clock()
        try:
            if self._cable is None and at_s >= self._next_try_s:
                self._next_try_s = at_s + RETRY_S
                self._cable, self._lines = self._open(self._path, self._baud), TagLines()
                self._lament = ""
            return self._lines.feed(self._cable.read(), at_s) if self._cable else ()
        except DriverFault as fault:
            self.close()
            before, self._lament = self._lament, str(fault)
            if before != self._lament:
                raise
            return ()

    def close(self) -> None:
        """May be called twice."""
        if self._cable:
            self._cable.close()
        self._cable = None


def _tag_in(line: bytes) -> str:
    """The longest run of printable letters; nothing if it is too long to be a tag."""
    tag = max(_NOISE.split(line.decode("latin-1")), key=len)
    return tag if len(tag) <= LONGEST_TAG else ""
