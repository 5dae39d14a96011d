"""Pegging back on every board: whoever follows the lights reaches the pegs of the rules, and nothing else is booked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware_host.board.course import AT_START, START_HOLES, Course, Hole, TrackPegs
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import events as e
from firmware_host.game.commands import PegsMoved, StartGame
from firmware_host.game.decide import decide
from firmware_host.game.evolve import evolve
from firmware_host.game.state import Phase, Table
from firmware_host.tracking.move_inference import Belief
from firmware_host.tracking.peg_tracker import PegTracker
from firmware_host.tracking.readings import Fault, PegAdjusted, Reading
from firmware_host.tracking.way_back import Progress, WayBack
from firmware_host.ui.lights.lights import Signal, move_signals
from firmware_host.ui.shown import shown_of

Holes = frozenset[Hole]
FIRST_START, SECOND_START = START_HOLES
START: Holes = frozenset(START_HOLES)
LARGEST_PRICE = 31
PRICES = range(1, LARGEST_PRICE + 1)
LAPPED, LONG = Course(60, 61, 121), Course(120, 121, 121)


def courses() -> list[Course]:
    """The course of every shipped board to every target that it offers; boards with the same course count once."""
    plans = [load_plan(plan) for plan in plan_ids()]
    return sorted({plan.course(target) for plan in plans for target in plan.targets}, key=repr)


def after_pegging_back(pegs: TrackPegs, points: int) -> TrackPegs:
    """The rule in its own words, the oracle of these tests: a back peg that was passed stands directly behind."""
    target = max(0, pegs.front - points)
    if target == 0:
        return TrackPegs(0, 0)
    return TrackPegs(pegs.back if pegs.back < target else target - 1, target)


def is_possible(course: Course, pegs: TrackPegs) -> bool:
    """Whether the pegs can stand on the board: not a whole lap apart, for then both would be in one hole."""
    back, front = course.holes_of(pegs)
    return back != front


def pairs(course: Course) -> Iterator[TrackPegs]:
    """Every pair of pegs that has left the start, the front one as far as the game hole."""
    for front in range(1, course.target + 1):
        yield from (TrackPegs(back, front) for back in range(front) if is_possible(course, TrackPegs(back, front)))


def new_table(course: Course) -> Table:
    rules = rules_for("six_card", {"target": course.target})
    return replace(decide(None, StartGame(rules, ("Ann", "Ben"), sides_on_board=2))[1], phase=Phase.PLAY)


def owing(table: Table, pegs: TrackPegs, points: int) -> Table:
    """The table with these pegs, once the first side is to go back by so many points."""
    table = table.with_side(0, replace(table.sides[0], pegs=pegs, settled=pegs, rightful=pegs.front))
    return evolve(e.PegsSetBack(0, points, e.Breach.FALSE_GAME), table)


def read(holes: Holes) -> Holes:
    """As the tracker takes the start holes: one peg in them is in the forward one."""
    is_first_alone = FIRST_START in holes and SECOND_START not in holes
    return holes - {FIRST_START} | {SECOND_START} if is_first_alone else holes


def follow_lights(course: Course, table: Table, pegs: TrackPegs, holes: Holes) -> Table:
    """Makes each move that the lights show, until the game has booked one; returns the table after it."""
    goal = table.sides[0].goal
    belief = Belief(course, pegs, owed=table.sides[0].owed, way_back=WayBack(course, pegs, goal))
    for _ in range(3):
        move = belief.infer(read(holes)).move
        if move is not None:
            assert not move.is_leap and not move.is_unlikely
            return decide(table, PegsMoved(0, move.now, is_leap=False)).table
        lit = {signal.signal: signal.hole for signal in move_signals(shown_of(table), course, (holes, START))}
        assert lit.keys() == {Signal.FROM, Signal.TO}, lit
        assert lit[Signal.FROM] in holes and lit[Signal.TO] not in holes
        holes -= {lit[Signal.FROM]}
        lifted = belief.infer(read(holes))
        assert lifted.move is None and lifted.fault is None
        *_, last = move_signals(shown_of(table), course, (holes, START))
        assert (last.signal, last.hole) == (Signal.TO, lit[Signal.TO])
        holes |= {lit[Signal.TO]}
    raise AssertionError(f"the lights lead {pegs} not to {goal}, but to {sorted(holes)}")


def check_every_frame(course: Course, pegs: TrackPegs, goal: TrackPegs, owed: int) -> None:
    """Whichever peg is moved first and wherever to: only the goal is a move, and nothing is a fault."""
    belief = Belief(course, pegs, owed=owed, way_back=WayBack(course, pegs, goal))
    origins, ends = frozenset(course.holes_of(pegs)), frozenset(course.holes_of(goal))
    for count in range(3):
        for frame in map(frozenset, combinations(origins | ends, count)):
            inference = belief.infer(frame)
            assert inference.fault is None
            assert (inference.move and inference.move.now) == (goal if frame == ends else None), sorted(frame)


def check_way_back(course: Course, table: Table, pegs: TrackPegs, points: int) -> bool:
    """One case. False: the goal cannot stand on this board."""
    goal = after_pegging_back(pegs, points)
    if not is_possible(course, goal):
        return False
    table = owing(table, pegs, points)
    assert table.sides[0].goal == goal
    check_every_frame(course, pegs, goal, table.sides[0].owed)
    holes = frozenset(course.holes_of(pegs))
    for start in {SECOND_START, FIRST_START if pegs.back == 0 else SECOND_START}:
        now = follow_lights(course, table, pegs, holes - {SECOND_START} | {start} if pegs.back == 0 else holes)
        assert (now.sides[0].pegs, now.sides[0].owed, now.scores[0], now.winner) == (goal, 0, goal.front, None)
    return True


def check_cases(course: Course, every: int) -> int:
    table, checked = new_table(course), 0
    for pegs in list(pairs(course))[::every]:
        impossible = [points for points in PRICES if not check_way_back(course, table, pegs, points)]
        assert len(impossible) <= 1, f"{pegs}: at most one price leaves the pegs a whole lap apart"
        checked += len(PRICES) - len(impossible)
    return checked


@pytest.mark.parametrize("course", courses(), ids=lambda course: f"lap{course.lap}-to-{course.target}")
def test_the_lights_lead_back_to_the_pegs_of_the_rules(course: Course) -> None:
    assert check_cases(course, every=89) > 600


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("course", courses(), ids=lambda course: f"lap{course.lap}-to-{course.target}")
def test_the_lights_lead_back_for_every_pair_of_pegs_and_price(course: Course) -> None:
    cases = check_cases(course, every=1)
    assert cases > len(list(pairs(course))) * (LARGEST_PRICE - 1)


def test_only_pegs_a_whole_lap_apart_are_left_out() -> None:
    for course in courses():
        for front in range(1, course.target + 1):
            for back in range(front):
                is_lap_apart = back > 0 and (front - back) % course.lap == 0 and front < course.target
                assert is_possible(course, TrackPegs(back, front)) is not is_lap_apart


# Over time: hands that pause, and that go their own way.


class Hands:
    """Two tracks, the first of which goes back; `readings` are those reported so far."""

    def __init__(self, course: Course, pegs: TrackPegs, goal: TrackPegs) -> None:
        self.course, self.goal, self.now_s = course, goal, 0.0
        self.readings: list[Reading] = []
        self.tracker = PegTracker(course, [pegs, AT_START])
        self.holes = frozenset(course.holes_of(pegs))
        self.see(self.holes, 5.0)
        self.tracker.set_owed([goal.front - pegs.front, 0])
        self.tracker.set_goals_behind([goal, None], self.now_s)

    def see(self, holes: Holes, for_s: float) -> None:
        self.holes = holes
        self.readings += self.tracker.update([holes, START], self.now_s)
        until_s = self.now_s + for_s
        while (due_s := self.tracker.deadline_s) is not None and due_s <= until_s:
            self.readings += self.tracker.tick(due_s)
        self.now_s = until_s

    def move(self, origin: int, end: int, pause_s: float = 0.4, rest_s: float = 0.4) -> None:
        self.see(self.holes - {Hole(origin)}, pause_s)
        self.see(self.holes | {Hole(end)}, rest_s)


pauses = st.sampled_from((0.05, 0.2, 0.5, 2.0, 4.0))


@given(data=st.data())
def test_no_pause_and_no_order_makes_a_score_of_the_way_back(data: st.DataObject) -> None:
    course = data.draw(st.sampled_from(courses()))
    front = data.draw(st.integers(1, course.target))
    pegs = TrackPegs(data.draw(st.integers(0, front - 1)), front)
    goal = after_pegging_back(pegs, data.draw(st.integers(1, LARGEST_PRICE) | st.integers(1, 120)))  # bids may be high
    if not (is_possible(course, pegs) and is_possible(course, goal)):
        return
    hands, way = Hands(course, pegs, goal), WayBack(course, pegs, goal)
    origins, ends = data.draw(st.permutations(way.to_leave)), data.draw(st.permutations(way.to_fill))
    if data.draw(st.booleans()):  # both pegs in the hands at once
        hands.see(hands.holes - set(origins), data.draw(pauses))
        for end in ends:
            hands.see(hands.holes | {end}, data.draw(pauses))
    else:
        for origin, end in zip(origins, ends, strict=True):
            hands.move(origin, end, data.draw(pauses), data.draw(pauses))
    hands.see(hands.holes, 2.0)
    slid = pegs.slid_to(goal.front)
    back = None if goal == slid else goal.back
    assert hands.readings == [PegAdjusted(0, goal.front, goal.front - pegs.front, back=back)]
    assert hands.tracker.pegs[0] == goal


# Named cases.


def test_a_wrong_hole_behind_is_an_error_and_no_lap_forward() -> None:
    hands = Hands(LAPPED, TrackPegs(57, 62), TrackPegs(53, 54))
    hands.move(2, 52, rest_s=2.0)
    (fault,) = hands.readings
    assert (fault.fault, fault.holes, fault.missing) == (Fault.OFF_LAP, (52,), (54,))  # type: ignore[union-attr]
    hands.move(52, 54, rest_s=1.0)
    hands.move(57, 53, rest_s=1.0)
    assert hands.readings[-1] == PegAdjusted(0, 54, -8)
    assert hands.tracker.pegs[0] == TrackPegs(53, 54)


def test_a_slide_that_falls_short_is_reported_and_the_rest_stays_due() -> None:
    hands = Hands(LONG, TrackPegs(33, 40), TrackPegs(33, 35))
    hands.move(40, 36, rest_s=1.0)
    assert hands.readings == [PegAdjusted(0, 36, -4)]


def test_points_may_be_pegged_before_the_price() -> None:
    hands = Hands(LAPPED, TrackPegs(57, 62), TrackPegs(53, 54))
    hands.move(57, 4, rest_s=1.0)
    (leap,) = hands.readings
    assert (leap.score, leap.points) == (64, 2)  # type: ignore[union-attr]


def test_a_hole_that_is_slow_to_empty_delays_the_report_and_is_then_stuck() -> None:
    hands = Hands(LONG, TrackPegs(33, 40), TrackPegs(33, 35))
    hands.see(hands.holes | {Hole(35)}, 0.9)
    assert hands.readings == []
    hands.see(hands.holes, 0.2)
    assert hands.readings[0] == PegAdjusted(0, 35, -5)
    assert hands.readings[1].fault is Fault.STUCK_HOLE  # type: ignore[union-attr]


def test_enter_confirms_a_peg_in_a_hole_that_does_not_read() -> None:
    hands = Hands(LONG, TrackPegs(33, 40), TrackPegs(33, 35))
    assert hands.tracker.settle_now(hands.now_s) == []
    hands.see(hands.holes - {Hole(40)}, 5.0)
    assert hands.readings == []
    moved, dead = hands.tracker.settle_now(hands.now_s)
    assert moved == PegAdjusted(0, 35, -5)
    assert dead.fault is Fault.DEAD_HOLE and dead.holes == (35,)  # type: ignore[union-attr]


def test_enter_does_not_move_a_peg_that_still_stands_in_its_hole() -> None:
    hands = Hands(LONG, TrackPegs(57, 62), TrackPegs(53, 54))
    hands.move(62, 53, rest_s=1.0)
    assert hands.tracker.settle_now(hands.now_s) == []


def test_a_whole_lap_back_needs_no_move() -> None:
    way = WayBack(LAPPED, TrackPegs(99, 100), TrackPegs(39, 40))
    assert way.to_leave == way.to_fill == ()
    assert way.next_step(frozenset((Hole(39), Hole(40)))) is None
    assert way.progress(frozenset((Hole(39), Hole(40))), frozenset()) is Progress.DONE


def test_a_move_for_nothing_goes_back_to_where_it_came_from() -> None:
    way = WayBack(LONG, TrackPegs(62, 70), TrackPegs(50, 62))
    step = way.next_step(frozenset((Hole(62), Hole(70))))
    assert step and (step.origin, step.end) == (70, 50)


def test_the_second_peg_goes_to_the_free_start_hole() -> None:
    way = WayBack(LONG, TrackPegs(4, 9), AT_START)
    first = way.next_step(frozenset((Hole(4), Hole(9))))
    assert first and (first.origin, first.end) == (9, 0)
    for taken, free in ((0, -1), (-1, 0)):
        second = way.next_step(frozenset((Hole(4), Hole(taken))))
        assert second and (second.origin, second.end) == (4, free)
