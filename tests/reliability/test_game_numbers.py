"""A game with a number far beyond the others, damaged or crafted, makes nothing count up to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.stats.archive import Archive
from firmware_host.storage.backup import write_backup
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.journal_table import INSERT_ROW, MOST_GAMES, Row
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.restore import restore
from firmware_host.storage.scrub import Finding, Scrub
from tests.golden.make_journal import turns

FAR = (10**18, MOST_GAMES + 1, 2**63 - 1)
GAP = MOST_GAMES - 9


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with one game."""
    path = tmp_path / "state" / "journal.sqlite3"
    with closing(open_or_recover(path).journal) as journal:
        for turn in turns():
            journal.append(turn)
    return path


def add_game(path: Path, number: int) -> None:
    """Append the first game once more, with this number and valid seals."""
    with closing(sqlite3.connect(path)) as database, database:
        rows = database.execute("SELECT * FROM journal WHERE game = 1 ORDER BY seq").fetchall()
        before = None
        for columns in rows:
            row = Row(*columns)._replace(game=number).sealed(before)
            before = row.seal
            database.execute(INSERT_ROW, row)


@pytest.mark.parametrize("number", FAR)
def test_a_start_leaves_out_a_game_beyond_all_numbers(path: Path, number: int) -> None:
    add_game(path, number)
    opened = open_or_recover(path)
    with closing(opened.journal) as journal:
        assert opened.loss and 0 < journal.last_game < MOST_GAMES
        assert opened.loss.games == len(list(journal.games()))


@pytest.mark.parametrize("number", FAR)
def test_a_backup_with_such_a_game_is_refused(path: Path, tmp_path: Path, number: int) -> None:
    crafted = tmp_path / "crafted.sqlite3"
    with closing(Journal.open(crafted)) as journal:
        for turn in turns():
            journal.append(turn)
    add_game(crafted, number)
    before = path.read_bytes()
    with pytest.raises(JournalError, match=f"expected the number of a game, {MOST_GAMES} at most, got {number}"):
        restore(path, crafted)
    assert path.read_bytes() == before


def test_games_with_a_gap_are_listed_copied_checked_and_restored(path: Path, tmp_path: Path) -> None:
    with closing(Journal.open_readonly(path)) as journal:
        number = journal.last_game
    add_game(path, GAP)
    with closing(open_or_recover(path).journal) as journal:
        for turn in turns():
            journal.append(turn)
        expected = [*range(journal.last_game, GAP - 1, -1), *range(number, 0, -1)]
        listed = [game.game for game in journal.games()]
        assert [game for game in expected if game in listed] == listed and GAP in listed
        write_backup(journal, tmp_path / "backup.sqlite3")
        scrub = Scrub()
        assert {scrub.step(journal) for _ in range(2 * len(expected))} == {Finding.INTACT}
    archive = Archive(lambda: closing(Journal.open_readonly(path)))
    assert [past.summary.game for past in archive.games()] == listed
    restore(path, tmp_path / "backup.sqlite3")
    with closing(Journal.open_readonly(path)) as journal:
        assert [game.game for game in journal.games()] == listed
