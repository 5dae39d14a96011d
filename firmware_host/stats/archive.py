"""Past games with their statistics: a game that is not the latest never changes again, and is folded once.

Its figures are stored beside the journal (figures_store.py), or in memory where there is no file or it cannot be
written.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from threading import Lock

from firmware_host.stats.figures_store import FILE_NAME, FiguresStore, PastGame, last_stored, store, stored_games
from firmware_host.stats.statistics import figures_of
from firmware_host.storage.game_summary import GameSummary
from firmware_host.storage.journal import Journal

__all__ = ["Archive", "OpenReader", "PastGame"]

log = logging.getLogger(__name__)

STORED_AT_ONCE = 200
"""Games in one transaction, while the games of an earlier version are stored."""

OpenReader = Callable[[], AbstractContextManager[Journal]]
"""Opens the journal for reading; it may be written meanwhile."""


class Archive:
    """All games of a journal except demonstrations. Thread-safe."""

    def __init__(self, open_reader: OpenReader) -> None:
        self.open_reader = open_reader
        self._lock = Lock()
        self._finished: dict[int, PastGame] = {}
        """Games that are over for good, by number; they are in the store too, if there is one."""
        self._last_seal: tuple[int, int | None] = (0, None)
        self.unreadable: tuple[int, ...] = ()
        """Games that were left out by the last call of `games`, because they are damaged."""

    def clear(self) -> None:
        """Drop the cache, after the journal was replaced by a backup."""
        with self._lock:
            self._finished, self._last_seal = {}, (0, None)

    def games(self) -> tuple[PastGame, ...]:
        """All games, the latest first; damaged ones are left out. Raises JournalError."""
        with self._lock, self.open_reader() as journal:
            if not _is_of(journal, *self._last_seal):
                self._finished, self._last_seal = {}, (0, None)  # the journal was rebuilt
            if not self._finished:
                self._read_store(journal)
            unreadable, latest = list[int](), list[PastGame]()
            self._fold_new(journal, unreadable)
            for past in _folded(journal, journal.games(journal.last_game), unreadable):
                latest.append(past)
            self.unreadable = tuple(sorted({*unreadable, *self._missing(journal)}))
            known = [*latest, *(self._finished[game] for game in sorted(self._finished, reverse=True))]
        return tuple(past for past in known if not past.figures.is_demo)

    def _missing(self, journal: Journal) -> set[int]:
        return set(range(1, journal.last_game)) - self._finished.keys()

    def _read_store(self, journal: Journal) -> None:
        """What an earlier start stored of this journal. A store of another journal is cleared."""
        if journal.path is None:
            return
        files = FiguresStore(_store_path(journal.path))
        try:
            with closing(files.connect()) as database:
                last = last_stored(database)
                if _is_of(journal, *last):
                    self._finished = {past.summary.game: past for past in stored_games(database)}
                    self._last_seal = last
                    return
            files.clear()
        except (sqlite3.Error, OSError, ValueError, TypeError, LookupError) as fault:
            log.warning("stored figures cannot be read: %s", fault)
            files.clear()

    def _fold_new(self, journal: Journal, unreadable: list[int]) -> None:
        """Fold the games after those that are known, the oldest first, and store them."""
        first = self._last_seal[0] + 1
        for begin in range(first, journal.last_game, STORED_AT_ONCE):
            numbers = range(min(begin + STORED_AT_ONCE, journal.last_game) - 1, begin - 1, -1)
            summaries = (summary for number in numbers for summary in journal.games(number))
            new = [(past, _seal(journal, past.summary.game)) for past in _folded(journal, summaries, unreadable)]
            if new:
                self._finished |= {past.summary.game: past for past, _ in new}
                self._last_seal = new[0][0].summary.game, new[0][1]
                _store(journal, new[::-1])


def _store(journal: Journal, new: list[tuple[PastGame, int | None]]) -> None:
    if journal.path is None:
        return
    try:
        with closing(FiguresStore(_store_path(journal.path)).connect()) as database:
            store(database, new)
    except (sqlite3.Error, OSError) as fault:
        log.warning("figures are not stored: %s", fault)


def _folded(journal: Journal, summaries: Iterator[GameSummary], unreadable: list[int]) -> Iterator[PastGame]:
    for summary in summaries:
        try:
            yield PastGame(summary, figures_of(journal.turns_of(summary.game), keeps_secrets=True))
        except Exception as fault:  # a crafted game can break any assumption of the fold
            log.warning("game %d is left out: %s", summary.game, fault)
            unreadable.append(summary.game)


def _is_of(journal: Journal, game: int, seal: int | None) -> bool:
    """Whether this is the last row of the game in the journal; True for no game."""
    return not game or (game < journal.last_game and _seal(journal, game) == seal)


def _seal(journal: Journal, game: int) -> int | None:
    """The seal of the last row of a game."""
    last = journal.row_reader.last_of(game)
    return last.seal if last else None


def _store_path(journal: Path) -> Path:
    return journal.with_name(FILE_NAME)
