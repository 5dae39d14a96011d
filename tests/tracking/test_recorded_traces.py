"""Every recorded trace is read without a wrong turn and within the wanted latency."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest

from firmware_host.cli.trace import Trace
from tests.tracking.recorded_game import Frame, IntendedTurn
from tests.tracking.trace_check import check_trace, replay

TRACES = sorted((Path(__file__).parents[1] / "traces").glob("*.trace.jsonl"))


def truth_of(trace: Path) -> list[IntendedTurn]:
    truth = trace.with_name(trace.name.replace(".trace.", ".truth."))
    turns = map(json.loads, truth.read_text().splitlines())
    names = ("track", "points", "score", "t_lift", "t_seated", "unseen")
    return [IntendedTurn(*(turn[name] for name in names)) for turn in turns]


def test_there_are_nine_traces() -> None:
    assert len(TRACES) == 9


@pytest.mark.parametrize("file", TRACES, ids=lambda file: file.name.split(".")[0])
def test_a_recorded_trace_is_read_right_and_soon(file: Path) -> None:
    trace = Trace(file.read_bytes().splitlines())
    frames = [Frame(frame.at_s, tuple(frame.holes)) for frame in trace]
    result = check_trace(list(replay(trace.header.course, trace.header.tracks, frames)), truth_of(file))
    print(f"{file.name}: {result.turns} turns, median {median(result.latencies_s):.3f} s")
    assert not result.wrong
    assert median(result.latencies_s) <= 0.35
