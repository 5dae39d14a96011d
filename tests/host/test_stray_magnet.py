"""A magnet that somebody holds over a track while its pegs stay in place: the score on the simulated board."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.side import SideState
from firmware_host.storage.journal import Journal
from tests.host.bench import HostBench

ANN, BEN = Seat(0), Seat(1)
BEN_TRACK = 1


@pytest.fixture(params=["correct", "acc"])
def bench(request: pytest.FixtureRequest) -> HostBench:
    """Ben's pegs are on their way: 33 and 40."""
    bench = HostBench(Journal.in_memory())
    rules = rules_for("six_card", {"pegging_policy": request.param})
    bench.host.execute(c.StartGame(rules, ("Ann", "Ben"), "classic-61", 2, dealer=BEN, scores=(30, 33)))
    bench.wait(0.2)
    bench.leap(BEN_TRACK, bench.host.plan.course(121).holes_of(bench.table.sides[BEN_TRACK].pegs)[0], 40)
    bench.wait(6)
    return bench


def hop(bench: HostBench, holes: range, rest_s: float, pause_s: float) -> None:
    for hole in holes:
        bench.place(BEN_TRACK, hole)
        bench.wait(rest_s)
        bench.lift(BEN_TRACK, hole)
        bench.wait(pause_s)


def ben(bench: HostBench) -> SideState:
    return bench.table.sides[BEN_TRACK]


def play_two_sevens(bench: HostBench) -> None:
    """Every card is known, and Ben has two points to peg."""
    for seat, hand in ((ANN, "7H 7D 2C 3C"), (BEN, "7S KD QD JD")):
        bench.host.execute(c.DealHand(seat, parse_cards(hand)))
    bench.host.execute(c.CutStarter(parse_card("TC")))
    bench.host.execute(c.PlayCard(parse_card("7H")))
    bench.host.execute(c.PlayCard(parse_card("7S")))
    bench.wait(0.2)


@pytest.mark.parametrize("rest_s", [0.4, 1.0, 3.0])
def test_magnet_in_ever_higher_holes_moves_no_score(bench: HostBench, rest_s: float) -> None:
    hop(bench, range(44, 62, 3), rest_s, pause_s=rest_s)
    assert ben(bench).pegs.front == 40
    bench.wait(8)
    assert ben(bench).pegs.front == 40 and bench.host.turn_count == 2


@pytest.mark.parametrize("are_cards_known", [False, True])
def test_points_that_a_magnet_moved_like_a_hand_are_given_back(bench: HostBench, are_cards_known: bool) -> None:
    if are_cards_known:
        play_two_sevens(bench)
    before = ben(bench)
    hop(bench, range(41, 47, 2), 0.2, pause_s=0.15)
    hop(bench, range(48, 57, 4), 2.0, pause_s=0.4)
    assert ben(bench).pegs.front == 56
    bench.wait(8)
    assert (ben(bench).pegs, ben(bench).rightful, ben(bench).owed) == (before.pegs, before.rightful, before.owed)
