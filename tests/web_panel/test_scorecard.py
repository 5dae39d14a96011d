"""Scorecards to print, and the averages of players in the history, in JSON and in CSV."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from firmware_host.pairing.registry import Role
from firmware_host.stats.scorecards import GAMES_A_CARD
from tests.web_panel.conftest import PhoneClient, Rig, json_of
from web_panel.pages import scorecard


def play(rig: Rig, winner: int, loser_has: int, names: tuple[str, str] = ("Ann", "Ben")) -> None:
    """A game in which both hands and the crib are counted; corrections end it."""
    rig.begin(names=list(names))
    rig.command("starter", card="5C")
    rig.command("show")
    for cards in (["5H", "5S", "5D", "JC"], ["2D", "3C", "4S", "9H"], ["A", "A", "3", "8"]):
        rig.command("count", cards=cards)
    rig.command("correct", side=1 - winner, score=loser_has, reason="by hand")
    rig.command("correct", side=winner, score=121, reason="by hand")


def rows(page: str) -> list[list[str]]:
    """The text of each cell of each row."""
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL)
    return [
        [" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)]
        for row in found
    ]


def test_a_scorecard_has_nine_lines(rig: Rig) -> None:
    play(rig, 0, 104)
    play(rig, 1, 84, names=("Cat", "ANN"))
    play(rig, 0, 60, names=("Ben", "Ann"))
    lines = rows(rig.get("/scorecards?player=ann").text)[1 : 1 + GAMES_A_CARD]
    assert [[*line[:1], *line[2:]] for line in lines[:3]] == [
        ["1", "Ben", "121 –104", "2", "17", "", "B"],
        ["2", "Cat", "121 –84 won by a skunk", "3", "37", "", "C"],
        ["3", "Ben", "60–121 lost by a double skunk", "0", "", "61", "B"],
    ]
    assert [row[0] for row in lines[3:]] == [str(number) for number in range(4, 10)]
    assert not any(any(row[1:]) for row in lines[3:]) and len({len(row) for row in lines}) == 1


def test_a_scorecard_ends_with_totals(rig: Rig) -> None:
    play(rig, 0, 104)
    play(rig, 1, 84)
    total, spread, skunks = rows(rig.get("/scorecards?player=Ann").text)[-3:]
    assert total == ["Total", "1 game won", "2", "17", "37", ""]
    assert (spread, skunks) == (["Spread", "−20"], ["Skunks given and taken", "0 : 1"])


def test_partners_are_on_the_card(rig: Rig) -> None:
    rig.begin(names=["Ann", "Ben", "Cat", "Dan"], variant="four_partners", scores=[120, 85])
    rig.command("correct", side=0, score=121, reason="by hand")
    heading, line, empty = rows(rig.get("/scorecards?player=Cat").text)[:3]
    assert [heading[2:4], line[2:]] == [
        ["Partner", "Opponent"],
        ["Ann", "Ben &amp; Dan", "121 –85 won by a skunk", "3", "36", "", "B D"],
    ]
    assert len(heading) == len(line) == len(empty)


def test_the_first_page_has_the_latest_card_of_each_player(rig: Rig) -> None:
    for _ in range(10):
        play(rig, 0, 104)
    page = rig.get("/scorecards").text
    assert re.findall(r'<h2 id="card-(\d+)">(\w+)', page) == [("3", "Ann"), ("4", "Ben")]
    assert re.findall(r'<h2 id="card-(\d+)">', rig.get("/scorecards?player=Ben").text) == ["4", "2"]


def test_the_cards_of_a_player_have_pages(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scorecard, "PAGE", 1)
    for _ in range(10):
        play(rig, 0, 104)
    first, second = (rig.get(f"/scorecards?player=Ben&page={page}").text for page in (1, 99))
    assert [re.findall(r'<h2 id="card-(\d+)">', page) for page in (first, second)] == [["4"], ["2"]]
    assert 'href="/scorecards?player=ben&amp;page=2"' in first and 'rel="next"' not in second
    assert 'href="/scorecards?player=ben&amp;page=1"' in second and 'rel="prev"' not in first


def test_a_player_without_a_card_and_an_unknown_player(rig: Rig) -> None:
    rig.begin(names=["Ann", "Ben"])
    assert "No finished games yet" in rig.get("/scorecards?player=Ben").text
    assert rig.get("/scorecards?player=Xavier").status_code == 404
    assert rig.get("/scorecards.csv?player=Xavier").status_code == 404


def merge(rig: Rig, path: str, **body: str) -> TestResponse:
    return rig.post(f"/people/{path}", body)


def test_the_owner_merges_names_and_separates_them(rig: Rig) -> None:
    play(rig, 0, 104, ("Ann", "Ben"))
    play(rig, 1, 104, ("Cat", "Annie"))
    assert merge(rig, "merge", name="Ann", other="annie ").status_code == 204
    page = rig.get("/scorecards?player=ANNIE").text
    assert [row[3] for row in rows(page)[1:3]] == ["121 –104", "121 –104"]
    assert 'data-unmerge="annie"' in page and 'id="merge-dialog"' in page
    history = json_of(rig.get("/history.json"))
    assert [player["name"] for player in history["players"]] == ["Ann", "Ben", "Cat"]
    assert {game["names"] for game in history["games"]} == {"Ann", "Annie", "Ben", "Cat"}
    assert merge(rig, "unmerge", name="ANNIE").status_code == 204
    assert len(json_of(rig.get("/scorecards.json"))["players"]) == 4


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("merge", {"name": "Ann", "other": "Ben"}, "played_together"),
        ("merge", {"name": "Ann", "other": "ANN"}, "already_one_person"),
        ("merge", {"name": "Ann", "other": "Xavier"}, "unknown_person"),
        ("unmerge", {"name": "Ann"}, "not_merged"),
    ],
)
def test_a_merge_is_refused_with_a_reason(rig: Rig, path: str, body: dict[str, str], kind: str) -> None:
    play(rig, 0, 104)
    answer = merge(rig, path, **body)
    refusal = json_of(answer)
    assert (answer.status_code, refusal["kind"]) == (409, kind) and "Ann" in refusal["localized"] + refusal["message"]


def test_only_the_owner_sees_the_buttons_that_merge(real_rig: Rig) -> None:
    owner = PhoneClient(real_rig).pair("Ann", Role.OWNER)
    owner.command("new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=0, scores=[120, 85])
    owner.command("correct", side=0, score=121, reason="by hand")
    player = PhoneClient(real_rig).pair("Ben", Role.PLAYER)
    for phone, is_owner in ((owner, True), (player, False)):
        page = phone.client.get("/scorecards?player=Ann").text
        assert ("merge-form" in page) is ("pages/scorecard.js" in page) is is_owner
        status = phone.post("/people/merge", {"name": "Ann", "other": "Xavier"}).status_code
        assert status == (409 if is_owner else 403)


def test_scorecards_are_exported_as_csv_and_json(rig: Rig) -> None:
    play(rig, 0, 104, ("=1+1", "Ben"))
    content = json_of(rig.get("/scorecards.json?player=ben"))
    assert content["players"] == [{"name": "Ben", "names": ["Ben"]}]
    assert [(card["player"], card["totals"]["spread"]) for card in content["cards"]] == [("Ben", -17)]
    answer = rig.get("/scorecards.csv")
    assert answer.mimetype == "text/csv" and "attachment" in answer.headers["Content-Disposition"]
    lines = list(csv.DictReader(io.StringIO(answer.text)))
    assert [
        (line["player"], line["opponents"], line["game_points"], line["plus"], line["minus"]) for line in lines
    ] == [
        ("'=1+1", "Ben", "2", "17", "0"),
        ("Ben", "'=1+1", "0", "0", "17"),
    ]


def test_a_damaged_file_of_names_does_not_hide_the_games(rig: Rig, tmp_path: Path) -> None:
    rig.people_file._path = tmp_path / "people.json"
    (tmp_path / "people.json").write_text("{")
    play(rig, 0, 104)
    for path in ("/scorecards", "/history"):
        page = rig.get(path).text
        assert "Merged names cannot be read" in page and "Ann" in page
    assert rig.get("/scorecards.json").status_code == 503
    assert merge(rig, "unmerge", name="Ann").status_code == 503


def test_without_a_finished_game_there_is_a_note(rig: Rig) -> None:
    rig.begin()
    assert "No finished games yet" in rig.get("/scorecards").text


def test_head_to_head_has_the_averages_of_both(rig: Rig) -> None:
    play(rig, 0, 104)
    page = rig.get("/head-to-head?one=Ann&other=Ben").text
    assert rows(page)[:3] == [["", "Ann", "Ben"], ["Average hand", "6.0", "29.0"], ["Average crib", "4.0", "–"]]
    (pairing,) = json_of(rig.get("/history.json"))["head_to_heads"]
    assert pairing["sides"] == [["Ann"], ["Ben"]] and pairing["won"] == [1, 0]
    assert pairing["statistics"][1]["mean_hand"] == 29.0 and pairing["statistics"][0]["mean_crib"] is not None


def test_a_name_in_the_csv_is_never_a_formula(rig: Rig) -> None:
    play(rig, 0, 104, ("=1+1", "Ben"))
    answer = rig.get("/players.csv")
    assert answer.mimetype == "text/csv" and "attachment" in answer.headers["Content-Disposition"]
    lines = list(csv.DictReader(io.StringIO(answer.text)))
    assert {line["name"] for line in lines} == {"'=1+1", "Ben"}
    assert {line["mean_hand"] for line in lines} >= {"29.0"}
