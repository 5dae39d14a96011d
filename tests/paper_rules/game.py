"""A scorekeeper with a pencil: one game of cribbage by the paper rules, where people move the pegs themselves.

It knows what every side may peg (`dues`), where its pegs stand (`pegs`), what was missed and may be claimed (`misses`).
Each method is something that people do; it changes the state or raises Refused. Rules of the American Cribbage Congress
(ACC) are named by number.

When points are lost ("forfeited"), if they are not pegged by then:

    points of the play     the next card of an opponent (ACC 7.2), or the first count of the show; points of a card
                           also a go of an opponent that is pegged (ACC 10.4, with `go_points=per_pass`)
    points of the show     the next count of another side, or the gathering of the cards
    his heels              the dealer's first card (`heels=forfeit`), or the first count of the show
    all others             the gathering of the cards: pone's three, penalties, muggins, points that were announced

Points that are lost go to nobody, to the other side (muggins), or may still be pegged until the cards are gathered:

    muggins_mode   in scope                               out of scope (`muggins_scope=show`), or `off`
    coach          may still be pegged                    -
    claim          may be claimed                         `correct`: may still be pegged; `acc`: lost
    automatic      go to the opponent                     the same

The board cannot see fingers, so a move is final when another side goes on: with a card, a count, the next deal. Until
then it may be corrected. Then, by the `acc` policy, holes too many go to the opponent (ACC 8.4.c) and holes too few are
lost as above (ACC 8.3); by `correct` a short move may be completed until its points are forfeited. Only a false game is
final at once (ACC 8.4.a).

The rules are silent, or contradict each other, in some places; the text above is what was chosen there.
"""

from __future__ import annotations

from copy import copy

from msgspec import Struct

from tests.paper_rules.cards import JACK, Card, count
from tests.paper_rules.pegging import Pegging
from tests.paper_rules.play import Play, Refused
from tests.paper_rules.points import HEELS, MISSABLE, PENALTY, PLAY, SHOW, THREE, Finished
from tests.paper_rules.score_sheet import EVERYBODY
from tests.paper_rules.systems import Rules

__all__ = ["PaperGame", "Refused", "Showing"]


class Showing(Struct, frozen=True):
    """A hand of the show, or the crib."""

    seat: int
    is_crib: bool


