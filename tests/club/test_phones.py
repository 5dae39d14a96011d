"""Phones of players: who may join and report, when a result counts, and when it is disputed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from firmware_host.club import decide as d
from firmware_host.club import rule_errors as refused
from firmware_host.club.events import Event, ResultConfirmed, ResultReported
from firmware_host.club.evolve import evolve
from firmware_host.club.game import Game
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.phones import join_phone, next_game, owner_of, release_phone, report_on_phone
from firmware_host.club.seating import set_join_code
from firmware_host.club.state import Club, Night

CODE = "314159"
ANN, ZOE = MemberId(1), MemberId(2)


class Table:
    """A night in which Ann and Zoë play each other, and Cat has not entered."""

    def __init__(self) -> None:
        self.club = Club()
        for name in ("Ann", "Zoë", "Cat"):
            self.apply(d.add_member(self.club, name))
        self.apply(d.create_night(self.club, "2026-03-14", NightSettings(games=2)))
        self.apply(set_join_code(self.night, CODE))
        for member in (ANN, ZOE):
            self.apply(d.enter_player(self.club, self.night, member))
        self.apply(d.pair_round(self.club, self.night))

    @property
    def night(self) -> Night:
        return self.club.nights[-1]

    @property
    def game(self) -> Game:
        return self.night.rounds[0].games[0]

    def apply(self, event: Event) -> Event:
        self.club = evolve(self.club, event)
        return event

    def join(self, name: str, code: str = CODE) -> Event:
        return self.apply(join_phone(self.club, name, code, f"key of {name}"))

    def report(self, name: str, scores: Sequence[int]) -> Event:
        return self.apply(report_on_phone(self.club, f"key of {name}", 1, 1, tuple(scores)))


@pytest.fixture
def table() -> Table:
    table = Table()
    table.join("Ann")
    table.join("zoe")
    return table


def test_the_same_result_on_both_phones_counts_and_names_both(table: Table) -> None:
    first, second = table.report("Ann", (121, 95)), table.report("zoe", (121, 95))
    assert isinstance(first, ResultReported) and (first.by, first.phone) == (ANN, 1)
    assert isinstance(second, ResultConfirmed) and (second.by, second.phone) == (ZOE, 2)
    assert table.game.is_official and next_game(table.night, ANN) is None


def test_different_results_are_a_dispute_that_both_claims_tell(table: Table) -> None:
    table.report("Ann", (121, 95))
    table.report("zoe", (121, 100))
    assert table.game.is_disputed and not table.game.is_official
    assert table.game.claims == {ANN: (121, 95), ZOE: (121, 100)}


@pytest.mark.parametrize("gives_way", ["Ann", "zoe"])
def test_a_dispute_ends_when_one_of_them_agrees(table: Table, gives_way: str) -> None:
    table.report("Ann", (121, 95))
    table.report("zoe", (121, 100))
    scores = (121, 100) if gives_way == "Ann" else (121, 95)
    table.report(gives_way, scores)
    assert table.game.is_official and table.game.scores == scores and not table.game.is_disputed


def test_the_organiser_ends_a_dispute(table: Table) -> None:
    table.report("Ann", (121, 95))
    table.report("zoe", (121, 100))
    table.apply(d.correct_result(table.night, 1, 1, (121, 95), "both signed this"))
    assert table.game.is_official and not table.game.is_disputed
    with pytest.raises(refused.ResultIsFinal):
        table.report("zoe", (121, 100))


def test_nobody_confirms_alone(table: Table) -> None:
    for _ in range(2):
        table.report("Ann", (121, 95))
    assert not table.game.is_official


def test_only_scores_of_a_finished_own_game_are_taken(table: Table) -> None:
    with pytest.raises(refused.NotAResult):
        table.report("Ann", (120, 95))
    with pytest.raises(refused.UnknownPhone):
        table.report("Eve", (121, 95))
    with pytest.raises(refused.NoSuchTable):
        report_on_phone(table.club, "key of Ann", 1, 2, (121, 95))


def test_joining_needs_the_code_and_a_player_without_a_phone() -> None:
    table = Table()
    with pytest.raises(refused.WrongJoinCode):
        table.join("Ann", "271828")
    with pytest.raises(refused.NotEntered):
        table.join("Cat")
    table.join("ANN")
    with pytest.raises(refused.HasPhone):
        table.join("Ann")


def test_a_released_phone_reports_nothing_and_its_number_is_not_used_again(table: Table) -> None:
    table.apply(release_phone(table.night, 1))
    with pytest.raises(refused.UnknownPhone):
        table.report("Ann", (121, 95))
    with pytest.raises(refused.UnknownPhone):
        release_phone(table.night, 1)
    table.join("Ann")
    assert owner_of(table.night, "key of Ann") == (3, ANN)


def test_a_phone_is_of_no_use_in_the_next_night(table: Table) -> None:
    table.apply(d.create_night(table.club, "2026-03-21", NightSettings(), closes=True))
    with pytest.raises(refused.UnknownPhone):
        table.report("Ann", (121, 95))
