"""Which house rules go together: the options that have no effect, or make no sense, beside others.

A need names one option and the choices of another one under which it may be changed. Everything that is not listed is
fine: any two such options can be combined. The page of a new game and RULES.md show the same list.

Options are refused only where somebody chooses them now. Journals and records of earlier games are read as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from msgspec import Struct

from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.rules import RuleSet

VARIANT = "variant"
"""Stands for the variant among the names of options."""


class Verdict(Enum):
    """What changing one option means beside a choice of another one."""

    FINE = "fine"
    POINTLESS = "pointless"
    """It changes nothing."""
    CONTRADICTORY = "contradictory"
    """Each undoes what the other is for."""


class Need(Struct, frozen=True):
    """`option` may be changed from what is usual in its variant only while `other` is one of `allowed`."""

    option: str
    other: str
    allowed: tuple[str, ...]
    verdict: Verdict
    """What it is otherwise: pointless or contradictory."""
    sentence: str
    """The reason or hint for people."""
    choices: tuple[str, ...] = ()
    """The choices of `option` that need it; none: all but the usual one."""

    def is_met(self, values: Mapping[str, str]) -> bool:
        """Whether `other` is as it has to be. `values`: see `values_of`."""
        return values[self.other] in self.allowed


def _needs(
    options: str,
    other: str,
    allowed: str,
    verdict: Verdict,
    sentence: str,
    choices: tuple[str, ...] = (),
) -> Iterator[Need]:
    for option in options.split():
        yield Need(option, other, tuple(allowed.split()), verdict, sentence, choices)


_POINTLESS = Verdict.POINTLESS
_CONTRADICTORY = Verdict.CONTRADICTORY
_REWARD = "In lowball this would be a reward. Leave one of them out."
_ALL_BUT_AUCTION = "six_card five_card seven_card three_hand four_partners four_single five_hand six_hand"

NEEDS: tuple[Need, ...] = (
    *_needs(
        "muggins_scope", "muggins_mode", "claim automatic", _POINTLESS, "This needs muggins by claim, or automatic."
    ),
    *_needs("muggins_window false_claim", "muggins_mode", "claim", _POINTLESS, "This needs muggins by claim."),
    *_needs("muggins_window", "muggins_scope", "both", _POINTLESS, "This needs muggins in the play."),
    *_needs(
        "auction_debt auction_heels auction_when", VARIANT, "auction", _POINTLESS, "This is for the auction game only."
    ),
    *_needs("direction go_three_plus", "players", "3 4 5 6", _POINTLESS, "With two players this changes nothing."),
    *_needs("three_for_last", "players", "2", _CONTRADICTORY, "This is for two players only."),
    *_needs(
        "pegging_policy renege front_peg_removed foreign_peg heels misdeal stinkhole go_limit",
        "lowball",
        "off",
        _CONTRADICTORY,
        _REWARD,
    ),
    *_needs("muggins_mode", "lowball", "off", _CONTRADICTORY, _REWARD, choices=("claim", "automatic")),
    *_needs("lowball", VARIANT, _ALL_BUT_AUCTION, _CONTRADICTORY, "In lowball the price of a crib would be a gain."),
    *_needs("skunk_lines", "lowball", "off", _CONTRADICTORY, "Lowball has no skunks."),
    *_needs("skunk_lines", "captain", "off", _CONTRADICTORY, "Captain has no skunks."),
    *_needs("go_limit", "target", "121", _CONTRADICTORY, "This is for games to 121 only."),
    *_needs("go_limit", "captain", "off", _CONTRADICTORY, "This is for games to 121 only."),
)
"""Every need, the governing option after the one that it governs."""

IMPOSSIBLE = (
    ("sides", "players"),
    ("sides", "captain"),
    ("captain", "players"),
    ("captain", "target"),
    ("skunk_lines", "target"),
)
"""Pairs of which some choices make no game at all: `variants.py` refuses these in old journals and records too."""


class Objection(Struct, frozen=True):
    """A choice that does not go with another one."""

    need: Need
    choice: str
    other_choice: str

    def __str__(self) -> str:
        """What is wrong and what to change, on one line, for logs and the command line."""
        need = self.need
        means = "changes nothing beside" if need.verdict is Verdict.POINTLESS else "contradicts"
        kept = " or ".join(need.allowed)
        return f"{need.option}={self.choice} {means} {need.other}={self.other_choice}; choose {need.other}={kept}"


def values_of(rules: RuleSet) -> dict[str, str]:
    """Option -> the text of its choice, and the variant by its name. Empty where a list was given."""
    return {VARIANT: rules.variant} | {
        option.name: next((text for text, value in option.values.items() if value == getattr(rules, option.field)), "")
        for option in OPTIONS
    }


def objections_to(rules: RuleSet, changed: Mapping[str, object]) -> tuple[Objection, ...]:
    """What is against these rules. `changed`: their options that are not usual in the variant, as `options_of` gives
    them."""
    values = values_of(rules)
    return tuple(
        Objection(need, values[need.option] or str(changed[need.option]), values[need.other])
        for need in NEEDS
        if need.option in changed
        and (not need.choices or values[need.option] in need.choices)
        and not need.is_met(values)
    )


def verdict_of(one: str, other: str) -> Verdict:
    """The worst that changing two options can mean, whichever way round they are named."""
    pair = {one, other}
    found = {need.verdict for need in NEEDS if {need.option, need.other} == pair}
    if _CONTRADICTORY in found or any(set(names) == pair for names in IMPOSSIBLE):
        return _CONTRADICTORY
    return _POINTLESS if found else Verdict.FINE
