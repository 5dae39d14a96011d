"""The page of a player: the code of the night, the own game, and what other phones and other sites may not do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from firmware_host.club import decide as d
from firmware_host.club.events import BracketKind
from firmware_host.club.seating import set_join_code
from firmware_host.club_server.accounts import AccountRole
from tests.web_panel.club_rig import ClubRig, begin, post
from web_panel.club.attempts import WRONG
from web_panel.club.players import PHONE_COOKIE

CODE = "314159"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[ClubRig]:
    rig = ClubRig(tmp_path)
    with closing(rig.file):
        begin(rig.file, 2)
        rig.file.change(lambda club: set_join_code(club.nights[-1], CODE))
        rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
        yield rig


def phone_of(rig: ClubRig, name: str) -> FlaskClient:
    client = rig.client()
    assert post(client, "player/join", name=name, code=CODE).status_code == 204
    return client


def report(client: FlaskClient, first: int, second: int) -> int:
    return post(client, "player/report", round=1, table=1, first=first, second=second).status_code


def test_two_phones_enter_and_confirm_a_result(rig: ClubRig) -> None:
    ann, ben = phone_of(rig, "ann"), phone_of(rig, "BEN")
    assert "You play Ben." in ann.get("/me").text and "You play Ann." in ben.get("/me/part").text
    assert report(ann, 121, 88) == 204
    assert "Now Ben confirms it" in ann.get("/me").text and "Ann confirmed it. Do you?" in ben.get("/me").text
    assert report(ben, 121, 88) == 204
    assert rig.night.rounds[0].games[0].is_official
    assert "Wait for the next round" in ann.get("/me").text and "88–121" in ben.get("/me").text
    audit = rig.client(AccountRole.ORGANISER).get("/audit").text
    assert "Ann · phone 1" in audit and "Ben · phone 2" in audit


def test_two_phones_play_a_match_of_the_play_offs(rig: ClubRig) -> None:
    ann, ben = phone_of(rig, "Ann"), phone_of(rig, "Ben")
    for number in range(1, rig.night.settings.games + 1):
        if number > 1:
            rig.file.change(lambda club: d.pair_round(club, club.nights[0]))
        for game in rig.night.rounds[-1].games:
            result = (game.round, game.table, (121, 90), "on paper")
            rig.file.change(lambda club, result=result: d.correct_result(club.nights[0], *result))  # type: ignore[misc]
    pair = [d.find_member(rig.file.club, name).id for name in ("Ann", "Ben")]
    rig.file.change(lambda club: d.draw_bracket(club, club.nights[0], members=pair))
    match = rig.night.brackets[BracketKind.MAIN].rounds[0][0]
    first, second = (rig.file.club.name(player) for player in match.players if player)
    for number in (1, 2):
        page = ann.get("/me").text
        assert "Play-offs, table 1" in page and "You play Ben." in page and f"Game {number}, best of 3" in page
        assert (f"{first} <b>1</b>" in page) == (number == 2)
        for client in (ann, ben):
            body = {"round": rig.night.settings.games + number, "table": 1, "first": 121, "second": 88}
            assert post(client, "player/report", **body).status_code == 204
            assert ("Table 1 · not confirmed by Ben" in ben.get("/room").text) == (client is ann)
        bracket = rig.client(AccountRole.ORGANISER).get("/play-offs").text
        assert f". {first}</span> <b>{number}</b>" in bracket and f". {second}</span> <b>0</b>" in bracket
        assert ("Table 1" in bracket) == (number == 1)
    end = ann.get("/me").text.split("<main")[1].split("</main>")[0]
    assert "All rounds are played" in end and '<a href="/">Standings</a>' in end and f"Winner: {first}" in bracket
    audit = rig.client(AccountRole.ORGANISER).get("/audit").text
    assert f"Play-offs, table 1: {first} 121, {second} 88. Confirmed by Ben · phone 2." in audit


def test_the_organiser_sees_both_results_of_a_dispute_and_chooses_one(rig: ClubRig) -> None:
    ann, ben = phone_of(rig, "Ann"), phone_of(rig, "Ben")
    assert (report(ann, 121, 88), report(ben, 88, 121)) == (204, 204)
    assert "You and Ben entered different results" in ann.get("/me").text
    page = rig.client(AccountRole.ORGANISER).get("/organiser").text
    assert "<b>121–88</b>" in page and "<b>88–121</b>" in page and page.count("This one counts") == 2
    assert "Ann entered 121-88, Ben entered 88-121" in rig.client().get("/room").text


def test_a_spectator_reports_nothing(rig: ClubRig) -> None:
    phone_of(rig, "Ann")
    stranger = rig.client()
    assert report(stranger, 121, 88) == 409
    stranger.set_cookie(PHONE_COOKIE, "a guess")
    assert report(stranger, 121, 88) == 409
    assert not rig.night.rounds[0].games[0].scores


def test_wrong_codes_of_one_address_have_to_wait(rig: ClubRig) -> None:
    client = rig.client()
    tries = [post(client, "player/join", name="Ann", code="000000").status_code for _ in range(WRONG + 1)]
    assert tries == [409] * WRONG + [429]
    assert post(client, "player/join", name="Ann", code=CODE).status_code == 429


def test_other_sites_report_nothing(rig: ClubRig) -> None:
    ann = phone_of(rig, "Ann")
    body = {"round": 1, "table": 1, "first": 121, "second": 88}
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {}):
        assert ann.post("/api/v1/player/report", json=body, headers=headers).status_code == 403
    assert not rig.night.rounds[0].games[0].scores


def test_the_token_is_kept_as_a_hash_out_of_reach_of_scripts(rig: ClubRig) -> None:
    cookie = post(rig.client(), "player/join", name="Ann", code=CODE).headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    token = cookie.partition("=")[2].partition(";")[0]
    assert all(token not in record.body for record in rig.file.records())


def test_the_organiser_and_the_player_take_a_phone_back(rig: ClubRig) -> None:
    ann, ben = phone_of(rig, "Ann"), phone_of(rig, "Ben")
    pages = rig.client(AccountRole.ORGANISER)
    assert "Release the phone of Ann" in pages.get("/organiser").text
    assert post(pages, "night/release-phone", phone=1).status_code == 204
    assert report(ann, 121, 88) == 409 and "Who are you?" in ann.get("/me").text
    assert post(ben, "player/leave").status_code == 204
    assert "Who are you?" in ben.get("/me").text
    phone_of(rig, "Ann")


def test_the_page_before_a_night_and_an_unknown_command(tmp_path: Path) -> None:
    rig = ClubRig(tmp_path)
    with closing(rig.file):
        assert "No club night yet" in rig.client().get("/me").text
        assert post(rig.client(), "player/nothing").status_code == 404


def test_a_mistyped_name_with_the_right_code_is_no_wrong_code(rig: ClubRig) -> None:
    for name in ("Jörg Müller", "Jörg Maier", "Annika"):
        member = rig.file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
        rig.file.change(lambda club, member=member: d.enter_player(club, club.nights[-1], member.member))  # type: ignore[misc]
    client = rig.client()

    def answer(name: str) -> str:
        refused = post(client, "player/join", name=name, code=CODE)
        assert refused.status_code == 409 and refused.json
        return str(refused.json["localized"])

    one_of = "Type your full name. Did you mean"
    assert answer("Jörg") == answer("jorg") == f"{one_of}: Jörg Maier, Jörg Müller?"
    assert answer("Müller") == answer("H. Mueller") == f"{one_of}: Jörg Müller?"
    assert answer("Anni") == f"{one_of}: Ann, Annika?"
    for _ in range(WRONG):
        assert "Nobody called Xyz plays tonight" in answer("Xyz")
    assert post(client, "player/join", name="joerg mueller", code=CODE).status_code == 204


def test_the_phone_of_a_player_who_has_left_says_how_to_come_back(rig: ClubRig) -> None:
    ann = phone_of(rig, "Ann")
    rig.file.change(lambda club: d.leave(club, club.nights[-1], d.find_member(club, "Ann").id))
    page = ann.get("/me?lang=en").text
    assert "You play no more tonight" in page and "Tell the organiser, who enters you again." in page
    assert "Wait for the next round" not in page and "by itself" not in page
