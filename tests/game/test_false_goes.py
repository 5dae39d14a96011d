"""False goes of hands that nobody has entered, against what a referee would see who looks into all hands.

Such a go is found when a card that fitted is played later, or shown. This referee keeps each go with its count, and
fines every card that comes to light afterwards and fitted then. Where gos are free once an opponent has gone, it keeps
only those before.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec import Struct

from firmware_host.cribbage.cards import PACK, Card, card_of
from firmware_host.cribbage.options import MustPlay
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decide import decide
from firmware_host.game.state import Phase, Table

VARIANTS = (
    "six_card",
    "five_card",
    "seven_card",
    "three_hand",
    "four_partners",
    "four_single",
    "five_hand",
    "six_hand",
)
ALL_CARDS_FIT = 21


class FalseGoes(Struct):
    """A deal of hands that only the test sees, and the fines that each side should get for it."""

    rules: RuleSet
    random: Random
    table: Table
    hands: list[list[Card]]
    """What each seat has left to play."""
    gos: list[tuple[Seat, int]]
    """The gos that had to be true, with their counts."""
    gone: set[tuple[int, Seat]]
    """The number of the series, and a seat that said go in it."""
    due: Counter[int]
    given: Counter[int]

    def run(self, command: c.Command) -> None:
        decided = decide(self.table, command)
        self.table = decided.table
        for event in decided.events:
            if isinstance(event, e.PenaltyGiven):
                self.given[event.side] += event.points

    def come_to_light(self, seat: Seat, card: Card) -> None:
        """Two points for each go of the seat that the card proves false."""
        for caller, count in self.gos:
            if caller == seat and fits(card, count):
                self.due[self.opponent_of(seat)] += 2

    def opponent_of(self, seat: Seat) -> int:
        """The side of the first seat on the left that is no partner."""
        own = self.rules.side_of(seat)
        on_the_left = [Seat((seat + step) % self.rules.players) for step in range(1, self.rules.players)]
        return next(self.rules.side_of(other) for other in on_the_left if self.rules.side_of(other) != own)

    def play(self) -> None:
        """Every card is played, or kept back by a go that is false half of the time."""
        while self.table.phase is Phase.PLAY and self.table.deal and self.table.deal.play:
            play = self.table.deal.play
            assert play.turn is not None
            seat = play.turn
            fitting = [card for card in self.hands[seat] if fits(card, play.count)]
            if not fitting or (play.count > ALL_CARDS_FIT and self.random.random() < 0.5):
                series = len(play.closed)
                self.run(c.SayGo(seat))
                if not self.is_free(seat, series):
                    self.gos.append((seat, play.count))
                self.gone.add((series, seat))
            else:
                card = self.random.choice(fitting)
                self.hands[seat].remove(card)
                self.run(c.PlayCard(self.entered(card), seat))
                self.come_to_light(seat, card)

    def is_free(self, seat: Seat, series: int) -> bool:
        """Whether the rules let the seat go, whatever it holds."""
        own = self.rules.side_of(seat)
        is_free_after_go = self.rules.must_play is MustPlay.AFTER_GO_OPTIONAL
        return is_free_after_go and any(
            number == series and self.rules.side_of(other) != own for number, other in self.gone
        )

    def show(self, full: list[list[Card]]) -> None:
        """Every hand is counted; what was not played comes to light only now."""
        while showing := self.table.to_count:
            if showing.is_crib:
                self.run(c.SkipHand())
                continue
            self.run(c.CountHand(tuple(self.entered(card) for card in full[showing.seat]), showing.seat))
            for card in self.hands[showing.seat]:
                self.come_to_light(showing.seat, card)

    def entered(self, card: Card) -> Card:
        """The card, sometimes as its rank alone."""
        return card if self.random.random() < 0.7 else card_of(card.rank)


def fits(card: Card, count: int) -> bool:
    pips = min(10, "A23456789TJQK".index(card.letter) + 1)
    return count + pips <= 31


def dealt(variant: str, must_play: MustPlay, seed: int) -> tuple[FalseGoes, list[list[Card]]]:
    """A deal before its first card, and its hands."""
    random = Random(seed)
    rules = rules_for(variant, {"renege": "acc", "must_play": must_play.value, "target": 181})
    start = decide(None, c.StartGame(rules, tuple("ABCDEF"[: rules.players]), dealer=Seat(0))).table
    pack = random.sample(PACK, len(PACK))
    hands = [[pack.pop() for _ in range(rules.hand_size)] for _ in range(rules.players)]
    game = FalseGoes(rules, random, start, [list(hand) for hand in hands], [], set(), Counter(), Counter())
    game.run(c.CutStarter(pack.pop()))
    return game, hands


@pytest.mark.parametrize("must_play", MustPlay)
@pytest.mark.parametrize("variant", VARIANTS)
def test_each_card_held_back_is_fined_once_a_go(variant: str, must_play: MustPlay) -> None:
    fines = 0
    for seed in range(12):
        game, hands = dealt(variant, must_play, seed)
        game.play()
        game.show(hands)
        assert game.given == game.due, f"seed {seed}"
        fines += game.due.total()
    assert fines
