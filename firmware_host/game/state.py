"""The state of one game, frozen. Display, lights, sound and the web page are projections of a `Table`."""

from __future__ import annotations

from enum import Enum
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import Card, without
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat, Showing
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.game.events import ClubGame, HandCounted, PointsDue, PointsMissed, Source
from firmware_host.game.forfeits import FORFEITABLE, are_heels_at_risk
from firmware_host.game.pack import Pack


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
    """A go. A hand shown later may prove that it was false, unless it `was_free`."""

    seat: Seat
    count: int
    """The count at which it was said, 0 to 31."""
    laid: int
    """Cards that the seat had played by then."""
    was_free: bool = False
    """Whether the rules let the seat say it with any cards."""


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
    follows_known: bool = False
    """Whether every card of the deal before was entered, and people have not accepted pegs since: then cards are
    expected before the next score."""
    pack: Pack | None = None
    """The pack that the program shuffled. Nobody may see it before the deal is over."""
    shown_to: tuple[str | None, ...] = ()
    """By seat, who sees the hand that the program dealt: the id of a phone, empty for the board itself, None for
    nobody. Empty until it has dealt."""

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


class Table(Struct, frozen=True):
    """One game at one moment."""

    rules: RuleSet
    names: tuple[str, ...]
    board: str
    sides_on_board: int
    points_are_entered: bool
    phase: Phase
    sides: tuple[SideState, ...]
    misses: tuple[Miss, ...] = ()
    deal: Deal | None = None
    last_to_move: int | None = None
    """The side that moved forward last: a wrong claim is one against this side."""
    last_count: HandCounted | None = None
    just_claimed: int = 0
    """The missed points that were claimed last, if nothing has been played, counted or scored since."""
    winner: int | None = None
    is_demo: bool = False
    first_dealer: Seat | None = None
    """The dealer of the first hand: the last one chosen before a peg left the start."""
    club_game: ClubGame | None = None
    """Which game of a club night this is; None: it belongs to none."""
    confirmed: tuple[int, ...] = ()
    """The sides that confirmed the result of a game of a club night, in that order."""
    is_dealt: bool = False
    """Whether the program deals the cards."""
    levels: tuple[Level | None, ...] = ()
    """By seat: how well the program plays for it, None for a person; empty where it plays for no seat."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each side."""
        return tuple([side.score for side in self.sides])

    @property
    def owed(self) -> tuple[int, ...]:
        """Holes that each side has still to move; below zero: holes it moved too far."""
        return tuple([side.owed for side in self.sides])

    @property
    def pegs(self) -> tuple[TrackPegs, ...]:
        """The pegs of each side."""
        return tuple([side.pegs for side in self.sides])

    @property
    def fronts(self) -> tuple[int, ...]:
        """The front peg of each side."""
        return tuple([side.pegs.front for side in self.sides])

    @property
    def is_at_rest(self) -> bool:
        """Whether every peg stands where it should."""
        return all(side.is_at_rest for side in self.sides)

    @property
    def going_out(self) -> int | None:
        """The side whose points reach the game hole, whether or not its peg is there yet."""
        for number, side in enumerate(self.sides):  # no generator: this is asked at each event
            if side.rightful >= side.target:
                return number
        return None

    @property
    def is_decided(self) -> bool:
        """Whether a side has the points to win, so that nothing later counts. Heels that may still be lost decide
        nothing."""
        if self.going_out is None:
            return False
        if not are_heels_at_risk(self.rules):
            return True
        return any(side.earned - side.heels >= side.target for side in self.sides)

    @property
    def dealer(self) -> Seat | None:
        """The dealer of the current deal; None before the first."""
        return self.deal.dealer if self.deal else None

    @property
    def opponents(self) -> tuple[Seat, ...]:
        """The seats that the program plays for."""
        return tuple(Seat(seat) for seat, level in enumerate(self.levels) if level is not None)

    @property
    def hand_to_read(self) -> Seat | None:
        """The seat of the program whose cards people have to lay on the card reader next; None: there is none."""
        if self.is_dealt or self.deal is None or self.phase not in (Phase.DEAL, Phase.BID):
            return None
        return next((seat for seat in self.opponents if not self.deal.dealt[seat]), None)

    def place_in_row(self, seat: Seat, card: Card) -> int:
        """Where the card lies in the row of a hand that the program reads, from 1; 0 for any other card."""
        if self.is_dealt or self.deal is None or card not in self.deal.dealt[seat] or seat not in self.opponents:
            return 0
        return self.deal.dealt[seat].index(card) + 1

    def is_programs(self, side: int) -> bool:
        """Whether the program alone plays for the side. In a team with people, they move the pegs."""
        return bool(self.levels) and all(self.levels[seat] is not None for seat in self.rules.sides[side])

    @property
    def awaits_pack(self) -> bool:
        """Whether the program has to shuffle the pack of this deal."""
        return self.is_dealt and self.phase is Phase.DEAL and self.deal is not None and self.deal.pack is None

    @property
    def can_deal(self) -> bool:
        """Whether the pack is shuffled, and not dealt yet."""
        return self.phase is Phase.DEAL and self.deal is not None and bool(self.deal.pack) and not self.deal.shown_to

    @property
    def can_turn_starter(self) -> bool:
        """Whether the program has dealt, and every seat has discarded: only the starter is missing."""
        deal = self.deal
        return self.phase is Phase.DEAL and deal is not None and bool(deal.shown_to) and all(deal.kept)

    @property
    def has_scored(self) -> bool:
        """Whether a front peg was moved forward in this deal; a price that was paid back is no score."""
        return self.deal is not None and any(now > was for was, now in zip(self.deal.fronts, self.fronts, strict=True))

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
        sides = sorted(range(len(self.sides)), key=lambda side: side != self.winner)
        return next((side for side in sides if side not in self.confirmed), None)

    def side_name(self, side: int) -> str:
        """The names of the side's players, joined by ` & `."""
        return " & ".join(self.names[seat] for seat in self.rules.sides[side])

    @property
    def is_by_hand(self) -> bool:
        """Whether no side has pegs that the program follows: people move them on a board of their own."""
        return not self.sides_on_board

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

    def with_side(self, number: int, side: SideState) -> Table:
        """The table with one side replaced."""
        return replace(self, sides=(*self.sides[:number], side, *self.sides[number + 1 :]))
