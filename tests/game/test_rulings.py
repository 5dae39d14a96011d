"""Penalties for pegs go to whom the rules name, between all pairs of sides of all variants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decide import decide
from firmware_host.game.evolve import evolve
from firmware_host.game.rule_errors import GameIsOver, NoBreach, NotASeat
from firmware_host.game.state import Phase, Table

STRICT = {"foreign_peg": "penalty", "front_peg_removed": "becomes_rear", "pegging_policy": "acc"}


def table_of(variant: str, score: int = 40, **options: object) -> Table:
    rules = rules_for(variant, STRICT | options)
    sides = len(rules.sides)
    names = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")[: rules.players]
    start = c.StartGame(rules, names, "", sides, dealer=Seat(0), scores=(score,) * sides)
    return decide(None, start).table


def pairs() -> Iterator[tuple[str, int, int]]:
    for variant in VARIANTS:
        sides = range(len(rules_for(variant, {}).sides))
        yield from ((variant, side, other) for side in sides for other in sides if side != other)


PAIRS = tuple(pairs())


@pytest.mark.parametrize(("variant", "side", "owner"), PAIRS)
def test_owner_of_the_moved_peg_gets_two_points(variant: str, side: int, owner: int) -> None:
    table = decide(table_of(variant), c.RuleBreach(side, e.Breach.FOREIGN_PEG, owner)).table
    assert table.owed == tuple(2 * (number == owner) for number in range(len(table.sides)))


@pytest.mark.parametrize(("variant", "side", "other"), PAIRS)
def test_front_peg_taken_out_costs_its_own_side_only(variant: str, side: int, other: int) -> None:
    table = table_of(variant)
    pegs = TrackPegs(33, 40)
    table = table.with_side(side, replace(table.sides[side], pegs=pegs, settled=pegs))
    after = decide(table, c.RuleBreach(side, e.Breach.FRONT_PEG)).table
    assert after.sides[side].pegs == TrackPegs(32, 33) and after.scores[side] == 33
    assert after.sides[other] == table.sides[other]


@pytest.mark.parametrize(("variant", "side", "other"), PAIRS)
def test_excess_goes_to_the_next_side_on_the_left(variant: str, side: int, other: int) -> None:
    """To no partner, and to nobody before the players say so."""
    moved = moved_too_far(table_of(variant), side)
    assert moved.sides[side].unfined_excess == 7 and moved.scores == (40,) * len(moved.sides)
    after = decide(moved, c.RuleBreach(side, e.Breach.OVERRUN)).table
    seats = after.rules.sides[other]
    is_next = (after.rules.sides[side][0] + 1) % after.rules.players in seats
    assert after.sides[other].owed == (7 if is_next else 0)
    assert after.sides[side].goal_hole == 40
    with pytest.raises(NoBreach):
        decide(after, c.RuleBreach(side, e.Breach.OVERRUN))


def moved_too_far(table: Table, side: int) -> Table:
    """The table after a move by seven holes for nothing, which the board has reported."""
    pegs = TrackPegs(40, 47)
    moved = replace(table.sides[side], pegs=pegs, is_checked=True, reported_excess=7)
    return table.with_side(side, moved)


def test_false_game_goes_back_fifteen_when_the_players_say_so() -> None:
    table = table_of("six_card", 114)
    pegs = TrackPegs(114, 121)
    table = table.with_side(0, replace(table.sides[0], pegs=pegs, is_checked=True, reported_excess=7))
    after = decide(table, c.RuleBreach(0, e.Breach.FALSE_GAME)).table
    assert tuple(side.rightful for side in after.sides) == (99, 121)


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (c.RuleBreach(0, e.Breach.OVERRUN), NoBreach),
        (c.RuleBreach(0, e.Breach.RENEGE), NoBreach),
        (c.RuleBreach(0, e.Breach.FOREIGN_PEG), NoBreach),
        (c.RuleBreach(0, e.Breach.FOREIGN_PEG, 0), NoBreach),
        (c.RuleBreach(0, e.Breach.FOREIGN_PEG, 2), NotASeat),
        (c.RuleBreach(2, e.Breach.OVERRUN), NotASeat),
    ],
)
def test_breach_that_is_none_is_refused(command: c.RuleBreach, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        decide(table_of("six_card"), command)


@pytest.mark.parametrize("breach", [e.Breach.FOREIGN_PEG, e.Breach.FRONT_PEG, e.Breach.OVERRUN])
def test_rules_without_the_penalty_refuse_it(breach: e.Breach) -> None:
    restore: dict[str, Any] = {"foreign_peg": "restore", "front_peg_removed": "restore", "pegging_policy": "correct"}
    with pytest.raises(NoBreach):
        decide(moved_too_far(table_of("six_card", 40, **restore), 0), c.RuleBreach(0, breach, 1))


def test_no_penalty_is_given_after_the_game() -> None:
    won = replace(table_of("six_card"), phase=Phase.OVER, winner=0)
    with pytest.raises(GameIsOver):
        decide(won, c.RuleBreach(1, e.Breach.FRONT_PEG))


def test_old_journal_with_a_penalty_given_at_once_offers_it_no_more() -> None:
    table = evolve(e.PenaltyGiven(1, 7, e.Breach.OVERRUN), moved_too_far(table_of("six_card"), 0))
    assert table.sides[0].unfined_excess == 0
    with pytest.raises(NoBreach):
        decide(table, c.RuleBreach(0, e.Breach.OVERRUN))
