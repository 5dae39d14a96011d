"""Options that cannot be combined are refused before the game; with all others a game can be played to its end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.rule_errors import OptionsClash, Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import VARIANTS, options_of, rules_for
from firmware_host.game import commands as c
from firmware_host.game.decide import decide
from firmware_host.game.state import Mover, Phase
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
        assert name in {"players", "sides", "captain"}, clash
        return
    *_, last = play_game(rules, 1)
    assert last.table is not None and last.table.winner is not None


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
