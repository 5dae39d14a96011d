"""Results of club nights in the ledger: those that count, once, in their newest state."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware_host.club import decide as d
from firmware_host.club.members import NightSettings
from firmware_host.club.standings import standings as night_standings
from firmware_host.club_server.store import ClubFile, open_club
from firmware_host.league.club_results import import_club
from firmware_host.league.database import Database, LeagueError
from firmware_host.league.standings import standings


def begin(file: ClubFile, *names: str, rounds: int = 1) -> None:
    for name in names:
        file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
    file.change(lambda club: d.create_night(club, "2026-03-14", NightSettings(games=rounds)))
    for member in range(1, len(names) + 1):
        file.change(lambda club, member=member: d.enter_player(club, club.nights[-1], member))  # type: ignore[misc]


def won(database: Database, club: str = "") -> list[tuple[str, int, int]]:
    return [(row.name, row.wins, row.points) for row in standings(database, club=club)]


def test_a_result_counts_once_it_is_confirmed_and_as_it_was_corrected(tmp_path: Path, database: Database) -> None:
    path = tmp_path / "club.sqlite3"
    with open_club(path) as file:
        begin(file, "Ann", "Bob")
        file.change(lambda club: d.pair_round(club, club.nights[-1]))
        first, second = file.club.nights[-1].rounds[0].games[0].players
        names = file.club.name(first), file.club.name(second)
        file.change(lambda club: d.report_result(club, club.nights[-1], 1, 1, (121, 60), first))
        assert import_club(database, path, "Hill") == 0 and won(database) == []
        file.change(lambda club: d.confirm_result(club, club.nights[-1], 1, 1, second))
        assert import_club(database, path, "Hill") == import_club(database, path, "Hill") == 1
        assert won(database) == [(names[0], 1, 3), (names[1], 0, 0)]
        file.change(lambda club: d.correct_result(club.nights[-1], 1, 1, (100, 121), "misread"))
        assert import_club(database, path, "Hill") == 1
    assert won(database) == won(database, "Hill") == [(names[1], 1, 2), (names[0], 0, 0)]
    assert won(database, "Riverside") == []


def test_a_member_who_is_renamed_has_the_new_name(tmp_path: Path, database: Database) -> None:
    path = tmp_path / "club.sqlite3"
    with open_club(path) as file:
        begin(file, "Ann", "Bob")
        file.change(lambda club: d.pair_round(club, club.nights[-1]))
        file.change(lambda club: d.correct_result(club.nights[-1], 1, 1, (121, 60), "typed"))
        import_club(database, path, "Hill")
        file.change(lambda club: d.change_member(club, d.find_member(club, "Ann").id, name="Anna"))
        import_club(database, path, "Hill")
    assert {name for name, *_ in won(database)} == {"Anna", "Bob"}


def test_two_clubs_keep_their_games_apart(tmp_path: Path, database: Database) -> None:
    for name in ("Hill", "Riverside"):
        with open_club(tmp_path / name) as file:
            begin(file, "Ann", "Bob")
            file.change(lambda club: d.pair_round(club, club.nights[-1]))
            file.change(lambda club: d.correct_result(club.nights[-1], 1, 1, (121, 60), "typed"))
        import_club(database, tmp_path / name, name)
    assert [row.games for row in standings(database)] == [2, 2]
    assert [row.games for row in standings(database, club="Hill")] == [1, 1]


def test_the_standings_of_one_night_are_those_of_the_club(tmp_path: Path, database: Database) -> None:
    chance, path = random.Random(5), tmp_path / "club.sqlite3"
    with open_club(path) as file:
        begin(file, "Ann", "Bob", "Cat", "Dan", "Eve", "Fay", rounds=5)
        for number in range(1, 6):
            file.change(lambda club: d.pair_round(club, club.nights[-1]))
            for table in (1, 2, 3):
                scores = (121, chance.randrange(50, 121))[:: chance.choice((1, -1))]
                file.change(
                    lambda club, number=number, table=table, scores=scores: d.correct_result(  # type: ignore[misc]
                        club.nights[-1], number, table, scores, "typed"
                    )
                )
        expected = [
            (row.place, file.club.name(row.member), row.sums.game_points, row.sums.wins, row.sums.spread, row.sums.plus)
            for row in night_standings(file.club.nights[-1])
        ]
    import_club(database, path, "Hill")
    found = [(row.place, row.name, row.points, row.wins, row.spread, row.plus) for row in standings(database)]
    assert sorted(found) == sorted(expected)


def test_a_file_that_is_missing_is_not_made(tmp_path: Path, database: Database) -> None:
    with pytest.raises(LeagueError, match="no such file"):
        import_club(database, tmp_path / "club.sqlite3", "Hill")
    assert not (tmp_path / "club.sqlite3").exists()
