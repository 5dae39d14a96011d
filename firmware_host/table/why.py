""" "Why 73?": the cards and the hole moves behind every point of a side, from the first leap on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_host.table import events as e
from firmware_host.table.cadence import scores_in_words
from firmware_host.table.chronicle import Chronicle, Turn
from firmware_host.table.state import Table
from firmware_host.table.wording import pretty, say
from firmware_host.table.words import Words, as_written


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the front peg, and what it was for. No reasons: the pegs alone told, nobody told the cards."""

    score_before: int
    score: int
    reasons: tuple[str, ...]


def why(chronicle: Chronicle, side: int, _: Words = as_written) -> tuple[Step, ...]:
    """Every move of the side that stands, oldest first; the last step ends at its score."""
    steps, reasons, score = list[Step](), list[str](), 0
    for turn in reversed(tuple(chronicle.turns_back())):
        for event in turn.events:
            if isinstance(event, e.GameStarted):
                score = event.scores[side]
            reasons += reasons_of(event, turn, side, _)
            moved = moved_to(event, side)
            if moved is not None:
                steps.append(Step(score, moved, tuple(reasons)))
                reasons, score = [], moved
    return tuple(steps)


def reasons_of(event: e.Event, turn: Turn, side: int, _: Words) -> Iterator[str]:
    table = turn.table
    match event:
        case e.PointsDue(source=e.Source.SHOW) if event.side == side:
            yield from (say(counted, table, _) for counted in turn.events if is_count_for(counted, event))
        case e.PointsDue() if event.side == side:
            yield in_play(event, table, _)
        case e.MugginsTaken() | e.PenaltyGiven() | e.PegsSetBack() | e.ScoreCorrected() if event.side == side:
            yield say(event, table, _)
        case e.CribSold() if event.price and table.rules.side_of(event.seat) == side:
            yield say(event, table, _)


def is_count_for(counted: e.Event, due: e.PointsDue) -> bool:
    return isinstance(counted, e.HandCounted) and (counted.seat, counted.points) == (due.seat, due.points)


def in_play(due: e.PointsDue, table: Table, _: Words) -> str:
    """The cards that earned it, and what was said."""
    cards = max((score.cards for score in due.scores), key=len, default=())
    said = f"{table.names[due.seat]}: {scores_in_words(due.scores, _)}."
    return f"{said} {' '.join(map(pretty, cards))}".strip()


def moved_to(event: e.Event, side: int) -> int | None:
    match event:
        case e.PegLeapt() | e.PegAdjusted() if event.side == side:
            return event.pegs.front
        case e.ScoreCorrected() if event.side == side:
            return event.score
        case _:
            return None
