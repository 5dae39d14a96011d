"""A corrupt journal: what can be recovered is recovered, what is lost is reported, and nothing is made up."""

from __future__ import annotations

import logging
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct

from firmware_host.cribbage.rules import Side
from firmware_host.game.commands import CorrectScore
from firmware_host.game.events import Event, GameStarted
from firmware_host.stats.archive import Archive
from firmware_host.storage import recovery
from firmware_host.storage.active_game import ActiveGame
from firmware_host.storage.journal import Journal, JournalCorrupt, JournalError
from firmware_host.storage.journal_table import PAGE_BYTES, Row, RowReader
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.replica import replica_path
from tests.golden.make_journal import turns
from tests.reliability.figures import publish

TURNS = tuple(turns())
INTERIOR_PAGE = 2
"""First byte of an interior index page of SQLite. Bytes 3 and 4 are its number of rows, from byte 12 on their
offsets."""


class JournalFiles(Struct, dict=True):
    """A folder with a journal of two games, the second not over, and its replica."""

    path: Path
    kept: tuple[bytes, bytes]

    def __post_init__(self) -> None:
        self.reset()
        self.rows = rows_in(self.path)

    def reset(self, *, has_replica: bool = True) -> None:
        shutil.rmtree(self.path.parent, ignore_errors=True)
        self.path.parent.mkdir()
        self.path.write_bytes(self.kept[0])
        if has_replica:
            replica_path(self.path).write_bytes(self.kept[1])

    def overwrite(self, at: int, content: bytes) -> None:
        whole = self.path.read_bytes()
        self.path.write_bytes(whole[:at] + content + whole[at + len(content) :])


def rows_in(path: Path) -> list[Row]:
    with closing(Journal.open_readonly(path)) as journal:
        return [row for game in range(1, journal.last_game + 1) for row in journal.rows_of(game)]


def turns_in(path: Path) -> list[tuple[Event, ...]]:
    with closing(Journal.open_readonly(path)) as journal:
        return [turn for game in range(1, journal.last_game + 1) for turn in journal.turns_of(game)]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """The bytes of a journal and of its replica, as the board leaves them."""
    path = tmp_path_factory.mktemp("kept") / "journal.sqlite3"
    with closing(open_or_recover(path).journal) as journal:
        for turn in TURNS:
            journal.append(turn)
    return path.read_bytes(), replica_path(path).read_bytes()


@pytest.fixture
def files(tmp_path: Path, kept: tuple[bytes, bytes]) -> JournalFiles:
    return JournalFiles(tmp_path / "state" / "journal.sqlite3", kept)


def test_intact_journal_is_unchanged(files: JournalFiles) -> None:
    opened = open_or_recover(files.path)
    opened.journal.close()
    assert opened.loss is None
    assert rows_in(files.path) == files.rows


