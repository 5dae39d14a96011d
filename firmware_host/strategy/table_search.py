"""The play for more than two players: the rest of the play is played out for each card, over imagined deals.

Every seat is imagined as `simple_player`. The same deals are played for each card, so that luck cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from firmware_host.cribbage.cards import PACK, RANK_OF, Card
from firmware_host.cribbage.options import GoPoints, GoThreePlus, PlayExtent
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat, Side
from firmware_host.strategy.hidden_deals import Kind, Ranks, chosen_discards
from firmware_host.strategy.series_tree import FULL, PIPS, Node, node_after
from firmware_host.strategy.simple_player import Hand, hand_without, quick_choice
from firmware_host.strategy.two_player_search import NO_LIMITS, START, PointLimits
from firmware_host.strategy.view import PlayerView, RandomSource

MOST_CARDS = 5
"""The most cards that `quick_choice` knows of the next player."""

Hands = tuple[Hand, ...]
"""The ranks that each seat holds, by seat."""


def imagined_deals(view: PlayerView, play: Play, deals: int, random: RandomSource) -> list[Hands]:
    """So many deals of the unseen cards to the other seats, as far as they fit what was played and passed."""
    seen = set(view.seen)
    unseen = [card for card in PACK if card not in seen]
    highest = _highest_pips(view)
    found = list[Hands]()
    for _ in range(deals):
        pack = random.sample(unseen, len(unseen))
        hands = list[Hand]()
        for seat in view.rules.seats:
            if seat == view.seat:
                hands.append(tuple(sorted(RANK_OF[card] for card in view.hand)))
            else:
                hands.append(_imagined_hand(view, play, seat, pack, highest[seat]))
        found.append(tuple(hands))
    return found


def _highest_pips(view: PlayerView) -> dict[Seat, int]:
    """For each seat the pips that none of its cards can have or go below: above them a go was true."""
    fits = dict.fromkeys(view.rules.seats, 0)
    play = Play.begin(view.rules, view.leader, [view.rules.hand_size] * view.rules.players)
    for seat, card in view.acts:
        if card is None:
            fits[seat] = max(fits[seat], FULL - play.count)
            play = play.follow_go()
        else:
            play = play.follow(card)
    return fits


def _imagined_hand(view: PlayerView, play: Play, seat: Seat, pack: list[Card], fitted: int) -> Hand:
    """Takes the cards of one seat from the pack: those that it holds, and one that it discarded."""
    rules = view.rules
    left = play.left[seat]
    gone = rules.cards_discarded(seat, view.dealer)
    held = list[int]()
    passed_over = list[Card]()
    while len(held) < left and pack:
        card = pack.pop()
        if PIPS[RANK_OF[card]] > fitted:
            held.append(RANK_OF[card])
        else:
            passed_over.append(card)
    pack += passed_over
    while len(held) < left and pack:  # nothing fits, as after a false go: any card will do
        held.append(RANK_OF[pack.pop()])
    if gone == 1 and pack and held:
        extra = RANK_OF[pack.pop(0)]
        played = [RANK_OF[card] for card in view.played_by(seat)]
        dealt = tuple(sorted((*played, *held, extra)))
        own_crib = not rules.are_opponents(seat, view.owner)
        discard = _discard_of_one(own_crib).get(dealt, (extra,))[0]
        if discard != extra and discard in held and PIPS[extra] > fitted:
            held[held.index(discard)] = extra
    return tuple(sorted(held))


@cache
def _discard_of_one(own_crib: bool) -> dict[Ranks, Ranks]:
    return chosen_discards(Kind(5, 1, own_crib))


class Table:
    """A play that is played out by ranks alone; the same rules as `cribbage/play.py`."""

    def __init__(self, rules: RuleSet, play: Play, hands: Hands, limits: Sequence[PointLimits] = ()) -> None:
        """`limits`: by side; none: all points count."""
        assert play.turn is not None
        self._rules = rules
        self._hands = list(hands)
        self._turn: int = play.turn
        self._node: Node = node_after([RANK_OF[card] for card in play.cards])
        self._passed = set(play.passed)
        self._last = play.last_player
        self._go_was_last = play.go_was_last
        self._was_paid = play.go_was_paid
        self._is_over = False
        self._limits = limits or (NO_LIMITS,) * len(rules.sides)
        self._sign = -1 if rules.lowball else 1
        self.points = [0] * rules.players

    def play_out(self, first: int) -> list[int]:
        """The points of each seat from now on, if the seat in turn plays this rank first (0: go)."""
        self._act(first)
        while not self._is_over:
            hand = self._hands[self._turn]
            self._act(quick_choice(self._node, hand, self._cards_of_next(), self._sign))
        return self.points

    def _cards_of_next(self) -> int:
        for seat in self._rules.round_after(Seat(self._turn)):
            if self._hands[seat] and seat not in self._passed:
                return min(MOST_CARDS, len(self._hands[seat])) if seat != self._turn else 0
        return 0

    def _act(self, rank: int) -> None:
        if rank:
            self._lay(rank)
        else:
            self._go()

    def _lay(self, rank: int) -> None:
        seat = self._turn
        rules = self._rules
        side = rules.side_of(Seat(seat))
        limits = self._limits[side]
        before = self._points_of(side)
        self.points[seat] += self._node.points[rank] * (before <= limits.cards)
        count = self._node.count + PIPS[rank]
        self._hands[seat] = hand_without(self._hands[seat], rank)
        self._last = Seat(seat)
        pays = rules.go_points is GoPoints.PER_CARD_AFTER_GO and count < FULL
        if pays and any(rules.are_opponents(Seat(seat), other) for other in self._passed):
            self.points[seat] += before <= limits.go
            self._was_paid = True
        if count == FULL:
            self._close(is_full=True)
            return
        self._node = self._node.after(rank)
        self._go_was_last = False
        self._pass_turn()

    def _go(self) -> None:
        seat = Seat(self._turn)
        rules = self._rules
        if rules.go_points is GoPoints.PER_PASS:
            paid = {rules.side_of(seat)}
            for other in rules.round_from(seat):
                if (side := rules.side_of(other)) not in paid:
                    paid.add(side)
                    self._score_go(other)
        stops = self._go_was_last and rules.go_three_plus is GoThreePlus.STOP
        self._passed.add(seat)
        self._go_was_last = True
        if stops:
            self._close(is_full=False)
        else:
            self._pass_turn()

    def _points_of(self, side: Side) -> int:
        return sum(self.points[seat] for seat in self._rules.sides[side])

    def _score_go(self, seat: Seat) -> None:
        side = self._rules.side_of(seat)
        self.points[seat] += self._points_of(side) <= self._limits[side].go

    def _pass_turn(self) -> None:
        for seat in self._rules.round_after(Seat(self._turn)):
            if self._hands[seat] and seat not in self._passed:
                self._turn = seat
                return
        self._close(is_full=False)

    def _close(self, *, is_full: bool) -> None:
        assert self._last is not None
        if not is_full and not self._was_paid:
            self._score_go(self._last)
        self._node = START
        self._passed = set()
        self._go_was_last = self._was_paid = False
        if self._rules.play_extent is PlayExtent.ALL_CARDS:
            for seat in self._rules.round_after(self._last):
                if self._hands[seat]:
                    self._turn = seat
                    return
        self._is_over = True


def lead_of(points: Sequence[int], rules: RuleSet, seat: Seat) -> float:
    """The points of the seat's side less the mean of the other sides."""
    side = rules.side_of(seat)
    own = sum(points[each] for each in rules.sides[side])
    return own - (sum(points) - own) / (len(rules.sides) - 1)
