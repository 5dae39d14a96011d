"""The answers to the lines of a game record. RECORDS.md describes their fields.

An answer compares the game before a line with the game after it, and lists what the line did event by event: cards and
goes, hands counted (those worth nothing too), points due with the cards that earn them, and points missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.outcome import Outcome, outcome_of
from firmware_host.cribbage.rule_errors import FalseGo, Refusal
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet, Seat, Side
from firmware_host.cribbage.score import Score
from firmware_host.cribbage.series import playable_cards
from firmware_host.cribbage.show import count_show
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.auction import next_bidder
from firmware_host.game.history import fold
from firmware_host.game.rule_errors import CardsNotEntered
from firmware_host.game.state import Phase, Table

Entry = dict[str, Any]
"""One entry of a list in an answer: `due`, `missed`, `played` or `counted`."""

HAND = "hand"
CRIB = "crib"
_EXAMPLE_CARDS = ("5H", "6D", "7C", "8S", "9H")


class Answer(Struct, frozen=True):
    """The answer to one line. `events` are those of the line; none if it was refused, or if it changed nothing."""

    before: Table | None
    table: Table | None
    events: tuple[e.Event, ...]
    refused: Refusal | None = None
    commands: tuple[c.Command, ...] = ()
    """What the line asked for; none for a comment."""
    hands: tuple[e.HandCounted, ...] = ()
    """The hands of this deal that were counted before the line."""

    def as_json(self, line: int) -> dict[str, object]:
        """The answer as RECORDS.md describes it; `line` is the number of the line, from 1."""
        table = self.table
        outcome = outcome_now(self.table)
        return {
            "line": line,
            "phase": table.phase.value if table else None,
            "due": list(self.due()),
            "missed": list(self.missed()),
            "scores": list(table.scores) if table else [],
            "next": None if table is None else next_seat(table),
            "refused": None if self.refused is None else {"kind": self.refused.kind, "message": self.message},
            "winner": table.winner if table else None,
            "next_name": _next_name(table),
            "next_move": _next_move(table),
            "dealer": table.dealer if table else None,
            "count": _count(table),
            "playable": _playable(table),
            "played": list(self.played()),
            "counted": list(self.counted()),
            "margin": outcome and outcome.margin.value,
            "match_points": outcome and list(outcome.points),
            "spread": outcome and list(outcome.spread),
        }

    @property
    def message(self) -> str:
        """The text of the refusal. Records have no private cards: for a false go it names the playable cards."""
        match self.refused:
            case FalseGo(playable=(_, *_) as cards):
                return f"{self.refused} ({', '.join(map(str, cards))})"
            case CardsNotEntered(expected=expected, got=got) if self.table:
                return f"expected {expected}, got {got}; {_lines_for_unknown_cards(self.table)}"
            case _:
                return str(self.refused or "")

    def steps(self) -> Iterator[tuple[Table | None, e.Event]]:
        """Each event of the line with the table before it. An undo or redo has no steps."""
        table = self.before
        for event in self.events:
            if isinstance(event, e.TurnUndone | e.TurnRedone):
                return
            yield table, event
            table = fold(table, (event,))

    def due(self) -> Iterator[Entry]:
        """The points that this line made due, in order."""
        hands = [*self.hands]
        for event in self.events:
            match event:
                case e.HandCounted():
                    hands.append(event)
                case e.PointsDue(seat=seat, points=points, scores=scores):
                    yield _points(seat, points, _why(scores), self.source_of(event, hands), scores)
                case e.MugginsTaken(side=side, points=points):
                    yield _points(self._first_seat(side), points, ["muggins"], "muggins")
                case e.PenaltyGiven(side=side, points=points, breach=breach):
                    yield _points(self._first_seat(side), points, [breach.value], "penalty")

    def missed(self) -> Iterator[Entry]:
        """Points that were reported as missed before are not reported again when they are lost for good."""
        if not any(isinstance(event, e.PointsMissed) for event in self.events):
            return
        hands = [*self.hands]
        for table, event in self.steps():
            if isinstance(event, e.HandCounted):
                hands.append(event)
            if isinstance(event, e.PointsMissed) and table and not table.sides[event.side].was_reported(event):
                why = _why(event.scores) or [event.source.value]
                yield _points(event.seat, event.points, why, self.source_of(event, hands), event.scores)

    def played(self) -> Iterator[Entry]:
        """The cards and goes of the line, those too that follow by themselves, with the count that they make."""
        if not any(isinstance(event, e.CardPlayed | e.GoSaid) for event in self.events):
            return
        for table, event in self.steps():
            count = count_of_series(table)
            match event:
                case e.CardPlayed(seat=seat, card=card):
                    yield {"seat": seat, "card": str(card), "count": count + card.pips}
                case e.GoSaid(seat=seat):
                    yield {"seat": seat, "card": None, "count": count}

    def counted(self) -> Iterator[Entry]:
        """The hands and cribs that this line counted, those worth nothing too, or skipped."""
        for event in self.events:
            match event:
                case e.HandCounted():
                    yield self._counted(event)
                case e.CountSkipped(seat=seat, is_crib=is_crib):
                    yield _counted(seat, is_crib)

    def _counted(self, event: e.HandCounted) -> Entry:
        rules = self._rules
        count = count_show(event.cards, event.starter, rules, is_crib=event.is_crib)
        found = {"points": event.points, "parts": count.parts, "at_least": event.is_minimum}
        return _counted(event.seat, event.is_crib) | {"cards": [str(card) for card in event.cards]} | found

    def source_of(self, event: e.PointsDue | e.PointsMissed, hands: Sequence[e.HandCounted]) -> str:
        """Where the points come from: `hand`, `crib`, or the value of the event's source."""
        return source_of(event, hands, self._rules)

    @property
    def _rules(self) -> RuleSet:
        assert self.table is not None
        return self.table.rules

    def _first_seat(self, side: int) -> Seat:
        return self._rules.sides[side][0]


