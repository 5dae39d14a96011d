"""A result as a board sends it (`telemetry/schemas/result.json`), checked field by field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

from msgspec import Struct, to_builtins

from firmware_host.club.board_results import (
    HIGHEST,
    LONGEST_MESSAGE,
    LONGEST_TEXT,
    MOST_SIDES,
    club_game_in,
    confirmed_in,
)
from firmware_host.cribbage.names import name_key

MOST_PLAYERS = 6
"""On one side."""


class MalformedResult(ValueError):
    """The message is malformed. Text: what was expected and what came; `id` and `revision` as far as they were
    readable, so that the board can be answered."""

    def __init__(self, expected: str, got: object, id: str = "", revision: int = 0) -> None:
        super().__init__(f"expected {expected}, got {str(got)[:40]!r}")
        self.id = id
        self.revision = revision


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
        """Equal for two results that say the same of a game. Two fields are left out: a board may be renamed, and what
        happens on it after the end of a game moves `ended_at` and is no new revision."""
        content = {name: value for name, value in to_builtins(self).items() if name not in ("board", "ended_at")}
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def read_result(board: str, payload: bytes) -> LedgerResult:
    """The message of this board; fields that are not known are ignored. Raises MalformedResult."""
    if len(payload) > LONGEST_MESSAGE:
        raise MalformedResult(f"at most {LONGEST_MESSAGE} bytes", len(payload))
    try:
        body = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise MalformedResult("JSON", payload[:40]) from error
    if not isinstance(body, dict):
        raise MalformedResult("a JSON object", body)
    name = _text(body, "id")
    revision = _number(body, "revision", 1)
    try:
        return _read_fields(body, board, name, revision)
    except MalformedResult as error:
        error.id = name
        error.revision = revision
        raise


def _read_fields(body: Mapping[str, object], board: str, name: str, revision: int) -> LedgerResult:
    is_final = body.get("is_final")
    if not isinstance(is_final, bool):
        raise MalformedResult("is_final: true or false", is_final)
    players = _players(body, is_final)
    if is_final and _waits_for_a_side(body, players):
        is_final = False
        players = _players(body, is_final=False)
    return LedgerResult(
        name,
        revision,
        board,
        is_final,
        _time(body, "started_at"),
        _time(body, "ended_at"),
        _text(body, "variant"),
        _number(body, "target", 0),
        players,
    )


def _waits_for_a_side(body: Mapping[str, object], players: Sequence[PlayerResult]) -> bool:
    """A game of a club night counts when all its sides have confirmed it, as in the club; any other at its end."""
    sides = {player.side for player in players}
    return club_game_in(body) is not None and set(confirmed_in(body, len(sides))) != sides


def _players(body: Mapping[str, object], is_final: bool) -> tuple[PlayerResult, ...]:
    sides = body.get("sides")
    if not isinstance(sides, list) or not 1 <= len(sides) <= MOST_SIDES:
        raise MalformedResult(f"sides: 1 to {MOST_SIDES}", sides)
    winner: int | None = None
    points: Sequence[int] = (0,) * len(sides)
    spread = points
    if is_final:
        winner = _number(body, "winner", 0)
        if winner >= len(sides):
            raise MalformedResult("winner: the number of a side", winner)
        points = _numbers(body, "match_points", len(sides))
        spread = _numbers(body, "spread", len(sides))
    return tuple(
        PlayerResult(number, place, name, score, number == winner, points[number], spread[number])
        for number, (names, score) in enumerate(map(_side, sides))
        for place, name in enumerate(names)
    )


def _side(side: object) -> tuple[Sequence[str], int]:
    """The names of its players, and its score."""
    if not isinstance(side, dict):
        raise MalformedResult("a side: a JSON object", side)
    names = side.get("players")
    if not isinstance(names, list) or not 1 <= len(names) <= MOST_PLAYERS:
        raise MalformedResult(f"players: 1 to {MOST_PLAYERS}", names)
    return [_text({"player": name}, "player") for name in names], _number(side, "score", 0)


def _text(body: Mapping[str, object], field: str) -> str:
    text = body.get(field)
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_TEXT or not text.isprintable():
        raise MalformedResult(f"{field}: a text of 1 to {LONGEST_TEXT} printable characters", text)
    return " ".join(text.split())


def _number(body: Mapping[str, object], field: str, lowest: int) -> int:
    number = body.get(field)
    if not isinstance(number, int) or isinstance(number, bool) or not lowest <= number <= HIGHEST:
        raise MalformedResult(f"{field}: {lowest} to {HIGHEST}", number)
    return number


def _numbers(body: Mapping[str, object], field: str, count: int) -> Sequence[int]:
    numbers = body.get(field)
    if not isinstance(numbers, list) or len(numbers) != count:
        raise MalformedResult(f"{field}: one number for each side", numbers)
    return [_number({field: number}, field, -HIGHEST) for number in numbers]


def _time(body: Mapping[str, object], field: str) -> str:
    text = body.get(field)
    try:
        time = datetime.fromisoformat(str(text))
        return time.astimezone(UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError) as error:
        raise MalformedResult(f"{field}: a time in ISO 8601", text) from error