class PaperGame(Pegging):
    """One game."""

    def __init__(self, rules: Rules, dealer: int, scores: tuple[int, ...] | None = None, *, is_known: bool = True):
        super().__init__(rules, scores or (0,) * len(rules.sides), is_known=is_known)
        self.dealer = dealer
        self.deals = 0
        self.began_with_scores = scores is not None and any(scores)
        self._begin_deal()

    def copy(self) -> PaperGame:
        """A copy that shares nothing which changes."""
        twin = copy(self)
        for name in ("pegs", "earned", "dues", "proper", "excess_fined", "hands", "discards"):
            setattr(twin, name, list(getattr(self, name)))
        twin.play = self.play.copy() if self.play else None
        return twin

    @property
    def turn(self) -> int | None:
        """The seat that is to play a card or say go."""
        return self.play.turn if self.phase == "play" and self.play else None

    @property
    def show_order(self) -> tuple[Showing, ...]:
        """The order of the show. A buyer shows hand and crib first."""
        first = self.rules.left(self.dealer) if self.owner is None else self.owner
        seats = [self.rules.left(first, steps) for steps in range(self.rules.players)]
        shown = [Showing(seat, False) for seat in seats]
        crib = Showing(self.dealer if self.owner is None else self.owner, True)
        return tuple([*shown, crib] if self.owner is None else [shown[0], crib, *shown[1:]])

    # The deal.

    def _begin_deal(self) -> None:
        self._clear_the_table()
        is_first = self.deals == 1 and not self.began_with_scores
        if self.rules.three_for_last == "every_deal" or (self.rules.three_for_last == "once" and is_first):
            self._earn(self.rules.side_of(self.rules.left(self.dealer)), THREE, 3)

    def _clear_the_table(self) -> None:
        self.deals += 1
        self.phase = "deal"
        self.hands: list[tuple[Card, ...]] = [()] * self.rules.players
        self.discards: list[tuple[Card, ...] | None] = [None] * self.rules.players
        self.stock: tuple[Card, ...] = ()
        self.starter: Card | None = None
        self.is_policed = False
        self.first_shown = None
        self.bids: tuple[tuple[int, int], ...] = ()
        self.owner: int | None = None
        self.is_sold = not self.rules.is_auction
        self.play: Play | None = None
        self.counted = 0
        self.fined_go: tuple[int, int, int] | None = None

    def misdeal(self, *, is_exposed: bool = False) -> None:
        """The dealer deals again: a wrong number of cards, or a card that was exposed, which is nobody's fault."""
        if self.phase not in ("deal", "bid") or self.starter or (self.rules.is_auction and self.is_sold):
            raise Refused("wrong_phase")
        self._refuse_if_somebody_is_out()
        self._clear_the_table()
        if self.rules.misdeal == "two_points" and not is_exposed:
            self._earn(self.rules.beneficiary(self.rules.side_of(self.dealer)), PENALTY, 2)

    def deal(self, seat: int, dealt: tuple[Card, ...]) -> None:
        """The seat's cards become known."""
        self._refuse_if_somebody_is_out()
        self.hands[seat] = dealt
        if self._number_discarded(seat) == 0:
            self.discards[seat] = ()
        self._open_bidding()

    def _number_discarded(self, seat: int) -> int:
        return self.rules.discarded[self.rules.distance(self.dealer, seat)]

    def discard(self, seat: int, away: tuple[Card, ...]) -> None:
        """The seat's discards become known."""
        self.hands[seat] = tuple(one for one in self.hands[seat] if one not in away)
        self.discards[seat] = away
        self._open_bidding()

    def fill_crib(self, cards: tuple[Card, ...]) -> None:
        """The card that the stock adds to the crib of three hands."""
        self.stock = cards

    def _open_bidding(self) -> None:
        is_time = self.starter is not None or self.rules.auction_when == "before_starter"
        if not self.is_sold and is_time and all(away is not None for away in self.discards):
            self.phase = "bid"

    # The auction.

    def next_bidder(self) -> int:
        """The seat that is to bid or pass."""
        passed = {seat for seat, points in self.bids if points == 0}
        last = self.bids[-1][0] if self.bids else self.dealer
        seats = (self.rules.left(last, steps) for steps in range(1, self.rules.players + 1))
        return next(seat for seat in seats if seat not in passed)

    def bid(self, seat: int, points: int | None) -> None:
        """A price for the crib, or None to pass."""
        if self.phase != "bid":
            raise Refused("wrong_phase")
        if seat != self.next_bidder():
            raise Refused("out_of_turn")
        highest = max((offered for _, offered in self.bids), default=0)
        if points is not None:
            if points <= highest:
                raise Refused("bid_too_low")
            if points > self.score(self.rules.side_of(seat)) and self.rules.auction_debt == "limit":
                raise Refused("exceeds_score")
            if points > self._all_of(self.rules.side_of(seat)) + self.rules.target_of(self.rules.side_of(seat)):
                raise Refused("bid_too_high")
        self.bids = (*self.bids, (seat, points or 0))
        passed = {bidder for bidder, offered in self.bids if offered == 0}
        bidding = [other for other in range(self.rules.players) if other not in passed]
        if not bidding:
            self._sell(None, 0)
        elif len(bidding) == 1 and any(bidder == bidding[0] for bidder, _ in self.bids):
            self._sell(bidding[0], max(offered for _, offered in self.bids))

    def _all_of(self, side: int) -> int:
        return self.earned[side] + sum(due.points for due in self.dues[side])

    def _sell(self, owner: int | None, price: int) -> None:
        self.owner, self.is_sold = owner, True
        self.phase = "deal"
        if owner is not None:
            self._go_back(self.rules.side_of(owner), price, may_owe=self.rules.auction_debt == "debt")
        if self.starter is not None:
            self._begin_play()

    def winner_when_out(self, side: int) -> int:
        """In lowball who earned least wins, also what is not pegged yet; those who are level lose in the order in which
        they would count next."""
        if not self.rules.lowball:
            return side
        rights = [self.right(other) for other in range(len(self.rules.sides))]
        lowest = min(right for other, right in enumerate(rights) if other != side)
        level = [other for other, right in enumerate(rights) if other != side and right == lowest]
        first = self.rules.left(self.dealer, 2)
        next_show = [self.rules.left(first, steps) for steps in range(self.rules.players)]
        for seat in (*(showing.seat for showing in self.show_order[self.counted :]), *next_show):
            if len(level) > 1 and self.rules.side_of(seat) in level:
                level.remove(self.rules.side_of(seat))
        return level[0]

    # The starter and the play.

    def cut(self, starter: Card) -> None:
        """The starter is turned up; a jack scores two for his heels."""
        if self.phase != "deal":
            raise Refused("wrong_phase")
        self._refuse_if_somebody_is_out()
        self.starter, self.is_policed = starter, self.is_known
        if self.rules.auction_heels == "dealer":
            self._earn_heels(self.dealer)
        if not self.is_sold:
            self._open_bidding()
            return
        self._begin_play()

    def _begin_play(self) -> None:
        self.phase = "play"
        leader = self.rules.left(self.dealer) if self.owner is None else self.owner
        self.play = Play(self.rules, leader, tuple(self.hands) if self.is_known else None)
        if self.rules.auction_heels == "owner":
            self._earn_heels(self.dealer if self.owner is None else self.owner)

    def _earn_heels(self, seat: int) -> None:
        if self.starter and self.starter.rank == JACK:
            side = self.rules.side_of(seat)
            if not self._is_in_stinkhole(side) or self.rules.stinkhole == "off":
                self._earn(side, HEELS, 2)

    def card(self, seat: int, played: Card) -> None:
        """The seat plays a card."""
        play = self._playing()
        trial = play.copy()
        trial.card(seat, played)
        side = self.rules.side_of(seat)
        self._refuse_if_somebody_is_out(goes_on=side)
        finished = self._finished(side)
        self._moves_are_final(by=side)
        if seat == self.dealer and self.rules.heels == "forfeit":
            self._lose_heels()
        self._close_claims(by_card_of=side)
        for other in range(len(self.rules.sides)):
            self._forfeit(other, (PLAY,), finished if other == side else Finished.ALL)
        self.play = trial
        self._score_play()

    def go(self, seat: int) -> None:
        """The seat says go. A go that is only said forfeits nothing; a false one is refused, or fined once."""
        play = self._playing()
        trial = play.copy()
        try:
            trial.go(seat)
        except Refused as refused:
            if str(refused) != "false_go" or self.rules.renege == "correct":
                raise
            self._refuse_if_somebody_is_out()
            self._fine_go(seat, len(play.legal(seat)))
            return
        self._refuse_if_somebody_is_out(goes_on=EVERYBODY)
        self.play = trial
        self._score_play()

    def _fine_go(self, seat: int, playable: int) -> None:
        assert self.play
        occasion = (seat, self.play.count, self.play.left[seat])
        if occasion == self.fined_go:
            raise Refused("false_go")  # a false go is fined once
        self.fined_go = occasion
        points = 2 * playable if self.rules.renege == "acc" else 2
        self._earn(self.rules.beneficiary(self.rules.side_of(seat)), PENALTY, points)

    def _playing(self) -> Play:
        if self.winner is not None:
            raise Refused("game_over")
        if self.phase != "play" or self.play is None:
            raise Refused("wrong_phase")
        return self.play

    def _score_play(self) -> None:
        assert self.play
        for seat, points, kind in self.play.scored:
            if not self._is_somebody_out():  # nothing later counts
                side = self.rules.side_of(seat)
                self._earn(side, PLAY, self._points_near_the_end(side, points, kind), kind)
        if self.play.is_over:
            self.phase = "show"

    def _is_in_stinkhole(self, side: int) -> bool:
        return self.right(side) == self.target(side) - 1

    def _points_near_the_end(self, side: int, points: int, kind: str) -> int:
        """What is left of points of the play by the house rules of the last holes."""
        for_go = {"card": 0, "card and go": 1}.get(kind, points)
        if self._is_in_stinkhole(side) and self.rules.stinkhole == "show_only":
            return 0
        if self._is_in_stinkhole(side) and self.rules.stinkhole == "heels_and_go":
            return points - for_go
        if self.rules.go_limit == "115" and self.right(side) >= 116:
            return points - for_go
        return points

    def end_play(self) -> None:
        """People enter no more cards of this play."""
        self._playing()
        self._refuse_if_somebody_is_out()
        self._moves_are_final(by=None)
        self.phase = "show"

    # The show.

    def count(self, shown: tuple[Card, ...] | None = None) -> int:
        """The next hand or the crib is counted; `shown` where the table does not know it. Returns the points."""
        showing = self._next_showing()
        if shown is None:
            known = tuple(one for away in self.discards for one in away or ())
            shown = (*known, *self.stock) if showing.is_crib else self.hands[showing.seat]
        assert self.starter
        parts = count(
            shown,
            self.starter,
            is_crib=showing.is_crib,
            four_flush_in_crib=self.rules.crib_flush == "four_ok",
        )
        if self._next_step_of_show(showing):
            self._earn(self.rules.side_of(showing.seat), SHOW, sum(parts))
        return sum(parts)

    def skip(self) -> None:
        """The next hand is counted without the table."""
        self._next_step_of_show(self._next_showing())

    def _next_showing(self) -> Showing:
        if self.winner is not None:
            raise Refused("game_over")
        if self.phase != "show":
            raise Refused("wrong_phase")
        showing = self.show_order[self.counted]
        self._refuse_if_somebody_is_out(goes_on=self.rules.side_of(showing.seat), safe_sources=(SHOW,))
        return showing

    def _next_step_of_show(self, showing: Showing) -> bool:
        """Returns False if somebody is out by the points that this forfeits: nothing later counts."""
        own = self.rules.side_of(showing.seat)
        finished = self._finished(own)
        self._moves_are_final(by=own)
        if self.counted == 0:
            self._lose_heels()
        for side in range(len(self.rules.sides)):
            self._forfeit(side, (PLAY,))
            self._forfeit(side, (SHOW,), finished if side == own else Finished.ALL)
        if self._is_somebody_out():
            return False
        self.counted += 1
        self.first_shown = own if self.first_shown is None else self.first_shown
        if self.counted == len(self.show_order):
            self.phase = "gather"
        return True

    def _finished(self, side: int) -> Finished:
        """Which older points a side that goes on itself cannot peg any more.

        Who rushes on, as from hand to crib, may still peg them, unless the peg was released inside them, or they win
        the game: with muggins it is mandatory to peg out (ACC 10.1.c).
        """
        if self.right(side) >= self.target(side):
            return Finished.ALL
        return Finished.REST if side in self.moved_short else Finished.NONE

    def next_deal(self) -> None:
        """The cards are gathered, and the deal passes to the left."""
        if self.winner is not None:
            raise Refused("game_over")
        if self.is_known and self.phase != "gather":
            raise Refused("wrong_phase")
        self._refuse_if_somebody_is_out(goes_on=None)
        before = list(self.dues)
        self._moves_are_final(by=None)
        for side in range(len(self.rules.sides)):
            self._forfeit(side, MISSABLE)
        if self._is_somebody_out():
            return
        for side, dues in enumerate(self.dues):  # only what muggins took just now can still be pegged
            self.dues[side] = tuple(
                due for due in dues if not due.is_entered and not any(due is old for old in before[side])
            )
        self.misses = ()
        self.dealer = self.rules.left(self.dealer)
        self._begin_deal()

    def claim(self, side: int, points: int) -> None:
        """The side claims points that somebody missed."""
        if self.winner is not None:
            raise Refused("game_over")
        if self.rules.muggins_mode != "claim":
            raise Refused("no_muggins")
        if self.phase == "play" and self.rules.muggins_scope == "show":
            raise Refused("no_muggins")
        self._claim(side, points)
