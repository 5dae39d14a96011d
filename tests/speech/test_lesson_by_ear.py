"""The lesson by ear: a learner who only hears and feels gets to its end, also after wrong keys and holes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from firmware_host.config.board_plans import plan_ids
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.storage.journal import Journal
from firmware_host.ui.spoken.lesson import STEPS
from firmware_host.ui.translator import untranslated
from tests.speech.blind_players import NUMBER_OF
from tests.speech.blind_table import BlindTable
from tests.speech.listening_bench import ListeningBench

ROWS = (("A", "2", "3", "J"), ("4", "5", "6", "Q"), ("7", "8", "9", "K"), ("UNDO", "10", "FN", "ENTER"))
"""The keys as a hand feels them."""
CORNERS = {"top left": (0, 0), "bottom left": (3, 0), "bottom right": (3, 3)}
MOST_ACTIONS = 200
END = "No game is on. ENTER: new game."


class Learner:
    """Knows where top, left and right are, and the names of numbers. `heard` is the latest text."""

    def __init__(self, table: BlindTable, slips: float, seed: int) -> None:
        self.table, self.slips, self.random = table, slips, Random(seed)
        self.known = {"ace": "A", "jack": "J", "king": "K", "five": "5", "nine": "9", **{key: key for key in "JQ"}}
        self.front = 0
        self.actions = 0

    def learn(self) -> None:
        """Until the board says that no game is on."""
        self._hold_fn()
        self.table.press("FN", "FN")
        heard = ""
        while not heard.endswith("Lesson by ear. FN: more."):
            heard = " ".join(self.table.listen())
        self.table.press("A")
        heard = " ".join(self.table.listen())
        while not heard.endswith(END):
            self.actions += 1
            assert self.actions < MOST_ACTIONS, self.table.heard[-5:]
            self._act(heard)
            heard = " ".join(self.table.listen()) or heard

    def _hold_fn(self) -> None:
        self.table.board.press("FN")
        self.table.wait(1.2)
        self.table.board.release("FN")
        self.table.wait(0.1)

    def _act(self, heard: str) -> None:
        is_slip = self.random.random() < self.slips
        if "hole two" in heard or "two holes beyond" in heard:
            score = self.front + 2
            wrong = score + 1 if is_slip else score
            self._move_to(wrong)
            self.front = score
        elif found := re.search(r"front peg back one, to (\w+)|From (?:[\w ]+) back one, to (\w+)", heard):
            self._move_to(NUMBER_OF[found.group(1) or found.group(2)], came_from=self.front + 1)
        elif "Take your front peg out" in heard:
            self.table.lift(0, self.front)
            self.table.wait(8)
        elif "Put the peg back" in heard:
            found = re.search(r"Pegs belong in: ([a-z, ]+)\.", heard)
            assert found, heard
            self.table.place(0, NUMBER_OF[found.group(1)])
            self.table.wait(2)
        elif is_slip:
            self.table.press(self.random.choice([key for key in ROWS[1] if key != "5"]))
        else:
            self._press(re.split(r"(?<=[.]) ", heard))

    def _press(self, sentences: list[str]) -> None:
        task = " ".join(sentences[-2:])
        if "Keep FN down and press any key" in task:
            self.table.ask("7")
        elif "Keep FN down and press Q" in task:
            self.table.ask("Q")
        elif "Which suit" in " ".join(sentences):
            self.table.press("J")
        else:
            self.table.press(self._key(sentences))

    def _key(self, sentences: list[str]) -> str:
        for sentence in reversed(sentences):
            for corner, (row, column) in CORNERS.items():
                if corner in sentence:
                    return ROWS[row][column]
            if found := re.search(r"left of (\w+)", sentence):
                row, column = next(
                    (row, keys.index(found.group(1))) for row, keys in enumerate(ROWS) if found.group(1) in keys
                )
                return ROWS[row][column - 1]
            if found := re.search(r"Press(?: the)? (\w+)", sentence):
                if found.group(1) in ("UNDO", "ENTER", "FN"):
                    return found.group(1)
                if found.group(1) in self.known:
                    return self.known[found.group(1)]
            if "UNDO takes back" in sentence:
                return "UNDO"
            if "play the king" in sentence:
                return "K"
        raise AssertionError(f"no key is named: {sentences}")

    def _move_to(self, score: int, came_from: int | None = None) -> None:
        """The peg behind, or the one that stands in `came_from`."""
        course = self.table.course
        holes = sorted(self.table.holes(0))
        self.table.lift(0, int(course.hole_of(came_from)) if came_from else holes[0])
        self.table.wait(0.3)
        self.table.place(0, int(course.hole_of(score)))
        self.table.wait(1.5)


@pytest.fixture
def bench() -> Iterator[ListeningBench]:
    bench = ListeningBench(Journal.in_memory())
    yield bench
    bench.host.stop()


def learn(plan_id: str, slips: float, seed: int) -> BlindTable:
    table = BlindTable(rules_for("six_card", {}), plan_id)
    try:
        Learner(table, slips, seed).learn()
    finally:
        table.close()
    return table


@pytest.mark.parametrize("plan_id", plan_ids())
def test_a_learner_gets_to_the_end_by_ear(plan_id: str) -> None:
    heard = learn(plan_id, 0.0, 0).heard
    said = " ".join(heard)
    assert all(step.task(untranslated) in said for step in STEPS)
    assert "New game, target" not in said  # the practice game is not announced as a game


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 50), marks=pytest.mark.slow)])
def test_slips_are_put_right_by_ear(seeds: range) -> None:
    for seed in seeds:
        learn("classic-61", 0.3, seed)


def test_a_wrong_key_is_named_and_the_task_said_again(bench: ListeningBench) -> None:
    bench.hold_fn()
    bench.keys("FN FN A")
    bench.new()
    bench.keys("7")
    assert bench.new() == ["A seven. The ace is at the top left. Press it."]
    bench.keys("7")
    assert bench.new() == ["A seven. The ace is at the top left. Press it."]


def test_the_task_is_repeated_when_it_is_asked_for(bench: ListeningBench) -> None:
    bench.hold_fn()
    bench.keys("FN FN A A")
    bench.new()
    bench.board.press("FN")
    bench.keys("J")
    bench.board.release("FN")
    assert bench.new()[-1].endswith("ENTER is at the bottom right. Press it.")


def test_fn_held_ends_the_lesson_and_nothing_of_it_stays(bench: ListeningBench) -> None:
    bench.hold_fn()
    bench.keys("FN FN A A ENTER")
    bench.new()
    bench.hold_fn()
    assert bench.new() == [END]
    assert bench.host.snapshot.table is None and bench.host.snapshot.lesson is None


def test_in_a_game_there_is_no_lesson(bench: ListeningBench) -> None:
    bench.begin()
    bench.hold_fn()
    bench.keys("FN FN")
    said = " ".join(bench.new())
    assert "Six: Voice." in said and "Lesson" not in said


def test_another_game_ends_the_lesson(bench: ListeningBench) -> None:
    bench.hold_fn()
    bench.keys("FN FN A")
    bench.host.execute(StartGame(rules_for("six_card", {}), ("Ann", "Ben"), bench.host.plan.id))
    bench.wait(0.1)
    assert bench.host.snapshot.lesson is None and not bench.table.is_demo


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_said_in_every_language(language: str) -> None:
    tr = translator(language)
    tasks = [step.task(tr) for step in STEPS]
    assert len({*tasks}) == len(STEPS)
