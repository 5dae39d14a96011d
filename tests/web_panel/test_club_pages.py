"""The pages of a club night: the screen of the room for everybody, the others for accounts."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from urllib.request import Request, urlopen
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from werkzeug.test import TestResponse

from firmware_host.club import decide as d
from firmware_host.club.events import BracketKind, ResultUnmatched, Unmatched
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.seating import round_on_screen
from firmware_host.club_server import accounts as accounts_file
from firmware_host.club_server import store
from firmware_host.club_server.accounts import MEMORY_KIB, PASSES, AccountRole, Accounts
from firmware_host.club_server.store import ClubFile
from firmware_host.config.languages import LANGUAGES
from firmware_host.cribbage.variants import PRESETS
from tests.web_panel.club_rig import PASSWORD, ClubRig, begin, begin_playoffs, play_rounds, post, serving
from web_panel.club.access import COOKIE, REQUIRED_ROLES, SESSION_S, Sessions
from web_panel.club.app import close_club, create_club
from web_panel.club.attempts import WRONG, WRONG_FOR_A_NAME
from web_panel.errors import Problem
from web_panel.pages.restores import CHUNK_BYTES
from web_panel.security.request_guard import HEADERS
from web_panel.server import loop
from web_panel.server.limits import ServerLimits

ORGANISER, SCOREKEEPER = AccountRole.ORGANISER, AccountRole.SCOREKEEPER


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[ClubRig]:
    rig = ClubRig(tmp_path)
    with closing(rig.file):
        yield rig


def test_a_night_runs_on_the_pages_alone(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    for name in ("Ann", "Ben", "Cat"):
        assert post(pages, "night/add", name=name, handicap=0, guest=False).status_code == 204
    assert post(pages, "night/create", night=1, date="2026-03-14", games=3, head_start=False).status_code == 204
    assert post(pages, "night/enter-all").status_code == 204
    assert post(pages, "night/pair", round=1).status_code == 204
    assert post(pages, "results/report", round=1, table=1, first=121, second=80).status_code == 204
    for member in rig.night.rounds[0].games[0].players:
        assert post(pages, "results/confirm", round=1, table=1, member=member).status_code == 204
    room = rig.client().get("/").text
    assert "Round 1 of 3" in room and "+41" in room and "−41" in room
    assert rig.file.club.name(rig.night.rounds[0].byes[0]) in room.partition("Bye")[2]
    correction = {"round": 1, "table": 1, "first": 80, "second": 121, "reason": "typed the wrong way round"}
    assert post(pages, "night/correct", **correction).status_code == 204
    assert "typed the wrong way round" in rig.client().get("/room").text
    assert "typed the wrong way round" in pages.get("/audit").text
    assert post(pages, "night/leave", member=3).status_code == 204
    assert post(pages, "night/enter", member=3).status_code == 204


def test_a_script_on_the_organisers_computer_may_connect_anew_for_each_request(
    rig: ClubRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = ServerLimits(connects_at_once=4, connects_per_s=0.001)
    monkeypatch.setattr(loop, "ServerLimits", lambda: few)
    with serving(rig) as address:
        for _ in range(10):
            with urlopen(f"{address}room") as answer:
                assert answer.status == HTTPStatus.OK
        stranger = Request(f"{address}room", headers={"X-Forwarded-For": "192.0.2.7"})
        with pytest.raises(OSError):
            urlopen(stranger)


def test_places_are_changed_by_hand_and_a_late_player_sits_down(rig: ClubRig) -> None:
    begin(rig.file, 5)
    pages = rig.client(ORGANISER)
    assert post(pages, "night/leave", member=5).status_code == 204
    for number in (1, 2):
        assert post(pages, "night/pair", round=number, sure=True).status_code == 204
    one, two = (game.players.first for game in rig.night.rounds[0].games)
    assert post(pages, "night/pair-two", round=1, first=one, second=two).status_code == 204
    assert rig.night.rounds[0].games[0].players == (one, two)
    assert "Undo the last change of places" in pages.get("/organiser?round=1").text
    assert post(pages, "night/undo-places", round=1).status_code == 204
    assert post(pages, "night/undo-places", round=1).status_code == 409
    assert post(pages, "night/swap", round=1, first=1, second=2).status_code == 204
    assert post(pages, "night/bye", round=1, member=one).status_code == 204
    assert len(rig.night.rounds[0].byes) == 2
    assert post(pages, "night/undo-leave", member=5).status_code == 204
    assert "Eva has no place in this round." in pages.get("/organiser?round=1").text
    assert post(pages, "night/leave", member=5).status_code == 204
    assert post(pages, "night/enter", member=5).status_code == 204
    assert rig.night.rounds[0].game_of(MemberId(5))


def test_a_second_press_draws_no_second_round_and_starts_no_second_night(rig: ClubRig) -> None:
    begin(rig.file, 4)
    pages = rig.client(ORGANISER)
    assert post(pages, "night/pair", round=1).status_code == 204
    assert post(pages, "night/pair", round=1).status_code == 409
    assert post(pages, "night/create", night=1).status_code == 409
    assert (len(rig.file.club.nights), len(rig.night.rounds)) == (1, 1)


def test_a_refusal_is_a_sentence_in_the_language_of_the_page(rig: ClubRig) -> None:
    begin(rig.file, 1)
    answer = rig.client(ORGANISER).post(
        "/api/v1/night/pair?lang=fr", json={"round": 1}, headers={"Origin": "http://localhost"}
    )
    assert answer.status_code == 409 and answer.json and answer.json["localized"] != answer.json["message"]


@pytest.mark.parametrize("path", ["results/report", "night/correct", "night/create"])
def test_a_command_with_a_missing_or_unknown_field_is_400(rig: ClubRig, path: str) -> None:
    pages = rig.client(ORGANISER)
    assert post(pages, path, surprise=1).status_code == 400


def test_every_route_has_a_role_and_every_role_a_route(rig: ClubRig) -> None:
    routes = {
        f"{method} {rule.rule}"
        for rule in rig.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == set(REQUIRED_ROLES)


@pytest.mark.parametrize(("route", "required"), [*REQUIRED_ROLES.items()])
def test_each_route_refuses_lower_roles(rig: ClubRig, route: str, required: AccountRole | None) -> None:
    begin(rig.file, 2)
    method, path = route.split()
    path = (
        path.replace("papers/<name>", "papers/results")
        .replace("<name>", "pair")
        .replace("<names>", "tokens")
        .replace("<path:filename>", "nothing")
        .replace("<int:number>", "1")
    )
    for role in (None, SCOREKEEPER, ORGANISER):
        answer = rig.client(role).open(
            path, method=method, json={} if method == "POST" else None, headers={"Origin": "http://localhost"}
        )
        is_allowed = required is None or (role is not None and role >= required)
        if path != "/api/v1/login":  # an empty body is no password
            assert (answer.status_code == 403) != is_allowed, role


def test_a_spectator_gets_no_form_and_no_reason_to_log_in(rig: ClubRig) -> None:
    begin(rig.file, 4)
    play_rounds(rig.file, 1)
    text = rig.client().get("/").text
    assert "<form" not in text and 'href="/members"' not in text


def test_the_log_in_needs_the_password_and_ends(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    assert pages.get("/organiser").status_code == 200
    assert post(pages, "logout").status_code == 204
    assert pages.get("/organiser").status_code == 403
    wrong = post(pages, "login", name="ORGANISER", password="wrong password")
    assert wrong.status_code == 403 and wrong.json and wrong.json["localized"] == "Wrong name or password."
    assert post(pages, "login", name="nobody", password=PASSWORD).status_code == 403


def test_a_page_that_needs_an_account_is_the_log_in_form_and_returns(rig: ClubRig) -> None:
    begin(rig.file, 2)
    for path in ("/organiser", "/members", "/audit"):
        answer = rig.client().get(path, headers={"Accept": "text/html"})
        assert answer.status_code == 403 and f'data-command="login" data-then="{path}"' in answer.text


def test_the_next_night_needs_a_word_while_one_is_on(rig: ClubRig) -> None:
    begin(rig.file, 2)
    pages = rig.client(ORGANISER)
    assert 'name="close"' in pages.get("/organiser").text
    assert post(pages, "night/create", night=2).status_code == 409
    assert post(pages, "night/create", night=2, close=True).status_code == 204


def test_the_token_is_out_of_reach_of_scripts_and_other_sites(rig: ClubRig) -> None:
    rig.accounts.set("Olga", ORGANISER, PASSWORD)
    cookie = post(rig.client(), "login", name="olga ", password=PASSWORD).headers["Set-Cookie"]
    assert cookie.startswith(f"{COOKIE}=") and "HttpOnly" in cookie and "SameSite=Strict" in cookie


def test_a_removed_or_changed_account_is_logged_out_at_once(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    rig.accounts.set("second", ORGANISER, PASSWORD)
    rig.accounts.set("organiser", SCOREKEEPER, "another password")
    assert pages.get("/audit").status_code == 403
    again = rig.client(SCOREKEEPER)
    rig.accounts.remove("scorekeeper")
    assert again.get("/organiser").status_code == 403


def test_wrong_passwords_of_one_address_have_to_wait(tmp_path: Path) -> None:
    accounts, now_s = Accounts(tmp_path / "accounts.json"), [0.0]
    accounts.set("Olga", ORGANISER, PASSWORD)
    sessions = Sessions(accounts, lambda: now_s[0])

    def status(password: str, address: str = "192.0.2.7") -> int | None:
        try:
            assert sessions.account(sessions.log_in("Olga", password, address))
        except Problem as problem:
            return problem.code
        return 204

    assert [status("wrong password") for _ in range(WRONG + 1)] == [403] * WRONG + [429]
    assert status(PASSWORD) == 429 and status(PASSWORD, "192.0.2.8") == 204
    now_s[0] += 61
    assert status(PASSWORD) == 204


@pytest.fixture
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts_file, "PASSES", 1)
    monkeypatch.setattr(accounts_file, "MEMORY_KIB", 8)


@pytest.mark.usefixtures("cheap_hashes")
def test_an_own_account_buys_no_further_guesses_at_another_one(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "accounts.json")
    accounts.set("Olga", ORGANISER, PASSWORD)
    accounts.set("Sam", SCOREKEEPER, PASSWORD)
    sessions = Sessions(accounts, lambda: 0.0)

    def code(name: str, password: str) -> int | None:
        try:
            sessions.log_in(name, password, "192.0.2.7")
        except Problem as problem:
            return problem.code
        return 204

    guesses = [code("Olga", "a guess") for _ in range(20) if code("Sam", PASSWORD)]
    assert guesses == [403] * WRONG + [429] * (20 - WRONG)


@pytest.mark.usefixtures("cheap_hashes")
def test_guesses_at_one_name_are_limited_over_all_addresses(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "accounts.json")
    accounts.set("Olga", ORGANISER, PASSWORD)
    sessions = Sessions(accounts, lambda: 0.0)
    assert sessions.log_in("Olga", PASSWORD, "192.0.2.1")

    def code(name: str, password: str, address: str) -> int | None:
        with pytest.raises(Problem) as refused:
            sessions.log_in(name, password, address)
        return refused.value.code

    answers = [code(" olga", "a guess", f"198.51.100.{number}") for number in range(WRONG_FOR_A_NAME + 2)]
    assert answers == [403] * WRONG_FOR_A_NAME + [429] * 2
    assert code("Olga", PASSWORD, "198.51.100.99") == 429
    assert sessions.log_in("Olga", PASSWORD, "192.0.2.1")  # Olga herself, where she was before


def test_a_session_ends_by_itself(tmp_path: Path) -> None:
    accounts, now_s = Accounts(tmp_path / "accounts.json"), [0.0]
    accounts.set("Olga", ORGANISER, PASSWORD)
    sessions = Sessions(accounts, lambda: now_s[0])
    token = sessions.log_in("Olga", PASSWORD, "192.0.2.7")
    now_s[0] = SESSION_S + 1
    assert sessions.account(token) is None


def test_the_file_of_accounts_has_argon2id_hashes_and_only_its_owner_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts_file, "MEMORY_KIB", MEMORY_KIB)  # as the program has it
    monkeypatch.setattr(accounts_file, "PASSES", PASSES)
    path = tmp_path / "accounts.json"
    Accounts(path).set("Olga", ORGANISER, PASSWORD)
    assert path.stat().st_mode & 0o077 == 0 and PASSWORD not in path.read_text()
    assert json.loads(path.read_text())["accounts"][0]["hash"].startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert Accounts(path).check("Olga", PASSWORD) and not Accounts(path).check("Olga", "another")


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {}])
def test_commands_of_other_sites_are_refused(rig: ClubRig, headers: dict[str, str]) -> None:
    answer = rig.client(ORGANISER).post("/api/v1/night/enter-all", json={}, headers=headers)
    assert answer.status_code == 403


def test_foreign_host_names_are_refused_and_every_answer_has_the_policy(rig: ClubRig) -> None:
    assert rig.client().get("/", headers={"Host": "evil.example"}).status_code == 400
    for path in ("/", "/room", "/organiser", "/nothing"):
        assert HEADERS.items() <= dict(rig.client().get(path).headers).items()


def test_no_page_has_an_inline_script_or_style(rig: ClubRig) -> None:
    begin(rig.file, 8)
    play_rounds(rig.file, 2)
    pages = rig.client(ORGANISER)
    for path in ("/", "/organiser", "/members", "/play-offs", "/papers", "/audit", "/login"):
        assert not re.search(r"<style|style=|\son\w+=|<script(?![^>]*src=)", pages.get(path).text), path


def test_names_are_escaped(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    post(pages, "night/add", name="<b onclick=x>", handicap=0, guest=False)
    post(pages, "night/create", night=1)
    post(pages, "night/enter-all")
    for path in ("/", "/room", "/organiser", "/members", "/audit", "/papers"):
        assert "<b onclick" not in pages.get(path).text


def test_the_screen_shows_the_first_round_that_is_not_over(rig: ClubRig) -> None:
    begin(rig.file, 4)
    pages = rig.client(ORGANISER)
    for number in (1, 2, 3):
        assert post(pages, "night/pair", round=number, sure=True).status_code == 204
    shown = round_on_screen(rig.night)
    assert shown and shown.number == 1


def test_an_unchanged_screen_is_not_sent_again(rig: ClubRig) -> None:
    begin(rig.file, 4)
    spectator = rig.client()
    etag = spectator.get("/room").headers["ETag"]
    assert spectator.get("/room", headers={"If-None-Match": etag}).status_code == 304
    post(rig.client(ORGANISER), "night/pair", round=1)
    assert spectator.get("/room", headers={"If-None-Match": etag}).status_code == 200


def test_downloads_are_those_of_the_command_line(rig: ClubRig) -> None:
    begin(rig.file, 4)
    play_rounds(rig.file, 1)
    pages = rig.client(ORGANISER)
    assert len(pages.get("/night.csv").text.splitlines()) == 1 + 4
    assert [row["name"] for row in json.loads(pages.get("/night.json").text)["standings"]]


def test_the_organiser_chooses_who_plays_in_a_bracket(rig: ClubRig) -> None:
    begin_playoffs(rig.file)
    pages = rig.client(ORGANISER)
    ann, ben, cat, dan = rig.night.brackets[BracketKind.MAIN].seeds
    assert pages.get("/play-offs?lang=en").text.count("data-list checked") == 4, (
        "the seeds of the bracket that is drawn"
    )
    assert post(pages, "night/bracket", bracket="main", members=[dan, ben]).status_code == 204
    assert rig.night.brackets[BracketKind.MAIN].seeds == (ben, dan), "in the order of the standings"
    assert post(pages, "night/bracket", bracket="consolation").status_code == 204
    assert rig.night.brackets[BracketKind.CONSOLATION].seeds == (ann, cat)
    nobody = post(pages, "night/bracket", bracket="main", members=[])
    assert nobody.status_code == 409 and nobody.json and nobody.json["localized"]
    assert post(pages, "night/bracket", bracket="main", members=[99]).status_code == 409
    page = pages.get("/play-offs?lang=en").text
    assert page.count("<summary>Draw again</summary>") == 2 and "Draw the play-offs" not in page


def test_the_number_of_nobody_is_refused_in_a_sentence(rig: ClubRig) -> None:
    begin(rig.file, 4)
    play_rounds(rig.file, 1)
    pages = rig.client(ORGANISER)
    for command, fields in (
        ("night/leave", {}),
        ("night/enter", {}),
        ("night/remove", {}),
        ("night/bye", {"round": 1}),
        ("night/note-hands", {"points": 29, "count": 1}),
        ("results/confirm", {"round": 1, "table": 1}),
    ):
        refused = post(pages, command, member=99, **fields)
        assert refused.status_code == 409 and refused.json and "99" in refused.json["localized"], command


def test_the_rules_of_a_night_are_chosen_on_the_page(rig: ClubRig) -> None:
    organiser = rig.client(AccountRole.ORGANISER)
    assert '<option value="acc" selected>' in organiser.get("/organiser?lang=en").text
    assert post(organiser, "night/create", night=1, preset="chess").status_code == 400
    assert post(organiser, "night/create", night=1).status_code == 204
    assert rig.night.settings.rules == PRESETS["acc"].rules()
    assert "Tournament (ACC)" in organiser.get("/organiser?lang=en").text.split("lead")[1].split("</p>")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_heading_that_the_page_shows_is_one_that_it_reads(rig: ClubRig, language: str) -> None:
    pages = rig.client(ORGANISER)
    help_text = pages.get(f"/members?lang={language}").text.split('id="list-help">')[1].split("</p>")[0]
    (heading,) = re.findall(r"[“„«]\s?([^”»„“«]*;[^”»]*?)\s?[”»]", help_text)
    assert post(pages, "night/import", text=f"{heading}\nZoë;Smith;;4\n").status_code == 204
    assert [(member.name, member.handicap) for member in rig.file.club.current_members] == [("Zoë Smith", 4)]


def test_a_list_of_members_is_imported_whole_or_not_at_all(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    refused = post(pages, "night/import", text="Ann Smith\n12\n")
    assert refused.status_code == 409 and refused.json and "Line 2" in refused.json["localized"]
    assert rig.file.club.members == {}
    assert post(pages, "night/import", text="Ann Smith\nZoë;guest\n").status_code == 204
    again = post(pages, "night/import", text="Ann Smith\nBob\n")
    assert again.json and "the same person?" in again.json["localized"]
    assert post(pages, "night/import", text="Ann Smith\nBob\n", same=True).status_code == 204
    assert [member.name for member in rig.file.club.current_members] == ["Ann Smith", "Zoë", "Bob"]


def test_the_audit_is_sentences_with_filters(rig: ClubRig) -> None:
    begin(rig.file, 4)
    play_rounds(rig.file, 2)
    pages = rig.client(ORGANISER)
    first, _ = rig.night.rounds[0].games[0].players
    name = rig.file.club.name(first)
    everything = pages.get("/audit").text
    assert f"Entered by {name}." in everything and f"{name} plays tonight." in everything
    results = pages.get(f"/audit?about=results&who={first}").text
    assert f"Entered by {name}." in results and "plays tonight" not in results
    assert 0 < results.count("<li value") < everything.count("<li value")
    assert "Nothing was entered." in pages.get("/audit?about=playoffs").text
    assert pages.get("/audit?night=x&about=%00&who=-1&page=9").status_code == 200


def test_a_result_that_does_not_count_is_answered_on_the_page(rig: ClubRig) -> None:
    begin(rig.file, 2)
    play_rounds(rig.file, 1)
    pages = rig.client(ORGANISER)
    names = tuple(map(rig.file.club.name, rig.night.rounds[0].games[0].players))
    sent = ResultUnmatched(1, Unmatched.COUNTS_ALREADY, names, (121, 3), "table-1", "ab12", 1)
    rig.file.change(lambda _: sent)
    assert "The board is right" in pages.get("/organiser").text
    assert post(pages, "night/unmatched-seen", board="table-1", id="ab12").status_code == 204
    assert "The board is right" not in pages.get("/organiser").text
    assert post(pages, "night/unmatched-seen", board="table-1", id="ab12").status_code == 409


def test_accounts_are_kept_on_the_page_and_the_last_organiser_stays(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)
    assert post(pages, "accounts/add", name="Sam", password=PASSWORD, role="scorekeeper").status_code == 204
    again = post(pages, "accounts/add", name="sam", password=PASSWORD)
    assert again.status_code == 409 and again.json and again.json["localized"] == "sam has an account already."
    assert post(pages, "accounts/add", name="Short", password="short").status_code == 400
    assert post(pages, "accounts/password", name="Sam", password="another password").status_code == 204
    assert rig.accounts.check("Sam", "another password")
    assert post(pages, "accounts/password", name="nobody", password=PASSWORD).status_code == 404
    assert "Sam" in pages.get("/computer").text
    assert post(pages, "accounts/remove", name="Sam").status_code == 204
    last = post(pages, "accounts/remove", name="ORGANISER")
    assert last.status_code == 409 and last.json and last.json["localized"].startswith("The last organiser stays.")
    assert pages.get("/computer").status_code == 200


def test_earlier_nights_and_the_season_are_on_the_pages(rig: ClubRig) -> None:
    begin(rig.file, 4)
    play_rounds(rig.file, 2)
    pages = rig.client(SCOREKEEPER)
    rig.file.change(lambda club: d.create_night(club, "2026-03-21", NightSettings(), closes=True))
    listed = pages.get("/nights?points=10,8&best=1&from=2026-03-01&to=x&guests=on").text
    assert 'href="/nights/1"' in listed and 'value="10,8"' in listed and 'value="2026-03-01"' in listed
    first = pages.get("/nights/1").text
    one, two = map(rig.file.club.name, rig.file.club.nights[0].rounds[1].games[0].players)
    assert f"{one} – {two}" in first and "Chart" in first
    assert pages.get("/nights/3").status_code == 409
    organiser = rig.client(ORGANISER)
    assert organiser.get("/night.csv?night=1").text.count("2026-03-14") == 8


def test_a_backup_is_downloaded_and_restored_by_the_pages(tmp_path: Path) -> None:
    rig = ClubRig(tmp_path / "one")
    begin(rig.file, 2)
    saved = rig.client(ORGANISER).get("/club.zip").data
    rig.file.close()
    other = ClubRig(tmp_path / "other")
    pages = other.client(ORGANISER)

    def send(content: bytes) -> TestResponse:
        chunks = [content[at : at + CHUNK_BYTES] for at in range(0, len(content), CHUNK_BYTES)]
        for number, chunk in enumerate(chunks):
            sent = post(pages, "backup/chunk", number=number, chunk=b64encode(chunk).decode())
            assert sent.status_code == 204
        return post(pages, "backup/restore", chunks=len(chunks))

    assert post(pages, "backup/restore", chunks=1).status_code == 409
    assert send(b"no archive").status_code == 409
    assert "No club night yet" in pages.get("/").text  # the file is open again
    assert send(saved).status_code == 204
    assert "Ann" in other.client().get("/").text
    assert not (tmp_path / "other" / "club-upload.zip").exists()
    close_club(other.app)


def test_faults_of_a_restore_are_said_in_the_language_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = ClubRig(tmp_path)
    begin(rig.file, 2)
    pages = rig.client(ORGANISER)

    def said(backup: bytes, language: str) -> str:
        assert post(pages, "backup/chunk", number=0, chunk=b64encode(backup).decode()).status_code == 204
        pages.get(f"/?lang={language}")
        answer = post(pages, "backup/restore", chunks=1)
        assert answer.status_code == HTTPStatus.CONFLICT
        return str(json.loads(answer.data)["localized"])

    assert said(b"no archive", "en") == "This file is no backup of a club. Nothing has changed."
    assert said(archive(b"no club"), "pl") == "Kopia zapasowa jest uszkodzona. Nic się nie zmieniło. Użyj innej."
    with monkeypatch.context() as later, closing(ClubFile.open(tmp_path / "newer.sqlite3")) as newer:
        later.setattr(store, "VERSION", store.VERSION + 1)
        newer.change(lambda club: d.add_member(club, "Ann"))
    newer_file = archive((tmp_path / "newer.sqlite3").read_bytes())
    assert (
        said(newer_file, "ru") == "Это записала более новая версия cribboard. Сначала обновите её на этом компьютере."
    )
    assert "Ann" in pages.get("/members").text, "the club is as it was"
    close_club(rig.app)


def archive(club: bytes) -> bytes:
    """A backup with this file of a club."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as file:
        file.writestr("club.sqlite3", club)
    return packed.getvalue()


