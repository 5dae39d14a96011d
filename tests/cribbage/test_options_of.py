"""Rules written as options, and read back."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.rule_errors import OptionsClash, UnknownOption
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, REMOVED_OPTIONS, VARIANTS, options_of, recorded_rules, rules_for

CHOICES = {option.name: st.sampled_from(option.choices) for option in OPTIONS}
LISTS = {
    "skunk_lines": st.sampled_from([[91, 61], [31], [61], "none", "standard"]),
    "sides": st.sampled_from([[[0], [1]], [[0, 2], [1, 3]], [[0, 1], [2, 3]], [[0], [1, 2]], [[1], [0, 2]], "single"]),
}


def combined(variant: str, options: dict[str, object]) -> RuleSet:
    """The rules with as many of the options as can be combined."""
    taken: dict[str, object] = {}
    for name, value in options.items():
        with suppress(OptionsClash):
            rules_for(variant, taken | {name: value})
            taken[name] = value
    return rules_for(variant, taken)


@given(st.sampled_from(sorted(VARIANTS)), st.fixed_dictionaries({}, optional=CHOICES | LISTS))
def test_rules_written_as_options_read_back_the_same(variant: str, options: dict[str, object]) -> None:
    rules = combined(variant, options)
    written = json.loads(json.dumps(options_of(rules)))
    assert rules_for(rules.variant, written) == rules


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_plain_variant_needs_no_options(variant: str) -> None:
    assert options_of(VARIANTS[variant]) == {}


def test_only_differences_are_written() -> None:
    assert options_of(PRESETS["pub"].rules()) == {
        "target": 61,
        "muggins_mode": "claim",
        "muggins_scope": "show",
    }


def test_sides_and_skunk_lines_that_follow_from_captain_are_not_written() -> None:
    assert options_of(rules_for("three_hand", {"captain": "on"})) == {"captain": True}


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("six_card", {"skunk_lines": "none"}),
        ("five_card", {"target": 121, "skunk_lines": [31]}),
        ("six_card", {"lowball": True, "skunk_lines": [91, 61]}),
        ("three_hand", {"captain": True, "sides": [[1], [0, 2]]}),
        ("auction", {"players": 4, "sides": [[0, 1], [2, 3]]}),
    ],
)
def test_options_that_do_not_follow_from_others_are_written(variant: str, options: dict[str, object]) -> None:
    assert options_of(recorded_rules(variant, options)) == options


def test_a_removed_option_is_unknown_in_settings_and_commands() -> None:
    with pytest.raises(UnknownOption, match="start_ends"):
        rules_for("six_card", {"start_ends": "opposite"})


def test_a_removed_option_is_ignored_in_recorded_rules() -> None:
    assert recorded_rules("six_card", {"start_ends": "opposite", "target": 61}) == rules_for("six_card", {"target": 61})
    assert recorded_rules("five_card", {"start_ends": "opposite"}) is VARIANTS["five_card"]
    assert recorded_rules("five_card") is VARIANTS["five_card"]


def test_a_removed_option_is_not_offered() -> None:
    assert not REMOVED_OPTIONS & {option.name for option in OPTIONS}
