"""The types of keypad input: what has been typed so far (InputState), what a key press depends on besides that
(InputContext), and what it leads to (KeyResult).

The rules are in `keypad`, `menus`, `hand_input` and `card_scan`; these types have none.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct, field

from firmware_host.cribbage.cards import Card, Suit
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.game import commands as c
from firmware_host.game.state import Table
from firmware_host.ui.club_night import ClubCommand, ClubNight
from firmware_host.ui.pairing_prompt import PairedPhone, PairingCommand, PairingState
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.voice import AskVoice, NameKey, SetVoice, VoiceSettings
from firmware_host.ui.wizard_commands import WizardCommand

RANK_OF_KEY = {key: rank for rank, key in enumerate((*"A23456789", "10", *"JQK"), start=1)}
SUIT_OF_KEY = {"J": Suit.SPADES, "Q": Suit.HEARTS, "K": Suit.DIAMONDS, "ENTER": Suit.CLUBS}
DIGIT_OF_KEY = {key: rank % 10 for key, rank in RANK_OF_KEY.items() if rank <= 10}
"""Ten is 0, so that the keys A to 10 type any number."""
ENTER = "ENTER"
UNDO = "UNDO"
FN = "FN"
FN_HELD = "FN held"
"""FN_HELD: FN was held down long enough to open the menu; `host/parts/key_presses.py` reports it as its own key."""
WITH_FN = "FN+"
"""Before the legend of a key that went down while FN was down: such a key is asked about, and not pressed."""


class SettleNow(Struct, frozen=True):
    """Settle a pending leap now, without waiting until the pegs hold still. For the host, not the game."""


class ForOpponent(Struct, frozen=True):
    """A command that the program gives for a seat that it plays. For the host."""

    command: c.Command


class SetRefereeMode(Struct, frozen=True):
    """Change how much the referee announces. For the host."""

    referee_mode: RefereeMode


class SetAsksCounts(Struct, frozen=True):
    """Ask for the count of each hand before it is told, or do not. For the host."""

    asks_counts: bool


class CheckScore(Struct, frozen=True):
    """Announce now what points are due, whatever the referee mode. For the host."""


class CalibrateWiring(Struct, frozen=True):
    """Start the wiring calibration: find out by touching holes which strip is where. For the host."""


class BeginLesson(Struct, frozen=True):
    """Begin the spoken lesson for people who cannot see the board. For the host."""


class TestLights(Struct, frozen=True):
    """Light all holes one after the other, so that a dead light is seen. For the host."""

    __test__ = False


DIMMEST = 10
"""In percent: the lights that say what is wrong must stay visible."""


class SetBrightness(Struct, frozen=True):
    """Change the brightness of all lights until the next start: DIMMEST to 100 percent. For the host."""

    percent: int


class AskForGame(Struct, frozen=True):
    """A player asks the others to end the game that is on, and to begin `start`. For the host."""

    seat: Seat
    name: str
    start: c.StartGame


class AgreeToGame(Struct, frozen=True):
    """The player of a seat agrees to the new game that another one asks for; None: somebody without a seat. For the
    host."""

    seat: Seat | None = None


UserCommand = (
    c.Command
    | c.Observation
    | SettleNow
    | ForOpponent
    | AskForGame
    | AgreeToGame
    | SetRefereeMode
    | SetAsksCounts
    | CheckScore
    | CalibrateWiring
    | BeginLesson
    | TestLights
    | SetBrightness
    | PairingCommand
    | ClubCommand
    | WizardCommand
    | AskVoice
    | NameKey
    | SetVoice
)
"""Every command of a person, from keys or a phone. An observation: pegs moved on the page or by typed points."""


class OfferedBoard(Struct, frozen=True):
    """A board that a new game can be played on. `board`: its plan id; `targets`: the scores that a game may go to."""

    board: str
    tracks: int
    targets: tuple[int, ...]


class InputContext(Struct, frozen=True):
    """What a key press depends on besides the InputState.

    `has_pending`: a leap waits to be settled. `offers`, `games`, `names`: the boards, rule sets and player names that a
    new game may use; there is at least one rule set.
    """

    table: Table | None
    has_pending: bool
    offers: tuple[OfferedBoard, ...]
    games: tuple[RuleSet, ...]
    names: tuple[str, ...]
    pairing_state: PairingState = PairingState()
    referee_mode: RefereeMode = RefereeMode.TEACHER
    can_calibrate_wiring: bool = False
    """Whether this board has wiring to calibrate; a simulated board has none."""
    voice: VoiceSettings = VoiceSettings()
    asks_counts: bool = False
    """Whether the board asks for the count of a hand instead of telling it at once."""
    club: ClubNight = ClubNight()
    rulings: tuple[c.RuleBreach, ...] = ()
    """The penalties for pegs that the players may give now."""
    has_card_reader: bool = False
    """Whether there is a reader for tagged cards, so that the program can play with a real pack."""
    program_name: str = "The board"
    """What the program is called where it plays."""


class Idle(Struct, frozen=True):
    """Nothing is typed. `is_shifted`: FN was pressed, and changes the meaning of the next key."""

    is_shifted: bool = False


class TypingStarter(Struct, frozen=True):
    """The rank of the starter (1 to 13) is typed; its suit is next."""

    rank: int


class HandQuestion(Enum):
    """What is still unknown of a hand, asked in this order."""

    CARDS = "cards"
    FLUSH = "flush"
    """Whether all cards are of one suit; that suit answers it too."""
    FLUSH_SUIT = "flush_suit"
    """The suit of all cards, after a yes that did not tell it."""
    NOBS = "nobs"
    """Whether the jack of the starter's suit is there."""
    NOTHING = "nothing"


