"""A club night at a board: the code by which it joins, and what the program of the club tells it then."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

from msgspec import Meta, Struct

from firmware_host.cribbage.names import is_name
from firmware_host.mqtt_messages.reading import Count, MessageReader, Number, Text, Version
from firmware_host.mqtt_messages.topics import CODE_DIGITS

LONGEST_JOIN = 200
"""Bytes."""
LONGEST_SEAT = 4_000
"""Bytes."""
LONGEST_NAME = 40
MOST_OPTIONS = 60
GAME_FIELDS = ("night", "table", "round", "players", "scores", "variant")
"""Those that a seated board needs."""


class SeatState(Enum):
    """The answer to a board."""

    SEATED = "seated"
    WAITING = "waiting"
    """No game for this table now."""
    WRONG_CODE = "wrong_code"
    TOO_MANY_CODES = "too_many_codes"
    """Joining is blocked for a while, whatever the code."""
    NOT_JOINED = "not_joined"
    """The board was at a table in another night, and has to join this one."""
    RELEASED = "released"
    """The organiser took the board from its table."""


class SeatBracket(Enum):
    """The play-offs to which the game of a seat belongs."""

    MAIN = "main"
    CONSOLATION = "consolation"


class JoinMessage(Struct, frozen=True):
    """From a board to the program of the club: it wants to join the night."""

    version: Version
    code: Annotated[str, Meta(min_length=CODE_DIGITS, max_length=CODE_DIGITS, pattern="^[0-9]*$")]


PlayerName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


class SeatMessage(Struct, frozen=True, omit_defaults=True):
    """From the program of the club to a board: who should sit at it now. A seated board has all fields."""

    version: Version
    state: SeatState
    night: Number | None = None
    table: Number | None = None
    round: Number | None = None
    players: tuple[PlayerName, PlayerName] | None = None
    scores: Annotated[tuple[Count, Count], Meta(description="At the start: holes ahead.")] | None = None
    variant: Text | None = None
    options: (
        Annotated[
            dict[str, Any],
            Meta(
                max_length=MOST_OPTIONS,
                description="The house rules in which the game differs from the usual rules of the variant: name to "
                "value. A board that does not know one refuses the game.",
            ),
        ]
        | None
    ) = None
    target: Count | None = None
    bracket: Annotated[SeatBracket | None, Meta(description="For a game of a match; without it, of a round.")] = None


_JOINS = MessageReader(JoinMessage, "join", LONGEST_JOIN)
_SEATS = MessageReader(SeatMessage, "seat", LONGEST_SEAT)


def read_join(payload: bytes) -> JoinMessage:
    """The message of a board. Raises MalformedMessage."""
    return _JOINS.read(payload)


def read_seat(payload: bytes) -> SeatMessage:
    """The message of the club. Raises MalformedMessage, also for a seat without its game."""
    message = _SEATS.read(payload)
    if message.state is SeatState.SEATED:
        for field in GAME_FIELDS:
            if getattr(message, field) is None:
                raise _SEATS.malformed(f".{field}", "a value", "nothing")
        for place, name in enumerate(message.players or ()):
            if not is_name(name, LONGEST_NAME):
                raise _SEATS.malformed(f".players[{place}]", "a name that can be shown", ascii(name))
    return message
