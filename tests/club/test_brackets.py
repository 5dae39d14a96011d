"""Play-offs: the ACC's examples of qualifiers and byes, its chart, and what is refused."""

from __future__ import annotations

import pytest

from firmware_host.club import decide as d
from firmware_host.club.bracket import Bracket, bracket_size, qualifier_count, seed_order
from firmware_host.club.events import BracketKind, Event
from firmware_host.club.evolve import evolve
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.rule_errors import (
    BracketHasResults,
    GamesOpen,
    NextMatchPlayed,
    NoSuchMatch,
    NotAMatchResult,
    ReasonMissing,
)
from firmware_host.club.standings import qualifiers, standings
from firmware_host.club.state import Club, Night
from tests.club import oracle


@pytest.mark.parametrize(
    ("entrants", "qualified", "size", "byes"),
    [(108, 27, 32, 5), (132, 33, 64, 31), (60, 15, 16, 1), (121, 31, 32, 1), (124, 31, 32, 1), (4, 1, 1, 0)],
)
def test_the_examples_of_the_acc(entrants: int, qualified: int, size: int, byes: int) -> None:
    assert qualifier_count(entrants) == qualified and bracket_size(qualified) == size
    assert oracle.qualifiers_of(entrants, 4) == qualified
    assert oracle.knock_out(range(qualified), min)[2] == byes
    bracket = Bracket(BracketKind.MAIN, 3, tuple(MemberId(seed) for seed in range(1, qualified + 1)))
    assert bracket.byes == byes
    first = bracket.rounds[0] if bracket.rounds else ()
    assert sorted(match.winner or 0 for match in first if match.is_bye) == list(range(1, byes + 1))
    assert sum(match.is_ready for match in first) == qualified - size // 2 if size > 1 else not first


def test_a_night_of_108_entrants_gives_27_qualifiers_and_5_byes() -> None:
    night = Tournament(108)
    night.apply(d.draw_bracket(night.club, night.night))
    bracket = night.night.brackets[BracketKind.MAIN]
    assert len(bracket.seeds) == 27 and bracket.byes == 5
    first = bracket.rounds[0]
    assert {match.winner for match in first if match.is_bye} == set(bracket.seeds[:5]), "to the best five"


def test_the_order_of_a_full_bracket_is_that_of_the_chart_of_the_acc() -> None:
    """On the chart 5-60 is below 8-57, 3-62 below 4-61, and 7-58 below 6-59."""
    assert seed_order(8) == (1, 8, 5, 4, 3, 6, 7, 2)
    order = seed_order(64)
    matches = [frozenset(order[place : place + 2]) for place in range(0, 64, 2)]
    assert all(sum(match) == 65 for match in matches)
    for above, below in ((8, 5), (4, 3), (6, 7)):
        assert matches.index(frozenset({below, 65 - below})) > matches.index(frozenset({above, 65 - above}))


class Tournament:
    """A night of one round that `players` players have played; the first of each pair won."""

    def __init__(self, players: int, losers_have: int = 100) -> None:
        self.club = Club()
        self.apply(d.create_night(self.club, "2026-03-14", NightSettings(games=1)))
        for number in range(players):
            self.apply(d.add_member(self.club, f"Player {number + 1}"))
            self.apply(d.enter_player(self.club, self.night, MemberId(number + 1)))
        self.apply(d.pair_round(self.club, self.night))
        for game in self.night.rounds[0].games:
            self.apply(d.correct_result(self.night, 1, game.table, (121, losers_have), "test"))

    @property
    def night(self) -> Night:
        return self.club.nights[-1]

    def apply(self, event: Event) -> None:
        self.club = evolve(self.club, event)

    def report(self, number: int, match: int, wins: tuple[int, ...], reason: str = "") -> None:
        self.apply(d.report_match(self.night, BracketKind.MAIN, number, match, wins, reason))


def test_a_match_is_corrected_with_a_reason_until_the_next_one_is_played() -> None:
    club = Tournament(16)
    club.apply(d.draw_bracket(club.club, club.night))
    with pytest.raises(NoSuchMatch):
        club.report(2, 1, (2, 0))
    for wins in ((2, 2), (1, 0), (3, 1), (2, -1), (2,)):
        with pytest.raises(NotAMatchResult):
            club.report(1, 1, wins)
    club.report(1, 1, (2, 1))
    with pytest.raises(ReasonMissing):
        club.report(1, 1, (1, 2))
    club.report(1, 1, (1, 2), "the players were exchanged")
    club.report(1, 2, (2, 0))
    club.report(2, 1, (0, 2))
    with pytest.raises(NextMatchPlayed):
        club.report(1, 1, (2, 1), "no, they were not")
    with pytest.raises(BracketHasResults):
        d.draw_bracket(club.club, club.night)
    bracket = club.night.brackets[BracketKind.MAIN]
    assert bracket.champion == bracket.rounds[0][1].players[0]


def test_play_offs_wait_for_all_results() -> None:
    club = Tournament(4)
    club.apply(d.create_night(club.club, "2026-03-21", NightSettings(games=1)))
    for number in (1, 2):
        club.apply(d.enter_player(club.club, club.night, MemberId(number)))
    club.apply(d.pair_round(club.club, club.night))
    with pytest.raises(GamesOpen):
        d.draw_bracket(club.club, club.night)


def test_a_tie_for_the_last_place_is_reported() -> None:
    tied = Tournament(8)
    assert [row.place for row in standings(tied.night)] == [1] * 4 + [5] * 4
    assert qualifiers(tied.night) == ((1, 2), True)
    assert not qualifiers(Tournament(2).night).is_tied
    chosen = d.draw_bracket(tied.club, tied.night, members=[MemberId(3), MemberId(2)])
    assert chosen.seeds == (2, 3), "the organiser decided otherwise"
