"""The journal keeps every turn it acknowledged, after kills, power cuts and errors of the disk."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat, Side
from firmware_host.cribbage.variants import PRESETS, rules_for
from firmware_host.game.events import (
    ClubGame,
    ClubGameBegan,
    DealBegan,
    Event,
    GameStarted,
    GameWon,
    PegAdjusted,
    PegLeapt,
    ScoreCorrected,
    StarterCut,
    TurnRedone,
    TurnUndone,
)
from firmware_host.storage.game_summary import GameSummary
from firmware_host.storage.journal import Journal, JournalError, UnreadableEvent
from firmware_host.storage.journal_table import FORMAT

NAMES = ("red", "blue")
STARTED = GameStarted(PRESETS["family"].rules(), NAMES, "classic-61", 2, False, (0, 0), is_demo=False)
SHORT = GameStarted(rules_for("five_card"), NAMES, "classic-61", 2, False, (3, 0), is_demo=False)
CUT = StarterCut(parse_card("5H"))
FIRST_TURN: tuple[Event, ...] = (STARTED, DealBegan(Seat(0)))
NOON = datetime(2024, 2, 29, 12, 0, tzinfo=UTC)


def leap(side: int, back: int, front: int) -> PegLeapt:
    return PegLeapt(side, TrackPegs(back, front), stands=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with closing(Journal.open(path, clock=lambda: NOON)) as journal:
        yield journal


def written(path: Path) -> tuple[tuple[Event, ...], ...]:
    """The turns of the latest game, as the next start finds them."""
    with closing(Journal.open(path)) as journal:
        return journal.current_game()


def fault_of(action: Callable[[], object]) -> JournalError:
    with pytest.raises(JournalError) as caught:
        action()
    assert "\n" not in str(caught.value)
    assert caught.value.expected and caught.value.got and caught.value.where and caught.value.fix
    return caught.value


def test_new_journal_has_no_game(journal: Journal) -> None:
    assert journal.current_game() == ()
    assert list(journal.games()) == []


def test_turns_are_read_as_written(journal: Journal) -> None:
    turns = (FIRST_TURN, (CUT,), (TurnUndone(),), (TurnRedone(),), (leap(0, 0, 2), leap(1, 0, 3)))
    for turn in turns:
        journal.append(turn)
    assert journal.current_game() == turns


def test_journal_continues_after_reopening(path: Path) -> None:
    for turn in (FIRST_TURN, (CUT,), (leap(1, 0, 2),)):
        with closing(Journal.open(path)) as journal:
            journal.append(turn)
    assert written(path) == (FIRST_TURN, (CUT,), (leap(1, 0, 2),))


def test_game_started_begins_the_next_game(journal: Journal) -> None:
    for turn in (FIRST_TURN, (CUT,), (SHORT,), (leap(0, 3, 5),)):
        journal.append(turn)
    assert journal.current_game() == ((SHORT,), (leap(0, 3, 5),))
    assert journal.turns_of(1) == (FIRST_TURN, (CUT,))
    assert journal.turns_of(3) == ()


def test_empty_turn_is_ignored(journal: Journal) -> None:
    journal.append(FIRST_TURN)
    journal.append(())
    assert journal.current_game() == (FIRST_TURN,)


def test_first_event_must_start_a_game(journal: Journal) -> None:
    assert "a game to be started first" in str(fault_of(lambda: journal.append((CUT,))))


def test_journal_in_memory_keeps_turns() -> None:
    with closing(Journal.in_memory()) as journal:
        journal.append(FIRST_TURN)
        assert journal.current_game() == (FIRST_TURN,)


def test_games_are_listed_latest_first_with_results(journal: Journal) -> None:
    for turn in (FIRST_TURN, (leap(0, 0, 121), GameWon(0)), (SHORT,), (ScoreCorrected(1, 9, "knocked"),)):
        journal.append(turn)
    assert list(journal.games()) == [
        GameSummary(2, NOON, NAMES, "classic-61", rules_for("five_card"), (3, 9)),
        GameSummary(1, NOON, NAMES, "classic-61", rules_for("six_card"), (121, 0), Side(0), Seat(0)),
    ]


def test_summary_ignores_undone_turns(journal: Journal) -> None:
    slid = PegAdjusted(0, TrackPegs(0, 8), stands=True)
    for turn in (
        FIRST_TURN,
        (leap(0, 0, 7),),
        (slid,),
        (leap(1, 0, 121), GameWon(1)),
        (TurnUndone(),),
        (TurnUndone(),),
    ):
        journal.append(turn)
    assert next(journal.games()).scores == (7, 0)
    assert next(journal.games()).winner is None
    journal.append((TurnRedone(),))
    assert next(journal.games()).scores == (8, 0)


def test_each_row_has_its_time(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT DISTINCT written_at FROM journal").fetchall() == [
            (NOON.isoformat("T", "milliseconds"),)
        ]


def test_reading_a_game_uses_the_primary_key(journal: Journal) -> None:
    for _ in range(3):
        journal.append(FIRST_TURN)
        journal.append((CUT,))
    queries = list[str]()
    journal._database.set_trace_callback(queries.append)
    assert journal.current_game() == (FIRST_TURN, (CUT,))
    for query in queries:
        plan = journal._database.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
        assert "SEARCH journal USING PRIMARY KEY (" in plan[0][3]


# What the database refuses


@pytest.mark.parametrize(
    "statement", ["UPDATE journal SET body = '{}'", "DELETE FROM journal", "UPDATE journal SET seq = 9"]
)
def test_rows_cannot_be_changed_or_deleted(journal: Journal, path: Path, statement: str) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database, pytest.raises(sqlite3.IntegrityError, match="never"):
        database.execute(statement)
    assert journal.current_game() == (FIRST_TURN,)


def test_a_row_is_never_overwritten(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO journal VALUES (1, 2, 1, 'starter_cut', 1, '{\"card\":\"AS\"}', '', NULL)")
    fault = fault_of(lambda: journal.append((CUT, leap(0, 0, 2))))
    assert "only writer" in str(fault)
    assert journal.current_game() == (FIRST_TURN, (StarterCut(parse_card("AS")),))


def test_second_process_cannot_write_the_journal(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    script = f"import pathlib, firmware_host.storage.journal as j; j.Journal.open(pathlib.Path({str(path)!r}))"
    second = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert f"JournalError: {path}: expected to be the only writer" in second.stderr
    assert "stop the other cribboard" in second.stderr
    journal.append((CUT,))


def test_others_can_read_during_a_game(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(Journal.open_readonly(path)) as reader:
        assert reader.current_game() == (FIRST_TURN,)
        journal.append((CUT,))
        assert reader.current_game() == (FIRST_TURN, (CUT,))
        assert "readonly" in str(fault_of(lambda: reader.append((CUT,))))


# Power cuts and kills

WRITER = """
import os, signal, sys
from pathlib import Path
from firmware_host.storage.journal import Journal
from tests_of_the_journal import FIRST_TURN, leap
journal = Journal.open(Path(sys.argv[1]))
"""


def start_writer(path: Path, script: str) -> subprocess.Popen[str]:
    """A separate process that opens the journal at `path` and runs the script."""
    preamble = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('tests_of_the_journal', {__file__!r})\n"
        "module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
    )
    command = [sys.executable, "-c", preamble + WRITER + script, str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_acknowledged_turns_survive_a_kill(path: Path) -> None:
    script = """
