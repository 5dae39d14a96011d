"""A game record, read line by line: what people did, in; what was due, missed and refused, out.

The first line names the game; each further line is one thing that happened. A refused line changes nothing, and the
rest goes on. With automatic pegging whatever is due is pegged at once, and the show runs by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.refusals import Refusal, quoted
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.auction import next_bidder
from firmware_host.table.chronicle import Chronicle, fold
from firmware_host.table.decide import decide
from firmware_host.table.refusals import NoGame
from firmware_host.table.showing import known_cards
from firmware_host.table.state import Phase, Table

VERSION = 1


class NotARecord(Refusal, ValueError):
    """The line does not say anything that a game record can say."""

    kind = "not_a_record"


Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the referee says to one line. `events` are those of the line; none if it was refused."""

    before: Table | None
    table: Table | None
    events: tuple[e.Event, ...]
    refused: Refusal | None = None

    def as_json(self, line: int) -> dict[str, object]:
        table = self.table
        return {
            "line": line,
            "phase": table.phase.value if table else None,
            "due": [due for event in self.events if (due := _due(event, table))],
            "missed": list(self._missed()),
            "scores": list(table.scores) if table else [],
            "next": None if table is None else next_seat(table),
            "refused": None if self.refused is None else {"kind": self.refused.kind, "message": str(self.refused)},
            "winner": table.winner if table else None,
        }

    def _missed(self) -> Iterable[dict[str, object]]:
        """Points named as missed on an earlier line are not told again when they are lost for good."""
        told = list(self.before.noticed) if self.before else []
        for event in self.events:
            if isinstance(event, e.PointsMissed):
                known = min(max(0, told[event.side]), event.points) if event.is_lost and told else 0
                if known:
                    told[event.side] -= known
                if event.points > known:
                    why = [score.kind.value for score in event.scores] or [event.source.value]
                    yield {"seat": event.seat, "points": event.points - known, "why": why}


def _due(event: e.Event, table: Table | None) -> dict[str, object] | None:
    """Points that fell due by this event, and why."""
    assert table is not None
    match event:
        case e.PointsDue():
            return {"seat": event.seat, "points": event.points, "why": [score.kind.value for score in event.scores]}
        case e.MugginsTaken(side=side, points=points):
            return {"seat": table.rules.sides[side][0], "points": points, "why": ["muggins"]}
        case e.PenaltyGiven(side=side, points=points, breach=breach):
            return {"seat": table.rules.sides[side][0], "points": points, "why": [breach.value]}
        case _:
            return None


def next_seat(table: Table) -> Seat | None:
    """Whose card, bid or hand is awaited."""
    if table.phase is Phase.BID and table.deal:
        return next_bidder(table, table.deal)
    return table.to_play if table.to_count is None else table.to_count.seat


class Referee:
    """Reads one record. `hear` each line in turn."""

    def __init__(self) -> None:
        self._chronicle = Chronicle()
        self._is_automatic = True

    def hear(self, line: Line) -> Answer:
        before = self._chronicle.table
        try:
            events = self._decide(line)
        except Refusal as refused:
            return Answer(before, before, (), refused)
        self._chronicle = self._chronicle.after(events)
        return Answer(before, self._chronicle.table, events)

    def stands(self, refused: Refusal) -> Answer:
        """The answer to a line that could not even be read."""
        return Answer(self._chronicle.table, self._chronicle.table, (), refused)

    def _decide(self, line: Line) -> tuple[e.Event, ...]:
        if "record" in line:
            start = game_of(line)
            self._is_automatic = not start.is_told
            self._chronicle = Chronicle()
            return self._chronicle.decide(start)
        if line.get("undo") is True:
            return self._chronicle.decide(o.Undo())
        table = self._chronicle.table
        if table is None:
            raise NoGame("a first line that names the game", quoted(dict(line)), mend='begin with {"record": 1, ...}')
        events: tuple[e.Event, ...] = ()
        for order in orders_of(line, table):
            events += (new := decide(table, order))
            table = fold(table, new) if new else table
        return events + (self._show_by_itself(table) if self._is_automatic else ())

    def _show_by_itself(self, table: Table) -> tuple[e.Event, ...]:
        """The counts that follow as long as the table knows the hands."""
        events: tuple[e.Event, ...] = ()
        while table.to_count and known_cards(table, *table.to_count):
            new = decide(table, o.CountNext())
            events, table = events + new, fold(table, new)
        return events


