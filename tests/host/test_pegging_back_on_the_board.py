"""Prices, penalties and repairs on the simulated board: what the lights ask for, and what is booked when it is done."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from firmware_host.board.course import AT_START, START_HOLES, Course, Hole, TrackPegs
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import events as e
from firmware_host.game.commands import Bid, CorrectScore, CutStarter, DealHand, PlayCard, SayGo, StartGame, Undo
from firmware_host.game.state import Phase
from firmware_host.storage.journal import Journal
from firmware_host.tracking.way_back import WayBack
from firmware_host.ui.lights.lights import Signal
from firmware_host.ui.texts.messages import turn_message
from tests.host.bench import HostBench
from web_panel.views.actions import actions
from web_panel.views.state import state_view

BOARDS = (("classic-61", 61), ("classic-61", 121), ("continuous-121-2", 61), ("continuous-121-2", 121))
on_every_board = pytest.mark.parametrize(("board", "target"), BOARDS)
MOVES = (Signal.FROM, Signal.WRONG)


@pytest.fixture
def bench() -> Iterator[HostBench]:
    bench = HostBench(Journal.in_memory())
    yield bench
    bench.host.stop()


def begin(
    bench: HostBench, board: str, target: int, pegs: TrackPegs, variant: str = "six_card", **options: str
) -> None:
    """Starts a game that Ben deals and puts Ann's pegs at these scores."""
    rules = rules_for(variant, {"target": target, **options})
    bench.host.execute(StartGame(rules, ("Ann", "Ben"), board, dealer=Seat(1), scores=(pegs.back, 20)))
    bench.wait(0.2)
    bench.leap(0, 0, course(bench).hole_of(pegs.front))
    assert bench.table.sides[0].pegs == pegs


def course(bench: HostBench) -> Course:
    return bench.host.plan.course(bench.table.rules.target)


def lit(bench: HostBench, track: int = 0) -> dict[Signal, Hole]:
    """Where the lights of a track ask for a move."""
    signals = [shown for shown in bench.host.snapshot.signals if shown.track == track]
    return {shown.signal: shown.hole for shown in signals if shown.signal in (*MOVES, Signal.TO)}


def follow(bench: HostBench, track: int = 0) -> int:
    """Makes every move that the lights ask for; returns how many there were."""
    for moves in range(4):
        shown = lit(bench, track)
        if Signal.TO not in shown:
            return moves
        origin = next(shown[signal] for signal in MOVES if signal in shown)
        bench.leap(track, origin, shown[Signal.TO])
        bench.wait(2.0)
        assert not bench.host.snapshot.peg_faults
    raise AssertionError("the lights do not stop asking for moves")


def booked(bench: HostBench, side: int = 0) -> list[TrackPegs]:
    """The pegs after each move of a side that was booked, oldest first."""
    turns = reversed(list(bench.host.snapshot.history.turns_back()))
    moves = (event for turn in turns for event in turn.events if isinstance(event, e.PegLeapt | e.PegAdjusted))
    return [move.pegs for move in moves if move.side == side]


def buy_crib(bench: HostBench, price: int) -> None:
    bench.host.execute(Bid(price, Seat(0)))
    bench.host.execute(Bid(None, Seat(1)))
    bench.wait(0.1)


@on_every_board
@pytest.mark.parametrize(
    ("pegs", "price", "goal", "moves"),
    [
        (TrackPegs(40, 47), 5, TrackPegs(40, 42), 1),
        (TrackPegs(52, 57), 5, TrackPegs(51, 52), 1),
        (TrackPegs(52, 57), 8, TrackPegs(48, 49), 2),
        (TrackPegs(3, 9), 8, TrackPegs(0, 1), 2),
        (TrackPegs(3, 9), 9, TrackPegs(0, 0), 2),
    ],
    ids=["ahead of the back peg", "to the back peg", "behind the back peg", "beside the start", "to the start"],
)
def test_a_price_is_paid_by_the_lights(
    bench: HostBench, board: str, target: int, pegs: TrackPegs, price: int, goal: TrackPegs, moves: int
) -> None:
    begin(bench, board, target, pegs, "auction")
    buy_crib(bench, price)
    assert bench.first_line == f"Ann: back {price} → {goal.front}"
    assert bench.table.scores[0] == goal.front
    assert follow(bench) == moves
    assert (bench.table.sides[0].pegs, bench.table.sides[0].owed, bench.table.phase) == (goal, 0, Phase.DEAL)
    assert booked(bench) == [pegs, goal]
    assert bench.first_line == "Starter card?"


