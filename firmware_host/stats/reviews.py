"""The reviews of finished games, each made once: in a thread that ends when there is nothing to do.

A review takes about a second, on a small computer several. So no request waits for it: a page asks for the review, says
that it is being made, and asks again. Cards that nobody has shown are in no review. Reviews are kept with the figures
of past games (figures_store.py), and made again if a game changes: undo goes back into the latest one.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from typing import NamedTuple

from firmware_host.game.hidden_hands import without_hidden_cards
from firmware_host.stats.archive import Archive, seal_of
from firmware_host.stats.figures_store import stored_people, transaction, with_checksum, without_checksum
from firmware_host.stats.review import (
    GameReview,
    decode,
    encode,
    review_of,
    seat_reviews,
)
from firmware_host.stats.review_totals import add_stored_review
from firmware_host.stats.running_totals import stored_games
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal

log = logging.getLogger(__name__)

NOTHING = GameReview((), ())
PAUSE = 0.25
"""Time left to others after each choice, as a share of the time that it took."""
NO_GAME = 2**62
"""More than the number of any game."""
KEPT = 8
"""Reviews kept in memory, for where they cannot be stored."""


class _Row(NamedTuple):
    """What is stored of one game. `seal`: of its last row, when it was reviewed."""

    game: int
    seal: int | None
    seats: str
    review: str


class Reviews:
    """The reviews of the games of a journal. Thread-safe."""

    def __init__(self, archive: Archive, review: Callable[..., GameReview] = review_of) -> None:
        self._archive = archive
        self._review = review
        self._changed = Condition()
        self._waiting = list[int]()
        """The games to review, the next one last."""
        self._next_below = 0
        """Then all games before this number are looked at; 0: none."""
        self._thread: Thread | None = None
        self._made: dict[int, _Row] = {}

    def find(self, game: int, wait_s: float = 0.0) -> GameReview | None:
        """The review of a finished game. None if it is not made within this time; it is then made next.

        Raises JournalError.
        """
        found = self._stored(game)
        if found is None:
            self._begin(game)
            with self._changed:
                self._changed.wait_for(lambda: game not in self._waiting, wait_s)
            found = self._stored(game)
        return found

    def begin_all(self) -> None:
        """Make the reviews of all finished games that have none, the latest first."""
        with self._changed:
            self._next_below = NO_GAME
            self._start()

    def _stored(self, game: int) -> GameReview | None:
        row = self._archive.ask(lambda journal, database: self._row(journal, database, game))
        return None if row is None else decode(row.review)

    def _row(self, journal: Journal, database: sqlite3.Connection, game: int) -> _Row | None:
        """What was made for the game as it is now."""
        seal = seal_of(journal, game)
        row = self._made.get(game) or _read(database, game)
        return row if row is not None and row.seal == seal else None

    def _begin(self, game: int) -> None:
        """Put this game in front of all others."""
        with self._changed:
            self._waiting = [each for each in self._waiting if each != game] + [game]
            self._start()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = Thread(target=self._run, name="reviews", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while (game := self._next()) is not None:
            try:
                self._make(game)
            except Exception as fault:  # the thread goes on with the next game
                log.warning("game %d cannot be reviewed: %s", game, fault)
            with self._changed:
                self._waiting = [each for each in self._waiting if each != game]
                self._changed.notify_all()

    def _next(self) -> int | None:
        """The game to review now. None: there is nothing to do, and the thread ends."""
        while True:
            with self._changed:
                if self._waiting:
                    return self._waiting[-1]
                below = self._next_below
                if not below:
                    self._thread = None
                    return None
            found = self._latest_without(below)
            with self._changed:
                if self._next_below == below:
                    self._next_below = found or 0
                if found:
                    return found

    def _latest_without(self, below: int) -> int | None:
        """The latest finished game before this one that has no review."""
        question = (
            f"SELECT max(game) FROM game WHERE is_won AND game < {below} AND game NOT IN (SELECT game FROM review)"
        )
        try:
            found: int | None = self._archive.ask(lambda _, database: database.execute(question).fetchone()[0])
        except Exception as fault:
            log.warning("games without a review are not found: %s", fault)
            return None
        return found

    def _make(self, game: int) -> None:
        seal, turns = self._archive.ask(lambda journal, _: (seal_of(journal, game), journal.turns_of(game)))
        breaks = Breaks(PAUSE, time.monotonic, time.sleep)
        review = self._reviewed(game, turns, breaks)
        row = _Row(game, seal, encode(seat_reviews(review)), encode(review))
        self._made.pop(game, None)
        if not self._archive.ask(lambda _, database: _write(database, row)):
            self._made[game] = row
            for old in [*self._made][:-KEPT]:
                del self._made[old]
        breaks.take()

    def _reviewed(self, game: int, turns: Sequence[Events], breaks: Breaks) -> GameReview:
        try:
            return self._review(without_hidden_cards(turns), breaks.take)
        except Exception as fault:  # a crafted game can break any assumption
            log.warning("game %d cannot be reviewed: %s", game, fault)
            return NOTHING


class Breaks:
    """Pauses of a share of the time that has gone by since the last one."""

    def __init__(self, share: float, clock: Callable[[], float], sleep: Callable[[float], object]) -> None:
        self._share = share
        self._clock = clock
        self._sleep = sleep
        self._since = clock()

    def take(self) -> None:
        """Sleep."""
        self._sleep(self._share * (self._clock() - self._since))
        self._since = self._clock()


def _read(database: sqlite3.Connection, game: int) -> _Row | None:
    """Raises DamagedFigures."""
    found = database.execute("SELECT game, seal, seats, body, checksum FROM review WHERE game = ?", (game,)).fetchone()
    return _Row(*without_checksum(found)) if found else None


def _write(database: sqlite3.Connection, row: _Row) -> bool:
    """Whether it could be stored: the disk may be full, or read-only."""
    try:
        with transaction(database):
            database.execute("INSERT OR REPLACE INTO review VALUES (?, ?, ?, ?, ?)", with_checksum(*row))
            people = stored_people(database)
            for past, _ in stored_games(database, "FROM game WHERE game = ?", row.game):
                add_stored_review(database, row.game, past.summary.names, people)
    except sqlite3.OperationalError as fault:
        log.warning("the review of game %d is not stored: %s", row.game, fault)
        return False
    return True
