"""A game in one line: who played what, when, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from firmware_host.table.events import (
    Event,
    GameStarted,
    GameWon,
    PegAdjusted,
    PegLeapt,
    ScoreCorrected,
    TurnRedone,
    TurnUndone,
)

Events = tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """`game` is its number in the journal. `scores` has one entry a side; `winner` is a side, None: not played out."""

    game: int
    started_at: datetime
    names: tuple[str, ...]
    board: str
    variant: str
    scores: tuple[int, ...]
    winner: int | None = None


def summarise(game: int, started_at: datetime, turns: Iterable[Events]) -> GameSummary:
    """What became of a game, by the turns that stand. The first event of a game is GameStarted."""
    events = (event for turn in standing(turns) for event in turn)
    started = next(events)
    assert isinstance(started, GameStarted)
    summary = GameSummary(game, started_at, started.names, started.board, started.rules.variant, started.scores)
    return _played(summary, events)


def standing(turns: Iterable[Events]) -> list[Events]:
    """The turns that were not taken back, or were brought back again."""
    stand, undone = list[Events](), list[Events]()
    for turn in turns:
        match turn:
            case (TurnUndone(),):
                undone.append(stand.pop())
            case (TurnRedone(),):
                stand.append(undone.pop())
            case _:
                stand.append(turn)
                undone.clear()
    return stand


def _played(summary: GameSummary, events: Iterator[Event]) -> GameSummary:
    scores, winner = list(summary.scores), summary.winner
    for event in events:
        match event:
            case PegLeapt() | PegAdjusted():
                scores[event.side] = event.pegs.front
            case ScoreCorrected():
                scores[event.side] = event.score
            case GameWon():
                winner = event.side
    return replace(summary, scores=tuple(scores), winner=winner)