@pytest.mark.parametrize("board", ["classic-61", "continuous-121-2"])
@pytest.mark.parametrize("is_back_first", [False, True])
@pytest.mark.parametrize("are_crossed", [False, True])
def test_a_price_across_the_lap_border_in_any_order(
    bench: HostBench, board: str, is_back_first: bool, are_crossed: bool
) -> None:
    begin(bench, board, 121, TrackPegs(57, 62), "auction")
    buy_crib(bench, 8)
    way = WayBack(course(bench), TrackPegs(57, 62), TrackPegs(53, 54))
    origins = way.to_leave[::-1] if is_back_first else way.to_leave
    ends = way.to_fill[::-1] if are_crossed else way.to_fill
    for origin, end in zip(origins, ends, strict=True):
        assert booked(bench) == [TrackPegs(57, 62)]
        bench.leap(0, origin, end)
        bench.wait(5.0)
        assert not bench.host.snapshot.peg_faults
    assert bench.table.sides[0].pegs == TrackPegs(53, 54)
    assert booked(bench) == [TrackPegs(57, 62), TrackPegs(53, 54)]


@on_every_board
@pytest.mark.parametrize("price", [4, 8])
def test_a_price_may_be_paid_in_parts(bench: HostBench, board: str, target: int, price: int) -> None:
    begin(bench, board, target, TrackPegs(49, 56), "auction")
    buy_crib(bench, price)
    bench.leap(0, 56, 54)
    bench.wait(4.0)
    assert bench.first_line == f"Ann: back {price - 2} → {56 - price}"
    side = state_view(bench.host.snapshot)["sides"][0]  # type: ignore[index]
    assert (side["score"], side["peg_label"], side["is_peg_wrong"]) == (56 - price, f"back {price - 2}", False)
    assert Signal.WRONG not in lit(bench)
    follow(bench)
    assert (bench.table.sides[0].pegs, bench.table.sides[0].owed) == (TrackPegs(min(49, 55 - price), 56 - price), 0)


@on_every_board
def test_a_price_overpaid_is_put_right_with_the_same_peg(bench: HostBench, board: str, target: int) -> None:
    begin(bench, board, target, TrackPegs(40, 50), "auction")
    buy_crib(bench, 5)
    bench.leap(0, 50, 43)
    bench.wait(4.0)
    assert (bench.table.scores[0], bench.first_line) == (45, "Ann: peg to 45")
    assert lit(bench) == {Signal.WRONG: 43, Signal.TO: 45}
    assert follow(bench) == 1
    assert (bench.table.sides[0].pegs, bench.table.sides[0].owed) == (TrackPegs(40, 45), 0)


def overruns(bench: HostBench) -> list[int]:
    """The excesses that were reported by now, latest first."""
    bench.wait(0.1)
    turns = bench.host.snapshot.history.turns_back()
    return [event.points for turn in turns for event in turn.events if isinstance(event, e.PegsOverran)]


@pytest.mark.parametrize("policy", ["correct", "acc"])
def test_a_price_that_is_not_paid_yet_is_no_move_too_far(bench: HostBench, policy: str) -> None:
    begin(bench, "classic-61", 121, TrackPegs(57, 62), "auction", pegging_policy=policy)
    buy_crib(bench, 8)
    begin_play(bench)
    bench.host.execute(PlayCard(parse_card("9C")))
    assert (overruns(bench), bench.table.scores) == ([], (54, 20))


def test_a_false_game_is_fined_once(bench: HostBench) -> None:
    begin(bench, "classic-61", 121, TrackPegs(104, 112), pegging_policy="acc")
    begin_play(bench)
    bench.leap(0, 44, 61)
    for card in ("2D", "9H", "9S", "2C"):
        bench.host.execute(PlayCard(parse_card(card)))
    assert overruns(bench) == [9]
    assert bench.table.scores[0] == 112
    bench.keys("FN 10 FN 10")
    assert bench.table.scores[0] == 97


def test_enter_does_not_cancel_a_price(bench: HostBench) -> None:
    begin(bench, "classic-61", 121, TrackPegs(57, 62), "auction")
    buy_crib(bench, 8)
    bench.keys("ENTER")
    assert (bench.table.sides[0].owed, bench.table.scores[0]) == (-8, 54)
    bench.leap(0, 2, 54)
    bench.keys("ENTER")
    assert (bench.table.sides[0].owed, bench.table.scores[0]) == (-8, 54)
    assert follow(bench) == 1
    assert bench.table.sides[0].pegs == TrackPegs(53, 54)


