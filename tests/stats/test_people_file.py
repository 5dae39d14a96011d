"""The file of merged names: written atomically, read at each use, and part of a backup."""

from __future__ import annotations

import errno
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from firmware_host.stats.people import NotMerged, People
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage import document_file
from firmware_host.storage.backup import past_games, write_backup
from firmware_host.storage.document_file import DocumentError
from firmware_host.storage.journal import Journal, JournalError
from tests.golden.make_journal import turns

ANNIE = People((("Ann", "Annie"),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / PeopleFile.NAME


def test_without_a_file_no_names_are_merged(path: Path) -> None:
    assert PeopleFile(path).read() == People() and not path.parent.exists()


def test_a_change_is_seen_by_all_readers(path: Path) -> None:
    board, command_line = PeopleFile(path), PeopleFile(path)
    assert command_line.replace(lambda people: people.merge("Аня", "Анна")).groups == (("Аня", "Анна"),)
    assert board.read().groups == (("Аня", "Анна"),)
    assert {file.name for file in path.parent.iterdir()} == {PeopleFile.NAME, f"{PeopleFile.NAME}.copy"}


def test_names_without_a_file_are_kept_in_memory() -> None:
    file = PeopleFile()
    file.replace(lambda people: people.merge("Ann", "Annie"))
    assert file.read() == ANNIE and file.restore(People()) is None and file.read() == People()


def test_a_refused_change_leaves_the_file(path: Path) -> None:
    file = PeopleFile(path)
    file.replace(lambda people: ANNIE)
    with pytest.raises(NotMerged):
        file.replace(lambda people: people.unmerge("Ben"))
    assert file.read() == ANNIE


def test_changes_at_the_same_time_are_all_kept(path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        for number in range(40):
            threads.submit(PeopleFile(path).replace, partial(People.merge, kept=f"P{number}", other=f"{number}x"))
    assert len(PeopleFile(path).read().groups) == 40


def test_a_full_disk_leaves_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = PeopleFile(path)
    file.replace(lambda people: ANNIE)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(document_file, "write_checked", full)
    with pytest.raises(DocumentError, match="No space left on device; free some disk space"):
        file.replace(lambda people: People())
    assert file.read() == ANNIE


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1, column 1: expected merged names"),
        (b'{"format": 1,\n "people": [["Ann" "Annie"]]}', "line 2, column 20"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"people": []}', "missing required field `format`"),
        (b'{"format": 2, "people": []}', "expected format 1 at most, got format 2; update cribboard"),
        (b'{"format": 1, "people": [["Ann", 7]]}', "Expected `str`, got `int` - at `$.people[0][1]`"),
        (b'{"format": 1, "people": [["Ann", "Annie"], ["Ben", "BEN"]]}', "'ben' twice"),
        (b'{"format": 1, "people": [["Ann"]]}', "two names or more"),
        (b'{"format": 1, "people": [["Ann", "\\ud800"]]}', "UnicodeEncodeError"),
        (b"\xff", "bytes that are not UTF-8, at 0"),
        (b"[" * 100_000, "expected merged names"),
    ],
)
def test_a_damaged_file_is_reported(path: Path, content: bytes, message: str) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(DocumentError) as error:
        PeopleFile.read_file(path)
    assert message in str(error.value) and str(path) in error.value.where and error.value.fix
    with pytest.raises(DocumentError):
        PeopleFile(path).replace(lambda people: ANNIE)
    assert path.read_bytes() == content


def test_a_folder_in_place_of_the_file_is_reported(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(DocumentError, match="a file that can be read"):
        PeopleFile.read_file(path)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    file = tmp_path / "journal.sqlite3"
    with closing(Journal.open(file)) as journal:
        for turn in turns():
            journal.append(turn)
    return file


@pytest.mark.parametrize("people", [People(), ANNIE])
def test_a_backup_has_the_merged_names(journal: Path, tmp_path: Path, people: People) -> None:
    file = PeopleFile()
    file.replace(lambda _: people)
    with closing(Journal.open_readonly(journal)) as reader:
        write_backup(reader, tmp_path / "one", {PeopleFile.NAME: file.text()})
        (tmp_path / "other").write_bytes(past_games(reader, {PeopleFile.NAME: file.text()}, is_last_over=True))
    for backup in ("one", "other"):
        assert PeopleFile.in_backup(tmp_path / backup) == people
        with closing(Journal.open(tmp_path / backup)) as opened:  # it is a journal as any other
            assert opened.last_game == 2


def test_a_backup_of_an_older_version_has_none(journal: Path, tmp_path: Path) -> None:
    assert PeopleFile.in_backup(journal) is None
    with pytest.raises(JournalError, match="no such file"):
        PeopleFile.in_backup(tmp_path / "nothing")


def test_a_changed_document_in_a_backup_is_refused(journal: Path, tmp_path: Path) -> None:
    with closing(Journal.open_readonly(journal)) as reader:
        write_backup(reader, tmp_path / "backup", {PeopleFile.NAME: '{"format": 1, "people": [["Ann", "Annie"]]}'})
    content = (tmp_path / "backup").read_bytes()
    (tmp_path / "backup").write_bytes(content.replace(b'"Annie"', b'"Anmie"'))
    with pytest.raises(JournalError, match="got a changed one; name another copy"):
        PeopleFile.in_backup(tmp_path / "backup")


@pytest.mark.parametrize(
    "made",
    [
        "CREATE VIEW document AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT i AS name, '' AS content, 0 AS seal FROM n",
        "CREATE TABLE document (name TEXT, content TEXT AS (hex(zeroblob(500000000))), seal INTEGER)",
        "CREATE VIRTUAL TABLE document USING fts5(name, content, seal)",
    ],
    ids=["an endless view", "a computed column", "a virtual table"],
)
def test_a_crafted_document_in_a_backup_is_refused_unread(journal: Path, tmp_path: Path, made: str) -> None:
    with closing(Journal.open_readonly(journal)) as reader:
        write_backup(reader, tmp_path / "backup")
    with closing(sqlite3.connect(tmp_path / "backup")) as database:
        database.execute(made)
        database.commit()
    with pytest.raises(JournalError, match="expected a table document"):
        PeopleFile.in_backup(tmp_path / "backup")


def test_restore_keeps_the_names_merged_before(path: Path) -> None:
    file = PeopleFile(path)
    assert file.restore(ANNIE) is None
    assert file.restore(ANNIE) is None
    aside = file.restore(People())
    assert aside and PeopleFile.read_file(aside) == ANNIE and file.read() == People()
