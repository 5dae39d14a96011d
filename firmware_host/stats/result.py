"""The result of a game: the best hand, the points that each side left behind, and where its points came from.

Every event is applied to the table on its own. The change of the score that is rightful then tells what the event was
worth to each side, whatever the rules cut off at the game hole or took away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct, field
from msgspec.structs import replace

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.outcome import Outcome, outcome_of
from firmware_host.cribbage.rules import RuleSet, Seat, Side
from firmware_host.cribbage.score import Score
from firmware_host.game import events as e
from firmware_host.game.decision import Decision
from firmware_host.game.state import Table
from firmware_host.storage.game_summary import Events, effective_turns


class Origin(Enum):
    """Where points came from."""

    PLAY = "play"
    """The play of the cards, his heels, and the three for not dealing."""
    HANDS = "hands"
    CRIBS = "cribs"
    OTHER = "other"
    """Pegged without cards that the board knows, muggins, penalties, corrections, and a head start."""


class BestHand(Struct, frozen=True):
    """The hand or crib that counted most; the first one of several."""

    seat: Seat
    is_crib: bool
    cards: tuple[Card, ...]
    starter: Card
    points: int
    deal: int
    """Number of the deal, from 1."""


class MissedPoints(Struct, frozen=True):
    """Points that were due and lost, because nobody pegged them in time."""

    side: int
    seat: Seat
    deal: int
    """Number of the deal, from 1."""
    origin: Origin
    points: int
    scores: tuple[Score, ...]
    """What they were for; together these may be worth more, if a part was pegged."""
    taken: int = 0
    """How many of them another side took by muggins."""


class GameResult(Struct, frozen=True):
    """One game. `origins` has for each side the points of each origin; they add up to its score."""

    rules: RuleSet
    names: tuple[str, ...]
    scores: tuple[int, ...]
    winner: int | None
    deals: int
    best: BestHand | None
    missed: tuple[MissedPoints, ...]
    origins: tuple[dict[Origin, int], ...]

    @property
    def outcome(self) -> Outcome | None:
        """Margin, match points and spread; None for a game that was not finished."""
        return None if self.winner is None else outcome_of(self.rules, Side(self.winner), self.scores)

    @property
    def has_cards(self) -> bool:
        """Whether any points, pegged or missed, came from cards that the board knows."""
        known = (side[origin] for side in self.origins for origin in Origin if origin is not Origin.OTHER)
        return bool(self.missed) or any(known)

    def side_name(self, side: int) -> str:
        """Such as "Ann & Cat"."""
        return " & ".join(self.names[seat] for seat in self.rules.sides[side])


class _ResultFold(Struct):
    """The result up to the event read last."""

    decision: Decision
    origins: list[dict[Origin, int]]
    best: BestHand | None = None
    missed: list[MissedPoints] = field(default_factory=list)
    deals: int = 0
    is_crib: bool = False
    """Whether the hand that was counted last is a crib."""
    cribs: set[tuple[Seat, tuple[Score, ...]]] = field(default_factory=set)
    """The scores of this deal that come from a crib."""

    def read(self, event: e.Event) -> None:
        before = tuple(side.rightful for side in self.decision.table.sides)
        self.decision.apply(event)
        match event:
            case e.DealBegan():
                self.cribs.clear()
                self.deals = _deal_number(self.decision.table)
            case e.HandCounted():
                self.is_crib = event.is_crib
                if self.best is None or event.points > self.best.points:
                    hand = event.seat, event.is_crib, event.cards, event.starter, event.points
                    self.best = BestHand(*hand, self.deals)
            case e.PointsMissed(is_lost=True):
                why = event.points, event.scores
                self.missed.append(MissedPoints(event.side, event.seat, self.deals, self.origin_of(event), *why))
            case e.MugginsTaken():
                self.take(event.missed_by, event.points)
        after = tuple(side.rightful for side in self.decision.table.sides)
        for side, (was, now) in enumerate(zip(before, after, strict=True)):
            self.origins[side][self.origin_of(event)] += now - was

    def origin_of(self, event: e.Event) -> Origin:
        match event:
            case e.PointsDue(source=e.Source.PLAY | e.Source.HEELS | e.Source.PONES_THREE):
                return Origin.PLAY
            case e.PointsDue(source=e.Source.SHOW):
                if self.is_crib:
                    self.cribs.add((event.seat, event.scores))
                return Origin.CRIBS if self.is_crib else Origin.HANDS
            case e.PointsMissed(source=e.Source.PLAY | e.Source.HEELS | e.Source.PONES_THREE):
                return Origin.PLAY
            case e.PointsMissed(source=e.Source.SHOW):
                return Origin.CRIBS if (event.seat, event.scores) in self.cribs else Origin.HANDS
        return Origin.OTHER

    def pegged_origins(self, side: int) -> dict[Origin, int]:
        """The origins without the points that were still due when the game ended."""
        table = self.decision.table
        pegged = dict(self.origins[side])
        for due in table.sides[side].outstanding:
            pegged[self.origin_of(e.PointsMissed(side, due.seat, due.source, 0, due.scores, is_lost=True))] -= due.left
        pegged[Origin.OTHER] += table.scores[side] - sum(pegged.values())
        return pegged

    def take(self, side: int, points: int) -> None:
        """The points that were missed last are taken first."""
        for place in reversed(range(len(self.missed))):
            missed = self.missed[place]
            taken = min(points, missed.points - missed.taken) if missed.side == side else 0
            self.missed[place] = replace(missed, taken=missed.taken + taken)
            points -= taken


def result_of(turns: Iterable[Events]) -> GameResult:
    """The result of a game from its turns, in order; undone turns do not count. The first event is GameStarted."""
    (first, *rest), *later = effective_turns(turns)
    decision = Decision(None)
    decision.apply(first)
    start = decision.table
    by_origin = [dict.fromkeys(Origin, 0) | {Origin.OTHER: side.rightful} for side in start.sides]
    fold = _ResultFold(decision, by_origin)
    for events in (rest, *later):
        for event in events:
            fold.read(event)
    table = decision.table
    return GameResult(
        *(table.rules, table.names, table.scores, table.winner, fold.deals, fold.best),
        tuple(fold.missed),
        tuple(fold.pegged_origins(side) for side in range(len(table.scores))),
    )


def _deal_number(table: Table) -> int:
    return table.deal.number if table.deal else 0


def missed_by(result: GameResult, side: int) -> Sequence[MissedPoints]:
    """What one side left behind, in order."""
    return [missed for missed in result.missed if missed.side == side]
