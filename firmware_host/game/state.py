"""The state of one game, frozen. Display, lights, sound and the web page are projections of a `Table`."""

from __future__ import annotations

from enum import Enum
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card, without
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat, Showing
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game.events import ClubGame, HandCounted, PointsDue, PointsMissed, Source
from firmware_host.game.forfeits import FORFEITABLE


class Phase(Enum):
    """What the game waits for."""

    CUT = "cut"
    """A dealer: the cards are cut for it."""
    DEAL = "deal"
    """The deal, the discards and the starter."""
    BID = "bid"
    """A bid for the crib."""
    PLAY = "play"
    """A card or a go."""
    SHOW = "show"
    """The count of a hand or the crib."""
    GATHER = "gather"
    """The next deal: everything is counted."""
    OVER = "over"
    """Nothing: a side has won."""


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


class Go(Struct, frozen=True):
    """A go. A hand shown later may prove that it was false."""

    seat: Seat
    count: int
    """The count at which it was said, 0 to 31."""
    laid: int
    """Cards that the seat had played by then."""


class PenalizedGo(Struct, frozen=True):
    """A false go that was found while the seat was to play."""

    seat: Seat
    laid: int
    """Cards that all seats had played by then."""


class Deal(Struct, frozen=True):
    """What is known of one deal. Unknown cards are simply absent."""

    number: int
    dealer: Seat
    dealt: tuple[tuple[Card, ...], ...]
    """By seat, before the discards; empty where unknown. The same holds for the next two."""
    discarded: tuple[tuple[Card, ...], ...]
    kept: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...] = ()
    """Cards that the stock added to the crib."""
    bids: tuple[tuple[Seat, int], ...] = ()
    """Seat and points of each bid, in order; 0 is a pass."""
    owner: Seat | None = None
    """The seat that bought the crib; None: nobody has."""
    is_sold: bool = False
    """The auction is over, with or without a buyer."""
    gos: tuple[Go, ...] = ()
    starter: Card | None = None
    play: Play | None = None
    penalized_gos: tuple[PenalizedGo, ...] = ()
    """The false gos that have had their penalty."""
    counted: int = 0
    """Hands of the show that are counted or skipped, in show order."""
    skipped: tuple[int, ...] = ()
    """Those of them that were skipped, by their place in the show order."""
    minimums: tuple[int, ...] = ()
    """Those of them whose count is a minimum: a suit that nobody entered could add points."""
    fronts: tuple[int, ...] = ()
    """The front peg of each side when the deal began."""

    @property
    def crib(self) -> tuple[Card, ...]:
        """The known cards of the crib, from 0 to 4."""
        return (*chain.from_iterable(self.discarded), *self.stock)

    def played(self, seat: Seat) -> tuple[Card, ...]:
        """The known cards that the seat has played, in order."""
        return self.play.by_seat[seat] if self.play else ()

    def in_hand(self, seat: Seat) -> tuple[Card, ...]:
        """The cards that the seat has still to play; empty where its hand is unknown."""
        return without(self.kept[seat], self.played(seat))

    @property
    def face_up(self) -> tuple[Card, ...]:
        """The starter and the cards played: everybody has seen them."""
        played = self.play.laid if self.play else ()
        return (*(() if self.starter is None else (self.starter,)), *[card for _, card in played])

    @property
    def seen(self) -> tuple[Card, ...]:
        """Every known card of the deal, each once."""
        known = [*self.stock] if self.starter is None else [*self.stock, self.starter]
        for seat, dealt in enumerate(self.dealt):
            known += dealt or self.kept[seat] or self.played(Seat(seat))
        return tuple(known)


class Mover(Enum):
    """Who moves the pegs of a side."""

    HAND = "hand"
    """People move pegs on the board."""
    ENTRY = "entry"
    """No pegs: people enter the points that the side takes."""
    TABLE = "table"
    """No pegs: points move as soon as they are due."""


