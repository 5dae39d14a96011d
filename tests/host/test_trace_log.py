"""The trace that a board keeps of its latest game, and what reads it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.host import Host
from firmware_host.journal import Journal
from firmware_host.trace_log import FILE_NAME, TraceLog, last_second
from tests.host.bench import Bench


@dataclass
class TracingBench(Bench):
    folder: Path = field(default_factory=Path)

    def switch_on(self) -> None:
        self.host = Host(self.house, self.journal, lambda: self.now_s, trace=TraceLog(self.folder))
        self.wait(0.1)


def bench_in(folder: Path) -> TracingBench:
    return TracingBench(Journal.open(folder / "journal.sqlite3"), folder=folder)


def replayed(folder: Path) -> list[tuple[int, int]]:
    result = CliRunner().invoke(main, ["replay", str(folder / FILE_NAME), "--json"])
    assert result.exit_code == 0, result.output
    return [(record["track"], record["score"]) for record in map(json.loads, result.stdout.splitlines())]


def test_what_was_pegged_is_replayed_from_the_boards_own_trace(tmp_path: Path) -> None:
    bench = bench_in(tmp_path)
    bench.begin()
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    bench.host.stop()
    assert replayed(tmp_path) == [(0, 8), (1, 5)]


def test_a_game_taken_up_again_goes_on_in_its_trace(tmp_path: Path) -> None:
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


def test_a_new_game_begins_a_new_trace(tmp_path: Path) -> None:
    bench = bench_in(tmp_path)
    bench.begin()
    bench.leap(0, 0, 8)
    log = TraceLog(tmp_path)
    log.begin("classic-61", 2, 61)
    log.close()
    assert replayed(tmp_path) == []
    bench.host.stop()


def test_while_no_peg_moves_nothing_is_written(tmp_path: Path) -> None:
    bench = bench_in(tmp_path)
    bench.begin()
    bench.leap(0, 0, 8)
    before = (tmp_path / FILE_NAME).read_bytes()
    bench.wait(60)
    assert (tmp_path / FILE_NAME).read_bytes() == before
    bench.host.stop()


def test_a_folder_that_cannot_be_written_costs_the_trace_and_not_the_game(tmp_path: Path) -> None:
    log = TraceLog(tmp_path / "nowhere")
    log.begin("classic-61", 2, 121)
    log.note(1.0, [frozenset(), frozenset()])
    log.close()
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("spoilt", ['{"t": 3', "[" * 4000, '{"t": 1' + "0" * 400 + "}", '{"t": "soon"}', "[3]", "\0"])
def test_a_last_line_that_is_spoilt_is_passed_over(tmp_path: Path, spoilt: str) -> None:
    (tmp_path / FILE_NAME).write_text(f'{{"t": 2.5, "pegs": []}}\n{spoilt}'[-4096:], encoding="utf-8")
    assert last_second(tmp_path / FILE_NAME) == 2.5
