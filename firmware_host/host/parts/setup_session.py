"""The wiring calibration and the set-up wizard.

While one of them is open it gets the keys and the sensors, and no game is followed.
"""

from __future__ import annotations

from functools import partial

from board_drivers.ports import DriverError, SensorFrame
from firmware_host.board.course import Hole
from firmware_host.errors import HostError
from firmware_host.host.health import DISK, SENSORS
from firmware_host.host.parts.context import HostContext
from firmware_host.host.parts.keypad_session import CommandExecutor, KeypadSession
from firmware_host.host.parts.outputs import OwnLights
from firmware_host.host.parts.peg_intake import PegIntake
from firmware_host.host.parts.wiring_calibration import WiringCalibration
from firmware_host.host.parts.wizard_session import WizardSession
from firmware_host.ui.pairing_prompt import PairingState


class SetupSession:
    """Only the host thread uses it."""

    def __init__(self, context: HostContext, wizard: WizardSession, keypad: KeypadSession, pegs: PegIntake) -> None:
        self.wizard = wizard
        self.calibration: WiringCalibration | None = None
        """None: the wiring is not calibrated now."""
        self._context = context
        self._faults = context.faults
        self._keypad = keypad
        self._pegs = pegs
        self._changes = 0

    @property
    def is_open(self) -> bool:
        """Whether the board is taken from the game."""
        return self.calibration is not None or self.wizard.is_open

    @property
    def revision(self) -> int:
        """Grows with every change."""
        return self._changes + self.wizard.revision

    def own_lights(self) -> OwnLights | None:
        """What to light; None: the game has the board."""
        if self.calibration:
            return self.calibration.lights
        return partial(self.wizard.lights, self._context.plan) if self.wizard.is_open else None

    def occupied(self) -> tuple[frozenset[Hole], ...] | None:
        """The holes of each track in which the wizard sees a peg; None: no wizard is open."""
        return self.wizard.occupied(self._context.plan) if self.wizard.is_open else None

    def step(self, commands: CommandExecutor, state: PairingState) -> None:
        """One round of input. `state`: the pairing as the display shows it."""
        now_s = self._context.clock()
        self._pegs.scanned_s = now_s
        if self.calibration:
            self._calibrate(self.calibration, now_s)
        else:
            self._guide(commands, state, now_s)

    def _calibrate(self, calibration: WiringCalibration, now_s: float) -> None:
        for key in self._keypad.pressed_keys(now_s):
            calibration.press(key)
            self._changes += 1
        frame = self._scan()
        if frame is not None:
            self._changes += calibration.see(frame)

    def _guide(self, commands: CommandExecutor, state: PairingState, now_s: float) -> None:
        """The wizard gets the keys, unless they answer a phone."""
        context = self._context
        plan = context.plan
        if state.requested_by:
            self._keypad.read_keys(commands)
        else:
            for key in self._keypad.pressed_keys(now_s):
                self.wizard.press(key, plan)
                context.notices.show(lambda tr: tr("Hold FN: later"), now_s)
        frame = self._scan()
        if frame is not None:
            self.wizard.see(frame, plan)
        self.wizard.follow_pairing(context.pairing, state, is_reachable=context.setup.is_reachable)

    def _scan(self) -> SensorFrame | None:
        try:
            frame = self._context.board.sensors.scan()
        except DriverError as error:
            self._pegs.sensors_failed(error)
            return None
        self._faults.report(SENSORS, "")
        return frame

    def save(self, at_s: float) -> None:
        """Saves the progress of the wizard: see `WizardSession.save`. A failure is reported as a fault of the disk."""
        try:
            if self.wizard.save(self._context.plan, at_s):
                self._faults.report(DISK, "")
        except HostError as error:
            self._faults.report(DISK, str(error))
