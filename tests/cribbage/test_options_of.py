"""Rules written down as the agreements that make them, and read back."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.refusals import OptionsClash
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, VARIANTS, options_of, rules_for

AGREEMENTS = {option.name: st.sampled_from(option.choices) for option in OPTIONS}
LISTS = {
    "skunk_lines": st.sampled_from([[91, 61], [31], [61], "none", "standard"]),
    "sides": st.sampled_from([[[0], [1]], [[0, 2], [1, 3]], [[0, 1], [2, 3]], [[0], [1, 2]], [[1], [0, 2]], "single"]),
}


def agreed(variant: str, options: dict[str, object]) -> RuleSet:
    """The rules with as many of the options as go together."""
    taken: dict[str, object] = {}
    for name, value in options.items():
        with suppress(OptionsClash):
            rules_for(variant, taken | {name: value})
            taken[name] = value
    return rules_for(variant, taken)


@given(st.sampled_from(sorted(VARIANTS)), st.fixed_dictionaries({}, optional=AGREEMENTS | LISTS))
def test_rules_written_as_options_read_back_the_same(variant: str, options: dict[str, object]) -> None:
    rules = agreed(variant, options)
    written = json.loads(json.dumps(options_of(rules)))
    assert rules_for(rules.variant, written) == rules


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_plain_variant_needs_no_options(variant: str) -> None:
    assert options_of(VARIANTS[variant]) == {}


def test_only_what_differs_is_written() -> None:
    assert options_of(PRESETS["pub"].rules()) == {
        "target": 61,
        "muggins_mode": "claim",
        "muggins_scope": "show",
    }


def test_a_captain_game_leaves_its_sides_and_skunks_unsaid() -> None:
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
def test_what_the_other_options_do_not_imply_is_written(variant: str, options: dict[str, object]) -> None:
    assert options_of(rules_for(variant, options)) == options
