"""Which pegs people move on a board of their own, which the program does not see: from where, to where, and why.

Nothing is awaited and nothing can be wrong: the points count already, and the pegs follow. A sentence names both the
points, for those who check them, and the holes, for whoever moves the peg. What an undo or a correction changes says
where the pegs go back to. Page, display and voice all have their sentences from here.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from firmware_host.game import events as e
from firmware_host.game.history import History, Turn
from firmware_host.game.state import Table
from firmware_host.ui.texts.cadence import scores_in_words
from firmware_host.ui.texts.messages import BREACHES, capitalized
from firmware_host.ui.texts.side_names import side_in_words
from firmware_host.ui.texts.spoken_words import number_in_words, together
from firmware_host.ui.translator import Translator, untranslated


class PegNews(Struct, frozen=True):
    """One peg that moves: from the hole of the score before to that of the score now."""

    side: int
    start: int
    hole: int
    headline: str
    """What the points are for, or that the peg goes back; without the holes."""
    move: str
    """The move of the peg; empty for the ear where the headline says it."""
    is_entered: bool = False
    """Whether somebody entered the points, so that they can be taken back by their number."""

    @property
    def points(self) -> int:
        """Holes forward; below zero: back."""
        return self.hole - self.start

    @property
    def text(self) -> str:
        """Both sentences."""
        return together(self.headline, self.move)


def peg_news(history: History, tr: Translator = untranslated) -> tuple[PegNews, ...]:
    """The pegs that move after the latest turn, undo or redo, in their order, for the eye. Empty on a board that is
    seen."""
    return _news(history, tr, is_spoken=False)


def spoken_peg_news(history: History, tr: Translator) -> tuple[PegNews, ...]:
    """As `peg_news`, for the ear: numbers are words."""
    return _news(history, tr, is_spoken=True)


def _news(history: History, tr: Translator, *, is_spoken: bool) -> tuple[PegNews, ...]:
    table = history.table
    if table is None or history.before is None or not table.is_by_hand:
        return ()
    says = _Sentences(table, tr, is_spoken=is_spoken)
    if history.latest_is_undo_or_redo or history.last is None:
        return tuple(_changed(history.before, says))
    return tuple(_moved(history.last, history.before, says))


def _changed(before: Table, says: _Sentences) -> Iterator[PegNews]:
    """What an undo or a redo changes: only where the pegs stand before and after it counts."""
    for side, (was, now) in enumerate(zip(before.sides, says.table.sides, strict=True)):
        if was.pegs != now.pegs:
            yield says.changed(side, was.pegs.front, now.pegs.front)


def _moved(turn: Turn, before: Table, says: _Sentences) -> Iterator[PegNews]:
    """Each peg move of a turn, with the event that it follows from. Several moves of one side are told one by one, for
    that is how its pegs are moved."""
    fronts = list(before.fronts)
    cause: e.Event | None = None
    for event in turn.events:
        match event:
            case e.PegLeapt(side=side, pegs=pegs) | e.PegAdjusted(side=side, pegs=pegs):
                start = max(0, fronts[side])
                if pegs.front != start:
                    yield says.moved(side, start, pegs.front, cause if _is_of(cause, side, says.table) else None)
                fronts[side] = pegs.front
            case e.ScoreCorrected(side=side, score=score):
                if score != fronts[side]:
                    yield says.changed(side, max(0, fronts[side]), score)
                fronts[side] = score
            case _:
                cause = event


def _is_of(event: e.Event | None, side: int, table: Table) -> bool:
    """Whether a move of the side follows from the event."""
    match event:
        case e.PointsDue() | e.MugginsTaken() | e.PenaltyGiven() | e.PegsSetBack():
            return event.side == side
        case e.CribSold():
            return table.rules.side_of(event.seat) == side
        case _:
            return False


class _Sentences:
    """Finds the words. For the ear, numbers are words too."""

    def __init__(self, table: Table, tr: Translator, *, is_spoken: bool) -> None:
        self.table = table
        self._tr = tr
        self._is_spoken = is_spoken

    def _number(self, number: int) -> str:
        return number_in_words(number, self._tr) if self._is_spoken else str(number)

    def moved(self, side: int, start: int, hole: int, cause: e.Event | None) -> PegNews:
        """A move with what it is for."""
        headline = self._reason(side, hole - start, cause)
        if not headline:
            return self.changed(side, start, hole, is_entered=cause is None)
        return PegNews(side, start, hole, headline, self._move(side, start, hole))

    def changed(self, side: int, start: int, hole: int, *, is_entered: bool = False) -> PegNews:
        """A move that nothing but its points explains: they were entered, undone or corrected."""
        tr = self._tr
        texts = {"name": self._name(side), "score": self._number(hole), "points": self._number(abs(hole - start))}
        forward = tr("{name} +{points}, now {score}.")
        if self._is_spoken:
            people = self.table.rules.people(side)
            forward = tr.counted("{name} moves {points}, to {score}.", "{name} move {points}, to {score}.", people)
        sentence = forward if hole > start else tr("{name} back to {score}.")
        move = self._move(side, start, hole)
        return PegNews(side, start, hole, sentence.format(**texts), move, is_entered and hole > start)

    def _name(self, side: int) -> str:
        return side_in_words(self.table, side, self._tr)

    def _move(self, side: int, start: int, hole: int) -> str:
        """The move of the one peg; where pegs go back, both of them, because the back peg is behind again. The pegs of
        the program are moved by people. The ear has heard how many holes the peg goes forward."""
        tr = self._tr
        if hole > start and self._is_spoken:
            return ""
        if hole > start and self.table.is_programs(side):
            sentence = tr("Peg for {name}: {start} to {goal}.")
            return sentence.format(name=self._name(side), start=self._number(start), goal=self._number(hole))
        back = self._number(max(0, self.table.sides[side].pegs.back))
        texts = {"start": self._number(start), "hole": self._number(hole), "front": self._number(hole), "back": back}
        sentence = tr("Peg {start} to {hole}.") if hole > start else tr("Front peg {front}, back peg {back}.")
        return sentence.format(**texts)

    def _reason(self, side: int, points: int, cause: e.Event | None) -> str:
        """What the move is for, as said at the table; empty where nobody knows."""
        tr = self._tr
        name = self._name(side)
        match cause:
            case e.PointsDue(source=e.Source.SHOW, seat=seat):
                counted = self.table.last_count
                is_crib = counted is not None and counted.is_crib
                worth = points if counted is None else counted.points  # the last holes may need fewer
                sentence = (
                    tr.counted("{name}’s crib: {points} point.", "{name}’s crib: {points} points.", worth)
                    if is_crib
                    else tr.counted("{name}’s hand: {points} point.", "{name}’s hand: {points} points.", worth)
                )
                return sentence.format(name=self.table.names[seat], points=self._number(worth))
            case e.PointsDue(scores=scores, seat=seat) if scores:
                said = scores_in_words(scores, tr)
                return capitalized(tr("{scores}, {name}.").format(scores=said, name=self.table.names[seat]))
            case e.MugginsTaken():
                sentence = tr.counted(
                    "Muggins: {points} point to {name}.", "Muggins: {points} points to {name}.", points
                )
                return sentence.format(name=name, points=self._number(points))
            case e.PenaltyGiven(breach=breach):
                why = tr(BREACHES[breach])
                return tr("{why}: {points} to {name}.").format(why=why, name=name, points=self._number(points))
            case e.PegsSetBack(breach=breach):
                why = tr(BREACHES[breach])
                people = self.table.rules.people(side)
                sentence = tr.counted("{why}: {name} goes back {points}.", "{why}: {name} go back {points}.", people)
                return sentence.format(why=why, name=name, points=self._number(-points))
            case e.CribSold(price=price) if price:
                sentence = tr("{name} buys the crib for {points}.")
                return sentence.format(name=name, points=self._number(price))
            case _:
                return ""
