"""Makes the parts of a host, the lower ones first, and holds them together."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from firmware_host.host.parts.board_sounds import BoardSounds
from firmware_host.host.parts.club_session import ClubSession
from firmware_host.host.parts.context import HostContext
from firmware_host.host.parts.display_rest import DisplayRest
from firmware_host.host.parts.game_session import GameSession
from firmware_host.host.parts.journal_maintenance import JournalMaintenance
from firmware_host.host.parts.keypad_session import KeypadSession
from firmware_host.host.parts.lesson_session import LessonSession
from firmware_host.host.parts.open_board import OpenBoard
from firmware_host.host.parts.peg_intake import PegIntake
from firmware_host.host.parts.preferences import Preferences
from firmware_host.host.parts.settings_warning import SettingsWarning
from firmware_host.host.parts.setup_session import SetupSession
from firmware_host.host.parts.timed_views import TimedViews
from firmware_host.host.parts.wizard_session import WizardSession
from firmware_host.host.setup import HostSetup
from firmware_host.host.trace_log import TraceLog
from firmware_host.pairing.pairing import Pairing
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.storage.active_game import ActiveGame
from firmware_host.storage.deferred_game import DeferredGame
from firmware_host.storage.journal import Journal


class HostParts(Struct, frozen=True):
    """Every part of one host. What commands, snapshots and the loop need more than one of is found here."""

    context: HostContext
    maintenance: JournalMaintenance
    sounds: BoardSounds
    keypad: KeypadSession
    pegs: PegIntake
    preferences: Preferences
    views: TimedViews
    lesson: LessonSession
    club: ClubSession
    set_up: SetupSession
    board: OpenBoard
    game: GameSession
    display_rest: DisplayRest
    settings_warning: SettingsWarning

    @property
    def revision(self) -> int:
        """Grows with every change that a snapshot shows: each part counts its own changes, and none ever falls."""
        context = self.context
        return (
            context.revision
            + context.faults.revision
            + context.notices.revision
            + context.asked_game.revision
            + self.views.revision
            + self.lesson.revision
            + self.club.revision
            + self.keypad.revision
            + self.pegs.revision
            + self.set_up.revision
            + self.display_rest.revision
        )


def assemble(
    setup: HostSetup,
    journal: Journal,
    clock: Callable[[], float],
    phones: PhoneRegistry | None,
    trace: TraceLog | None,
    deferred: DeferredGame | None,
) -> HostParts:
    """Opens the board of the game in `journal` and makes what follows the game on it. For the arguments see `Host`."""
    active_game = ActiveGame(journal, {plan.id for plan in setup.plans}, deferred)
    context = HostContext(setup, active_game, Pairing(phones or PhoneRegistry(), clock), clock, trace)
    maintenance = JournalMaintenance(active_game, context.faults, context.notices, context.pairing.registry.save)
    sounds = BoardSounds(context)
    keypad = KeypadSession(context, sounds)
    pegs = PegIntake(context)
    preferences = Preferences(setup)
    views = TimedViews()
    wizard = WizardSession(context.plan, setup, sounds.play_test, has_begun_games=journal.last_game > 0)
    set_up = SetupSession(context, wizard, keypad, pegs)
    board = OpenBoard(context, keypad, pegs)
    return HostParts(
        context,
        maintenance,
        sounds,
        keypad,
        pegs,
        preferences,
        views,
        LessonSession(),
        ClubSession(context.notices),
        set_up,
        board,
        GameSession(context, board, keypad, pegs, sounds, maintenance, preferences, views),
        DisplayRest(context, keypad, pegs, set_up),
        SettingsWarning(context, lambda: (keypad.revision, active_game.players_history.count)),
    )
