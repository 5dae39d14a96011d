"""What is believed was played again: crafted and damaged games never stop a start, and are never restored."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import PRESETS
from firmware_host.game import events as e
from firmware_host.game.commands import CorrectScore
from firmware_host.storage import scrub as scrub_module
from firmware_host.storage.active_game import ActiveGame
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.replica import KEPT_ASIDE, begin_replica_again, copies_aside, replica_path
from firmware_host.storage.restore import restore
from firmware_host.storage.scrub import Finding, Scrub
from tests.golden.make_journal import turns
from tests.reliability.test_corruption import rows_in, turns_in

STARTED = e.GameStarted(PRESETS["family"].rules(), ("Ann", "Ben"), "classic-61", 2, False, (0, 0), is_demo=False)
BEGUN = (STARTED, e.DealBegan(Seat(0)))
CARD = parse_card("5H")

IMPOSSIBLE: dict[str, Sequence[tuple[e.Event, ...]]] = {
    "a card before any deal": [(STARTED,), (e.CardPlayed(Seat(0), CARD),)],
    "a deal before any game": [(STARTED,), (e.TurnUndone(),), (e.DealBegan(Seat(0)),)],
    "a turn redone that was not undone": [BEGUN, (e.TurnRedone(),)],
    "a seat that is not there": [BEGUN, (e.HandDealt(Seat(7), ()),)],
    "a negative side": [BEGUN, (e.PegLeapt(-1, TrackPegs(0, 3), stands=True),)],
    "a peg far off the board": [BEGUN, (e.PegLeapt(0, TrackPegs(0, 10**9), stands=True),)],
    "more players than the rules have": [(replace(STARTED, names=("Ann", "Ben", "Cat")),)],
    "hands counted after the last": [
        BEGUN,
        (e.StarterCut(CARD), e.PlayEnded(is_followed=False)),
        *[(e.CountSkipped(Seat(0), is_crib=False),)] * 4,
    ],
}


def write(path: Path, *games: Sequence[tuple[e.Event, ...]]) -> None:
    with closing(Journal.open(path)) as journal:
        for game in games:
            for turn in game:
                journal.append(turn)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


def files_of(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


@pytest.mark.parametrize("name", IMPOSSIBLE)
@pytest.mark.parametrize("is_last", [True, False])
def test_crafted_backup_is_refused_and_changes_nothing(path: Path, tmp_path: Path, name: str, is_last: bool) -> None:
    write(path, turns())
    open_or_recover(path).journal.close()
    before = files_of(path)
    games = [turns(), IMPOSSIBLE[name]] if is_last else [IMPOSSIBLE[name], turns()]
    write(tmp_path / "crafted.sqlite3", *games)
    with pytest.raises(JournalError) as refused:
        restore(path, tmp_path / "crafted.sqlite3")
    assert "game" in refused.value.where and "follow one another" in refused.value.expected
    assert files_of(path) == before


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_start_with_an_unsound_game_opens_the_others(path: Path, name: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    write(path, turns(), IMPOSSIBLE[name])
    written = rows_in(path)
    opened = open_or_recover(path)
    opened.journal.close()
    assert opened.loss and opened.loss.left_out == (3,) and opened.loss.games == 2
    assert turns_in(path) == list(turns())
    assert rows_in(opened.loss.aside) == written
    again = open_or_recover(path)
    again.journal.close()
    assert again.loss is None


@pytest.mark.parametrize(
    "statement",
    ["ANALYZE", "CREATE INDEX by_kind ON journal (kind)", "VACUUM", "CREATE TABLE notes (text)", "REINDEX"],
)
@pytest.mark.parametrize("has_replica", [True, False])
def test_harmless_changes_of_the_database_lose_nothing(path: Path, statement: str, has_replica: bool) -> None:
    write(path, turns())
    with closing(open_or_recover(path).journal):
        pass
    for file in (path, replica_path(path)):
        with closing(sqlite3.connect(file)) as database:
            database.execute(statement)
    if not has_replica:
        replica_path(path).unlink()
    opened = open_or_recover(path)
    opened.journal.append(turns()[0])
    opened.journal.close()
    assert opened.loss is None
    assert turns_in(path) == [*turns(), turns()[0]]


def test_backup_with_an_added_index_is_restored(path: Path, tmp_path: Path) -> None:
    write(path, turns())
    write(tmp_path / "backup.sqlite3", turns())
    with closing(sqlite3.connect(tmp_path / "backup.sqlite3")) as database:
        database.executescript("CREATE INDEX by_kind ON journal (kind); ANALYZE;")
    restore(path, tmp_path / "backup.sqlite3")
    assert turns_in(path) == list(turns())


# Past games, checked at rest


@pytest.fixture
def played(path: Path) -> Path:
    """Four past games and one that is on."""
    write(path, turns(), turns(), turns()[:12])
    open_or_recover(path).journal.close()
    return path


def damage(path: Path, game: int) -> None:
    """Change a letter in the body of a row of this game. SQLite itself finds the file in order."""
    with closing(Journal.open_readonly(path)) as journal:
        row = journal.rows_of(game)[3]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TRIGGER journal_is_never_changed")
        database.execute("UPDATE journal SET body = body || ' ' WHERE game = ? AND seq = ?", (game, row.seq))
        database.execute(
            "CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal\n"
            "    BEGIN SELECT RAISE(ABORT, 'rows of a journal are never changed'); END"
        )


def scrub_all(game: ActiveGame) -> list[object]:
    return [report for report in (game.scrub() for _ in range(5)) if report]


def test_scrub_of_intact_files_changes_nothing(played: Path) -> None:
    with closing(open_or_recover(played).journal) as journal:
        before, scrub = files_of(played), Scrub()
        assert {scrub.step(journal) for _ in range(9)} == {Finding.INTACT}
        assert {name: content for name, content in files_of(played).items() if not name.endswith("-shm")} == {
            name: content for name, content in before.items() if not name.endswith("-shm")
        }


WRITER = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    print(database.execute("SELECT max(game) FROM journal").fetchone()[0])
database.close()
"""