def source_of(points: e.PointsDue | e.PointsMissed, hands: Sequence[e.HandCounted], rules: RuleSet) -> str:
    """`hand`, `crib`, or the value of the source. `hands` are those counted so far in this deal."""
    if points.source is e.Source.SHOW:
        for hand in reversed(hands):
            count = count_show(hand.cards, hand.starter, rules, is_crib=hand.is_crib)
            if hand.seat == points.seat and count.scores == points.scores:
                return source_name(hand.is_crib)
    return points.source.value


def source_name(is_crib: bool) -> str:
    """`hand` or `crib`, as count lines name them."""
    return CRIB if is_crib else HAND


def next_seat(table: Table) -> Seat | None:
    """The seat whose card, bid or hand is next."""
    if table.phase is Phase.BID and table.deal:
        return next_bidder(table, table.deal)
    return table.to_play if table.to_count is None else table.to_count.seat


def outcome_now(table: Table | None) -> Outcome | None:
    """Margin, match points and spread of a game that is won; None before that."""
    if table is None or table.winner is None:
        return None
    return outcome_of(table.rules, Side(table.winner), table.scores)


def count_of_series(table: Table | None) -> int:
    """The count of the series that is being played; 0 outside of the play."""
    return table.deal.play.count if table and table.deal and table.deal.play else 0


def _count(table: Table | None) -> int | None:
    return count_of_series(table) if table and table.phase is Phase.PLAY else None


def _next_name(table: Table | None) -> str | None:
    seat = next_seat(table) if table else None
    return None if table is None or seat is None else table.names[seat]


def _next_move(table: Table | None) -> str | None:
    """`bid`, `card`, `hand` or `crib`: what is next of the seat whose turn it is."""
    if table is None or next_seat(table) is None:
        return None
    if table.to_count:
        return source_name(table.to_count.is_crib)
    return "card" if table.phase is Phase.PLAY else "bid"


def _playable(table: Table | None) -> list[str] | None:
    """The cards that the seat to play can play; None where its hand is not known, and outside of the play."""
    if table is None or table.deal is None or table.to_play is None or not table.deal.kept[table.to_play]:
        return None
    return [str(card) for card in playable_cards(table.deal.in_hand(table.to_play), count_of_series(table))]


def _counted(seat: Seat, is_crib: bool) -> Entry:
    """An entry of `counted` for a hand that is skipped."""
    source = source_name(is_crib)
    return {"seat": seat, "source": source, "cards": [], "points": None, "parts": None, "at_least": None}


def _points(seat: Seat, points: int, why: list[str], source: str, scores: Iterable[Score] = ()) -> Entry:
    parts = [{"kind": score.kind.value, "points": score.points, "cards": [*map(str, score.cards)]} for score in scores]
    return {"seat": seat, "points": points, "why": why, "source": source, "parts": parts}


def _why(scores: Iterable[Score]) -> list[str]:
    return [score.kind.value for score in scores]


def _lines_for_unknown_cards(table: Table) -> str:
    """The lines that can follow where the next hand or crib of the show is not known."""
    assert table.to_count is not None
    seat, is_crib = table.to_count
    name = source_name(is_crib)
    cards: tuple[str | Card, ...] = _EXAMPLE_CARDS[: CRIB_SIZE if is_crib else table.rules.hand_size]
    listed = ", ".join(f'"{card}"' for card in cards)
    showing = f'[{seat}, "{name}"'
    return f'enter them, as in {{"count": {showing}, [{listed}]]}}, or skip them with {{"skip": {showing}]}}'
