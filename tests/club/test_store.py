"""The file of a club: what was acknowledged is there, what is damaged is refused."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club.events import Event
from firmware_host.club.evolve import fold
from firmware_host.club.rule_errors import MemberExists
from firmware_host.club.state import Club
from firmware_host.club_server import store
from firmware_host.club_server.store import (
    EVENTS,
    ClubFile,
    ClubFileDamaged,
    ClubFileError,
    UnreadableEvent,
    decode,
    encode,
)
from firmware_host.storage.sqlite_file import connect
from tests.club.random_nights import play_night


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "club.sqlite3"


def written(path: Path, events: list[Event]) -> None:
    with closing(ClubFile.open(path)) as file:
        for event in events:
            file.change(lambda _, event=event: event)  # type: ignore[misc]


def test_a_night_is_the_same_after_it_was_read_from_the_file(path: Path) -> None:
    night = play_night(3)
    written(path, night.events)
    with closing(ClubFile.open(path)) as file:
        assert file.club == night.club == fold(night.events)
        assert [record.event for record in file.records()] == night.events


def test_every_kind_of_event_is_encoded_and_decoded() -> None:
    events = [event for seed in range(8) for event in play_night(seed, 5).events]
    member = d.add_member(Club(), "Zoë", is_guest=True)
    club = fold([member])
    events.append(e.ResultReceived(1, 2, 3, (121, 90), "table-3", "ab12", 1))
    events.append(e.ResultUnmatched(1, e.Unmatched.NO_GAME, ("Ann", "Zoë"), (121, 90), "table-3", "ab12", 1))
    events.append(e.UnmatchedSeen(1, "table-3", "ab12"))
    events += [e.JoinCodeSet(1, "012345"), e.BoardJoined(1, "table-3", 2), e.BoardReleased(1, "table-3")]
    events += [e.PhoneJoined(1, 1, member.member, "a hash"), e.PhoneReleased(1, 1)]
    events += [e.ResultSigned(1, 1, 1, (121, 90)), e.ResultChosen(1, 1, 1, (121, 90), member.member, "")]
    events += [e.HighHandsNoted(1, member.member, 29, 1), e.MatchTablesSwapped(1, 1, 2)]
    events += [d.change_member(club, member.member, name="Zoe"), d.remove_member(club, member.member)]
    assert {type(event) for event in events} == set(EVENTS.values())
    for event in events:
        assert decode(*encode(event), "here") == event


def test_an_event_that_could_not_be_read_again_is_refused(path: Path) -> None:
    poison = e.ResultUnmatched(1, e.Unmatched.NO_GAME, ("Ann", "Zoë"), (121, 90), "table-3", "ab12", True)
    night = play_night(3)
    written(path, night.events)
    with closing(ClubFile.open(path)) as file:
        with pytest.raises(UnreadableEvent, match="can be read again, got ResultUnmatched, which"):
            file.change(lambda _: poison)
        assert file.club == night.club
        later = file.change(lambda club: d.add_member(club, "Dan"))
    with closing(ClubFile.open(path)) as file:
        assert [record.event for record in file.records()] == [*night.events, later]


def test_two_programs_decide_on_what_the_other_has_written(path: Path) -> None:
    with closing(ClubFile.open(path)) as one, closing(ClubFile.open(path)) as two:
        one.change(lambda club: d.add_member(club, "Ann"))
        with pytest.raises(MemberExists):
            two.change(lambda club: d.add_member(club, "ann"))
        two.change(lambda club: d.add_member(club, "Bob"))
        one.change(lambda club: d.add_member(club, "Cat"))
        assert [member.name for member in two.club.current_members] == ["Ann", "Bob", "Cat"]
        assert sorted(two.club.members) == [1, 2, 3]


KILLED = """
import itertools, sys
from pathlib import Path
from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club_server.store import ClubFile
file = ClubFile.open(Path(sys.argv[1]))
for number in itertools.count(1):
    print(file.change(lambda club: d.add_member(club, f"Player {number}")).member, flush=True)
"""


def test_a_killed_program_loses_no_event_that_it_acknowledged(path: Path) -> None:
    program = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
    assert program.stdout
    seen = [int(program.stdout.readline()) for _ in range(5)]
    program.kill()
    seen += map(int, program.stdout.read().split())
    program.stdout.close()
    program.wait()
    with closing(ClubFile.open(path)) as file:
        members = sorted(file.club.members)
        assert members[: len(seen)] == seen and len(members) <= len(seen) + 1
        file.change(lambda club: d.add_member(club, "after the restart"))


OTHER_PROGRAM = """
import sys
from contextlib import closing
from pathlib import Path
from firmware_host.club_server.store import ClubFile
with closing(ClubFile.open(Path(sys.argv[1]))) as file:
    print(*(member.name for member in file.club.members.values()))
"""


def test_a_new_file_waits_for_another_program_that_is_about_to_write(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when two commands make the file at the same time: SQLite changes its mode at once or not at all."""
    path.parent.mkdir()
    with closing(connect(str(path))) as other:
        check, writing = store.check_format, list[Timer]()

        def write_meanwhile(database: sqlite3.Connection, place: Path) -> None:
            check(database, place)
            other.execute("BEGIN IMMEDIATE")
            writing.append(Timer(0.1, other.execute, ["ROLLBACK"]))
            writing[0].start()

        monkeypatch.setattr(store, "check_format", write_meanwhile)
        with closing(ClubFile.open(path)) as file:
            assert file.club == Club()
        writing[0].join()


def members_in_another_program(path: Path) -> str:
    """Opens the file in another program, and closes it there."""
    command = [sys.executable, "-c", OTHER_PROGRAM, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_another_program_that_closes_the_file_takes_nothing_from_one_that_has_it_open_twice(path: Path) -> None:
    """The last program to close a file deletes its log. Which is the last one is known by locks."""
    with closing(ClubFile.open(path)) as one:
        one.change(lambda club: d.add_member(club, "Ann"))
        with closing(ClubFile.open(path)):
            assert members_in_another_program(path) == "Ann"
            one.change(lambda club: d.add_member(club, "Bob"))
            assert members_in_another_program(path) == "Ann Bob"


def test_rows_cannot_be_changed_or_deleted(path: Path) -> None:
    written(path, play_night(1, 3).events)
    with closing(sqlite3.connect(path)) as database:
        for statement in ("UPDATE event SET body = ''", "DELETE FROM event"):
            with pytest.raises(sqlite3.IntegrityError):
                database.execute(statement)


@pytest.mark.parametrize(
    "damage",
    ["UPDATE event SET body = replace(body, '121', '120') WHERE body LIKE '%121,%'", "DELETE FROM event WHERE seq = 3"],
)
def test_a_changed_or_missing_row_is_refused(path: Path, damage: str) -> None:
    written(path, play_night(1, 4).events)
    with closing(sqlite3.connect(path)) as database:
        database.executescript("DROP TRIGGER event_is_never_changed; DROP TRIGGER event_is_never_deleted;")
        assert database.execute(damage).rowcount
        database.commit()
    with pytest.raises(ClubFileDamaged, match="a changed or damaged one"):
        ClubFile.open(path)


def test_the_file_of_another_program_is_refused_and_not_changed(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE other (x)")
    before = path.read_bytes()
    with pytest.raises(ClubFileError, match="another program"):
        ClubFile.open(path)
    assert path.read_bytes() == before
