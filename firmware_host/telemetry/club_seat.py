"""What the program of the club sends a board: whether it has joined the night, who should sit at it, and the game.

A seat names the variant and the options that differ from its usual rules. A board that does not know one of them begins
nothing, because its players would play by other rules than the room: it says which one.
"""

from __future__ import annotations

import json
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.cribbage.rule_errors import Refusal, UnknownChoice, UnknownOption
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.game.events import ClubGame
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.club_night import ClubNight, ClubState, seat_to_begin
from firmware_host.validation.fields import are_integers

LONGEST_MESSAGE = 4_000
LONGEST_NAME = 40
MOST_OPTIONS = 60
JOIN_AGAIN_S = 10.0
"""How often a board without an answer asks again."""

NEVER_S = -inf

STATES = {
    "waiting": ClubState.JOINED,
    "seated": ClubState.JOINED,
    "not_joined": ClubState.NOT_JOINED,
    "released": ClubState.RELEASED,
    "wrong_code": ClubState.WRONG_CODE,
    "too_many_codes": ClubState.TOO_MANY_CODES,
}


def read_seat(payload: bytes) -> ClubNight | None:
    """What a message says; None for one that is malformed. Fields that are not known are ignored."""
    try:
        body: object = json.loads(payload) if len(payload) <= LONGEST_MESSAGE else None
    except (ValueError, RecursionError):
        return None
    match body:
        case {"state": "seated"}:
            return _read_game(body)
        case {"state": str(state)} if state in STATES:
            return ClubNight(STATES[state], _table(body))
    return None


def _table(body: object) -> int:
    match body:
        case {"table": int(table)} if are_integers(table):
            return table
    return 0


def _read_game(body: object) -> ClubNight | None:
    match body:
        case {
            "night": int(night),
            "round": int(number),
            "table": int(table),
            "variant": str(variant),
            "players": [str(first), str(second)],
            "scores": [int(score), int(other)],
            **others,
        } if are_integers(night, number, table, score, other) and all(map(_is_name, (first, second))):
            options = others.get("options", {})
            if not isinstance(options, dict) or len(options) > MOST_OPTIONS:
                return None
            try:
                rules = rules_for(variant, options)
            except Refusal as fault:
                return ClubNight(ClubState.REFUSED, table, problem=_problem(fault, variant))
            game = ClubGame(night, number, table)
            start = StartGame(rules, (first, second), scores=(score, other), club_game=game)
            return ClubNight(ClubState.JOINED, table, start)
    return None


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_NAME and text.isprintable()


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
        self._begun: ClubGame | None = None

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
        return json.dumps({"version": 1, "code": self._asking.code})

    def look(self, now_s: float) -> None:
        """Says that no answer comes, once a code that was typed has waited for JOIN_AGAIN_S."""
        if self.night.state is ClubState.JOINING and self._asking and now_s - self._asking.since_s > JOIN_AGAIN_S:
            self.night = ClubNight(ClubState.NO_ANSWER)

    def receive(self, payload: bytes) -> None:
        """A message of the club. A seat takes the place of the one before. After a wrong code the board asks again with
        the next connection only, if the code is that of the settings."""
        night = read_seat(payload)
        if night is None:
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
        if start is None or start.club_game == self._begun:
            return None
        self._begun = start.club_game
        return start
