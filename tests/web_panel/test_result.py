"""The end of a game in sentences, by the API and on the page of the review."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from firmware_host.config.languages import translator
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.stats.result import result_of
from firmware_host.stats.review import review_of
from firmware_host.strategy.engine import Level
from tests.stats.level_games import game_of
from tests.stats.test_result import FIRST_DEAL, PLAYED, played, start
from tests.web_panel.conftest import API, Rig, json_of
from tests.web_panel.test_replay import HAND
from web_panel.json_type import Json
from web_panel.views.result import result_view
from web_panel.views.review import ReviewView

EN = translator("en")


def view(*commands: c.Command, **options: Any) -> Json:
    return result_view(result_of(played(start(**options), *commands)), EN)


def finish(rig: Rig, **game: object) -> None:
    """Ann, whose six cards and discards are known, wins."""
    rig.begin(scores=[119, 85], **game)
    rig.command("deal", seat=0, cards=HAND)
    rig.command("discard", seat=0, cards=["5H", "7S"])
    rig.command("starter", card="4C")
    rig.command("play", card="TH")
    rig.command("play", card="5S")
    rig.leap(0, 59, 61)


def test_a_skunk_is_said_with_its_line_and_its_worth() -> None:
    result = view(*FIRST_DEAL[:3], scores=(119, 85))
    assert result["headline"] == "Ann wins, and it is a skunk!"
    assert result["margin"] == "The game was won by 36 points. Ben is below 91. It is worth 3 match points."


def test_a_plain_win_says_by_how_much() -> None:
    assert view(*FIRST_DEAL[:3], scores=(119, 120))["margin"] == "The game was won by 1 point."


def test_the_best_hand_comes_with_its_cards() -> None:
    won = c.CorrectScore(0, 121, "end")
    best = view(*FIRST_DEAL, won)["best_hand"]
    cards = ["10♠", "K♠", "5♣", "2♦"]
    assert isinstance(best, dict) and [str(card).replace("T", "10") for card in best.pop("cards")] == cards
    title = "Best crib: Ann, deal 1"
    assert best == {"title": title, "summary": f"{title}: 10", "points": 10, "starter": "5♥"}


def test_points_left_behind_are_said_for_each_side() -> None:
    won = c.CorrectScore(0, 121, "end")
    result = view(*PLAYED, c.NextDeal(), won, is_entered=True, muggins_mode="off", scores=(50, 50))
    assert result["left_behind"] == [
        {"title": "Left behind: Ann", "points": 3, "text": "2 times"},
        {"title": "Left behind: Ben", "points": 1, "text": "one for last, deal 1"},
    ]
    assert view(c.EnterPoints(0, 6), won, is_entered=True)["left_behind"] == []  # a game by pegs alone


def test_the_table_of_origins_leaves_out_an_empty_column() -> None:
    origins = view(*FIRST_DEAL[:3], scores=(119, 85))["origins"]
    assert origins == {
        "columns": ["Play", "Hands", "Cribs", "Other"],
        "rows": [{"name": "Ann", "points": [2, 0, 0, 119]}, {"name": "Ben", "points": [0, 0, 0, 85]}],
    }


def test_the_shared_text_has_winner_scores_and_best_hand() -> None:
    won = c.CorrectScore(1, 121, "end")
    text = view(*FIRST_DEAL, won, scores=(100, 100))["share_text"]
    assert text == "Ben wins!\nBen 121, Ann 119.\nBest crib: Ann, deal 1: 10."


def test_the_result_is_there_when_the_game_is_over(rig: Rig) -> None:
    rig.begin()
    assert rig.get(f"{API}/games/current/result").status_code == 404
    finish(rig)
    answer = rig.get(f"{API}/games/current/result")
    assert json_of(answer)["winner"] == 0
    assert json_of(rig.get(f"{API}/games/2/result")) == json_of(answer)
    assert rig.state()["sides"][1]["peg_label"] == ""


def throw_away(rig: Rig) -> None:
    """Ann throws the wrong cards into her crib at the start of a game, which ends when the crib is counted."""
    rig.begin(scores=[0, 0])
    rig.command("deal", seat=0, cards=HAND)
    rig.command("discard", seat=0, cards=["5H", "7S"])
    rig.command("starter", card="4C")
    rig.command("show")
    rig.command("skip")
    rig.command("count")
    rig.command("count", cards=["5H", "7S", "9C", "KD"])
    rig.command("correct", side=0, score=121, reason="end")


def reviewed(rig: Rig, path: str) -> str:
    """The page of a review, when it is made."""
    while True:
        response = rig.get(path)
        if response.status_code != HTTPStatus.ACCEPTED:
            return response.text
        assert "The game is being reviewed." in response.text and "/static/pages/review.js" in response.text


def test_the_review_compares_each_known_choice_with_the_best(rig: Rig) -> None:
    throw_away(rig)
    rig.begin()
    page = reviewed(rig, "/review")
    assert "Ann discards 5♥ 7♠" in page and "mistake" in page and "Better: " in page
    assert "<b>0</b> %" in page and "1 moment decided it" in page and "Ann’s chance to win" in page
    assert "Ben discards" not in page  # his cards are unknown


def test_cards_that_nobody_showed_are_not_reviewed(rig: Rig) -> None:
    finish(rig)
    for path in ("/review", "/review?game=1", "/review?game=current"):
        page = reviewed(rig, path)
        assert "Ann discards" not in page and "J♣" not in page and "Accuracy" not in page


def test_the_review_names_each_missed_point(rig: Rig) -> None:
    rig.begin(scores=[100, 100], options={"muggins_mode": "automatic"})
    rig.command("starter", card="4C")
    for card in ("TH", "5S", "9C"):
        rig.command("play", card=card)
    rig.command("correct", side=0, score=121, reason="end")
    page = reviewed(rig, "/review")
    assert "Ann missed 2 points." in page and "2 points were taken by muggins." in page and "Fifteen for two" in page


def test_the_cards_of_a_game_under_way_are_not_reviewed(rig: Rig) -> None:
    rig.begin()
    rig.command("deal", seat=0, cards=HAND)
    rig.command("discard", seat=0, cards=["5H", "7S"])
    rig.command("starter", card="4C")
    for path in ("/review", "/review?game=1", "/review?game=current"):
        page = rig.get(path).text
        assert "The review opens when a game is over." in page and "J♣" not in page


def test_past_games_are_reviewed_by_number(rig: Rig) -> None:
    throw_away(rig)
    rig.begin()
    page = reviewed(rig, "/review?game=1")
    assert "Ann discards 5♥ 7♠" in page and "/?replay=1" in page
    assert 'href="/review?game=1"' in reviewed(rig, "/review")


def test_a_player_has_an_accuracy_over_all_games(rig: Rig) -> None:
    for _ in range(2):
        throw_away(rig)
    rig.begin()
    for game in (1, 2):
        reviewed(rig, f"/review?game={game}")
    page = rig.get("/player?name=Ann").text
    assert "0 of 100 discards and cards played" in page and "Measured in 2 games" in page
    assert "Accuracy" not in rig.get("/player?name=Ben").text


def test_the_player_who_chose_better_is_named() -> None:
    turns = game_of([Level.BEGINNER, Level.EXPERT], rules_for("six_card"), 11)
    result = result_of(turns)
    view = ReviewView(result, review_of(turns), EN, "{:.1f}".format)
    assert view.better_player() == "P1 made the better choices."
    ann, ben = view.players()
    assert ben["accuracy"] == 100 and ben["lost"] == [
        ("Discards", "0.0"),
        ("Cards played", "0.0"),
        ("Points missed", "0"),
    ]
    assert ann["accuracy"] != 100
    assert 0 < len([*view.moments()]) <= 3
    for moment in view.moments():
        assert moment["name"] == "P0" and str(moment["where"]).startswith("Deal ") and moment["text"]
        assert moment["before"] is not None and moment["before"] != moment["after"]


def test_a_stored_game_is_offered_until_somebody_goes_on(rig: Rig) -> None:
    rig.begin(scores=[45, 52])
    assert rig.state()["game"]["go_on"] == ""
    again = Rig(journal=rig.journal)
    assert again.state()["game"]["go_on"] == "Go on with Ann and Ben, 45 to 52"
    again.command("starter", card="4C")
    assert again.state()["game"]["go_on"] == ""
    again.host.stop()
