"""The database of a league: SQLite in everyday tests, and a real PostgreSQL in the slow ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.league.database import Database, migrate
from tests.league.servers import Postgres, needs_servers, server_folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with server_folder() as folder:
        server = Postgres(folder)
        try:
            server.start()
            yield server
        finally:
            server.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.slow, needs_servers])])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """With all tables, and empty."""
    address = f"sqlite:///{tmp_path}/league.sqlite3"
    if request.param == "postgresql":
        address = request.getfixturevalue("postgres").address
        with Database(address) as server:
            server.execute("DROP SCHEMA public CASCADE")
            server.execute("CREATE SCHEMA public")
    migrate(address)
    with Database(address) as opened:
        yield opened
