"""The lines of a game record as commands. RECORDS.md describes them; `LINE_READERS` has a reader for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from firmware_host.cribbage.cards import Card, parse_card, parse_cards
from firmware_host.cribbage.names import name_key
from firmware_host.cribbage.rule_errors import Refusal, did_you_mean, quoted
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import recorded_rules
from firmware_host.game import commands as c
from firmware_host.game.record_answer import CRIB, HAND
from firmware_host.game.rule_errors import PegsMoveThemselves
from firmware_host.game.showing import check_show_order, current_showing
from firmware_host.game.state import Phase, Table

VERSION = 1
"""The version of the record format that a first line must name."""


class NotARecord(Refusal, ValueError):
    """The line is no line of a game record."""

    kind = "not_a_record"


Line = Mapping[str, Any]
"""One line of a record, as JSON gives it."""


def line_kind(line: Line) -> str:
    """The one field by which the line is known; `comment` for a line with nothing else. Raises NotARecord unless there
    is exactly one."""
    kinds = (FIRST, *UNDO_COMMANDS, *LINE_READERS)
    found = [name for name in kinds if name in line]
    if not found and COMMENT in line:
        return COMMENT
    if len(found) != 1:
        meant = next(filter(None, (did_you_mean(name, kinds) for name in line)), "") if not found else ""
        raise NotARecord(f"one of {', '.join(kinds)}", ", ".join(found) or quoted(dict(line)), fix=meant)
    return found[0]


def commands_of(name: str, value: Any, table: Table) -> tuple[c.Command, ...]:
    """The commands of a line of this kind. Raises NotARecord, with an example of such a line, or NotACard."""
    try:
        return LINE_READERS[name](value, table)
    except NotARecord as refused:
        if refused.fix:
            raise
        raise NotARecord(refused.expected, refused.got, fix=f"write {EXAMPLES[name]}") from refused


def start_game_of(line: Line) -> c.StartGame:
    """The first line as a command. Raises NotARecord, or what `rules_for` refuses."""
    if _whole(line["record"], "record") != VERSION:
        raise NotARecord(f"record {VERSION}", quoted(line["record"]), fix="read it with a newer cribboard")
    pegging = line.get("pegging", "automatic")
    if pegging not in ("automatic", "manual"):
        raise NotARecord('pegging "automatic" or "manual"', quoted(pegging))
    options = dict(_optional(line, "options", dict) or {})
    if (sides := _optional(line, "sides", list)) is not None:
        options["sides"] = sides
    variant = line.get("variant")
    names = _optional(line, "seats", list)
    if isinstance(variant, str) and names is not None and variant == "auction":
        options.setdefault("players", len(names))
    is_named = names is not None and all(isinstance(name, str) for name in names)
    if is_named and isinstance(options.get("sides"), list):
        options["sides"] = [_seats_of_side(side, names) for side in options["sides"]]
    rules = recorded_rules(variant, options)  # type: ignore[arg-type]  # rules_for checks the type
    if not is_named:
        raise NotARecord(f"seats, {rules.players} names", quoted(line.get("seats")), fix=f"write {EXAMPLES[FIRST]}")
    scores = _optional(line, "scores", list)
    return c.StartGame(
        rules,
        tuple(names),
        points_are_entered=pegging == "manual",
        dealer=_seat_number(line.get("dealer"), names, "dealer"),
        scores=None if scores is None else tuple(_whole(score, "scores") for score in scores),
    )


def _seats_of_side(side: Any, names: Sequence[str]) -> Any:
    """The side with its names as numbers; the rules check anything else."""
    if not isinstance(side, list):
        return side
    return [_seat_number(seat, names, "seat") if isinstance(seat, str) else seat for seat in side]


def _deal(hands: Any, table: Table) -> tuple[c.Command, ...]:
    """One hand a seat, empty where it is unknown. After a show the cards are gathered first; a second deal before the
    starter replaces the first one."""
    is_hands = isinstance(hands, list) and all(isinstance(hand, list) for hand in hands)
    if not is_hands or len(hands) != len(table.names):
        raise NotARecord(f"deal with {len(table.names)} lists of cards", quoted(hands))
    first: tuple[c.Command, ...] = ()
    if table.phase in (Phase.SHOW, Phase.GATHER):
        first = (c.NextDeal(table.deal.number if table.deal else None),)
    elif table.deal and any(table.deal.dealt):
        first = (c.Misdeal(is_exposed=True),)
    return (*first, *(c.DealHand(Seat(seat), parse_cards(hand)) for seat, hand in enumerate(hands) if hand))


def _misdeal(value: Any, table: Table) -> tuple[c.Command, ...]:
    """Too many or too few cards were dealt, or else a card was exposed."""
    if value not in MISDEALS:
        raise NotARecord(f"misdeal as one of {', '.join(MISDEALS)}", quoted(value))
    return (c.Misdeal(is_exposed=value == EXPOSED),)


def _discard(value: Any, table: Table) -> tuple[c.Command, ...]:
    seat, cards = _pair(value, table, "lay_away")
    if not isinstance(cards, list):
        raise NotARecord("lay_away with a list of cards", quoted(cards))
    return (c.DiscardCards(seat, parse_cards(cards)),)


def _from_stock(cards: Any, table: Table) -> tuple[c.Command, ...]:
    if not isinstance(cards, list):
        raise NotARecord("from_stock with a list of cards", quoted(cards))
    return (c.FillCrib(parse_cards(cards)),)


def _bid(value: Any, table: Table) -> tuple[c.Command, ...]:
    seat, points = _pair(value, table, "bid")
    return (c.Bid(None if points == "pass" else _whole(points, "bid"), seat),)


def _starter(card: Any, table: Table) -> tuple[c.Command, ...]:
    return (c.CutStarter(parse_card(card)),)


def _play(value: Any, table: Table) -> tuple[c.Command, ...]:
    seat, card = _pair(value, table, "play")
    return (c.PlayCard(parse_card(card, rank_only=True), seat),)


def _go(seat: Any, table: Table) -> tuple[c.Command, ...]:
    return (c.SayGo(_seat(seat, table)),)


def _end_play(value: Any, table: Table) -> tuple[c.Command, ...]:
    """Where the play has ended by itself, the line is right and changes nothing."""
    if value is not True:
        raise NotARecord("end_play as true", quoted(value))
    return () if table.phase in (Phase.SHOW, Phase.GATHER) else (c.EndPlay(),)


def _count(value: Any, table: Table) -> tuple[c.Command, ...]:
    """A count, with the cards where they are not known from the deal or the play."""
    cards = None
    if isinstance(value, list) and len(value) == 3:
        *value, cards = value
        if not isinstance(cards, list):
            raise NotARecord("count with a list of cards", quoted(cards))
    return (_showing(value, table, "count", None if cards is None else parse_cards(cards)),)


def _skip(value: Any, table: Table) -> tuple[c.Command, ...]:
    """The hand or crib goes uncounted; only the one that is next can be skipped."""
    named = _showing(value, table, "skip")
    _, _, (seat, is_crib) = current_showing(table)
    check_show_order(table, named, seat, is_crib)
    return (c.SkipHand(),)


def _showing(value: Any, table: Table, name: str, cards: tuple[Card, ...] | None = None) -> c.CountHand:
    seat, what = _pair(value, table, name)
    if what not in (HAND, CRIB):
        raise NotARecord(f'{name} of "{HAND}" or "{CRIB}"', quoted(what))
    return c.CountHand(cards, seat, is_crib=what == CRIB)


def _peg(value: Any, table: Table) -> tuple[c.Command, ...]:
    """Points that a seat takes. Raises PegsMoveThemselves where the points of a record move by themselves."""
    seat, points = _pair(value, table, "peg")
    if not table.points_are_entered:
        raise PegsMoveThemselves("points that move by themselves", "points entered")
    return (c.EnterPoints(table.rules.side_of(seat), _whole(points, "peg")),)


def _claim(value: Any, table: Table) -> tuple[c.Command, ...]:
    seat, points = _pair(value, table, "claim")
    return (c.ClaimMuggins(table.rules.side_of(seat), _whole(points, "claim")),)


EXPOSED = "exposed"
MISDEALS = ("number", EXPOSED)
"""What went wrong with a deal: the number of cards, or a card that was seen."""
FIRST = "record"
COMMENT = "comment"
UNDO_COMMANDS: Mapping[str, c.Command] = {"undo": c.Undo(), "redo": c.Redo()}
LINE_READERS: Mapping[str, Callable[[Any, Table], tuple[c.Command, ...]]] = {
    "deal": _deal,
    "misdeal": _misdeal,
    "lay_away": _discard,
    "from_stock": _from_stock,
    "bid": _bid,
    "starter": _starter,
    "play": _play,
    "go": _go,
    "end_play": _end_play,
    "count": _count,
    "skip": _skip,
    "peg": _peg,
    "claim": _claim,
}
EXAMPLES: Mapping[str, str] = {
    FIRST: '{"record": 1, "variant": "six_card", "seats": ["Ann", "Ben"], "dealer": "Ben"}',
    "deal": '{"deal": [["5H", "5S", "7D", "8C", "9S", "KD"], []]}',
    "misdeal": '{"misdeal": "number"}',
    "lay_away": '{"lay_away": [0, ["9S", "KD"]]}',
    "from_stock": '{"from_stock": ["TS"]}',
    "bid": '{"bid": [0, 6]}',
    "starter": '{"starter": "5C"}',
    "play": '{"play": [0, "5H"]}',
    "go": '{"go": 0}',
    "end_play": '{"end_play": true}',
    "count": '{"count": [0, "hand"]}',
    "skip": '{"skip": [0, "hand"]}',
    "peg": '{"peg": [0, 8]}',
    "claim": '{"claim": [0, 3]}',
    "undo": '{"undo": true}',
    "redo": '{"redo": true}',
}
"""A right line of each kind, for error messages."""


def _pair(value: Any, table: Table, name: str) -> tuple[Seat, Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise NotARecord(f"{name} with a seat and one more value", quoted(value))
    return _seat(value[0], table), value[1]


def _seat(value: Any, table: Table) -> Seat:
    seat = _seat_number(value, table.names, "seat")
    if not 0 <= seat < len(table.names):
        raise NotARecord(f"a seat from 0 to {len(table.names) - 1}", str(seat))
    return seat


def _seat_number(value: Any, names: Sequence[str], field: str) -> Seat:
    """A seat by its number, which is not checked, or by the name of its player, in capitals or not."""
    if not isinstance(value, str):
        return Seat(_whole(value, field, "a seat number or a name"))
    found = [seat for seat, name in enumerate(names) if name == value]
    found = found or [seat for seat, name in enumerate(names) if name_key(name) == name_key(value)]
    if len(found) > 1:
        raise NotARecord(f"the number of the seat, since two have this name, as {field}", quoted(value))
    if not found:
        raise NotARecord(f"a seat number or one of {quoted(list(names))} as {field}", quoted(value))
    return Seat(found[0])


def _whole(value: Any, name: str, expected: str = "a whole number") -> int:
    if type(value) is not int:
        raise NotARecord(f"{expected} as {name}", quoted(value))
    return value


def _optional(line: Line, name: str, kind: type) -> Any:
    """The field; None where it is absent or null. Raises NotARecord if it is of another type."""
    value = line.get(name)
    if value is not None and not isinstance(value, kind):
        raise NotARecord(f"{name} as a {kind.__name__}", quoted(value))
    return value
