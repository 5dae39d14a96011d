"""A game record, read line by line: what people did, in; what was due, missed and refused, out.

The first line names the game; each further line is one thing that happened. A refused line changes nothing, and the
rest goes on. With automatic pegging whatever is due is pegged at once, and the show runs by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.refusals import FalseGo, Refusal, quoted
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.auction import next_bidder
from firmware_host.table.chronicle import Chronicle, fold
from firmware_host.table.decide import unfold
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
            "refused": None if self.refused is None else {"kind": self.refused.kind, "message": self._message()},
            "winner": table.winner if table else None,
        }

    def _message(self) -> str:
        """A record has no secrets: what could have been played is told."""
        cards = self.refused.playable if isinstance(self.refused, FalseGo) else ()
        return f"{self.refused} ({', '.join(map(str, cards))})" if cards else str(self.refused)

    def _missed(self) -> Iterator[dict[str, object]]:
        """Points that were named as missed before are not told again when they are lost for good."""
        table = self.before
        for event in self.events:
            if isinstance(event, e.TurnUndone | e.TurnRedone):
                return
            if isinstance(event, e.PointsMissed) and table and not table.has_named(event):
                why = [score.kind.value for score in event.scores] or [event.source.value]
                yield {"seat": event.seat, "points": event.points, "why": why}
            table = fold(table, (event,))


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

    def hear(self, line: Line) -> Answer:
        before = self._chronicle.table
        try:
            events = self._decide(line)
        except Refusal as refused:
            return self.stands(refused)
        self._chronicle = self._chronicle.after(events)
        return Answer(before, self._chronicle.table, events)

    def stands(self, refused: Refusal) -> Answer:
        """The answer to a line that is refused, or could not even be read."""
        return Answer(self._chronicle.table, self._chronicle.table, (), refused)

    def _decide(self, line: Line) -> tuple[e.Event, ...]:
        name = said_in(line)
        if name == "record":
            return self._chronicle.decide(game_of(line))
        if name in BACK_AND_FORTH:
            if line[name] is not True:
                raise NotARecord(f"{name} as true", quoted(line[name]))
            return self._chronicle.decide(BACK_AND_FORTH[name])
        table = self._chronicle.table
        if table is None:
            raise NoGame("a first line that names the game", quoted(dict(line)), mend='begin with {"record": 1, ...}')
        return self._unfold(ORDERS[name](line[name], table), table)

    def _unfold(self, orders: tuple[o.Order, ...], table: Table) -> tuple[e.Event, ...]:
        """What follows from the orders; and, where the table moves the pegs, from all it can count by itself."""
        events: tuple[e.Event, ...] = ()
        pending = list(orders)
        while pending:
            unfolded = unfold(table, pending.pop(0))
            events, table = events + tuple(unfolded.events), unfolded.table
            if not pending and not table.is_told and table.to_count and known_cards(table, *table.to_count):
                pending.append(o.CountNext())
        return events


def said_in(line: Line) -> str:
    """The one thing that the line says."""
    said = [name for name in ("record", *BACK_AND_FORTH, *ORDERS) if name in line]
    if len(said) != 1:
        expected = f"one of record, {', '.join((*BACK_AND_FORTH, *ORDERS))}"
        raise NotARecord(expected, ", ".join(said) or quoted(dict(line)))
    return said[0]


def game_of(line: Line) -> o.StartGame:
    """The first line: which game, who sits where, who deals, who moves the pegs."""
    if _whole(line["record"], "record") != VERSION:
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


def _deal(hands: Any, table: Table) -> tuple[o.Order, ...]:
    """One hand a seat, empty where it is not told. After a show the cards are gathered first; a second deal before the
    play is a misdeal mended."""
    is_hands = isinstance(hands, list) and all(isinstance(hand, list) for hand in hands)
    if not is_hands or len(hands) != len(table.names):
        raise NotARecord(f"deal with {len(table.names)} lists of cards", quoted(hands))
    first: tuple[o.Order, ...] = ()
    if table.phase in (Phase.SHOW, Phase.GATHER):
        first = (o.GatherCards(),)
    elif table.deal and any(table.deal.dealt):
        first = (o.Misdeal(),)
    return (*first, *(o.DealHand(Seat(seat), parse_cards(hand)) for seat, hand in enumerate(hands) if hand))


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


BACK_AND_FORTH: Mapping[str, o.Order] = {"undo": o.Undo(), "redo": o.Redo()}
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
