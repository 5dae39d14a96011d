"""The house rules as questions: their groups, texts and answers, and their values in every preset and variant.

A question has a title, a short answer for each choice, which stands in its row, and the full sentences of
`cribbage/options.py`, which are shown when the row is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from firmware_host.cribbage.options import OPTIONS, Choice, Option
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, VARIANTS, options_of, recorded_rules

NOT_ASKED = frozenset({"target", "players", "sides", "captain"})
"""Options that a new game asks about elsewhere: how far, how many, and who plays with whom."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Muggins": ("muggins_mode", "muggins_scope", "muggins_window", "false_claim"),
    "Players and deal": (
        "players",
        "sides",
        "captain",
        "first_dealer",
        "next_game_dealer",
        "direction",
        "three_for_last",
        "misdeal",
    ),
    "The play": ("play_extent", "must_play", "go_points", "go_three_plus", "go_limit", "play_flush", "renege"),
    "The show": ("crib_flush", "heels"),
    "Pegs": ("pegging_policy", "front_peg_removed", "foreign_peg"),
    "End of game and match": ("stinkhole", "skunk_lines", "match_points", "lowball"),
    "The auction": ("auction_when", "auction_debt", "auction_heels"),
}
"""Group -> its house rules. All of them except the target, which is asked for by itself."""

ANSWERS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "players": ("Number of players", {}),
    "sides": ("Teams", {"single": "none", "two_sides": "two", "three_sides": "three"}),
    "direction": ("Direction of play", {"clockwise": "to the left", "counterclockwise": "to the right"}),
    "first_dealer": ("First dealer", {"lowest": "lowest card", "highest": "highest card", "manual": "you choose"}),
    "next_game_dealer": (
        "First dealer of the next game",
        {"loser": "the loser", "winner": "the winner", "alternate": "the next seat"},
    ),
    "three_for_last": (
        "Three points for not dealing",
        {"off": "no", "once": "once a game", "every_deal": "each deal"},
    ),
    "play_extent": ("How much is played", {"all_cards": "all cards", "one_series": "to the first 31"}),
    "must_play": ("After a go", {"always": "must play", "after_go_optional": "may pass"}),
    "go_points": (
        "Points for a go",
        {"last_card": "one for last", "per_pass": "one each go", "per_card_after_go": "one each card"},
    ),
    "go_three_plus": ("Who plays on after a go", {"continue": "all who can", "stop": "nobody after two"}),
    "go_limit": ("Until when a go counts", {"none": "always", "115": "up to 115"}),
    "crib_flush": ("Flush in the crib", {"five_only": "five cards", "four_ok": "four cards"}),
    "play_flush": ("Flush in the play", {"off": "no", "three_up": "three or more"}),
    "heels": ("Time to peg his heels", {"claimable": "until the show", "forfeit": "until a card"}),
    "stinkhole": (
        "One hole before the end",
        {"off": "any point wins", "heels_and_go": "no heels, no go", "heels": "no heels", "show_only": "only the show"},
    ),
    "misdeal": ("A misdeal", {"redeal": "costs nothing", "two_points": "two points"}),
    "muggins_mode": (
        "Muggins",
        {"off": "off", "coach": "remind us", "claim": "by claim", "automatic": "automatic"},
    ),
    "muggins_scope": ("Where muggins counts", {"both": "everywhere", "show": "in the show"}),
    "muggins_window": ("How long to claim", {"acc": "until points", "next_card": "until a card"}),
    "false_claim": ("A wrong claim", {"penalty": "costs the points", "none": "costs nothing"}),
    "pegging_policy": ("A wrong peg move", {"correct": "is corrected", "acc": "has a penalty"}),
    "renege": (
        "A false go",
        {"correct": "is corrected", "acc": "two points a card", "two_flat": "two points"},
    ),
    "front_peg_removed": (
        "Front peg taken out",
        {"restore": "is put back", "becomes_rear": "loses the points"},
    ),
    "foreign_peg": ("Another’s peg moved", {"restore": "is put back", "penalty": "two points"}),
    "skunk_lines": ("Skunks", {"standard": "as usual", "none": "no"}),
    "match_points": ("Match points for a win", {"acc": "2, skunk 3", "games": "1, skunk 2, double 3"}),
    "auction_debt": ("Bids above your score", {"limit": "no", "debt": "yes"}),
    "auction_heels": ("Who gets his heels", {"dealer": "the dealer", "owner": "the crib’s owner"}),
    "auction_when": (
        "When the crib is sold",
        {"before_starter": "before the starter", "after_starter": "after the starter"},
    ),
    "lowball": ("Lowball", {"off": "no", "on": "yes"}),
    "captain": ("Captain", {"off": "no", "on": "yes"}),
}
"""House rule -> its title, and choice -> short answer. Choices that are numbers have none."""