def test_a_price_half_paid_survives_a_power_cut(bench: HostBench) -> None:
    begin(bench, "classic-61", 121, TrackPegs(57, 62), "auction")
    buy_crib(bench, 8)
    bench.leap(0, 2, 54)
    seen = bench.host.plan.frame_of([{Hole(57), Hole(54)}, {Hole(0), Hole(20)}])
    bench.setup = replace(bench.setup, place_pegs=lambda board, frame: bench.board.set_pegs(seen))
    bench.switch_on()
    bench.wait(5.0)
    assert not bench.host.snapshot.peg_faults and bench.first_line == "Ann: back 8 → 54"
    assert follow(bench) == 1
    assert bench.table.sides[0].pegs == TrackPegs(53, 54)


def begin_play(bench: HostBench) -> None:
    """Ann plays the first card, for nothing."""
    bench.host.execute(CutStarter(parse_card("KS")))
    bench.host.execute(PlayCard(parse_card("7H")))
    bench.wait(0.1)


@on_every_board
def test_a_false_game_goes_back_by_the_excess_and_fifteen(bench: HostBench, board: str, target: int) -> None:
    """ACC rule 8.4.b. The move was for nothing, so fifteen holes are counted from where the pegs were."""
    front = target - 9
    begin(bench, board, target, TrackPegs(front - 8, front), pegging_policy="acc")
    begin_play(bench)
    bench.leap(0, course(bench).hole_of(front - 8), course(bench).game_hole)
    bench.keys("FN 10")
    assert (bench.table.winner, bench.table.scores[0]) == (None, front - 15)
    bench.host.execute(PlayCard(parse_card("2D")))
    bench.wait(0.1)
    assert bench.table.scores == (front - 15, 20) and bench.table.sides[1].owed == 9
    assert follow(bench) == 2
    assert bench.table.sides[0].pegs == TrackPegs(front - 16, front - 15)
    assert follow(bench, track=1) == 1
    assert bench.table.sides[1].pegs == TrackPegs(20, 29)
    assert bench.table.owed == (0, 0)


@on_every_board
def test_a_renege_is_paid_by_the_lights(bench: HostBench, board: str, target: int) -> None:
    begin(bench, board, target, TrackPegs(30, 37), renege="acc")
    bench.host.execute(DealHand(Seat(0), parse_cards("4H 5H QH KH")))
    bench.host.execute(CutStarter(parse_card("9S")))
    bench.host.execute(PlayCard(parse_card("QH")))
    bench.host.execute(PlayCard(parse_card("8D")))
    bench.host.execute(SayGo(Seat(0)))
    bench.wait(0.1)
    assert bench.table.owed == (0, 6)
    assert follow(bench, track=1) == 1
    assert (bench.table.sides[1].pegs, bench.table.owed) == (TrackPegs(20, 26), (0, 0))


@on_every_board
def test_too_many_holes_go_back_with_the_same_peg(bench: HostBench, board: str, target: int) -> None:
    begin(bench, board, target, TrackPegs(30, 37))
    bench.host.execute(CutStarter(parse_card("KS")))
    for card in ("7H", "8D", "9H"):  # Ben has fifteen, Ann a run of three
        bench.host.execute(PlayCard(parse_card(card)))
    bench.wait(0.1)
    bench.leap(0, 30, 44)
    side = state_view(bench.host.snapshot)["sides"][0]  # type: ignore[index]
    assert (side["score"], bench.table.scores[0]) == (40, 40)
    assert (side["peg_label"], side["is_peg_wrong"], side["status_label"]) == (
        "4 too many",
        True,
        f"{target - 40} to go",
    )
    assert lit(bench) == {Signal.WRONG: 44, Signal.TO: 40}
    assert turn_message(bench.host.snapshot.history.last) == "Ann moves the peg to 44."  # type: ignore[arg-type]
    assert follow(bench) == 1
    assert bench.table.sides[0].pegs == TrackPegs(37, 40)


def test_a_move_for_nothing_goes_back_to_where_it_came_from(bench: HostBench) -> None:
    begin(bench, "classic-61", 121, TrackPegs(30, 37))
    begin_play(bench)
    bench.leap(0, 30, 42)
    bench.host.execute(PlayCard(parse_card("2D")))
    bench.wait(0.1)
    assert lit(bench) == {Signal.WRONG: 42, Signal.TO: 30}
    assert follow(bench) == 1
    assert (bench.table.sides[0].pegs, bench.table.sides[0].owed) == (TrackPegs(30, 37), 0)


