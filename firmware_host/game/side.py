"""The state of one side: its pegs, its score, and what it has still to move."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.game.due_points import Due
from firmware_host.game.events import PointsMissed, Source


class Mover(Enum):
    """Who moves the pegs of a side."""

    HAND = "hand"
    """People move pegs on the board."""
    ENTRY = "entry"
    """No pegs: people enter the points that the side takes."""
    TABLE = "table"
    """No pegs: points move as soon as they are due. Points that people enter count as well: nobody knew of them."""


class SideState(Struct, frozen=True):
    """The pegs of one side, what it earned, and what it has still to move."""

    target: int
    """The score that ends the game for this side."""
    pegs: TrackPegs
    settled: TrackPegs
    """Where the pegs last stood by the rules: as `pegs`, but without moves that were not due."""
    rightful: int
    """The hole where the front peg should stand. Below zero: a debt (auction), settled by the next points."""
    surplus: int = 0
    """Points earned beyond the game hole. They count where some of the points are lost: whoever is at 118, and has 2 to
    peg and a penalty of 3 to take, wins without the 2."""
    is_checked: bool = False
    """Whether the last move was compared with points that were due; if not, the pegs alone are the score."""
    reported_excess: int = 0
    """Holes moved too far, as last reported. Points earned since leave that number as it is: they are still to be
    moved, or the same excess would be reported again."""
    fined_excess: int = 0
    """Holes of `reported_excess` that have had their penalty."""
    believed_from: int | None = None
    """The front peg before the last move, if that was believed without knowing what it was for: going back there takes
    the score back. None: the last move was compared with what was due."""
    overran: bool = False
    """Whether the excess, if there is any, is the end of a move of which a part was due."""
    dues: tuple[Due, ...] = ()
    """What the side earned in this deal, in the order in which its peg settles it. The points left are those between
    its score and `rightful`, with its `surplus`: a peg that goes back from its score leaves none of them open again."""

    @property
    def score(self) -> int:
        """The score, 0 to the target: the front peg without the moves, forward or back, that were not due."""
        front = self.settled.front
        score = front if front < self.rightful else self.rightful
        return score if score > 0 else 0

    @property
    def goal_hole(self) -> int:
        """The score where the front peg should stand: `rightful`, or the start if there is a debt."""
        return self.rightful if self.rightful > 0 else 0

    @property
    def owed(self) -> int:
        """Holes that the side has still to move; below zero: holes it moved too far."""
        return self.goal_hole - self.pegs.front

    @property
    def earned(self) -> int:
        """All points that the side has by the rules, also those beyond the game hole; below zero: a debt."""
        return self.rightful + self.surplus

    @property
    def is_at_rest(self) -> bool:
        """Whether the side has no points to move and moved none too far: its pegs stand where they should."""
        return self.pegs.front == self.rightful and self.pegs == self.settled and not self.surplus

    @property
    def is_owing(self) -> bool:
        """Whether the front peg has still to move, forward or back."""
        return self.pegs.front != self.goal_hole

    @property
    def is_astray(self) -> bool:
        """Whether the side made a move that was not due, which it has to take back. A price half paid is none."""
        is_half_way_back = self.goal_hole <= self.pegs.front <= self.settled.front
        return self.is_owing and self.pegs != self.settled and not is_half_way_back

    @property
    def excess(self) -> int:
        """Holes that the front peg was moved beyond those due. A price or penalty that is still to be paid is none."""
        holes = self.pegs.front - self.settled.front
        return holes if holes > 0 else 0

    @property
    def unfined_excess(self) -> int:
        """Holes of the reported excess that have had no penalty."""
        return max(0, self.reported_excess - self.fined_excess)

    @property
    def is_to_go_back(self) -> bool:
        """Whether the side has to go back behind a score that it had: a price, or a penalty."""
        return self.owed < 0 and self.goal_hole < self.settled.front

    @property
    def goal(self) -> TrackPegs:
        """Where the next move should bring the pegs; where they are, if there is none to make.

        Points move the back peg past the front one. The rest of a move that fell short, and the way back from a move
        that was not due, are made with the front peg. Going back, the front peg may pass the back one, which is then
        put directly behind it (`TrackPegs.slid_to`).
        """
        right = self.goal_hole
        if right == self.pegs.front:
            return self.pegs
        if self.pegs.back < right < self.pegs.front:
            return self.pegs.slid_to(right)  # a back peg that is behind already need not move
        if right <= self.settled.front:
            return self.settled.slid_to(right)
        if self.pegs.front > right:
            return self.pegs.slid_to(right)
        if self.pegs.front < self.settled.front:
            return self.settled
        is_rest = any(due.moved for due in self.outstanding[:1])
        return self.pegs.slid_to(right) if is_rest else self.pegs.leapt_to(right)

    @property
    def heels(self) -> int:
        """Points for his heels that are not moved yet."""
        return sum([due.left for due in self.dues if due.source is Source.HEELS])

    @property
    def is_going_out(self) -> bool:
        """Whether the points of the side reach the game hole, whether or not its peg is there yet."""
        return self.rightful >= self.target

    @property
    def outstanding(self) -> tuple[Due, ...]:
        """The dues that are not moved yet, in the order of settling, cut at the game hole."""
        room = self.target - self.score
        found = list[Due]()
        for due in self.dues:
            left = due.left
            if left and room > 0:
                found.append(due if left <= room else replace(due, points=due.moved + room))
                room -= left
        return tuple(found)

    @property
    def is_unsettled(self) -> bool:
        """Whether the side earned points, or owes some, beyond its score; if not, none of its dues is left."""
        return self.settled.front != self.rightful or self.surplus != 0

    @property
    def forfeitable_dues(self) -> tuple[Due, ...]:
        """The dues that are reported as missed, or lost, if the game goes on now."""
        if not self.is_unsettled:
            return ()
        return tuple([due for due in self.outstanding if due.is_forfeitable])

    def was_reported(self, missed: PointsMissed) -> bool:
        """Whether the same points were reported as missed before; then this event is their loss."""
        return any(due.is_reported and due.is_of(missed) for due in self.dues)
