"""A finished game, from a board to the program of a club or league, and the receipt that answers it.

`read_result` is the only reader: what one receiver takes for a result, every other one does too.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from msgspec import DecodeError, Meta, Struct
from msgspec.json import Decoder

from firmware_host.cribbage.names import is_name
from firmware_host.cribbage.rules import Margin
from firmware_host.mqtt_messages.reading import (
    LONGEST_TEXT,
    Count,
    MessageReader,
    Number,
    Spread,
    Text,
    Version,
    as_payload,
)
from firmware_host.mqtt_messages.topics import VERSION

FEWEST_SIDES = 2
MOST_SIDES = 6
MOST_PLAYERS = 6
"""On one side."""
LONGEST_REASON = 200

GameId = Annotated[
    str, Meta(min_length=32, max_length=32, pattern="^[0-9a-f]*$", description="Of the game; never changes.")
]
Revision = Annotated[int, Meta(ge=1, le=10**6, description="Grows. Keep the highest of each id.")]
Time = Annotated[str, Meta(max_length=LONGEST_TEXT, extra_json_schema={"format": "date-time"})]
Reason = Annotated[str, Meta(extra_json_schema={"maxLength": LONGEST_REASON})]
"""A longer one is cut: the answer counts."""
MarginName = Annotated[str, Meta(max_length=LONGEST_TEXT, examples=[margin.value for margin in Margin])]
"""Of `cribbage.rules.Margin`; a later version may know more."""


class ResultSide(Struct, frozen=True):
    """A side of a finished game: its players, and its score in holes."""

    players: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=MOST_PLAYERS)]
    score: Count


class ClubPlace(Struct, frozen=True):
    """Which game of a club night it is, as the seat named it."""

    night: Number
    round: Number
    table: Number


class ResultMessage(Struct, frozen=True):
    """A finished game. Not retained; sent again until there is a receipt."""

    version: Version
    id: GameId
    revision: Revision
    is_final: Annotated[bool, Meta(description="False: the end of the game was undone, and the result is withdrawn.")]
    board: Text
    game: Annotated[int, Meta(ge=1, description="Number in the board's journal.")]
    started_at: Time
    ended_at: Time
    variant: Text
    target: Count
    sides: Annotated[tuple[ResultSide, ...], Meta(min_length=FEWEST_SIDES, max_length=MOST_SIDES)]
    winner: Annotated[int, Meta(ge=0, description="Index of the side.")] | None
    margin: MarginName | None
    match_points: tuple[Count, ...] | None
    spread: tuple[Spread, ...] | None
    club_game: ClubPlace | None = None
    confirmed: Annotated[
        tuple[Count, ...], Meta(description="Sides whose players confirmed these scores on the board.")
    ] = ()


class ReceiptMessage(Struct, frozen=True, omit_defaults=True):
    """From the application to the board, after its commit."""

    version: Version
    id: Text
    revision: Number
    is_accepted: Annotated[bool, Meta(description="False: it can never be accepted.")]
    reason: Reason = ""


class ResultKey(Struct, frozen=True):
    """What a receipt names: a game, and a revision of its result."""

    id: GameId
    revision: Revision


_RESULTS = MessageReader(ResultMessage, "result")
_RECEIPTS = MessageReader(ReceiptMessage, "receipt")
_KEYS = Decoder(ResultKey)


def read_result(board: str, payload: bytes) -> ResultMessage:
    """The message of this board. Raises MalformedMessage."""
    if not is_name(board, LONGEST_TEXT):
        raise _RESULTS.malformed(".board", "a name in the topic", ascii(board[:LONGEST_TEXT]))
    message = _RESULTS.read(payload)
    for field, text in (("board", message.board), ("variant", message.variant)):
        _check_text(f".{field}", text)
    for place, side in enumerate(message.sides):
        for number, player in enumerate(side.players):
            _check_text(f".sides[{place}].players[{number}]", player)
    utc_time("started_at", message.started_at)
    utc_time("ended_at", message.ended_at)
    _check_sides(message)
    return message


def _check_text(path: str, text: str) -> None:
    if not is_name(text, LONGEST_TEXT):
        raise _RESULTS.malformed(path, f"1 to {LONGEST_TEXT} printable characters", ascii(text[:40]))


def _check_sides(message: ResultMessage) -> None:
    """A result that counts has a winner, and a figure for each side; only sides of the game confirm."""
    sides = len(message.sides)
    for number, side in enumerate(message.confirmed):
        if side >= sides:
            raise _RESULTS.malformed(f".confirmed[{number}]", "the number of a side", str(side))
    if not message.is_final:
        return
    if message.winner is None or message.winner >= sides:
        raise _RESULTS.malformed(".winner", "the number of a side", _shown(message.winner))
    for field, figures in (("match_points", message.match_points), ("spread", message.spread)):
        if figures is None or len(figures) != sides:
            raise _RESULTS.malformed(f".{field}", "one number for each side", _shown(figures))


def _shown(value: object) -> str:
    return "nothing" if value is None else str(value)


def utc_time(field: str, text: str) -> datetime:
    """A time of a result in UTC. Raises MalformedMessage."""
    try:
        time = datetime.fromisoformat(text)
        if time.tzinfo is None:
            raise ValueError("no offset from UTC")
        return time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        expected = "a time in ISO 8601 with its offset from UTC"
        raise _RESULTS.malformed(f".{field}", expected, ascii(text[:40])) from error


def key_of(payload: bytes) -> ResultKey | None:
    """The key of a result, also of a malformed one, so that the board can be answered; None where it is unreadable."""
    try:
        return _KEYS.decode(payload) if len(payload) <= _RESULTS.longest else None
    except (DecodeError, RecursionError):
        return None


def receipt_payload(key: ResultKey | ResultMessage, refusal: str = "") -> str:
    """The receipt to send. `refusal`: why it can never be accepted; empty if it was."""
    return as_payload(ReceiptMessage(VERSION, key.id, key.revision, not refusal, refusal[:LONGEST_REASON]))


def read_receipt(payload: bytes) -> ReceiptMessage:
    """The message of the application; its reason is cut to what can be shown. Raises MalformedMessage."""
    message = _RECEIPTS.read(payload)
    reason = "".join(filter(str.isprintable, message.reason))[:LONGEST_REASON]
    return ReceiptMessage(message.version, message.id, message.revision, message.is_accepted, reason)
