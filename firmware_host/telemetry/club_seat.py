"""What a board is told by the program of the club: who should sit at it, and the game to begin."""

from __future__ import annotations

import json

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.game.state import Phase, Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.lazy_dataclass import dataclass

LONGEST_MESSAGE = 2_000
LONGEST_NAME = 40
JOIN_AGAIN_S = 10.0
"""How often a board without an answer asks again."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A game of the night, by its night, round and table, and the command that begins it."""

    game: tuple[int, int, int]
    start: StartGame


def read_seat(payload: bytes) -> Seat | None:
    """The seat in a message; None for one that is malformed, or that has no game."""
    try:
        body = json.loads(payload) if len(payload) <= LONGEST_MESSAGE else None
    except (ValueError, RecursionError):
        return None
    match body:
        case {
            "state": "seated",
            "night": int(night),
            "round": int(number),
            "table": int(table),
            "variant": str(variant),
            "players": [str(first), str(second)],
            "scores": [int(score), int(other)],
        } if all(0 < len(name) <= LONGEST_NAME and name.isprintable() for name in (first, second)):
            try:
                rules = rules_for(variant)
            except Refusal:
                return None
            return Seat((night, number, table), StartGame(rules, (first, second), scores=(score, other)))
    return None


class ClubSeat:
    """Joins the night by the code of the room, and says which game to begin. It never ends a game that is on."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._seat: Seat | None = None
        self._begun: tuple[int, int, int] | None = None
        self._has_answer, self._asked_s = False, -JOIN_AGAIN_S

    def connected(self) -> None:
        """The broker accepted the board again: the club may have another night."""
        self._has_answer, self._asked_s = False, -JOIN_AGAIN_S

    def join_payload(self, now_s: float) -> str:
        """What to publish now; empty: nothing."""
        if self._has_answer or now_s - self._asked_s < JOIN_AGAIN_S:
            return ""
        self._asked_s = now_s
        return json.dumps({"version": 1, "code": self._code})

    def receive(self, payload: bytes) -> None:
        """A message of the club. A seat takes the place of the one before. After a wrong code the board asks again with
        the next connection only."""
        self._has_answer, self._seat = True, read_seat(payload)

    def game_to_begin(self, snapshot: Snapshot) -> StartGame | None:
        """The command that begins the game of the seat, once; None while another game is on or the board is set up.

        After a restart a finished game of the same two is taken for the one of the seat.
        """
        seat, table = self._seat, snapshot.table
        if seat is None or seat.game == self._begun or snapshot.wizard or snapshot.calibration or snapshot.lesson:
            return None
        if is_game_of(seat, table) and (self._begun is None or (table and table.phase is not Phase.OVER)):
            self._begun = seat.game
            return None
        if table is not None and table.phase is not Phase.OVER and not table.is_demo:
            return None
        self._begun = seat.game
        return seat.start


def is_game_of(seat: Seat, table: Table | None) -> bool:
    """Whether a game has the players of this seat."""
    return table is not None and not table.is_demo and sorted(table.names) == sorted(seat.start.names)
