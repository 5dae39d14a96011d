"""A game deal by deal: who dealt, the starter, the points of the play, the hands that were counted, and the scores."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import Seat
from firmware_host.game import events as e
from firmware_host.storage.game_summary import Events, effective_turns


class CountedHand(Struct, frozen=True):
    """A hand or crib of the show that the board counted."""

    seat: Seat
    is_crib: bool
    cards: tuple[Card, ...]
    points: int


class DealFigures(Struct):
    """One deal. The tuples and lists have one entry per side."""

    dealer: Seat
    scores: list[int]
    """At the end of the deal."""
    played: list[int]
    """Points earned in the play."""
    other: list[int]
    """Points by his heels, muggins, penalties and the three for not dealing; below zero for points set back."""
    missed: list[int]
    starter: Card | None = None
    hands: list[CountedHand] = field(default_factory=list)


def deal_figures_of(turns: Iterable[Events]) -> tuple[DealFigures, ...]:
    """The deals of a game from its turns, in order; undone turns and misdeals do not count."""
    deals = list[DealFigures]()
    scores = list[int]()
    for turn in effective_turns(turns):
        for event in turn:
            match event:
                case e.GameStarted():
                    scores = list(event.scores)
                case e.DealBegan():
                    if deals and deals[-1].starter is None and deals[-1].dealer == event.dealer:
                        deals.pop()
                    deals.append(_new_deal(event.dealer, scores))
                case _:
                    _update_scores(scores, event)
                    if deals:
                        deals[-1].scores = list(scores)
                        _read(deals[-1], event)
    return tuple(deals)


def _new_deal(dealer: Seat, scores: list[int]) -> DealFigures:
    sides = len(scores)
    return DealFigures(dealer, list(scores), [0] * sides, [0] * sides, [0] * sides)


def _update_scores(scores: list[int], event: e.Event) -> None:
    match event:
        case e.PegLeapt() | e.PegAdjusted():
            scores[event.side] = event.pegs.front
        case e.ScoreCorrected():
            scores[event.side] = event.score


def _read(deal: DealFigures, event: e.Event) -> None:
    match event:
        case e.StarterCut():
            deal.starter = event.card
        case e.HandCounted():
            deal.hands.append(CountedHand(event.seat, event.is_crib, event.cards, event.points))
        case e.PointsDue(source=e.Source.PLAY):
            deal.played[event.side] += event.points
        case e.PointsDue(source=e.Source.HEELS | e.Source.PONES_THREE) | e.MugginsTaken() | e.PenaltyGiven():
            deal.other[event.side] += event.points
        case e.PegsSetBack():
            deal.other[event.side] -= event.points
        case e.PointsMissed(is_lost=True):
            deal.missed[event.side] += event.points
