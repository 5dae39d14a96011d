"""What a host needs to run: the boards it may open, and the settings that may change while it runs."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from board_drivers.ports import Board, CardReader, SensorFrame
from firmware_host.board.peg_source import PegSource
from firmware_host.board.plan import BoardPlan, UnsupportedTarget
from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.options import MugginsMode
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.game.commands import StartGame
from firmware_host.game.rule_errors import OpponentNeedsDealtCards
from firmware_host.game.state import Table
from firmware_host.tracking.timing import Timing
from firmware_host.ui.display.look import Look
from firmware_host.ui.keys.input_state import CountAttempt
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.translator import Translator, untranslated
from firmware_host.ui.voice import VoiceSettings
from firmware_host.ui.wizard_commands import Step


class GameDoesNotFitBoard(Refusal):
    """The chosen board is not available, or has no track of the target's length."""

    kind = "board_cannot"
    sentence = "This game does not fit this board."


class SettingsFault(Struct, frozen=True):
    """What is wrong in the settings file."""

    line: int
    """From 1; 0: unknown."""
    name: str
    """Of the setting; empty: unknown."""
    sentence: str
    """What was expected, what is there, and how to fix it."""


class HostSetup(Struct, frozen=True):
    """Boards, defaults and callbacks of a host."""

    plans: tuple[BoardPlan, ...]
    """The boards that can be opened, the default one first."""
    open_board: Callable[[BoardPlan], Board]
    place_pegs: Callable[[Board, SensorFrame], None]
    """Called when a game begins or resumes, with the sensors that should see a peg. On a real board people do it."""
    games: tuple[RuleSet, ...] = ()
    """The games that the keypad menu offers, the usual one first."""
    names: tuple[str, ...] = ()
    """Default names of the players, seat by seat."""
    scan_s: float = 0.02
    """Seconds between two scans of the sensors."""
    timing: Timing = Timing()
    referee_mode: RefereeMode = RefereeMode.TEACHER
    translator: Translator = untranslated
    """The language of the display."""
    voice: VoiceSettings = VoiceSettings()
    asks_counts: bool = False
    """Whether the board asks for the count of a hand instead of announcing it at once."""
    brightness: int = 100
    """Of the lights, in percent."""
    look: Look = Look()
    """How display and lights look."""
    has_sound: bool = True
    """Whether the board confirms pegs and keys by sounds."""
    address: str = "http://localhost:8080/"
    """Where phones find the panel."""
    keeps_pegs: bool = False
    """Whether `place_pegs` moves the pegs after an undo, a redo and a correction too: they are drawn, and nobody has to
    put them right."""
    peg_sources: tuple[PegSource, ...] = (PegSource.DRAWN,)
    """Where the pegs of a new game may be, the usual source first. What a game chose: `Table.is_by_hand`."""
    has_lights: bool = True
    """Whether there are lights beside the holes, real or drawn."""
    save_wiring: Callable[[BoardPlan], None] | None = None
    """Saves a plan with its strips as a calibration found them; raises HostError. None: this board has no wiring to
    calibrate."""
    wizard_steps: tuple[Step, ...] = tuple(Step)
    """The steps of the set-up wizard that this board has."""
    wizard_file: Path | None = None
    """Where the wizard saves its progress; None: nowhere."""
    wizard_opens_by_itself: bool = False
    """Whether the wizard opens at the first start."""
    on_step: Callable[[], None] = lambda: None
    """Called after every step that did not fail."""
    opponent_pace_s: float = 1.2
    """Seconds that the program's player takes for a card, at least."""
    call_opponent: Callable[[], None] = lambda: None
    """Called while the game has seats that the program plays; often, and returns at once."""
    on_count: Callable[[CountAttempt], None] = lambda attempt: None
    """Called on the host's thread when a player has counted a hand for the board."""
    find_settings_fault: Callable[[], SettingsFault | None] | None = None
    """Looks again what is wrong in the settings file; None: the board started with it."""
    card_reader: CardReader | None = None
    """The reader of tagged cards, if there is one."""
    card_of: Callable[[str], Card] = parse_card
    """The card of a tag. Raises Refusal."""

    @property
    def is_reachable(self) -> bool:
        """Whether phones can reach the panel: it does not answer this computer only."""
        name = urlsplit(self.address).hostname or ""
        return name != "localhost" and not ip_address(name).is_loopback

    def plan_of(self, table: Table | None) -> BoardPlan:
        """The board of a game; the default board where there is no game, or where its board is not available."""
        return next((plan for plan in self.plans if table and plan.id == table.board), self.plans[0])

    def fit_to_board(self, command: StartGame, default: BoardPlan) -> StartGame:
        """The game on an available board with a track of its length. Sides beyond the board's tracks have no pegs; the
        program keeps their score. By hand no side has any, and the board is one that can be drawn for the target.
        Raises GameDoesNotFitBoard; OpponentNeedsDealtCards where the program would see no cards."""
        if any(command.levels) and not command.is_dealt and self.card_reader is None:
            raise OpponentNeedsDealtCards("cards dealt by the program", "cards entered by people", fix="set is_dealt")
        pegs = command.pegs or self.peg_sources[0]
        if pegs not in self.peg_sources:
            raise GameDoesNotFitBoard(f"pegs that are {' or '.join(self.peg_sources)}", pegs)
        is_by_hand = pegs is PegSource.BY_HAND
        plan = next((plan for plan in self.plans if plan.id == (command.board or default.id)), None)
        if plan is None:
            available = ", ".join(plan.id for plan in self.plans)
            raise GameDoesNotFitBoard(f"an available board ({available})", command.board)
        if is_by_hand:
            plan = self._for_target(command.rules.target, plan)
        try:
            plan.course(command.rules.target)
        except UnsupportedTarget as error:
            supported = ", ".join(map(str, error.supported))
            raise GameDoesNotFitBoard(f"a target that {plan.id} supports ({supported})", str(error.target)) from None
        if is_by_hand:
            # With muggins each player names what he takes, or nobody could miss anything.
            names_points = command.rules.muggins_mode is not MugginsMode.OFF
            return replace(command, board=plan.id, sides_on_board=0, points_are_entered=names_points)
        return replace(command, board=plan.id, sides_on_board=min(plan.tracks, len(command.rules.sides)))

    def _for_target(self, target: int, asked: BoardPlan) -> BoardPlan:
        """A board with a track of that length: the one asked for, if it has one."""
        return next((plan for plan in (asked, *self.plans) if target in plan.targets), asked)

    def with_wiring(self, plan: BoardPlan, strip_order: tuple[int, ...]) -> tuple[HostSetup, BoardPlan]:
        """Saves and uses a calibrated wiring. `strip_order`: see `WiringDiscovery.order`. Raises HostError."""
        assert self.save_wiring is not None
        wired = plan.rewired(strip_order)
        self.save_wiring(wired)
        return replace(self, plans=(wired, *(other for other in self.plans if other is not plan))), wired
