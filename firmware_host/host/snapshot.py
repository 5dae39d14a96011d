"""One frozen view of the game and the board, published by the host thread for the display and for phones."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.game.history import History, Turn
from firmware_host.game.state import Table
from firmware_host.pairing.qr_code import Picture
from firmware_host.tracking.readings import TrackFault
from firmware_host.ui.display.look import Look
from firmware_host.ui.display.oled_page import Page
from firmware_host.ui.display.prompts import game_prompt
from firmware_host.ui.display.rest import DisplayLight
from firmware_host.ui.keys.input_state import AskForGame, InputContext, InputState, TypingDeal
from firmware_host.ui.lights.lights import HoleSignal, PendingLeap
from firmware_host.ui.pairing_prompt import PairingState, pairing_prompt
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import Shown
from firmware_host.ui.situation import Situation, Topic, game_situation
from firmware_host.ui.spoken.lesson import Lesson
from firmware_host.ui.texts.fault_messages import no_fault
from firmware_host.ui.translator import Message, Translator, untranslated
from firmware_host.ui.voice import Asked, VoiceSettings
from firmware_host.ui.wizard.display import wizard_line
from firmware_host.ui.wizard.wizard import Wizard


class Snapshot(Struct, frozen=True, kw_only=True, dict=True):
    """`version` grows by one with every visible change. What follows from the fields is computed once, when it is first
    asked for."""

    version: int
    plan: BoardPlan
    history: History
    shown: Shown | None
    """What may be shown of the table of `history`; None before the first game."""
    input_state: InputState
    """What the sixteen keys have entered so far."""
    input_context: InputContext
    """What the next key depends on besides that; the menus are made from it."""
    occupied: tuple[frozenset[Hole], ...]
    """The holes of each track in which the sensors see a peg."""
    pending: tuple[PendingLeap, ...]
    """Leaps that were seen and have not yet held still."""
    peg_faults: tuple[TrackFault, ...]
    signals: tuple[HoleSignal, ...]
    """What each hole's light shows."""
    referee_mode: RefereeMode
    """How much may be shown about points that nobody has pegged yet."""
    fault: str = ""
    """Everything known about what keeps the board from following the game; empty while nothing does."""
    fault_message: Message = no_fault
    """The same in one short sentence for players."""
    notice: Message | None = None
    """A short message for a few seconds: a refused key, or something that happened to the board."""
    asked_game: AskForGame | None = None
    """The new game that a player asks the others for."""
    pairing_state: PairingState = PairingState()
    """Which phone asks to be added, and the pairing code. The code is for the display alone."""
    pairing_picture: Picture = ()
    """What the display shows instead of its page while phones may be added; empty otherwise."""
    calibration: Message | None = None
    """The next step of a running wiring calibration."""
    wizard: Wizard | None = None
    """The set-up wizard while it is open."""
    key_presses: int = 0
    """Grows with every key that was handled."""
    lesson: Lesson | None = None
    """The lesson by ear while it is on; then the game is its practice game."""
    asked: Asked = Asked()
    """What the voice was asked for last."""
    brightness: int = 100
    """Of all lights, in percent."""
    has_drawn_pegs: bool = False
    """Whether the pegs are drawn: the program moves those of its own seats."""
    is_stored: bool = False
    """Whether the game was on at the last stop, and nobody has gone on with it yet."""
    prompt: str = ""
    """`first_line` in the language of the display."""
    oled_page: Page = ()
    """The text page of the display, as phones may see it."""
    look: Look = Look()
    """How display and lights look."""
    display_light: DisplayLight = DisplayLight()
    """How bright the display is now; it sleeps while nobody uses the board."""
    own_page: Page = ()
    """What the display shows instead for the person at the board: the hand that the program dealt; else empty."""

    @property
    def voice(self) -> VoiceSettings:
        """How the voice is set now."""
        return self.input_context.voice

    @cached_property
    def table(self) -> Table | None:
        """None before the first game."""
        return self.history.table

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the game that are not undone, latest first."""
        turns = list[Turn]()
        turn = self.history.last
        while turn:  # no generator: a game has hundreds of turns
            turns.append(turn)
            turn = turn.before
        return tuple(turns)

    @cached_property
    def situation(self) -> Situation:
        """What people should attend to first. Display, page and API all follow this one decision."""
        if self.calibration:
            return Situation(Topic.CALIBRATION)
        if self.pairing_state.requested_by:
            return Situation(Topic.PAIRING)
        if self.fault_message(untranslated):
            return Situation(Topic.FAULT)
        if self.wizard:
            return Situation(Topic.SETUP)
        return Situation(Topic.NOTICE) if self.notice else self.situation_of_game

    @cached_property
    def situation_of_game(self) -> Situation:
        """What comes first without the board's own messages: the pegs, the keys, the points, or the phase."""
        return game_situation(self.shown, self.input_state, self.pending, self.peg_faults, self.referee_mode)


def first_line(snapshot: Snapshot, tr: Translator = untranslated, *, is_public: bool = False) -> str:
    """The `situation` in one line of the display.

    `is_public` hides the cards that somebody types at the board to get advice.
    """
    match snapshot.situation.topic:
        case Topic.CALIBRATION if snapshot.calibration:
            return snapshot.fault_message(tr) or snapshot.calibration(tr)
        case Topic.PAIRING:
            return pairing_prompt(snapshot.pairing_state, tr)
        case Topic.FAULT:
            return snapshot.fault_message(tr)
        case Topic.SETUP if snapshot.wizard:
            return wizard_line(snapshot.wizard, snapshot.plan, tr)
        case Topic.NOTICE if snapshot.notice:
            return snapshot.notice(tr)
        case Topic.PHASE if snapshot.lesson and not snapshot.lesson.step.is_about_the_game:
            return tr("Hold FN: end")
    entered = snapshot.input_state
    if is_public and isinstance(entered, TypingDeal):
        entered = replace(entered, cards=())
    return game_prompt(
        snapshot.situation_of_game,
        snapshot.shown,
        entered,
        tr,
        snapshot.referee_mode,
        has_drawn_pegs=snapshot.has_drawn_pegs,
    )
