"""The door for phones, as people at the board see it: it opens on request, somebody knocks, ENTER lets them in."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.cribbage.rules import Seat
from firmware_host.table.words import Words, as_written


@dataclass(frozen=True, slots=True)
class OpenDoor:
    """Show the code, so that phones may knock."""


@dataclass(frozen=True, slots=True)
class CloseDoor:
    """Take the code off the display."""


@dataclass(frozen=True, slots=True)
class LetIn:
    """The phone that knocks may come in."""


@dataclass(frozen=True, slots=True)
class TurnAway:
    """The phone that knocks may not."""


@dataclass(frozen=True, slots=True)
class SendAway:
    """A phone that was let in may come in no more."""

    phone: str


DoorWish = OpenDoor | CloseDoor | LetIn | TurnAway | SendAway
"""Asked of the host, not of the table."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A phone that was let in, and the seat it holds."""

    phone: str
    name: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Door:
    """`code` is on the display while the door is open; `knocking` is the name of whoever waits before it."""

    code: str = ""
    knocking: str = ""
    guests: tuple[Guest, ...] = ()
    changes: int = 0
    """How often a phone came, went, or may do more or less than before."""


def asked_at_door(door: Door, _: Words = as_written) -> str:
    """What ENTER would agree to. It goes before everything else, for nobody may agree unseen."""
    return _("Let {name} in?").format(name=door.knocking) if door.knocking else ""
