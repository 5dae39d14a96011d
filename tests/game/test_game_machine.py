"""Commands in any order, legal and random, and random peg moves: invariants that hold at every step."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from firmware_host.cribbage.cards import PACK, RANKS
from firmware_host.cribbage.options import MugginsMode, PegPolicy, Renege
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import RuleSet, Seat, Side
from firmware_host.game import commands as c
from firmware_host.game.disclosure import shown_owed
from firmware_host.game.events import Breach
from firmware_host.game.history import History
from firmware_host.game.side import Mover
from firmware_host.game.state import Phase, Table
from firmware_host.storage.event_codec import decode, encode
from tests.conftest import EXAMPLES
from tests.game.random_player import GAMES, RandomPlayer

CARD = st.sampled_from((*PACK, *RANKS))
CARDS = st.lists(CARD, max_size=6).map(tuple)
SEAT = st.integers(-1, 6).map(Seat)
POINTS = st.integers(-2, 130)
ANY_COMMAND: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.ChooseDealer, SEAT),
    st.builds(c.DealHand, SEAT, CARDS),
    st.builds(c.DiscardCards, SEAT, CARDS),
    st.builds(c.FillCrib, CARDS),
    st.builds(c.Bid, st.none() | POINTS, st.none() | SEAT),
    st.builds(c.Misdeal),
    st.builds(c.CutStarter, CARD),
    st.builds(c.PlayCard, CARD, st.none() | SEAT, st.booleans()),
    st.builds(c.SayGo, st.none() | SEAT),
    st.builds(c.EndPlay),
    st.builds(c.CountHand, st.none() | CARDS, st.none() | SEAT, st.none() | st.booleans()),
    st.builds(c.SkipHand),
    st.builds(c.NextDeal),
    st.builds(c.EnterPoints, SEAT, POINTS),
    st.builds(c.ClaimMuggins, SEAT, POINTS),
    st.builds(c.AcceptPegs),
    st.builds(c.CorrectScore, SEAT, POINTS, st.text(max_size=5)),
)


class AnyTable(RuleBasedStateMachine):
    """`replayed` is the same game, folded from its events after they went through the journal's text."""

    @initialize(
        rules=st.sampled_from(list(GAMES.values())),
        mover=st.sampled_from(Mover),
        seed=st.integers(0, 999),
        muggins_mode=st.sampled_from(MugginsMode),
        peg_policy=st.sampled_from(PegPolicy),
        short_by=st.integers(1, 30) | st.none(),
    )
    def begin(
        self,
        rules: RuleSet,
        mover: Mover,
        seed: int,
        muggins_mode: MugginsMode,
        peg_policy: PegPolicy,
        short_by: int | None,
    ) -> None:
        """`short_by`: points that each side needs to go out; None: a game from the start."""
        self.player, self.history, self.replayed = RandomPlayer(seed, care=0.8), History(), History()
        rules = replace(rules, muggins_mode=muggins_mode, peg_policy=peg_policy, renege=Renege.ACC)
        targets = [rules.target_of(Side(side)) for side in range(len(rules.sides))]
        scores = tuple(target - short_by for target in targets) if short_by else None
        self.do(self.player.begin(rules, mover, scores))

    @property
    def table(self) -> Table:
        assert self.history.table
        return self.history.table

    def do(self, command: c.Command | c.Observation) -> None:
        decided = self.history.decide(command)
        self.history = self.history.after(decided)
        self.replayed = self.replayed.replay(tuple(decode(*encode(event)) for event in decided.events))

    def try_command(self, command: c.Command) -> None:
        """Raises nothing but refusals. A refusal changes nothing, or the two histories would differ."""
        try:
            self.do(command)
        except Refusal as refused:
            assert refused.expected and str(refused)

    @rule()
    def play_on(self) -> None:
        """As in a legal game. After random commands the player may find no move."""
        command: c.Command = c.NextDeal()
        with suppress(AssertionError, IndexError, ValueError):
            command = self.player.next_command(self.table)
        self.try_command(command)

    @rule(command=ANY_COMMAND)
    def send_any_command(self, command: c.Command) -> None:
        self.try_command(command)

    @rule(side=st.integers(0, 3), points=st.integers(1, 31), is_leap=st.booleans())
    def move_a_peg(self, side: int, points: int, is_leap: bool) -> None:
        """Observations are never refused."""
        if side < len(self.table.sides):
            pegs = self.table.sides[side].pegs
            score = min(pegs.front + points, self.table.sides[side].target)
            if is_leap and score > pegs.front:
                self.do(c.PegsMoved(side, pegs.leapt_to(score), is_leap=True))
            else:
                self.do(c.PegsMoved(side, pegs.slid_to(max(0, pegs.front - points)), is_leap=False))

    @rule(side=st.integers(0, 1), breach=st.sampled_from(Breach))
    def rule_a_breach(self, side: int, breach: Breach) -> None:
        self.try_command(c.RuleBreach(side, breach, 1 - side))

    @rule(command=st.sampled_from((c.Undo(), c.Redo())))
    def undo_or_redo(self, command: c.Command) -> None:
        self.try_command(command)

    @precondition(lambda self: self.history.can_undo)
    @rule()
    def undo_and_redo_change_nothing(self) -> None:
        before = self.table
        self.do(c.Undo())
        self.do(c.Redo())
        assert self.table == before

    @invariant()
    def replayed_events_give_the_same_history(self) -> None:
        assert self.replayed == self.history

    @invariant()
    def pegs_and_count_are_in_range(self) -> None:
        table = self.table
        for side, pegs in enumerate(table.pegs):
            assert 0 <= pegs.back <= pegs.front <= table.sides[side].target
            assert pegs.back < pegs.front or pegs.front == 0
        if table.deal and table.deal.play:
            assert 0 <= table.deal.play.count <= 31
        assert (table.phase is Phase.OVER) == (table.winner is not None)

    @invariant()
    def dues_are_part_of_what_is_owed(self) -> None:
        """The rest are holes lost backwards, of earlier deals."""
        table = self.table
        for side, owed in enumerate(table.owed):
            assert table.sides[side].surplus >= 0 and table.sides[side].rightful <= table.sides[side].target
            assert sum(due.left for due in table.sides[side].outstanding) <= max(0, owed)
            assert table.sides[side].reported_excess >= 0 and 0 <= table.sides[side].excess <= max(0, -owed)
            assert min(0, owed) <= shown_owed(table, side) <= max(0, owed)

    @invariant()
    def dues_make_up_what_was_earned_and_not_scored(self) -> None:
        table = self.table
        for side in table.sides:
            assert side.score + sum(due.left for due in side.dues) == max(0, side.rightful) + side.surplus


TestAnyTable = AnyTable.TestCase
TestAnyTable.settings = settings(
    max_examples=EXAMPLES, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
