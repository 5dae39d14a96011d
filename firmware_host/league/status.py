"""What an operator wants to know of a running league: who sends, what waits, what was refused, what is copied."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from firmware_host.league.brokers import ANSWER_S, connect_once, no_answer
from firmware_host.league.database import Database
from firmware_host.league.nats_config import DURABLE, STREAM, Access


class Refusals(Struct, frozen=True):
    """Messages of a board that were refused for one reason. `last_at` is ISO 8601 in UTC."""

    board: str
    reason: str
    number: int
    last_at: str


class Replica(Struct, frozen=True):
    """A program that receives the write-ahead log of PostgreSQL. `behind_bytes`: how much of it is not on its disk."""

    name: str
    state: str
    behind_bytes: int


class LedgerStatus(Struct, frozen=True):
    """What the database says. `last_at` is ISO 8601 in UTC; empty without a result."""

    boards: int
    """That may connect."""
    boards_seen: int
    """Of these, the ones that sent a result. A club that was imported is no board."""
    games: int
    results: int
    """Rows: each revision of each game is one."""
    last_at: str
    last_board: str
    refused: tuple[Refusals, ...]
    replicas: tuple[Replica, ...] | None
    """None: the database is none that is copied so."""


class StreamStatus(Struct, frozen=True):
    """What the brokers say about the collectors."""

    waiting: int
    """Results that no collector has got yet."""
    unacknowledged: int
    """Results that a collector has, and has not written yet."""
    delivered_again: int
    has_collector: bool


def ledger_status(database: Database) -> LedgerStatus:
    """Raises LeagueError."""
    may_connect = "SELECT COUNT(*) FROM board WHERE password_hash <> ''"
    ((boards,),) = database.execute(may_connect)
    ((seen,),) = database.execute(f"{may_connect} AND EXISTS (SELECT 1 FROM result WHERE result.board = board.name)")
    ((games,),) = database.execute("SELECT COUNT(*) FROM game")
    ((results,),) = database.execute("SELECT COUNT(*) FROM result")
    last = database.execute("SELECT received_at, board FROM result ORDER BY received_at DESC LIMIT 1")
    refused = database.execute("SELECT board, reason, number, last_at FROM refusal ORDER BY last_at DESC, board")
    last_at, last_board = last[0] if last else ("", "")
    return LedgerStatus(
        int(boards),
        int(seen),
        int(games),
        int(results),
        str(last_at),
        str(last_board),
        tuple(Refusals(str(board), str(why), int(number), str(at)) for board, why, number, at in refused),
        _replicas(database),
    )


def _replicas(database: Database) -> tuple[Replica, ...] | None:
    if not database.is_postgresql:
        return None
    rows = database.execute(
        "SELECT application_name, state, COALESCE(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn), -1)"
        " FROM pg_stat_replication ORDER BY application_name"
    )
    return tuple(Replica(str(name), str(state), int(behind)) for name, state, behind in rows)


def stream_status(access: Access) -> StreamStatus | None:
    """None before the first board has connected: NATS then has no stream. Raises LeagueError."""
    return asyncio.run(_stream_status(access))


async def _stream_status(access: Access) -> StreamStatus | None:
    client = await connect_once(access)
    from nats.errors import Error  # not before: whether the module is there was just tried
    from nats.js.errors import NotFoundError

    try:
        found = await client.jetstream().consumer_info(STREAM, DURABLE, timeout=ANSWER_S)
    except NotFoundError:
        return None
    except (Error, OSError, TimeoutError) as fault:
        raise no_answer(access, fault) from fault
    finally:
        await client.close()
    return StreamStatus(
        found.num_pending or 0, found.num_ack_pending or 0, found.num_redelivered or 0, bool(found.push_bound)
    )
