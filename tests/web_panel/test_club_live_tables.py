"""Boards online and scores of games that are on, on the page of the organiser and on the screen of the room."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from firmware_host.club import decide as d
from firmware_host.club.seating import join_board, release_board, set_join_code
from firmware_host.club_server.accounts import AccountRole
from firmware_host.club_server.live_boards import LiveBoards, live_topics
from tests.club.test_live_boards import payload, table
from tests.web_panel.club_rig import ClubRig, begin, post

CODE = "314159"
STATUS, STATE = live_topics("board-1")


@pytest.fixture
def live() -> LiveBoards:
    return LiveBoards(lambda: datetime(2026, 3, 14, 19, 42))


@pytest.fixture
def rig(tmp_path: Path, live: LiveBoards) -> Iterator[ClubRig]:
    """Ann and Ben at table 1, where `board-1` is."""
    rig = ClubRig(tmp_path, live)
    with closing(rig.file):
        begin(rig.file, 2)
        rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
        rig.file.change(lambda club: set_join_code(club.nights[-1], CODE))
        rig.file.change_if_needed(lambda club: join_board(club, "board-1", CODE))
        yield rig


def organiser(rig: ClubRig) -> str:
    """The page as text."""
    return re.sub(r"<[^>]*>", "", rig.client(AccountRole.ORGANISER).get("/organiser").text)


def room(rig: ClubRig) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", rig.client().get("/room").text.partition("Tables")[2]).split())


def test_the_page_says_that_no_boards_are_heard(rig: ClubRig, live: LiveBoards) -> None:
    assert "This page hears no boards" in organiser(rig) and "Board o" not in organiser(rig)
    live.follow(["board-1"])
    assert "This page hears no boards" not in organiser(rig) and "Board offline" in organiser(rig)


def test_a_board_and_its_game_stand_beside_its_table(rig: ClubRig, live: LiveBoards) -> None:
    live.follow(["board-1"])
    live.receive(STATUS, b"online", False)
    live.receive(STATE, payload(table(45, 52)), False)
    assert organiser(rig).count("Board online since 19:42") == 2, "at its table, and among the boards"
    assert organiser(rig).count("Ann 45, Ben 52") == 1
    assert "Ann 45 Ben 52 Playing now" in room(rig)
    live.receive(STATUS, b"offline", False)
    assert "Board offline since 19:42" in organiser(rig) and "Ann 45, Ben 52" in organiser(rig)
    assert "45" not in room(rig), "that score may be old"


def test_a_result_takes_the_place_of_the_score(rig: ClubRig, live: LiveBoards) -> None:
    live.follow(["board-1"])
    live.receive(STATUS, b"online", False)
    live.receive(STATE, payload(table(45, 52)), False)
    pages = rig.client(AccountRole.ORGANISER)
    assert post(pages, "results/report", round=1, table=1, first=121, second=80).status_code == 204
    assert "Ann 121 Ben 80 not confirmed" in room(rig)


def test_the_game_of_other_people_is_not_shown_in_the_room(rig: ClubRig, live: LiveBoards) -> None:
    live.follow(["board-1"])
    live.receive(STATUS, b"online", False)
    live.receive(STATE, payload(table(45, 52, name="<b>Zoe")), False)
    assert "Ann Ben" in room(rig) and "45" not in room(rig)
    assert "Ann 45, &lt;b&gt;Zoe 52" in organiser(rig)


def test_no_card_of_a_board_reaches_a_page(rig: ClubRig, live: LiveBoards) -> None:
    live.follow(["board-1"])
    pages = rig.client(AccountRole.ORGANISER)
    seen = set()
    for starter in ("5H", "JC", None):
        live.receive(STATE, payload(table(45, 52, starter=starter)), False)
        seen.add(pages.get("/organiser").get_etag()[0])
    assert len(seen) == 1


def test_a_board_that_is_released_disappears(rig: ClubRig, live: LiveBoards) -> None:
    live.follow(["board-1"])
    rig.file.change(lambda club: release_board(club.nights[-1], "board-1"))
    assert "Board o" not in organiser(rig)


def test_the_page_is_sent_again_only_when_a_board_has_changed(rig: ClubRig, live: LiveBoards) -> None:
    live.follow(["board-1"])
    pages = rig.client(AccountRole.ORGANISER)
    etag = pages.get("/organiser").headers["ETag"]
    assert pages.get("/organiser", headers={"If-None-Match": etag}).status_code == 304
    live.receive(STATUS, b"online", False)
    assert pages.get("/organiser", headers={"If-None-Match": etag}).status_code == 200


def test_an_earlier_round_has_no_boards(rig: ClubRig, live: LiveBoards) -> None:
    live.follow(["board-1"])
    live.receive(STATUS, b"online", False)
    rig.file.change(lambda club: d.correct_result(club.nights[-1], 1, 1, (121, 80), "typed"))
    rig.file.change(lambda club: d.pair_round(club, club.nights[-1]))
    pages = rig.client(AccountRole.ORGANISER)
    counts = [pages.get(f"/organiser?round={number}").text.count("Board online since") for number in (1, 2)]
    assert counts == [1, 2]
