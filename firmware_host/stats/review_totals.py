"""The accuracy of each person over all reviewed games, as a running total in the store (figures_store.py).

A review is made when somebody looks at it, long after its game was added to the store or before. So its sums are added
when both are there, each in the transaction that stores the later one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from msgspec import Struct

from firmware_host.stats.figures_store import with_checksum, without_checksum
from firmware_host.stats.people import People
from firmware_host.stats.review import SeatReview, decode_seats


class Accuracy(Struct, frozen=True):
    """The choices of a person in all reviewed games."""

    games: int = 0
    """Games with choices that were judged."""
    choices: int = 0
    accurate: int = 0

    @property
    def share(self) -> float | None:
        """The share of accurate choices, 0 to 1; None without choices."""
        return self.accurate / self.choices if self.choices else None

    def plus(self, sums: SeatReview) -> Accuracy:
        """With another game."""
        return Accuracy(self.games + (sums.choices > 0), self.choices + sums.choices, self.accurate + sums.accurate)


def add_stored_review(database: sqlite3.Connection, game: int, names: Iterable[str], people: People) -> None:
    """Add the review of a game, if it is stored and of the game as it is now. `names` by seat.

    In the transaction of the caller, once for each game. Raises DamagedFigures.
    """
    found = "SELECT seats FROM review JOIN game USING (game) WHERE game = ? AND review.seal IS game.seal"
    row = database.execute(found, (game,)).fetchone()
    if row is None:
        return
    for name, sums in zip(names, decode_seats(row[0]), strict=False):  # seats of which nothing is known are left out
        (person,) = database.execute("SELECT person FROM person WHERE key = ?", (people.key_of(name),)).fetchone()
        total = accuracy_of(database, person).plus(sums)
        values = with_checksum(person, total.games, total.choices, total.accurate)
        database.execute("INSERT OR REPLACE INTO accuracy VALUES (?, ?, ?, ?, ?)", values)


def accuracy_of(database: sqlite3.Connection, person: int) -> Accuracy:
    """The total of the person with this number. Raises DamagedFigures."""
    columns = "person, games, choices, accurate, checksum"
    row = database.execute(f"SELECT {columns} FROM accuracy WHERE person = ?", (person,)).fetchone()
    return Accuracy(*without_checksum(row)[1:]) if row else Accuracy()