def game_of(line: Line) -> o.StartGame:
    """The first line: which game, who sits where, who deals, who moves the pegs."""
    if line["record"] != VERSION:
        raise NotARecord(f"record {VERSION}", quoted(line["record"]), mend="read it with a newer cribboard")
    manner = line.get("pegging", "automatic")
    if manner not in ("automatic", "manual"):
        raise NotARecord('pegging "automatic" or "manual"', quoted(manner))
    options = dict(_told(line, "options", dict) or {})
    if (sides := _told(line, "sides", list)) is not None:
        options["sides"] = sides
    variant, names = line.get("variant"), _told(line, "seats", list)
    if isinstance(variant, str) and names is not None and variant == "auction":
        options.setdefault("players", len(names))
    rules = rules_for(variant, options)  # type: ignore[arg-type]  # it says itself what it expected
    if names is None or not all(isinstance(name, str) for name in names):
        raise NotARecord(f"seats, {rules.players} names", quoted(line.get("seats")))
    scores = _told(line, "scores", list)
    return o.StartGame(
        rules,
        tuple(names),
        is_told=manner == "manual",
        dealer=Seat(_whole(line.get("dealer"), "dealer")),
        scores=None if scores is None else tuple(_whole(score, "scores") for score in scores),
    )


def orders_of(line: Line, table: Table) -> tuple[o.Order, ...]:
    """What a line asks of the table; several hands dealt are several orders."""
    said = [name for name in ORDERS if name in line]
    if len(said) != 1:
        raise NotARecord(f"one of {', '.join(ORDERS)}", ", ".join(said) or quoted(dict(line)))
    return ORDERS[said[0]](line[said[0]], table)


def _deal(hands: Any, table: Table) -> tuple[o.Order, ...]:
    """One hand a seat. After a show the cards are gathered first; a second deal before the play is a misdeal mended."""
    is_hands = isinstance(hands, list) and all(isinstance(hand, list) for hand in hands)
    if not is_hands or len(hands) != len(table.names):
        raise NotARecord(f"deal with {len(table.names)} lists of cards", quoted(hands))
    first: tuple[o.Order, ...] = ()
    if table.phase in (Phase.SHOW, Phase.GATHER):
        first = (o.GatherCards(),)
    elif table.deal and any(table.deal.dealt):
        first = (o.Misdeal(),)
    return (*first, *(o.DealHand(Seat(seat), parse_cards(hand)) for seat, hand in enumerate(hands)))


def _lay_away(value: Any, table: Table) -> tuple[o.Order, ...]:
    seat, cards = _pair(value, table, "lay_away")
    if not isinstance(cards, list):
        raise NotARecord("lay_away with a list of cards", quoted(cards))
    return (o.LayAway(seat, parse_cards(cards)),)


def _from_stock(cards: Any, table: Table) -> tuple[o.Order, ...]:
    if not isinstance(cards, list):
        raise NotARecord("from_stock with a list of cards", quoted(cards))
    return (o.FillCrib(parse_cards(cards)),)


def _bid(value: Any, table: Table) -> tuple[o.Order, ...]:
    seat, points = _pair(value, table, "bid")
    return (o.Bid(None if points == "pass" else _whole(points, "bid"), seat),)


def _starter(card: Any, table: Table) -> tuple[o.Order, ...]:
    return (o.CutStarter(parse_card(card)),)


def _play(value: Any, table: Table) -> tuple[o.Order, ...]:
    seat, card = _pair(value, table, "play")
    return (o.PlayCard(parse_card(card, rank_only=True), seat),)


def _go(seat: Any, table: Table) -> tuple[o.Order, ...]:
    return (o.SayGo(_seat(seat, table)),)


def _count(value: Any, table: Table) -> tuple[o.Order, ...]:
    seat, what = _pair(value, table, "count")
    if what not in ("hand", "crib"):
        raise NotARecord('count of "hand" or "crib"', quoted(what))
    return (o.CountNext(None, seat, is_crib=what == "crib"),)


def _peg(value: Any, table: Table) -> tuple[o.Order, ...]:
    seat, points = _pair(value, table, "peg")
    return (o.MovePoints(table.rules.side_of(seat), _whole(points, "peg")),)


def _claim(value: Any, table: Table) -> tuple[o.Order, ...]:
    seat, points = _pair(value, table, "claim")
    return (o.ClaimMuggins(table.rules.side_of(seat), _whole(points, "claim")),)


ORDERS: Mapping[str, Callable[[Any, Table], tuple[o.Order, ...]]] = {
    "deal": _deal,
    "lay_away": _lay_away,
    "from_stock": _from_stock,
    "bid": _bid,
    "starter": _starter,
    "play": _play,
    "go": _go,
    "count": _count,
    "peg": _peg,
    "claim": _claim,
}


def _pair(value: Any, table: Table, name: str) -> tuple[Seat, Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise NotARecord(f"{name} with a seat and one thing more", quoted(value))
    return _seat(value[0], table), value[1]


def _seat(value: Any, table: Table) -> Seat:
    seat = _whole(value, "seat")
    if not 0 <= seat < len(table.names):
        raise NotARecord(f"a seat from 0 to {len(table.names) - 1}", str(seat))
    return Seat(seat)


def _whole(value: Any, name: str) -> int:
    if type(value) is not int:
        raise NotARecord(f"a whole number as {name}", quoted(value))
    return value


def _told(line: Line, name: str, kind: type) -> Any:
    """The field, or None where it is absent or null."""
    value = line.get(name)
    if value is not None and not isinstance(value, kind):
        raise NotARecord(f"{name} as a {kind.__name__}", quoted(value))
    return value
