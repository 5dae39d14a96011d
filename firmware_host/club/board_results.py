"""Results that boards send by themselves: finds the game of the night that a message belongs to.

A message has an id, which is always the same for one game, and a revision, which grows: the end of the game, its end
undone, the next end. So a message that comes twice, or late, changes nothing. The topics and fields are described in
`telemetry/README.md`.

A board with a seat from the club names the game. For any other board the names of the players decide: the game is then
the first one of the night in which the two play each other and whose result does not count yet. In a night with a code
only boards that have joined take a table (`waits_for_joining`). A board that has joined sends results of its own table
alone, and no board touches the result of another one. A result that belongs to no game is kept as well, so that the
organiser sees it; of each board only so many, for a file of a club grows for ever.

Players confirm on the board as well, if it has joined and is at their table. A message says who has; each of them
becomes an event of its own, after that of the scores. So `receive_result` is called until it returns None. When a
confirmation is taken back, or the scores change, both players have to confirm again.
"""

from __future__ import annotations

from msgspec import Struct

from firmware_host.club import events as e
from firmware_host.club.game import Game
from firmware_host.club.members import MemberId
from firmware_host.club.rule_errors import TooManyUnmatched
from firmware_host.club.state import Club, Night, Received
from firmware_host.cribbage.names import name_key, tidy_name
from firmware_host.mqtt_messages.result import ResultMessage

MOST_UNMATCHED = 20
"""Results of one board in one night that belong to no game; further ones are refused."""


class BoardResult(Struct, frozen=True):
    """One message. `ended_at` is ISO 8601 in UTC; `scores` are in holes, in the order of `names`. A side of several
    players has their names in one text. `confirmed`: the sides that confirmed the scores there. `club_game`: night,
    round and table, if the club sent them to the board."""

    board: str
    id: str
    revision: int
    is_final: bool
    ended_at: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    confirmed: tuple[int, ...] = ()
    club_game: tuple[int, int, int] | None = None


def board_result(board: str, message: ResultMessage) -> BoardResult:
    """What the club needs of a message of this board."""
    place = message.club_game
    return BoardResult(
        board,
        message.id,
        message.revision,
        message.is_final,
        message.ended_at,
        tuple(", ".join(map(tidy_name, side.players)) for side in message.sides),
        tuple(side.score for side in message.sides),
        message.confirmed,
        (place.night, place.round, place.table) if place else None,
    )


def waits_for_joining(club: Club, result: BoardResult) -> bool:
    """Whether the result could count if its board had joined: it is of a game of the latest night, whose code the board
    has not named. A board that joins sends it again."""
    if not club.nights:
        return False
    night = club.nights[-1]
    if not night.join_code or result.board in night.boards or (result.board, result.id) in night.received:
        return False
    game = _game_of(club, night, result, None)
    return result.is_final and game is not None and not game.is_official


def receive_result(club: Club, result: BoardResult) -> e.ResultReceived | e.ResultConfirmed | e.ResultUnmatched | None:
    """The next event of a message for the latest night. None: it changes nothing more, because it is known already, or
    because it withdraws a result that belongs to no game, that the organiser corrected, or on which a later match was
    built. Raises TooManyUnmatched."""
    if not club.nights:
        return None
    night = club.nights[-1]
    before = night.received.get((result.board, result.id))
    if before and before.revision > result.revision:
        return None
    game = _game_of(club, night, result, before)
    if before and before.game and game and (confirmed := _next_confirmation(club, night, game, before, result)):
        return confirmed
    if before and before.revision == result.revision:
        return None
    if not result.is_final:
        if game is None or before is None or before.game is None or game.reason or night.is_settled(game):
            return None
        return _received(night, game, (), result)
    scores = scores_in_order(club, game, result) if game else None
    if game is None or scores is None:
        return _unmatched(night, result, e.Unmatched.NO_GAME)
    if not night.settings.is_result(scores):
        return _unmatched(night, result, e.Unmatched.NO_RESULT)
    if is_of_another_board(night, game, result.board):
        return _unmatched(night, result, e.Unmatched.OTHER_BOARD)
    if game.reason or night.is_settled(game) or (game.is_official and not (before and before.game)):
        return _unmatched(night, result, e.Unmatched.COUNTS_ALREADY)
    return _received(night, game, scores, result)


