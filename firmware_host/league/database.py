"""The database of a league: PostgreSQL, or SQLite, which a club uses. Both have the same tables, made by the same
migrations (yoyo-migrations).

An address is `postgresql://USER@HOST:PORT/NAME` or `sqlite:///FILE`. Passwords belong into PostgreSQL's own password
file, ~/.pgpass.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from firmware_host.errors import HostError
from firmware_host.optional_packages import Option, install_command
from firmware_host.storage.sqlite_file import closed_on_error, set_journal_mode

MIGRATIONS = Path(__file__).with_name("migrations")
BUSY_S = 10.0
"""How long SQLite waits for another program that writes, in seconds."""
CONNECT_S = 5
"""How long PostgreSQL may take to answer, in seconds."""


class LeagueError(HostError):
    """The database, the broker or the configuration of a league cannot be used. Nothing was changed."""


class Database:
    """A connection. Statements have `%s` for parameters. Every method raises LeagueError."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._is_sqlite = address.startswith("sqlite:///")
        with self._as_league_error():
            self._connection: Any = self._connect()

    def _connect(self) -> Any:
        if self._is_sqlite:
            path = self.address.removeprefix("sqlite:///")
            opened = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
            with closed_on_error(opened) as connection:
                set_journal_mode(connection, "WAL", BUSY_S)
                connection.execute("PRAGMA synchronous = FULL")
                return connection
        if not self.address.startswith("postgresql://"):
            raise LeagueError("postgresql://... or sqlite:///...", self.address.split(":")[0], "database", "correct it")
        import psycopg

        return psycopg.connect(self.address, autocommit=True, connect_timeout=CONNECT_S)

    @property
    def is_postgresql(self) -> bool:
        """Whether a server has it, and not a file."""
        return not self._is_sqlite

    def close(self) -> None:
        """Close the connection; it may be broken."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def execute(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement, and return its rows."""
        with self._as_league_error():
            text = statement.replace("%s", "?") if self._is_sqlite else statement
            cursor = self._connection.execute(text, tuple(parameters))
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commits at the end of the block, and rolls back where an exception leaves it."""
        self.execute("BEGIN IMMEDIATE" if self._is_sqlite else "BEGIN")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            with self._as_league_error():
                self._connection.rollback()
            raise

    @contextmanager
    def _as_league_error(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as fault:
            raise _unusable(self.address, fault) from fault
        except ImportError as fault:
            fix = f"run: {install_command(Option.LEAGUE)}"
            raise LeagueError("the module psycopg", "it is not installed", "database", fix) from fault
        except Exception as fault:
            if type(fault).__module__.split(".")[0] != "psycopg":
                raise
            raise _unusable(self.address, fault) from fault


def migrate(address: str) -> tuple[str, ...]:
    """Make the tables, or bring them up to date; the names of the migrations that were applied. Raises LeagueError."""
    try:
        from yoyo import get_backend, read_migrations
    except ImportError as fault:
        fix = f"run: {install_command(Option.LEAGUE)}"
        raise LeagueError("the module yoyo", "it is not installed", "migrations", fix) from fault
    Database(address).close()  # its errors say what to do
    # As a context manager the backend closes its connection, and writes times to SQLite by an adapter of its own: that
    # of the standard library is deprecated.
    with get_backend(address.replace("postgresql://", "postgresql+psycopg://", 1)) as backend, backend.lock():
        waiting = backend.to_apply(read_migrations(str(MIGRATIONS)))
        backend.apply_migrations(waiting)
        return tuple(migration.id for migration in waiting)


def _unusable(address: str, fault: Exception) -> LeagueError:
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    where = f"{parts.scheme}://{parts.hostname or ''}{parts.path}"  # without user and password
    fix = "check that the server runs, its address and its rights, and run: cribboard league migrate"
    return LeagueError("a database of a league", str(fault).strip() or type(fault).__name__, where, fix)
