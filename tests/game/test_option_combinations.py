"""Options that cannot be combined are refused before the game; with all others a game can be played to its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.cribbage.compatibility import NEEDS
from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.rule_errors import OptionsClash, PointlessOption, Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import VARIANTS, consistent_rules, options_of, recorded_rules, rules_for
from firmware_host.game import commands as c
from firmware_host.game.decide import decide
from firmware_host.game.side import Mover
from firmware_host.game.state import Phase
from tests.game.random_player import RandomPlayer, play_game


def combined(variant: str, options: dict[str, str]) -> RuleSet:
    """The rules with as many of the options as can be combined."""
    rules = VARIANTS[variant]
    for name, value in options.items():
        try:
            rules = rules_for(variant, {**options_of(rules), name: value})
        except OptionsClash as clash:
            assert clash.expected and clash.got
    return rules


ANY_OPTIONS = st.fixed_dictionaries({}, optional={option.name: st.sampled_from(option.choices) for option in OPTIONS})


@settings(max_examples=25)
@given(st.sampled_from(sorted(VARIANTS)), ANY_OPTIONS, st.integers(0, 99), st.sampled_from([Mover.TABLE, Mover.ENTRY]))
def test_options_that_can_be_combined_can_be_played_to_the_end(
    variant: str, options: dict[str, str], seed: int, mover: Mover
) -> None:
    player, table = RandomPlayer(seed, care=0.9), None
    command: c.Command = player.begin(combined(variant, options), mover)
    for _ in range(5000):
        table = decide(table, command).table
        if table.phase is Phase.OVER:
            break
        command = player.next_command(table)
    assert table is not None and table.winner is not None


def single_options() -> Iterator[tuple[str, str, str]]:
    for variant in VARIANTS:
        for option in OPTIONS:
            for value in option.choices:
                yield variant, option.name, value


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "name", "value"), list(single_options()))
def test_each_option_alone_is_refused_or_can_be_played(variant: str, name: str, value: str) -> None:
    try:
        rules = rules_for(variant, {name: value})
    except OptionsClash as clash:
        assert name in {"players", "sides", "captain"} or name in {need.option for need in NEEDS}, clash
        return
    *_, last = play_game(rules, 1)
    assert last.table is not None and last.table.winner is not None


NEAR_THE_END = 12
"""Holes that every side has left in a short game."""


def short_game(rules: RuleSet, seed: int) -> tuple[list[tuple[int, ...]], int]:
    """The scores after every step, and the winner, of a game that begins near its end."""
    player = RandomPlayer(seed)
    scores = tuple(rules.target_of(side) - NEAR_THE_END for side in range(len(rules.sides)))
    table = decide(None, player.begin(rules, scores=scores)).table
    after = [table.scores]
    while table.phase is not Phase.OVER:
        table = decide(table, player.next_command(table)).table
        after.append(table.scores)
    assert table.winner is not None
    return after, table.winner


def fine_pairs() -> Iterator[tuple[str, dict[str, object]]]:
    """Each two choices that can be combined, in a variant that has both."""
    for one, other in combinations(OPTIONS, 2):
        for first, second in product(one.choices[1:], other.choices[1:]):
            options: dict[str, object] = {one.name: first, other.name: second}
            for variant in VARIANTS:
                with suppress(OptionsClash):
                    rules_for(variant, options)
                    yield variant, options
                    break


@pytest.mark.slow
def test_every_two_choices_that_go_together_can_be_played() -> None:
    pairs = list(fine_pairs())
    assert len(pairs) > 800
    for number, (variant, options) in enumerate(pairs):
        short_game(rules_for(variant, options), seed=number)


POINTLESS: tuple[tuple[str, dict[str, object]], ...] = (
    ("six_card", {"muggins_scope": "show"}),
    ("six_card", {"muggins_mode": "coach", "muggins_scope": "show"}),
    ("six_card", {"muggins_mode": "automatic", "muggins_window": "next_card"}),
    ("six_card", {"muggins_mode": "automatic", "false_claim": "none"}),
    ("six_card", {"muggins_mode": "claim", "muggins_scope": "show", "muggins_window": "next_card"}),
    ("six_card", {"auction_debt": "debt"}),
    ("four_single", {"auction_heels": "owner"}),
    ("three_hand", {"auction_when": "after_starter"}),
    ("six_card", {"direction": "counterclockwise"}),
    ("auction", {"go_three_plus": "stop"}),
)


@pytest.mark.parametrize(("variant", "options"), POINTLESS)
def test_a_pointless_option_changes_nothing(variant: str, options: dict[str, object]) -> None:
    with pytest.raises(PointlessOption):
        rules_for(variant, options)
    without, left_out = consistent_rules(variant, options)
    assert left_out
    for seed in range(10):
        assert short_game(recorded_rules(variant, options), seed) == short_game(without, seed)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param(c.StartGame(VARIANTS["six_card"], ("A",)), "2 names", id="too few names"),
        pytest.param(c.StartGame(VARIANTS["six_card"], ("A", "B"), sides_on_board=3), "2 sides", id="too many pegs"),
        pytest.param(
            c.StartGame(VARIANTS["six_card"], ("A", "B"), sides_on_board=-1), "2 sides", id="fewer than no pegs"
        ),
        pytest.param(c.StartGame(VARIANTS["six_card"], ("A", "B"), scores=(121, 0)), "0 to 120", id="won already"),
        pytest.param(c.StartGame(VARIANTS["six_card"], ("A", "B"), scores=(5,)), "each side", id="a score too few"),
        pytest.param(
            c.StartGame(rules_for("three_hand", {"captain": True}), ("A", "B", "C"), scores=(61, 0)),
            "60 and 120",
            id="a captain beyond 61",
        ),
    ],
)
def test_an_impossible_game_is_refused_at_its_start(command: c.StartGame, expected: str) -> None:
    with pytest.raises(Refusal, match=expected) as refused:
        decide(None, command)
    assert refused.value.kind == "not_a_seat"