def last_game_in_another_program(path: Path) -> int:
    """Opens the journal for writing in another program, as the command sqlite3 does, and closes it there."""
    return int(subprocess.run([sys.executable, "-c", WRITER, str(path)], capture_output=True, check=True).stdout)


def test_another_program_that_closes_the_journal_takes_nothing_from_a_board_that_scrubs_it(played: Path) -> None:
    """The last program to close a file deletes its log. Which is the last one is known by locks."""
    with closing(open_or_recover(played).journal) as journal:
        scrub, last = Scrub(), journal.last_game
        journal.append((STARTED,))
        assert scrub.step(journal) is Finding.INTACT
        assert last_game_in_another_program(played) == last + 1
        journal.append((STARTED,))
        assert last_game_in_another_program(played) == last + 2


def test_damaged_replica_is_written_again_from_the_journal(played: Path) -> None:
    damage(replica_path(played), 2)
    with closing(ActiveGame(open_or_recover(played).journal, {""})) as game:
        assert scrub_all(game) == []
    with closing(Journal.open_readonly(replica_path(played))) as replica:
        assert replica.row_reader.of(2) == rows_of_game(played, 2)


def test_a_game_that_was_given_up_is_no_damage_of_the_replica(played: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    with closing(open_or_recover(played).journal) as journal:
        given_up = journal.last_game
        for turn in (*turns()[:6], *turns()[:12]):
            journal.append(turn)
        scrub = Scrub()
        findings = [scrub.step(journal) for _ in range(2 * (journal.last_game - 1))]
    assert findings.count(Finding.REPLICA_BEHIND) == 1 and {*findings} == {Finding.INTACT, Finding.REPLICA_BEHIND}
    with closing(Journal.open_readonly(replica_path(played))) as replica:
        assert replica.row_reader.of(given_up) == rows_of_game(played, given_up)
    assert not copies_aside(replica_path(played)) and not caplog.messages


def test_on_a_full_disk_the_replica_stays_as_it_is(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrub_module, "update_replica", lambda replica, journal: None)
    with closing(open_or_recover(played).journal) as journal:
        for turn in (*turns()[:6], *turns()[:12]):
            journal.append(turn)
        before, scrub = replica_path(played).read_bytes(), Scrub()
        assert Finding.REPLICA_BEHIND in {scrub.step(journal) for _ in range(journal.last_game - 1)}
    assert replica_path(played).read_bytes() == before and not copies_aside(replica_path(played))


def test_copies_set_aside_are_few_and_deleted_after_a_pass_that_found_nothing(played: Path) -> None:
    with closing(open_or_recover(played).journal) as journal:
        for _ in range(2 * KEPT_ASIDE):
            begin_replica_again(replica_path(played), journal.row_reader)
        assert len(copies_aside(replica_path(played))) == KEPT_ASIDE
        copies_aside(replica_path(played))[0].write_bytes(b"damaged")
        scrub = Scrub()
        for _ in range(journal.last_game - 2):
            assert scrub.step(journal) is Finding.INTACT
        assert len(copies_aside(replica_path(played))) == KEPT_ASIDE, "before the last game was compared"
        assert scrub.step(journal) is Finding.INTACT
    assert not list(played.parent.glob("*aside*"))


def test_the_replica_of_another_journal_is_kept(played: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "journal.sqlite3"
    write(other, turns())
    open_or_recover(other).journal.close()
    replica_path(other).replace(replica_path(played))
    with closing(open_or_recover(played).journal) as journal:
        scrub = Scrub()
        assert {scrub.step(journal) for _ in range(2 * (journal.last_game - 1))} == {Finding.INTACT}
    (copy,) = copies_aside(replica_path(played))
    with closing(Journal.open_readonly(copy)) as kept:
        assert kept.row_reader.of(1) == rows_in(other)[: len(kept.row_reader.of(1))]


def test_what_a_recovery_set_aside_is_kept(played: Path) -> None:
    damage(played, 2)
    with closing(ActiveGame(open_or_recover(played).journal, {""})) as game:
        assert len(scrub_all(game)) == 1
        for _ in range(9):
            game.scrub()
    aside = sorted(file.name.split(".aside-")[0] for file in played.parent.glob("*.aside-*.sqlite3"))
    assert aside == ["journal", "journal.spare"]


def rows_of_game(path: Path, game: int) -> list[object]:
    return [row for row in rows_in(path) if row.game == game]


def test_damaged_past_game_is_healed_from_the_replica(played: Path) -> None:
    written = rows_in(played)
    damage(played, 2)
    with closing(ActiveGame(open_or_recover(played).journal, {""})) as game:
        assert len(scrub_all(game)) == 1
        assert scrub_all(game) == []
    with closing(Journal.open_readonly(played)) as journal:
        assert [row for number in range(1, 6) for row in journal.row_reader.of(number)] == written


def test_past_game_damaged_in_both_files_is_reported_once(played: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    written = rows_in(played)
    damage(played, 2)
    damage(replica_path(played), 2)
    with closing(ActiveGame(open_or_recover(played).journal, {""})) as game:
        assert len(scrub_all(game)) == 1
        assert scrub_all(game) == []
    found = rows_in(played)
    assert [row for row in found if row.game != 2] == [row for row in written if row.game != 2]


def test_different_games_damaged_in_both_files_are_both_healed(played: Path) -> None:
    written = rows_in(played)
    damage(played, 3)
    damage(replica_path(played), 1)
    with closing(ActiveGame(open_or_recover(played).journal, {""})) as game:
        scrub_all(game)
        scrub_all(game)
    for file in (played, replica_path(played)):
        with closing(Journal.open_readonly(file)) as journal:
            assert [row for number in range(1, 5) for row in journal.row_reader.of(number)] == [
                row for row in written if row.game < 5
            ]


# The state folder, deleted or replaced


def test_deleted_folder_is_noticed_and_all_games_are_written_again(played: Path) -> None:
    with closing(ActiveGame(open_or_recover(played).journal, {""})) as game:
        written = rows_in(played)
        played.parent.rename(played.parent.with_name("moved"))
        game.take(CorrectScore(0, 7, "knocked"))
        assert game.times_deleted == 1 and game.is_stored
        game.take(CorrectScore(0, 8, "knocked"))
        assert game.times_deleted == 1
        assert rows_in(played)[: len(written)] == written
    assert [turn[-1] for turn in turns_in(played)[-2:]] == [
        e.ScoreCorrected(0, 7, "knocked"),
        e.ScoreCorrected(0, 8, "knocked"),
    ]


def test_deleted_files_are_noticed(played: Path) -> None:
    with closing(ActiveGame(open_or_recover(played).journal, {""})) as game:
        for file in played.parent.iterdir():
            file.unlink()
        game.take(CorrectScore(0, 7, "knocked"))
        assert game.times_deleted == 1 and game.is_stored
    assert len(rows_in(played)) > 100


def test_deleted_log_is_noticed(played: Path) -> None:
    with closing(ActiveGame(open_or_recover(played).journal, {""})) as game:
        game.take(CorrectScore(0, 6, "knocked"))
        played.with_name(f"{played.name}-wal").unlink()
        game.take(CorrectScore(0, 7, "knocked"))
        assert game.times_deleted == 1 and game.is_stored
    assert [turn[-1] for turn in turns_in(played)[-2:]] == [
        e.ScoreCorrected(0, 6, "knocked"),
        e.ScoreCorrected(0, 7, "knocked"),
    ]


def test_replaced_folder_is_noticed_and_its_games_stay(played: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "journal.sqlite3"
    write(other, turns()[:30])
    with closing(ActiveGame(open_or_recover(played).journal, {""})) as game:
        playing = [row for row in rows_in(played) if row.game == 5]
        played.parent.rename(played.parent.with_name("moved"))
        other.parent.rename(played.parent)
        game.take(CorrectScore(0, 7, "knocked"))
        assert game.times_deleted == 1 and game.is_stored
    found = rows_in(played)
    assert [row.body for row in found if row.game == 2][: len(playing)] == [row.body for row in playing]
    assert turns_in(played)[:30] == list(turns()[:30])
