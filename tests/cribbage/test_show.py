"""The show, compared with worked hands and with a second scorer, and its invariants."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.cribbage.cards import JACK, PACK, RANKS, Card, Suit, card_of, parse_card, parse_cards
from firmware_host.cribbage.rule_errors import DuplicateCard, WrongNumberOfCards
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.show import Part, count_show, places_of_scores
from firmware_host.cribbage.totals import show_total
from firmware_host.cribbage.variants import VARIANTS, rules_for

GAME_OF_SIZE = {3: VARIANTS["five_card"], 4: VARIANTS["six_card"], 5: VARIANTS["seven_card"]}
FOUR_OK = rules_for("six_card", {"crib_flush": "four_ok"})


def hands(size: int) -> st.SearchStrategy[list[Card]]:
    """`size` held cards, then the starter."""
    return st.lists(st.sampled_from(PACK), min_size=size + 1, max_size=size + 1, unique=True)


any_hand = st.sampled_from((3, 4, 5)).flatmap(hands)
four_held = hands(4)


def parts_of(cards: list[Card], *, is_crib: bool = False) -> tuple[int, ...]:
    *held, starter = cards
    return tuple(count_show(held, starter, GAME_OF_SIZE[len(held)], is_crib=is_crib).parts.values())


def naive_parts(held: list[Card], starter: Card, *, is_crib: bool) -> tuple[int, int, int, int, int]:
    """A second scorer: tries every subset; a run is one that no other card can lengthen."""
    cards = [*held, starter]
    subsets = [subset for size in range(2, len(cards) + 1) for subset in combinations(cards, size)]
    ranks = {card.rank for card in cards}
    fifteens = pairs = runs = 0
    for subset in subsets:
        own = sorted(card.rank for card in subset)
        fifteens += 2 * (sum(card.pips for card in subset) == 15)
        pairs += 2 * (len(own) == 2 and own[0] == own[1])
        is_run = len(own) > 2 and own == list(range(own[0], own[0] + len(own)))
        runs += len(own) * (is_run and not ranks & {own[0] - 1, own[-1] + 1})
    matching = sum(card.suit is held[0].suit for card in cards)
    held_alike = len({card.suit for card in held}) == 1
    flush = matching if held_alike and (matching == len(cards) or not is_crib) else 0
    nobs = sum(card.rank == JACK and card.suit is starter.suit for card in held)
    return fifteens, pairs, runs, flush, nobs


@pytest.mark.parametrize(
    ("held", "starter", "parts"),
    [
        pytest.param("5S 5D 5C JH", "5H", (16, 12, 0, 0, 1), id="R01"),
        pytest.param("5S 5D 5C 5H", "JH", (16, 12, 0, 0, 0), id="R02"),
        pytest.param("4S 5H 5D 6C", "6H", (8, 4, 12, 0, 0), id="R03"),
        pytest.param("2S 4H 6D 8C", "KH", (0, 0, 0, 0, 0), id="R04"),
        pytest.param("2H 6H 8H KH", "TS", (0, 0, 0, 4, 0), id="R05"),
        pytest.param("2H 6H 8H KH", "TH", (0, 0, 0, 5, 0), id="R06"),
        pytest.param("3S 3D 4H 5C", "5H", (4, 4, 12, 0, 0), id="R10"),
        pytest.param("4H 5H QH", "6S", (4, 0, 3, 3, 0), id="R11"),
        pytest.param("4H QH 6S", "5H", (4, 0, 3, 0, 0), id="R12"),
        pytest.param("JH 5S 5C", "5H", (8, 6, 0, 0, 1), id="R13"),
        pytest.param("KS KC JD", "5H", (6, 2, 0, 0, 0), id="R14"),
        pytest.param("2D 7D 9D", "KD", (0, 0, 0, 4, 0), id="R16"),
        pytest.param("5S 5D 5C", "5H", (8, 12, 0, 0, 0), id="R17"),
        pytest.param("4S 4H 5D 5C 6S", "6H", (16, 6, 24, 0, 0), id="R18"),
        pytest.param("AS 2H 3D 5C 6S", "7H", (8, 0, 6, 0, 0), id="R19"),
        pytest.param("QS KH AD 2C", "9D", (0, 0, 0, 0, 0), id="R21"),
        pytest.param("2C 4C 6C 8C TC", "KC", (0, 0, 0, 6, 0), id="six of one suit"),
        pytest.param("2C 4C 6C 8C QC", "KD", (0, 0, 0, 5, 0), id="five of one suit"),
        pytest.param("JC QC KC 2C", "4C", (0, 0, 3, 5, 1), id="nobs in a flush"),
    ],
)
def test_hands_count_as_worked_out(held: str, starter: str, parts: tuple[int, ...]) -> None:
    cards = [*parse_cards(held), parse_card(starter)]
    assert parts_of(cards) == parts
    assert show_total(cards[:-1], cards[-1]) == sum(parts)


@pytest.mark.parametrize(
    ("held", "starter", "rules", "parts"),
    [
        pytest.param("2H 6H 8H KH", "TS", VARIANTS["six_card"], (0, 0, 0, 0, 0), id="R07"),
        pytest.param("2H 6H 8H KH", "TH", VARIANTS["six_card"], (0, 0, 0, 5, 0), id="R08"),
        pytest.param("2H 6H 8H KH", "TS", FOUR_OK, (0, 0, 0, 4, 0), id="R09"),
        pytest.param("9S 7D 8H 6H", "5H", VARIANTS["five_card"], (4, 0, 5, 0, 0), id="R15"),
        pytest.param("JC 2H 7D 9S", "4C", VARIANTS["six_card"], (2, 0, 0, 0, 1), id="R20"),
        pytest.param("4H 4S 7D AC", "KC", VARIANTS["seven_card"], (6, 2, 0, 0, 0), id="R22"),
    ],
)
def test_cribs_count_as_worked_out(held: str, starter: str, rules: RuleSet, parts: tuple[int, ...]) -> None:
    cards, cut = parse_cards(held), parse_card(starter)
    count = count_show(cards, cut, rules, is_crib=True)
    assert tuple(count.parts.values()) == parts
    assert show_total(cards, cut, is_crib=True, four_flush_in_crib=rules is FOUR_OK) == count.total


@given(any_hand)
def test_a_second_scorer_agrees_part_by_part(cards: list[Card]) -> None:
    *held, starter = cards
    assert parts_of(cards) == naive_parts(held, starter, is_crib=False)
    assert show_total(held, starter) == sum(naive_parts(held, starter, is_crib=False))


@given(four_held)
def test_a_second_scorer_agrees_on_cribs(cards: list[Card]) -> None:
    *held, starter = cards
    assert parts_of(cards, is_crib=True) == naive_parts(held, starter, is_crib=True)
    assert show_total(held, starter, is_crib=True) == sum(naive_parts(held, starter, is_crib=True))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_second_scorer_agrees_on_hands_rich_in_runs_pairs_and_flushes(size: int) -> None:
    """Hypothesis seldom finds a flush; two suits and seven ranks make them common."""
    rng = random.Random(size)
    few = [card for card in PACK if 3 <= card.rank <= 6 or card.rank >= JACK]
    two_suits = [card for card in few if card.suit in (Suit.HEARTS, Suit.SPADES)]
    for source in (few, two_suits) * 300:
        *held, starter = rng.sample(source, size + 1)
        assert parts_of([*held, starter]) == naive_parts(held, starter, is_crib=False)
        assert show_total(held, starter) == sum(naive_parts(held, starter, is_crib=False))
        if size == 4:
            assert parts_of([*held, starter], is_crib=True) == naive_parts(held, starter, is_crib=True)
            assert show_total(held, starter, is_crib=True) == sum(naive_parts(held, starter, is_crib=True))


@given(any_hand, st.randoms(use_true_random=False))
def test_the_order_of_held_cards_does_not_matter(cards: list[Card], rng: random.Random) -> None:
    *held, starter = cards
    shuffled = rng.sample(held, len(held))
    assert parts_of([*shuffled, starter]) == parts_of(cards)
    assert show_total(shuffled, starter) == show_total(held, starter)


@given(any_hand)
def test_only_flush_and_nobs_depend_on_which_card_is_the_starter(cards: list[Card]) -> None:
    assert parts_of(cards)[:3] == parts_of(cards[::-1])[:3]


@given(any_hand, st.permutations(list(Suit)))
def test_renaming_the_suits_changes_nothing(cards: list[Card], names: list[Suit]) -> None:
    renamed = dict(zip(Suit, names, strict=True))
    others = [card_of(card.rank, renamed[card.suit]) for card in cards if card.suit]
    assert parts_of(others) == parts_of(cards)


@given(four_held)
def test_a_hand_is_worth_more_than_the_same_crib_only_by_a_flush_of_four(cards: list[Card]) -> None:
    assert sum(parts_of(cards)) - sum(parts_of(cards, is_crib=True)) in (0, 4)


@given(four_held, st.booleans())
def test_each_part_has_only_possible_values(cards: list[Card], is_crib: bool) -> None:
    fifteens, pairs, runs, flush, nobs = parts_of(cards, is_crib=is_crib)
    assert fifteens % 2 == pairs % 2 == 0
    assert runs in {0, 3, 4, 5, 6, 8, 9, 12}
    assert flush in {0, 4, 5}
    assert nobs in {0, 1}


@given(any_hand)
def test_every_score_has_the_cards_that_earn_it(cards: list[Card]) -> None:
    *held, starter = cards
    for score in count_show(held, starter, GAME_OF_SIZE[len(held)]).scores:
        points = score.points
        earning = score.cards
        assert set(earning) <= set(cards)
        assert len(set(earning)) == len(earning)
        ranks = sorted(card.rank for card in earning)
        match score.kind:
            case ScoreKind.FIFTEEN:
                assert (points, sum(card.pips for card in earning)) == (2, 15)
            case ScoreKind.PAIR | ScoreKind.PAIR_ROYAL | ScoreKind.DOUBLE_PAIR_ROYAL:
                assert len(set(ranks)) == 1
                assert points == len(ranks) * (len(ranks) - 1)
            case ScoreKind.RUN:
                assert ranks == list(range(ranks[0], ranks[0] + points))
            case ScoreKind.FLUSH:
                assert len({card.suit for card in earning}) == 1
                assert points == len(earning)
            case _:
                assert score.kind is ScoreKind.HIS_NOBS
                assert earning[0] in held


@given(any_hand)
def test_scores_come_in_counting_order(cards: list[Card]) -> None:
    *held, starter = cards
    count = count_show(held, starter, GAME_OF_SIZE[len(held)])
    assert count.scores == tuple(score for part in Part for score in count.scores_of(part))
    assert count.total == sum(count.points(part) for part in Part)


@given(any_hand)
def test_ranks_alone_score_neither_flush_nor_nobs(cards: list[Card]) -> None:
    bare = [RANKS[card.rank - 1] for card in cards]
    assert parts_of(bare) == (*parts_of(cards)[:3], 0, 0)
    assert show_total(bare[:-1], bare[-1]) == sum(parts_of(bare))


def test_a_held_flush_counts_with_a_starter_of_unknown_suit() -> None:
    held, starter = parse_cards("2H 6H 8H JH"), parse_card("T", rank_only=True)
    assert count_show(held, starter, VARIANTS["six_card"]).parts["flush"] == 4
    assert show_total(held, starter) == 4
    assert show_total(held, starter, is_crib=True) == 0


@pytest.mark.parametrize(
    ("game", "held", "is_crib"),
    [
        ("six_card", "5H 5S 5D", False),
        ("six_card", "5H 5S 5D JC 2C", False),
        ("five_card", "5H 5S 5D JC", False),
        ("five_card", "5H 5S 5D", True),
        ("seven_card", "5H 5S 5D JC", False),
        ("seven_card", "5H 5S 5D JC 2C", True),
        ("six_card", "", False),
    ],
)
def test_a_hand_of_the_wrong_size_is_refused(game: str, held: str, is_crib: bool) -> None:
    with pytest.raises(WrongNumberOfCards):
        count_show(parse_cards(held), parse_card("9C"), VARIANTS[game], is_crib=is_crib)


@pytest.mark.parametrize(("held", "starter"), [("5H 5S 5D JC", "JC"), ("5H 5H 5D JC", "9C"), ("5 5 5 5", "5")])
def test_a_card_held_twice_is_refused(held: str, starter: str) -> None:
    with pytest.raises(DuplicateCard):
        count_show(parse_cards(held, rank_only=True), parse_card(starter, rank_only=True), VARIANTS["six_card"])


@settings(max_examples=30)
@given(hands(4))
def test_show_total_accepts_lists_and_tuples(cards: list[Card]) -> None:
    assert show_total(cards[:4], cards[4]) == show_total(tuple(cards[:4]), cards[4])


@given(st.lists(st.sampled_from(PACK), min_size=5, max_size=5, unique=True), st.booleans())
def test_the_places_of_a_score_are_those_of_its_cards(cards: list[Card], knows_suits: bool) -> None:
    *held, starter = cards
    if not knows_suits:
        held = [card_of(card.rank) for card in held]
    count = count_show(held, starter, VARIANTS["six_card"])
    places = places_of_scores(count, held, starter)
    assert len(set(zip(places, (score.kind for score in count.scores), strict=True))) == len(count.scores)
    for score, found in zip(count.scores, places, strict=True):
        assert [[*held, starter][place] for place in found] == list(score.cards)
