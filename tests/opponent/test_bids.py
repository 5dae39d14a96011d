"""What the program bids for the crib: what that is worth with its own discard, and less where it is weaker."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from firmware_host.cribbage.cards import PACK, parse_cards, without
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.state import Phase, Table
from firmware_host.opponent.next_act import next_act
from firmware_host.strategy.engine import worth_of_crib
from firmware_host.strategy.table_view import view_of

RULES = rules_for("auction", {"players": 2})
NONCE = "0" * 64


def bidding(hand: str, discards: str, level: Level = Level.EXPERT, score: int = 60) -> History:
    """The program is the pone, who bids first, with this hand."""
    ours = parse_cards(hand)
    others = without(PACK, ours)
    dealt = [card for pair in zip(ours, others, strict=False) for card in pair]  # the pone gets the first card
    order = (*dealt, *without(PACK, dealt))
    history = History()
    levels = (None, level)
    start = c.StartGame(RULES, ("A", "B"), dealer=Seat(0), scores=(60, score), is_dealt=True, levels=levels)
    laid = (c.DiscardCards(Seat(1), parse_cards(discards)), c.DiscardCards(Seat(0), others[:2]))
    for command in (start, c.ShufflePack(order, NONCE), c.DealPack(), *laid):
        history = history.after(history.decide(command))
    assert history.table and history.table.phase is Phase.BID
    return history


def table_of(history: History) -> Table:
    assert history.table
    return history.table


def highest_bid(history: History) -> int:
    """How far the program goes if the person always bids one more."""
    bid = 0
    while True:
        act = next_act(table_of(history), Random(1))
        assert act is not None and isinstance(act.command, c.Bid)
        if act.command.points is None:
            return bid
        bid = act.command.points
        for command in (act.command, c.Bid(bid + 1, Seat(0))):
            history = history.after(history.decide(command))


FIVES = ("5H 5C 2D 7S 8S KH", "5H 5C")
WIDE = ("9H KC 2D 7S 8S 3H", "9H KC")


def test_a_good_discard_makes_the_crib_worth_more() -> None:
    rich, poor = (worth_of_crib(view_of(table_of(bidding(*cards)), Seat(1))) for cards in (FIVES, WIDE))
    assert rich > 7 and 2 < poor < 5
    assert 0 <= rich - highest_bid(bidding(*FIVES)) < 2  # the person bids every second number


def test_weaker_players_bid_less_and_nobody_more_than_the_score() -> None:
    bids = [highest_bid(bidding(*FIVES, level)) for level in Level]
    assert bids == sorted(bids) and bids[0] < bids[-1]
    assert highest_bid(bidding(*FIVES, score=2)) <= 2


def test_nobody_pays_for_points_in_lowball() -> None:
    view = view_of(table_of(bidding(*FIVES)), Seat(1))
    assert worth_of_crib(replace(view, rules=replace(view.rules, lowball=True))) == 0