class Table(Struct, frozen=True):
    """One game at one moment. `pegs`, `settled`, `rightful`, `surplus`, `checked`, `reported_excess`, `overran` and
    `dues` have one entry a side."""

    rules: RuleSet
    names: tuple[str, ...]
    board: str
    sides_on_board: int
    points_are_entered: bool
    phase: Phase
    pegs: tuple[TrackPegs, ...]
    settled: tuple[TrackPegs, ...]
    """Where the pegs of each side last stood by the rules: as `pegs`, but without moves that were not due."""
    rightful: tuple[int, ...]
    """The hole where each front peg should stand. Below zero: a debt (auction), settled by the next points."""
    surplus: tuple[int, ...]
    """Points that each side earned beyond the game hole. They count where some of its points are lost: whoever is at
    118, and has 2 to peg and a penalty of 3 to take, wins without the 2."""
    checked: tuple[bool, ...]
    """Whether the side's last move was compared with points that were due; if not, the pegs alone are the score."""
    reported_excess: tuple[int, ...]
    """Holes that each side moved too far, as last reported. Points earned since leave that number as it is: they are
    still to be moved, or the same excess would be reported again."""
    overran: tuple[bool, ...]
    """Whether the excess of the side, if it has any, is the end of a move of which a part was due."""
    dues: tuple[tuple[Due, ...], ...]
    """What each side earned in this deal, in the order in which its peg settles it. The points left are those between
    its score and `rightful`, with its `surplus`: a peg that goes back from its score leaves none of them open again."""
    misses: tuple[Miss, ...] = ()
    deal: Deal | None = None
    last_to_move: int | None = None
    """The side that moved forward last: a wrong claim is one against this side."""
    last_count: HandCounted | None = None
    winner: int | None = None
    is_demo: bool = False
    first_dealer: Seat | None = None
    """The dealer of the first hand: the last one chosen before a peg left the start."""
    club_game: ClubGame | None = None
    """Which game of a club night this is; None: it belongs to none."""
    confirmed: tuple[int, ...] = ()
    """The sides that confirmed the result of a game of a club night, in that order."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each side: its front peg without the moves, forward or back, that were not due."""
        return tuple([self.score(side) for side in range(len(self.settled))])

    def score(self, side: int) -> int:
        """The score of one side, 0 to its target."""
        front = self.settled[side].front
        right = self.rightful[side]
        score = front if front < right else right
        return score if score > 0 else 0

    @property
    def owed(self) -> tuple[int, ...]:
        """Holes that each side has still to move; below zero: holes it moved too far."""
        return tuple([max(0, right) - pegs.front for right, pegs in zip(self.rightful, self.pegs, strict=True)])

    @property
    def is_at_rest(self) -> bool:
        """Whether no side has points to move, or moved too far: every peg stands where it should."""
        fronts = tuple([pegs.front for pegs in self.pegs])
        return fronts == self.rightful and self.pegs == self.settled and not any(self.surplus)

    def is_owing(self, side: int) -> bool:
        """Whether the side's front peg has still to move, forward or back."""
        return self.pegs[side].front != max(0, self.rightful[side])

    def is_astray(self, side: int) -> bool:
        """Whether the side made a move that was not due, which it has to take back. A price half paid is none."""
        front = self.pegs[side].front
        settled = self.settled[side]
        right = max(0, self.rightful[side])
        is_half_way_back = right <= front <= settled.front
        return self.is_owing(side) and self.pegs[side] != settled and not is_half_way_back

    def excess(self, side: int) -> int:
        """Holes that the front peg was moved beyond those due. A price or penalty that is still to be paid is none."""
        holes = self.pegs[side].front - self.settled[side].front
        return holes if holes > 0 else 0

    def is_to_go_back(self, side: int) -> bool:
        """Whether the side has to go back behind a score that it had: a price, or a penalty."""
        return self.owed[side] < 0 and max(0, self.rightful[side]) < self.settled[side].front

    def goal(self, side: int) -> TrackPegs:
        """Where the next move of this side should bring its pegs; where they are, if it has none to make.

        Points move the back peg past the front one. The rest of a move that fell short, and the way back from a move
        that was not due, are made with the front peg. Going back, the front peg may pass the back one, which is then
        put directly behind it (`TrackPegs.slid_to`).
        """
        pegs = self.pegs[side]
        settled = self.settled[side]
        right = max(0, self.rightful[side])
        if right == pegs.front:
            return pegs
        if right <= settled.front:
            return settled.slid_to(right)
        if pegs.front > right:
            return pegs.slid_to(right)
        if pegs.front < settled.front:
            return settled
        is_rest = any(due.moved for due in self.outstanding(side)[:1])
        return pegs.slid_to(right) if is_rest else pegs.leapt_to(right)

    @property
    def going_out(self) -> int | None:
        """The side whose points reach the game hole, whether or not its peg is there yet."""
        rules = self.rules
        if not rules.captain and max(self.rightful) < rules.target:
            return None
        return next((side for side in range(len(self.pegs)) if self.is_going_out(side)), None)

    def is_going_out(self, side: int) -> bool:
        """Whether the points of this side reach the game hole."""
        return self.rightful[side] >= self.target(side)

    @property
    def dealer(self) -> Seat | None:
        """The dealer of the current deal; None before the first."""
        return self.deal.dealer if self.deal else None

    @property
    def has_scored(self) -> bool:
        """Whether a front peg was moved in this deal."""
        return self.deal is not None and self.deal.fronts != tuple(pegs.front for pegs in self.pegs)

    @property
    def to_play(self) -> Seat | None:
        """The seat that is to play a card or say go."""
        return self.deal.play.turn if self.phase is Phase.PLAY and self.deal and self.deal.play else None

    @property
    def is_followed(self) -> bool:
        """Whether people enter the cards of this play: at least one is known."""
        return self.phase is Phase.PLAY and bool(self.deal and self.deal.play and self.deal.play.laid)

    @property
    def to_count(self) -> Showing | None:
        """The next hand or crib of the show."""
        if self.phase is not Phase.SHOW or self.deal is None:
            return None
        return self.rules.show_order(self.deal.dealer, self.deal.owner)[self.deal.counted]

    @property
    def to_confirm(self) -> int | None:
        """The next side that confirms the result of a game of a club night, the winner first; None: nobody has to."""
        if self.phase is not Phase.OVER or self.club_game is None or self.winner is None:
            return None
        sides = sorted(range(len(self.pegs)), key=lambda side: side != self.winner)
        return next((side for side in sides if side not in self.confirmed), None)

    def side_name(self, side: int) -> str:
        """The names of the side's players, joined by ` & `."""
        return " & ".join(self.names[seat] for seat in self.rules.sides[side])

    def mover(self, side: int) -> Mover:
        """Who moves the pegs of this side."""
        if side < self.sides_on_board:
            return Mover.HAND
        return Mover.ENTRY if self.points_are_entered else Mover.TABLE

    def is_moved_by_hand(self, side: int) -> bool:
        """Whether the side has pegs on the board."""
        return self.mover(side) is Mover.HAND

    def left_of(self, side: int) -> int:
        """The side that gets what this side misses, or the penalty for its breach: the next one on its left."""
        sides = self.rules.sides
        first = self.rules.sides[side][0]
        on_the_left = (Seat((first + steps) % self.rules.players) for steps in range(1, self.rules.players))
        return next(self.rules.side_of(seat) for seat in on_the_left if seat not in sides[side])

    def target(self, side: int) -> int:
        """The score that ends the game for this side."""
        return self.rules.target_of(side)

    def outstanding(self, side: int) -> tuple[Due, ...]:
        """The dues that are not moved yet, in the order of settling, cut at the game hole."""
        waiting = [due for due in self.dues[side] if due.left]
        room = self.target(side) - self.score(side)
        found = list[Due]()
        for due in waiting:
            if room > 0:
                found.append(replace(due, points=due.moved + min(due.left, room)))
                room -= due.left
        return tuple(found)

    def is_unsettled(self, side: int) -> bool:
        """Whether the side earned points, or owes some, beyond its score; if not, none of its dues is left."""
        return self.settled[side].front != self.rightful[side] or self.surplus[side] != 0

    def forfeitable_dues(self, side: int) -> tuple[Due, ...]:
        """The dues that are reported as missed, or lost, if the game goes on now."""
        if not self.is_unsettled(side):
            return ()
        return tuple([due for due in self.outstanding(side) if due.is_forfeitable])

    def was_reported(self, missed: PointsMissed) -> bool:
        """Whether the same points were reported as missed before; then this event is their loss."""
        return any(due.is_reported and due.is_of(missed) for due in self.dues[missed.side])
