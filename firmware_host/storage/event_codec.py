"""Encodes events as a kind, a version and a JSON body, and decodes those of every earlier version.

Rule: every version of the program reads what any earlier version wrote. The kinds below belong to the journal format;
they are not class names. When the fields of an event change, raise VERSION and make `decode` convert the bodies of
earlier versions. Rules are written as the options that differ from their variant, so a changed default is such a change
too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar, get_type_hints

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.rule_errors import quoted
from firmware_host.cribbage.variants import options_of, recorded_rules
from firmware_host.errors import HostError
from firmware_host.game import events as e

T = TypeVar("T")

VERSION = 2
"""1: the first version. 2: `hand_counted` has `is_minimum`; a body without it is decoded as false."""

EVENTS: Mapping[str, type[e.Event]] = {
    "game_started": e.GameStarted,
    "club_game_began": e.ClubGameBegan,
    "program_deals": e.ProgramDeals,
    "opponent_joined": e.OpponentJoined,
    "deal_began": e.DealBegan,
    "pack_shuffled": e.PackShuffled,
    "pack_dealt": e.PackDealt,
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
    "points_withheld": e.PointsWithheld,
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


class CodecError(HostError):
    """A kind, version or body that cannot be decoded into an event."""


def encode(event: e.Event) -> tuple[str, int, str]:
    """The kind, version and JSON body of an event, as the columns of the journal take them."""
    return KINDS[type(event)], VERSION, json.dumps(plain(event, RULES_IN), separators=(",", ":"))


def decode(kind: str, version: int, body: str) -> e.Event:
    """The inverse of `encode`, for versions 1 to VERSION. Raises CodecError for anything that `encode` cannot write."""
    where = f"event {quoted(kind)}"
    if version > VERSION:
        raise CodecError(f"version {VERSION} at most", str(version), where, "update cribboard, a newer one wrote this")
    if kind not in EVENTS:
        raise CodecError("a kind of event that cribboard knows", quoted(kind), where, "update cribboard")
    try:
        return read_plain(json.loads(body), EVENTS[kind], RULES_IN)
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as fault:
        raise CodecError(
            "the fields it was written with",
            f"{type(fault).__name__}: {fault}",
            where,
            "restore the journal from a backup",
        ) from fault


RulesIn = Mapping[type, tuple[str, ...]]
"""Event class -> the path of field names to the rules in it."""

RULES_IN: RulesIn = {e.GameStarted: ("rules",)}


def plain(event: Struct, rules_in: RulesIn) -> Any:
    """An event as JSON types: an object. A record inside it is the list of its fields, and a card its name.

    Rules are written as their variant and the options that differ from it. msgspec would write their fields, and asks
    no hook about a Struct; so they are replaced before.
    """
    if path := rules_in.get(type(event)):
        event = _with_plain_rules(event, path)
    return to_builtins(event, enc_hook=_plain_card)


def read_plain(values: Any, kind: type[T], rules_in: RulesIn) -> T:
    """The inverse of `plain`. Raises TypeError, ValueError or LookupError for values that `plain` cannot write.

    The JSON comes from the parser of the standard library: a name that was typed on a phone may have half of a
    surrogate pair, which that of msgspec refuses.
    """
    if path := rules_in.get(kind):
        _read_rules(values, kind, path)
    return convert(values, kind, dec_hook=_read_card)


def _with_plain_rules(struct: Any, path: tuple[str, ...]) -> Any:
    name, *rest = path
    inner = getattr(struct, name)
    written = (
        _with_plain_rules(inner, tuple(rest)) if rest else {"variant": inner.variant, "options": options_of(inner)}
    )
    return replace(struct, **{name: written})


def _read_rules(values: Any, kind: Any, path: tuple[str, ...]) -> None:
    """Replaces the rules at the end of the path by a RuleSet, which `convert` takes as it is."""
    name, *rest = path
    place = kind.__struct_fields__.index(name) if kind.__struct_config__.array_like else name
    if rest:
        _read_rules(values[place], get_type_hints(kind)[name], tuple(rest))
    else:
        values[place] = recorded_rules(**values[place])


def _plain_card(value: object) -> str:
    if isinstance(value, Card):
        return str(value)
    raise TypeError(f"expected a type that the journal can write, got {type(value).__name__}")


def _read_card(kind: type, value: object) -> Card:
    if kind is Card:
        return parse_card(value, rank_only=True)
    raise TypeError(f"expected a type that the journal can read, got {kind.__name__}")