def refuse_old_result(club: Club, result: BoardResult) -> e.ResultUnmatched | None:
    """The event of a message that is too old for the latest night. None: it is known, or nobody waits for it. Raises
    TooManyUnmatched.

    The clock of the board may be wrong: a Raspberry Pi has none that runs without power. So the organiser hears of a
    result of two who have an open game."""
    if not (club.nights and result.is_final):
        return None
    night = club.nights[-1]
    before = night.received.get((result.board, result.id))
    if before and before.revision >= result.revision:
        return None
    game = _game_of(club, night, result, before)
    return None if game is None or game.scores else _unmatched(night, result, e.Unmatched.OTHER_DATE)


def _next_confirmation(
    club: Club, night: Night, game: Game, before: Received, result: BoardResult
) -> e.ResultConfirmed | None:
    """Somebody more confirmed the scores that the game has. None where the message says something else about it."""
    by = frozenset(player for player in game.players if _has_confirmed(club, player, result))
    new = [player for player in game.players if player in by - before.confirmed_by]
    is_same = result.is_final and game.scores and game.scores == scores_in_order(club, game, result)
    is_at_table = night.boards.get(result.board) == game.table
    is_fixed = bool(game.reason) or night.is_settled(game)
    if not new or not is_same or not is_at_table or is_fixed or not before.confirmed_by <= by:
        return None
    at = night.number, game.round, game.table
    return e.ResultConfirmed(*at, new[0], result.board, result.id, result.revision)


def _has_confirmed(club: Club, player: MemberId, result: BoardResult) -> bool:
    return any(name_key(result.names[side]) == name_key(club.name(player)) for side in result.confirmed)


def is_of_another_board(night: Night, game: Game, board: str) -> bool:
    """Whether another board has joined at the table of the game, this one at another table, or another one has sent the
    scores that the game has now."""
    at_table = {each for each, table in night.boards.items() if table == game.table}
    if night.boards.get(board, game.table) != game.table or (at_table and board not in at_table):
        return True
    place = (game.round, game.table)
    senders = {sender for (sender, _), message in night.received.items() if message.game == place}
    return bool(game.scores and senders and board not in senders)


def scores_in_order(club: Club, game: Game, result: BoardResult | e.ResultUnmatched) -> tuple[int, ...] | None:
    """The scores in the order of the pair; None where others played."""
    pair = [name_key(club.name(each)) for each in game.players]
    names = [*map(name_key, result.names)]
    if names == pair:
        return result.scores
    return result.scores[::-1] if names == pair[::-1] else None


def _game_of(club: Club, night: Night, result: BoardResult, before: Received | None) -> Game | None:
    """The game that the message was about before, or the first game of the two that is open, or the last one that
    counts; one of another board only if there is no other. None if they do not play each other."""
    if before and before.game:
        round, table = before.game
        return night.fixture(round, table)
    if result.club_game and result.club_game[0] != night.number:
        return None
    names = sorted(map(name_key, result.names))
    games = [game for game in night.fixtures if sorted(name_key(club.name(each)) for each in game.players) == names]
    if result.club_game and (named := [game for game in games if (game.round, game.table) == result.club_game[1:]]):
        return named[0]
    games = [game for game in games if not is_of_another_board(night, game, result.board)] or games
    return next((game for game in games if not game.is_official), games[-1] if games else None)


def _received(night: Night, game: Game, scores: tuple[int, ...], result: BoardResult) -> e.ResultReceived:
    return e.ResultReceived(night.number, game.round, game.table, scores, result.board, result.id, result.revision)


def _unmatched(night: Night, result: BoardResult, why: e.Unmatched) -> e.ResultUnmatched:
    others = [at for at, message in night.received.items() if at[0] == result.board and message.game is None]
    if len(others) >= MOST_UNMATCHED and (result.board, result.id) not in others:
        raise TooManyUnmatched(
            f"{MOST_UNMATCHED} results at most that belong to no game", "one more", name=result.board
        )
    return e.ResultUnmatched(night.number, why, result.names, result.scores, result.board, result.id, result.revision)
