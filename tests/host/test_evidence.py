"""What only a sensor reports takes or gives no point: lost, foreign and magnetic pegs under the strictest rules."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.board.course import Hole
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import PRESETS, rules_for
from firmware_host.game import commands as c
from firmware_host.game.events import Breach, PegsOverran, PenaltyGiven
from firmware_host.game.rule_errors import MomentIsOver, NoBreach
from firmware_host.storage.journal import Journal
from firmware_host.tracking.readings import Fault
from tests.host.bench import HostBench

LONG_S = 5.0
"""Longer than the board waits for a peg that is out."""
GAME_HOLE = Hole(121)


@pytest.fixture
def bench() -> HostBench:
    """Ann has 30 and Ben 20 points on the continuous board, by ACC rules without muggins. Ben deals."""
    bench = HostBench(Journal.in_memory())
    begin(bench)
    return bench


def begin(bench: HostBench, scores: tuple[int, ...] = (30, 20), **options: object) -> None:
    strict = {**PRESETS["acc"].options, "muggins_mode": "off", **options}
    names = ("Ann", "Ben")
    start = c.StartGame(rules_for("six_card", strict), names, "continuous-121-2", 2, dealer=Seat(1), scores=scores)
    bench.host.execute(start)
    bench.wait(0.3)


def pegs(bench: HostBench, side: int) -> tuple[int, int]:
    """The holes of the back and the front peg where the game has them."""
    found = bench.table.sides[side].pegs
    return found.back, found.front


def penalties(bench: HostBench) -> list[object]:
    turns = bench.host.snapshot.history.turns_back()
    return [event for turn in turns for event in turn.events if isinstance(event, PenaltyGiven | PegsOverran)]


def play(bench: HostBench, *cards: str) -> None:
    for card in cards:
        bench.host.execute(c.PlayCard(parse_card(card)))
        bench.wait(0.1)


def test_front_peg_unseen_and_seen_again_restores_everything(bench: HostBench) -> None:
    play_a_pair(bench)
    front = pegs(bench, 1)[1]
    bench.lift(1, front)
    bench.wait(LONG_S)
    assert [fault.fault for fault in bench.host.snapshot.peg_faults] == [Fault.FRONT_OUT]
    bench.place(1, front)
    bench.wait(LONG_S)
    assert bench.table.scores == (30, 22) and bench.table.owed == (0, 0) and not bench.host.snapshot.peg_faults
    play(bench, "9D")
    assert bench.table.scores == (30, 22) and penalties(bench) == []


def play_a_pair(bench: HostBench) -> None:
    """Ben makes a pair and pegs it: his pegs stand in 20 and 22."""
    bench.host.execute(c.CutStarter(parse_card("KS")))
    play(bench, "7D", "7S")
    bench.leap(1, *(pegs(bench, 1)[0], 22))
    bench.wait(1.0)
    assert bench.table.scores == (30, 22)


def test_ruling_that_is_undone_is_not_made_again(bench: HostBench) -> None:
    play_a_pair(bench)
    bench.lift(1, 22)
    bench.wait(LONG_S)
    bench.keys("FN 10")
    assert bench.table.scores == (30, 20)
    bench.keys("UNDO")
    bench.wait(LONG_S)
    assert bench.table.scores == (30, 22)
    bench.place(1, 22)
    bench.wait(LONG_S)
    assert bench.table.scores == (30, 22) and not bench.host.snapshot.peg_faults


def test_points_pegged_in_another_track_are_no_points(bench: HostBench) -> None:
    bench.host.execute(c.CutStarter(parse_card("KS")))
    play(bench, "7D", "7S")
    bench.lift(1, pegs(bench, 1)[0])
    bench.wait(0.4)
    bench.place(0, 33)
    bench.wait(LONG_S)
    (fault,) = bench.host.snapshot.peg_faults[:1]
    assert (fault.fault, fault.track, fault.lacking) == (Fault.FOREIGN_LANE, 0, (1,))
    assert bench.table.scores == (30, 20) and bench.table.owed == (0, 2)
    bench.lift(0, 33)
    bench.wait(0.4)
    bench.place(1, 22)
    bench.wait(LONG_S)
    assert bench.table.scores == (30, 22) and not bench.host.snapshot.peg_faults


def test_penalty_for_one_foreign_peg_is_given_once_also_after_an_undo(bench: HostBench) -> None:
    bench.lift(1, pegs(bench, 1)[0])
    bench.wait(0.4)
    bench.place(0, 33)
    bench.wait(LONG_S)
    (ruling,) = bench.host.snapshot.input_context.rulings
    bench.host.execute(ruling)
    with pytest.raises(NoBreach):
        bench.host.execute(ruling)
    bench.wait(0.1)
    assert bench.table.owed == (0, 2)
    bench.keys("UNDO")
    with pytest.raises(NoBreach):
        bench.host.execute(ruling)
    assert bench.table.owed == (0, 0)


@pytest.mark.parametrize("chosen", [0, 1])
def test_front_peg_in_another_track_has_one_penalty_of_two(bench: HostBench, chosen: int) -> None:
    """Either somebody else moved it, and its owner gets two points, or its owner took it out."""
    play_a_pair(bench)
    bench.lift(1, 22)
    bench.wait(0.4)
    bench.place(0, 33)
    bench.wait(LONG_S)
    rulings = bench.host.snapshot.input_context.rulings
    assert [ruling.breach for ruling in rulings] == [Breach.FOREIGN_PEG, Breach.FRONT_PEG]
    bench.host.execute(rulings[chosen])
    bench.wait(0.1)
    assert not bench.host.snapshot.input_context.rulings
    bench.keys("FN 10")  # a second tap
    assert bench.table.scores == ((30, 22) if chosen == 0 else (30, 20))
    assert bench.table.owed == ((0, 2) if chosen == 0 else (0, 0))


def test_magnet_over_the_game_hole_claims_no_game(bench: HostBench) -> None:
    begin(bench, (100, 20))
    bench.host.execute(c.CutStarter(parse_card("KS")))
    play(bench, "7D", "8S", "9H")  # three for Ann
    back, front = pegs(bench, 0)
    bench.lift(0, back)
    bench.place(0, GAME_HOLE)
    bench.wait(LONG_S)
    bench.lift(0, GAME_HOLE)
    bench.wait(0.4)
    bench.place(0, front + 3)
    bench.wait(LONG_S)
    assert bench.table.winner is None
    assert bench.table.scores == (103, 20) and bench.table.owed == (0, 0)
    assert not any(isinstance(event, PenaltyGiven) for event in penalties(bench))


@pytest.mark.parametrize("muggins", ["off", "automatic", "claim"])
def test_peg_in_a_hole_that_does_not_react_loses_nothing(bench: HostBench, muggins: str) -> None:
    begin(bench, muggins_mode=muggins)
    bench.host.execute(c.CutStarter(parse_card("KS")))
    play(bench, "7D", "7S")
    bench.lift(1, pegs(bench, 1)[0])  # into hole 22, which is dead
    bench.wait(0.5)
    play(bench, "2D", "3D")
    assert bench.table.sides[1].owed == 2 and bench.table.misses == () and bench.table.scores == (30, 20)
    bench.place(1, 22)
    bench.wait(1.0)
    assert bench.table.scores == (30, 22)


def test_peg_that_seems_to_go_back_keeps_its_score(bench: HostBench) -> None:
    """By ACC rules a move back stays. But a ring beside a peg that is in a hand looks the same."""
    play_a_pair(bench)
    bench.lift(1, 22)
    bench.place(1, 21)
    bench.wait(LONG_S)
    assert bench.table.scores == (30, 22) and bench.table.owed == (0, 1)
    bench.lift(1, 21)
    bench.place(1, 22)
    bench.wait(LONG_S)
    assert bench.table.scores == (30, 22) and bench.table.owed == (0, 0)


def test_leap_that_seems_to_be_taken_back_is_not_missed_at_the_next_card(bench: HostBench) -> None:
    """The peg that leapt is not seen, and another side's peg stands where it came from."""
    play_a_pair(bench)
    bench.lift(1, 22)
    bench.place(1, 0)
    bench.wait(1.0)
    assert bench.table.owed == (0, 2)
    play(bench, "2D")
    assert bench.table.owed == (0, 2)
    bench.lift(1, 0)
    bench.place(1, 22)
    bench.wait(1.0)
    assert bench.table.scores == (30, 22) and bench.table.owed == (0, 0)


