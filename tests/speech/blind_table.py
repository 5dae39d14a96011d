"""A table for players who cannot see: a host on a simulated board without a display, of which only the voice is heard.

The players have their cards in hand, feel their own pegs and the keys, and hear. Nothing of the host is read but the
sentences of the narrator; the pegs stay where they are when the power fails.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from board_drivers.ports import Board, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.languages import translator
from firmware_host.cribbage.rules import RuleSet
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.speech.narrator import Narrator
from firmware_host.storage.journal import Journal
from firmware_host.ui.voice import VoiceSettings

SCAN_S = 0.04
NAMES = ("Ann", "Ben", "Cora", "Dan")


class NoDisplay:
    """A scoreboard that shows nothing."""

    def show(
        self, page: Sequence[tuple[str, int]], *, is_inverted: bool = False, shift_px: tuple[int, int] = (0, 0)
    ) -> None:
        pass

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        pass

    def set_contrast(self, level: int) -> None:
        pass


class DarkBoard(SimulatedBoard):
    """A simulated board without a display."""

    def __init__(self, plan: BoardPlan, clock: object) -> None:
        super().__init__(plan.bit_count, plan.led_count, clock=clock)  # type: ignore[arg-type]
        self.scoreboard = NoDisplay()  # type: ignore[assignment]

    def close(self) -> None:
        """The pegs stay."""


class BlindTable(Struct, dict=True):
    """`heard`: everything said since the start, in order. `plan_id` is the board, `rules` the only game offered."""

    rules: RuleSet
    plan_id: str = "classic-61"
    journal: Journal = field(default_factory=Journal.in_memory)
    now_s: float = 0.0

    def __post_init__(self) -> None:
        self.plan = load_plan(self.plan_id)
        self.course = self.plan.course(self.plan.targets[0])
        """That of the lesson; a game may have another."""
        self.board = DarkBoard(self.plan, lambda: self.now_s)
        self.heard = list[str]()
        self._new = list[str]()
        names = NAMES[: self.rules.players]
        setup = HostSetup((self.plan,), lambda plan: self.board, self._place_pegs, (self.rules,), names, SCAN_S)
        self.setup = replace(setup, voice=VoiceSettings(is_on=True))
        self._is_resuming = False
        self.switch_on()

    def _place_pegs(self, board: Board, frame: SensorFrame) -> None:
        """People put their pegs into the start holes when a game begins, and leave them where they are otherwise."""
        if not self._is_resuming:
            self.board.set_pegs(frame)

    def switch_on(self) -> None:
        """Also after a power cut: another host on the same journal, and the pegs as they stand."""
        self._is_resuming = bool(self.heard)
        self._host = Host(self.setup, self.journal, lambda: self.now_s)
        self._is_resuming = False
        self._narrator, self._version = Narrator(translator), -1
        self.wait(0.2)

    def wait(self, seconds: float) -> None:
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s += SCAN_S
            self._host.step()
            snapshot = self._host.snapshot
            if snapshot.version != self._version:
                self._version = snapshot.version
                speech = self._narrator.speech_for(snapshot)
                if speech and speech.text:
                    self.heard.append(speech.text)
                    self._new.append(speech.text)

    def listen(self) -> list[str]:
        """What was said since the last call."""
        new, self._new = self._new, list[str]()
        return new

    def press(self, *keys: str) -> None:
        for key in keys:
            self.board.tap(key)
            self.wait(0.1)

    def ask(self, key: str) -> None:
        """Presses a key while FN is down, which asks the voice whatever is being typed."""
        self.board.press("FN")
        self.press(key)
        self.board.release("FN")
        self.wait(0.1)

    def lift(self, track: int, hole: int) -> None:
        self.board.lift_peg(self.plan.at(track, Hole(hole)).sensor)
        self.wait(0.15)

    def place(self, track: int, hole: int) -> None:
        self.board.place_peg(self.plan.at(track, Hole(hole)).sensor)
        self.wait(0.15)

    def holes(self, track: int) -> set[int]:
        """The holes of the track that have a peg, as a hand feels them."""
        return {int(hole) for hole in self.plan.track_view(self.board.sensors.scan())[track]}

    @property
    def true_scores(self) -> tuple[int, ...]:
        """For the test alone: the scores of the game."""
        table = self._host.snapshot.table
        return table.scores if table else ()

    def close(self) -> None:
        self._host.stop()
