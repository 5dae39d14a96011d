"""A player that makes random legal moves: whole games from a seed, with every card entered."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.options import AuctionDebt
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.series import playable_cards
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.game import commands as c
from firmware_host.game.auction import highest_bid, next_bidder
from firmware_host.game.deal import Deal
from firmware_host.game.history import History
from firmware_host.game.side import Mover
from firmware_host.game.state import Phase, Table

_GAMES: tuple[tuple[str, dict[str, object]], ...] = (
    *((variant, {}) for variant in VARIANTS),
    ("six_card", {"target": 61, "lowball": True}),
    ("six_card", {"play_extent": "one_series", "play_flush": "three_up"}),
    ("six_card", {"must_play": "after_go_optional"}),
    ("five_card", {"three_for_last": "every_deal"}),
    ("auction", {"players": 3, "auction_debt": "debt"}),
    ("auction", {"players": 4, "sides": "two_sides", "auction_heels": "owner"}),
    ("auction", {"auction_when": "after_starter", "auction_heels": "owner"}),
    ("three_hand", {"captain": True}),
    ("three_hand", {"go_points": "per_pass", "go_three_plus": "stop"}),
    ("four_single", {"go_points": "per_card_after_go", "crib_flush": "four_ok"}),
    ("six_hand", {"sides": "two_sides", "direction": "counterclockwise"}),
    ("six_hand", {"sides": "three_sides"}),
)
GAMES = {
    " ".join((variant, *(f"{name}={value}" for name, value in options.items()))): rules_for(variant, options)
    for variant, options in _GAMES
}
"""Every variant, and every option that changes the course of a game."""
_EVERYDAY = ("six_card", "five_card", "auction players=3 auction_debt=debt", "six_hand sides=three_sides")
GAME_NAMES = [pytest.param(name, marks=() if name in _EVERYDAY else pytest.mark.slow) for name in GAMES]
"""Their names as parameters of tests that are slow with all of them."""


class RandomPlayer:
    """Plays all seats of one game. `care` is the probability that due points are pegged in full."""

    def __init__(self, seed: int, care: float = 1.0) -> None:
        self._random, self._pack, self._care = Random(seed), list[Card](), care

    def begin(self, rules: RuleSet, mover: Mover = Mover.TABLE, scores: tuple[int, ...] | None = None) -> c.StartGame:
        names = tuple(f"P{seat}" for seat in rules.seats)
        by_hand = len(rules.sides) if mover is Mover.HAND else 0
        dealer = Seat(self._random.randrange(rules.players))
        return c.StartGame(
            rules, names, sides_on_board=by_hand, points_are_entered=mover is Mover.ENTRY, dealer=dealer, scores=scores
        )

    def use_pack(self, pack: list[Card]) -> None:
        """Continue with this rest of a pack, whose hands were dealt elsewhere."""
        self._pack = pack

    def next_command(self, table: Table) -> c.Command:
        """A random legal command for this state of the game."""
        assert table.deal is not None
        owing = [side for side, owed in enumerate(table.owed) if owed > 0]
        if owing and table.mover(owing[0]) is Mover.ENTRY:
            return self._peg(table, self._random.choice(owing))
        match table.phase:
            case Phase.DEAL if table.deal.starter is None:
                return self._before_starter(table, table.deal)
            case Phase.BID:
                return self._bid(table, table.deal)
            case Phase.PLAY:
                return self._play(table, table.deal)
            case Phase.SHOW:
                return c.CountHand()
            case _:
                return c.NextDeal(table.deal.number)

    def _before_starter(self, table: Table, deal: Deal) -> c.Command:
        rules = table.rules
        if not any(deal.dealt):
            self._pack = self._random.sample(PACK, len(PACK))
        for seat in rules.seats:
            if not deal.dealt[seat]:
                return c.DealHand(seat, self._take(rules.cards_dealt(seat, deal.dealer)))
        if len(deal.stock) < rules.from_stock:
            return c.FillCrib(self._take(rules.from_stock))
        for seat in rules.seats:
            if not deal.kept[seat]:
                number = rules.cards_discarded(seat, deal.dealer)
                return c.DiscardCards(seat, tuple(self._random.sample(deal.dealt[seat], number)))
        return c.CutStarter(self._take(1)[0])

    def _bid(self, table: Table, deal: Deal) -> c.Command:
        seat = next_bidder(table, deal)
        best = highest_bid(deal)
        least = best[1] + 1 if best else 1
        most = table.scores[table.rules.side_of(seat)]
        if table.rules.auction_debt is AuctionDebt.DEBT:
            most = 12
        if least > most or self._random.random() < 0.5:
            return c.Bid(None, seat)
        return c.Bid(self._random.randint(least, min(most, least + 2)), seat)

    def _play(self, table: Table, deal: Deal) -> c.Command:
        assert deal.play is not None and table.to_play is not None
        held = deal.in_hand(table.to_play)
        cards = playable_cards(held, deal.play.count)
        if deal.play.may_go(held) and self._random.random() < 0.3:
            return c.SayGo(table.to_play)
        return c.PlayCard(self._random.choice(cards), table.to_play)

    def _peg(self, table: Table, side: int) -> c.Command:
        owed = table.sides[side].owed
        points = owed if self._random.random() < self._care else self._random.randrange(owed)
        return c.EnterPoints(side, points)

    def _take(self, number: int) -> tuple[Card, ...]:
        return tuple(self._pack.pop() for _ in range(number))


def play_game(rules: RuleSet, seed: int) -> Iterator[History]:
    """Every state of a game without pegs on the board."""
    player, history = RandomPlayer(seed), History()
    command: c.Command = player.begin(rules)
    while True:
        history = history.after(history.decide(command))
        yield history
        assert history.table is not None
        if history.table.phase is Phase.OVER:
            return
        command = player.next_command(history.table)
