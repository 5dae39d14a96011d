"""A match of several games, and its card of nine."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count

import pytest

from firmware_host.cribbage.rules import Side
from firmware_host.cribbage.variants import rules_for
from firmware_host.match import MatchCard, Totals, cards
from firmware_host.summary import GameSummary

NOON = datetime(2024, 2, 29, 12, 0, tzinfo=UTC)
_numbers = count(1)


def game(
    *scores: int,
    names: str = "Ann Bob",
    variant: str = "six_card",
    options: dict[str, object] | None = None,
    is_demo: bool = False,
) -> GameSummary:
    """The next game; the side at the target has won it."""
    rules = rules_for(variant, options)
    winner = next((Side(side) for side, score in enumerate(scores) if score == rules.target), None)
    return GameSummary(next(_numbers), NOON, tuple(names.split()), "classic-61", rules, scores, winner, is_demo=is_demo)


def the_card(*games: GameSummary) -> MatchCard:
    (card,) = cards(games)
    return card


def lengths(*games: GameSummary) -> list[int]:
    return [len(card.lines) for card in cards(games)]


@pytest.mark.parametrize(
    ("target", "match_points", "scores", "points", "spread"),
    [
        (121, "acc", (121, 90), 3, 31),
        (121, "acc", (121, 91), 2, 30),
        (61, "games", (61, 30), 2, 31),
        (121, "games", (121, 60), 3, 61),
    ],
)
def test_a_line_tells_points_and_spread(
    target: int, match_points: str, scores: tuple[int, int], points: int, spread: int
) -> None:
    (line,) = the_card(game(*scores, options={"target": target, "match_points": match_points})).lines
    assert (line.outcome.points, line.outcome.spread) == ((points, 0), (spread, -spread))


def test_a_card_adds_up() -> None:
    card = the_card(game(121, 90), game(110, 121), game(121, 59), game(121, 120))
    assert [line.number for line in card.lines] == [1, 2, 3, 4]
    assert card.sides == (("Ann",), ("Bob",))
    assert card.totals == (Totals(3, 8, 2, 0, 31 - 11 + 62 + 1), Totals(1, 2, 0, 2, -31 + 11 - 62 - 1))


def test_a_card_has_nine_games() -> None:
    assert lengths(*(game(121, 100) for _ in range(20))) == [9, 9, 2]


def test_the_games_may_be_told_latest_first() -> None:
    games = [game(121, 100 + n) for n in range(11)]
    assert cards(reversed(games)) == cards(games)
    assert [line.game for line in cards(reversed(games))[0].lines] == games[:9]


def test_a_game_that_was_not_played_out_does_not_count() -> None:
    assert lengths(game(121, 100), game(60, 70), game(121, 100)) == [2]
    assert cards([game(0, 0)]) == ()


def test_a_demonstration_does_not_count() -> None:
    assert lengths(game(121, 100), game(121, 7, names="Bot Bat", is_demo=True), game(121, 100)) == [2]


@pytest.mark.parametrize(
    "other",
    [
        {"names": "Ann Cat"},
        {"names": "Bob Ann"},
        {"variant": "auction"},
        {"options": {"target": 181}},
    ],
)
def test_other_people_or_another_game_are_another_match(other: dict[str, object]) -> None:
    target = 181 if "options" in other else 121
    games = (game(121, 100), game(target, 100, **other), game(121, 100))  # type: ignore[arg-type]
    assert lengths(*games) == [1, 1, 1]


def test_house_rules_may_change_within_a_match() -> None:
    card = the_card(game(121, 90), game(121, 60, options={"match_points": "games"}))
    assert [line.outcome.points for line in card.lines] == [(3, 0), (3, 0)]
    assert the_card(game(121, 90, options={"muggins_mode": "claim"}), game(121, 90)).totals[0].match_points == 6


def test_partners_share_a_card() -> None:
    card = the_card(game(121, 100, names="Ann Bob Cat Dan", variant="four_partners"))
    assert card.sides == (("Ann", "Cat"), ("Bob", "Dan"))
    assert [total.spread for total in card.totals] == [21, -21]


def test_of_three_every_loser_is_behind_the_winner() -> None:
    card = the_card(game(100, 121, 58, names="Ann Bob Cat", variant="three_hand"))
    assert [(total.match_points, total.spread) for total in card.totals] == [(0, -21), (2, 21), (0, -63)]


def test_of_three_only_who_skunks_everybody_has_skunked() -> None:
    card = the_card(game(80, 121, 58, names="Ann Bob Cat", variant="three_hand"))
    assert [(total.skunks_given, total.skunks_taken) for total in card.totals] == [(0, 1), (1, 0), (0, 1)]
