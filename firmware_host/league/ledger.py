"""The ledger: one row for each revision of each game, written once. The tables are described by `migrations/`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from firmware_host.league.database import Database
from firmware_host.league.result_message import LedgerResult

MOST_ROWS = 500
"""Rows of one statement: SQLite takes 32,766 parameters, PostgreSQL 65,535."""

MOST_OF_BOARD = 50_000
"""Rows of one board: fifty games a day for some years. A board that invents games fills no disk."""

OTHER_RESULT = "the league has another result of this game"
OTHER_BOARD = "another board has sent a result of this game before"
MALFORMED = "a malformed message"
BOARD_IS_FULL = f"the league has {MOST_OF_BOARD} results of this board already"

T = TypeVar("T")

Key = tuple[str, int]
"""The id of a game, and a revision."""

_RESULT = "id, revision, board, is_final, started_at, ended_at, variant, target, digest, received_at"
_PLAYER = "id, revision, side, place, player, name, score, is_won, points, spread"


def record(database: Database, results: Sequence[LedgerResult]) -> list[str]:
    """Write results in one transaction. A result that is there already, from this call or an earlier one, is not
    written again.

    Returns for each why the ledger does not have it; empty: it has. A game belongs to the board that sent its first
    result, and each revision stays as it came first. Raises LeagueError, and then nothing was written.
    """
    if not results:
        return []
    received_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    first = {result.key: result for result in reversed(results)}
    # In one order everywhere: two collectors that insert the same keys wait for each other and never deadlock.
    ordered = sorted(first.values(), key=lambda result: result.key)
    with database.transaction():
        owners = _take_ownership(database, ordered)
        full = _full_boards(database, {result.board for result in ordered})
        for part in _parts([r for r in ordered if owners[r.id] == r.board and r.board not in full]):
            _insert(database, part, received_at)
        stored = digests(database, owners)
    return [_refusal(result, stored.get(result.key), owners[result.id], full) for result in results]


def _take_ownership(database: Database, results: Sequence[LedgerResult]) -> Mapping[str, str]:
    """The board that each of these games belongs to, by the id of the game; from now on, if to none before."""
    senders = {result.id: result.board for result in reversed(results)}
    found = dict[str, str]()
    for part in _parts(sorted(senders)):
        _insert_rows(database, "game (id, board)", [(id, senders[id]) for id in part], "ON CONFLICT DO NOTHING")
        marks = ", ".join(["%s"] * len(part))
        found |= dict(database.execute(f"SELECT id, board FROM game WHERE id IN ({marks})", part))
    return found


def _full_boards(database: Database, boards: Iterable[str]) -> frozenset[str]:
    """Those of these boards that have so many rows that no more are taken of them."""
    found = list[str]()
    for part in _parts(sorted(boards)):
        marks = ", ".join(["%s"] * len(part))
        query = f"SELECT board FROM result WHERE board IN ({marks}) GROUP BY board HAVING COUNT(*) >= %s"
        found += [str(board) for (board,) in database.execute(query, (*part, MOST_OF_BOARD))]
    return frozenset(found)


def _refusal(result: LedgerResult, stored: str | None, owner: str, full: Container[str]) -> str:
    """Why the ledger does not have this result. A board that was renamed may send again what it had sent before."""
    if stored == result.digest:
        return ""
    if owner != result.board:
        return OTHER_BOARD
    return OTHER_RESULT if stored or result.board not in full else BOARD_IS_FULL


def _insert(database: Database, results: Sequence[LedgerResult], received_at: str) -> None:
    rows = [
        (*r.key, r.board, r.is_final, r.started_at, r.ended_at, r.variant, r.target, r.digest, received_at)
        for r in results
    ]
    inserted = set(_insert_rows(database, f"result ({_RESULT})", rows, "ON CONFLICT DO NOTHING RETURNING id, revision"))
    players = [
        (*r.key, p.side, p.place, p.player, p.name, p.score, p.is_won, p.points, p.spread)
        for r in results
        if r.key in inserted
        for p in r.players
    ]
    for part in _parts(players):
        _insert_rows(database, f"player_result ({_PLAYER})", part)


def _insert_rows(
    database: Database, table: str, rows: Sequence[Sequence[object]], ending: str = ""
) -> list[tuple[object, ...]]:
    row = f"({', '.join(['%s'] * len(rows[0]))})"
    values = [value for each in rows for value in each]
    return database.execute(f"INSERT INTO {table} VALUES {', '.join([row] * len(rows))} {ending}", values)


def count_refusals(database: Database, refused: Counter[tuple[str, str]]) -> None:
    """Add to the numbers of refused messages, by board and reason. The reasons are those of this module, so that a
    board cannot make more rows than there are reasons. Raises LeagueError."""
    if not refused:
        return
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    sums = "number = refusal.number + excluded.number, last_at = excluded.last_at"
    change = f"ON CONFLICT (board, reason) DO UPDATE SET {sums}"
    rows = [(*key, number, at) for key, number in sorted(refused.items())]
    for part in _parts(rows):
        _insert_rows(database, "refusal (board, reason, number, last_at)", part, change)


def digests(database: Database, ids: Iterable[str] | None = None) -> Mapping[Key, str]:
    """The digest of each revision in the ledger, of these games or of all. Raises LeagueError."""
    if ids is None:
        rows = database.execute("SELECT id, revision, digest FROM result")
        return {(str(name), int(revision)): str(digest) for name, revision, digest in rows}
    found = dict[Key, str]()
    for part in _parts(sorted(ids)):
        marks = ", ".join(["%s"] * len(part))
        rows = database.execute(f"SELECT id, revision, digest FROM result WHERE id IN ({marks})", part)
        found |= {(str(name), int(revision)): str(digest) for name, revision, digest in rows}
    return found


def _parts(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), MOST_ROWS):
        yield items[start : start + MOST_ROWS]
