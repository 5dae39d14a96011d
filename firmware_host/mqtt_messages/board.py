"""What a board publishes of itself: the table, what commands can change, its health and faults, and what happened.

Home Assistant and others read these messages by the schemas. The program of a club reads the status and the table
of the boards that have joined.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from firmware_host.cribbage.names import is_name
from firmware_host.mqtt_messages.reading import HIGHEST, MessageReader, Version

Points = Annotated[int, Meta(ge=0)]
LONGEST_NAME = 200
"""Characters of a name."""
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
NO_GAME = "no_game"
"""The phase without a game of the players, which includes a demonstration."""
PHASES = (NO_GAME, "cut", "deal", "bid", "play", "show", "gather", "over")
"""The others are those of `game.state.Phase`."""
PhaseName = Annotated[str, Meta(extra_json_schema={"enum": list(PHASES)})]
Starter = Annotated[str, Meta(pattern="^[A23456789TJQK][SHDC]?$")]


class StateSide(Struct, frozen=True):
    """A side of the table."""

    name: Name
    players: tuple[Name, ...]
    score: Points
    target: Points
    to_go: Points
    owed: Annotated[
        int, Meta(description="Points that were announced and must still be moved; below zero: to move back.")
    ]


class StateMessage(Struct, frozen=True):
    """The table. Retained."""

    version: Version
    is_on: Annotated[bool, Meta(description="A game is on.")]
    phase: PhaseName
    variant: Name | None
    target: int | None
    deal: Annotated[int, Meta(ge=1, description="Number of the deal, from 1.")] | None
    dealer: Name | None
    turn: Annotated[str, Meta(max_length=200, description="The player or side that must do something next.")] | None
    starter: Starter | None
    sides: tuple[StateSide, ...]
    winner: Name | None
    skunk_danger: bool
    needs_attention: Annotated[
        bool, Meta(description="A peg to move or to put right, a fault, or a phone that asks to be added.")
    ] = False


class ControlsMessage(Struct, frozen=True):
    """What commands can change. Retained."""

    version: Version
    brightness: Annotated[int, Meta(ge=10, le=100, description="Of the lights, in percent.")]
    volume: Annotated[int, Meta(ge=1, le=100, description="Of the voice, in percent.")]
    can_undo: bool


class HealthMessage(Struct, frozen=True):
    """How the board is. Retained."""

    version: Version
    program: str
    board: Annotated[str, Meta(description="Id of the board plan.")]
    failures: Annotated[dict[str, Points], Meta(description="Part: how often it failed since the start.")]
    results: Annotated[dict[str, Points], Meta(description="Finished games in the outbox: waiting, refused.")]


class FaultyHoles(Struct, frozen=True):
    """Holes of one track with one fault."""

    kind: str
    track: Points
    holes: tuple[int, ...]


class FaultsMessage(Struct, frozen=True):
    """What does not work now. Retained."""

    version: Version
    count: Points
    parts: tuple[str, ...]
    holes: tuple[FaultyHoles, ...]


class MugginsMissed(Struct, frozen=True, tag_field="event_type", tag="muggins_missed"):
    """A side overlooked points, and nobody can claim them any more."""

    version: Version
    side: Name
    points: Annotated[int, Meta(ge=1)]


class TwentyNine(Struct, frozen=True, tag_field="event_type", tag="twenty_nine"):
    """A hand or crib of twenty-nine."""

    version: Version
    player: Name
    is_crib: bool


class GameWon(Struct, frozen=True, tag_field="event_type", tag="game_won"):
    """The end of a game."""

    version: Version
    winner: Name
    margin: Annotated[str, Meta(extra_json_schema={"enum": ["win", "skunk", "lurch", "double_skunk"]})]
    scores: tuple[Points, ...]


EventMessage = MugginsMissed | TwentyNine | GameWon
"""Something that happened in a game. Not retained."""
EVENT_TYPES = tuple(str(kind.__struct_config__.tag) for kind in (MugginsMissed, TwentyNine, GameWon))

_STATES = MessageReader(StateMessage, "state")


def read_state(payload: bytes) -> StateMessage:
    """The message of a board. Raises MalformedMessage, also for sides that cannot be shown."""
    message = _STATES.read(payload)
    for place, side in enumerate(message.sides):
        if not is_name(side.name, LONGEST_NAME):
            raise _STATES.malformed(f".sides[{place}].name", "a name that can be shown", ascii(side.name[:40]))
        if side.score > HIGHEST:
            raise _STATES.malformed(f".sides[{place}].score", f"at most {HIGHEST}", str(side.score))
    return message
