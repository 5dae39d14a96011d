"""Agreements that cannot go together are refused before the game; all others carry a game to its end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.refusals import OptionsClash, Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import VARIANTS, options_of, rules_for
from firmware_host.table import orders as o
from firmware_host.table.decide import unfold
from firmware_host.table.state import Mover, Phase
from tests.table.random_player import RandomPlayer, play_game


def agreed(variant: str, options: dict[str, str]) -> RuleSet:
    """The rules with as many of the options as go together."""
    rules = VARIANTS[variant]
    for name, value in options.items():
        try:
            rules = rules_for(variant, {**options_of(rules), name: value})
        except OptionsClash as clash:
            assert clash.expected and clash.got
    return rules


ANY_OPTIONS = st.fixed_dictionaries({}, optional={option.name: st.sampled_from(option.choices) for option in OPTIONS})


@settings(max_examples=25)
@given(st.sampled_from(sorted(VARIANTS)), ANY_OPTIONS, st.integers(0, 99), st.sampled_from([Mover.TABLE, Mover.WORD]))
def test_whatever_goes_together_can_be_played_to_the_end(
    variant: str, options: dict[str, str], seed: int, mover: Mover
) -> None:
    player, table = RandomPlayer(seed, care=0.9), None
    order: o.Order = player.begin(agreed(variant, options), mover)
    for _ in range(5000):
        table = unfold(table, order).table
        if table.phase is Phase.OVER:
            break
        order = player.next_order(table)
    assert table is not None and table.winner is not None


def single_agreements() -> Iterator[tuple[str, str, str]]:
    for variant in VARIANTS:
        for option in OPTIONS:
            for value in option.choices:
                yield variant, option.name, value


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "name", "value"), list(single_agreements()))
def test_each_agreement_alone_is_refused_or_can_be_played(variant: str, name: str, value: str) -> None:
    try:
        rules = rules_for(variant, {name: value})
    except OptionsClash as clash:
        assert name in {"players", "sides", "captain"}, clash
        return
    *_, last = play_game(rules, 1)
    assert last.table is not None and last.table.winner is not None


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        pytest.param(o.StartGame(VARIANTS["six_card"], ("A",)), "2 names", id="too few names"),
        pytest.param(o.StartGame(VARIANTS["six_card"], ("A", "B"), sides_on_board=3), "2 sides", id="too many pegs"),
        pytest.param(
            o.StartGame(VARIANTS["six_card"], ("A", "B"), sides_on_board=-1), "2 sides", id="fewer than no pegs"
        ),
        pytest.param(o.StartGame(VARIANTS["six_card"], ("A", "B"), scores=(121, 0)), "0 to 120", id="won already"),
        pytest.param(o.StartGame(VARIANTS["six_card"], ("A", "B"), scores=(5,)), "each side", id="a score too few"),
        pytest.param(
            o.StartGame(rules_for("three_hand", {"captain": True}), ("A", "B", "C"), scores=(61, 0)),
            "60 and 120",
            id="a captain beyond 61",
        ),
    ],
)
def test_a_game_that_cannot_be_is_refused_at_its_start(order: o.StartGame, expected: str) -> None:
    with pytest.raises(Refusal, match=expected) as refused:
        unfold(None, order)
    assert refused.value.kind == "not_a_seat"
