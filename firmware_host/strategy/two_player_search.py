"""The search of the play for two players: the best cards against every hand that the opponent may hold.

The opponent is imagined as `simple_player`, who sees its own cards only. So each imagined hand answers a card in one
way, and the imagined hands that answer alike stay together: the searching player cannot tell them apart, and has to
choose one card for all of them. That is the exact best answer to this opponent. Where both players cannot go on, the
series ends, as in `cribbage/play.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from firmware_host.strategy.series_tree import FULL, PIPS, Node, node_of
from firmware_host.strategy.simple_player import Hand, hand_without, quick_player

START = node_of(0, 0, ())

Imagined = tuple[Hand, float, int]
"""A hand that the opponent may hold now, its weight, and its number for `Judge`."""

Judge = Callable[[int, int, Sequence[Imagined]], float]
"""The worth of the end of a play: own and other points of it, and the imagined hands; the sum by weight."""


class PlayRules(msgspec.Struct, frozen=True):
    """The options that matter for points of the play."""

    is_one_series: bool = False
    go_pays: bool = False
    """A go pays the other player one point (`per_pass`)."""
    cards_after_go_pay: bool = False
    """A card after the other's go pays one, and the last card then nothing (`per_card_after_go`)."""
    is_lowball: bool = False


class PointLimits(msgspec.Struct, frozen=True):
    """Up to how many points of this play a side still scores, near the game hole: for its cards, and for a go."""

    cards: int = 999
    go: int = 999


NO_LIMITS = PointLimits()


class Moment(msgspec.Struct, frozen=True):
    """What both players see at a moment of the play. `me` is the searching player."""

    node: Node
    mine: Hand
    i_passed: bool = False
    they_passed: bool = False
    last_was_mine: bool = False
    was_paid: bool = False
    """A card of this series scored for a go."""


