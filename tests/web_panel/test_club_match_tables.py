"""Games of play-offs on the organiser's pages: two results side by side, tables exchanged, and boards at the tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from firmware_host.club.bracket import Match
from firmware_host.club.events import BracketKind
from firmware_host.club.game import Game
from firmware_host.club.seating import join_board, set_join_code
from firmware_host.club_server.accounts import AccountRole
from firmware_host.club_server.live_boards import LiveBoards, live_topics
from tests.club.test_live_boards import payload, table
from tests.web_panel.club_rig import ClubRig, begin_playoffs, dispute, post

CODE = "314159"
STATUS, STATE = live_topics("board-1")


@pytest.fixture
def live() -> LiveBoards:
    return LiveBoards(lambda: datetime(2026, 3, 14, 21, 5))


@pytest.fixture
def rig(tmp_path: Path, live: LiveBoards) -> Iterator[ClubRig]:
    """Ann plays Dan at table 1, where `board-1` is, and Ben plays Cat at table 2."""
    rig = ClubRig(tmp_path, live)
    with closing(rig.file) as file:
        begin_playoffs(file)
        file.change(lambda club: set_join_code(club.nights[-1], CODE))
        file.change_if_needed(lambda club: join_board(club, "board-1", CODE))
        yield rig


def match_at(rig: ClubRig, number: int = 1) -> Match:
    found = rig.night.brackets[BracketKind.MAIN].match(1, number)
    assert found
    return found


def open_game(rig: ClubRig, table: int = 1) -> Game:
    (game,) = rig.night.match_games_at(table)
    return game


def text_of(pages: FlaskClient, path: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", pages.get(path).text).split())


@pytest.mark.parametrize("path", ["/organiser", "/play-offs"])
def test_a_disputed_game_of_a_match_shows_both_results_and_each_can_count(rig: ClubRig, path: str) -> None:
    game = dispute(rig.file, open_game(rig))
    first, second = map(rig.file.club.name, game.players)
    page = rig.client(AccountRole.ORGANISER).get(path).text
    text = " ".join(re.sub(r"<[^>]*>", " ", page).split())
    assert f"Play-offs · Game 1 {first} {second} {first} entered 121–90 This one counts" in text
    assert f"{second} entered 88–121 This one counts" in text
    entries = re.findall(r'name="(first|second)" value="(\d+)" data-number', page)
    assert entries == [("first", "121"), ("second", "90"), ("first", "88"), ("second", "121")]


def test_the_chosen_result_counts_for_the_match_and_its_reason_is_in_the_audit(rig: ClubRig) -> None:
    game = dispute(rig.file, open_game(rig))
    pages = rig.client(AccountRole.ORGANISER)
    first, second = map(rig.file.club.name, game.players)
    fields = {"round": game.round, "table": game.table, "first": 88, "second": 121}
    reason = f"the organiser decided for the entry of {second}"
    assert post(pages, "night/choose", **fields, member=game.players.second).status_code == 204
    assert match_at(rig).score == (0, 1) and open_game(rig).round == game.round + 1
    said = f"{first} 88, {second} 121. Corrected by the organiser: {reason}."
    assert said in text_of(pages, "/audit") and said in text_of(pages, f"/audit?who={game.players.first}")


def test_a_scorekeeper_sees_a_dispute_and_cannot_decide_it(rig: ClubRig) -> None:
    dispute(rig.file, open_game(rig))
    page = text_of(rig.client(AccountRole.SCOREKEEPER), "/play-offs")
    assert "This one counts" not in page and "entered 88-121" in page


def test_matches_exchange_tables_on_the_page(rig: ClubRig) -> None:
    pages = rig.client(AccountRole.ORGANISER)
    pair = open_game(rig).players
    assert "Exchange with table" in text_of(pages, "/play-offs") and "3: free" in text_of(pages, "/organiser")
    assert post(pages, "night/swap-matches", first=1, second=2).status_code == 204
    assert open_game(rig, 2).players == pair
    assert "tables 1 and 2 are exchanged" in text_of(pages, "/audit")
    assert post(pages, "night/swap-matches", first=2, second=3).status_code == 204
    assert open_game(rig, 3).players == pair
    assert post(pages, "night/swap-matches", first=2, second=1).status_code == 409
    assert post(rig.client(AccountRole.SCOREKEEPER), "night/swap-matches", first=1, second=2).status_code == 403


def test_the_score_of_a_match_stands_at_its_table_and_in_the_bracket(rig: ClubRig, live: LiveBoards) -> None:
    live.follow(["board-1"])
    live.receive(STATUS, b"online", False)
    first, second = map(rig.file.club.name, open_game(rig).players)
    sides = payload(table(45, 52)).replace(b'"Ann"', f'"{first}"'.encode()).replace(b'"Ben"', f'"{second}"'.encode())
    live.receive(STATE, sides, False)
    pages = rig.client(AccountRole.ORGANISER)
    assert f"{first} 45, {second} 52 Board online since 21:05" in text_of(pages, "/organiser")
    assert "Table 1 · Playing now: 45–52" in text_of(pages, "/play-offs")
    assert "Table 1 · Playing now: 45–52" in text_of(rig.client(), "/room")
    live.receive(STATUS, b"offline", False)
    assert "Playing now" not in text_of(rig.client(), "/room")
