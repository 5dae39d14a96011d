"""The set-up wizard: its steps, what was tried so far, and the commands that change it. Pure.

A person opens it on the page; it opens by itself at the first start of a real board. Its state is kept on the board, so
every browser shows the same step, and a restart goes on where it stopped.

| step      | it is complete when                                   | by                                |
|-----------|-------------------------------------------------------|-----------------------------------|
| LANGUAGE  | a language was chosen                                 | `GoToStep`                        |
| NAMES     | the players were named                                | `GoToStep`                        |
| BOARD     | somebody saw that the parts answer                    | `GoToStep`                        |
| SENSORS   | every hole read a peg come or go, or was marked       | `touched`, `MarkHole`             |
| LIGHTS    | each colour was seen on all lights, or not            | `AnswerQuestion`                  |
| KEYS      | each of the sixteen keys was pressed                  | `pressed`                         |
| SOUND     | the board and the browser were heard, or not          | `AnswerQuestion`                  |
| PHONE     | a phone was added                                     | `phone_added`                     |
| BROKER    | an MQTT broker was named, for a club or a smart home  | `GoToStep`                        |
| GAME      | a game began, which closes the wizard                 | `StartGame`                       |

The event that completes a step leads to the next one by itself. A person can skip a step, go back, and repeat it; a
step that was complete before stays until somebody goes on.

Holes are kept by their names on the board, such as `red 37`: the wiring, and so the number of a sensor, may change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from firmware_host.board.components import PlannedHole
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.tracking.readings import Fault, TrackFault
from firmware_host.ui.keys.input_state import ENTER, FN, RANK_OF_KEY, UNDO
from firmware_host.ui.wizard_commands import Question, Step

QUESTIONS: Mapping[Step, tuple[Question, ...]] = {
    Step.LIGHTS: (Question.RED, Question.GREEN, Question.BLUE),
    Step.SOUND: (Question.BOARD, Question.PAGE),
}


class HoleResult(StrEnum):
    """What the test of a hole showed."""

    WORKS = "works"
    DEAD = "dead"
    """It did not answer."""
    STUCK = "stuck"
    """It showed a peg all the time."""


FAULT_OF: Mapping[HoleResult, Fault] = {HoleResult.DEAD: Fault.DEAD_HOLE, HoleResult.STUCK: Fault.STUCK_HOLE}


class WizardClosed(Refusal):
    """The wizard is not open."""

    kind = "wizard_closed"
    sentence = "The set-up is closed. Open it on the page Device."


class NoSuchStep(Refusal):
    """This board has no such step."""

    kind = "no_such_step"
    sentence = "This board has no such step."


KEYS = (*RANK_OF_KEY, FN, UNDO, ENTER)
"""The sixteen keys: the ranks, then the others."""


class Wizard(Struct, frozen=True):
    """The wizard of one board. Immutable: each event returns the next state. `steps` are those that this board has."""

    steps: tuple[Step, ...] = tuple(Step)
    step: Step = Step.LANGUAGE
    is_open: bool = False
    holes: Mapping[str, HoleResult] = field(default_factory=dict)
    """Name of a hole on the board -> its result. Untried holes are not in it."""
    answers: Mapping[Question, bool] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    """The legends of the keys that were pressed."""

    @property
    def number(self) -> int:
        """The number of the step, from 1."""
        return self.steps.index(self.step) + 1

    @property
    def previous(self) -> Step | None:
        """The step before; None at the first."""
        return self.steps[self.number - 2] if self.number > 1 else None

    @property
    def next(self) -> Step | None:
        """The step after; None at the last."""
        return self.steps[self.number] if self.number < len(self.steps) else None

    @property
    def question(self) -> Question | None:
        """What the present step asks; None: nothing, or every answer is known."""
        return next((each for each in QUESTIONS.get(self.step, ()) if each not in self.answers), None)

    def missing_keys(self) -> tuple[str, ...]:
        """The keys that were not pressed yet, in their order on the board."""
        return tuple(key for key in KEYS if key not in self.keys)

    def next_hole(self, plan: BoardPlan) -> PlannedHole | None:
        """The hole to try next, in the order of play; None when every hole was tried or marked."""
        return next((hole for hole in in_playing_order(plan) if name_of(plan, hole) not in self.holes), None)

    def is_complete(self, plan: BoardPlan) -> bool:
        """Whether everything in the present step was tried."""
        match self.step:
            case Step.SENSORS:
                return self.next_hole(plan) is None
            case Step.LIGHTS | Step.SOUND:
                return self.question is None
            case Step.KEYS:
                return not self.missing_keys()
            case _:
                return False

    def hole_faults(self, plan: BoardPlan) -> Iterator[TrackFault]:
        """The holes that were marked, for the map of the board."""
        for hole in in_playing_order(plan):
            if fault := FAULT_OF.get(self.holes.get(name_of(plan, hole), HoleResult.WORKS)):
                yield TrackFault(hole.track or 0, fault, (hole.hole,))

    # What happens.

    def opened(self) -> Wizard:
        """Open, where it stopped."""
        return replace(self, is_open=True)

    def closed(self) -> Wizard:
        """Closed. The next time it opens at the first step if it had come to the last one."""
        step = self.steps[0] if self.next is None else self.step
        return replace(self, is_open=False, step=step)

    def at(self, step: Step) -> Wizard:
        """At another step. Raises NoSuchStep."""
        if step not in self.steps:
            raise NoSuchStep(f"one of {', '.join(self.steps)}", step)
        return replace(self, step=step)

    def repeated(self, step: Step, plan: BoardPlan) -> Wizard:
        """At this step, with nothing tried in it. Raises NoSuchStep."""
        wizard = self.at(step)
        match step:
            case Step.SENSORS:
                return replace(wizard, holes={})
            case Step.KEYS:
                return replace(wizard, keys=frozenset())
            case _:
                own = QUESTIONS.get(step, ())
                return replace(wizard, answers={each: ok for each, ok in self.answers.items() if each not in own})

    def touched(self, sensors: Iterable[int], plan: BoardPlan) -> Wizard:
        """These sensors saw a peg come or go, so their holes work. Outside the step SENSORS nothing changes."""
        if self.step is not Step.SENSORS:
            return self
        touched = (plan.at_sensor[sensor] for sensor in sensors if sensor in plan.at_sensor)
        return self._with_holes({name_of(plan, hole): HoleResult.WORKS for hole in touched}, plan)

    def marked(self, sensor: int, plan: BoardPlan, *, is_occupied: bool) -> Wizard:
        """A person marked the hole of this sensor: it does not answer, or it always shows a peg (`is_occupied`).

        A hole that was tried already stays so outside the step SENSORS: a second browser may have been quicker. Raises
        NoSuchStep for another hole then, or for a sensor without a hole.
        """
        is_hole = sensor in plan.at_sensor
        if is_hole and self.step is not Step.SENSORS and name_of(plan, plan.at_sensor[sensor]) in self.holes:
            return self
        if self.step is not Step.SENSORS or not is_hole:
            raise NoSuchStep("a hole in the step sensors", f"sensor {sensor} in the step {self.step}")
        result = HoleResult.STUCK if is_occupied else HoleResult.DEAD
        return self._with_holes({name_of(plan, plan.at_sensor[sensor]): result}, plan)

    def answered(self, question: Question, is_ok: bool, plan: BoardPlan) -> Wizard:
        """A question of the present step was answered. One of another step stays as it was answered: a second browser
        may have been quicker. Raises NoSuchStep if it was not."""
        if question not in QUESTIONS.get(self.step, ()):
            if question in self.answers:
                return self
            raise NoSuchStep("a question of the present step", f"{question} in the step {self.step}")
        return self._advanced(replace(self, answers={**self.answers, question: is_ok}), plan)

    def pressed(self, key: str, plan: BoardPlan) -> Wizard:
        """A key of the board was pressed. Outside the step KEYS nothing changes."""
        if self.step is not Step.KEYS or key in self.keys or key not in KEYS:
            return self
        return self._advanced(replace(self, keys=self.keys | {key}), plan)

    def phone_added(self) -> Wizard:
        """A phone was added. Outside the step PHONE nothing changes."""
        return replace(self, step=self.next) if self.step is Step.PHONE and self.next else self

    def _with_holes(self, results: Mapping[str, HoleResult], plan: BoardPlan) -> Wizard:
        if all(self.holes.get(name) is result for name, result in results.items()):
            return self
        return self._advanced(replace(self, holes={**self.holes, **results}), plan)

    def _advanced(self, after: Wizard, plan: BoardPlan) -> Wizard:
        """`after`, at the next step if this completed its step."""
        is_completed = after.is_complete(plan) and not self.is_complete(plan)
        return replace(after, step=after.next) if is_completed and after.next else after


def in_playing_order(plan: BoardPlan) -> list[PlannedHole]:
    """The holes track by track, each from its start; last the shared game hole."""
    return sorted(plan.holes, key=lambda hole: (plan.tracks if hole.track is None else hole.track, hole.hole))


def name_of(plan: BoardPlan, hole: PlannedHole) -> str:
    """The name of a hole on the board, in English; `BoardPlan.named` is the inverse."""
    return plan.name_of(hole.track, hole.hole)
