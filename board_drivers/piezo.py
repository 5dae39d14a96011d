"""Driver of a passive piezo on one line. A thread plays the tunes, so no scan ever waits for a note.

Between tunes the thread sleeps and the line is low.
"""

from __future__ import annotations

import logging
from threading import Condition, Thread
from typing import Protocol

from board_drivers.header import Header
from board_drivers.pins import PIEZO
from board_drivers.ports import DriverError, Tune

log = logging.getLogger(__name__)

CLOSE_S = 2.0
"""How long `close` waits for the thread."""


class ToneLine(Protocol):
    """A line that can output a tone, such as `header.Tone`. Both methods raise DriverError."""

    def sound(self, hz: float) -> None: ...
    def stop(self) -> None: ...


class Piezo:
    """A `Sounder`. A new tune replaces the one that is playing. Without a line it is silent."""

    def __init__(self, line: ToneLine | None) -> None:
        self._line = line
        self._next: Tune = ()
        self._is_closing = False
        self._change = Condition()
        self._thread = Thread(target=self._run, name="piezo", daemon=True)
        if line:
            self._thread.start()

    def play(self, tune: Tune) -> None:
        """Start this tune at once. Never blocks and never raises."""
        with self._change:
            self._next = tune
            self._change.notify()

    def close(self) -> None:
        """Stop the sound, even in the middle of a note, and the thread. May be called twice."""
        with self._change:
            self._is_closing = True
            self._change.notify()
        if self._line:
            self._thread.join(CLOSE_S)

    # In the playing thread

    def _run(self) -> None:
        while tune := self._wait_for_tune():
            try:
                self._play_notes(tune)
            except DriverError as fault:
                log.warning("%s The game goes on without this sound.", fault)

    def _wait_for_tune(self) -> Tune:
        """The next tune; an empty one once this object is closed."""
        with self._change:
            self._change.wait_for(self._has_work)
            tune = self._next
            self._next = ()
            return () if self._is_closing else tune

    def _play_notes(self, tune: Tune) -> None:
        assert self._line
        try:
            for hz, seconds in tune:
                self._line.sound(hz)
                with self._change:
                    if self._change.wait_for(self._has_work, seconds):
                        return
        finally:
            self._line.stop()

    def _has_work(self) -> bool:
        return self._is_closing or bool(self._next)


def open_piezo(header: Header) -> Piezo:
    """The piezo on the header. If its line cannot be claimed, a warning is logged and a silent one is returned."""
    try:
        return Piezo(header.tone(PIEZO))
    except DriverError as fault:
        log.warning("%s The game goes on without sound.", fault)
        return Piezo(None)
