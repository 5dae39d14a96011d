"""Muggins on the page: points that can still be claimed leave no trace in the state, which every phone reads."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands as c
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.referee_mode import RefereeMode
from tests.web_panel.conftest import Rig

ANN, BEN = Seat(0), Seat(1)
TELLS = re.compile(r"missed|pair|fifteen|too far|→|\+|Nobody claimed|Muggins:", re.IGNORECASE)
"""Words and signs with which the board announces points."""


def begin(rig: Rig, mode: str, *cards: str, **options: str) -> None:
    """Ann deals; the starter is a king; these cards are played."""
    rig.begin(options={"muggins_mode": mode, **options}, scores=[20, 20])
    rig.host.execute(c.CutStarter(parse_card("KD")))
    for card in cards:
        rig.host.execute(c.PlayCard(parse_card(card)))
    rig.wait(0.1)


def texts(state: Any) -> str:
    """Every text of the state in which points are announced."""
    labels = [side["peg_label"] for side in state["sides"]]
    actions = [action["label"] for action in state["actions"] if action["command"] != "claim"]
    return "\n".join([state["prompt"], *state["display"], *(turn["text"] for turn in state["log"]), *labels, *actions])


def assert_no_trace(rig: Rig) -> None:
    state = rig.state()
    assert not TELLS.search(texts(state)), texts(state)
    assert [side["owed"] for side in state["sides"]] == [0, 0]
    assert {light["signal"] for light in state["lights"]} <= {"rest"}
    assert "accept-pegs" not in [action["command"] for action in state["actions"]]
    counted = state["deal"]["count"]
    assert counted is None or (counted["points"], counted["text"], counted["steps"]) == (None, "", [])
    assert_replay_has_no_trace(rig)
    page = rig.get("/score-breakdown")
    breakdown = page.get_data(as_text=True)
    assert page.status_code == 200 and not re.search("pair|fifteen|missed", breakdown, re.IGNORECASE)


def assert_replay_has_no_trace(rig: Rig) -> None:
    """The replay of the game that is on: of every turn so far, whoever asks."""
    answer = json.loads(rig.get("/api/v1/games/current/replay").get_data(as_text=True))
    for frame in answer["frames"]:
        assert not TELLS.search(f"{frame.get('headline', '')} {frame.get('detail', '')}"), frame
        assert all(not side["owed"] and not side["peg_label"] for side in frame.get("sides", ()))
        assert {light["signal"] for light in frame.get("lights", ())} <= {"rest"}
        counted = (frame.get("deal") or {}).get("count")
        assert counted is None or (counted["points"], counted["text"], counted["steps"]) == (None, "", [])


@pytest.mark.parametrize("policy", ["correct", "acc"])
def test_points_in_the_play_are_secret_until_claimed(rig: Rig, policy: str) -> None:
    begin(rig, "claim", "7H", "7S", pegging_policy=policy)
    assert_no_trace(rig)  # a pair is due to Ann
    rig.host.execute(c.PlayCard(parse_card("KS")))
    assert_no_trace(rig)  # it is lost now, and Ben may claim it
    rig.host.execute(k.CheckScore())
    rig.wait(0.1)
    assert_no_trace(rig)  # nor does the score check tell
    rig.host.execute(c.ClaimMuggins(BEN, 2))
    latest = rig.state()["log"][0]["text"]
    assert latest == "Muggins: 2 points to Ben. Ann: a pair for two. Ann missed 2 points."
    assert [side["owed"] for side in rig.state()["sides"]] == [0, 2]


def test_the_misser_learns_of_points_that_nobody_claimed(rig: Rig) -> None:
    begin(rig, "claim", "7H", "7S", "KS")
    rig.host.execute(c.PlayCard(parse_card("6S")))  # 30
    rig.host.execute(c.SayGo())
    rig.host.execute(c.SayGo())
    assert_no_trace(rig)
    rig.leap(0, 0, 21)  # a later score of Ann ends the time to claim
    assert "Ann missed 2 points. Nobody claimed muggins." in rig.state()["log"][0]["text"]


def test_a_short_move_is_secret(rig: Rig) -> None:
    begin(rig, "claim", "7H", "7S", "7D")  # six are due to Ben
    rig.leap(1, 0, 24)
    state = rig.state()
    assert [side["owed"] for side in state["sides"]] == [0, 0]
    assert not TELLS.search(texts(state).replace("now 24", ""))


@pytest.mark.parametrize("hand", ["2C 4H 6S 8D", "5H JS QC 5C"])
def test_the_count_of_a_hand_is_secret_until_it_is_pegged(rig: Rig, hand: str) -> None:
    """A hand of nothing looks like any other."""
    begin(rig, "claim")
    rig.host.execute(c.EndPlay())
    rig.host.execute(c.CountHand(parse_cards(hand)))
    assert_no_trace(rig)
    assert "Ben’s hand" in rig.state()["log"][0]["text"]
    rig.host.execute(c.SkipHand())
    rig.host.execute(c.SkipHand())
    rig.host.execute(c.NextDeal())
    assert re.search("no points|fifteen", texts(rig.state()), re.IGNORECASE)


def test_a_count_lights_up_once_its_points_are_pegged(rig: Rig) -> None:
    begin(rig, "claim")
    rig.host.execute(c.EndPlay())
    rig.host.execute(c.CountHand(parse_cards("5H JS QC 5C")))
    assert_no_trace(rig)
    rig.leap(1, 0, 37)  # all seventeen
    steps = rig.state()["deal"]["count"]["steps"]
    assert [step["total"] for step in steps] == [2, 4, 6, 8, 10, 12, 14, 17]


def test_the_replay_of_a_game_with_claims_tells_what_was_claimed(rig: Rig) -> None:
    """Nothing before the claim, and in the frames before it no points either."""
    begin(rig, "claim", "7H", "7S", "KS")
    assert_no_trace(rig)
    rig.host.execute(c.ClaimMuggins(BEN, 2))
    rig.wait(0.1)
    *before, last = json.loads(rig.get("/api/v1/games/current/replay").get_data(as_text=True))["frames"]
    assert "Muggins: 2 points to Ben." in f"{last['headline']} {last['detail']}"
    assert not any("Muggins" in frame.get("headline", "") for frame in before)


def test_missed_points_are_not_in_the_statistics_yet(rig: Rig) -> None:
    begin(rig, "claim", "7H", "7S", "KS")
    assert [seat.missed for seat in rig.archive.games()[0].figures.seats] == [0, 0]
    rig.host.execute(c.EndPlay())
    rig.host.execute(c.NextDeal())
    assert [seat.missed for seat in rig.archive.games()[0].figures.seats] == [2, 0]


def test_with_muggins_off_points_stay_shown_and_are_not_called_missed(rig: Rig) -> None:
    begin(rig, "off", "7H", "7S")
    for card in ("KS", "5D"):
        rig.host.execute(c.PlayCard(parse_card(card)))
        state = rig.state()
        assert "missed" not in texts(state) and [side["owed"] for side in state["sides"]] == [2, 0]
        assert {light["signal"] for light in state["lights"]} > {"rest"}
    rig.leap(0, 0, 22)
    assert rig.state()["sides"][0]["owed"] == 0


def test_with_tournament_pegging_points_are_lost_and_never_announced(rig: Rig) -> None:
    begin(rig, "off", "7H", "7S", pegging_policy="acc")
    assert [side["owed"] for side in rig.state()["sides"]] == [2, 0]
    rig.host.execute(c.PlayCard(parse_card("KS")))
    state = rig.state()
    assert "missed" not in texts(state) and [side["owed"] for side in state["sides"]] == [0, 0]
    assert {light["signal"] for light in state["lights"]} <= {"rest"}
    rig.leap(0, 0, 22)
    assert rig.state()["sides"][0]["owed"] == -2


@pytest.mark.parametrize(
    ("mode", "text"), [("coach", "Ann missed 2 points."), ("automatic", "Muggins: 2 points to Ben")]
)
def test_coach_and_automatic_say_what_was_missed(rig: Rig, mode: str, text: str) -> None:
    begin(rig, mode, "7H", "7S", "KS")
    assert text in rig.state()["log"][0]["text"]
    assert [side["owed"] for side in rig.state()["sides"]] == ([2, 0] if mode == "coach" else [0, 2])


def test_in_the_play_nothing_is_secret_with_muggins_in_the_show(rig: Rig) -> None:
    begin(rig, "claim", "7H", "7S", muggins_scope="show")
    assert [side["owed"] for side in rig.state()["sides"]] == [2, 0]


def test_every_language_keeps_the_secret(rig: Rig) -> None:
    begin(rig, "claim", "7H", "7S")
    for language in ("fr", "ru", "pl"):
        state = json.loads(rig.get("/api/v1/state", Accept_Language=language).get_data(as_text=True))
        assert [side["owed"] for side in state["sides"]] == [0, 0]
        assert [side["peg_label"] for side in state["sides"]] == ["", ""]


def test_a_silent_referee_stays_silent(rig: Rig) -> None:
    begin(rig, "claim", "7H", "7S", "KS")
    rig.host.execute(k.SetRefereeMode(RefereeMode.SILENT))
    rig.host.execute(c.ClaimMuggins(BEN, 2))
    rig.wait(0.1)
    assert "missed" not in rig.state()["log"][0]["text"]
