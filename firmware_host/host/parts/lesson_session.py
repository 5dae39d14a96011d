"""The spoken lesson on the open board: it gets the keys first, and passes on those that its practice game awaits.

The practice game is a demonstration: the players' game is kept, and continues unchanged afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.game.state import Table
from firmware_host.tracking.readings import TrackFault
from firmware_host.ui.keys.input_state import FN_HELD, WITH_FN
from firmware_host.ui.spoken.lesson import LEARNER, Lesson
from firmware_host.ui.voice import VOICE_KEYS


class LessonSession:
    """Only the host thread uses it. `lesson` is None while there is none."""

    def __init__(self) -> None:
        self.lesson: Lesson | None = None
        self.revision = 0
        """Grows with every change."""

    def begin(self, *, is_by_hand: bool) -> None:
        """Begins at the first step. `is_by_hand`: nothing reads the pegs of its practice game."""
        self._set(Lesson(is_by_hand=is_by_hand))

    def end(self) -> None:
        """Ends it, whether or not it is open."""
        self._set(None)

    def take_key(self, key: str) -> bool:
        """Takes a key. Returns whether it also goes to the practice game, or to the voice."""
        lesson = self.lesson
        assert lesson is not None
        if key == FN_HELD:
            self.end()
            return False
        is_awaited = lesson.awaits(key)
        if not is_awaited and key.removeprefix(WITH_FN) in VOICE_KEYS and key.startswith(WITH_FN):
            return True
        after = lesson.pressed(key)
        self._set(None if after.is_over else after)
        return is_awaited and lesson.step.is_played

    def follow_game(self, table: Table | None, peg_faults: Iterable[TrackFault]) -> None:
        """Follows the practice game, step by step. The lesson ends when that game does."""
        if self.lesson is None:
            return
        if table is None or not table.is_demo:
            self.end()
            return
        self._set(self.lesson.seen(table, any(fault.track == LEARNER for fault in peg_faults)))

    def _set(self, lesson: Lesson | None) -> None:
        self.revision += lesson != self.lesson
        self.lesson = lesson


def practice_game(plan: BoardPlan, names: tuple[str, ...]) -> StartGame:
    """Two players on the board that is open; the learner deals."""
    rules = rules_for("six_card", {"target": str(plan.targets[0])})
    return StartGame(rules, names[:2], plan.id, dealer=Seat(LEARNER), is_demo=True)