journal.append(FIRST_TURN)
for score in range(1, 10_000):
    journal.append((leap(0, score - 1, score), leap(1, score - 1, score)))
    print(score, flush=True)
"""
    with start_writer(path, script) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(40)]
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged += map(int, writer.stdout.read().splitlines())
    first, *turns = written(path)
    assert first == FIRST_TURN
    assert len(turns) - acknowledged[-1] in (0, 1)
    assert turns == [(leap(0, n - 1, n), leap(1, n - 1, n)) for n in range(1, len(turns) + 1)]


def test_turn_killed_before_commit_is_absent(path: Path) -> None:
    script = """
journal.append(FIRST_TURN)
journal._database.set_trace_callback(lambda sql: sql == "COMMIT" and os.kill(os.getpid(), signal.SIGKILL))
journal.append((leap(0, 0, 2), leap(1, 0, 3)))
"""
    with start_writer(path, script) as writer:
        assert writer.wait() == -signal.SIGKILL
    assert written(path) == (FIRST_TURN,)


def test_power_cut_at_any_byte_leaves_whole_turns(tmp_path: Path) -> None:
    turns = (FIRST_TURN, (CUT, leap(0, 0, 2)), (leap(1, 0, 12),), (leap(0, 2, 4), leap(1, 12, 13)))
    path, cut = tmp_path / "whole.sqlite3", tmp_path / "cut.sqlite3"
    with closing(Journal.open(path)) as journal:
        for turn in turns:
            journal.append(turn)
        database, log = path.read_bytes(), path.with_name("whole.sqlite3-wal").read_bytes()
    found = set[int]()
    for length in (*range(0, len(log), 251), len(log)):
        cut.write_bytes(database)
        cut.with_name("cut.sqlite3-wal").write_bytes(log[:length])
        kept = written(cut)
        assert kept == turns[: len(kept)]
        found.add(len(kept))
    assert found == {0, 1, 2, 3, 4}


# Files that cannot be opened


def test_folder_is_not_a_journal(tmp_path: Path) -> None:
    assert "expected a file, got a folder" in str(fault_of(lambda: Journal.open(tmp_path)))
    assert "expected a file, got a folder" in str(fault_of(lambda: Journal.open_readonly(tmp_path)))


def test_error_names_the_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "in_the_way").write_text("")
    fault = fault_of(lambda: Journal.open(tmp_path / "in_the_way" / "journal.sqlite3"))
    assert "in_the_way" in fault.where and "a folder that can be made" in fault.expected


def test_reading_a_missing_journal_raises(path: Path) -> None:
    fault = fault_of(lambda: Journal.open_readonly(path))
    assert (fault.got, fault.fix) == ("no such file", "play a game first, or name another folder")
    assert not path.parent.exists()


@pytest.mark.parametrize("text", [b"not a database at all, but long enough to be one. " * 40, os.urandom(8192)])
def test_file_that_is_not_a_database_is_unchanged(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(text)
    assert "an intact journal" in str(fault_of(lambda: Journal.open(path)))
    assert path.read_bytes() == text


def test_database_of_another_program_is_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "music.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE journal (song TEXT)")
    before = path.read_bytes()
    assert "another program" in str(fault_of(lambda: Journal.open(path)))
    assert path.read_bytes() == before


def test_journal_of_a_newer_format_is_unchanged(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    journal.close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("ALTER TABLE journal ADD COLUMN mood TEXT")
        database.execute(f"PRAGMA user_version = {FORMAT + 1}")
    before = path.read_bytes()
    fault = fault_of(lambda: Journal.open(path))
    assert (fault.got, fault.fix) == (f"format {FORMAT + 1}", "update cribboard, a newer one wrote it")
    assert path.read_bytes() == before


@pytest.mark.parametrize("part", [pytest.param(0.3, id="cut short"), pytest.param(0.99, id="last page torn off")])
def test_truncated_file_is_detected_at_start(journal: Journal, path: Path, part: float) -> None:
    journal.append((STARTED, *(leap(0, n, n + 1) for n in range(2_000))))
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * part)])
    assert "start the board" in fault_of(lambda: written(path)).fix


def test_error_names_the_corrupt_event(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO journal VALUES (1, 2, 1, 'starter_cut', 1, '{\"card\":', '', NULL)")
    fault = fault_of(lambda: journal.current_game())
    assert fault.where == f"{path}, game 1, event 2, event 'starter_cut'"


def test_missing_event_is_detected(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO journal VALUES (1, 3, 1, 'starter_cut', 1, '{\"card\":\"AS\"}', '', NULL)")
    fault = fault_of(lambda: journal.current_game())
    assert (fault.expected, fault.got) == ("event 2", "event 3")


def test_full_disk_loses_only_the_turn(journal: Journal) -> None:
    journal.append(FIRST_TURN)
    (pages,) = journal._database.execute("PRAGMA page_count").fetchone()
    journal._database.execute(f"PRAGMA max_page_count = {pages}")
    fault = fault_of(lambda: journal.append(tuple(leap(0, n, n + 1) for n in range(500))))
    assert (fault.expected, fault.got) == ("room on the disk", "database or disk is full")
    assert journal.current_game() == (FIRST_TURN,)
    journal._database.execute("PRAGMA max_page_count = 1000000")
    journal.append((CUT,))
    assert journal.current_game() == (FIRST_TURN, (CUT,))


@pytest.mark.parametrize(
    "event",
    [
        ClubGameBegan(ClubGame(True, 1, 1)),
        ClubGameBegan(ClubGame(1.0, 1, 1)),  # type: ignore[arg-type]
        PegLeapt(0, [0, 3], stands=True),  # type: ignore[arg-type]
        ScoreCorrected(0, TrackPegs(0, 3), None),  # type: ignore[arg-type]
    ],
)
def test_an_event_that_could_not_be_read_again_is_refused(journal: Journal, path: Path, event: Event) -> None:
    journal.append(FIRST_TURN)
    with pytest.raises(UnreadableEvent, match=f"can be read again, got {type(event).__name__}, which"):
        journal.append((CUT, event))
    journal.append((CUT,))
    assert journal.current_game() == (FIRST_TURN, (CUT,))
    journal.close()
    assert written(path) == (FIRST_TURN, (CUT,))


def test_writing_a_closed_journal_is_a_programming_error(journal: Journal) -> None:
    journal.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        journal.append(FIRST_TURN)
