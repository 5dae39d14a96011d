"""One line per game: who played what, when, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from firmware_host.cribbage.outcome import Outcome, outcome_of
from firmware_host.cribbage.rules import RuleSet, Seat, Side
from firmware_host.game import events as e
from firmware_host.game.history import fold

Events = tuple[e.Event, ...]

SUMMARY_EVENTS = (
    e.GameStarted,
    e.ClubGameBegan,
    e.DealBegan,
    e.CribSold,
    e.PointsDue,
    e.PegLeapt,
    e.PegAdjusted,
    e.PegsAllowed,
    e.PointsMissed,
    e.MugginsTaken,
    e.PenaltyGiven,
    e.PegsSetBack,
    e.ScoreCorrected,
    e.GameWon,
    e.ResultConfirmed,
    e.TurnUndone,
    e.TurnRedone,
)
"""The events that a summary needs: all that change a score, and what a club asks for. Card events, two thirds of a
journal, can be left out."""


class GameSummary(Struct, frozen=True):
    """`game` is its number in the journal, from 1. `scores` has one entry per side, in holes. `names` has one per seat.

    `winner` is None for a game that was not finished. `started_at` is in UTC.
    """

    game: int
    started_at: datetime
    names: tuple[str, ...]
    board: str
    rules: RuleSet
    scores: tuple[int, ...]
    winner: Side | None = None
    first_dealer: Seat | None = None
    is_demo: bool = False
    club_game: e.ClubGame | None = None
    """Which game of a club night it was; None: of none."""
    confirmed: tuple[int, ...] = ()
    """The sides that confirmed its result."""

    @property
    def outcome(self) -> Outcome | None:
        """Points, margin and spread; None for a game that was not finished."""
        return None if self.winner is None else outcome_of(self.rules, self.winner, self.scores)

    @property
    def is_begun(self) -> bool:
        """Whether somebody scored, or won. Lists of past games leave the others out."""
        return self.winner is not None or any(self.scores)

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The names of the players of each side."""
        return tuple(tuple(self.names[seat] for seat in seats) for seats in self.rules.sides)

    def side_name(self, side: int) -> str:
        """Such as "Ann & Cat"."""
        return " & ".join(self.sides[side])


def summarise(game: int, started_at: datetime, turns: Iterable[Events]) -> GameSummary:
    """Summarise a game from its turns, in order; those that were undone do not count.

    Each turn needs only its SUMMARY_EVENTS and may be empty. The first event of the first turn is GameStarted.
    """
    table = fold(
        None, tuple(event for turn in effective_turns(turns) for event in turn if isinstance(event, SUMMARY_EVENTS))
    )
    return GameSummary(
        game,
        started_at,
        table.names,
        table.board,
        table.rules,
        table.scores,
        None if table.winner is None else Side(table.winner),
        table.first_dealer,
        table.is_demo,
        table.club_game,
        table.confirmed,
    )


def effective_turns(turns: Iterable[Events]) -> list[Events]:
    """The turns without those that were undone. A turn that was redone counts again."""
    effective = list[Events]()
    undone = list[Events]()
    for turn in turns:
        match turn:
            case (e.TurnUndone(),):
                undone.append(effective.pop())
            case (e.TurnRedone(),):
                effective.append(undone.pop())
            case _:
                effective.append(turn)
                undone.clear()
    return effective
