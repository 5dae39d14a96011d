"""Encodes events as a kind, a version and a JSON body, and decodes those of every earlier version.

Rule: what was once written can be read for ever. The kinds below belong to the journal format; they are not class
names. When the fields of an event change, raise VERSION and make `decode` convert the bodies of earlier versions. Rules
are written as the options that differ from their variant, so a changed default is such a change too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, NewType, get_args, get_origin, get_type_hints

from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.rule_errors import quoted
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import options_of, recorded_rules
from firmware_host.errors import HostError
from firmware_host.game import events as e

VERSION = 2
"""1: the first version. 2: `hand_counted` has `is_minimum`; a body without it is decoded as false."""

EVENTS: Mapping[str, type[e.Event]] = {
    "game_started": e.GameStarted,
    "club_game_began": e.ClubGameBegan,
    "deal_began": e.DealBegan,
    "hand_dealt": e.HandDealt,
    "cards_laid_away": e.CardsDiscarded,
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
    "claims_ended": e.ClaimsEnded,
    "muggins_taken": e.MugginsTaken,
    "pegs_overran": e.PegsOverran,
    "penalty_given": e.PenaltyGiven,
    "pegs_set_back": e.PegsSetBack,
    "renege_found": e.RenegeFound,
    "score_corrected": e.ScoreCorrected,
    "game_won": e.GameWon,
    "result_confirmed": e.ResultConfirmed,
    "turn_undone": e.TurnUndone,
    "turn_redone": e.TurnRedone,
}
"""Kind -> event class. Kinds may be added, and never renamed."""

KINDS: Mapping[type[e.Event], str] = {event: kind for kind, event in EVENTS.items()}

Reader = Callable[[Any], Any]
"""Converts a JSON value into the value of a field. Raises TypeError, ValueError or LookupError if it cannot."""


class CodecError(HostError):
    """A kind, version or body that cannot be decoded into an event."""


def encode(event: e.Event) -> tuple[str, int, str]:
    """The kind, version and JSON body of an event, as the columns of the journal take them."""
    body = {field.name: plain_value(getattr(event, field.name)) for field in fields(event)}
    return KINDS[type(event)], VERSION, json.dumps(body, separators=(",", ":"))


def decode(kind: str, version: int, body: str) -> e.Event:
    """The inverse of `encode`, for versions 1 to VERSION. Raises CodecError for anything that `encode` cannot write."""
    where = f"event {quoted(kind)}"
    if version > VERSION:
        raise CodecError(f"version {VERSION} at most", str(version), where, "update cribboard, a newer one wrote this")
    if kind not in EVENTS:
        raise CodecError("a kind of event that cribboard knows", quoted(kind), where, "update cribboard")
    try:
        values = json.loads(body)
        event: e.Event = EVENTS[kind](**{name: _READERS[kind][name](value) for name, value in values.items()})
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as fault:
        raise CodecError(
            "the fields it was written with",
            f"{type(fault).__name__}: {fault}",
            where,
            "restore the journal from a backup",
        ) from fault
    return event


def plain_value(value: object) -> object:
    """The value of a field in JSON types. A record inside an event becomes the list of its fields."""
    match value:
        case Card():
            return str(value)
        case Enum():
            return value.value
        case RuleSet():
            return {"variant": value.variant, "options": options_of(value)}
        case tuple():
            return [plain_value(item) for item in value]
        case str() | int():
            return value
        case _:
            return [plain_value(getattr(value, field.name)) for field in fields(value)]  # type: ignore[arg-type]


@cache
def _reader(hint: Any) -> Reader:
    """The reader for a field of this type. Raises TypeError when this module is imported, never later."""
    if hint in _PLAIN_READERS:
        return _PLAIN_READERS[hint]
    if isinstance(hint, NewType):
        return _reader(hint.__supertype__)
    if get_origin(hint) is tuple and get_args(hint)[1:] == (...,):
        return _tuple_of(_reader(get_args(hint)[0]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _record_of(hint, *readers_of(hint).values())
    raise TypeError(f"expected a type that the journal can write, got {hint}")


def readers_of(record: Any) -> dict[str, Reader]:
    """Field name -> its reader. Raises TypeError for a type that has none: call it when the module is imported."""
    return {name: _reader(hint) for name, hint in get_type_hints(record).items()}


def _tuple_of(read: Reader) -> Reader:
    return lambda values: tuple(map(read, _exactly(list)(values)))


def _record_of(record: Any, *readers: Reader) -> Reader:
    return lambda values: record(*(read(value) for read, value in zip(readers, values, strict=True)))


def _exactly(kind: type) -> Reader:
    """A reader that accepts this type only. `isinstance` would take JSON's true for an int."""

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
    RuleSet: lambda given: recorded_rules(**given),
}

_READERS = {kind: readers_of(event) for kind, event in EVENTS.items()}
