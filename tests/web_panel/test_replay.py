"""Games to look at again: the frames of a replay, and the short game for visitors."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.config.board_plans import load_plan
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.game.state import Phase
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of
from web_panel.app import AccessPolicy
from web_panel.views.watched_game import NAMES, STEPS, watched_game

HAND = ["5H", "5S", "5D", "JC", "2D", "7S"]
PLAN = load_plan("classic-61")


def whole(frames: list[Any]) -> list[Any]:
    """The frames with all their keys, as the page has them."""
    found: list[Any] = []
    for frame in frames:
        found.append({**found[-1], **frame} if found else frame)
    return found


def replay_of(rig: Rig, game: object = "current") -> list[Any]:
    answer = rig.get(f"{API}/games/{game}/replay")
    assert answer.status_code == 200, answer.text
    return whole(json_of(answer)["frames"])


def deal_and_play(rig: Rig) -> None:
    rig.begin()
    rig.command("deal", seat=0, cards=HAND)
    rig.command("discard", seat=0, cards=["2D", "7S"])
    rig.command("starter", card="4C")
    rig.command("play", card="TH")
    rig.command("play", card="5H")
    rig.leap(0, -1, 2)


@pytest.mark.parametrize(
    ("variant", "names"), [("six_card", ["Ann", "Ben"]), ("three_hand", ["Ann", "Ben", "Cat"])], ids=["two", "three"]
)
def test_a_game_on_peoples_own_board_has_its_pegs_drawn(rig: Rig, variant: str, names: list[str]) -> None:
    rig.begin(variant=variant, names=names, pegs="by_hand")
    rig.command("move", side=0, points=8)
    first, *_, last = replay_of(rig)
    at_start = [(peg["track"], peg["position"], peg["score"]) for peg in first["pegs"]]
    assert at_start == [
        (track, position, score) for track in (0, 1) for position, score in (("back", -1), ("front", 0))
    ]
    pegs = {(peg["track"], peg["position"]): peg["score"] for peg in last["pegs"]}
    assert pegs[0, "front"] == 8 and pegs[1, "front"] == 0
    assert rig.state()["pegs"] == []


def test_a_frame_is_what_the_page_showed(rig: Rig) -> None:
    deal_and_play(rig)
    state, last = rig.state(), replay_of(rig)[-1]
    for key in ("sides", "deal", "pegs", "lights"):
        assert last[key] == state[key], key
    assert last["headline"] == "Ann pegs 2: now 2."


def test_every_turn_with_a_sentence_is_a_frame(rig: Rig) -> None:
    deal_and_play(rig)
    said = [f"{frame['headline']} {frame['detail']}".strip() for frame in replay_of(rig)]
    assert said == [entry["text"] for entry in rig.state()["log"]][::-1]


def test_cards_that_nobody_showed_are_in_no_frame(rig: Rig) -> None:
    deal_and_play(rig)
    text = rig.get(f"{API}/games/current/replay").text
    assert "5♥" in text and not any(card in text for card in ("J♣", "5♠", "5♦", "2♦", "7♠", "JC", "7S"))


def test_an_undone_turn_is_in_no_frame(rig: Rig) -> None:
    deal_and_play(rig)
    rig.command("play", card="9C")
    rig.command("undo")
    assert "9♣" not in rig.get(f"{API}/games/current/replay").text


def test_a_past_game_is_replayed_by_its_number(rig: Rig) -> None:
    deal_and_play(rig)
    frames = replay_of(rig)
    rig.begin(names=["Cat", "Dan"])
    assert replay_of(rig, 1) == frames
    assert [side["name"] for side in replay_of(rig, 2)[-1]["sides"]] == ["Cat", "Dan"]


@pytest.mark.parametrize("game", ["current", "0", "1", "99", "-1", "x", "9999999999999"])
@pytest.mark.parametrize("what", ["replay", "result"])
def test_a_game_that_does_not_exist_is_not_found(rig: Rig, game: str, what: str) -> None:
    assert rig.get(f"{API}/games/{game}/{what}").status_code == 404


def test_the_short_game_takes_20_to_30_seconds_and_its_last_frame_stays() -> None:
    assert 20_000 <= sum(step.shown_ms for step in STEPS) <= 30_000
    assert [step.shown_ms == 0 for step in STEPS] == [False] * (len(STEPS) - 1) + [True]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_short_game_has_a_caption_for_every_frame(language: str) -> None:
    frames = whole(watched_game(PLAN, translator(language))["frames"])  # type: ignore[arg-type]
    assert len(frames) == len(STEPS) and all(frame["headline"] for frame in frames)
    assert all(name in " ".join(frame["headline"] for frame in frames) for name in NAMES)


def test_the_short_game_shows_points_the_leap_and_a_wrong_peg_put_right() -> None:
    frames = whole(watched_game(PLAN, translator("en"))["frames"])  # type: ignore[arg-type]
    said = [frame["headline"] for frame in frames]
    assert "Ben plays 8♠: fifteen for two." in said
    leap = said.index("The board sees the peg move: 5 to 7.")
    assert frames[leap]["sides"][1]["score"] == 7
    wrong = next(number for number, frame in enumerate(frames) if frame["tone"] == "error")
    scores = [frame["sides"][0]["score"] for frame in frames[wrong : wrong + 2]]
    assert scores == [11, 11] and frames[wrong]["sides"][0]["owed"] == -1 and frames[wrong + 1]["sides"][0]["owed"] == 0
    assert frames[-1]["game"]["phase"] == Phase.SHOW.value and [side["score"] for side in frames[-1]["sides"]] == [
        19,
        12,
    ]


def test_the_short_game_is_open_to_strangers_and_changes_nothing() -> None:
    rig = Rig(is_simulated=False, access_policy=AccessPolicy(is_watching_open=lambda: False))
    before = rig.host.snapshot
    stranger = PhoneClient(rig)
    assert (
        stranger.get("/games/watched").status_code == 200 and stranger.get("/games/current/replay").status_code == 403
    )
    assert stranger.client.get("/boards/classic-61/121/landscape.svg").status_code == 200
    assert rig.host.snapshot is before and rig.journal.last_game == 0
    rig.host.stop()