class TypingHand(Struct, frozen=True):
    """The hand or crib to be counted next, as far as it is typed, and the question now asked about it."""

    cards: tuple[Card, ...]
    question: HandQuestion = HandQuestion.CARDS


class AskingCount(Struct, frozen=True):
    """The board asks for the count of a hand, part by part, before `command` counts it. See count_questions.py."""

    command: c.CountHand
    cards: tuple[Card, ...]
    number: int = 0
    """Of the part that is asked for."""
    tries: int = 0
    """Wrong answers to it."""
    typed: int | None = None
    hints: int = 0
    verdict: str = ""
    """Of the last answer: right, low, high, or told if the points of the part before were said."""
    answers: tuple[int | None, ...] = ()
    """The first answer to each part; None: after a hint."""


class MenuQuestion(Enum):
    """What a menu asks."""

    MENU = "menu"
    """The main menu."""
    DEALER = "dealer"
    GAME = "game"
    BOARD = "board"
    TARGET = "target"
    READY = "ready"
    """Start the new game, or change its house rules first."""
    CARDS = "cards"
    """Who deals the cards of a game against the program; asked where there is a card reader."""
    LEVEL = "level"
    """How well the program plays that sits opposite."""
    OPTION = "option"
    VALUE = "value"
    MOVER = "mover"
    """Whose points are to be typed."""
    REFEREE_MODE = "referee_mode"
    VOICE = "voice"
    CRIB = "crib"
    """Whose crib it is, for advice on a discard."""
    PHONES = "phones"
    """Which phone to remove; or pair a new one."""
    PENALTY = "penalty"
    """Which of several penalties is given."""


class NewGame(Struct, frozen=True):
    """What has been chosen so far for a new game."""

    rules: RuleSet | None = None
    offer: OfferedBoard | None = None
    option: str = ""
    """The house rule being changed."""
    is_dealt: bool = True
    """Whether the program deals the cards of a game against it."""


class Choosing(Struct, frozen=True):
    """A menu is on the display: a digit chooses, ENTER is the first choice, FN shows the next page. `page`: from 0."""

    question: MenuQuestion
    game: NewGame = NewGame()
    page: int = 0


class TypingDeal(Struct, frozen=True):
    """The cards dealt to a player who wants advice on a discard, by rank only.

    `own_crib`: the crib is the player's, or the partner's.
    """

    own_crib: bool
    cards: tuple[Card, ...] = ()


class Scoring(Struct, frozen=True):
    """The side that scores is chosen; the next key says how many points. For boards whose pegs nobody reads."""

    side: int


class AskingStarter(Struct, frozen=True):
    """The rank of the starter is next, in a game whose keys otherwise say who scores."""


class TypingPoints(Struct, frozen=True):
    """Points that a side takes by the keys instead of moving its pegs."""

    side: int
    points: int = 0


class TypingClaim(Struct, frozen=True):
    """A muggins claim: points that the other side overlooked."""

    points: int = 0


class TypingBid(Struct, frozen=True):
    """A bid for the crib."""

    points: int


class RemovingPhone(Struct, frozen=True):
    """A phone was chosen for removal; ENTER confirms it."""

    phone: PairedPhone


class ConfirmingNextDeal(Struct, frozen=True):
    """The next deal would lose something (`next_deal.py`); ENTER confirms it. `deal`: the number of the one to end."""

    deal: int


class TypingJoinCode(Struct, frozen=True):
    """The code of a club night, as far as it is typed."""

    code: str = ""


class SeatOffered(Struct, frozen=True):
    """The club seats two players here; ENTER begins their game."""

    start: c.StartGame
    bracket: str = ""
    """`main` or `consolation`, where the game belongs to a match of the play-offs."""


class TypingDiscard(Struct, frozen=True):
    """Cards of the hand that the board shows are chosen for the crib. For the person at the board alone."""

    seat: Seat
    cards: tuple[Card, ...]
    needed: int


class ReadingHand(Struct, frozen=True):
    """The hand of a seat that the program plays is laid on the card reader, card by card. Nobody may see its cards:
    only their number is shown."""

    seat: Seat
    cards: tuple[Card, ...]


class ShowingHand(Struct, frozen=True):
    """The display shows the dealt hand of this seat, whose player asked for it. Others at the board look away."""

    seat: Seat


InputState = (
    Idle
    | ShowingHand
    | TypingDiscard
    | ReadingHand
    | TypingStarter
    | TypingHand
    | AskingCount
    | TypingDeal
    | Choosing
    | Scoring
    | AskingStarter
    | TypingPoints
    | TypingClaim
    | TypingBid
    | RemovingPhone
    | ConfirmingNextDeal
    | TypingJoinCode
    | SeatOffered
)


class CountAttempt(Struct, frozen=True):
    """A hand that a player counted for the board. The first parts of a count were asked for, in its order."""

    name: str
    cards: tuple[Card, ...]
    """With some suit for each whose suit nobody told. The last one is the starter."""
    points: tuple[int, ...]
    """Of each part that was asked for."""
    answers: tuple[int | None, ...]
    """The first answer to each; None: after a hint."""


class KeyResult(Struct, frozen=True):
    """What a key press led to: the next InputState, and a command to carry out if there is one."""

    input_state: InputState = field(default_factory=Idle)
    command: UserCommand | None = None
    attempt: CountAttempt | None = None
    """The hand that was counted before `command`."""
