"""Results that boards sent and that do not count, each beside the result of the game that its players have."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.club import events as e
from firmware_host.club.board_results import scores_in_order
from firmware_host.club.game import Game
from firmware_host.club.rule_errors import NoConflict
from firmware_host.club.state import Club, Night
from firmware_host.cribbage.rule_errors import quoted


class Conflict(NamedTuple):
    """What the organiser has to look at. `game` is the latest one of the two players, None if they have none; `scores`
    are those of the board in the order of its players."""

    sent: e.ResultUnmatched
    game: Game | None
    scores: tuple[int, ...]
    is_settled: bool = False
    """Whether the match of the game is decided, so that only the match can be corrected."""

    @property
    def can_count(self) -> bool:
        """Whether the result of the board could be that of the game."""
        is_result = bool(self.scores) and self.sent.why is not e.Unmatched.NO_RESULT
        return self.game is not None and is_result and not self.is_settled


def conflicts_of(club: Club, night: Night) -> tuple[Conflict, ...]:
    """The results that wait for the organiser. What agrees with the scores of its game needs nobody."""
    waiting = (message.unmatched for message in night.received.values() if message.unmatched)
    found = (_conflict(club, night, sent) for sent in waiting)
    return tuple(each for each in found if each.game is None or each.game.scores != each.scores)


def see_unmatched(night: Night, board: str, name: str) -> e.UnmatchedSeen:
    """Leave a result as it is, unused. `name` is the id of the message. Raises NoConflict."""
    message = night.received.get((board, name))
    if message is None or message.unmatched is None:
        raise NoConflict("a result that is not used", quoted(name), name=board)
    return e.UnmatchedSeen(night.number, board, name)


def _conflict(club: Club, night: Night, sent: e.ResultUnmatched) -> Conflict:
    for game in reversed(night.fixtures):
        if scores := scores_in_order(club, game, sent):
            return Conflict(sent, game, scores, night.is_settled(game))
    return Conflict(sent, None, ())
