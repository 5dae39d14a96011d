"""The journal keeps what it was given, whatever happens next."""

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
from firmware_host.journal import Journal, JournalFault
from firmware_host.ledger import FORMAT
from firmware_host.summary import GameSummary
from firmware_host.table.events import (
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
    """The turns of the latest game, as the next start of the program finds them."""
    with closing(Journal.open(path)) as journal:
        return journal.current_game()


def fault_of(action: Callable[[], object]) -> JournalFault:
    with pytest.raises(JournalFault) as caught:
        action()
    assert "\n" not in str(caught.value)
    assert caught.value.expected and caught.value.got and caught.value.where and caught.value.mend
    return caught.value


def test_a_new_journal_has_no_game(journal: Journal) -> None:
    assert journal.current_game() == ()
    assert list(journal.games()) == []


def test_turns_come_back_as_they_were_written(journal: Journal) -> None:
    turns = (FIRST_TURN, (CUT,), (TurnUndone(),), (TurnRedone(),), (leap(0, 0, 2), leap(1, 0, 3)))
    for turn in turns:
        journal.append(turn)
    assert journal.current_game() == turns


def test_the_next_start_goes_on_where_the_last_one_ended(path: Path) -> None:
    for turn in (FIRST_TURN, (CUT,), (leap(1, 0, 2),)):
        with closing(Journal.open(path)) as journal:
            journal.append(turn)
    assert written(path) == (FIRST_TURN, (CUT,), (leap(1, 0, 2),))


def test_a_game_started_opens_the_next_game(journal: Journal) -> None:
    for turn in (FIRST_TURN, (CUT,), (SHORT,), (leap(0, 3, 5),)):
        journal.append(turn)
    assert journal.current_game() == ((SHORT,), (leap(0, 3, 5),))
    assert journal.turns_of(1) == (FIRST_TURN, (CUT,))
    assert journal.turns_of(3) == ()


def test_a_turn_without_events_is_no_turn(journal: Journal) -> None:
    journal.append(FIRST_TURN)
    journal.append(())
    assert journal.current_game() == (FIRST_TURN,)


def test_a_journal_begins_with_a_game(journal: Journal) -> None:
    assert "a game to be started first" in str(fault_of(lambda: journal.append((CUT,))))


def test_a_journal_in_memory_is_a_journal() -> None:
    with closing(Journal.in_memory()) as journal:
        journal.append(FIRST_TURN)
        assert journal.current_game() == (FIRST_TURN,)


def test_games_are_told_latest_first_with_what_became_of_them(journal: Journal) -> None:
    for turn in (FIRST_TURN, (leap(0, 0, 121), GameWon(0)), (SHORT,), (ScoreCorrected(1, 9, "knocked"),)):
        journal.append(turn)
    assert list(journal.games()) == [
        GameSummary(2, NOON, NAMES, "classic-61", rules_for("five_card"), (3, 9)),
        GameSummary(1, NOON, NAMES, "classic-61", rules_for("six_card"), (121, 0), Side(0), Seat(0)),
    ]


def test_a_summary_leaves_out_what_was_taken_back(journal: Journal) -> None:
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


def test_each_row_says_when_it_was_written(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT DISTINCT written_at FROM journal").fetchall() == [
            (NOON.isoformat("T", "milliseconds"),)
        ]


def test_a_game_is_read_without_a_look_at_the_others(journal: Journal) -> None:
    for _ in range(3):
        journal.append(FIRST_TURN)
        journal.append((CUT,))
    asked = list[str]()
    journal._database.set_trace_callback(asked.append)
    assert journal.current_game() == (FIRST_TURN, (CUT,))
    for query in asked:
        plan = journal._database.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
        assert "SEARCH journal USING PRIMARY KEY (" in plan[0][3]


# What the database refuses


@pytest.mark.parametrize(
    "attack", ["UPDATE journal SET body = '{}'", "DELETE FROM journal", "UPDATE journal SET seq = 9"]
)
def test_rows_are_neither_changed_nor_taken_out(journal: Journal, path: Path, attack: str) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database, pytest.raises(sqlite3.IntegrityError, match="never"):
        database.execute(attack)
    assert journal.current_game() == (FIRST_TURN,)


def test_the_same_place_is_never_written_twice(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO journal VALUES (1, 2, 1, 'starter_cut', 1, '{\"card\":\"AS\"}', '', NULL)")
    fault = fault_of(lambda: journal.append((CUT, leap(0, 0, 2))))
    assert "only writer" in str(fault)
    assert journal.current_game() == (FIRST_TURN, (StarterCut(parse_card("AS")),))


def test_two_cribboards_do_not_share_a_journal(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    script = f"from pathlib import Path; from firmware_host.journal import Journal; Journal.open(Path({str(path)!r}))"
    second = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert f"JournalFault: {path}: expected to be the only writer" in second.stderr
    assert "stop the other cribboard" in second.stderr
    journal.append((CUT,))


def test_others_may_read_while_a_game_is_on(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(Journal.open_to_read(path)) as reader:
        assert reader.current_game() == (FIRST_TURN,)
        journal.append((CUT,))
        assert reader.current_game() == (FIRST_TURN, (CUT,))
        assert "readonly" in str(fault_of(lambda: reader.append((CUT,))))


# Power cuts and kills

WRITER = """
import os, signal, sys
from pathlib import Path
from firmware_host.journal import Journal
from tests_of_the_journal import FIRST_TURN, leap
journal = Journal.open(Path(sys.argv[1]))
"""


def start_writer(path: Path, script: str) -> subprocess.Popen[str]:
    """A process of its own that opens the journal at `path` and goes on with the script."""
    preamble = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('tests_of_the_journal', {__file__!r})\n"
        "module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
    )
    command = [sys.executable, "-c", preamble + WRITER + script, str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_whatever_was_acknowledged_survives_a_kill(path: Path) -> None:
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


def test_a_turn_killed_before_its_end_is_absent_as_a_whole(path: Path) -> None:
    script = """
journal.append(FIRST_TURN)
journal._database.set_trace_callback(lambda sql: sql == "COMMIT" and os.kill(os.getpid(), signal.SIGKILL))
journal.append((leap(0, 0, 2), leap(1, 0, 3)))
"""
    with start_writer(path, script) as writer:
        assert writer.wait() == -signal.SIGKILL
    assert written(path) == (FIRST_TURN,)


def test_a_power_cut_at_any_byte_leaves_whole_turns(tmp_path: Path) -> None:
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


# What a maker may find


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    assert "expected a file, got a folder" in str(fault_of(lambda: Journal.open(tmp_path)))
    assert "expected a file, got a folder" in str(fault_of(lambda: Journal.open_to_read(tmp_path)))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "in_the_way").write_text("")
    fault = fault_of(lambda: Journal.open(tmp_path / "in_the_way" / "journal.sqlite3"))
    assert "in_the_way" in fault.where and "a folder that can be made" in fault.expected


def test_reading_needs_a_journal(path: Path) -> None:
    fault = fault_of(lambda: Journal.open_to_read(path))
    assert (fault.got, fault.mend) == ("no such file", "play a game first, or name another folder")
    assert not path.parent.exists()


@pytest.mark.parametrize("text", [b"not a database at all, but long enough to look at. " * 40, os.urandom(8192)])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(text)
    assert "a sound journal" in str(fault_of(lambda: Journal.open(path)))
    assert path.read_bytes() == text


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "music.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE journal (song TEXT)")
    before = path.read_bytes()
    assert "another program" in str(fault_of(lambda: Journal.open(path)))
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_format_is_left_alone(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    journal.close()
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {FORMAT + 1}")
    before = path.read_bytes()
    fault = fault_of(lambda: Journal.open(path))
    assert (fault.got, fault.mend) == (f"format {FORMAT + 1}", "update cribboard, a newer one wrote it")
    assert path.read_bytes() == before


@pytest.mark.parametrize("part", [pytest.param(0.3, id="cut short"), pytest.param(0.99, id="last page torn off")])
def test_a_file_cut_short_is_found_before_a_game_goes_on(journal: Journal, path: Path, part: float) -> None:
    journal.append((STARTED, *(leap(0, n, n + 1) for n in range(2_000))))
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * part)])
    assert "start the board" in fault_of(lambda: written(path)).mend


