"""Suits that are not known: which of them could still add points, compared with every way to fill them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest

from firmware_host.cribbage.cards import PACK, Card, Suit, card_of, parse_card, parse_cards
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet
from firmware_host.cribbage.show import Part, count_show
from firmware_host.cribbage.unknown_suits import (
    count_is_minimum,
    flush_gains,
    flush_is_open,
    nobs_could_add,
    nobs_is_open,
    starter_is_open,
    suits_for_all,
    with_jack_suit,
)
from firmware_host.cribbage.variants import VARIANTS, rules_for

SIX_CARD, FOUR_OK = VARIANTS["six_card"], rules_for("six_card", {"crib_flush": "four_ok"})


@pytest.mark.parametrize(
    ("cards", "starter", "is_crib", "is_open"),
    [
        ("2 6 8 K", "TS", False, True),
        ("2 2 8 K", "TS", False, False),
        ("2 6 8 T", "TS", False, True),
        ("2 6 8 T", "TS", True, False),  # five of one suit need five ranks
        ("2 6 8 K", "TS", True, True),
        ("2 6 8 K", "T", True, True),  # the starter may be of that suit
        ("2H 6H 8H KH", "TS", False, False),  # all suits are known
        ("2H 6S 8 K", "TS", False, False),
        ("2H 6 8 K", "TS", True, False),  # a heart, and the starter is a spade
        ("5 6H 7 8", "5H", False, False),  # the five of hearts is the starter
    ],
)
def test_a_flush_is_open_only_if_possible(cards: str, starter: str, is_crib: bool, is_open: bool) -> None:
    held = parse_cards(cards, rank_only=True)
    assert flush_is_open(held, parse_card(starter, rank_only=True), SIX_CARD, is_crib=is_crib) is is_open


def test_where_four_cards_are_a_flush_in_the_crib_the_starter_does_not_matter() -> None:
    held, starter = parse_cards("2 6 8 T", rank_only=True), parse_card("TS")
    assert flush_is_open(held, starter, FOUR_OK, is_crib=True)


@pytest.mark.parametrize(
    ("cards", "starter", "is_open"),
    [
        ("2 6 8 J", "TS", True),
        ("2 6 8 K", "TS", False),
        ("2 6 8 JH", "TS", False),
        ("2 6 JS J", "TS", False),  # his nobs is there already
        ("2 6 JH J", "TS", True),
        ("2 6 8 J", "T", False),
        ("2 J J 3", "JS", False),
    ],
)
def test_nobs_is_open_only_if_possible(cards: str, starter: str, is_open: bool) -> None:
    held = parse_cards(cards, rank_only=True)
    assert nobs_is_open(held, parse_card(starter, rank_only=True)) is is_open


def test_a_card_that_lies_elsewhere_is_not_of_this_hand() -> None:
    held, starter = parse_cards("2 6 8 J", rank_only=True), parse_card("TS")
    assert not nobs_is_open(held, starter, parse_cards("JS"))
    assert nobs_is_open(held, starter, parse_cards("JH"))
    assert suits_for_all(held, starter, parse_cards("2S 6H JD")) == (Suit.CLUBS,)
    assert not flush_is_open(held, starter, SIX_CARD, is_crib=True, elsewhere=parse_cards("8S"))


@pytest.mark.parametrize(
    ("cards", "starter", "is_crib", "is_open"),
    [
        ("2 6 8 J", "T", False, True),
        ("2 6 8 JH", "T", False, True),
        ("2 6 TH JH", "T", False, False),  # the ten of hearts is held, so the starter is another one
        ("2 6 8 J", "TS", False, False),
        ("2 6 8 J", "J", False, False),
        ("2H 6H 8H KH", "T", False, True),
        ("2H 6H 8H KH", "T", True, True),
        ("2H 6H 8H TH", "T", False, False),
        ("2H 6H 8H K", "T", False, False),  # asked for with the flush
    ],
)
def test_the_suit_of_the_starter_matters_for_a_jack_and_a_flush(
    cards: str, starter: str, is_crib: bool, is_open: bool
) -> None:
    held = parse_cards(cards, rank_only=True)
    assert starter_is_open(held, parse_card(starter, rank_only=True), SIX_CARD, is_crib=is_crib) is is_open


def test_a_flush_can_be_in_any_suit_that_fits_the_known_cards() -> None:
    five = parse_card("5H")
    assert suits_for_all(parse_cards("2 6 8 K", rank_only=True), five) == tuple(Suit)
    assert suits_for_all(parse_cards("2 6D 8 K", rank_only=True), five) == (Suit.DIAMONDS,)
    assert suits_for_all(parse_cards("2 5 8 K", rank_only=True), five) == (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)


def test_the_first_jack_of_unknown_suit_gets_the_suit() -> None:
    held = parse_cards("J 2 J 3", rank_only=True)
    assert " ".join(map(str, with_jack_suit(held, Suit.HEARTS))) == "JH 2 J 3"
    with pytest.raises(ValueError):
        with_jack_suit(parse_cards("JS 2 4 3", rank_only=True), Suit.HEARTS)


def fillings(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Every way to give suits to the cards without one, with no card twice."""
    ways = [tuple(Suit) if card.suit is None else (card.suit,) for card in cards]
    for suits in product(*ways):
        filled = tuple(card_of(card.rank, suit) for card, suit in zip(cards, suits, strict=True))
        if len(set(filled)) == len(filled):
            yield filled