class Search:
    """One question. `judge` values the ends, with `needs`: the points that win at once for each side. Without it an own
    point is worth the first of `weights`, and a point of the opponent takes the second."""

    def __init__(
        self,
        rules: PlayRules,
        judge: Judge | None = None,
        needs: tuple[int, int] = (999, 999),
        weights: tuple[float, float] = (1.0, 1.0),
        limits: tuple[PointLimits, PointLimits] = (NO_LIMITS, NO_LIMITS),
    ) -> None:
        self._rules = rules
        self._judge = judge
        self._my_need, self._their_need = needs
        self._my_weight, self._their_weight = weights
        mine, theirs = limits
        self._my_card_limit, self._my_go_limit = mine.cards, mine.go
        self._their_card_limit, self._their_go_limit = theirs.cards, theirs.go
        self._choose = quick_player(-1 if rules.is_lowball else 1)

    def worth_of(self, moment: Moment, rank: int, hands: Sequence[Imagined]) -> float:
        """The sum of the worth of playing this rank (0: go) over all imagined hands, by weight."""
        return self._after_mine(moment, rank, list(hands), 0, 0)

    def worth_of_reply(self, moment: Moment, hands: Sequence[Imagined]) -> float:
        """As `worth_of`, when the opponent is to play: the sum of the worth of the moment over all imagined hands."""
        m = moment
        return self._theirs(m.node, m.mine, m.i_passed, m.they_passed, m.last_was_mine, m.was_paid, list(hands), 0, 0)

    def _after_mine(self, at: Moment, rank: int, hands: list[Imagined], mine: int, theirs: int) -> float:
        node = at.node
        rules = self._rules
        if not rank:
            if rules.go_pays and theirs <= self._their_go_limit:
                theirs += 1
                if theirs >= self._their_need:
                    return 0.0
            if at.they_passed or not hands[0][0]:
                return self._closed(at.mine, at.last_was_mine, at.was_paid, hands, mine, theirs)
            return self._theirs(node, at.mine, True, False, at.last_was_mine, at.was_paid, hands, mine, theirs)
        before = mine
        if before <= self._my_card_limit:
            mine += node.points[rank]
        rest = hand_without(at.mine, rank)
        count = node.count + PIPS[rank]
        was_paid = at.was_paid
        if at.they_passed and rules.cards_after_go_pay and count < FULL:
            mine += before <= self._my_go_limit
            was_paid = True
        if mine >= self._my_need:
            return sum(hand[1] for hand in hands)
        if count == FULL:
            return self._next_series(rest, True, hands, mine, theirs)
        after = node.after(rank)
        if hands[0][0] and not at.they_passed:
            return self._theirs(after, rest, at.i_passed, False, True, was_paid, hands, mine, theirs)
        if rest and not at.i_passed:
            return self._mine(Moment(after, rest, at.i_passed, at.they_passed, True, was_paid), hands, mine, theirs)
        return self._closed(rest, True, was_paid, hands, mine, theirs)

    def _mine(self, at: Moment, hands: list[Imagined], mine: int, theirs: int) -> float:
        room = FULL - at.node.count
        best: float | None = None
        last = 0
        for rank in at.mine:
            if rank != last and PIPS[rank] <= room:
                worth = self._after_mine(at, rank, hands, mine, theirs)
                if best is None or worth > best:
                    best = worth
            last = rank
        return self._after_mine(at, 0, hands, mine, theirs) if best is None else best

    def _theirs(
        self,
        node: Node,
        own: Hand,
        i_passed: bool,
        they_passed: bool,
        last_was_mine: bool,
        was_paid: bool,
        hands: list[Imagined],
        mine: int,
        theirs: int,
    ) -> float:
        choose = self._choose
        cards = len(own)
        groups: dict[int, list[Imagined]] = {}
        for hand, weight, number in hands:
            rank, rest = choose(node, hand, cards)
            group = groups.get(rank)
            if group is None:
                groups[rank] = [(rest, weight, number)]
            else:
                group.append((rest, weight, number))
        total = 0.0
        rules = self._rules
        for rank, group in groups.items():
            points = theirs
            got = mine
            if not rank:
                if rules.go_pays and got <= self._my_go_limit:
                    got += 1
                    if got >= self._my_need:
                        total += sum(hand[1] for hand in group)
                        continue
                if own and not i_passed:
                    total += self._mine(Moment(node, own, i_passed, True, last_was_mine, was_paid), group, got, points)
                else:
                    total += self._closed(own, last_was_mine, was_paid, group, got, points)
                continue
            if theirs <= self._their_card_limit:
                points += node.points[rank]
            count = node.count + PIPS[rank]
            paid = was_paid
            if i_passed and rules.cards_after_go_pay and count < FULL:
                points += theirs <= self._their_go_limit
                paid = True
            if points >= self._their_need:
                continue
            if count == FULL:
                total += self._next_series(own, False, group, got, points)
                continue
            after = node.after(rank)
            if own and not i_passed:
                total += self._mine(Moment(after, own, i_passed, they_passed, False, paid), group, got, points)
            elif group[0][0] and not they_passed:
                total += self._theirs(after, own, i_passed, they_passed, False, paid, group, got, points)
            else:
                total += self._closed(own, False, paid, group, got, points)
        return total

    def _closed(
        self, own: Hand, last_was_mine: bool, was_paid: bool, hands: list[Imagined], mine: int, theirs: int
    ) -> float:
        """The series ends below 31."""
        if not was_paid:
            if last_was_mine:
                mine += mine <= self._my_go_limit
                if mine >= self._my_need:
                    return sum(hand[1] for hand in hands)
            else:
                theirs += theirs <= self._their_go_limit
                if theirs >= self._their_need:
                    return 0.0
        return self._next_series(own, last_was_mine, hands, mine, theirs)

    def _next_series(self, own: Hand, last_was_mine: bool, hands: list[Imagined], mine: int, theirs: int) -> float:
        they_hold = bool(hands[0][0])
        if self._rules.is_one_series or not (own or they_hold):
            if self._judge is not None:
                return self._judge(mine, theirs, hands)
            worth = mine * self._my_weight - theirs * self._their_weight
            return worth * sum(hand[1] for hand in hands)
        if (last_was_mine and they_hold) or not own:
            return self._theirs(START, own, False, False, False, False, hands, mine, theirs)
        return self._mine(Moment(START, own), hands, mine, theirs)
