"""The page of the organiser: signed cards, the questions before a step that is hard to take back, and reasons."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.club import decide as d
from firmware_host.club.members import MemberId
from firmware_host.club_server.accounts import AccountRole
from tests.web_panel.club_rig import ClubRig, begin, begin_playoffs, dispute, post, report

ORGANISER = AccountRole.ORGANISER
RESULT = {"round": 1, "table": 1, "first": 121, "second": 88}


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[ClubRig]:
    rig = ClubRig(tmp_path)
    with closing(rig.file):
        begin(rig.file, 4)
        rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
        yield rig


def test_one_press_enters_a_card_that_both_have_signed(rig: ClubRig) -> None:
    game = rig.night.rounds[0].games[0]
    first, second = map(rig.file.club.name, game.players)
    scorekeeper = rig.client(AccountRole.SCOREKEEPER)
    report(rig.file, game, (88, 121), game.players.second)
    assert post(scorekeeper, "results/sign", **RESULT).status_code == 204
    game = rig.night.rounds[0].games[0]
    assert game.is_official and game.scores == (121, 88) and not game.is_disputed
    said = f"{first} 121, {second} 88. Entered by the organiser for {first} and {second}, from their signed cards."
    assert said in rig.client(ORGANISER).get("/audit?about=results").text
    assert post(scorekeeper, "results/sign", **RESULT).status_code == 409, "the result counts already"


def test_the_fields_of_a_table_that_plays_are_open(rig: ClubRig) -> None:
    page = rig.client(ORGANISER).get("/organiser?lang=en").text
    assert page.count("Save, both have signed") == 2 and "<summary>Enter the result</summary>" not in page
    report(rig.file, (game := rig.night.rounds[0].games[0]), (121, 88), game.players.first)
    page = rig.client(ORGANISER).get("/organiser?lang=en").text
    assert page.count("<summary>Enter the result</summary>") == 1


def test_the_page_asks_before_a_round_is_drawn_while_tables_are_open(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    assert 'data-command="night/pair" data-asks="tables_open"' in pages.get("/organiser").text
    for table, open_tables in ((1, "2 tables are"), (2, "1 table is")):
        asked = post(pages, "night/pair", round=2)
        assert asked.status_code == 409 and asked.json and asked.json["kind"] == "tables_open"
        assert asked.json["localized"] == f"{open_tables} still open. Draw round 2 all the same?"
        assert post(pages, "results/sign", **{**RESULT, "table": table}).status_code == 204
    assert post(pages, "night/pair", round=2).status_code == 204
    for sure in (False, True):
        again = post(pages, "night/pair", round=2, sure=sure)
        assert again.json and again.json["kind"] == "round_exists" and again.json["localized"]
    assert post(pages, "night/pair", round=3, sure=True).status_code == 204
    assert len(rig.night.rounds) == 3


def test_after_the_first_draw_nobody_enters_everybody_by_one_press(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    assert post(pages, "night/add", name="Zoë").status_code == 204
    page = pages.get("/organiser?lang=en").text
    assert "Enter all" not in page and "Who comes late, or comes back" in page
    assert post(pages, "night/unpair").status_code == 204
    page = pages.get("/organiser?lang=en").text
    assert "Enter all" in page and 'aria-label="Enter Zoë"' in page
    assert post(pages, "night/leave", member=1).status_code == 204
    assert post(pages, "night/enter-all").status_code == 204
    assert set(rig.night.left) == {MemberId(1)} and MemberId(5) in rig.night.present
    page = pages.get("/organiser?lang=en").text
    assert "Enter all" not in page and 'aria-label="Enter Ann"' in page
    assert post(pages, "night/enter", member=1).status_code == 204
    assert "Enter all" not in pages.get("/organiser?lang=en").text


def test_nobody_comes_late_to_a_night_that_is_over(tmp_path: Path) -> None:
    rig = ClubRig(tmp_path)
    with closing(rig.file):
        begin_playoffs(rig.file)
        pages = rig.client(ORGANISER)
        assert post(pages, "night/add", name="Zoë").status_code == 204
        assert "Who comes late" not in pages.get("/organiser?lang=en").text


@pytest.mark.parametrize(("language", "usual", "other"), [("en", ",", "semicolon"), ("pl", ";", "comma")])
def test_the_csv_of_a_language_is_split_by_its_spreadsheets(
    rig: ClubRig, language: str, usual: str, other: str
) -> None:
    pages = rig.client(ORGANISER)
    heading = pages.get(f"/night.csv?lang={language}").data.removeprefix(BOM_UTF8).decode().splitlines()[0]
    assert heading.split(usual)[:2] == ["night", "date"]
    for path in ("organiser", "nights/1"):
        assert f"/night.csv?night=1&amp;delimiter={other}" in pages.get(f"/{path}?lang={language}").text
    chosen = pages.get(f"/night.csv?night=1&delimiter={other}").text
    assert ("night;date" if other == "semicolon" else "night,date") in chosen


def test_the_log_in_form_leads_back_to_the_page(rig: ClubRig) -> None:
    answer = rig.client().get("/organiser?round=1&lang=en", headers={"Accept": "text/html"})
    assert answer.status_code == 403 and 'data-then="/organiser?round=1&amp;lang=en"' in answer.text


def test_the_reason_of_a_decision_is_in_the_language_of_the_reader(rig: ClubRig) -> None:
    game = dispute(rig.file, rig.night.rounds[0].games[0])
    pages = rig.client(ORGANISER)
    name = rig.file.club.name(game.players.second)
    choice = {"round": 1, "table": 1, "first": 88, "second": 121, "member": game.players.second}
    assert post(pages, "night/choose", **{**choice, "member": 9}).status_code == 409, "another table"
    assert post(pages, "night/choose", **choice).status_code == 204
    assert rig.night.rounds[0].games[0].is_official
    assert f"corrected: the organiser decided for the entry of {name}" in pages.get("/organiser?lang=en").text
    assert "the organiser" not in pages.get("/organiser?lang=fr").text
    assert "the organiser" not in pages.get("/audit?lang=pl").text


def test_the_decision_for_a_board_names_it(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    assert post(pages, "night/choose", **RESULT, board="table-3").status_code == 204
    said = "Corrected by the organiser: the organiser decided for the result of table-3."
    assert said in pages.get("/audit?lang=en").text


def test_two_who_have_met_and_a_second_bye_are_asked_about(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    first, second = rig.night.rounds[0].games[0].players
    names = " – ".join(map(rig.file.club.name, sorted((first, second))))
    for table in (1, 2):
        post(pages, "results/sign", **{**RESULT, "table": table})
    post(pages, "night/pair", round=2)
    two = {"round": 2, "first": first, "second": second}
    asked = post(pages, "night/pair-two", **two)
    assert asked.status_code == 409 and asked.json and asked.json["kind"] == "met_before"
    assert asked.json["localized"] == f"{names} have met already, in round 1. Let them meet again?"
    assert 'data-command="night/pair-two" data-asks="met_before had_bye"' in pages.get("/organiser").text
    assert post(pages, "night/pair-two", **two, sure=True).status_code == 204
    other = rig.night.rounds[1].games[1].players.first
    assert post(pages, "night/bye", round=2, member=other).status_code == 204, "the first bye"
    for game in rig.night.rounds[1].games:
        post(pages, "results/sign", **{**RESULT, "round": 2, "table": game.table})
    post(pages, "night/pair", round=3)
    asked = post(pages, "night/bye", round=3, member=other)
    assert asked.json and asked.json["kind"] in ("had_bye", "met_before"), "his opponent has one too"
    assert post(pages, "night/bye", round=3, member=other, sure=True).status_code == 204


def test_after_the_last_round_the_standings_are_linked(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    for number in range(1, rig.night.settings.games + 1):
        if number > 1:
            rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
        for table in (1, 2):
            assert post(pages, "results/sign", **{**RESULT, "round": number, "table": table}).status_code == 204
        is_over = number == rig.night.settings.games
        assert ('<a class="button" href="/nights/1">Standings</a>' in pages.get("/organiser?lang=en").text) == is_over
    room, phone = (rig.client().get(f"{path}?lang=en").text for path in ("/", "/me"))
    assert "enter your results" not in room and "The standings on your phone" in room
    assert "Code on the screen" not in phone and "All rounds are played" in phone


def test_the_table_for_excel_says_that_it_is_utf_8(rig: ClubRig) -> None:
    assert rig.client(ORGANISER).get("/night.csv").get_data().startswith(BOM_UTF8)


def test_the_filter_of_the_audit_has_the_organiser_and_names_in_order(rig: ClubRig) -> None:
    for name in ("Åse", "Łukasz", "Ümit", "Zoë"):
        rig.file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
    pages = rig.client(ORGANISER)
    report(rig.file, (game := rig.night.rounds[0].games[0]), (121, 88), game.players.first)
    everything = pages.get("/audit?who=&lang=en").text
    options = re.findall(r"<option[^>]*>([^<]*)</option>", everything.partition('name="who"')[2])
    assert options == ["everybody", "the organiser", "Ann", "Åse", "Ben", "Cat", "Dan", "Łukasz", "Ümit", "Zoë"]
    organiser = pages.get("/audit?who=0&lang=en").text
    assert "Round 1 is drawn" in organiser and "Round 1, table 1:" not in organiser
    assert "Round 1, table 1:" in everything and 'value="0" selected' in organiser


def test_the_winner_has_another_sign_than_a_tick(rig: ClubRig) -> None:
    rule = re.search(r"\.player\.won span::before \{[^}]*\}", rig.client().get("/styles/pages-club.css").text)
    assert rule and "★" in rule[0]


def test_the_members_page_asks_for_full_names_in_polish(rig: ClubRig) -> None:
    page = rig.client(ORGANISER).get("/members?lang=pl").text
    assert ">Imię<" not in page and "Imiona<" not in page and "Imię i nazwisko" in page
