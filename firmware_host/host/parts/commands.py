"""Carries out what people ask for by keys and phones."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from firmware_host.board.peg_source import PegSource
from firmware_host.game.acting_seats import check_is_for_people
from firmware_host.game.commands import RuleBreach, StartGame, Undo
from firmware_host.game.rule_errors import NoBreach
from firmware_host.host.parts.assembly import HostParts
from firmware_host.host.parts.lesson_session import practice_game
from firmware_host.host.parts.offered_rulings import offered_rulings
from firmware_host.host.parts.wiring_calibration import WiringCalibration
from firmware_host.ui.club_night import DeclineSeat, FollowClub, JoinClub
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.pairing_prompt import AcceptPhone, ClosePairing, OpenPairing, RejectPhone, RemovePhone
from firmware_host.ui.spoken.input import key_in_words
from firmware_host.ui.texts.fault_messages import asks_for_game
from firmware_host.ui.texts.side_names import default_names
from firmware_host.ui.voice import AskVoice, NameKey, SetVoice, VoiceRequest
from firmware_host.ui.wizard_commands import OpenWizard, WizardCommand


class HostCommands:
    """What keys mean now, and what a command does. Only the host thread uses it."""

    def __init__(self, parts: HostParts) -> None:
        self._parts = parts
        self._context = parts.context

    def execute(self, command: k.UserCommand, moment: int | None = None) -> None:
        """Carries a command out, and makes its events durable. Raises Refusal or HostError, and then nothing has
        changed. `moment`: how many turns its sender saw; None: whatever has happened since."""
        self._parts.display_rest.wake()
        if moment is not None:
            self._parts.game.check_moment(moment)
        if isinstance(command, WizardCommand):
            self._follow_wizard(command)
            return
        parts = self._parts
        context = self._context
        match command:
            case k.SettleNow():
                parts.game.settle_now()
            case k.SetRefereeMode() | k.SetAsksCounts() | k.SetBrightness() | SetVoice() | AskVoice():
                parts.preferences.take(command)
            case NameKey(key):
                context.notices.show(partial(key_in_words, key), context.clock())
            case k.CheckScore():
                parts.views.check_score(context.clock())
            case k.TestLights():
                parts.views.test_lights(context.clock())
            case OpenPairing() | ClosePairing() | AcceptPhone() | RejectPhone() | RemovePhone():
                context.pairing.do(command)
            case JoinClub() | DeclineSeat() | FollowClub():
                parts.club.do(command, context.clock())
            case k.CalibrateWiring():
                parts.set_up.calibration = WiringCalibration(context.plan)
            case k.BeginLesson():
                self._begin_lesson()
            case StartGame():
                self._start_game(command)
            case k.AskForGame():
                context.asked_game.ask(command, context.clock())
                context.notices.show(partial(asks_for_game, command.name), context.clock())
            case k.AgreeToGame(seat):
                self._start_game(context.asked_game.agreed(seat))
            case Undo():
                parts.game.undo()
            case k.ForOpponent():
                parts.game.take_in_order(command.command)
            case RuleBreach():
                self._rule(command)
            case _:
                check_is_for_people(command, context.table)
                parts.game.take_in_order(command)
        parts.game.shuffle()
        context.revision += 1

    def input_context(self) -> k.InputContext:
        """What the meaning of a key depends on."""
        context = self._context
        preferences = self._parts.preferences
        setup = context.setup
        table = context.table
        playing = table.names if table else ()
        return k.InputContext(
            table,
            has_pending=bool(self._parts.pegs.watcher.pending),
            offers=tuple(k.OfferedBoard(plan.id, plan.tracks, plan.targets) for plan in setup.plans),
            games=setup.games,
            names=(*playing, *setup.names[len(playing) :]),
            pairing_state=context.pairing.pairing_state(),
            referee_mode=preferences.referee_mode,
            can_calibrate_wiring=setup.save_wiring is not None,
            voice=preferences.voice,
            asks_counts=preferences.asks_counts,
            club=self._parts.club.night,
            rulings=self._rulings(),
            has_card_reader=setup.card_reader is not None,
            program_name=setup.translator("The board"),
        )

    def _rulings(self) -> tuple[RuleBreach, ...]:
        return offered_rulings(self._context.table, self._parts.pegs.watcher.unruled_faults.values())

    def _rule(self, ruling: RuleBreach) -> None:
        """Gives a penalty that the board offers, once. Raises NoBreach for any other."""
        if ruling not in self._rulings():
            raise NoBreach("a penalty that the board offers", ruling.breach.value)
        self._parts.game.take_in_order(ruling)
        self._parts.pegs.watcher.mark_ruled(ruling)

    def resume_after_wizard(self, *, was_open: bool) -> None:
        """Follows the pegs of the game again if the wizard was closed."""
        wizard = self._parts.set_up.wizard
        if was_open and not wizard.is_open:
            wizard.close_pairing(self._context.pairing)
            self._parts.board.attach()

    def _start_game(self, command: StartGame) -> None:
        self._parts.lesson.end()
        self._parts.game.start(command)
        self._context.asked_game.end()
        wizard = self._parts.set_up.wizard
        was_open = wizard.is_open
        wizard.game_began()
        self.resume_after_wizard(was_open=was_open)

    def _begin_lesson(self) -> None:
        """Begins the lesson by ear, and turns the voice on for it."""
        setup = self._context.setup
        names = (*setup.names, *default_names(setup.translator))
        read = next((source for source in setup.peg_sources if source is not PegSource.BY_HAND), None)
        self.execute(replace(practice_game(self._context.plan, names), pegs=read))
        table = self._context.table
        self._parts.lesson.begin(is_by_hand=table is not None and table.is_by_hand)
        self._parts.preferences.take(AskVoice(VoiceRequest.REPEAT))

    def _follow_wizard(self, command: WizardCommand) -> None:
        wizard = self._parts.set_up.wizard
        was_open = wizard.is_open
        if isinstance(command, OpenWizard):
            self._parts.game.leave_demo()
        wizard.do(command, self._context.plan)
        if wizard.is_open and not was_open:
            self._parts.views.end_light_test()
            self._parts.keypad.reset()
        self.resume_after_wizard(was_open=was_open)