def test_a_spoilt_event_is_named_by_its_place(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO journal VALUES (1, 2, 1, 'starter_cut', 1, '{\"card\":', '', NULL)")
    fault = fault_of(lambda: journal.current_game())
    assert fault.where == f"{path}, game 1, event 2, event 'starter_cut'"


def test_a_lost_event_is_missed(journal: Journal, path: Path) -> None:
    journal.append(FIRST_TURN)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO journal VALUES (1, 3, 1, 'starter_cut', 1, '{\"card\":\"AS\"}', '', NULL)")
    fault = fault_of(lambda: journal.current_game())
    assert (fault.expected, fault.got) == ("event 2", "event 3")


def test_a_full_disk_loses_the_turn_and_nothing_else(journal: Journal) -> None:
    journal.append(FIRST_TURN)
    (pages,) = journal._database.execute("PRAGMA page_count").fetchone()
    journal._database.execute(f"PRAGMA max_page_count = {pages}")
    fault = fault_of(lambda: journal.append(tuple(leap(0, n, n + 1) for n in range(500))))
    assert (fault.expected, fault.got) == ("room on the disk", "database or disk is full")
    assert journal.current_game() == (FIRST_TURN,)
    journal._database.execute("PRAGMA max_page_count = 1000000")
    journal.append((CUT,))
    assert journal.current_game() == (FIRST_TURN, (CUT,))


def test_a_closed_journal_is_a_mistake_of_ours(journal: Journal) -> None:
    journal.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        journal.append(FIRST_TURN)
