"""Collects the events of one command, applying each before the next decision.

The game ends at once, in any phase: after every step that scores, the target is tested, and nothing later counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from firmware_host.cribbage.last_holes import Withheld, withheld_by
from firmware_host.cribbage.rules import Seat, Side
from firmware_host.cribbage.score import Score
from firmware_host.game import events as e
from firmware_host.game.evidence import ENTERED, Evidence
from firmware_host.game.evolve import begin, evolve
from firmware_host.game.side import Mover
from firmware_host.game.state import Table


class Decided(NamedTuple):
    """What a command leads to: its events, and the table after them. Without events nothing changes."""

    events: tuple[e.Event, ...]
    table: Table


class Decision:
    """Collects the events of one command, applying each before the next decision."""

    def __init__(self, table: Table | None, evidence: Evidence = ENTERED) -> None:
        self.table = cast(Table, table)
        """The table after the events so far. None only before the first event of a new game, when nobody reads it."""
        self.evidence = evidence
        self.events: list[e.Event] = []

    def result(self) -> Decided:
        """The events so far, and the table after them."""
        return Decided(tuple(self.events), self.table)

    def apply(self, event: e.Event) -> None:
        """Add the event, and apply it to the table."""
        self.table = begin(event) if isinstance(event, e.GameStarted) else evolve(event, self.table)
        self.events.append(event)

    @property
    def is_going_out(self) -> bool:
        """Whether a side has the points for the game hole: nothing later counts."""
        return self.table.is_decided

    def score(self, seat: Seat, source: e.Source, scores: Iterable[Score]) -> None:
        """One step of scoring. Nothing happens without scores that count, or once a side is going out."""
        table = self.table
        if table.is_decided:
            return
        side = table.rules.side_of(seat)
        by_rule = scores_by_rule(table, side, source, scores)
        for rule, withheld in by_rule.items():
            if rule is not None:
                self.apply(e.PointsWithheld(side, seat, withheld, rule))
        if counted := by_rule.get(None):
            self.apply(e.PointsDue(side, seat, source, counted))
            if table.mover(side) is Mover.TABLE:
                self.move_due_points(side)
            self.find_winner()

    def award(self, event: e.MugginsTaken | e.PenaltyGiven | e.PegsSetBack | e.CribSold, side: int) -> None:
        """Points given to or taken from `side` by a rule, not by cards. Without pegs on the board they move at once."""
        before = self.table.sides[side].earned
        self.apply(event)
        change = max(0, self.table.sides[side].earned) - max(0, before)
        if self.table.mover(side) is not Mover.HAND:
            pegs = self.table.sides[side].pegs
            score = min(pegs.front + change, self.table.sides[side].target)
            if score > pegs.front:
                self.apply(e.PegLeapt(side, pegs.leapt_to(score), stands=False))
            elif score < pegs.front:
                self.apply(e.PegAdjusted(side, pegs.slid_to(score), stands=False))
        self.find_winner()

    def move_due_points(self, side: int) -> None:
        """Move the pegs of a side that has none on the board."""
        pegs = self.table.sides[side].pegs
        right = self.table.sides[side].rightful
        if right > pegs.front:
            self.apply(e.PegLeapt(side, pegs.leapt_to(right), stands=False))

    def find_winner(self) -> None:
        """Ends the game once a front peg is in the game hole: that side wins, or the `lowball_winner`."""
        table = self.table
        if table.going_out is None or table.winner is not None:
            return
        in_game_hole = (side for side, owed in enumerate(table.owed) if not owed and table.sides[side].is_going_out)
        side = next(in_game_hole, None)
        if side is None:
            return
        self.apply(e.GameWon(lowball_winner(table, side) if table.rules.lowball else side))


def scores_by_rule(
    table: Table, side: Side, source: e.Source, scores: Iterable[Score]
) -> dict[Withheld | None, tuple[Score, ...]]:
    """The scores of one step by the rule that withholds them; None: they count."""
    by_rule = dict[Withheld | None, tuple[Score, ...]]()
    earned = table.sides[side].rightful
    for score in scores:
        is_before_show = source in (e.Source.HEELS, e.Source.PLAY)
        rule = withheld_by(table.rules, side, earned, score.kind) if is_before_show else None
        by_rule[rule] = (*by_rule.get(rule, ()), score)
    return by_rule


def lowball_winner(table: Table, loser: int) -> int:
    """The side that earned least, pegged or not: who forgets to peg would win otherwise. Of level sides it is the one
    whose next count in a show comes last: whoever counts first would be the first to go on."""
    earned = {side: state.goal_hole for side, state in enumerate(table.sides) if side != loser}
    level = [side for side, points in earned.items() if points == min(earned.values())]
    if len(level) == 1 or table.deal is None:
        return level[0]
    deal = table.deal
    rules = table.rules
    to_count = rules.show_order(deal.dealer, deal.owner)[deal.counted :]
    after_it = rules.show_order(rules.next_dealer(deal.dealer))
    order = [rules.side_of(showing.seat) for showing in (*to_count, *after_it)]
    return max(level, key=lambda side: order.index(Side(side)))
