"""A person who plays against the program: sends commands, and moves the pegs of one side on a simulated board."""

from __future__ import annotations

from random import Random

from board_drivers.simulated import SimulatedBoard
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import RuleSet
from firmware_host.game import commands as c
from firmware_host.game.auction import next_bidder
from firmware_host.game.state import Phase, Table
from firmware_host.opponent.player import Opponent
from tests.simulation.stepped_host import SteppedHost


class Person:
    """Plays every seat that the program does not, with the first cards that fit."""

    def __init__(self, host: SteppedHost, rules: RuleSet, levels: tuple[Level | None, ...], seed: int = 1) -> None:
        self.host = host
        names = tuple(f"P{seat}" for seat in rules.seats)
        packs = Random(seed)
        host._parts.game._dealer._shuffled_pack = lambda: tuple(packs.sample(PACK, len(PACK)))
        host.submit(c.StartGame(rules, names, host.plan.id, is_dealt=True, levels=levels))
        self.opponent = Opponent(host, Random(seed), wait=host.pass_time, clock=lambda: host.now_s)

    @property
    def table(self) -> Table:
        table = self.host.snapshot.table
        assert table is not None
        return table

    def play(self, most_acts: int = 5000) -> None:
        """Plays to the end of the game."""
        for _ in range(most_acts):
            self.opponent.act(self.host.snapshot)
            self.host.pass_time(0.1)
            if self.table.winner is not None:
                return
            self.act()
        raise AssertionError(f"nobody won: {self.table.phase} {self.table.scores} {self.host.snapshot.prompt}")

    def act(self) -> None:
        """Does what is the person's to do, if anything is."""
        table = self.table
        for side in range(len(table.sides)):
            is_own = any(seat not in table.opponents for seat in table.rules.sides[side])
            if is_own and table.owed[side] and table.is_moved_by_hand(side):
                self.peg(side)
        table = self.table
        if any(table.owed):
            return  # the program pegs first
        if table.winner is None and (command := self.next_command(table)):
            self.host.submit(command)

    def next_command(self, table: Table) -> c.Command | None:
        """The first command of a seat of people that makes sense now."""
        deal = table.deal
        people = [seat for seat in table.rules.seats if seat not in table.opponents]
        if table.can_deal:
            return c.DealPack()
        if table.phase is Phase.DEAL and deal:
            for seat in people:
                if deal.dealt[seat] and not deal.kept[seat]:
                    number = table.rules.cards_discarded(seat, deal.dealer)
                    return c.DiscardCards(seat, deal.dealt[seat][:number])
            if table.can_turn_starter and table.rules.pone(deal.dealer) in people:
                return c.TurnStarter()
        if table.phase is Phase.BID and deal and (seat := next_bidder(table, deal)) in people:
            return c.Bid(None, seat)
        if table.phase is Phase.PLAY and table.to_play in people and deal and deal.play and table.to_play is not None:
            fits = [card for card in deal.in_hand(table.to_play) if card.pips + deal.play.count <= 31]
            return c.PlayCard(fits[0], table.to_play) if fits else c.SayGo(table.to_play)
        if table.to_count and table.to_count.seat in people:
            return c.CountHand()
        return c.NextDeal() if table.phase is Phase.GATHER else None

    def peg(self, side: int, points: int | None = None) -> None:
        """Moves the pegs of the side to where they belong, or by so many points."""
        state = self.table.sides[side]
        goal = state.goal if points is None else state.pegs.leapt_to(state.pegs.front + points)
        course = self.host.plan.course(self.table.rules.target)
        before = set(course.holes_of(state.pegs))
        after = set(course.holes_of(goal))
        board = self.host.board
        assert isinstance(board, SimulatedBoard)
        for hole in before - after:
            board.lift_peg(self.host.plan.at(side, hole).sensor)
        self.host.pass_time(0.2)
        for hole in after - before:
            board.place_peg(self.host.plan.at(side, hole).sensor)
        self.host.pass_time(1.0)
