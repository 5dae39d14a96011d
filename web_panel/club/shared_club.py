"""The file of the club for many threads: one connection, used by one thread at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from firmware_host.club.events import Event
from firmware_host.club.state import Club
from firmware_host.club_server.store import ClubFile, Record


class SharedClub:
    """Reads and writes the file. Every method may be called from any thread, and raises ClubFileError."""

    def __init__(self, file: ClubFile) -> None:
        self._file = file
        self._lock = Lock()

    @property
    def club(self) -> Club:
        """The club after all events in the file."""
        with self._lock:
            return self._file.club

    @property
    def records(self) -> tuple[Record, ...]:
        """All rows, the oldest first."""
        with self._lock:
            return tuple(self._file.records())

    def change(self, decide: Callable[[Club], Event]) -> Event:
        """As ClubFile.change."""
        with self._lock:
            return self._file.change(decide)

    def exchange(self, replace_files: Callable[[], object], reopen: Callable[[], ClubFile]) -> None:
        """Close the file, replace it, and go on with the one that `reopen` opens, also where `replace_files` raises.
        Nobody reads or writes meanwhile."""
        with self._lock:
            self._file.close()
            try:
                replace_files()
            finally:
                self._file = reopen()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def change_all(self, decide: Callable[[Club], Sequence[Event]]) -> Sequence[Event]:
        """As ClubFile.change_all."""
        with self._lock:
            return self._file.change_all(decide)
