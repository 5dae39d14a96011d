"""Points that a side has still to move, and points that it lost and others may claim."""

from __future__ import annotations

from msgspec import Struct

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game.events import PointsDue, PointsMissed, Source
from firmware_host.game.forfeits import FORFEITABLE


class Due(Struct, frozen=True):
    """Points that a side has to move: which seat earned them, where, and for what."""

    seat: Seat
    source: Source
    points: int
    """Holes to move; fewer than were scored where some need no move: the game hole is nearer, a debt or a price took
    them, or the peg stood too far already."""
    scores: tuple[Score, ...] = ()
    moved: int = 0
    """Holes moved so far."""
    is_reported: bool = False
    """The rest was reported as missed, and may still be moved."""
    moves_itself: bool = False
    """Given by a rule to a side without pegs on the board: these points move at once."""

    @property
    def left(self) -> int:
        """Holes still to move."""
        return self.points - self.moved

    @property
    def is_forfeitable(self) -> bool:
        """Whether the rest can be missed, and has not been reported as missed yet."""
        return self.source in FORFEITABLE and not self.is_reported

    @property
    def rank(self) -> int:
        """A moving peg settles dues by rank: -1 moves by itself, 0 can be forfeited, 1 was reported as missed, 2 can
        wait."""
        if self.moves_itself:
            return -1
        return 0 if self.is_forfeitable else 1 if self.source in FORFEITABLE else 2

    @property
    def is_timely_go(self) -> bool:
        """Whether these are points for a go (`go_points=per_pass`) that were not missed yet."""
        return self.is_forfeitable and all(score.kind is ScoreKind.GO for score in self.scores)

    @property
    def is_for_card(self) -> bool:
        """Whether a card of the play scored these points, other than as the last one."""
        after_cards = (ScoreKind.GO, ScoreKind.LAST_CARD)
        return self.source is Source.PLAY and not all(score.kind in after_cards for score in self.scores)

    def is_of(self, other: PointsDue | PointsMissed | Due) -> bool:
        """Whether the event or the entry is about the same points."""
        return (self.seat, self.source, self.scores) == (other.seat, other.source, other.scores)


class Miss(Struct, frozen=True):
    """Points that `side` lost and others may still claim (muggins)."""

    side: int
    seat: Seat
    source: Source
    points: int
    scores: tuple[Score, ...]
    claimers: tuple[int, ...]
    """The sides that may still claim them."""

    def is_of(self, event: PointsDue | PointsMissed) -> bool:
        """Whether the event is about these points."""
        return (self.seat, self.source, self.scores) == (event.seat, event.source, event.scores)