def test_the_screen_of_the_room_says_when_no_phone_can_open_it(rig: ClubRig) -> None:
    begin(rig.file, 2)
    assert "Follow on your phone" in (page := rig.client().get("/?lang=en").text) and "join-picture" in page
    local = create_club(rig.file, rig.accounts, "http://127.0.0.1:8090/").test_client()
    for path in ("/?lang=en", "/room?lang=en"):
        page = local.get(path).text
        assert "Only this computer can open it. For phones: --address 0.0.0.0" in page
        assert "Follow on your phone" not in page and "join-picture" not in page


def test_the_organiser_has_one_next_action_at_each_moment_of_a_night(rig: ClubRig) -> None:
    pages = rig.client(ORGANISER)

    def next_actions() -> list[str]:
        page = pages.get("/organiser?lang=en").text.partition("<dialog")[0]
        return re.findall(r'class="(?:button )?primary"[^>]*>([^<]*)<', page)

    assert next_actions() == ["Start a club night"]
    rig.file.change(lambda club: d.create_night(club, "2026-03-14", NightSettings(games=1)))
    assert next_actions() == ["Add members"]
    members = (MemberId(1), MemberId(2))
    for name in ("Ann", "Ben"):
        rig.file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
    assert next_actions() == ["Enter all"]
    rig.file.change_all(lambda club: [d.enter_player(club, club.nights[-1], member) for member in members])
    assert next_actions() == ["Draw round 1"]
    rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
    assert next_actions() == [], "the players are next"
    rig.file.change(lambda club: d.correct_result(club.nights[-1], 1, 1, (121, 90), "test"))
    assert next_actions() == ["Papers"]
    rig.file.change(lambda club: d.draw_bracket(club, club.nights[-1], members=members))
    assert next_actions() == [], "the players are next"


def test_the_organiser_sees_which_round_is_the_latest(rig: ClubRig) -> None:
    begin(rig.file, 4)
    for latest in (1, 2):
        rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
        page = rig.client(ORGANISER).get("/organiser?lang=en").text
        assert "Round 1 of 9" in page and f"Draw round {latest + 1}" in page
        assert ("Round 2 is the latest that is drawn." in page) == (latest == 2)


def test_a_list_with_lost_letters_is_refused(rig: ClubRig) -> None:
    answer = post(rig.client(ORGANISER), "night/import", text="J\ufffdrgen;guest")
    assert answer.status_code == HTTPStatus.CONFLICT and "UTF-8" in answer.text
    assert not rig.file.club.current_members
