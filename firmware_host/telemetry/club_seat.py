"""What the program of the club sends a board: whether it has joined the night, who should sit at it, and the game.

A seat names the variant and the options that differ from its usual rules. A board that does not know one of them does
not begin the game, and shows which one it is.
"""

from __future__ import annotations

import logging
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage.rule_errors import Refusal, UnknownChoice, UnknownOption
from firmware_host.cribbage.variants import recorded_rules
from firmware_host.game.commands import StartGame
from firmware_host.game.events import ClubGame
from firmware_host.host.snapshot import Snapshot
from firmware_host.mqtt_messages.reading import MalformedMessage, as_payload
from firmware_host.mqtt_messages.seat import LONGEST_NAME, JoinMessage, SeatMessage, SeatState, read_seat
from firmware_host.mqtt_messages.topics import VERSION
from firmware_host.ui.club_night import ClubNight, ClubState, seat_to_begin

log = logging.getLogger(__name__)

JOIN_AGAIN_S = 10.0
"""How often a board without an answer asks again."""

NEVER_S = -inf

STATES = {
    SeatState.WAITING: ClubState.JOINED,
    SeatState.NOT_JOINED: ClubState.NOT_JOINED,
    SeatState.RELEASED: ClubState.RELEASED,
    SeatState.WRONG_CODE: ClubState.WRONG_CODE,
    SeatState.TOO_MANY_CODES: ClubState.TOO_MANY_CODES,
}


def night_of(seat: SeatMessage) -> ClubNight:
    """What a message of the club says."""
    if seat.state is not SeatState.SEATED:
        return ClubNight(STATES[seat.state], seat.table or 0)
    assert seat.night and seat.round and seat.table and seat.players and seat.scores and seat.variant  # by read_seat
    try:
        rules = recorded_rules(seat.variant, seat.options or {})
    except Refusal as fault:
        return ClubNight(ClubState.REFUSED, seat.table, problem=_problem(fault, seat.variant))
    game = ClubGame(seat.night, seat.round, seat.table)
    start = StartGame(rules, seat.players, scores=seat.scores, club_game=game)
    return ClubNight(ClubState.JOINED, seat.table, start, seat.bracket.value if seat.bracket else "")


def _problem(fault: Refusal, variant: str) -> str:
    """The option that is not known, or has an unknown value; else the variant. It is shown, so it is kept short."""
    problem = variant
    if isinstance(fault, UnknownOption):
        problem = fault.got.strip("'\"")
    elif isinstance(fault, UnknownChoice):
        problem = fault.where.removeprefix("option ")
    return "".join(filter(str.isprintable, problem))[:LONGEST_NAME]


class _Asking(Struct, frozen=True):
    """A code that no answer has come to. Times are monotonic seconds."""

    code: str
    since_s: float
    asked_s: float = NEVER_S


class ClubSeat:
    """Joins the night by the code of the settings or the one that was typed on the board, and says what the board
    should show. With a code in the settings nobody is asked: the games begin by themselves. No game that is on is ever
    ended."""

    def __init__(self, code: str = "") -> None:
        self._code = code
        self.begins_alone = bool(code)
        """Whether games begin without a question."""
        self._asking = _Asking(code, 0.0) if code else None
        self._joins = 0
        self.night = ClubNight(ClubState.NOT_JOINED)
        self._begun: tuple[ClubGame | None, tuple[str, ...]] | None = None

    def connected(self) -> None:
        """The broker accepted the board again: the club may have another night."""
        if self._code:
            self._asking = _Asking(self._code, self._asking.since_s if self._asking else 0.0)

    def follow(self, shown: ClubNight, now_s: float) -> None:
        """Takes over a code that was typed on the board."""
        if shown.joins != self._joins:
            self._joins = shown.joins
            self._code = shown.code
            self.begins_alone = False
            self._asking = _Asking(shown.code, now_s)
            self.night = ClubNight(ClubState.JOINING)

    def join_payload(self, now_s: float) -> str:
        """What to publish now; empty: nothing."""
        if self._asking is None or now_s - self._asking.asked_s < JOIN_AGAIN_S:
            return ""
        self._asking = replace(self._asking, asked_s=now_s)
        return as_payload(JoinMessage(VERSION, self._asking.code))

    def check_answer(self, now_s: float) -> None:
        """Says that no answer comes, once a code that was typed has waited for JOIN_AGAIN_S."""
        if self.night.state is ClubState.JOINING and self._asking and now_s - self._asking.since_s > JOIN_AGAIN_S:
            self.night = ClubNight(ClubState.NO_ANSWER)

    def receive(self, payload: bytes) -> None:
        """A message of the club. A seat takes the place of the one before. After a wrong code the board asks again with
        the next connection only, if the code is that of the settings."""
        try:
            night = night_of(read_seat(payload))
        except MalformedMessage as fault:
            log.info("message of the club ignored: %s", fault)
            return
        if self._asking and (self._asking.asked_s == NEVER_S or night.state is ClubState.NOT_JOINED):
            return  # what the broker kept from before; the answer to the code is still to come
        self.night = night
        self._asking = None
        if night.state is ClubState.NOT_JOINED and self.begins_alone:
            self.connected()
        elif night.state is ClubState.WRONG_CODE and not self.begins_alone:
            self._code = ""

    @property
    def fault(self) -> str:
        """Why the game of the club is not begun, in one sentence; empty while nothing is wrong."""
        if self.night.state is not ClubState.REFUSED:
            return ""
        return f"the club plays by a rule that this board does not know: {self.night.problem}; update cribboard"

    def game_to_begin(self, snapshot: Snapshot) -> StartGame | None:
        """The command that begins the game of the seat without a question, once; None while another game is on or the
        board is set up."""
        if not self.begins_alone or snapshot.wizard or snapshot.calibration or snapshot.lesson:
            return None
        start = seat_to_begin(self.night, snapshot.table)
        if start is None or (start.club_game, start.names) == self._begun:
            return None
        self._begun = (start.club_game, start.names)  # the organiser may seat others at the same table of a round
        return start
