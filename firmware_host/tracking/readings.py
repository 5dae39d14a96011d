"""What the peg tracker reports: moves that are final, and faults that name the holes in question."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from firmware_host.board.course import Hole


class Fault(Enum):
    """What can be wrong with a track. The value is the name on the wire and in translations."""

    BOTH_OUT = "both_out"
    """No peg in the track: somebody wipes or moves the board."""
    FRONT_OUT = "front_out"
    """The peg that marks the score has been out for `Timing.in_hand_s`."""
    PEG_UNSEEN = "peg_unseen"
    """The back peg has been out for `Timing.in_hand_s`: it is in a hand, or in a hole that does not read."""
    THIRD_PEG = "third_peg"
    """Both pegs are in their holes, and a further hole of the track reads."""
    FOREIGN_LANE = "foreign_lane"
    """A third peg in this track, while another track lacks one."""
    OFF_LAP = "off_lap"
    """A peg stands where neither a leap nor an adjustment can end."""
    MISPLACED = "misplaced"
    """The believed position was set from outside (undo, correction): the pegs have to be moved there."""
    DEAD_HOLE = "dead_hole"
    """A peg came from a hole that never read."""
    STUCK_HOLE = "stuck_hole"
    """A hole always reads; it is ignored from now on."""
    WEAK_HOLE = "weak_hole"
    """A hole loses and finds a peg that stands still: it is about to fail."""

    @property
    def is_hardware(self) -> bool:
        """Whether a hole is broken, and no peg misplaced: there is nothing to put right, and the game goes on."""
        return self in (Fault.DEAD_HOLE, Fault.STUCK_HOLE, Fault.WEAK_HOLE)


class PegLeapt(Struct, frozen=True):
    """The back peg passed the front one. `score` is where it stands, `points` how far ahead of the old front peg."""

    track: int
    score: int
    points: int


class PegAdjusted(Struct, frozen=True):
    """The front peg itself was moved to `score`, by `points` forward (positive) or back (negative).

    `is_taken_back`: it returned to the hole from which it had leapt, so that the last leap is undone.
    `back`: the score of the back peg, if that is not what `TrackPegs.slid_to` says.
    """

    track: int
    score: int
    points: int
    is_taken_back: bool = False
    back: int | None = None


class TrackFault(Struct, frozen=True):
    """A track has a fault. `holes` are those in question, `missing` those that lack their peg, both lowest first."""

    track: int
    fault: Fault
    holes: tuple[Hole, ...] = ()
    missing: tuple[Hole, ...] = ()
    lacking: tuple[int, ...] = ()
    """For FOREIGN_LANE: the tracks that lack a peg, one of which the third peg belongs to."""


class FaultCleared(Struct, frozen=True):
    """The fault of this track that was reported last is over."""

    track: int


Reading = PegLeapt | PegAdjusted | TrackFault | FaultCleared
