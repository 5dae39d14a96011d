"""The peg trace that the host records of the latest game, read back by `cribboard replay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import field

from firmware_host.cli import main
from firmware_host.host.loop import Host
from firmware_host.host.trace_log import FILE_NAME, TraceLog, last_second
from firmware_host.storage.journal import Journal
from tests.host.bench import HostBench


class TracingBench(HostBench):
    """Records a trace in `folder`."""

    folder: Path = field(default_factory=Path)

    def switch_on(self) -> None:
        self.host = Host(self.setup, self.journal, lambda: self.now_s, trace=TraceLog(self.folder))
        self.wait(0.1)


def bench_in(folder: Path) -> TracingBench:
    """A bench with its journal and its trace in `folder`."""
    return TracingBench(Journal.open(folder / "journal.sqlite3"), folder=folder)


def replayed(folder: Path) -> list[tuple[int, int]]:
    """(track, score) of each move that `cribboard replay` finds in the trace."""
    result = CliRunner().invoke(main, ["replay", str(folder / FILE_NAME), "--json"])
    assert result.exit_code == 0, result.output
    return [(record["track"], record["score"]) for record in map(json.loads, result.stdout.splitlines())]


def test_recorded_trace_replays_the_same_moves(tmp_path: Path) -> None:
    bench = bench_in(tmp_path)
    bench.begin()
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    bench.host.stop()
    assert replayed(tmp_path) == [(0, 8), (1, 5)]


def test_resumed_game_appends_to_its_trace(tmp_path: Path) -> None:
    bench = bench_in(tmp_path)
    bench.begin()
    bench.leap(0, 0, 8)
    bench.host.stop()
    bench.now_s = 0.0
    bench.journal = Journal.open(tmp_path / "journal.sqlite3")
    bench.switch_on()
    bench.leap(1, 0, 5)
    bench.host.stop()
    assert replayed(tmp_path) == [(0, 8), (1, 5)]


def test_new_game_starts_new_trace(tmp_path: Path) -> None:
    bench = bench_in(tmp_path)
    bench.begin()
    bench.leap(0, 0, 8)
    log = TraceLog(tmp_path)
    log.start("classic-61", 2, 61)
    log.close()
    assert replayed(tmp_path) == []
    bench.host.stop()


def test_nothing_is_written_while_no_peg_moves(tmp_path: Path) -> None:
    bench = bench_in(tmp_path)
    bench.begin()
    bench.leap(0, 0, 8)
    before = (tmp_path / FILE_NAME).read_bytes()
    bench.wait(60)
    assert (tmp_path / FILE_NAME).read_bytes() == before
    bench.host.stop()


def test_unwritable_folder_disables_trace_without_error(tmp_path: Path) -> None:
    log = TraceLog(tmp_path / "nowhere")
    log.start("classic-61", 2, 121)
    log.record(1.0, [frozenset(), frozenset()])
    log.close()
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("corrupt", ['{"t": 3', "[" * 4000, '{"t": 1' + "0" * 400 + "}", '{"t": "soon"}', "[3]", "\0"])
def test_corrupt_last_line_is_ignored(tmp_path: Path, corrupt: str) -> None:
    (tmp_path / FILE_NAME).write_text(f'{{"t": 2.5, "pegs": []}}\n{corrupt}'[-4096:], encoding="utf-8")
    assert last_second(tmp_path / FILE_NAME) == 2.5
