"""A passive piezo on one line: tunes are played by a thread of their own, so that no scan ever waits for a note.

At rest nothing runs: the thread sleeps until there is something to play, and the line is low.
"""

from __future__ import annotations

import logging
from threading import Condition, Thread
from typing import Protocol

from board_drivers.header import Header
from board_drivers.pins import PIEZO
from board_drivers.ports import DriverFault, Tune

log = logging.getLogger(__name__)

CLOSE_S = 2.0


class ToneLine(Protocol):
    """What a piezo hangs on. Both raise DriverFault."""

    def sound(self, hz: float) -> None: ...
    def hush(self) -> None: ...


class Piezo:
    """A `Sounder`. The latest tune wins: it cuts off the one before. Without a line it is mute."""

    def __init__(self, line: ToneLine | None) -> None:
        self._line = line
        self._due: Tune = ()
        self._is_closing = False
        self._change = Condition()
        self._thread = Thread(target=self._run, name="piezo", daemon=True)
        if line:
            self._thread.start()

    def play(self, tune: Tune) -> None:
        with self._change:
            self._due = tune
            self._change.notify()

    def close(self) -> None:
        """Silence, in the middle of a note if need be. May be called twice."""
        with self._change:
            self._is_closing = True
            self._change.notify()
        if self._line:
            self._thread.join(CLOSE_S)

    # The playing thread.

    def _run(self) -> None:
        while tune := self._awaited():
            try:
                self._perform(tune)
            except DriverFault as fault:
                log.warning("%s The game goes on without this sound.", fault)

    def _awaited(self) -> Tune:
        """The tune that is to be played next; an empty one once nobody needs the piezo any more."""
        with self._change:
            self._change.wait_for(self._is_wanted)
            tune, self._due = self._due, ()
            return () if self._is_closing else tune

    def _perform(self, tune: Tune) -> None:
        assert self._line
        try:
            for hz, seconds in tune:
                self._line.sound(hz)
                with self._change:
                    if self._change.wait_for(self._is_wanted, seconds):
                        return
        finally:
            self._line.hush()

    def _is_wanted(self) -> bool:
        return self._is_closing or bool(self._due)


def open_piezo(header: Header) -> Piezo:
    """The board's own. Where its line is not to be had, the log says why, and the board is mute."""
    try:
        return Piezo(header.tone(PIEZO))
    except DriverFault as fault:
        log.warning("%s The game goes on without sound.", fault)
        return Piezo(None)
