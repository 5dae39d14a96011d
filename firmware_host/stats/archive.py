"""Past games with their statistics: a game that is not the latest never changes again, and is folded once.

Its figures are stored beside the journal, with totals of all games (figures_store.py), or in memory where there is no
file or it cannot be written. The latest game can still change, for undo goes back into it. So it is added to the store
in a transaction that is rolled back when a page has read what it shows.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from threading import Lock
from typing import TypeVar
from weakref import finalize

from firmware_host.stats.figures_store import (
    FILE_NAME,
    FiguresStore,
    clear_games,
    copy_in_memory,
    in_memory,
    last_stored,
    stored_people,
    transaction,
)
from firmware_host.stats.past_game import PastGame
from firmware_host.stats.past_games import PastGames
from firmware_host.stats.people import People
from firmware_host.stats.running_totals import add_games, count_again
from firmware_host.stats.statistics import figures_of
from firmware_host.storage.journal import Journal
from firmware_host.storage.sqlite_file import closed_on_error

__all__ = ["Archive", "OpenReader", "PastGame", "PastGames"]

log = logging.getLogger(__name__)

STORED_AT_ONCE = 200
"""Games in one transaction, while the games of an earlier version are stored."""

OpenReader = Callable[[], AbstractContextManager[Journal]]
"""Opens the journal for reading; it may be written meanwhile."""

Answer = TypeVar("Answer")


class Archive:
    """All games of a journal except demonstrations. Thread-safe. Games that are damaged are left out."""

    def __init__(self, open_reader: OpenReader) -> None:
        self.open_reader = open_reader
        self._lock = Lock()
        self.replacements = 0
        """How often the journal was replaced since the start."""
        self._in_memory: sqlite3.Connection | None = None
        """Instead of the file, for a journal in memory and where the file cannot be written."""
        self._close_memory: Callable[[], object] = lambda: None

    def clear(self) -> None:
        """Drop what is in memory, after the journal was replaced by a backup."""
        with self._lock:
            self.replacements += 1
            self._drop_memory()

    def games(self) -> tuple[PastGame, ...]:
        """All games at once, the latest first, the current one too. Raises JournalError."""
        return self.query(lambda past: past.all_games(range(past.last_game + 1)))

    def query(
        self, question: Callable[[PastGames], Answer], people: People | None = None, *, hides_latest: bool = False
    ) -> Answer:
        """What `question` finds in the past games. It may be called again, after damaged figures were made again.

        `people` tells persons apart; without it, as in the query before. `hides_latest`: the latest game is on, and in
        no list. Raises JournalError, and what `question` raises.
        """
        return self.ask(lambda journal, database: self._answer(journal, database, question, people, hides_latest))

    def ask(self, question: Callable[[Journal, sqlite3.Connection], Answer]) -> Answer:
        """What `question` finds in the journal and the stored figures. It may be called again, after a damaged store
        was made again. Raises JournalError, and what `question` raises."""
        with self._lock, self.open_reader() as journal:
            if journal.path and not self._in_memory:
                store = FiguresStore(journal.path.with_name(FILE_NAME))
                for _ in range(2):
                    try:
                        with closing(store.connect()) as database:
                            return question(journal, database)
                    except (sqlite3.Error, OSError) as fault:
                        log.warning("stored figures cannot be used: %s", fault)
                        store.clear()
            return question(journal, self._in_memory or self._keep(in_memory()))

    def _answer(
        self,
        journal: Journal,
        database: sqlite3.Connection,
        question: Callable[[PastGames], Answer],
        people: People | None,
        hides_latest: bool,
    ) -> Answer:
        people = stored_people(database) if people is None else people
        try:
            _update(journal, database, people)
        except sqlite3.OperationalError as fault:
            if database is self._in_memory:
                raise
            log.warning("figures are kept in memory: %s", fault)  # the disk is full, or read-only
            with closed_on_error(copy_in_memory(database)) as database:
                _update(journal, database, people)
            self._keep(database)
        database.execute("PRAGMA journal_mode = MEMORY")  # the transaction is rolled back, and writes no file
        with transaction(database, keep=False):
            seal = seal_of(journal, journal.last_game)
            latest = ((past, seal) for past in _folded(journal, journal.last_game))
            add_games(database, latest, people, is_hidden=hides_latest)
            return question(PastGames(database, people))

    def _keep(self, database: sqlite3.Connection) -> sqlite3.Connection:
        """Answer from this database in memory from now on. It is closed with the archive."""
        self._in_memory = database
        self._close_memory = finalize(self, database.close)
        return database

    def _drop_memory(self) -> None:
        self._close_memory()
        self._in_memory = None


def _update(journal: Journal, database: sqlite3.Connection, people: People) -> None:
    """Bring the store up to the game before the latest one, and to these merged names."""
    if not _is_of(journal, *last_stored(database)):
        with transaction(database):
            clear_games(database)
    if stored_people(database) != people:
        count_again(database, people)
    first = last_stored(database)[0] + 1
    past_games = journal.game_numbers(first - 1)[:-1]
    for begin in range(0, len(past_games), STORED_AT_ONCE):
        numbers = past_games[begin : begin + STORED_AT_ONCE]
        new = [(past, seal_of(journal, number)) for number in numbers for past in _folded(journal, number)]
        if new:
            with transaction(database):
                add_games(database, new, people)


def _folded(journal: Journal, number: int) -> Iterator[PastGame]:
    """The game with this number; nothing if it is damaged, or there is none."""
    for summary in journal.games(number):
        try:
            yield PastGame(summary, figures_of(journal.turns_of(number), keeps_secrets=True))
        except Exception as fault:  # a crafted game can break any assumption of the fold
            log.warning("game %d is left out: %s", number, fault)


def _is_of(journal: Journal, game: int, seal: int | None) -> bool:
    """Whether this is the last row of the game in the journal; True for no game."""
    return not game or (game < journal.last_game and seal_of(journal, game) == seal)


def seal_of(journal: Journal, game: int) -> int | None:
    """The seal of the last row of a game."""
    last = journal.row_reader.last_of(game)
    return last.seal if last else None
