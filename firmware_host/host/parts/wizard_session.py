"""The set-up wizard on the open board: takes keys and sensor frames, and saves its progress in the state folder.

No game is followed while the wizard is open.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from board_drivers.ports import Colour, SensorFrame
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.host.parts.wizard_store import load_wizard, save_wizard
from firmware_host.host.setup import HostSetup
from firmware_host.pairing.pairing import Pairing, PairingLocked
from firmware_host.ui import wizard_commands as w
from firmware_host.ui.keys.input_state import FN, FN_HELD, WITH_FN
from firmware_host.ui.pairing_prompt import ClosePairing, OpenPairing, PairingState
from firmware_host.ui.wizard.display import wizard_lights
from firmware_host.ui.wizard.wizard import Wizard, WizardClosed

SAVE_EVERY_S = 2.0
"""Results of holes are written at most this often, to spare the memory card. A power cut loses those not yet
written."""
MOST_AT_ONCE = 4
"""More sensors than this do not change at once while a person tries holes; a strong magnet or a cable does that."""


class WizardSession:
    """The wizard of one board. Only the host thread uses it; `wizard` is immutable and may be read by any thread."""

    def __init__(
        self, plan: BoardPlan, setup: HostSetup, play_tune: Callable[[], None], *, has_begun_games: bool
    ) -> None:
        """Goes on where the last one stopped. Without one, and without a game, it opens where `setup` says so.
        `play_tune` plays a tune on the board."""
        self._play_tune = play_tune
        self._file = setup.wizard_file
        stored = load_wizard(self._file, plan, setup.wizard_steps) if self._file else None
        self.wizard = self._saved = stored or Wizard(setup.wizard_steps, setup.wizard_steps[0])
        if stored is None and setup.wizard_opens_by_itself and not has_begun_games:
            self.wizard = self.wizard.opened()
        self._tried = stored
        self._tried_s = 0.0
        """What was last written to the file, or was to be, and when."""
        self._frame: SensorFrame | None = None
        self._phones: int | None = None
        self._has_opened_pairing = False
        self.revision = 0
        """Grows with every change."""

    @property
    def is_open(self) -> bool:
        """Whether the wizard has the board."""
        return self.wizard.is_open

    def do(self, command: w.WizardCommand, plan: BoardPlan) -> None:
        """Carries a command out. Raises WizardClosed or NoSuchStep."""
        if not self.is_open and not isinstance(command, w.OpenWizard | w.CloseWizard):
            raise WizardClosed("an open set-up", "a closed one", fix="open it")
        wizard = self.wizard
        match command:
            case w.OpenWizard():
                self._frame = None
                self._set(wizard.opened())
            case w.CloseWizard():
                self._set(wizard.closed())
            case w.GoToStep(step):
                self._set(wizard.at(step))
            case w.RepeatStep(step):
                self._set(wizard.repeated(step, plan))
            case w.AnswerQuestion(question, is_ok):
                self._set(wizard.answered(question, is_ok, plan))
            case w.MarkHole(sensor):
                self._set(wizard.marked(sensor, plan, is_occupied=sensor in (self._frame or ())))
            case w.PlayTestSound():
                self._play_tune()

    def game_began(self) -> None:
        """Ends the wizard, because a game needs the board."""
        if self.is_open:
            self._set(self.wizard.closed())

    def press(self, key: str, plan: BoardPlan) -> None:
        """Handles a key: the step KEYS marks it as working. In every other step a held FN closes the wizard."""
        if key == FN_HELD and self.wizard.step is not w.Step.KEYS:
            self._set(self.wizard.closed())
        else:
            self._set(self.wizard.pressed(FN if key == FN_HELD else key.removeprefix(WITH_FN), plan))

    def see(self, frame: SensorFrame, plan: BoardPlan) -> None:
        """Takes a frame. A peg that comes shows that its hole works, and so does one that goes."""
        if self._frame is not None and len(changed := frame ^ self._frame) <= MOST_AT_ONCE:
            self._set(self.wizard.touched(changed, plan))
        self.revision += frame != self._frame
        self._frame = frame

    def occupied(self, plan: BoardPlan) -> tuple[frozenset[Hole], ...]:
        """The holes of each track in which the sensors see a peg."""
        return plan.track_view(self._frame or frozenset())

    def follow_pairing(self, pairing: Pairing, state: PairingState, *, is_reachable: bool) -> None:
        """Keeps the code open while the wizard waits for a phone: in its own step, and at the start of a board that has
        no phone yet, so that the first one can be added from anywhere in the room. ENTER still has to accept it."""
        if self._phones is not None and len(state.phones) > self._phones:
            self._set(self.wizard.phone_added())
        self._phones = len(state.phones)
        is_first = self.wizard.previous is None and not state.phones and is_reachable
        if self.wizard.step is not w.Step.PHONE and not is_first:
            self.close_pairing(pairing)
        elif not state.code and not state.requested_by:
            with suppress(PairingLocked):
                pairing.do(OpenPairing())
                self._has_opened_pairing = True

    def close_pairing(self, pairing: Pairing) -> None:
        """Withdraws the code that the wizard opened."""
        if self._has_opened_pairing:
            self._has_opened_pairing = False
            pairing.do(ClosePairing())

    def lights(self, plan: BoardPlan) -> list[Colour]:
        """One colour a light."""
        return wizard_lights(self.wizard, plan)

    def save(self, plan: BoardPlan, at_s: float) -> bool:
        """Saves what changed, the results within a step at most every SAVE_EVERY_S. Returns whether it wrote.

        Raises WizardStoreError; it is tried again.
        """
        if self._file is None or self.wizard == self._saved:
            return False
        if self._is_within_step() and at_s < self._tried_s + SAVE_EVERY_S:
            return False
        self._tried = self.wizard
        self._tried_s = at_s
        save_wizard(self._file, plan, self.wizard)
        self._saved = self.wizard
        return True

    def _is_within_step(self) -> bool:
        tried = self._tried
        now = self.wizard
        return tried is not None and (tried.step, tried.is_open) == (now.step, now.is_open)

    def _set(self, wizard: Wizard) -> None:
        if wizard == self.wizard:
            return
        before = self.wizard
        self.wizard = wizard
        self.revision += 1
        if wizard.question is w.Question.BOARD and before.question is not w.Question.BOARD:
            self._play_tune()