def test_leap_that_only_the_sensors_saw_is_taken_back_also_after_the_deal(bench: HostBench) -> None:
    """A ring lies ahead while a peg is out, before any card of the deal is entered."""
    bench.lift(0, 0)
    bench.place(0, 41)
    bench.wait(1.0)
    assert bench.table.scores == (41, 20)
    bench.host.execute(c.DealHand(Seat(0), parse_cards("2C 4H 6S 8D TC QC")))
    bench.lift(0, 41)
    bench.place(0, 0)
    bench.wait(LONG_S)
    assert bench.table.scores == (30, 20) and bench.table.owed == (0, 0)


def test_command_of_an_earlier_moment_is_refused(bench: HostBench) -> None:
    bench.host.execute(c.CutStarter(parse_card("KS")))
    play(bench, "7D", "7S")
    moment = bench.host.snapshot.history.count
    bench.host.execute(c.Undo(), moment)
    with pytest.raises(MomentIsOver):
        bench.host.execute(c.Undo(), moment)
    bench.wait(0.1)
    assert bench.table.deal and bench.table.deal.play and len(bench.table.deal.play.laid) == 1


@pytest.mark.parametrize(
    ("variant", "teams", "sides"),
    [
        ("six_card", None, 2),
        ("four_partners", None, 2),
        ("three_hand", None, 3),
        ("six_hand", "three_sides", 3),
        ("four_single", None, 4),
    ],
)
def test_foreign_peg_is_paid_to_its_owner_between_all_pairs_of_sides(
    variant: str, teams: str | None, sides: int
) -> None:
    plan = load_plan(f"continuous-121-{sides}")
    rules = rules_for(variant, {"foreign_peg": "penalty"} | ({"sides": teams} if teams else {}))
    names = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")[: rules.players]
    for owner in range(sides):
        for track in set(range(sides)) - {owner}:
            bench = HostBench(Journal.in_memory())
            bench.setup = replace(bench.setup, plans=(plan,))
            bench.switch_on()
            bench.host.execute(c.StartGame(rules, names, plan.id, sides, dealer=Seat(0), scores=(20,) * sides))
            bench.wait(0.2)
            bench.lift(owner, 0)
            bench.wait(0.4)
            bench.place(track, 24)
            bench.wait(LONG_S)
            assert bench.table.scores == (20,) * sides and not any(bench.table.owed)
            name = bench.table.side_name(owner)
            shown = " ".join(text for text, _ in bench.host.snapshot.oled_page)
            assert shown.startswith(f"{name}: wrong track")
            assert f"FN 10: 2 to {name}" in shown
            bench.keys("FN 10")
            assert "FN 10" not in " ".join(text for text, _ in bench.host.snapshot.oled_page)
            assert bench.table.owed == tuple(2 * (side == owner) for side in range(sides))
