"""How long a turn takes until it is durable, and how long a start takes after thousands of games."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache, partial
from itertools import islice
from pathlib import Path
from statistics import median

import pytest

from firmware_host.cribbage.variants import rules_for
from firmware_host.game.events import Event
from firmware_host.storage.journal import Journal
from firmware_host.storage.journal_replacement import write_journal_file
from firmware_host.storage.journal_table import Row
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.sqlite_file import connect_readonly
from tests.bench.recording import Recorder
from tests.bench.timing import percentile_99, seconds
from tests.game.random_player import play_game as play_random_game

pytestmark = pytest.mark.bench

LISTED = 20
"""Games on the first page of past games."""
SYNCED_BYTES = 4096


@cache
def game() -> tuple[tuple[Event, ...], ...]:
    """The turns of a game to 121 in which every card is entered."""
    return tuple(history.last.events for history in play_random_game(rules_for("six_card"), seed=1) if history.last)


def play_game(journal: Journal) -> list[float]:
    """Append one game: how many seconds each turn took until it was durable."""
    start, *turns = game()
    journal.append(start)
    return [seconds(partial(journal.append, turn)) for turn in turns]


def sync_seconds(path: Path, times: int) -> list[float]:
    """How long the disk takes to append and sync a block, without a database."""
    with path.open("ab", buffering=0) as file:

        def append_block() -> None:
            file.write(bytes(SYNCED_BYTES))
            os.fsync(file.fileno())

        return [seconds(append_block) for _ in range(times)]


def copies(game: Sequence[Row], number: int) -> Iterator[Row]:
    """The same game over and over, each copy with its own number and with the seals that belong to it."""
    for copy in range(1, number + 1):
        seal = None
        for row in game:
            sealed = row._replace(game=copy).sealed(seal)
            seal = sealed.seal
            yield sealed


def resume(path: Path) -> None:
    """What a start does before the host runs: check the journal and its replica, and read the current game."""
    with closing(open_or_recover(path).journal) as journal:
        assert len(journal.current_game()) == len(game())


def test_time_until_a_turn_is_durable(recorder: Recorder, tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "journal.sqlite3")) as journal:
        durable_s = [took_s for _ in range(recorder.pick(full=3, small=1)) for took_s in play_game(journal)]
    synced_s = sync_seconds(tmp_path / "blocks", len(durable_s))
    recorder.record(
        "durable_turn",
        {
            "median_ms": 1e3 * median(durable_s),
            "99_percent_ms": 1e3 * percentile_99(durable_s),
            "sync_median_ms": 1e3 * median(synced_s),
            "sync_99_percent_ms": 1e3 * percentile_99(synced_s),
        },
    )


def test_time_to_resume_after_thousands_of_games(recorder: Recorder, tmp_path: Path) -> None:
    games = recorder.pick(full=5_000, small=10)
    one, many = tmp_path / "one.sqlite3", tmp_path / "many.sqlite3"
    with closing(Journal.open(one)) as journal:
        play_game(journal)
        write_journal_file(copies(journal.rows_of(1), games), many)
    for path in (one, many):
        resume(path)  # the first start writes the replica
    starts = range(recorder.pick(full=51, small=3))
    pairs = [(seconds(lambda: resume(one)), seconds(lambda: resume(many))) for _ in starts]
    with closing(Journal.open_readonly(many)) as journal:
        assert journal.last_game == games
        listed_s = seconds(lambda: list(islice(journal.games(), LISTED)))
    with closing(connect_readonly(many)) as database:
        checked_s = seconds(lambda: database.execute("PRAGMA quick_check").fetchall())
    recorder.record(
        "resume",
        {
            "games": games,
            "one_game_ms": 1e3 * median(one_s for one_s, _ in pairs),
            "many_games_ms": 1e3 * median(many_s for _, many_s in pairs),
            "times_one_game": median(many_s / one_s for one_s, many_s in pairs),
            "list_20_games_ms": 1e3 * listed_s,
            "quick_check_s": checked_s,
            "file_mb": many.stat().st_size / 1e6,
        },
    )
