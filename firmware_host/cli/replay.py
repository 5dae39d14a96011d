"""`cribboard replay`: what the board would have said to a recorded trace."""

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

from board_drivers.misbehaving import MisbehavingSensors
from board_drivers.ports import DriverFault
from board_drivers.scanner_talk import HELLO_S
from firmware_host.board.course import TrackPegs, hole_name
from firmware_host.board.pegs import PegReader
from firmware_host.board.readings import PegAdjusted, PegLeapt, PegsAstray, Reading
from firmware_host.cli.trace import Trace, TraceBroken, TraceFrame, TraceHeader
from firmware_host.mischief import Mischief, MischiefFault, read_mischief

SCAN_S = 0.02
LAST_LOOK_S = 5.0
"""How long a board that goes wrong is looked at after the last frame."""


@click.command()
@click.argument("trace", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--faults", "troubles", type=click.Path(path_type=Path), help="Play it on a board that goes wrong so.")
def command(trace: str, as_json: bool, troubles: Path | None) -> None:
    """Read the sensor trace TRACE (- for standard input) and tell each leap, adjustment and odd board."""
    say = as_record if as_json else as_sentence
    try:
        recorded = Trace(_lines(trace))
        mischief = read_mischief(troubles, recorded.header.plan) if troubles else Mischief()
        for at_s, reading in told(recorded.header, on_board(recorded, mischief)):
            text = say(round(at_s, 4), reading)
            if text is not None:
                _write(text)
    except TraceBroken as fault:
        raise click.ClickException(f"{'standard input' if trace == '-' else trace}, {fault}") from fault
    except MischiefFault as fault:
        raise click.ClickException(str(fault)) from fault


def _write(text: str) -> None:
    """Out at once. A reader who has left ends the program quietly: click sees to that."""
    try:
        click.echo(text)
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise click.ClickException(f"standard output cannot be written: {fault}") from fault


def _lines(trace: str) -> Iterator[bytes]:
    """The lines as they come, so that a board can be followed through a pipe."""
    try:
        if trace == "-":
            yield from sys.stdin.buffer if sys.stdin else ()  # None where the caller closed it
            return
        with open(trace, "rb") as file:
            yield from file
    except OSError as fault:
        raise click.ClickException(f"{trace}: cannot be read: {fault}") from fault


def on_board(trace: Trace, mischief: Mischief) -> Iterator[TraceFrame]:
    """The frames as a board with these troubles would have read them, scan by scan from the first frame on.

    What it cannot read at all, it does not see: the frame before stands until it can.
    """
    if not (mischief.on_wire or mischief.on_cable):
        yield from trace
        return
    plan, now_s = trace.header.plan, 0.0
    sensors = MisbehavingSensors(plan.bit_count, mischief.on_wire, lambda: now_s, mischief.on_cable)

    def scans(until_s: float) -> Iterator[TraceFrame]:
        nonlocal now_s
        while now_s < until_s:
            with suppress(DriverFault):
                yield TraceFrame(now_s, list(plan.track_view(sensors.scan())))
            now_s += SCAN_S

    for number, (frame, following) in enumerate(pairwise(chain(trace, (None,)))):
        assert frame
        sensors.set(plan.frame_of(frame.holes))
        if number == 0:  # a scanner says hello before there is anything to miss
            now_s = frame.at_s - HELLO_S
            deque(scans(frame.at_s), maxlen=0)
        now_s = frame.at_s
        yield from scans(following.at_s if following else now_s + LAST_LOOK_S)


def told(header: TraceHeader, frames: Iterable[TraceFrame]) -> Iterator[tuple[float, Reading]]:
    """Every reading with its time: that of its deadline, whenever the next line may come."""
    reader = PegReader(header.course, [TrackPegs()] * header.tracks)
    for frame in frames:
        yield from _due(reader, frame.at_s)
        yield from ((frame.at_s, reading) for reading in reader.see(frame.holes, frame.at_s))
    yield from _due(reader, float("inf"))


def _due(reader: PegReader, until_s: float) -> Iterator[tuple[float, Reading]]:
    while (due_s := reader.deadline_s) is not None and due_s <= until_s:
        for reading in reader.tick(due_s):
            yield due_s, reading


def as_record(at_s: float, reading: Reading) -> str | None:
    where: dict[str, Any] = {"t": at_s, "track": reading.track}
    match reading:
        case PegLeapt(_, score, points):
            return json.dumps({**where, "score": score, "points": points, "kind": "leap"})
        case PegAdjusted(_, score, points):
            return json.dumps({**where, "score": score, "points": points, "kind": "adjust"})
        case PegsAstray(_, fault):
            return json.dumps({**where, "fault": fault.value})
    return None


def as_sentence(at_s: float, reading: Reading) -> str:
    return f"{at_s:10.3f} s  track {reading.track}: {_what(reading)}"


def _what(reading: Reading) -> str:
    match reading:
        case PegLeapt(_, score, points):
            return f"leaps {points} to {score}"
        case PegAdjusted(_, score, points, is_taken_back):
            return f"{'takes the leap back' if is_taken_back else 'is adjusted'} by {points:+d} to {score}"
        case PegsAstray(_, fault, holes, way_back):
            return f"{fault.value.replace('_', ' ')}{_at(' at', holes)}{_at('; pegs belong in', way_back)}"
    return "in order again"


def _at(words: str, holes: Iterable[Any]) -> str:
    names = ", ".join(str(hole_name(hole)) for hole in holes)
    return f"{words} {names}" if names else ""
