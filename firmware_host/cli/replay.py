"""`cribboard replay`: reads a recorded sensor trace and prints the moves and faults in it."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import click

from board_drivers.fault_injection import FaultySensors
from board_drivers.ports import DriverError
from board_drivers.scanner_session import HELLO_S
from firmware_host.board.course import AT_START, hole_name
from firmware_host.cli.trace import Trace, TraceError, TraceFrame, TraceHeader
from firmware_host.simulation.fault_plan import FaultPlan, FaultPlanError, read_fault_plan
from firmware_host.tracking.peg_tracker import PegTracker
from firmware_host.tracking.readings import PegAdjusted, PegLeapt, Reading, TrackFault

SCAN_S = 0.02
AFTER_LAST_FRAME_S = 5.0
"""Seconds for which a board with injected faults is scanned after the last frame."""


@click.command("replay")
@click.argument("trace", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option(
    "--faults",
    "faults",
    type=click.Path(path_type=Path),
    help="A fault plan (TOML): replay on a board with these faults.",
)
def command(trace: str, as_json: bool, faults: Path | None) -> None:
    """Read the sensor trace TRACE (- for standard input) and print each leap, adjustment and fault."""
    say = as_record if as_json else as_sentence
    try:
        recorded = Trace(_lines(trace))
        fault_plan = read_fault_plan(faults, recorded.header.plan) if faults else FaultPlan()
        for at_s, reading in readings_of(recorded.header, on_board(recorded, fault_plan)):
            text = say(round(at_s, 4), reading)
            if text is not None:
                _write(text)
    except TraceError as fault:
        raise click.ClickException(f"{'standard input' if trace == '-' else trace}, {fault}") from fault
    except FaultPlanError as fault:
        raise click.ClickException(str(fault)) from fault


def _write(text: str) -> None:
    """Writes at once. click ends the program quietly when the reader has closed the pipe."""
    try:
        click.echo(text)
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise click.ClickException(f"standard output cannot be written: {fault}") from fault


def _lines(trace: str) -> Iterator[bytes]:
    """Yields lines as they arrive, so that a board can be followed through a pipe."""
    try:
        if trace == "-":
            yield from sys.stdin.buffer if sys.stdin else ()  # None if the caller closed it
            return
        with open(trace, "rb") as file:
            yield from file
    except OSError as fault:
        raise click.ClickException(f"{trace}: cannot be read: {fault}") from fault


def on_board(trace: Trace, fault_plan: FaultPlan) -> Iterator[TraceFrame]:
    """The frames as a board with these faults would have read them, scan by scan from the first frame on.

    A scan that fails gives no frame: the one before stays valid.
    """
    if not (fault_plan.on_wire or fault_plan.on_cable):
        yield from trace
        return
    plan = trace.header.plan
    now_s = 0.0
    sensors = FaultySensors(plan.bit_count, fault_plan.on_wire, lambda: now_s, fault_plan.on_cable)

    def scans(until_s: float) -> Iterator[TraceFrame]:
        nonlocal now_s
        while now_s < until_s:
            with suppress(DriverError):
                yield TraceFrame(now_s, list(plan.track_view(sensors.scan())))
            now_s += SCAN_S

    for number, (frame, following) in enumerate(pairwise(chain(trace, (None,)))):
        assert frame
        sensors.set(plan.frame_of(frame.holes))
        if number == 0:  # let the scanner say hello before the first frame
            now_s = frame.at_s - HELLO_S
            deque(scans(frame.at_s), maxlen=0)
        now_s = frame.at_s
        yield from scans(following.at_s if following else now_s + AFTER_LAST_FRAME_S)


def readings_of(header: TraceHeader, frames: Iterable[TraceFrame]) -> Iterator[tuple[float, Reading]]:
    """Every reading with its time, which is its deadline even if the next line comes later."""
    tracker = PegTracker(header.course, [AT_START] * header.tracks)
    for frame in frames:
        yield from _readings_due(tracker, frame.at_s)
        yield from ((frame.at_s, reading) for reading in tracker.update(frame.holes, frame.at_s))
    yield from _readings_due(tracker, float("inf"))


def _readings_due(tracker: PegTracker, until_s: float) -> Iterator[tuple[float, Reading]]:
    while (due_s := tracker.deadline_s) is not None and due_s <= until_s:
        for reading in tracker.tick(due_s):
            yield due_s, reading


def as_record(at_s: float, reading: Reading) -> str | None:
    """One JSON object; None for a fault that is over."""
    where: dict[str, Any] = {"t": at_s, "track": reading.track}
    match reading:
        case PegLeapt(_, score, points):
            return json.dumps({**where, "score": score, "points": points, "kind": "leap"})
        case PegAdjusted(_, score, points):
            return json.dumps({**where, "score": score, "points": points, "kind": "adjust"})
        case TrackFault(_, fault):
            return json.dumps({**where, "fault": fault.value})
    return None


def as_sentence(at_s: float, reading: Reading) -> str:
    """One line for people: time, track, and what happened."""
    return f"{at_s:10.3f} s  track {reading.track}: {_what(reading)}"


def _what(reading: Reading) -> str:
    match reading:
        case PegLeapt(_, score, points):
            return f"leaps {points} to {score}"
        case PegAdjusted(_, score, points, is_taken_back):
            return f"{'leap taken back' if is_taken_back else 'adjusted'} by {points:+d} to {score}"
        case TrackFault(_, fault, holes, missing):
            return f"{fault.value.replace('_', ' ')}{_at(' at', holes)}{_at('; pegs belong in', missing)}"
    return "pegs are in place again"


def _at(words: str, holes: Iterable[Any]) -> str:
    names = ", ".join(str(hole_name(hole)) for hole in holes)
    return f"{words} {names}" if names else ""
