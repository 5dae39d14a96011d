"""Cards, their text, and duplicates."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.cribbage.cards import PACK, RANKS, Card, Suit, card_of, no_duplicates, parse_card, parse_cards
from firmware_host.cribbage.rule_errors import DuplicateCard, NotACard

any_card = st.sampled_from((*PACK, *RANKS))


@given(any_card)
def test_parsing_the_text_of_a_card_gives_the_card(card: Card) -> None:
    assert parse_card(str(card), rank_only=True) is card
    assert parse_card(f" {str(card).lower()} ", rank_only=True) is card
    assert f"{card}" == str(card)


@given(any_card)
def test_a_card_is_one_object_however_it_is_made(card: Card) -> None:
    assert Card(int(card)) is card
    assert card_of(card.rank, card.suit) is card
    assert copy.deepcopy(card) is card
    assert card
    assert pickle.loads(pickle.dumps(card)) is card


def test_the_pack_has_thirteen_ranks_in_four_suits() -> None:
    assert len({(card.rank, card.suit) for card in PACK}) == 52
    assert {card.suit for card in PACK} == set(Suit)
    assert [card.suit for card in RANKS] == [None] * 13
    assert sum(card.pips for card in PACK) == 4 * (sum(range(1, 11)) + 30)


def test_cards_of_the_pack_sort_by_rank() -> None:
    assert [card.rank for card in sorted(PACK)] == [rank for rank in range(1, 14) for _ in range(4)]


@pytest.mark.parametrize("text", ["10H", "10h", "TH", "th"])
def test_a_ten_may_be_written_in_two_ways(text: str) -> None:
    assert str(parse_card(text)) == "TH"


def test_a_rank_alone_is_a_card_only_where_suits_may_be_left_out() -> None:
    assert str(parse_card("10", rank_only=True)) == "T"
    assert repr(parse_card("5", rank_only=True)) == "Card('5')"
    with pytest.raises(NotACard, match="the suit too, such as 5H"):
        parse_card("5")


@pytest.mark.parametrize(
    "text", ["", " ", "5", "1H", "11H", "HH", "5X", "5HH", "5 H", "5\u017f", "\u0665H", "10TH", 5, None, ["5H"]]
)
def test_text_that_is_no_card_is_refused(text: object) -> None:
    with pytest.raises(NotACard) as refused:
        parse_card(text)
    assert refused.value.kind == "not_a_card"
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["5H 5S JC", "5h,5s,jc", " 5H,  5S ,JC ", ["5H", "5S", "JC"]])
def test_cards_are_separated_by_blanks_or_commas(text: str | list[object]) -> None:
    assert [str(card) for card in parse_cards(text)] == ["5H", "5S", "JC"]


def test_a_pack_has_no_duplicates() -> None:
    no_duplicates(PACK)
    no_duplicates([])
    no_duplicates(parse_cards("5 5 5 5", rank_only=True))


@pytest.mark.parametrize("text", ["5H 5H", "5 5 5 5 5", "5H 5S 5D 5C 5", "5H 5 5 5 5 6S"])
def test_cards_that_cannot_come_from_one_pack_are_refused(text: str) -> None:
    with pytest.raises(DuplicateCard):
        no_duplicates(parse_cards(text, rank_only=True))
