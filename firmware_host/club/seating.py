"""Boards at the tables: how one joins a night by the code of the room, and who should sit at it.

A board that joins gets the lowest table without a board, and keeps it for the night. A table is seated while its game
of the round on the screen has no scores; then the board waits for the next round. A game of a match is seated in the
same way, as soon as both players are known; the next one follows when it counts.
"""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.club import events as e
from firmware_host.club import rule_errors as refused
from firmware_host.club.game import Game
from firmware_host.club.state import Club, Night, Round
from firmware_host.cribbage.rule_errors import quoted
from firmware_host.mqtt_messages.seat import SeatState
from firmware_host.mqtt_messages.topics import CODE_DIGITS


class Seating(NamedTuple):
    """The table of a board, and the game that should be played there; None: it waits."""

    table: int
    game: Game | None


def set_join_code(night: Night, code: str) -> e.JoinCodeSet:
    """The code that boards need to join this night; another one before it becomes invalid. Raises NotAJoinCode."""
    if len(code) != CODE_DIGITS or not (code.isascii() and code.isdecimal()):
        raise refused.NotAJoinCode(f"{CODE_DIGITS} digits", quoted(code), number=CODE_DIGITS)
    return e.JoinCodeSet(night.number, code)


def join_board(club: Club, board: str, code: str) -> e.BoardJoined | None:
    """A board joins the latest night. None: it is there already. Raises NoNight and WrongJoinCode."""
    if not club.nights:
        raise refused.NoNight("a night", "none")
    night = club.nights[-1]
    if not night.join_code or code != night.join_code:
        raise refused.WrongJoinCode("the code of the room", quoted(code))
    if board in night.boards:
        return None
    taken = set(night.boards.values())
    return e.BoardJoined(night.number, board, next(table for table in range(1, len(taken) + 2) if table not in taken))


def release_board(night: Night, board: str) -> e.BoardReleased:
    """Take a board from its table, so that the next one that joins gets it. Raises UnknownBoard."""
    if board not in night.boards:
        raise refused.UnknownBoard("a board that has joined", quoted(board), name=board)
    return e.BoardReleased(night.number, board)


def seating_of(night: Night, board: str) -> Seating:
    """Where a board that has joined is, and its game."""
    table = night.boards[board]
    round = round_on_screen(night)
    games = (*(round.games if round else ()), *night.open_match_games)
    return Seating(table, next((game for game in games if game.table == table and not game.scores), None))


def boards_without_table(club: Club) -> dict[str, SeatState]:
    """The boards that were at a table once and are at none in the latest night."""
    night = club.nights[-1]
    known = {board for each in club.nights for board in (*each.boards, *each.released)} - set(night.boards)
    return {board: SeatState.RELEASED if board in night.released else SeatState.NOT_JOINED for board in known}


def round_on_screen(night: Night) -> Round | None:
    """The first round with open games, so that a chart of the whole night does not show the last one; else the last
    round that is paired."""
    is_open = (round for round in night.rounds if round.open_games)
    return next(is_open, night.rounds[-1] if night.rounds else None)
