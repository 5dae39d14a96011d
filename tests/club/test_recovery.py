"""A season gets what the score of a family has: a replica, a repair from it, and the loss of one bad event alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.club_server.store import open_club
from firmware_host.storage.replica import replica_path
from tests.club.random_nights import play_night

SAMPLED = 1999
"""A prime: see test_flipped_files."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A club with a night."""
    path = tmp_path / "state" / "club.sqlite3"
    with open_club(path) as file:
        for event in play_night(1, 4).events:
            file.change(lambda _, event=event: event)  # type: ignore[misc]
    return path


def bodies(path: Path) -> list[str]:
    with open_club(path) as file:
        return [record.body for record in file.records()]


def start_from(path: Path, content: bytes, replica: bytes | None) -> None:
    """Leave these two files alone in the folder."""
    for file in path.parent.iterdir():
        file.unlink()
    path.write_bytes(content)
    if replica is not None:
        replica_path(path).write_bytes(replica)
