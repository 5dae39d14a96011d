"""What everybody may look at: the game as the host saw it last, frozen."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.readings import PegsAstray
from firmware_host.doorplate import Picture
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.door import Door
from firmware_host.table.entries import Entry
from firmware_host.table.hindrances import nothing_hinders
from firmware_host.table.lights import HoleSignal, Leap
from firmware_host.table.manner import Manner
from firmware_host.table.scoreboard import Page
from firmware_host.table.state import Table
from firmware_host.table.words import Saying


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`version` counts up with every change that anybody could see."""

    version: int
    plan: BoardPlan
    chronicle: Chronicle
    entry: Entry
    seen: tuple[frozenset[Hole], ...]
    """The holes of each track that hold a peg, as the sensors say."""
    pending: tuple[Leap, ...]
    """Leaps that were seen and have not yet held still."""
    astray: tuple[PegsAstray, ...]
    signals: tuple[HoleSignal, ...]
    manner: Manner
    """How much may be said of points that nobody has moved yet."""
    page: Page
    """The OLED."""
    prompt: str
    """What the board waits for, whole."""
    trouble: str
    """What keeps the board from following the game, all that is known of it; empty when all is well."""
    door: Door = Door()
    """Who knocks, and the code at the door; the code is for the display alone."""
    doorplate: Picture = ()
    """What the OLED shows in place of its page while phones may knock; empty while they may not."""
    notice: Saying | None = None
    """What was just refused to the keys, in anybody's language."""
    hindrance: Saying = nothing_hinders
    """The trouble in short, for people who play."""

    @property
    def table(self) -> Table | None:
        return self.chronicle.table
