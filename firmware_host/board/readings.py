"""What the reader of pegs reports: facts in the past tense, and odd boards by name with the way back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware_host.board.course import Hole


class Fault(Enum):
    """How a track can be odd. The value is its name on the wire and in translations."""

    BOTH_OUT = "both_out"
    """No peg in the track: the board is being wiped, or moved."""
    FRONT_OUT = "front_out"
    """The peg that tells the score has been out for long."""
    PEG_UNSEEN = "peg_unseen"
    """The back peg has been out for long: in a hand, or in a hole that does not read."""
    THIRD_PEG = "third_peg"
    """Both pegs are seated, and a further hole of the track reads."""
    FOREIGN_LANE = "foreign_lane"
    """A third peg here, while another track lacks one."""
    OFF_LAP = "off_lap"
    """A peg stands where no leap and no adjustment ends."""
    MISPLACED = "misplaced"
    """The table was told otherwise: the pegs have to be moved to where it believes them."""
    DEAD_HOLE = "dead_hole"
    """A peg came from a hole that never read."""
    STUCK_HOLE = "stuck_hole"
    """A hole reads for ever; it is passed over from now on."""
    WEAK_HOLE = "weak_hole"
    """A hole loses and finds a peg that stands still: it is about to fail."""

    @property
    def is_wear(self) -> bool:
        """The wood is at fault, not a hand: nothing to put right, and the game goes on."""
        return self in (Fault.DEAD_HOLE, Fault.STUCK_HOLE, Fault.WEAK_HOLE)


@dataclass(frozen=True, slots=True)
class PegLeapt:
    """The back peg passed the front one and now tells the score."""

    track: int
    score: int
    points: int


@dataclass(frozen=True, slots=True)
class PegAdjusted:
    """The front peg itself was moved: forward or back by `points`.

    `is_taken_back`: it went back to where it leapt from, so that the last leap is as if it had never been.
    """

    track: int
    score: int
    points: int
    is_taken_back: bool = False


@dataclass(frozen=True, slots=True)
class PegsAstray:
    """The track is odd. `holes` are those in question, lowest first; `way_back` are those that lack their peg."""

    track: int
    fault: Fault
    holes: tuple[Hole, ...] = ()
    way_back: tuple[Hole, ...] = ()


@dataclass(frozen=True, slots=True)
class PegsRestored:
    """The oddity reported before is over."""

    track: int


Reading = PegLeapt | PegAdjusted | PegsAstray | PegsRestored
