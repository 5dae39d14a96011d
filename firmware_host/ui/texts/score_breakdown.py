"""The score breakdown ("why 73?"): for each move of a side, the score before and after, and the reasons for it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.show import count_show
from firmware_host.game import events as e
from firmware_host.game.disclosure import is_shown
from firmware_host.game.history import History, Turn
from firmware_host.game.state import Table
from firmware_host.ui.texts.cadence import count_in_words, scores_in_words
from firmware_host.ui.texts.messages import capitalized, event_message
from firmware_host.ui.translator import Translator, labelled, untranslated


class Reason(Struct, frozen=True):
    """Why a side got or lost points: a sentence, and the cards that it is about, if there are any.

    `title` names a hand or crib of the show; `starter` is the starter that was counted with it.
    """

    text: str
    cards: tuple[Card, ...] = ()
    title: str = ""
    starter: Card | None = None


class ScoreStep(Struct, frozen=True):
    """One move of the front peg, and the reasons for it; none if the pegs moved and no cards were entered."""

    score_before: int
    score: int
    reasons: tuple[Reason, ...]


def score_steps(history: History, side: int, tr: Translator = untranslated) -> tuple[ScoreStep, ...]:
    """Every move of the side that was not undone, oldest first; the last one ends at the side's score."""
    steps = list[ScoreStep]()
    reasons = list[Reason]()
    score = 0
    for turn in reversed(tuple(history.turns_back())):
        after = turn.table.sides[side].score
        for event in turn.events:
            if isinstance(event, e.GameStarted):
                score = event.scores[side]
            if history.table is None or is_shown(event, history.table):
                reasons += reasons_of(event, turn, side, tr)
            # A peg in a wrong hole changes no score.
            moved = after if event is turn.events[-1] else moved_to(event, side, after)
            if moved is not None and moved != score:
                steps.append(ScoreStep(score, moved, tuple(reasons)))
                reasons = []
                score = moved
    return tuple(steps)


def reasons_of(event: e.Event, turn: Turn, side: int, tr: Translator) -> Iterator[Reason]:
    """What in this event gave points to the side, or took points from it."""
    table = turn.table
    match event:
        case e.PointsDue(source=e.Source.SHOW) if event.side == side:
            for counted in turn.events:
                if isinstance(counted, e.HandCounted) and is_count_for(counted, event):
                    yield show_reason(counted, table, tr)
        case e.PointsDue() if event.side == side:
            yield play_reason(event, table, tr)
        case e.MugginsTaken() | e.PenaltyGiven() | e.PegsSetBack() | e.ScoreCorrected() if event.side == side:
            yield Reason(event_message(event, table, tr))
        case e.CribSold() if event.price and table.rules.side_of(event.seat) == side:
            yield Reason(event_message(event, table, tr))


def is_count_for(counted: e.HandCounted, due: e.PointsDue) -> bool:
    """Whether `counted` is the counted hand that made these points due."""
    return (counted.seat, counted.points) == (due.seat, due.points)


def show_reason(counted: e.HandCounted, table: Table, tr: Translator) -> Reason:
    """A counted hand or crib: whose it is, its cards, and the count in words."""
    whose = tr("{name}’s crib") if counted.is_crib else tr("{name}’s hand")
    count = count_show(counted.cards, counted.starter, table.rules, is_crib=counted.is_crib)
    words = f"{capitalized(count_in_words(count, tr))}."
    return Reason(words, counted.cards, whose.format(name=table.names[counted.seat]), counted.starter)


def play_reason(due: e.PointsDue, table: Table, tr: Translator) -> Reason:
    """The points of one card, go or starter in words, and the cards that made them."""
    cards = max((score.cards for score in due.scores), key=len, default=())
    return Reason(f"{labelled(table.names[due.seat], scores_in_words(due.scores, tr), tr)}.", cards)


def moved_to(event: e.Event, side: int, after: int) -> int | None:
    """The score of the side after this event; None if the event does not move its front peg. `after`: its score after
    the whole turn."""
    match event:
        case e.PegLeapt() | e.PegAdjusted() if event.side == side:
            return min(event.pegs.front, after)
        case e.ScoreCorrected() if event.side == side:
            return event.score
        case _:
            return None
