"""The state of a game on a board that people own: what the page draws, says and offers."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.board.peg_source import PegSource
from firmware_host.config.kits import Kit
from firmware_host.config.settings import Settings
from firmware_host.startup.boards import with_settings
from firmware_host.ui.translator import untranslated
from tests.web_panel.conftest import PhoneClient, Rig
from web_panel.views.own_pegs import place


def begin(rig: Rig, **game: object) -> Any:
    return rig.begin(**{"pegs": "by_hand", "scores": [39, 58], **game})


def headline(state: Any) -> str:
    return str(state["guidance"]["headline"]).replace("\xa0", " ")


def labels(state: Any, *commands: str) -> list[tuple[str, str]]:
    return [(each["label"], each["note"]) for each in state["actions"] if each["command"] in commands]


def test_a_drawn_board_has_no_own_pegs(rig: Rig) -> None:
    assert rig.begin()["own_pegs"] is None


def test_entered_points_count_at_once_and_stay_as_the_headline(rig: Rig) -> None:
    begin(rig)
    state = rig.command("move", side=0, points=8)
    assert headline(state) == "Ann +8, now 47. Peg 39 to 47."
    assert not any(side["owed"] or side["peg_label"] for side in state["sides"])
    pegs = state["own_pegs"]
    assert pegs["take_back"] == "Take back 8" and pegs["news"] == [{"side": 0, "start": 39, "hole": 47}]
    assert [(side["back"], side["front"], side["last"]) for side in pegs["sides"]] == [(39, 47, 8), (0, 58, 58)]
    rig.wait(60.0)
    assert headline(rig.state()) == headline(state)


def test_points_of_cards_count_at_once_and_need_no_button(rig: Rig) -> None:
    begin(rig)
    rig.command("starter", card="4S")
    rig.command("play", card="5")
    state = rig.command("play", card="10")
    guidance = state["guidance"]
    assert headline(state) == "Fifteen for two, Ann. Peg 39 to 41."
    assert guidance["detail"] == "Ben plays next." and guidance["expects"] == "card"
    assert not labels(state, "move") and not state["own_pegs"]["take_back"] and state["own_pegs"]["has_cards"]


def test_undo_and_corrections_say_where_the_pegs_go_back_to(rig: Rig) -> None:
    begin(rig)
    rig.command("move", side=0, points=8)
    for command, body in (("undo", {}), ("correct", {"side": 1, "score": 50, "reason": "by agreement"})):
        state = rig.command(command, **body)
        assert state["guidance"]["tone"] != "error" and state["fault"] == ""
        assert "back to" in headline(state)
    assert headline(state) == "Ben back to 50. Front peg 50, back peg 0."


def test_a_tap_that_arrives_twice_counts_once(rig: Rig) -> None:
    begin(rig)
    for _ in range(2):
        state = rig.command("move", side=0, points=8, moment=None, idempotency_key="a tap")
    assert state["sides"][0]["score"] == 47
    state = rig.command("move", side=0, points=8, moment=None, idempotency_key="another tap")
    assert state["sides"][0]["score"] == 55


def test_two_phones_score_at_the_same_time(rig: Rig) -> None:
    """The second was tapped before the first was seen, and is not refused for that."""
    begin(rig)
    rig.command("move", side=0, points=8, moment=None, idempotency_key="Ann")
    state = rig.command("move", side=1, points=2, moment=None, idempotency_key="Ben")
    assert [side["score"] for side in state["sides"]] == [47, 60]


def test_two_quick_scores_of_one_side_move_one_peg_after_the_other(rig: Rig) -> None:
    """Each sentence names the holes of its own score, so whoever follows both has both pegs right."""
    begin(rig)
    said = [headline(rig.command("move", side=0, points=points)) for points in (2, 2)]
    assert said == ["Ann +2, now 41. Peg 39 to 41.", "Ann +2, now 43. Peg 41 to 43."]
    side = rig.state()["own_pegs"]["sides"][0]
    assert (side["back"], side["front"]) == (41, 43)


def test_the_next_deal_is_offered_without_cards(rig: Rig) -> None:
    assert labels(begin(rig), "next-deal") == [("Next deal", "Ben deals")]
    rig.command("move", side=0, points=8)
    state = rig.command("next-deal", deal=1)
    assert state["deal"]["dealer"] == "Ben" and state["own_pegs"]["sides"][1]["owner_of_crib"]


@pytest.mark.parametrize("mode", ["coach", "claim", "automatic"])
def test_with_muggins_each_names_what_he_takes(rig: Rig, mode: str) -> None:
    begin(rig, options={"muggins_mode": mode})
    rig.command("starter", card="4S")
    rig.command("play", card="5")
    state = rig.command("play", card="10")
    assert [side["score"] for side in state["sides"]] == [39, 58]
    assert bool(labels(state, "move")) is (mode != "claim")
    state = rig.command("move", side=0, points=1)
    taken = 1 if mode == "automatic" else 0
    assert [side["score"] for side in state["sides"]] == [40, 58 + taken]
    if mode == "claim":
        state = rig.command("claim", side=1, points=1)
        assert [side["score"] for side in state["sides"]] == [40, 59]


def test_a_game_is_won_without_a_single_card(rig: Rig) -> None:
    begin(rig, scores=[110, 58])
    state = rig.command("move", side=0, points=12)
    assert state["game"]["winner"] == 0 and not state["own_pegs"]["takes_points"]
    (again,) = [each["body"] for each in state["actions"] if each["command"] == "new-game"]
    assert again["pegs"] == "by_hand"
    assert "Peg\xa0110\xa0to\xa0121." in state["guidance"]["detail"]


@pytest.mark.parametrize(
    ("hole", "rounds", "where"),
    [
        (0, 1, "at the start"),
        (1, 1, "street 1, group 1, hole 1"),
        (30, 1, "street 1, group 6, hole 5"),
        (47, 1, "street 2, group 4, hole 2"),
        (62, 1, "street 3, group 1, hole 2"),
        (62, 2, "round 2, street 1, group 1, hole 2"),
        (60, 2, "round 1, street 2, group 6, hole 5"),
        (121, 2, "in the game hole"),
    ],
)
def test_a_hole_is_named_as_people_count_on_wood(hole: int, rounds: int, where: str) -> None:
    assert place(hole, 121, untranslated, rounds) == where


@pytest.mark.parametrize(
    ("query", "has_own", "pegs"),
    [
        ("", False, "null"),
        ("", True, '"by_hand"'),
        ("?pegs=by_hand", False, '"by_hand"'),
        ("?pegs=drawn", True, '"drawn"'),
        ("?pegs=sensors", False, "null"),
    ],
)
def test_the_page_of_a_new_game_keeps_what_people_play_on(rig: Rig, query: str, has_own: bool, pegs: str) -> None:
    rig.begin(pegs="by_hand" if has_own else "drawn")
    assert f'"pegs": {pegs}' in unescape(rig.get(f"/new-game{query}").text)


@pytest.mark.parametrize(
    ("pegs", "chosen", "button"),
    [(PegSource.BY_HAND, "by_hand", "Play on our board"), (PegSource.DRAWN, "drawn", "Play on this page")],
)
def test_the_board_of_the_kit_is_chosen_beforehand(rig: Rig, pegs: PegSource, chosen: str, button: str) -> None:
    others = (source for source in rig.host.setup.peg_sources if source is not pegs)
    rig.host._use_setup(replace(rig.host.setup, peg_sources=(pegs, *others)))
    page = rig.get("/").text
    assert re.findall(r'name="play-on" value="(\w+)" checked', page) == [chosen]
    assert f">{button}</button>" in page


def test_each_kit_has_its_picture(rig: Rig) -> None:
    played_here = {Kit.PAGE: "drawn", Kit.WOOD: "by_hand"}
    choices = re.findall(r'name="play-on" value="(\w+)"', rig.get("/").text)
    assert sorted(choices) == sorted(played_here.get(kit, kit.value) for kit in Kit)


@pytest.mark.parametrize(("kit", "has_lights"), [("wood", False), ("page", True), ("desk", False), ("lights", True)])
def test_the_first_page_promises_no_light_on_a_board_without(real_rig: Rig, kit: str, has_lights: bool) -> None:
    real_rig.host._use_setup(with_settings(real_rig.host.setup, Settings(state_folder=Path("/none"), kit=kit)))
    page = PhoneClient(real_rig).client.get("/").text  # of somebody who may not begin a game
    assert ("It lights the next hole" in page, "It keeps the score" in page) == (has_lights, not has_lights)
