"""Orders in any order, legal and wild, and pegs that do what they like: what must hold at every step of it."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firmware_host.codec import decode, encode
from firmware_host.cribbage.cards import PACK, RANKS
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.state import Mover, Phase, Table
from tests.table.random_player import GAMES, RandomPlayer

CARD = st.sampled_from((*PACK, *RANKS))
CARDS = st.lists(CARD, max_size=6).map(tuple)
SEAT = st.integers(-1, 6).map(Seat)
POINTS = st.integers(-2, 130)
WILD: st.SearchStrategy[o.Order] = st.one_of(
    st.builds(o.ChooseDealer, SEAT),
    st.builds(o.DealHand, SEAT, CARDS),
    st.builds(o.LayAway, SEAT, CARDS),
    st.builds(o.FillCrib, CARDS),
    st.builds(o.Bid, st.none() | POINTS, st.none() | SEAT),
    st.builds(o.Misdeal),
    st.builds(o.CutStarter, CARD),
    st.builds(o.PlayCard, CARD, st.none() | SEAT),
    st.builds(o.SayGo, st.none() | SEAT),
    st.builds(o.EndPlay),
    st.builds(o.CountNext, st.none() | CARDS, st.none() | SEAT, st.none() | st.booleans()),
    st.builds(o.SkipCount),
    st.builds(o.GatherCards),
    st.builds(o.MovePoints, SEAT, POINTS),
    st.builds(o.ClaimMuggins, SEAT, POINTS),
    st.builds(o.LetItStand),
    st.builds(o.CorrectScore, SEAT, POINTS, st.text(max_size=5)),
)


class AnyTable(RuleBasedStateMachine):
    """`told` is the same game, folded from its events as the journal would bring them back."""

    @initialize(rules=st.sampled_from(list(GAMES.values())), mover=st.sampled_from(Mover), seed=st.integers(0, 999))
    def begin(self, rules: RuleSet, mover: Mover, seed: int) -> None:
        self.player, self.chronicle, self.told = RandomPlayer(seed, care=0.8), Chronicle(), Chronicle()
        self.do(self.player.begin(rules, mover))

    @property
    def table(self) -> Table:
        assert self.chronicle.table
        return self.chronicle.table

    def do(self, wish: o.Order | o.Observation) -> None:
        events = self.chronicle.decide(wish)
        self.chronicle = self.chronicle.after(events)
        self.told = self.told.after(tuple(decode(*encode(event)) for event in events))

    def ask(self, order: o.Order) -> None:
        """Raises nothing but refusals; and they leave everything as it is, or the fold would no longer be equal."""
        try:
            self.do(order)
        except Refusal as refused:
            assert refused.expected and str(refused)

    @rule()
    def go_on(self) -> None:
        """As in a plain game; where wild orders led out of one, the player may be at a loss."""
        order: o.Order = o.GatherCards()
        with suppress(AssertionError, IndexError, ValueError):
            order = self.player.next_order(self.table)
        self.ask(order)

    @rule(order=WILD)
    def want_anything(self, order: o.Order) -> None:
        self.ask(order)

    @rule(side=st.integers(0, 3), points=st.integers(1, 31), is_leap=st.booleans())
    def move_a_peg(self, side: int, points: int, is_leap: bool) -> None:
        """The board reports, and is never refused."""
        if side < len(self.table.pegs):
            pegs = self.table.pegs[side]
            score = min(pegs.front + points, self.table.target(side))
            if is_leap and score > pegs.front:
                self.do(o.PegsSeen(side, pegs.leapt_to(score), is_leap=True))
            else:
                self.do(o.PegsSeen(side, pegs.slid_to(max(0, pegs.front - points)), is_leap=False))

    @rule(side=st.integers(0, 1), is_foreign=st.booleans())
    def move_a_peg_oddly(self, side: int, is_foreign: bool) -> None:
        self.do(o.ForeignPegMoved(side) if is_foreign else o.FrontPegRemoved(side))

    @rule(order=st.sampled_from((o.Undo(), o.Redo())))
    def change_ones_mind(self, order: o.Order) -> None:
        self.ask(order)

    @precondition(lambda self: self.chronicle.can_undo)
    @rule()
    def undo_and_redo_change_nothing(self) -> None:
        before = self.table
        self.do(o.Undo())
        self.do(o.Redo())
        assert self.table == before

    @invariant()
    def the_fold_is_the_game(self) -> None:
        assert self.told == self.chronicle

    @invariant()
    def pegs_and_cards_are_in_order(self) -> None:
        table = self.table
        for side, pegs in enumerate(table.pegs):
            assert 0 <= pegs.back <= pegs.front <= table.target(side)
            assert pegs.back < pegs.front or pegs.front == 0
        if table.deal and table.deal.play:
            assert 0 <= table.deal.play.count <= 31
        assert (table.phase is Phase.OVER) == (table.winner is not None)


TestAnyTable = AnyTable.TestCase
TestAnyTable.settings = settings(
    max_examples=30, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
