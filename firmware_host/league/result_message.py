"""A result as the ledger keeps it, made from the message of a board."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256

from msgspec import Struct, to_builtins

from firmware_host.cribbage.names import name_key, tidy_name
from firmware_host.mqtt_messages.result import ResultMessage, utc_time


class PlayerResult(Struct, frozen=True):
    """What one player did in a game. `side` and `place` on it count from 0; `score` and `spread` are in holes, `points`
    are game points. Partners have the score of their side."""

    side: int
    place: int
    name: str
    score: int
    is_won: bool
    points: int
    spread: int

    @property
    def player(self) -> str:
        """The same text for names that differ only in case, spaces, or the way in which accents are written."""
        return name_key(self.name)


class LedgerResult(Struct, frozen=True):
    """One revision of a game. Times are ISO 8601 in UTC with milliseconds. `is_final` is False where the revision
    withdraws the result, and where a side has not yet confirmed that of a club night; then nobody has won."""

    id: str
    revision: int
    board: str
    is_final: bool
    started_at: str
    ended_at: str
    variant: str
    target: int
    players: tuple[PlayerResult, ...]

    @property
    def key(self) -> tuple[str, int]:
        """The primary key."""
        return self.id, self.revision

    @property
    def digest(self) -> str:
        """Equal for two results with the same content. Two fields are left out: a board may be renamed, and what
        happens on it after the end of a game moves `ended_at` and is no new revision."""
        content = {name: value for name, value in to_builtins(self).items() if name not in ("board", "ended_at")}
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def ledger_result(board: str, message: ResultMessage) -> LedgerResult:
    """What the ledger keeps of a message of this board."""
    is_final = message.is_final and not _waits_for_a_side(message)
    return LedgerResult(
        message.id,
        message.revision,
        board,
        is_final,
        _utc("started_at", message.started_at),
        _utc("ended_at", message.ended_at),
        tidy_name(message.variant),
        message.target,
        tuple(_players(message, is_final)),
    )


def _waits_for_a_side(message: ResultMessage) -> bool:
    """A game of a club night counts when all its sides have confirmed it, as in the club; any other at its end."""
    return message.club_game is not None and set(message.confirmed) != set(range(len(message.sides)))


def _players(message: ResultMessage, is_final: bool) -> Iterator[PlayerResult]:
    nothing = (0,) * len(message.sides)
    points = (message.match_points if is_final else None) or nothing
    spread = (message.spread if is_final else None) or nothing
    for number, side in enumerate(message.sides):
        is_won = is_final and number == message.winner
        for place, name in enumerate(side.players):
            yield PlayerResult(number, place, tidy_name(name), side.score, is_won, points[number], spread[number])


def _utc(field: str, text: str) -> str:
    return utc_time(field, text).isoformat(timespec="milliseconds")
