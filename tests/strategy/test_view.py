"""What a player sees: the type has no place for a hidden card, and a table gives each seat its own view."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.series import playable_cards
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.state import Phase, Table
from firmware_host.strategy.engine import Level, choose_card
from firmware_host.strategy.table_view import view_of
from firmware_host.strategy.view import PlayerView


def test_a_view_has_own_and_open_cards_only() -> None:
    fields = {field.name for field in msgspec.structs.fields(PlayerView)}
    assert fields == {
        *("rules", "seat", "dealer", "buyer", "scores"),
        *("hand", "discarded", "starter", "acts"),
    }


def hidden_from(view: PlayerView, hands: list[tuple[Card, ...]], seat: Seat) -> set[Card]:
    others = {card for other, dealt in enumerate(hands) if other != seat for card in dealt}
    return others - set(view.seen)


@pytest.mark.parametrize("variant", ["six_card", "four_partners", "five_hand"])
def test_a_table_gives_each_seat_its_own_cards_and_the_whole_play(variant: str) -> None:
    """The engine plays whole deals at the table, each seat by its view; the play of the view is that of the table."""
    rules, random = rules_for(variant), Random(variant)
    history = History()

    def do(command: c.Command) -> Table:
        nonlocal history
        history = history.after(history.decide(command))
        assert history.table
        return history.table

    dealer = Seat(1)
    do(c.StartGame(rules, tuple(f"Player {seat}" for seat in rules.seats), dealer=dealer))
    pack, hands = random.sample(PACK, 52), list[tuple[Card, ...]]()
    for seat in rules.seats:
        hands.append(tuple(pack.pop() for _ in range(rules.cards_dealt(seat, dealer))))
        table = do(c.DealHand(seat, hands[seat]))
        view = view_of(table, seat)
        assert (view.hand, view.acts, view.starter) == (hands[seat], (), None)
        gone = hands[seat][: rules.cards_discarded(seat, dealer)]
        if gone:
            table = do(c.DiscardCards(seat, gone))
            assert set(view_of(table, seat).hand) == set(hands[seat]) - set(gone)
    table = do(c.CutStarter(pack.pop()))
    while table.phase is Phase.PLAY and table.to_play is not None:
        assert table.deal and table.deal.play
        for seat in rules.seats:
            view = view_of(table, seat)
            assert view.play() == table.deal.play
            assert hidden_from(view, hands, seat).isdisjoint(view.own_cards)
        view = view_of(table, table.to_play)
        card = choose_card(view, Level.CLUB, random)
        assert card in playable_cards(view.hand, table.deal.play.count)
        table = do(c.PlayCard(card, table.to_play))
    assert table.phase is not Phase.PLAY


def unsold_crib(players: int) -> Table:
    """An auction in which everybody passed; the dealer is seat 0, and the pone has led a card."""
    rules = rules_for("auction", {"players": players})
    history = History()
    pack = list(PACK)
    hands = [tuple(pack.pop() for _ in range(rules.cards_dealt(seat, Seat(0)))) for seat in rules.seats]
    discards = [hand[: rules.cards_discarded(seat, Seat(0))] for seat, hand in zip(rules.seats, hands, strict=True)]
    commands: tuple[c.Command, ...] = (
        c.StartGame(rules, tuple(f"Player {seat}" for seat in rules.seats), dealer=Seat(0)),
        *(c.DealHand(seat, hand) for seat, hand in zip(rules.seats, hands, strict=True)),
        *(c.DiscardCards(seat, cards) for seat, cards in zip(rules.seats, discards, strict=True)),
        *(c.Bid(None) for _ in rules.seats),
        c.CutStarter(pack.pop()),
        c.PlayCard(hands[1][-1], Seat(1)),
    )
    for command in commands:
        history = history.after(history.decide(command))
    assert history.table
    return history.table


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_left_of_the_dealer_leads_where_nobody_bought_the_crib(players: int) -> None:
    table = unsold_crib(players)
    assert table.deal and table.deal.play and table.to_play is not None
    view = view_of(table, table.to_play)
    assert (view.buyer, view.owner, view.leader) == (None, 0, 1)
    assert view.play() == table.deal.play
    assert choose_card(view, Level.EXPERT, Random(1)) in view.hand


def test_a_table_between_deals_has_no_view() -> None:
    history = History()
    history = history.after(history.decide(c.StartGame(rules_for("six_card"), ("Ann", "Ben"), dealer=Seat(0))))
    table = history.table
    assert table
    if table.deal is None:
        with pytest.raises(ValueError, match="between deals"):
            view_of(table, Seat(0))
