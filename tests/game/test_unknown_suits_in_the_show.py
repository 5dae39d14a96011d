"""Counts of hands whose suits are not all known: at least so many points, on every way to a count."""

from __future__ import annotations

import json

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game import commands as c
from firmware_host.game.events import HandCounted
from firmware_host.game.history import History
from firmware_host.game.record import Referee
from firmware_host.game.rule_errors import DealIsOver
from firmware_host.game.state import Table
from firmware_host.storage.event_codec import decode, encode
from tests.referee.notation import header, read_line

START = c.StartGame(VARIANTS["six_card"], ("Ann", "Ben"), dealer=Seat(0))


def after(*commands: c.Command) -> History:
    history = History()
    for command in (START, *commands):
        history = history.after(history.decide(command))
    return history


def table_of(history: History) -> Table:
    assert history.table is not None
    return history.table


def count_of(command: c.CountHand, starter: str = "5H") -> HandCounted:
    cut = c.CutStarter(parse_card(starter, rank_only=True))
    found = table_of(after(cut, c.EndPlay(), command)).last_count
    assert found is not None
    return found


def hand(cards: str, *, suits_were_asked: bool = False) -> c.CountHand:
    return c.CountHand(parse_cards(cards, rank_only=True), suits_were_asked=suits_were_asked)


@pytest.mark.parametrize(
    ("cards", "starter", "points", "is_minimum"),
    [
        ("J 5 T Q", "5H", 17, True),
        ("JH 5 T Q", "5H", 18, False),
        ("JC 5 T QS", "5H", 17, False),
        ("2 6 8 K", "5H", 4, True),
        ("2 2 8 K", "5H", 8, False),
        ("J 5 5 Q", "5", 20, True),
    ],
)
def test_a_count_is_a_minimum_where_a_suit_could_matter(
    cards: str, starter: str, points: int, is_minimum: bool
) -> None:
    counted = count_of(hand(cards), starter)
    assert (counted.points, counted.is_minimum) == (points, is_minimum)


def test_a_count_is_no_minimum_once_the_suits_were_asked_for() -> None:
    assert not count_of(hand("J 5 T Q", suits_were_asked=True)).is_minimum
    assert count_of(hand("J 5 T Q", suits_were_asked=True), "5").is_minimum, "nobody knows the suit of the starter"


PLAY = (*("J", "K", "5", "6"), *("T", "K", "Q", "A"))
"""Two series to 31. Ben leads, and plays J 5 10 Q."""


def test_a_hand_known_by_rank_from_the_play_is_counted_as_a_minimum() -> None:
    plays = (c.PlayCard(parse_card(rank, rank_only=True)) for rank in PLAY)
    last = table_of(after(c.CutStarter(parse_card("5H")), *plays, c.CountHand())).last_count
    assert last and (last.seat, last.points, last.is_minimum) == (1, 17, True)


def test_a_record_says_that_a_count_is_a_minimum() -> None:
    referee = Referee()
    read_line(referee, header(dealer=0))
    read_line(referee, {"starter": "5H"})
    answers = [read_line(referee, {"play": [1 - turn % 2, rank]}) for turn, rank in enumerate(PLAY)]
    bens, anns = answers[-1]["counted"]
    assert (bens["seat"], bens["points"], bens["at_least"]) == (1, 17, True)
    assert (anns["seat"], anns["at_least"]) == (0, False), "a pair of kings is no flush, and there is no jack"


def test_a_journal_without_is_minimum_decodes_as_an_exact_count() -> None:
    kind, _, body = encode(HandCounted(Seat(0), False, parse_cards("5H 5S JC 4S"), parse_card("JD"), 10))
    older = {name: value for name, value in json.loads(body).items() if name != "is_minimum"}
    event = decode(kind, 1, json.dumps(older))
    assert isinstance(event, HandCounted) and event.is_minimum is False


def test_is_minimum_survives_the_journal() -> None:
    event = HandCounted(Seat(0), False, parse_cards("5 T J Q", rank_only=True), parse_card("5H"), 17, is_minimum=True)
    assert decode(*encode(event)) == event


def test_next_deal_ends_only_the_deal_that_it_names() -> None:
    second = after(c.NextDeal(1))
    deal = table_of(second).deal
    assert deal and deal.number == 2
    with pytest.raises(DealIsOver, match="deal 2"):
        second.decide(c.NextDeal(1))
    assert second.decide(c.NextDeal(2)).events
