"""Which options go together: every pair of options with all of their choices, in all variants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

import pytest

from firmware_host.cribbage.compatibility import IMPOSSIBLE, NEEDS, VARIANT, Need, Verdict, verdict_of
from firmware_host.cribbage.options import OPTIONS, MugginsMode, Option
from firmware_host.cribbage.rule_errors import OptionsClash, PointlessOption
from firmware_host.cribbage.variants import (
    PRESETS,
    VARIANTS,
    consistent_rules,
    options_of,
    recorded_rules,
    rules_for,
)

NAMES = [option.name for option in OPTIONS]
WORST_FIRST = [Verdict.CONTRADICTORY, Verdict.POINTLESS, Verdict.FINE]

SETTINGS: tuple[tuple[str, Mapping[str, object]], ...] = (
    *((variant, {}) for variant in VARIANTS),
    ("six_card", {"muggins_mode": "claim"}),
    ("auction", {"players": 3}),
    ("auction", {"players": 4, "sides": "two_sides"}),
    ("three_hand", {"captain": "on"}),
)
"""What stands beside a pair: every variant, and what many options need before they can be changed at all."""


EVERYDAY = [SETTINGS[number] for number in (0, 3, 4, 9, 10)]


def choices_of(option: Option) -> tuple[object, ...]:
    return (*option.choices, [91, 61]) if option.name == "skunk_lines" else option.choices


def verdict_on(variant: str, options: Mapping[str, object]) -> Verdict:
    try:
        rules_for(variant, options)
    except PointlessOption:
        return Verdict.POINTLESS
    except OptionsClash:
        return Verdict.CONTRADICTORY
    return Verdict.FINE


Settings = Sequence[tuple[str, Mapping[str, object]]]


def worst_of_pairs(settings: Settings) -> dict[tuple[str, str], Verdict]:
    """Pair of options -> the worst that any two of their choices mean together, where each of them alone is fine."""
    worst = dict.fromkeys(combinations(NAMES, 2), Verdict.FINE)
    for variant, beside in settings:
        alone = {
            option.name: [
                choice
                for choice in choices_of(option)
                if verdict_on(variant, {**beside, option.name: choice}) is Verdict.FINE
            ]
            for option in OPTIONS
        }
        for one, other in worst:
            for first, second in product(alone[one], alone[other]):
                verdict = verdict_on(variant, {**beside, one: first, other: second})
                worst[one, other] = min(worst[one, other], verdict, key=WORST_FIRST.index)
    return worst


@pytest.mark.parametrize(
    "settings", [pytest.param(EVERYDAY, id="some"), pytest.param(SETTINGS, id="all", marks=pytest.mark.slow)]
)
def test_the_table_says_of_every_pair_what_its_choices_mean_together(settings: Settings) -> None:
    assert worst_of_pairs(settings) == {pair: verdict_of(*pair) for pair in combinations(NAMES, 2)}


def test_most_pairs_are_fine() -> None:
    verdicts = [verdict_of(one, other) for one, other in combinations(NAMES, 2)]
    assert len(verdicts) == 496
    assert [verdicts.count(verdict) for verdict in WORST_FIRST] == [19, 6, 471]


def test_needs_name_options_and_their_choices() -> None:
    choices = {option.name: option.choices for option in OPTIONS} | {VARIANT: tuple(VARIANTS)}
    for need in NEEDS:
        assert set(need.allowed) < set(choices[need.other])
        assert set(need.choices) < set(choices[need.option])
        assert need.sentence.endswith(".")
    assert {name for pair in IMPOSSIBLE for name in pair} <= set(NAMES)


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: f"{need.option}-{need.other}")
def test_each_need_is_refused_with_its_reason(need: Need) -> None:
    """Beside a choice that is not allowed, in some setting where it is the only thing wrong."""
    kinds = set()
    for variant, options in refusals_of(need):
        with pytest.raises(OptionsClash) as refused:
            rules_for(variant, options)
        if str(refused.value).startswith(f"{need.option}=") and need.other in str(refused.value):
            kinds.add(refused.value.kind)
            assert refused.value.sentence == need.sentence
    assert kinds == {"pointless_option" if need.verdict is Verdict.POINTLESS else "options_clash"}


def refusals_of(need: Need) -> Iterator[tuple[str, Mapping[str, object]]]:
    option = next(option for option in OPTIONS if option.name == need.option)
    others = (
        VARIANTS if need.other == VARIANT else dict.fromkeys(next(o for o in OPTIONS if o.name == need.other).choices)
    )
    for (variant, beside), choice, other in product(SETTINGS, option.choices, others):
        if other in need.allowed:
            continue
        options = {**beside, need.option: choice} | ({} if need.other == VARIANT else {need.other: other})
        where = other if need.other == VARIANT else variant
        if need.option == "skunk_lines":
            options["skunk_lines"] = [91, 61]
        if verdict_on(where, options) is not Verdict.FINE:
            yield where, options


def test_a_choice_that_is_usual_is_never_refused() -> None:
    for variant, rules in VARIANTS.items():
        for option in OPTIONS:
            usual = next((text for text, value in option.values.items() if value == getattr(rules, option.field)), None)
            if usual is not None:
                assert rules_for(variant, {option.name: usual}) == rules


def test_presets_go_together() -> None:
    for preset in PRESETS.values():
        assert consistent_rules(preset.variant, preset.options).left_out == ()


def test_earlier_choices_that_do_not_go_with_the_others_are_left_out() -> None:
    options = {"lowball": "on", "renege": "acc", "muggins_mode": "claim", "muggins_scope": "show"}
    rules, left_out = consistent_rules("six_card", options)
    assert rules == rules_for("six_card", {"lowball": "on"})
    assert [str(objection) for objection in left_out] == [
        "renege=acc contradicts lowball=on; choose lowball=off",
        "muggins_mode=claim contradicts lowball=on; choose lowball=off",
        "muggins_scope=show changes nothing beside muggins_mode=off; choose muggins_mode=claim or automatic",
    ]


def test_a_new_choice_is_refused_and_an_earlier_one_makes_room_for_it() -> None:
    earlier = {"muggins_mode": "claim", "muggins_scope": "show"}
    now_off = consistent_rules("six_card", {**earlier, "muggins_mode": "off"}, chosen=("muggins_mode",))
    assert now_off.rules == VARIANTS["six_card"]
    with pytest.raises(OptionsClash, match="renege"):
        consistent_rules("six_card", {"lowball": "on", "renege": "acc"}, chosen=("renege",))


def test_recorded_rules_keep_what_an_earlier_version_accepted() -> None:
    options = {"lowball": True, "muggins_mode": "automatic", "false_claim": "none", "skunk_lines": [91, 61]}
    rules = recorded_rules("six_card", options)
    assert rules.lowball and rules.muggins_mode is MugginsMode.AUTOMATIC
    assert recorded_rules("six_card", options_of(rules)) == rules
