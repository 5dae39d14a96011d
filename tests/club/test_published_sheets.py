"""Places that clubs have published, from the sums of the scorecards: game points, games won and spread.

Newspapers print the best cards of an evening, so the sheets have no games and no names of others. A card of "13/6 +74"
has 13 game points, 6 games won and a spread of 74 holes. A spread that no tie needed was not printed: None here. The
players are letters, in the order of the places that were published.
"""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec import Struct

from firmware_host.club.members import MemberId
from firmware_host.club.standings import Sums, ranking
from firmware_host.cribbage.outcome import outcome_of
from firmware_host.cribbage.rules import Side
from firmware_host.cribbage.variants import rules_for

Printed = tuple[str, int, int, int | None]
"""Player, game points, games won, spread."""


class Sheet(Struct, frozen=True):
    """`games` of each player; `cards` are the places from the first."""

    source: str
    games: int
    cards: tuple[Printed, ...]


SHEETS = (
    Sheet(
        "mvtimes.com/2021/07/07/cribbage-club-2/ (30 June, 20 players)",
        6,
        (("A", 12, 5, 94), ("B", 11, 5, 49), ("C", 9, 4, 85), ("D", 9, 4, 43), ("E", 8, 4, 35)),
    ),
    Sheet(
        "plumasnews.com/tiebreaker-needed-to-determine-crib-tourney-winner/ (13 July, 14 players)",
        9,
        (("A", 13, 6, 97), ("B", 13, 6, 46), ("C", 13, 6, 37), ("D", 12, 6, None)),
    ),
    Sheet(
        "plumasnews.com/cribbage-club-welcomes-new-players-and-members/ (14 December, 15 players)",
        9,
        (("A", 16, 7, None), ("B", 14, 6, None), ("C", 13, 6, 74), ("D", 13, 6, 71)),
    ),
    Sheet(
        "plumasnews.com/tournament-continues-to-grow-as-club-welcomes-players/ (20 July, 18 players)",
        9,
        (("A", 17, 8, None), ("B", 15, 6, None), ("C", 13, 6, 68), ("D", 13, 6, 28)),
    ),
    Sheet(
        "plumasnews.com/cribbage-is-easy-to-win-if-you-get-the-right-cards/ (10 August, 12 players)",
        9,
        (("A", 17, 7, None), ("B", 16, 7, None), ("C", 14, 6, None), ("D", 11, 5, 20), ("E", 11, 5, 3)),
    ),
)


def sums_of(card: Printed, spread: int) -> Sums:
    """`spread` where the sheet has none."""
    _, points, wins, printed = card
    holes = spread if printed is None else printed
    return Sums(points, wins, max(0, holes), max(0, -holes))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.source.split()[0])
def test_the_places_are_those_that_were_published(sheet: Sheet) -> None:
    """In whatever order the cards are handed in; a spread that was not printed decides nothing."""
    for spread in (-200, 200):
        cards = [(MemberId(place), sums_of(card, spread)) for place, card in enumerate(sheet.cards, start=1)]
        for order in permutations(cards):
            rows = ranking(order)
            assert [row.member for row in rows] == [row.place for row in rows] == list(range(1, len(cards) + 1))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.source.split()[0])
def test_the_game_points_are_possible_with_2_for_a_win_and_3_for_a_skunk(sheet: Sheet) -> None:
    for player, points, wins, _ in sheet.cards:
        assert wins <= sheet.games and 2 * wins <= points <= 3 * wins, player


def test_eight_games_won_with_two_skunks_are_the_18_game_points_of_the_report() -> None:
    """plumasnews.com/cook-takes-the-weekly-cribbage-honors/: 18 game points, eight games won, two of them skunks. The
    holes of the losers were not printed; 90 is a skunk (won by 31), 91 is none."""
    rules = rules_for("six_card")
    losers = (90, 90, 91, 91, 91, 91, 91, 91)
    assert sum(outcome_of(rules, Side(0), (121, loser)).points[0] for loser in losers) == 18
