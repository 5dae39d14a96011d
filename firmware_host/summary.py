"""A game in one line: who played what, when, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from firmware_host.cribbage.outcome import Outcome, outcome_of
from firmware_host.cribbage.rules import RuleSet, Seat, Side
from firmware_host.table import events as e
from firmware_host.table.chronicle import fold

Events = tuple[e.Event, ...]

IN_SHORT = (
    e.GameStarted,
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
    e.TurnUndone,
    e.TurnRedone,
)
"""What a summary asks of a game: all that moves a score. The cards, two thirds of a journal, can be left out."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """`game` is its number in the journal. `scores` has one entry a side; `winner` is a side, None: not played out."""

    game: int
    started_at: datetime
    names: tuple[str, ...]
    board: str
    rules: RuleSet
    scores: tuple[int, ...]
    winner: Side | None = None
    first_dealer: Seat | None = None
    is_demo: bool = False

    @property
    def outcome(self) -> Outcome | None:
        """None: not played out."""
        return None if self.winner is None else outcome_of(self.rules, self.winner, self.scores)

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The names of those who share one score."""
        return tuple(tuple(self.names[seat] for seat in seats) for seats in self.rules.sides)

    def side_name(self, side: int) -> str:
        return " & ".join(self.sides[side])


def summarise(game: int, started_at: datetime, turns: Iterable[Events]) -> GameSummary:
    """What became of a game, by the turns that stand. Each turn needs only such events as are IN_SHORT, and may have
    none; the first event of a game is GameStarted."""
    table = fold(None, tuple(event for turn in standing(turns) for event in turn if isinstance(event, IN_SHORT)))
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
    )


def standing(turns: Iterable[Events]) -> list[Events]:
    """The turns that were not taken back, or were brought back again."""
    stand, undone = list[Events](), list[Events]()
    for turn in turns:
        match turn:
            case (e.TurnUndone(),):
                undone.append(stand.pop())
            case (e.TurnRedone(),):
                stand.append(undone.pop())
            case _:
                stand.append(turn)
                undone.clear()
    return stand
