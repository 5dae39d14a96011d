"""Boards that may connect to the brokers of a league, and the club that each belongs to."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.league.database import Database, LeagueError
from firmware_host.optional_packages import Option, install_command
from firmware_host.telemetry.local_broker import BOARD_NAME, is_board_name, new_password

COLLECTOR = "league-collector"
"""The user of the program of the league. No board may have this name."""
ROUNDS = 4
"""Of bcrypt: the fewest. More would protect guessable passwords, and each connection would cost the broker more; ours
have 120 random bits."""


class Board(NamedTuple):
    """A board; `password_hash` is empty for one that was expelled."""

    name: str
    club: str
    password_hash: str


def boards_of(database: Database) -> tuple[Board, ...]:
    """All boards, also those that were expelled. Raises LeagueError."""
    rows = database.execute("SELECT name, club, password_hash FROM board ORDER BY name")
    return tuple(Board(*map(str, row)) for row in rows)


def add_board(database: Database, name: str, club: str = "", *, renew: bool = False) -> str:
    """Let a board connect, and return its password. One that may connect already gets another password only if
    `renew`: it is cut off until it has that. The brokers learn it by their next configuration. Raises LeagueError."""
    if not is_board_name(name) or name == COLLECTOR:
        raise LeagueError(BOARD_NAME, repr(name), "name of a board", "choose another name")
    if not renew and database.execute("SELECT 1 FROM board WHERE name = %s AND password_hash <> ''", (name,)):
        fix = "choose another name, or give it another password by --renew, which cuts it off until it has that"
        raise LeagueError(
            "the name of a new board", f"{name!r}, which may connect already", "boards of the league", fix
        )
    password = new_password()
    change = "ON CONFLICT (name) DO UPDATE SET club = excluded.club, password_hash = excluded.password_hash"
    row = (name, club, password_hash(password))
    database.execute(f"INSERT INTO board (name, club, password_hash) VALUES (%s, %s, %s) {change}", row)
    return password


def expel_board(database: Database, name: str) -> None:
    """Take the right to connect away; its results stay. Raises LeagueError."""
    done = database.execute("UPDATE board SET password_hash = '' WHERE name = %s RETURNING name", (name,))
    if not done:
        raise LeagueError("the name of a board", repr(name), "boards of the league", "see: cribboard league board list")


def password_hash(password: str) -> str:
    """A bcrypt hash with the prefix that NATS knows. Raises LeagueError where the module is missing."""
    try:
        import bcrypt
    except ImportError as fault:
        fix = f"run: {install_command(Option.LEAGUE)}"
        raise LeagueError("the module bcrypt", "it is not installed", "passwords", fix) from fault
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(ROUNDS, b"2a")).decode()
