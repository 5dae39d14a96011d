"""What people should do next, in full sentences: a headline, a detail, and what the page awaits."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from firmware_host.cribbage.rules import Seat
from firmware_host.game.deal import Deal
from firmware_host.game.state import Table


class Tone(StrEnum):
    """How the sentences are meant, and so how they are shown."""

    NEXT = "next"
    """Somebody has to act."""
    WAIT = "wait"
    """Something happens elsewhere: on the board, at the keys."""
    ERROR = "error"
    """Something is wrong and has to be put right."""
    WIN = "win"
    IDLE = "idle"
    """No game."""


class Expects(StrEnum):
    """What the page waits for."""

    PEG = "peg"
    CARD = "card"
    SUIT = "suit"
    HAND = "hand"
    CONFIRM = "confirm"
    """A button."""
    NOTHING = "nothing"


class Guide(Struct, frozen=True):
    """One headline, one detail, and what is awaited of whom."""

    headline: str
    detail: str = ""
    tone: Tone = Tone.NEXT
    expects: Expects = Expects.NOTHING
    side: int | None = None
    """The side whose move it is."""
    waits_for: str = ""
    """What the outline in the place of the primary button says while the page can only wait."""


def guide_of_seat(table: Table, seat: Seat, headline: str, detail: str, expects: Expects, waits_for: str) -> Guide:
    """What one seat has to do."""
    return Guide(headline, detail, expects=expects, side=table.rules.side_of(seat), waits_for=waits_for)


def deal_of(table: Table) -> Deal:
    """The deal of a phase that always has one."""
    assert table.deal is not None
    return table.deal