@pytest.mark.parametrize(
    "corrupt",
    [
        pytest.param(lambda whole: b"not a database at all" * 300, id="something else"),
        pytest.param(lambda whole: b"", id="empty"),
        pytest.param(lambda whole: bytes(len(whole)), id="zeros"),
        pytest.param(lambda whole: whole[: len(whole) // 3], id="truncated", marks=pytest.mark.slow),
        pytest.param(lambda whole: whole[:PAGE_BYTES], id="one page left", marks=pytest.mark.slow),
        pytest.param(lambda whole: bytes(PAGE_BYTES) + whole[PAGE_BYTES:], id="first page zeroed"),
    ],
)
def test_corrupt_file_is_rebuilt_from_the_replica(files: JournalFiles, corrupt: object) -> None:
    assert callable(corrupt)
    corrupted = corrupt(files.path.read_bytes())
    in_replica = rows_in(replica_path(files.path))
    files.path.write_bytes(corrupted)
    opened = open_or_recover(files.path)
    opened.journal.close()
    assert opened.loss and opened.loss.aside.read_bytes().startswith(corrupted[:16])
    found = rows_in(files.path)
    assert found == files.rows[: len(found)] and len(found) >= len(in_replica)
    assert (opened.loss.games, opened.loss.until) == (found[-1].game, found[-1].written_at)
    opened = open_or_recover(files.path)
    opened.journal.close()
    assert opened.loss is None, "reported once"


def test_missing_file_is_rebuilt_from_the_replica(files: JournalFiles) -> None:
    files.path.unlink()
    opened = open_or_recover(files.path)
    opened.journal.close()
    assert opened.loss and opened.loss.games == rows_in(replica_path(files.path))[-1].game


def test_emptied_file_is_reported_as_a_loss(tmp_path: Path) -> None:
    """Also if no game has reached the replica yet."""
    path = tmp_path / "journal.sqlite3"
    journal = open_or_recover(path).journal
    journal.append(turns()[0])
    journal.close()
    path.write_bytes(b"")
    opened = open_or_recover(path)
    opened.journal.close()
    assert opened.loss and opened.loss.games == 0 and opened.loss.aside.exists()


@pytest.mark.slow
def test_intact_rows_are_recovered_without_a_replica(files: JournalFiles) -> None:
    files.reset(has_replica=False)
    files.path.write_bytes(files.path.read_bytes()[: -12 * PAGE_BYTES])
    opened = open_or_recover(files.path)
    opened.journal.close()
    assert opened.loss
    found = rows_in(files.path)
    assert found and set(found) <= set(files.rows)


def test_unreadable_file_without_a_replica_is_kept_beside_a_new_journal(files: JournalFiles) -> None:
    files.reset(has_replica=False)
    files.path.write_bytes(b"?" * 9_999)
    opened = open_or_recover(files.path)
    opened.journal.append(TURNS[0])
    opened.journal.close()
    assert opened.loss and (opened.loss.games, opened.loss.until) == (0, "")
    assert opened.loss.aside.read_bytes() == b"?" * 9_999


@pytest.mark.parametrize(
    "filled", [b"no database", bytes(4096), b"SQLite format 3\0" * 64], ids=["text", "zeros", "header"]
)
def test_a_lock_that_is_filled_keeps_no_board_from_starting(files: JournalFiles, filled: bytes) -> None:
    lock = files.path.with_name("journal.sqlite3.lock")
    lock.write_bytes(filled)
    with closing(open_or_recover(files.path).journal) as journal:
        with pytest.raises(JournalError, match="only writer"):
            Journal.open(files.path)
        assert rows_in(files.path) == files.rows and journal.last_game == files.rows[-1].game
    assert not lock.stat().st_size


def test_no_more_games_are_searched_than_the_files_can_hold(
    files: JournalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search takes a start some milliseconds for each hundred games, and a small computer ten times as long."""
    searched = set[int]()
    search = recovery._intact_turns

    def noted(row_reader: RowReader, game: int) -> list[Row]:
        searched.add(game)
        return search(row_reader, game)

    monkeypatch.setattr(recovery, "_intact_turns", noted)
    files.path.write_bytes(b"not a database at all" * 300)
    held = (files.path.stat().st_size + replica_path(files.path).stat().st_size) // recovery.LEAST_GAME_BYTES
    open_or_recover(files.path).journal.close()
    assert {*range(1, files.rows[-1].game)} <= searched <= {*range(1, held + 1)}


def test_every_game_takes_the_least_bytes_of_one(files: JournalFiles) -> None:
    began = [row for row in files.rows if row.kind == "game_started"]
    assert began and all(len(row.body) + len(row.written_at) > recovery.LEAST_GAME_BYTES for row in began)


def test_seal_detects_a_changed_score(files: JournalFiles) -> None:
    """One flipped bit adds ten holes; SQLite itself finds the file in order."""
    at = files.path.read_bytes().rindex(b'"pegs":[')
    digit = at + len(b'"pegs":[')
    files.overwrite(digit, bytes([files.path.read_bytes()[digit] ^ 1]))
    with (
        closing(Journal.open_readonly(files.path)) as journal,
        pytest.raises(JournalCorrupt, match="as it was written"),
    ):
        [journal.row_reader.of(game) for game in range(1, journal.last_game + 1)]


def test_corrupt_past_game_is_read_from_the_replica(files: JournalFiles) -> None:
    body = next(row.body for row in files.rows if row.game == 1 and row.kind == "card_played").encode()
    files.overwrite(files.path.read_bytes().index(body), body.replace(b"card", b"cord"))
    with (
        closing(open_or_recover(files.path).journal) as journal,
        closing(Journal.open_readonly(replica_path(files.path))) as replica,
    ):
        assert journal.turns_of(1) == replica.turns_of(1)
    archive = Archive(lambda: closing(Journal.open_readonly(files.path)))
    assert len(archive.games()) == files.rows[-1].game


def test_replica_of_a_corrupt_past_game_is_not_taken_for_a_foreign_one(files: JournalFiles) -> None:
    """The replica ends with the last row of game 1, and just this row is corrupt in the journal."""
    in_replica = rows_in(replica_path(files.path))
    last = in_replica[-1]
    assert last.game == 1
    stamped = next(row for row in files.rows if row[:2] == last[:2]).body.encode()
    files.overwrite(files.path.read_bytes().index(stamped), b"?")
    open_or_recover(files.path).journal.close()
    assert rows_in(files.path) == files.rows


@pytest.mark.slow
def test_page_that_can_be_read_but_not_written_is_rebuilt(files: JournalFiles) -> None:
    """Bytes 1, 2 and 5 to 7 of a page say where a row can be added (sqlite.org/fileformat.html, section 1.6)."""
    started = TURNS[0][0]
    assert isinstance(started, GameStarted)
    rebuilt_by_a_write = 0
    for page in range(PAGE_BYTES, files.path.stat().st_size, PAGE_BYTES):
        for field in (1, 2, 5, 6, 7):
            files.reset()
            files.overwrite(page + field, b"\xee")
            opened = open_or_recover(files.path)
            game = ActiveGame(opened.journal, {started.board})
            assert opened.loss or game.table is not None
            if game.table is not None:
                game.take(CorrectScore(Side(0), score=9, reason="test"))
            game.close()
            again = ActiveGame(open_or_recover(files.path).journal, {started.board})
            again.close()
            assert again.table == game.table
            rebuilt_by_a_write += opened.loss is None and any(files.path.parent.glob("journal.aside-*"))
    assert rebuilt_by_a_write


def test_corrupt_rows_do_not_reach_the_replica(files: JournalFiles) -> None:
    """A game that was won is corrupted before the replica has it."""
    files.reset(has_replica=False)
    body = next(row.body for row in files.rows if row.game == 1 and row.kind == "card_played").encode()
    files.overwrite(files.path.read_bytes().index(body), body.replace(b"card", b"cord"))
    opened = open_or_recover(files.path)
    opened.journal.close()
    found = rows_in(files.path)
    assert opened.loss and set(found) < set(files.rows) and found[-1] == files.rows[-1]
    assert rows_in(replica_path(files.path)) == found


def test_corrupt_replica_is_begun_again(files: JournalFiles, caplog: pytest.LogCaptureFixture) -> None:
    replica_path(files.path).write_bytes(b"?" * 9_999)
    with caplog.at_level(logging.CRITICAL):
        opened = open_or_recover(files.path)
    opened.journal.close()
    assert opened.loss is None
    assert rows_in(replica_path(files.path)) == rows_in(files.path) == files.rows


def test_another_journal_in_its_place_is_accepted(files: JournalFiles, tmp_path: Path) -> None:
    other = tmp_path / "other" / "journal.sqlite3"
    with closing(Journal.open(other)) as journal:
        journal.append(TURNS[0])
    files.path.write_bytes(other.read_bytes())
    opened = open_or_recover(files.path)
    opened.journal.close()
    assert opened.loss is None and len(rows_in(files.path)) == len(TURNS[0]) == len(rows_in(replica_path(files.path)))


def outcome_of(files: JournalFiles) -> str:
    """The outcome of starting with a corrupt journal. Every recovered turn must have been written once."""
    try:
        opened = open_or_recover(files.path)
    except JournalError as refused:
        assert "update cribboard" in str(refused) or "another program" in str(refused), refused
        return "refused, nothing changed"
    opened.journal.close()
    found = turns_in(files.path)
    kept = Counter(map(repr, found))
    assert not kept - Counter(map(repr, TURNS)), "a turn was made up"
    if found == list(TURNS):
        return "intact" if opened.loss is None else "recovered completely"
    assert opened.loss is not None, "a loss was not reported"
    return "recovered, loss reported"


def flip(files: JournalFiles, random: Random) -> str:
    files.reset()
    at = random.randrange(files.path.stat().st_size)
    files.overwrite(at, bytes([files.path.read_bytes()[at] ^ 1 << random.randrange(8)]))
    return outcome_of(files)


def test_flipped_bits_make_up_no_turn_and_hide_no_loss(files: JournalFiles, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        assert "intact" in Counter(flip(files, random) for random in map(Random, range(25)))


@pytest.mark.parametrize("letter", [b"\xac", b"?"])
def test_corrupt_table_definition_is_recovered(
    files: JournalFiles, letter: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite quotes the definition in its error message, and the quote may not be valid text."""
    with caplog.at_level(logging.CRITICAL):
        files.overwrite(files.path.read_bytes().index(b"ABORT") + 3, letter)
        outcome_of(files)


@pytest.mark.parametrize(("field", "content"), [(68, b"SQLi"), (60, bytes(4)), (47, b"\5"), (56, b"\0\0\0\2")])
def test_corrupt_header_fields_are_repaired(files: JournalFiles, field: int, content: bytes) -> None:
    """SQLite's application_id, user_version, format of the schema and encoding, in the header of the file."""
    files.overwrite(field, content)
    assert outcome_of(files) == "recovered completely"


@pytest.mark.slow
def test_zeroed_pages_make_up_no_turn_and_hide_no_loss(files: JournalFiles, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        for page in (0, 1, *range(2, files.path.stat().st_size // PAGE_BYTES, 4)):
            files.reset()
            files.overwrite(page * PAGE_BYTES, bytes(PAGE_BYTES))
            outcome_of(files)


def games_on_interior_pages(content: bytes) -> Iterator[tuple[int, int]]:
    """For each row on an interior page: the offset of the byte with its game number, and a bit to flip in it."""
    for start in range(0, len(content), PAGE_BYTES):
        page = content[start : start + PAGE_BYTES]
        for row in range(int.from_bytes(page[3:5], "big") if page[0] == INTERIOR_PAGE else 0):
            at = int.from_bytes(page[12 + 2 * row : 14 + 2 * row], "big") + 4
            at += 2 if page[at] & 0x80 else 1  # skip the length of the row
            is_first_game = page[at + 1] == 9  # serial type 9 is the value 1, without data bytes
            yield (start + at + 1, 1) if is_first_game else (start + at + page[at], 0x40)


def test_interior_row_with_a_wrong_game(files: JournalFiles, caplog: pytest.LogCaptureFixture) -> None:
    """A search for a game would stop at such a row and find half a turn."""
    places = tuple(games_on_interior_pages(files.path.read_bytes()))
    assert len(places) > 10
    with caplog.at_level(logging.CRITICAL):
        for at, bit in places[::2]:
            files.reset()
            files.overwrite(at, bytes([files.path.read_bytes()[at] ^ bit]))
            outcome_of(files)


@pytest.mark.slow
def test_3000_flipped_bits(files: JournalFiles, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        outcomes = Counter(flip(files, random) for random in map(Random, range(3_000)))
    figures = {**dict(outcomes.most_common()), "bits_flipped": outcomes.total()}
    publish("flipped_bits", figures, keep="KEEP_FIGURES" in os.environ)
