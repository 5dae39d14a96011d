"""A board whose strips were put together in another order learns how it is wired, with its own keys and display."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from board_drivers.misbehaving import MisbehavingBoard
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.host import Host
from firmware_host.journal import Journal
from firmware_host.mischief import parse_mischief
from firmware_host.plans import load_plan
from firmware_host.table.entries import LearnWiring
from firmware_host.wiring_file import WiringFault, as_wired, file_of, keep_wiring
from tests.host.bench import Bench

PLAN = load_plan("classic-61")
SWAPPED = (
    '[[trouble]]\nkind = "swapped_strips"\nstrips = [3, 9]\n[[trouble]]\nkind = "swapped_strips"\nstrips = [9, 20]'
)


@dataclass
class Workbench(Bench):
    """A board with three strips in each other's place; hands find the holes where the wood has them."""

    folder: Path = field(default_factory=Path)

    def open_board(self, plan: BoardPlan) -> MisbehavingBoard:
        troubles = parse_mischief(SWAPPED, PLAN).on_board
        self.board = MisbehavingBoard(plan.bit_count, plan.led_count, troubles, lambda: self.now_s)
        return self.board

    def set_out(self, board: object, standing: frozenset[int]) -> None:
        """A person puts the pegs in."""

    def switch_on(self) -> None:
        wired = as_wired(PLAN, self.folder)
        self.house = replace(self.house, plans=(wired,), keep_wiring=partial(keep_wiring, self.folder, PLAN))
        self.host = Host(self.house, self.journal, clock=lambda: self.now_s)
        self.wait(0.1)

    def touch(self, name: str) -> None:
        self.board.place_peg(PLAN.named(name).sensor)
        self.wait(0.1)
        self.board.lift_peg(PLAN.named(name).sensor)
        self.wait(0.1)

    @property
    def asked(self) -> str:
        return self.host.snapshot.prompt.removeprefix("Touch ").removesuffix(" with a peg")

    def text(self) -> list[str]:
        return [line for line, _ in self.host.snapshot.page]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Journal.in_memory(), folder=tmp_path)
    yield bench
    bench.host.stop()


def learn(bench: Workbench) -> None:
    bench.host.do(LearnWiring())
    bench.wait(0.1)
    while bench.host.snapshot.prompt.startswith("Touch"):
        bench.touch(bench.asked)


def test_the_board_learns_and_then_plays(bench: Workbench) -> None:
    learn(bench)
    assert bench.host.snapshot.prompt == "The wiring is learnt"
    strips = json.loads(file_of(bench.folder, PLAN).read_text(encoding="utf-8"))["strips"]
    assert [place for place, strip in enumerate(strips) if place != strip] == [2, 8, 19]
    bench.board.set_pegs(PLAN.frame_of([[Hole(-1), Hole(0)]] * 2))
    bench.keys("ENTER ENTER ENTER ENTER A")
    bench.board.lift_peg(PLAN.named("red start").sensor)
    bench.wait(0.3)
    bench.board.place_peg(PLAN.named("red 8").sensor)
    bench.wait(0.6)
    assert bench.table.scores == (8, 0)


def test_what_was_learnt_is_known_after_the_power_was_off(bench: Workbench) -> None:
    learn(bench)
    bench.host.stop()
    bench.journal = Journal.in_memory()
    bench.switch_on()
    assert bench.host.plan == as_wired(PLAN, bench.folder) != PLAN
    learn(bench)
    assert bench.host.plan == as_wired(PLAN, bench.folder), "learnt again, the same is learnt"


def test_the_lesson_is_in_the_menu_of_a_board_that_can_learn(bench: Workbench) -> None:
    bench.hold_fn()
    bench.keys("FN")
    assert any("Learn the wiring" in line for line in bench.text())


def test_the_strip_answers_with_its_own_lights(bench: Workbench) -> None:
    bench.host.do(LearnWiring())
    bench.wait(0.1)
    bench.touch(bench.asked)
    assert any(bench.board.lights.frame[:5]) and not any(any(colour) for colour in bench.board.lights.frame[5:])
    assert "1 of 25 strips" in bench.text() and "Strip 1 answers" in bench.text()


def test_undo_ends_the_lesson_and_changes_nothing(bench: Workbench) -> None:
    bench.host.do(LearnWiring())
    bench.wait(0.1)
    bench.touch(bench.asked)
    bench.keys("UNDO")
    assert bench.host.snapshot.prompt == "Nothing new was learnt"
    assert not file_of(bench.folder, PLAN).exists() and bench.host.plan is PLAN


def test_a_hole_that_does_not_answer_is_passed_over(bench: Workbench) -> None:
    bench.host.do(LearnWiring())
    bench.wait(0.1)
    first = bench.asked
    bench.keys("ENTER")
    assert bench.asked != first


def test_a_file_of_another_board_is_told(bench: Workbench) -> None:
    file_of(bench.folder, PLAN).write_text('{"strips": [1, 2, 3]}', encoding="utf-8")
    with pytest.raises(WiringFault, match="let the board learn its wiring again"):
        as_wired(PLAN, bench.folder)
