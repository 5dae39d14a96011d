"""A card that passes 31 leads the next series: the goes before it are said in the same turn."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rule_errors import OverThirtyOne
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decide import decide
from firmware_host.game.decision import Decided
from firmware_host.game.history import History
from firmware_host.game.rule_errors import GameHoleFirst
from firmware_host.game.state import Table

ANN, BEN = Seat(0), Seat(1)
LEADING = parse_card("9S")


def table_with(cards: str, variant: str = "six_card", scores: tuple[int, ...] | None = None, **options: str) -> Table:
    """Ann deals; these cards are played, and the pegs are moved on paper."""
    rules = rules_for(variant, options)
    names = ("Ann", "Ben", "Cat", "Dan")[: rules.players]
    table = decide(None, c.StartGame(rules, names, points_are_entered=True, dealer=ANN, scores=scores)).table
    table = decide(table, c.CutStarter(parse_card("4D"))).table
    for card in parse_cards(cards):
        table = decide(table, c.PlayCard(card)).table
    return table


def lead(table: Table) -> Decided:
    return decide(table, c.PlayCard(LEADING, says_goes=True))


@pytest.mark.parametrize("variant", ["six_card", "four_partners", "three_hand"])
@pytest.mark.parametrize("cards", ["TH JH 8H", "TH 5H JH"])
def test_the_turn_is_that_of_the_goes_and_the_card(variant: str, cards: str) -> None:
    table = table_with(cards, variant)
    together = lead(table)
    assert table.deal and table.deal.play
    while table.deal.play.series:
        table = decide(table, c.SayGo()).table
        assert table.deal and table.deal.play
    apart = decide(table, c.PlayCard(LEADING)).table
    assert together.table.deal == apart.deal
    assert [type(event) for event in together.events if isinstance(event, e.GoSaid | e.PointsDue | e.CardPlayed)] == [
        *[e.GoSaid] * len(table.names),
        e.PointsDue,
        e.CardPlayed,
    ]


def test_the_point_for_the_last_card_is_not_missed_yet() -> None:
    decided = lead(table_with("TH JH 8H", muggins_mode="automatic"))
    assert not [event for event in decided.events if isinstance(event, e.PointsMissed)]
    assert decided.table.owed == (0, 1)


def test_points_from_before_the_goes_are_missed() -> None:
    table = table_with("TH JH JS", muggins_mode="automatic")  # a pair is due to Ben
    decided = lead(table)
    assert [(event.side, event.points) for event in decided.events if isinstance(event, e.PointsMissed)] == [(1, 2)]


def test_points_that_the_leading_card_forfeits_can_be_claimed_until_the_next_card() -> None:
    table = table_with("TH JH JS", muggins_mode="claim", muggins_window="next_card")  # a pair is due to Ben
    led = lead(table).table
    assert [(miss.side, miss.claimers) for miss in led.misses] == [(1, (0,))]
    answered = decide(led, c.PlayCard(parse_card("2S"))).table
    closed = decide(answered, c.PlayCard(parse_card("3S"))).table
    assert all(miss.points == 1 for miss in closed.misses)  # the last card of the series, which this card forfeits


def test_the_card_and_the_goes_are_one_turn() -> None:
    history = History()
    start = c.StartGame(rules_for("six_card"), ("Ann", "Ben"), points_are_entered=True, dealer=ANN)
    commands: list[c.Command] = [start, c.CutStarter(parse_card("4D")), *map(c.PlayCard, parse_cards("TH JH 8H"))]
    for command in commands:
        history = history.after(history.decide(command))
    before = history.table
    history = history.after(history.decide(c.PlayCard(LEADING, says_goes=True)))
    assert history.table != before
    assert history.last and history.last.before and history.last.before.table == before


def test_a_card_that_fits_is_a_card_of_this_series() -> None:
    events = decide(table_with("TH 6H"), c.PlayCard(LEADING, says_goes=True)).events
    assert [type(event) for event in events] == [e.CardPlayed]


@pytest.mark.parametrize("says_goes", [True, False])
def test_a_known_hand_says_no_false_go(says_goes: bool) -> None:
    rules = rules_for("six_card")
    commands: tuple[c.Command, ...] = (
        c.StartGame(rules, ("Ann", "Ben"), points_are_entered=True, dealer=ANN),
        c.DealHand(ANN, parse_cards("2H JH QS 3S 6D 6C")),
        c.DiscardCards(ANN, parse_cards("6D 6C")),
        c.CutStarter(parse_card("4D")),
        *map(c.PlayCard, parse_cards("TH JH 8H")),
    )
    table = None
    for command in commands:
        table = decide(table, command).table
    with pytest.raises(OverThirtyOne):
        decide(table, c.PlayCard(parse_card("QS"), says_goes=says_goes))


def test_a_last_card_that_wins_ends_the_play_before_the_next_series() -> None:
    decided = lead(table_with("TH JH 8H", scores=(0, 120)))
    assert not [event for event in decided.events if isinstance(event, e.CardPlayed)]
    with pytest.raises(GameHoleFirst):
        decide(decided.table, c.PlayCard(LEADING, says_goes=True))


def test_without_the_flag_a_card_over_31_is_refused() -> None:
    with pytest.raises(OverThirtyOne):
        decide(table_with("TH JH 8H"), c.PlayCard(LEADING))
