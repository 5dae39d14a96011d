"""Whole games against the program, on a simulated board with a fake clock."""

from __future__ import annotations

import pytest

from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.game import commands as c
from firmware_host.game.rule_errors import NotForPeople
from firmware_host.game.state import Phase
from tests.opponent.person import Person
from tests.simulation.stepped_host import SteppedHost

SIX = rules_for("six_card", {"target": 61})


@pytest.mark.parametrize("level", [Level.BEGINNER, *(pytest.param(x, marks=pytest.mark.slow) for x in Level)])
def test_program_plays_a_whole_game_at_every_level(level: Level) -> None:
    person = Person(SteppedHost(load_plan("classic-61")), SIX, (None, level))
    person.play()
    assert max(person.table.scores) == 61 and not person.host.snapshot.peg_faults


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_program_plays_every_variant(variant: str) -> None:
    rules = rules_for(variant, {"target": 121} if variant == "seven_card" else {})
    levels = (None, *(Level.BEGINNER for _ in range(rules.players - 1)))
    person = Person(SteppedHost(load_plan("continuous-121-3")), rules, levels)
    person.play()
    assert person.table.winner is not None


def until(person: Person, phase: Phase) -> None:
    for _ in range(2000):
        if person.table.phase is phase:
            return
        person.opponent.act(person.host.snapshot)
        person.host.pass_time(0.1)
        if person.table.phase is not phase:
            person.act()
    raise AssertionError(person.table.phase)


@pytest.fixture
def person() -> Person:
    return Person(SteppedHost(load_plan("classic-61")), SIX, (None, Level.CLUB))


def wait_for_turn(person: Person, seat: int) -> None:
    """Until the seat is to play, and no peg is to be moved."""
    for _ in range(500):
        if person.table.to_play == seat and not any(person.table.owed):
            return
        if person.table.to_play != seat or any(person.table.owed):
            person.opponent.act(person.host.snapshot)
        person.host.pass_time(0.1)
        if person.table.to_play != seat or any(person.table.owed):
            person.act()
    raise AssertionError(person.table.to_play)


def test_nobody_plays_for_the_program(person: Person) -> None:
    until(person, Phase.PLAY)
    wait_for_turn(person, 1)
    deal = person.table.deal
    assert deal
    with pytest.raises(NotForPeople):
        person.host.submit(c.PlayCard(deal.in_hand(Seat(1))[0]))
    with pytest.raises(NotForPeople):
        person.host.submit(c.SayGo())


def test_undo_takes_back_what_the_program_answered(person: Person) -> None:
    until(person, Phase.PLAY)
    wait_for_turn(person, 0)
    before = person.table
    while person.table.to_play == 0:
        person.act()
    turns = len([*person.host.snapshot.history.turns_back()])
    while len([*person.host.snapshot.history.turns_back()]) == turns:
        person.opponent.act(person.host.snapshot)
        person.host.pass_time(0.1)
    person.host.submit(c.Undo())
    assert person.table == before


def test_program_is_never_quicker_than_its_pace(person: Person) -> None:
    until(person, Phase.PLAY)
    wait_for_turn(person, 1)
    before_s = person.host.now_s
    person.opponent.act(person.host.snapshot)
    assert person.host.now_s - before_s > person.host.setup.opponent_pace_s - 0.001


def test_program_waits_for_pegs_that_people_owe(person: Person) -> None:
    until(person, Phase.PLAY)
    for _ in range(500):
        person.opponent.act(person.host.snapshot)
        person.host.pass_time(0.1)
        if person.table.owed[0] > 0 and person.table.to_play == 1:
            turn = person.host.snapshot.history.last
            for _ in range(50):
                person.opponent.act(person.host.snapshot)
                person.host.pass_time(0.1)
            assert person.host.snapshot.history.last is turn
            return
        person.act() if not person.table.owed[0] else person.peg(0)
    pytest.fail("nobody earned a point on the way")