SWITCH_LABELS = {"off": "No.", "on": "Yes."}


class Answer(Struct, frozen=True):
    """One choice of a house rule. The texts are not translated yet."""

    choice: str
    short: str
    sentence: str


class Question(Struct, frozen=True):
    """One house rule. The texts are not translated yet."""

    name: str
    group: str
    title: str
    sentence: str
    answers: tuple[Answer, ...]


class OfferedGame(Struct, frozen=True):
    """A preset or a variant, with the choice of each house rule by its name."""

    name: str
    rules: RuleSet
    values: Mapping[str, str]
    changes: Mapping[str, str]
    """The choices in which it differs from its variant."""


@cache
def questions() -> tuple[Question, ...]:
    """Every house rule that has a group, in the order of the groups."""
    by_name = {option.name: option for option in OPTIONS}
    return tuple(_question(by_name[name], group) for group, names in GROUPS.items() for name in names)


def _question(option: Option, group: str) -> Question:
    title, short = ANSWERS[option.name]
    answers = tuple(Answer(text, short.get(text, text), sentence_of(option, text)) for text in option.choices)
    return Question(option.name, group, title, option.sentence, answers)


@cache
def presets() -> tuple[OfferedGame, ...]:
    """The named games, each with its own choices."""
    return tuple(offered(name, preset.rules()) for name, preset in PRESETS.items())


@cache
def variants() -> tuple[OfferedGame, ...]:
    """Every variant with its default choices."""
    return tuple(offered(name, rules) for name, rules in VARIANTS.items())


def sentence_of(option: Option, text: str) -> str:
    """The text of a choice, not translated yet; the bare word or number if it has none."""
    value = option.values[text]
    return value.sentence if isinstance(value, Choice) else SWITCH_LABELS.get(text, text)


def offered(name: str, rules: RuleSet) -> OfferedGame:
    """These rules with the choice of each house rule."""
    values = values_of(rules)
    usual = values_of(VARIANTS[rules.variant])
    return OfferedGame(name, rules, values, {key: value for key, value in values.items() if value != usual[key]})


def values_of(rules: RuleSet) -> Mapping[str, str]:
    """House rule -> its choice, for every house rule; empty where lists were given instead of a named choice."""
    return {option.name: _value(option, rules) for option in OPTIONS}


def _value(option: Option, rules: RuleSet) -> str:
    direct = (text for text, value in option.values.items() if value == getattr(rules, option.field))
    return next(direct, "") or next((text for text in option.choices if _leads_to(rules, option.name, text)), "")


def _leads_to(rules: RuleSet, option: str, choice: str) -> bool:
    """Whether this choice gives the same rules. Needed for options that depend on others: sides and skunk lines."""
    try:
        return recorded_rules(rules.variant, {**options_of(rules), option: choice}) == rules
    except Refusal:
        return False


def texts() -> tuple[str, ...]:
    """All texts of this module, for the catalogues."""
    short = (text for _title, answers in ANSWERS.values() for text in answers.values() if not text.isdecimal())
    return tuple(dict.fromkeys((*GROUPS, *(title for title, _answers in ANSWERS.values()), *short)))
