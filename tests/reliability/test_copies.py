"""Journals of every format open for ever; copies are taken while a game is on, and put back only if they are whole."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.backup import back_up, past_games
from firmware_host.cli import main
from firmware_host.codec import decode
from firmware_host.journal import Journal, JournalFault
from firmware_host.ledger import FORMAT
from firmware_host.rescue import open_journal, restore
from tests.golden.make_journal import turns
from tests.reliability.test_damage import rows_in, turns_in

GOLDEN = Path(__file__).parents[1] / "golden"
FORMATS = range(1, FORMAT + 1)


def written_then(number: int) -> list[object]:
    lines = (GOLDEN / f"journal-{number}.turns").read_text(encoding="utf-8").splitlines()
    return [tuple(decode(*written) for written in json.loads(line)) for line in lines]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


@pytest.fixture
def played(path: Path) -> Path:
    with closing(open_journal(path).journal) as journal:
        for turn in turns():
            journal.append(turn)
    return path


@pytest.mark.parametrize("number", FORMATS)
def test_a_journal_of_any_format_is_read_and_left_alone(number: int, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(before := (GOLDEN / f"journal-{number}.sqlite3").read_bytes())
    assert turns_in(path) == written_then(number)
    assert path.read_bytes() == before


@pytest.mark.parametrize("number", FORMATS)
def test_a_journal_of_any_format_goes_on_in_this_one(number: int, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes((GOLDEN / f"journal-{number}.sqlite3").read_bytes())
    with closing(open_journal(path).journal) as journal:
        journal.append(turns()[0])
    assert turns_in(path) == [*written_then(number), turns()[0]]
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (FORMAT,)


def test_a_copy_is_taken_while_a_game_is_on(played: Path, tmp_path: Path) -> None:
    with closing(Journal.open(played)), closing(Journal.open_to_read(played)) as reader:
        back_up(reader, tmp_path / "copy.sqlite3")
    assert rows_in(tmp_path / "copy.sqlite3") == rows_in(played)


def test_a_copy_replaces_nothing(played: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann")
    with closing(Journal.open_to_read(played)) as reader, pytest.raises(JournalFault, match="not there yet"):
        back_up(reader, tmp_path / "letter.txt")
    assert (tmp_path / "letter.txt").read_text() == "Dear Ann"


def test_a_copy_for_others_leaves_out_the_game_that_is_on(played: Path, tmp_path: Path) -> None:
    with closing(Journal.open_to_read(played)) as reader:
        (tmp_path / "some").write_bytes(past_games(reader, is_last_over=False))
        (tmp_path / "all").write_bytes(past_games(reader, is_last_over=True))
    assert rows_in(tmp_path / "some") == [row for row in rows_in(played) if row.game == 1]
    assert rows_in(tmp_path / "all") == rows_in(played)


def test_a_copy_takes_the_place_of_a_journal_which_is_kept(played: Path, tmp_path: Path) -> None:
    with closing(Journal.open_to_read(played)) as reader:
        (tmp_path / "copy").write_bytes(past_games(reader, is_last_over=False))
    before = rows_in(played)
    aside = restore(played, tmp_path / "copy")
    opened = open_journal(played)
    opened.journal.close()
    assert opened.loss is None
    assert rows_in(played) == rows_in(tmp_path / "copy")
    assert aside and rows_in(aside) == before


@pytest.mark.parametrize("content", [b"", b"no journal", b"no journal " * 999, None])
def test_what_is_no_sound_journal_changes_nothing(played: Path, tmp_path: Path, content: bytes | None) -> None:
    source = tmp_path / "copy"
    whole = played.read_bytes()
    source.write_bytes(whole[:-4096] if content is None else content)
    before = {file.name: file.read_bytes() for file in played.parent.iterdir()}
    with pytest.raises(JournalFault) as refused:
        restore(played, source)
    assert str(source) in refused.value.where
    assert {file.name: file.read_bytes() for file in played.parent.iterdir()} == before


def test_a_journal_that_is_being_written_is_not_replaced(played: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").write_bytes((GOLDEN / "journal-1.sqlite3").read_bytes())
    with closing(Journal.open(played)) as journal:
        before = rows_in(played)
        with pytest.raises(JournalFault, match="stop the other cribboard"):
            restore(played, tmp_path / "copy")
        journal.append(turns()[0])
    assert len(rows_in(played)) == len(before) + len(turns()[0])


def test_by_command(played: Path, tmp_path: Path) -> None:
    def told(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(main, [*words, "--state-folder", str(played.parent)])
        assert done.exit_code == code, done.output
        return done.output

    copy = tmp_path / "copy.sqlite3"
    assert "2 games" in told("backup", str(copy))
    assert "name another" in told("backup", str(copy), code=1)
    with closing(Journal.open(played)) as journal:
        journal.append(turns()[0])
    assert "the games of before" in told("restore", str(copy))
    assert rows_in(played) == rows_in(copy)
    assert "no such file" in told("restore", str(tmp_path / "nothing"), code=1)
