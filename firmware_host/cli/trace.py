"""Recorded peg movements, line by line: a header, and then the holes that read at each change.

{"board": "continuous-121", "tracks": 2, "target": 121}
{"t": 1.5981, "pegs": [[6, "S1"], ["S1", "S2"]]}
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from firmware_host.board.course import Course, Hole, parse_hole
from firmware_host.board.plan import BoardPlan, PlanError, UnsupportedTarget
from firmware_host.config.board_plans import NoSuchPlan, load_plan, plan_ids


class TraceError(ValueError):
    """A line that is not part of a valid trace. `line` counts from 1."""

    def __init__(self, line: int, expected: str, got: str, fix: str) -> None:
        super().__init__(f"line {line}: expected {expected}, got {got}; fix: {fix}")
        self.line = line
        self.expected = expected
        self.got = got
        self.fix = fix


class TraceHeader(Struct, frozen=True):
    """The first line: the board, and the course to the game's target."""

    plan: BoardPlan
    course: Course

    @property
    def tracks(self) -> int:
        return self.plan.tracks

    @property
    def last_hole(self) -> int:
        """The game hole, which has the highest number."""
        return self.plan.game_hole


class TraceFrame(Struct, frozen=True):
    """The occupied holes of each track from a time on, in seconds of the trace."""

    at_s: float
    holes: list[frozenset[Hole]]


class Trace:
    """Reads a trace as its lines come. Iterating gives the frames; raises TraceError at the first bad line."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._records = _records(lines)
        number, first = next(self._records, (1, None))
        if first is None:
            raise TraceError(1, "a header", "an empty trace", "start with the board, the tracks and the target")
        self.header = _header(number, first)

    def __iter__(self) -> Iterator[TraceFrame]:
        last_s = -math.inf
        for number, record in self._records:
            at_s = _time(number, record, last_s)
            yield TraceFrame(at_s, _holes(number, record, self.header))
            last_s = at_s


def _records(lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON object of each line that is not blank, with its number from 1."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield number, _record(number, line)


def _record(number: int, line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        got = f"byte 0x{line[fault.start]:02x} in column {fault.start + 1}"
        raise TraceError(number, "UTF-8", got, "record it again, or save it as UTF-8") from fault
    except (ValueError, RecursionError) as fault:
        got = f"{_shown(line.decode())} ({fault})"
        raise TraceError(number, "a JSON object", got, "record it again, or remove the line") from fault
    if not isinstance(record, dict):
        raise TraceError(number, "a JSON object", _shown(record), "write one object a line")
    return record


def _header(number: int, record: dict[str, Any]) -> TraceHeader:
    board, tracks, target = (record.get(name) for name in ("board", "tracks", "target"))
    if type(tracks) is not int:
        raise TraceError(number, "tracks, a whole number", _shown(tracks), "give the number of tracks")
    try:
        plan = load_plan(board if isinstance(board, str) else _shown(board), tracks)
    except (NoSuchPlan, PlanError) as fault:
        boards = f"a board and its tracks: {', '.join(plan_ids())}"
        raise TraceError(number, boards, f"{_shown(board)} with {tracks}", "name one of them") from fault
    try:
        course = plan.course(target if type(target) is int else 0)
    except UnsupportedTarget as fault:
        supported = f"a target that {plan.id} supports: {_listed(fault.supported)}"
        raise TraceError(number, supported, _shown(target), "name one of them") from fault
    return TraceHeader(plan, course)


def _time(number: int, record: dict[str, Any], last_s: float) -> float:
    at_s = record.get("t")
    is_number = isinstance(at_s, int | float) and not isinstance(at_s, bool)
    if at_s is None or not is_number or not -1e15 < at_s < 1e15:
        raise TraceError(number, "t, a time in seconds", _shown(at_s), "give the seconds since the start")
    if at_s < last_s:
        raise TraceError(number, f"a time not before {last_s:g}", f"{at_s:g}", "sort the lines by t")
    return float(at_s)


def _holes(number: int, record: dict[str, Any], header: TraceHeader) -> list[frozenset[Hole]]:
    tracks = record.get("pegs")
    if not isinstance(tracks, list) or len(tracks) != header.tracks:
        raise TraceError(
            number, f"pegs, a list of {header.tracks} tracks", _shown(tracks), "list the holes of every track"
        )
    return [_track_holes(number, holes, header.last_hole) for holes in tracks]


def _track_holes(number: int, holes: object, last_hole: int) -> frozenset[Hole]:
    if not isinstance(holes, list):
        raise TraceError(number, "a list of holes", _shown(holes), "list the holes of every track")
    expected = f'a hole from 1 to {last_hole}, "S1" or "S2"'
    found = set[Hole]()
    for text in holes:
        try:
            hole = parse_hole(text)
        except ValueError as fault:
            raise TraceError(number, expected, _shown(text), "name holes of this board") from fault
        if hole > last_hole:
            raise TraceError(number, expected, _shown(text), "name holes of this board")
        found.add(hole)
    return frozenset(found)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _shown(got: object) -> str:
    """A value for an error message: short and on one line."""
    if got is None:
        return "nothing"
    text = ascii(got.strip() if isinstance(got, str) else got)
    return text if len(text) <= 40 else f"{text[:37]}..."
