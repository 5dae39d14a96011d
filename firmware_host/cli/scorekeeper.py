"""A game in sentences, as somebody who keeps the score says them: what was played, counted and pegged, and what it was.

    7: Ben plays 8♠: 15. Ben: fifteen for two. [Ann 0, Ben 2; Ann to play on 15]

Rulings have the sentences of `ui/texts/messages.py`. A move that scores nothing is confirmed by the count it makes,
and points that are pegged are named with the cards' scores that they are for. English only, like other output of
commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import Margin
from firmware_host.cribbage.show import count_show
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.due_points import Due
from firmware_host.game.history import fold
from firmware_host.game.record_answer import (
    CRIB,
    HAND,
    Answer,
    count_of_series,
    next_seat,
    outcome_now,
    source_name,
    source_of,
)
from firmware_host.game.state import Phase, Table
from firmware_host.ui.texts.cadence import count_in_words, scores_in_words
from firmware_host.ui.texts.messages import event_message, with_suit_symbol
from firmware_host.ui.translator import untranslated

MARGINS = {
    Margin.WIN: "",
    Margin.SKUNK: ", a skunk",
    Margin.LURCH: ", a lurch",
    Margin.DOUBLE_SKUNK: ", a double skunk",
}
"""What is said after the scores of a skunk."""


class Moment(Struct, frozen=True):
    """The game as an event finds it, and the hands of the deal that were counted before."""

    table: Table
    hands: Sequence[e.HandCounted]

    def name(self, seat: int) -> str:
        """The player of a seat."""
        return self.table.names[seat]

    def side(self, side: int) -> str:
        """The players of a side."""
        return self.table.side_name(side)


def in_words(number: int, answer: Answer) -> str:
    """The answer to line `number` in one line: what happened, then the scores and who is next; or the refusal."""
    if answer.refused:
        return f"{number}: refused ({answer.refused.kind}): {answer.message}"
    if answer.table is None:
        return f"{number}: a comment."
    text = " ".join(sentences(answer.before, answer.events, answer.hands)) or _without_events(answer)
    return f"{number}: {text} [{status(answer.table)}]"


def sentences(
    before: Table | None,
    events: Sequence[e.Event],
    hands: Sequence[e.HandCounted] = (),
    *,
    are_hands_open: bool = True,
) -> Iterator[str]:
    """A sentence for each event of one turn. `hands` are those of the deal that were counted before. Cards that are
    only dealt or discarded are left out unless `are_hands_open`."""
    match events:
        case (e.TurnUndone(),):
            yield "Undone."
            return
        case (e.TurnRedone(),):
            yield "Redone."
            return
    table = before
    counted = [*hands]
    for event in events:
        after = fold(table, (event,))
        sentence = SENTENCES.get(type(event))
        if sentence is None:
            text = event_message(event, after, untranslated)
        else:
            text = sentence(event, Moment(table or after, counted))
        if text and (are_hands_open or not isinstance(event, e.HandDealt | e.CardsDiscarded | e.CribFilled)):
            yield text
        if isinstance(event, e.HandCounted):
            counted.append(event)
        table = after


def status(table: Table) -> str:
    """The scores, points that are still to be pegged, and who is next."""
    owed = [f"{table.side_name(side)} has {owed} to peg" for side, owed in enumerate(table.owed) if owed > 0]
    return "; ".join([scores_by_name(table), *owed, *_next(table)])


def scores_by_name(table: Table) -> str:
    """The score of each side: `Ann 40, Ben 38`."""
    return ", ".join(f"{table.side_name(side)} {score}" for side, score in enumerate(table.scores))


def _next(table: Table) -> Iterator[str]:
    seat = next_seat(table)
    if seat is None:
        return
    name = table.names[seat]
    if table.to_count:
        yield f"{_whose(name, table.to_count.is_crib)} next"
    elif table.phase is Phase.BID:
        yield f"{name} to bid"
    else:
        count = count_of_series(table)
        yield f"{name} to play on {count}" if count else f"{name} to lead"


def _without_events(answer: Answer) -> str:
    """A line that is right and changes nothing."""
    assert answer.table is not None
    match answer.commands:
        case (c.EnterPoints(side=side),) if (owed := answer.table.sides[side].owed) > 0:
            return f"{answer.table.side_name(side)} pegs nothing yet: {owed} can still be pegged."
        case (c.EnterPoints(side=side),):
            return f"{answer.table.side_name(side)} pegs nothing: right, nothing was due."
        case (c.SayGo(seat=seat),) if seat is not None:
            return f"{answer.table.names[seat]} says go: right, it was passed over already."
        case (c.ClaimMuggins(side=side),):
            return f"{answer.table.side_name(side)} claims: nothing was missed."
        case _:
            return "Nothing changes."


def _dealt(event: e.HandDealt, at: Moment) -> str:
    return f"{at.name(event.seat)}: {_cards(event.cards)}." if event.cards else ""


def _discarded(event: e.CardsDiscarded, at: Moment) -> str:
    return f"{at.name(event.seat)} lays away {_cards(event.cards)}." if event.cards else ""


def _filled(event: e.CribFilled, at: Moment) -> str:
    return f"The stock adds {_cards(event.cards)} to the crib."


def _played(event: e.CardPlayed, at: Moment) -> str:
    count = count_of_series(at.table) + event.card.pips
    return f"{at.name(event.seat)} plays {_cards([event.card])}: {count}."


def _go(event: e.GoSaid, at: Moment) -> str:
    return f"{at.name(event.seat)} says go at {count_of_series(at.table)}."


def _play_ended(event: e.PlayEnded, at: Moment) -> str:
    return "" if event.is_followed else "The play is ended; the other cards are not entered."


def _counted(event: e.HandCounted, at: Moment) -> str:
    count = count_show(event.cards, event.starter, at.table.rules, is_crib=event.is_crib)
    whose = _whose(at.name(event.seat), event.is_crib)
    least = ", or more with the suits" if event.is_minimum else ""
    return f"{whose}, {_cards(event.cards)}: {count_in_words(count)} ({event.points}{least})."


def _skipped(event: e.CountSkipped, at: Moment) -> str:
    return f"{_whose(at.name(event.seat), event.is_crib)} is not counted."


def _due(event: e.PointsDue, at: Moment) -> str:
    if event.source is e.Source.SHOW:
        return ""  # the count has said it
    return f"{at.name(event.seat)}: {scores_in_words(event.scores)}."


def _leapt(event: e.PegLeapt, at: Moment) -> str:
    """Points that move as soon as they are due were named before."""
    table = at.table
    side = event.side
    points = event.pegs.front - table.sides[side].pegs.front
    settled = list(_settled(table.sides[side].outstanding, points))
    is_award = bool(settled) and all(due.source in AWARDS for due, _ in settled)
    if not table.is_moved_by_hand(side) and (is_award or not table.points_are_entered):
        return ""
    reasons = [_reason(due, taken, at) for due, taken in settled]
    why = f": {'; '.join(reasons)}" if reasons else ", not checked" if event.stands else ""
    return f"{at.side(side)} pegs {points}{why}."


AWARDS = (e.Source.MUGGINS, e.Source.PENALTY)
"""Points that a rule gives. Without pegs on a board they move at once."""


def _settled(dues: Sequence[Due], points: int) -> Iterator[tuple[Due, int]]:
    """The dues, in the order of settling, that a move of so many holes reaches, and the holes for each."""
    for due in dues:
        if points > 0:
            yield due, min(points, due.left)
        points -= due.left


def _reason(due: Due, taken: int, at: Moment) -> str:
    """What `taken` points that are pegged are for."""
    points = e.PointsDue(at.table.rules.side_of(due.seat), due.seat, due.source, due.scores)
    part = f" ({taken} of {points.points})" if due.scores and taken != points.points else ""
    return _what(points, at) + part


def _what(points: e.PointsDue | e.PointsMissed, at: Moment) -> str:
    """`the hand`, `the crib`, or the scores of the play in words."""
    if points.source is e.Source.SHOW:
        source = source_of(points, at.hands, at.table.rules)
        return f"the {source if source in (HAND, CRIB) else 'count'}"
    return scores_in_words(points.scores) if points.scores else points.source.value


def _adjusted(event: e.PegAdjusted, at: Moment) -> str:
    before = at.table.sides[event.side].pegs.front
    if event.pegs.front < before:
        return f"{at.side(event.side)} goes back {before - event.pegs.front}, to {event.pegs.front}."
    return f"{at.side(event.side)} moves on to {event.pegs.front}."


def _missed(event: e.PointsMissed, at: Moment) -> str:
    if at.table.sides[event.side].was_reported(event):
        return f"{at.name(event.seat)} loses {_points(event.points)}: {_what(event, at)}."
    return f"{at.name(event.seat)} missed {_points(event.points)}: {_what(event, at)}."


def _points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def _won(event: e.GameWon, at: Moment) -> str:
    outcome = outcome_now(replace(at.table, winner=event.side))
    assert outcome is not None
    others = [str(score) for side, score in enumerate(at.table.scores) if side != event.side]
    scores = f"{at.table.scores[event.side]} to {' and '.join(others)}"
    return f"{at.side(event.side)} wins, {scores}, by {outcome.spread[event.side]}{MARGINS[outcome.margin]}."


SENTENCES: Mapping[type, Callable[[Any, Moment], str]] = {
    e.HandDealt: _dealt,
    e.CardsDiscarded: _discarded,
    e.CribFilled: _filled,
    e.CardPlayed: _played,
    e.GoSaid: _go,
    e.PlayEnded: _play_ended,
    e.HandCounted: _counted,
    e.CountSkipped: _skipped,
    e.PointsDue: _due,
    e.PegLeapt: _leapt,
    e.PegAdjusted: _adjusted,
    e.PointsMissed: _missed,
    e.GameWon: _won,
}
"""The events that a scorekeeper says in other words than the display."""


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(map(with_suit_symbol, cards))


def _whose(name: str, is_crib: bool) -> str:
    return f"{name}’s {source_name(is_crib)}"
