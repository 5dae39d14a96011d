"""A season gets what the score of a family has: a replica, a repair from it, and the loss of one bad event alone."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest

from firmware_host.club import decide as d
from firmware_host.club_server.backup import write_club_backup
from firmware_host.club_server.store import APPLICATION_ID, ClubFile, ClubFileDamaged, ClubFileError, open_club
from firmware_host.storage.replica import replica_path
from tests.club.random_nights import play_night
from tests.reliability.test_flipped_files import flipped

SAMPLED = 3989
"""A prime: see test_flipped_files."""

TEXTS = ("kind", "body", "written_at")
"""The columns of a row that are text."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a club with a night."""
    folder = tmp_path_factory.mktemp("club")
    with open_club(folder / "club.sqlite3") as file:
        for event in play_night(1, 4).events:
            file.change(lambda _, event=event: event)  # type: ignore[misc]
    return folder


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    """The club of a copy."""
    return copytree(played, tmp_path / "state") / "club.sqlite3"


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


def damage_body(file: Path, seq: int) -> None:
    """Change a letter of one event, as a bad page would."""
    with closing(sqlite3.connect(file)) as database:
        (body,) = database.execute("SELECT body FROM event WHERE seq = ?", (seq,)).fetchone()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = file.read_bytes()
    at = content.index(body.encode())
    file.write_bytes(content[:at] + b"!" + content[at + 1 :])


def make_bytes_of_text(file: Path, seq: int, column: str) -> None:
    """Flip the bit in the head of a row by which SQLite tells a text from bytes: its pages stay in order."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (kind, version, body) = database.execute(
            "SELECT kind, version, body FROM event WHERE seq = ?", (seq,)
        ).fetchone()
    content = bytearray(file.read_bytes())
    values = content.index(kind.encode() + bytes([version]) + body.encode())
    # The head ends with the types of kind, version, body, written_at and seal; that of a long body takes two bytes.
    before = {"written_at": 2, "body": 3, "kind": 5 if len(body) < 58 else 6}[column]
    content[values - before] ^= 1
    file.write_bytes(content)
    with closing(sqlite3.connect(file)) as database:
        found = database.execute(f"SELECT typeof({column}) FROM event WHERE seq = ?", (seq,)).fetchone()
    assert found == ("blob",)


def test_the_replica_has_every_event(path: Path) -> None:
    assert bodies(path) == bodies(replica_path(path)) != []


def lost(path: Path, step: int, *, has_replica: bool) -> Iterator[int]:
    """The bits that change an event without a word, or refuse the club."""
    expected = bodies(path)
    content, replica = path.read_bytes(), replica_path(path).read_bytes()
    for bit in range(0, 8 * len(content), step):
        start_from(path, flipped(content, bit), replica if has_replica else None)
        found = bodies(path)
        if found != expected if has_replica else not set(found) <= set(expected):
            yield bit


@pytest.mark.parametrize("has_replica", [True, False], ids=["with the replica", "alone"])
def test_a_flipped_bit_loses_no_event(path: Path, has_replica: bool) -> None:
    assert list(lost(path, SAMPLED, has_replica=has_replica)) == []


@pytest.mark.slow
def test_more_flipped_bits_lose_no_event(path: Path) -> None:
    assert list(lost(path, 211, has_replica=True)) == []


def test_a_flipped_bit_of_the_replica_is_repaired(path: Path) -> None:
    expected = bodies(path)
    content, replica = path.read_bytes(), replica_path(path).read_bytes()
    for bit in range(0, 8 * len(replica), SAMPLED):
        start_from(path, content, flipped(replica, bit))
        assert bodies(path) == expected
        assert bodies(replica_path(path)) == expected


@pytest.mark.parametrize("column", TEXTS)
def test_a_text_of_the_replica_that_became_bytes_is_repaired(path: Path, column: str) -> None:
    expected = bodies(path)
    for seq in (len(expected) // 2, len(expected)):
        make_bytes_of_text(replica_path(path), seq, column)
        assert bodies(path) == expected
        assert bodies(replica_path(path)) == expected


def test_a_first_event_of_the_replica_that_became_number_0_is_repaired(path: Path) -> None:
    expected = bodies(path)
    content = replica_path(path).read_bytes()
    head = content.rindex(b"\x01\x08\x00", 0, content.index(expected[0].encode()))
    replica_path(path).write_bytes(flipped(content, 8 * head))
    assert bodies(path) == expected
    assert bodies(replica_path(path)) == expected


def test_a_damaged_last_event_of_the_replica_is_repaired_by_the_next_change(path: Path) -> None:
    with open_club(path) as file:
        make_bytes_of_text(replica_path(path), len(list(file.records())), "body")
        file.change(lambda club: d.add_member(club, "Zoë"))
        expected = [record.body for record in file.records()]
    assert bodies(replica_path(path)) == expected


@pytest.mark.parametrize(
    "damage",
    [damage_body, *(partial(make_bytes_of_text, column=column) for column in TEXTS)],
    ids=["letter", *TEXTS],
)
def test_one_event_damaged_in_both_files_is_left_out_alone(
    path: Path, damage: Callable[[Path, int], None], caplog: pytest.LogCaptureFixture
) -> None:
    with open_club(path) as file:
        for name in ("Zoë", "Yves", "Xaver"):
            file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
    expected = bodies(path)
    bad = len(expected) - 1
    damage(path, bad)
    damage(replica_path(path), bad)
    caplog.set_level(logging.ERROR)
    assert bodies(path) == expected[: bad - 1] + expected[bad:]
    assert f"left out, because damaged: event {bad} of the old file" in caplog.text
    with open_club(path) as file:
        file.change(lambda club: d.add_member(club, "after the repair"))


@pytest.mark.parametrize("is_deleted", [True, False])
def test_a_missing_or_empty_file_is_rebuilt_from_the_replica(path: Path, is_deleted: bool) -> None:
    expected = bodies(path)
    start_from(path, b"", replica_path(path).read_bytes())
    if is_deleted:
        path.unlink()
    assert bodies(path) == expected


def test_events_that_the_file_lost_come_from_the_replica(path: Path) -> None:
    content = path.read_bytes()
    with open_club(path) as file:
        file.change(lambda club: d.add_member(club, "late"))
    expected = bodies(path)
    start_from(path, content, replica_path(path).read_bytes())
    assert bodies(path) == expected


@pytest.mark.parametrize("pragma", ["user_version = 3", f"application_id = {APPLICATION_ID ^ 4}"])
def test_a_flipped_number_of_the_header_is_repaired(path: Path, pragma: str) -> None:
    expected = bodies(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA {pragma}")
    assert bodies(path) == expected


def test_nothing_is_repaired_while_another_program_has_the_club(path: Path) -> None:
    content = path.read_bytes()
    with closing(ClubFile.open(path)):
        path.write_bytes(content.replace(b"member_added", b"member_addex", 1))
        with pytest.raises(ClubFileError, match="a club that no other program uses"):
            bodies(path)


def test_a_backup_of_a_damaged_club_is_not_repaired_silently(path: Path, tmp_path: Path) -> None:
    damage_body(path, 2)
    with pytest.raises(ClubFileDamaged):
        write_club_backup(path.parent, tmp_path / "backup.zip")
