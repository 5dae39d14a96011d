"""The agreements as the new-game dialog offers them: in groups, each with its sentence, and as every game has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from firmware_host.cribbage.options import OPTIONS, Choice, Option
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, VARIANTS, options_of, rules_for

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Seats and deal": (
        "players",
        "sides",
        "direction",
        "first_dealer",
        "next_game_dealer",
        "three_for_last",
        "captain",
    ),
    "The play": ("play_extent", "must_play", "go_points", "go_three_plus", "play_flush", "renege"),
    "The show": ("crib_flush", "heels"),
    "Muggins": ("muggins_mode", "muggins_scope", "muggins_window", "false_claim"),
    "Pegs": ("pegging_policy", "front_peg_removed", "foreign_peg", "start_ends"),
    "The end and the match": ("skunk_lines", "match_points", "lowball"),
    "The auction": ("auction_when", "auction_debt", "auction_heels"),
}
"""Every agreement but the target, which the dialog asks for by itself."""

SWITCHED = {"off": "No", "on": "Yes"}


@dataclass(frozen=True, slots=True)
class OfferedGame:
    """A preset or a variant. `values` has every agreement by its name: what is played unless somebody changes it."""

    name: str
    sentence: str
    rules: RuleSet
    values: Mapping[str, str]
    usual: Mapping[str, str]
    """The same of its variant: what need not be said when the game begins."""


@cache
def presets() -> tuple[OfferedGame, ...]:
    return tuple(_offered(name, preset.sentence, preset.rules()) for name, preset in PRESETS.items())


@cache
def variants() -> tuple[OfferedGame, ...]:
    return tuple(_offered(name, "", rules) for name, rules in VARIANTS.items())


@cache
def options_by_name() -> Mapping[str, Option]:
    return {option.name: option for option in OPTIONS}


def sentence_of(option: Option, text: str) -> str:
    """What a choice means: its own sentence, or the bare word or number where it has none."""
    value = option.values[text]
    return value.sentence if isinstance(value, Choice) else SWITCHED.get(text, text)


def _offered(name: str, sentence: str, rules: RuleSet) -> OfferedGame:
    return OfferedGame(name, sentence, rules, values_of(rules), values_of(VARIANTS[rules.variant]))


def values_of(rules: RuleSet) -> Mapping[str, str]:
    """Every agreement of a game, as the text of the choice that leads to it."""
    return {option.name: _value(option, rules) for option in OPTIONS}


def _value(option: Option, rules: RuleSet) -> str:
    plainly = (text for text, value in option.values.items() if value == getattr(rules, option.field))
    return next(plainly, "") or next(text for text in option.choices if _leads_to(rules, option.name, text))


def _leads_to(rules: RuleSet, option: str, choice: str) -> bool:
    """What follows from other agreements, as sides and skunk lines do, is found by trying."""
    try:
        return rules_for(rules.variant, {**options_of(rules), option: choice}) == rules
    except Refusal:
        return False
