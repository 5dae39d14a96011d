"""Judges what the reader tells of a game against what the players meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from board_drivers.hands import Style
from board_drivers.recorded_game import Frame, Meant, RecordedGame, Wood, record_game
from firmware_host.board.course import Course, Hole, TrackPegs
from firmware_host.board.pegs import PegReader
from firmware_host.board.readings import PegAdjusted, PegLeapt, Reading

Told = tuple[float, Reading]

COURSES = (
    Course(120, 121, 121),
    Course(120, 61, 61),
    Course(60, 61, 61),
    Course(60, 61, 121),
    Course(60, 61, 181),
)
"""Every board and target there is."""


class Verdict(NamedTuple):
    """`wrong`: turns whose score was not the last one told before the track's next lift. Latencies in seconds."""

    turns: int
    wrong: list[Meant]
    latencies_s: list[float]

    def plus(self, other: Verdict) -> Verdict:
        wrong, latencies_s = [*self.wrong, *other.wrong], [*self.latencies_s, *other.latencies_s]
        return Verdict(self.turns + other.turns, wrong, latencies_s)


def route_of(course: Course) -> list[int]:
    """The hole of every score from 0 on; a board of 121 holes goes on after a target of 61."""
    beyond = range(course.target + 1, course.target + 9) if course.target < course.lap else range(0)
    return [*(int(course.hole_of(score)) for score in range(course.target + 1)), *beyond]


def play(seed: int, course: Course, tracks: int, style: Style, wood: Wood | None = None) -> RecordedGame:
    return record_game(seed, route_of(course), course.target, tracks, style, wood)


def read(course: Course, tracks: int, frames: Iterable[Frame]) -> Iterator[Told]:
    """What is told, and when."""
    reader = PegReader(course, [TrackPegs()] * tracks)
    for frame in frames:
        yield from due(reader, frame.at_s)
        holes = [frozenset(map(Hole, track)) for track in frame.holes]
        yield from ((frame.at_s, reading) for reading in reader.see(holes, frame.at_s))
    yield from due(reader, float("inf"))


def due(reader: PegReader, until_s: float) -> Iterator[Told]:
    while (due_s := reader.deadline_s) is not None and due_s <= until_s:
        for reading in reader.tick(due_s):
            yield due_s, reading


def judge(told: Sequence[Told], meant: Sequence[Meant]) -> Verdict:
    verdict = Verdict(0, [], [])
    for track in {turn.track for turn in meant}:
        scores = [(at_s, move.score) for at_s, move in moves_in(told) if move.track == track]
        turns = [turn for turn in meant if turn.track == track]
        next_lifts = [turn.lifted_s for turn in turns[1:]]
        verdict = verdict.plus(_judge_track(scores, list(zip(turns, [*next_lifts, float("inf")], strict=True))))
    return verdict


def moves_in(told: Iterable[Told]) -> list[tuple[float, PegLeapt | PegAdjusted]]:
    return [(at_s, reading) for at_s, reading in told if isinstance(reading, PegLeapt | PegAdjusted)]


def _judge_track(scores: Sequence[tuple[float, int]], turns: Sequence[tuple[Meant, float]]) -> Verdict:
    wrong, latencies_s = list[Meant](), list[float]()
    seen = [(turn, next_lift_s) for turn, next_lift_s in turns if not turn.is_unseen]
    for turn, next_lift_s in seen:
        told = [(at_s, score) for at_s, score in scores if at_s < next_lift_s]
        if not told or told[-1][1] != turn.score:
            wrong.append(turn)
            continue
        first_s = (at_s for at_s, score in told if score == turn.score and at_s >= turn.lifted_s)
        latencies_s += [at_s - turn.seated_s for at_s in first_s][:1]
    return Verdict(len(seen), wrong, latencies_s)
