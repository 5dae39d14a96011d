"""`cribboard replay`: what the board would have said to a recorded trace."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from firmware_host.board.course import TrackPegs, hole_name
from firmware_host.board.pegs import PegReader
from firmware_host.board.readings import PegAdjusted, PegLeapt, PegsAstray, Reading
from firmware_host.cli.trace import Trace, TraceBroken


@click.command()
@click.argument("trace", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(trace: str, as_json: bool) -> None:
    """Read the sensor trace TRACE (- for standard input) and tell each leap, adjustment and odd board."""
    say = _as_record if as_json else _as_sentence
    try:
        for at_s, reading in _told(Trace(_lines(trace))):
            text = say(round(at_s, 4), reading)
            if text is not None:
                _write(text)
    except TraceBroken as fault:
        raise click.ClickException(f"{'standard input' if trace == '-' else trace}, {fault}") from fault


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


def _told(trace: Trace) -> Iterator[tuple[float, Reading]]:
    """Every reading with its time: that of its deadline, whenever the next line may come."""
    reader = PegReader(trace.header.course, [TrackPegs()] * trace.header.tracks)
    for frame in trace:
        yield from _due(reader, frame.at_s)
        yield from ((frame.at_s, reading) for reading in reader.see(frame.holes, frame.at_s))
    yield from _due(reader, float("inf"))


def _due(reader: PegReader, until_s: float) -> Iterator[tuple[float, Reading]]:
    while (due_s := reader.deadline_s) is not None and due_s <= until_s:
        for reading in reader.tick(due_s):
            yield due_s, reading


def _as_record(at_s: float, reading: Reading) -> str | None:
    where: dict[str, Any] = {"t": at_s, "track": reading.track}
    match reading:
        case PegLeapt(_, score, points):
            return json.dumps({**where, "score": score, "points": points, "kind": "leap"})
        case PegAdjusted(_, score, points):
            return json.dumps({**where, "score": score, "points": points, "kind": "adjust"})
        case PegsAstray(_, fault):
            return json.dumps({**where, "fault": fault.value})
    return None


def _as_sentence(at_s: float, reading: Reading) -> str:
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
