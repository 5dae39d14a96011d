"""Journals of every format can be opened; backups are written during a game and restored only if they are complete."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.game.events import DealBegan
from firmware_host.game.hidden_hands import without_hidden_cards
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people import People
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.backup import past_games, write_backup
from firmware_host.storage.event_codec import decode
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.journal_table import FORMAT
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.restore import restore
from tests.golden.make_journal import turns
from tests.reliability.test_corruption import rows_in, turns_in

GOLDEN = Path(__file__).parents[1] / "golden"
FORMATS = range(1, FORMAT + 1)


def golden_turns(number: int) -> list[object]:
    lines = (GOLDEN / f"journal-{number}.turns").read_text(encoding="utf-8").splitlines()
    return [tuple(decode(*written) for written in json.loads(line)) for line in lines]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


@pytest.fixture
def played(path: Path) -> Path:
    with closing(open_or_recover(path).journal) as journal:
        for turn in turns():
            journal.append(turn)
    return path


@pytest.mark.parametrize("number", FORMATS)
def test_journal_of_any_format_is_read_unchanged(number: int, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(before := (GOLDEN / f"journal-{number}.sqlite3").read_bytes())
    assert turns_in(path) == golden_turns(number)
    assert path.read_bytes() == before


@pytest.mark.parametrize("number", FORMATS)
def test_journal_of_any_format_is_migrated(number: int, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes((GOLDEN / f"journal-{number}.sqlite3").read_bytes())
    with closing(open_or_recover(path).journal) as journal:
        journal.append(turns()[0])
    assert turns_in(path) == [*golden_turns(number), turns()[0]]
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (FORMAT,)


def test_backup_during_a_game(played: Path, tmp_path: Path) -> None:
    with closing(Journal.open(played)), closing(Journal.open_readonly(played)) as reader:
        write_backup(reader, tmp_path / "backup.sqlite3")
    assert rows_in(tmp_path / "backup.sqlite3") == rows_in(played)


def test_backup_does_not_overwrite_a_file(played: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann")
    with closing(Journal.open_readonly(played)) as reader, pytest.raises(JournalError, match="a new file"):
        write_backup(reader, tmp_path / "letter.txt")
    assert (tmp_path / "letter.txt").read_text() == "Dear Ann"


def test_downloaded_backup_leaves_out_the_current_game_and_an_open_deal(played: Path, tmp_path: Path) -> None:
    with closing(Journal.open_readonly(played)) as reader:
        (tmp_path / "some").write_bytes(past_games(reader, is_last_over=False))
        (tmp_path / "all").write_bytes(past_games(reader, is_last_over=True))
        first, second = (list(reader.turns_of(game)) for game in (1, 2))
    hidden = without_hidden_cards(first)
    assert turns_in(tmp_path / "some") == hidden != first
    open_deal = max(number for number, turn in enumerate(second) if isinstance(turn[-1], DealBegan))
    assert turns_in(tmp_path / "all") == hidden + second[:open_deal]


def test_restore_keeps_the_old_journal(played: Path, tmp_path: Path) -> None:
    with closing(Journal.open_readonly(played)) as reader:
        (tmp_path / "backup").write_bytes(past_games(reader, is_last_over=False))
    before = rows_in(played)
    aside = restore(played, tmp_path / "backup")
    opened = open_or_recover(played)
    opened.journal.close()
    assert opened.loss is None
    assert rows_in(played) == rows_in(tmp_path / "backup")
    assert aside and rows_in(aside) == before


@pytest.mark.parametrize("content", [b"", b"no journal", b"no journal " * 999, None])
def test_restoring_a_corrupt_backup_changes_nothing(played: Path, tmp_path: Path, content: bytes | None) -> None:
    source = tmp_path / "backup"
    whole = played.read_bytes()
    source.write_bytes(whole[:-4096] if content is None else content)
    before = {file.name: file.read_bytes() for file in played.parent.iterdir()}
    with pytest.raises(JournalError) as refused:
        restore(played, source)
    assert str(source) in refused.value.where
    assert {file.name: file.read_bytes() for file in played.parent.iterdir()} == before


def test_journal_in_use_is_not_replaced(played: Path, tmp_path: Path) -> None:
    (tmp_path / "backup").write_bytes((GOLDEN / "journal-1.sqlite3").read_bytes())
    with closing(Journal.open(played)) as journal:
        before = rows_in(played)
        with pytest.raises(JournalError, match="stop the other cribboard"):
            restore(played, tmp_path / "backup")
        journal.append(turns()[0])
    assert len(rows_in(played)) == len(before) + len(turns()[0])


def test_backup_and_restore_commands(played: Path, tmp_path: Path) -> None:
    def output_of(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(main, [*words, "--state-folder", str(played.parent)])
        assert done.exit_code == code, done.output
        return done.output

    backup = tmp_path / "backup.sqlite3"
    assert "2 games" in output_of("backup", str(backup))
    assert "name another" in output_of("backup", str(backup), code=1)
    with closing(Journal.open(played)) as journal:
        journal.append(turns()[0])
    assert "the previous games" in output_of("restore", str(backup))
    assert rows_in(played) == rows_in(backup)
    assert "no such file" in output_of("restore", str(tmp_path / "nothing"), code=1)


def test_backup_and_restore_commands_take_the_merged_names_along(played: Path, tmp_path: Path) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(main, [*words, "--state-folder", str(played.parent)])
        assert done.exit_code == 0, done.output
        return done.output

    people, backup = PeopleFile(played.parent / "people.json"), str(tmp_path / "backup.sqlite3")
    people.replace(lambda now: now.merge("Ann", "Annie"))
    run("backup", backup)
    merged = people.replace(lambda now: now.merge("Ann", "Nan"))
    assert "the names merged before" in run("restore", backup)
    assert people.read() == People((("Ann", "Annie"),))
    (aside,) = played.parent.glob("people.aside-*.json")
    assert PeopleFile.read_file(aside) == merged
    assert run("restore", str(GOLDEN / "journal-2.sqlite3")).count("merged before") == 0
    assert people.read() == People((("Ann", "Annie"),))


def test_backup_and_restore_commands_take_the_learners_along(played: Path, tmp_path: Path) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(main, [*words, "--state-folder", str(played.parent)])
        assert done.exit_code == 0, done.output
        return done.output

    learners, backup = LearnersFile(played.parent / "learners.json"), str(tmp_path / "backup.sqlite3")
    learners.change("Ann", lambda progress: progress.at_level(3))
    run("backup", backup)
    learners.change("Ann", lambda progress: progress.at_level(5))
    assert "the progress of learners before" in run("restore", backup)
    assert learners.progress("Ann").level == 3
    (aside,) = played.parent.glob("learners.aside-*.json")
    assert LearnersFile.read_file(aside)["Ann"].level == 5 and aside.stat().st_mode & 0o777 == 0o600
    assert "learners" not in run("restore", str(GOLDEN / "journal-2.sqlite3"))
    assert learners.progress("Ann").level == 3
