"""How far a second copy of the database has come, by positions in the write-ahead log of PostgreSQL, in bytes.

PostgreSQL itself can let each commit wait for the copy (`synchronous_standby_names`). But then every commit hangs when
the program that receives the copy ends. Here only the receipts wait.
"""

from __future__ import annotations

from firmware_host.league.database import Database

_START = "'0/0'::pg_lsn"


def written_position(database: Database) -> int:
    """The end of what was committed so far. Raises LeagueError."""
    ((position,),) = database.execute(f"SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), {_START})")
    return int(position)


def copied_position(database: Database, replica: str) -> int:
    """What the program of this application name has on its disk; 0 while it is not connected, or where the user of the
    database may not see it (role `pg_monitor`). Raises LeagueError."""
    query = f"SELECT MAX(pg_wal_lsn_diff(flush_lsn, {_START})) FROM pg_stat_replication WHERE application_name = %s"
    ((position,),) = database.execute(query, (replica,))
    return int(position or 0)