@on_every_board
def test_a_short_move_is_completed_with_the_same_peg(bench: HostBench, board: str, target: int) -> None:
    begin(bench, board, target, TrackPegs(30, 37))
    bench.host.execute(CutStarter(parse_card("KS")))
    for card in ("4H", "5D", "6H"):  # Ann has fifteen and a run of three
        bench.host.execute(PlayCard(parse_card(card)))
    bench.wait(0.1)
    bench.leap(0, 30, 40)
    assert lit(bench) == {Signal.FROM: 40, Signal.TO: 42}
    assert bench.first_line == "Ann: peg to 42"
    assert follow(bench) == 1
    assert bench.table.sides[0].pegs == TrackPegs(37, 42)


def test_a_peg_moved_back_by_mistake_is_an_error_and_no_score(bench: HostBench) -> None:
    begin(bench, "classic-61", 121, TrackPegs(30, 37))
    bench.host.execute(CutStarter(parse_card("KS")))
    for card in ("4H", "5D", "6H"):
        bench.host.execute(PlayCard(parse_card(card)))
    bench.wait(0.1)
    assert follow(bench) == 1 and bench.table.sides[0].pegs == TrackPegs(37, 42)
    bench.lift(0, 42)
    bench.place(0, 39)
    bench.wait(0.1)
    assert bench.first_line == "Ann -3? ENTER"
    assert actions(bench.host.snapshot)[0].label == "Accept Ann −3"
    bench.wait(4.0)
    side = state_view(bench.host.snapshot)["sides"][0]  # type: ignore[index]
    assert (side["score"], side["peg_label"], side["is_peg_wrong"]) == (42, "peg to 42", True)
    assert bench.table.scores[0] == 42 and bench.first_line == "Ann: peg to 42"
    assert lit(bench) == {Signal.WRONG: 39, Signal.TO: 42}
    assert follow(bench) == 1
    assert (bench.table.sides[0].pegs, bench.table.sides[0].owed) == (TrackPegs(37, 42), 0)


@on_every_board
@pytest.mark.parametrize("first", START_HOLES)
def test_the_lights_show_the_start_hole_that_holds_the_peg(
    bench: HostBench, board: str, target: int, first: Hole
) -> None:
    rules = rules_for("six_card", {"target": target})
    bench.host.execute(StartGame(rules, ("Ann", "Ben"), board, dealer=Seat(1)))
    bench.wait(0.2)
    bench.leap(0, first, 6)
    bench.host.execute(CutStarter(parse_card("KS")))
    for card in ("4H", "5D", "6H"):
        bench.host.execute(PlayCard(parse_card(card)))
    bench.wait(0.1)
    (other,) = set(START_HOLES) - {first}
    assert lit(bench) == {Signal.FROM: other, Signal.TO: 11}
    assert follow(bench) == 1
    assert bench.table.sides[0].pegs == TrackPegs(6, 11)


@on_every_board
@pytest.mark.parametrize("first", START_HOLES)
def test_a_price_back_to_the_start_ends_in_the_free_start_hole(
    bench: HostBench, board: str, target: int, first: Hole
) -> None:
    rules = rules_for("auction", {"target": target})
    bench.host.execute(StartGame(rules, ("Ann", "Ben"), board, dealer=Seat(1)))
    bench.wait(0.2)
    bench.leap(0, first, 6)
    buy_crib(bench, 6)
    assert lit(bench) == {Signal.FROM: 6, Signal.TO: first}
    assert follow(bench) == 1
    assert (bench.table.sides[0].pegs, bench.table.sides[0].owed) == (AT_START, 0)


@on_every_board
def test_an_undone_turn_and_a_corrected_score_leave_both_pegs_by_the_rules(
    bench: HostBench, board: str, target: int
) -> None:
    begin(bench, board, target, TrackPegs(30, 37))
    bench.host.execute(CorrectScore(0, 20, "wrong"))
    bench.wait(1.0)
    bench.leap(0, 37, 20)
    bench.wait(2.0)
    bench.leap(0, 30, 19)
    bench.wait(2.0)
    assert (bench.table.sides[0].pegs, bench.host.snapshot.peg_faults) == (TrackPegs(19, 20), ())
    bench.host.execute(Undo())
    bench.wait(1.0)
    for origin, end in ((20, 37), (19, 30)):
        bench.leap(0, origin, end)
        bench.wait(2.0)
    assert (bench.table.sides[0].pegs, bench.host.snapshot.peg_faults) == (TrackPegs(30, 37), ())


@pytest.mark.parametrize("kept", START_HOLES)
def test_a_missing_peg_belongs_in_the_free_start_hole(bench: HostBench, kept: Hole) -> None:
    bench.begin()
    (free,) = set(START_HOLES) - {kept}
    bench.lift(0, free)
    bench.wait(5.0)
    assert lit(bench)[Signal.TO] == free
