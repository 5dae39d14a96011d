"""Events as text that outlives the program: a kind, a version, and a JSON body.

Rule: what was once written must read for ever. The kinds below are words of the journal, not names of classes; when the
fields of an event change, raise VERSION and teach `decode` the bodies of the versions before. Rules are written as the
options in which they differ from their variant, so a changed default is such a change too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, NewType, get_args, get_origin, get_type_hints

from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.refusals import quoted
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import options_of, rules_for
from firmware_host.faults import HostFault
from firmware_host.table import events as e

VERSION = 1

EVENTS: Mapping[str, type[e.Event]] = {
    "game_started": e.GameStarted,
    "deal_began": e.DealBegan,
    "hand_dealt": e.HandDealt,
    "cards_laid_away": e.CardsLaidAway,
    "crib_filled": e.CribFilled,
    "bid_made": e.BidMade,
    "crib_sold": e.CribSold,
    "starter_cut": e.StarterCut,
    "card_played": e.CardPlayed,
    "go_said": e.GoSaid,
    "play_ended": e.PlayEnded,
    "hand_counted": e.HandCounted,
    "count_skipped": e.CountSkipped,
    "points_due": e.PointsDue,
    "peg_leapt": e.PegLeapt,
    "peg_adjusted": e.PegAdjusted,
    "pegs_allowed": e.PegsAllowed,
    "points_missed": e.PointsMissed,
    "muggins_taken": e.MugginsTaken,
    "pegs_overran": e.PegsOverran,
    "penalty_given": e.PenaltyGiven,
    "pegs_set_back": e.PegsSetBack,
    "renege_found": e.RenegeFound,
    "score_corrected": e.ScoreCorrected,
    "game_won": e.GameWon,
    "turn_undone": e.TurnUndone,
    "turn_redone": e.TurnRedone,
}
"""Kind -> event. Kinds may be added, and never renamed."""

KINDS: Mapping[type[e.Event], str] = {event: kind for kind, event in EVENTS.items()}

Reader = Callable[[Any], Any]
"""Turns what JSON holds back into a field. Raises TypeError, ValueError or LookupError for anything else."""


class CodecError(HostFault):
    """Text that does not read back into an event."""


def encode(event: e.Event) -> tuple[str, int, str]:
    """The kind, version and JSON body of an event."""
    body = {field.name: _plain(getattr(event, field.name)) for field in fields(event)}
    return KINDS[type(event)], VERSION, json.dumps(body, separators=(",", ":"))


def decode(kind: str, version: int, body: str) -> e.Event:
    """The inverse of `encode`, of this version and all before. Raises CodecError."""
    where = f"event {quoted(kind)}"
    if version > VERSION:
        raise CodecError(f"version {VERSION} at most", str(version), where, "update cribboard, a newer one wrote this")
    if kind not in EVENTS:
        raise CodecError("a kind of event that cribboard knows", quoted(kind), where, "update cribboard")
    try:
        told = json.loads(body)
        event: e.Event = EVENTS[kind](**{name: _READERS[kind][name](value) for name, value in told.items()})
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as fault:
        raise CodecError(
            "the fields it was written with", f"{type(fault).__name__}: {fault}", where, "restore the file from a copy"
        ) from fault
    return event


def _plain(value: object) -> object:
    """The value as JSON can hold it. Records inside an event shrink to a list of their fields."""
    match value:
        case Card():
            return str(value)
        case Enum():
            return value.value
        case RuleSet():
            return {"variant": value.variant, "options": options_of(value)}
        case tuple():
            return [_plain(item) for item in value]
        case str() | int():
            return value
        case _:
            return [_plain(getattr(value, field.name)) for field in fields(value)]  # type: ignore[arg-type]


@cache
def _reader(hint: Any) -> Reader:
    """What reads a field of this type. Raises TypeError when the program starts, never later."""
    if hint in _PLAIN_READERS:
        return _PLAIN_READERS[hint]
    if isinstance(hint, NewType):
        return _reader(hint.__supertype__)
    if get_origin(hint) is tuple and get_args(hint)[1:] == (...,):
        return _tuple_of(_reader(get_args(hint)[0]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _record_of(hint, *_readers(hint).values())
    raise TypeError(f"expected a type that the journal can write, got {hint}")


def _readers(record: Any) -> dict[str, Reader]:
    """Field -> what reads it."""
    return {name: _reader(hint) for name, hint in get_type_hints(record).items()}


def _tuple_of(read: Reader) -> Reader:
    return lambda values: tuple(map(read, _exactly(list)(values)))


def _record_of(record: Any, *readers: Reader) -> Reader:
    return lambda values: record(*(read(value) for read, value in zip(readers, values, strict=True)))


def _exactly(kind: type) -> Reader:
    """JSON's own types, and no guesses: true is no number here."""

    def read(value: object) -> object:
        if type(value) is not kind:
            raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
        return value

    return read


_PLAIN_READERS: Mapping[Any, Reader] = {
    bool: _exactly(bool),
    int: _exactly(int),
    str: _exactly(str),
    Card: lambda text: parse_card(text, rank_only=True),
    RuleSet: lambda told: rules_for(**told),
}

_READERS = {kind: _readers(event) for kind, event in EVENTS.items()}