def totals(held: Sequence[Card], starter: Card, rules: RuleSet, is_crib: bool) -> tuple[int, int]:
    """The count with the suits that are known, and the highest one with suits filled in."""
    known = count_show(held, starter, rules, is_crib=is_crib).total
    full = max(count_show(way[:-1], way[-1], rules, is_crib=is_crib).total for way in fillings((*held, starter)))
    return known, full


@pytest.mark.parametrize("rules", [VARIANTS["five_card"], SIX_CARD, FOUR_OK])
@pytest.mark.parametrize("is_crib", [False, True])
def test_what_suits_could_add_is_what_every_filling_adds(rules: RuleSet, is_crib: bool) -> None:
    random, gained, with_nobs = Random(7), set[int](), set[bool]()
    for _ in range(60):
        size = CRIB_SIZE if is_crib else rules.hand_size
        pack = [card for card in PACK if card.rank > 7 and (card.suit is Suit.SPADES or random.random() < 0.3)]
        *held, starter = random.sample(pack, size + 1)
        shown = tuple(card_of(card.rank, card.suit if random.random() < 0.3 else None) for card in held)
        turned = card_of(starter.rank, starter.suit if random.random() < 0.3 else None)
        known = count_show(shown, turned, rules, is_crib=is_crib)
        full = [count_show(way[:-1], way[-1], rules, is_crib=is_crib) for way in fillings((*shown, turned))]
        gains = {count.points(Part.FLUSH) - known.points(Part.FLUSH) for count in full} - {0}
        assert set(flush_gains(shown, turned, rules, is_crib=is_crib)) == gains, (shown, turned)
        has_nobs = any(count.points(Part.NOBS) > known.points(Part.NOBS) for count in full)
        assert nobs_could_add(shown, turned) == has_nobs, (shown, turned)
        gained |= gains
        with_nobs.add(has_nobs)
    assert gained and with_nobs == {False, True}


@pytest.mark.slow
@pytest.mark.parametrize("rules", [VARIANTS["five_card"], SIX_CARD, FOUR_OK, VARIANTS["seven_card"]])
@pytest.mark.parametrize("is_crib", [False, True])
def test_a_count_is_a_minimum_exactly_if_some_suits_give_more(rules: RuleSet, is_crib: bool) -> None:
    random, found = Random(2026), set()
    size = CRIB_SIZE if is_crib else rules.hand_size
    for _ in range(900):
        ranks, suits = random.choice(((1, 13), (8, 13))), random.choice(((0.0, 1.0), (0.9, 0.3), (1.0, 0.8)))
        pack = [
            card
            for card in PACK
            if ranks[0] <= card.rank <= ranks[1] and card.suit in list(Suit)[-random.randint(1, 4) :]
        ]
        if len(pack) <= size:
            continue
        *held, starter = random.sample(pack, size + 1)
        shown = tuple(card_of(card.rank, card.suit if random.random() < suits[0] else None) for card in held)
        turned = card_of(starter.rank, starter.suit if random.random() < suits[1] else None)
        known, full = totals(shown, turned, rules, is_crib)
        if shown.count(card_of(11)) == 4:
            continue  # four jacks: his nobs is certain, and still asked for
        is_minimum = count_is_minimum(shown, turned, rules, is_crib=is_crib)
        assert is_minimum == (full > known), (shown, turned)
        found.add(is_minimum)
    assert found == {False, True}


@pytest.mark.parametrize(
    ("cards", "starter", "is_crib", "is_minimum"),
    [
        ("5 T J Q", "5H", False, False),
        ("5 T J Q", "5", False, True),
        ("2 6 8 K", "5", True, False),
        ("2H 6H 8H KH", "5", True, True),
        ("2H 6H 8H KH", "5S", True, False),
    ],
)
def test_after_the_questions_only_the_starter_can_add_points(
    cards: str, starter: str, is_crib: bool, is_minimum: bool
) -> None:
    held, turned = parse_cards(cards, rank_only=True), parse_card(starter, rank_only=True)
    counted = count_is_minimum(held, turned, SIX_CARD, is_crib=is_crib, suits_were_asked=True)
    assert counted is is_minimum
