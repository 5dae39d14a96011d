"""The papers of a night on the pages: who sees which, what is on them, and the file that needs no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.club import decide as d
from firmware_host.club.events import BracketKind
from firmware_host.club.honours import note_high_hands
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.papers import Paper, PaperSize
from firmware_host.club_server.accounts import AccountRole
from firmware_host.config.languages import LANGUAGES
from tests.web_panel.club_rig import ClubRig, begin, play_rounds, post
from web_panel.club.papers import cards_of, paper_file

ORGANISER, SCOREKEEPER = AccountRole.ORGANISER, AccountRole.SCOREKEEPER


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[ClubRig]:
    rig = ClubRig(tmp_path)
    with closing(rig.file):
        yield rig


def sheets(page: str) -> list[int]:
    """How many cards each sheet of a page has."""
    return [part.count('class="slip"') for part in page.split('class="sheet')[1:]]


def test_scorecards_are_four_on_a_sheet_in_the_order_of_entry(rig: ClubRig) -> None:
    begin(rig.file, 7)
    play_rounds(rig.file, 2)
    page = rig.client(SCOREKEEPER).get("/papers/scorecards").text
    assert sheets(page) == [4, 3]
    assert re.findall(r"<h2>(\w+)</h2>", page) == [rig.file.club.name(member) for member in rig.night.entrants]


def test_the_initials_are_left_for_the_hand_of_the_opponent(rig: ClubRig) -> None:
    begin(rig.file, 2)
    play_rounds(rig.file, 2)
    page = rig.client(SCOREKEEPER).get("/papers/scorecards?lang=en").text
    rows = re.findall(r'<tr><th scope="row">\d</th>(.*?)</tr>', page)
    assert len(rows) == 18 and all(row.endswith("<td></td>") for row in rows)


def test_sums_are_written_by_hand_until_every_game_is_known(rig: ClubRig) -> None:
    begin(rig.file, 2)
    play_rounds(rig.file, 8)
    assert [card.sums for card in cards_of(rig.night)] == [None, None]
    for game in rig.night.open_games:
        rig.file.change(lambda club, game=game: d.correct_result(club.nights[-1], game.round, 1, (121, 5), "-"))  # type: ignore[misc]
    rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
    rig.file.change(lambda club: d.correct_result(club.nights[-1], 9, 1, (121, 5), "-"))
    assert all(card.sums and card.sums.games == 9 for card in cards_of(rig.night))


def test_blank_cards_need_no_night(rig: ClubRig) -> None:
    page = rig.client(ORGANISER).get("/papers/blank-scorecards?paper=letter").text
    assert sheets(page) == [4] and page.count('<th scope="row">9</th>') == 4 and 'class="paper letter' in page
    listed = rig.client(SCOREKEEPER).get("/papers").text
    assert "/papers/blank-scorecards?paper=a4" in listed and "/papers/standings" not in listed


def test_an_earlier_night_has_its_papers_too(rig: ClubRig) -> None:
    begin(rig.file, 2)
    rig.file.change(lambda club: d.create_night(club, "2026-03-21", NightSettings(), closes=True))
    client = rig.client(ORGANISER)
    assert "2026-03-14" in client.get("/papers/standings?night=1").text
    assert "2026-03-14" not in client.get("/papers/standings").text
    assert "/papers/results?paper=a4&amp;night=1" in client.get("/papers?night=1").text
    assert client.get("/papers?night=9").status_code == 409 and client.get("/papers/nothing").status_code == 404


def test_high_hands_are_noted_on_the_page_and_printed_with_the_standings(rig: ClubRig) -> None:
    begin(rig.file, 4)
    client = rig.client(ORGANISER)
    assert post(client, "night/note-hands", member=2, points=29, count=1).status_code == 204
    assert "Ben: 29" in client.get("/papers/standings?lang=en").text
    assert "Remove 29 of Ben" in client.get("/papers?lang=en").text
    assert "Remove 29 of Ben" not in rig.client(SCOREKEEPER).get("/papers?lang=en").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_for_the_printer_needs_no_other_file(rig: ClubRig, language: str) -> None:
    begin(rig.file, 3)
    play_rounds(rig.file, 2)
    rig.file.change(lambda club: note_high_hands(club, club.nights[-1], MemberId(1), 28, 2))
    for paper in Paper:
        page = paper_file(rig.file.club, rig.night, paper, PaperSize.LETTER, language)
        assert f'<html lang="{language}">' in page and "@page sheet-letter" in page
        assert not re.search(r"<link|<script|src=|href=|url\(|@import", page), paper


def test_names_are_escaped_on_paper(rig: ClubRig) -> None:
    rig.file.change(lambda club: d.add_member(club, "<i>Ann"))
    begin(rig.file, 1)
    rig.file.change(lambda club: d.enter_player(club, club.nights[-1], MemberId(2)))
    rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
    for paper in Paper:
        assert "<i>" not in paper_file(rig.file.club, rig.night, paper, PaperSize.A4, "en")


def over(rig: ClubRig, players: int) -> None:
    """Every round is played; the player with the lower number wins."""
    begin(rig.file, players)
    for number in range(1, 10):
        rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
        for game in rig.night.rounds[-1].games:
            scores = (121, 80) if game.players.first < game.players.second else (80, 121)
            rig.file.change(
                lambda club, table=game.table, scores=scores, number=number: d.correct_result(  # type: ignore[misc]
                    club.nights[-1], number, table, scores, "-"
                )
            )


def test_standings_say_which_cards_earn_grass_roots_points(rig: ClubRig) -> None:
    over(rig, 10)
    page = rig.client(SCOREKEEPER).get("/papers/standings?lang=en").text
    assert "12 or more" in page and "Ann</p>" in page, "a grand slam"
    points = [int(cell) for cell in re.findall(r"<td><b>(\d+)</b></td>", page)]
    assert page.count("✓") == sum(each >= 12 for each in points) == 6, points


def test_the_lower_half_of_the_qualifiers_has_its_master_points(rig: ClubRig) -> None:
    over(rig, 12)
    rig.file.change(lambda club: d.draw_bracket(club, club.nights[-1], BracketKind.MAIN))
    page = rig.client(SCOREKEEPER).get("/papers/play-offs?lang=en").text
    rows = re.findall(r'<tr><th scope="row">\d</th>.*?<td>(\d?)</td></tr>', page)
    assert rows == ["", "", "5"], "three of twelve; the one in the middle is in neither half"
    assert page.count("<li><p>") == 3 and "5 Master Points, 3 in a consolation" in page
