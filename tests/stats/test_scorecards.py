"""Scorecards of people: nine games each, against any opponents, in any seat, under any of their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware_host.cribbage.rules import Side
from firmware_host.cribbage.variants import rules_for
from firmware_host.stats.people import People, Roster
from firmware_host.stats.scorecard_records import card_record
from firmware_host.stats.scorecards import Scorecard, Totals, initials, scorecards
from firmware_host.storage.game_summary import GameSummary

NOON = datetime(2024, 2, 29, 12, 0, tzinfo=UTC)
UNMERGED = People()
_numbers = count(1)


def game(
    *scores: int,
    names: str = "Ann Ben",
    variant: str = "six_card",
    options: dict[str, object] | None = None,
    is_demo: bool = False,
) -> GameSummary:
    """The next game. The side whose score is the target has won it. "/" separates names that have spaces."""
    rules = rules_for(variant, options)
    winner = next((Side(side) for side, score in enumerate(scores) if score == rules.target), None)
    seats = tuple(names.split("/") if "/" in names else names.split())
    return GameSummary(next(_numbers), NOON, seats, "classic-61", rules, scores, winner, is_demo=is_demo)


def cards(games: Sequence[GameSummary], people: People = UNMERGED) -> tuple[Scorecard, ...]:
    return scorecards(Roster(games, people))


def cards_of(name: str, *games: GameSummary, people: People = UNMERGED) -> list[Scorecard]:
    person = Roster(games, people).person(name)
    return [card for card in cards(games, people) if card.person == person]


def card_of(name: str, *games: GameSummary, people: People = UNMERGED) -> Scorecard:
    (card,) = cards_of(name, *games, people=people)
    return card


def lengths(name: str, *games: GameSummary) -> list[int]:
    return [len(card.lines) for card in cards_of(name, *games)]


# ACC: 2 game points for a win, 3 for a skunk; a skunk is a win by 31 holes or more; the spread is the margin.


@pytest.mark.parametrize(
    ("target", "match_points", "scores", "points", "spread"),
    [
        (121, "acc", (121, 120), 2, 1),
        (121, "acc", (121, 91), 2, 30),
        (121, "acc", (121, 90), 3, 31),
        (121, "acc", (121, 60), 3, 61),
        (121, "acc", (121, 0), 3, 121),
        (61, "acc", (61, 31), 2, 30),
        (61, "acc", (61, 30), 3, 31),
        (61, "games", (61, 30), 2, 31),
        (121, "games", (121, 60), 3, 61),
    ],
)
def test_line_of_winner_and_of_loser(
    target: int, match_points: str, scores: tuple[int, int], points: int, spread: int
) -> None:
    played = game(*scores, options={"target": target, "match_points": match_points})
    (won,), (lost,) = card_of("Ann", played).lines, card_of("Ben", played).lines
    assert (won.is_won, won.game_points, won.spread, won.score, won.opponent_scores) == (
        *(True, points, spread),
        *(scores[0], (scores[1],)),
    )
    assert (lost.is_won, lost.game_points, lost.spread, lost.score, lost.opponent_scores) == (
        *(False, 0, -spread),
        *(scores[1], (scores[0],)),
    )


NINE = (
    *(game(121, 90, names="Ann Ben"), game(108, 121, names="Ann Cat"), game(121, 117, names="Dan Ann")),
    *(game(60, 121, names="Eve Ann"), game(121, 101, names="Ann Fay"), game(88, 121, names="Ann Gus")),
    *(game(99, 121, names="Hal Ann"), game(121, 119, names="Ann Ida"), game(121, 85, names="Joe Ann")),
)
"""Nine games of Ann against nine opponents, in either seat."""


def test_nine_games_against_nine_opponents_make_one_card() -> None:
    """By hand: won by 31 (skunk), 61 (skunk), 20, 22, 2; lost by 13, 4, 33 (skunked), 36 (skunked)."""
    card = card_of("Ann", *NINE)
    assert [line.number for line in card.lines] == list(range(1, 10))
    assert [line.game_points for line in card.lines] == [3, 0, 0, 3, 2, 0, 2, 2, 0]
    assert [line.spread for line in card.lines] == [31, -13, -4, 61, 20, -33, 22, 2, -36]
    assert [line.initials for line in card.lines] == list("BCDEFGHIJ")
    assert card.totals == Totals(5, 12, skunks_given=2, skunks_taken=2, plus=136, minus=86)
    assert card.totals.spread == 50


def test_each_opponent_has_a_card_too() -> None:
    (line,) = card_of("Gus", *NINE).lines
    assert (line.opponents[0].name, line.game_points, line.spread) == ("Ann", 3, 33)
    assert len(cards(NINE)) == 10


def test_the_tenth_game_begins_another_card() -> None:
    assert lengths("Ann", *NINE, *NINE, NINE[0]) == [9, 9, 1]
    assert lengths("Ben", *NINE, *NINE, NINE[0]) == [3]


def test_a_name_in_another_spelling_is_the_same_person() -> None:
    card = card_of("ANN", game(121, 100, names="Ann/Ben"), game(121, 100, names=" ann /Cat"))
    assert (card.person.name, len(card.lines)) == ("ann", 2)


def test_merged_names_have_one_card() -> None:
    games = game(121, 100, names="Annie Ben"), game(121, 90, names="Cat Ann")
    card = card_of("Annie", *games, people=People((("Ann", "Annie"),)))
    assert (card.person.name, [line.spread for line in card.lines]) == ("Ann", [21, -31])
    assert card_of("Ben", *games, people=People((("Ann", "Annie"),))).lines[0].opponents == (card.person,)


def test_cards_keep_their_numbers_when_more_games_are_played() -> None:
    games = [game(121, 100, names=names) for names in ("Ann Ben", "Cat Ben", "Ann Cat", "Dan Ann")]
    for number in range(len(games)):
        before = [(card.number, card.person.name) for card in cards(games[:number])]
        assert [(card.number, card.person.name) for card in cards(games)][: len(before)] == before


def test_unfinished_game_does_not_count() -> None:
    assert lengths("Ann", game(121, 100), game(60, 70), game(121, 100)) == [2]
    assert cards([game(0, 0)]) == ()


def test_demonstration_does_not_count() -> None:
    assert cards([game(121, 7, names="Bot Bat", is_demo=True)]) == ()


def test_nobody_plays_against_himself() -> None:
    assert cards([game(121, 7, names="Ann ANN")]) == ()
    assert cards([game(121, 7, names="Ann Annie")], People((("Ann", "Annie"),))) == ()


@pytest.mark.parametrize(
    "other",
    [
        {"variant": "auction"},
        {"options": {"target": 61}},
        {"options": {"target": 181}},
        {"options": {"match_points": "games"}},
        {"options": {"lowball": True}},
    ],
)
def test_another_kind_of_game_goes_on_another_card(other: dict[str, object]) -> None:
    """Its points and holes cannot be added to the others. The card that was begun goes on."""
    options = other.get("options", {})
    target = options.get("target", 121) if isinstance(options, dict) else 121
    games = (game(121, 100), game(target, 50, **other), game(121, 100))  # type: ignore[arg-type]
    assert lengths("Ann", *games) == [2, 1]


def test_house_rules_that_change_no_points_stay_on_the_card() -> None:
    assert lengths("Ann", game(121, 90, options={"muggins_mode": "claim"}), game(121, 90)) == [2]


def test_each_partner_has_a_line_with_the_points_of_the_side() -> None:
    games = [
        game(121, 100, names="Ann Ben Cat Dan", variant="four_partners"),
        game(80, 121, names="Ann Cat Ben Dan", variant="four_partners"),
    ]
    lines = {name: card_of(name, *games).lines for name in ("Ann", "Ben", "Cat", "Dan")}
    points = {name: [(line.game_points, line.spread) for line in lines[name]] for name in lines}
    assert points == {
        "Ann": [(2, 21), (0, -41)],
        "Cat": [(2, 21), (3, 41)],
        "Ben": [(0, -21), (0, -41)],
        "Dan": [(0, -21), (3, 41)],
    }
    assert [[person.name for person in line.partners] for line in lines["Ann"]] == [["Cat"], ["Ben"]]
    assert [line.initials for line in lines["Ann"]] == ["B D", "C D"]


def test_partners_and_singles_go_on_different_cards() -> None:
    assert lengths("Ann", game(121, 100), game(121, 100, names="Ann Ben Cat Dan", variant="four_partners")) == [1, 1]


def test_three_players_each_loser_has_negative_spread() -> None:
    played = game(100, 121, 58, names="Ann Ben Cat", variant="three_hand")
    totals = [card_of(name, played).totals for name in ("Ann", "Ben", "Cat")]
    assert [(total.game_points, total.spread) for total in totals] == [(0, -21), (2, 21), (0, -63)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ann", "A"),
        ("ann lee", "AL"),
        ("Jean-Luc Picard", "JLP"),
        ("Аня", "А"),
        ("e\u0301va", "É"),
        ("=1", "="),
        ("-", "-"),
    ],
)
def test_initials_are_those_of_each_part_of_a_name(name: str, expected: str) -> None:
    assert initials(name) == expected


# Properties of any games of two sides.

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve")


@st.composite
def any_game(draw: st.DrawFn) -> GameSummary:
    target = draw(st.sampled_from([61, 121, 181]))
    scores = [target, draw(st.integers(0, target - 1))]
    if draw(st.booleans()):
        scores.reverse()
    is_partners = draw(st.booleans())
    names = draw(st.permutations(NAMES))[: 4 if is_partners else 2]
    options = {"target": target, "match_points": draw(st.sampled_from(["acc", "games"]))}
    variant = "four_partners" if is_partners else "six_card"
    return game(*scores, names=" ".join(names), variant=variant, options=options)


GAMES = st.lists(any_game(), max_size=30)


def content(all_cards: Sequence[Scorecard]) -> list[object]:
    """What the cards show."""
    return [card_record(card) for card in all_cards]


@given(GAMES)
def test_the_spreads_of_all_people_sum_to_zero(games: list[GameSummary]) -> None:
    assert sum(card.totals.spread for card in cards(games)) == 0


@given(GAMES)
def test_every_game_is_on_one_card_of_each_player(games: list[GameSummary]) -> None:
    lines = Counter((line.game.game, card.person.name) for card in cards(games) for line in card.lines)
    assert lines == Counter((each.game, name) for each in games for name in each.names)


@given(GAMES)
def test_seats_do_not_matter(games: list[GameSummary]) -> None:
    """Every second game with the two sides swapped: names, scores and winner."""
    swapped = [_swapped(each) if number % 2 else each for number, each in enumerate(games)]
    assert content(cards(swapped)) == content(cards(games))


def _swapped(each: GameSummary) -> GameSummary:
    names = (each.names[1], each.names[0], *each.names[2:][::-1])
    assert each.winner is not None
    return replace(each, names=names, scores=each.scores[::-1], winner=Side(1 - each.winner))


@given(GAMES, st.data())
def test_merged_names_count_as_if_they_had_been_one(games: list[GameSummary], data: st.DataObject) -> None:
    """Ann plays some games as "Annie" or " ANN ". After the merge her cards, and all others, are as without that."""
    spellings = [data.draw(st.sampled_from(["Ann", "Annie", " ANN ", "annie"])) for _ in games]
    written = [
        replace(each, names=tuple(spelling if name == "Ann" else name for name in each.names))
        for each, spelling in zip(games, spellings, strict=True)
    ]
    assert content(cards(written, People((("Ann", "Annie"),)))) == content(cards(games))


@given(GAMES)
def test_the_order_in_which_games_are_read_does_not_matter(games: list[GameSummary]) -> None:
    assert content(cards(games[::-1])) == content(cards(games))
