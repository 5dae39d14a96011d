"""After the game: cards of matches to print, figures of players and of pairings, and all of it to take along."""

from __future__ import annotations

import csv
import io
import re

from firmware_host.match import GAMES_A_CARD
from tests.panel.conftest import Room, told


def play(room: Room, winner: int, loser_has: int, names: tuple[str, str] = ("Ann", "Ben")) -> None:
    """One game in which both hands and the crib are counted, brought to its end by hand."""
    room.begin(names=list(names))
    room.order("starter", card="5C")
    room.order("show")
    for cards in (["5H", "5S", "5D", "JC"], ["2D", "3C", "4S", "9H"], ["A", "A", "3", "8"]):
        room.order("count", cards=cards)
    room.order("correct", side=1 - winner, score=loser_has, reason="by hand")
    room.order("correct", side=winner, score=121, reason="by hand")


def rows(page: str) -> list[list[str]]:
    """The text of each cell of each row."""
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL)
    return [
        [" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)]
        for row in found
    ]


def test_a_card_has_nine_lines_of_which_some_are_still_free(room: Room) -> None:
    play(room, 0, 104)
    play(room, 1, 84)
    first, second, *free = rows(room.get("/card").text)[2 : 2 + GAMES_A_CARD]
    assert (first[0], first[2:]) == ("1", ["Ann", "121", "2", "+17", "104", "0", "−17"])
    assert (second[0], second[2:]) == ("2", ["Ann", "84 lost by a skunk", "0", "−37", "121", "3", "+37"])
    assert [row[0] for row in free] == [str(number) for number in range(3, 10)] and not any(
        map(any, (row[1:] for row in free))
    )


def test_what_it_adds_up_to_stands_below(room: Room) -> None:
    play(room, 0, 104)
    play(room, 1, 84)
    together, skunks = rows(room.get("/card").text)[-2:]
    assert together == ["Together", "1 game won", "2", "−20", "1 game won", "3", "+20"]
    assert skunks == ["Skunks given and taken", "0 : 1", "1 : 0"]


def test_without_a_finished_game_it_says_so(room: Room) -> None:
    room.begin()
    assert "No game was played out yet" in room.get("/card").text


def test_a_pairing_is_told_hand_for_hand(room: Room) -> None:
    play(room, 0, 104)
    page = room.get("/history").text
    versus = page[page.index('class="versus"') :]
    assert rows(versus)[:3] == [["", "Ann", "Ben"], ["Hand", "6.0", "29.0"], ["Crib", "4.0", "–"]]
    (pairing,) = told(room.get("/history.json"))["pairings"]
    assert pairing["sides"] == [["Ann"], ["Ben"]] and pairing["won"] == [1, 0]
    assert pairing["figures"][1]["mean_hand"] == 29.0 and pairing["figures"][0]["mean_crib"] is not None


def test_players_go_into_a_spreadsheet_and_no_name_is_a_formula(room: Room) -> None:
    play(room, 0, 104, ("=1+1", "Ben"))
    answer = room.get("/players.csv")
    assert answer.mimetype == "text/csv" and "attachment" in answer.headers["Content-Disposition"]
    lines = list(csv.DictReader(io.StringIO(answer.text)))
    assert {line["name"] for line in lines} == {"'=1+1", "Ben"}
    assert {line["mean_hand"] for line in lines} >= {"29.0"}
