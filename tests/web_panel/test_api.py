"""The API: every route, refusals by the rules, and malformed bodies."""

from __future__ import annotations

import pytest

from firmware_host.storage.journal import JournalError
from tests.web_panel.conftest import API, Rig, json_of


def test_two_requests_of_one_tap_undo_one_turn(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    moment = rig.state()["moment"]
    assert rig.post("/commands/undo", {"moment": moment}).status_code == 200
    assert json_of(rig.post("/commands/undo", {"moment": moment}))["kind"] == "moment_over"
    again = {"moment": rig.state()["moment"], "idempotency_key": "a tap"}
    for _ in range(2):
        assert rig.post("/commands/redo", again).status_code == 200
    assert rig.state()["deal"]["starter"] == "5♥"


def test_there_is_a_state_before_the_first_game(rig: Rig) -> None:
    state = rig.state()
    assert state["game"] is None and state["prompt"]
    assert state["board"]["id"] == "classic-61" and len(state["pegs"]) == 4


def test_a_game_starts_with_the_given_names_and_dealer(rig: Rig) -> None:
    state = rig.begin(names=["Ida", "Jon"], target=61, dealer=1)
    assert [side["name"] for side in state["sides"]] == ["Ida", "Jon"]
    assert [side["is_dealer"] for side in state["sides"]] == [False, True]
    assert state["game"]["target"] == 61 and state["game"]["phase"] == "deal"


def test_house_rules_reach_the_game(rig: Rig) -> None:
    rig.begin(options={"muggins_mode": "claim"})
    assert rig.host.snapshot.table and rig.host.snapshot.table.rules.muggins_mode.value == "claim"


def test_without_a_dealer_the_cards_are_cut(rig: Rig) -> None:
    assert rig.begin(dealer=None)["game"]["phase"] == "cut"
    assert rig.command("dealer", seat=1)["deal"]["dealer"] == "Ben"


def test_a_deal_goes_from_starter_to_next_deal(rig: Rig) -> None:
    rig.begin()
    assert rig.command("starter", card="5H")["game"]["phase"] == "play"
    played = rig.command("play", card="TD")
    assert played["deal"]["play"]["count"] == 10 and played["deal"]["play"]["to_play"] == "Ann"
    assert rig.command("show")["game"]["phase"] == "show"
    counted = rig.command("count", cards=["TD", "5S", "5C", "JH"])
    cards = ["10♦", "5♠", "5♣", "J♥"]
    expected = {"name": "Ben", "title": "Ben’s hand", "is_crib": False, "cards": cards, "points": 21}
    assert {key: counted["deal"]["count"][key] for key in expected} == expected
    assert counted["deal"]["count"]["text"].endswith("a pair royal is twenty, and his nobs is twenty-one.")
    rig.command("accept-pegs")
    rig.command("skip")
    assert rig.command("skip")["game"]["phase"] == "gather"
    assert rig.command("next-deal", deal=1)["deal"] | {"number": 2} == rig.state()["deal"]


def test_go_is_said_by_the_seat_in_turn(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="2H")
    for card in ("TD", "JD", "QD"):
        rig.command("play", card=card)
    assert "Ann says go." in rig.command("go", seat=0)["log"][0]["text"]


def test_a_leap_is_pending_until_it_is_settled(rig: Rig) -> None:
    rig.begin()
    rig.leap(0, -1, 8, still_s=0.1)
    pending = rig.state()
    assert (pending["sides"][0]["score"], pending["sides"][0]["pending"]) == (0, 8)
    settled = rig.command("settle")
    assert (settled["sides"][0]["score"], settled["sides"][0]["pending"]) == (8, 0)


def test_undo_and_redo_are_a_turn_each(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    assert rig.command("undo")["deal"]["starter"] is None
    assert rig.command("redo")["deal"]["starter"] == "5♥"


def test_a_score_can_be_corrected_with_a_reason(rig: Rig) -> None:
    rig.begin()
    state = rig.command("correct", side=1, score=30, reason="a peg fell out")
    assert state["sides"][1]["score"] == 30 and "a peg fell out" in state["log"][0]["text"]


def test_a_peg_moved_by_the_api_is_read_by_the_sensors(rig: Rig) -> None:
    rig.begin()
    rig.leap(1, -1, 12)
    assert rig.state()["sides"][1]["score"] == 12


def test_keys_are_pressed_and_released(rig: Rig) -> None:
    for down in (True, False):
        assert rig.post("/keys", {"legend": "ENTER", "down": down}).status_code == 204
    rig.wait(0.1)
    assert rig.state()["prompt"] == "Which game?"


def test_fn_can_be_held(rig: Rig) -> None:
    rig.post("/keys", {"legend": "FN", "down": True})
    rig.wait(1.1)
    assert rig.state()["prompt"] == "Choose. UNDO: back"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/pegs/lift", {"sensor": 40}),
        ("/pegs/place", {"sensor": 6}),
        ("/pegs/place", {"sensor": 9999}),
        ("/keys", {"legend": "11", "down": True}),
        ("/keys", {"legend": "5", "down": False}),
    ],
)
def test_an_impossible_move_is_refused(rig: Rig, path: str, body: dict[str, object]) -> None:
    answer = rig.post(path, body)
    assert answer.status_code == 409 and json_of(answer)["kind"] == "out_of_reach"


def test_the_oled_is_shown_pixel_by_pixel_and_sent_once(rig: Rig) -> None:
    picture = rig.get("/oled.png?v=1")
    assert picture.data == rig.board.oled_png() and picture.mimetype == "image/png"
    again = rig.get("/oled.png?v=1", If_None_Match=picture.headers["ETag"])
    assert again.status_code == 304 and not again.data


def test_every_new_page_of_the_oled_has_a_new_version(rig: Rig) -> None:
    before = rig.state()["oled"]
    assert rig.begin()["oled"] > before or rig.state()["oled"] > before


def test_stopping_the_demo_brings_the_game_of_the_players_back_at_once(rig: Rig) -> None:
    rig.begin()
    rig.leap(0, -1, 8)
    before = rig.state()
    rig.post("/demo", {"run": True})
    while not rig.state()["demo"]:
        pass
    assert [side["name"] for side in rig.state()["sides"]] == ["Rosa", "Bram"]
    answer = json_of(rig.post("/demo", {"run": False}))
    assert answer["demo"] is False and answer["version"] > before["version"]
    assert [answer[key] for key in ("sides", "log")] == [before[key] for key in ("sides", "log")]
    rig.wait(0.1)  # until the pegs are scanned
    assert rig.state()["pegs"] == before["pegs"]


@pytest.mark.parametrize("path", ["/pegs/lift", "/keys", "/demo"])
def test_a_real_board_has_no_routes_for_pegs_keys_and_demo(real_rig: Rig, path: str) -> None:
    assert real_rig.post(path, {"sensor": 6}).status_code == 404
    assert real_rig.get("/oled.png").status_code == 403  # its display is for the owner alone
    assert real_rig.state()["oled"] is None


@pytest.mark.parametrize(
    ("command", "body", "kind"),
    [
        ("undo", {}, "nothing_to_undo"),
        ("redo", {}, "nothing_to_undo"),
        ("play", {"card": "5H"}, "wrong_phase"),
        ("count", {}, "wrong_phase"),
        ("starter", {"card": "5X"}, "not_a_card"),
        ("dealer", {"seat": 7}, "not_a_seat"),
        ("new-game", {"variant": "poker", "names": ["Ann", "Ben"]}, "unknown_variant"),
        ("new-game", {"variant": "six_card", "names": ["Ann"]}, "not_a_seat"),
        ("new-game", {"variant": "six_card", "names": ["Ann", "Ben"], "board": "oak"}, "board_cannot"),
        (
            "new-game",
            {"variant": "six_card", "names": ["Ann", "Ben"], "levels": [None, "club"]},
            "opponent_needs_dealt_cards",
        ),
        ("new-game", {"variant": "six_card", "names": ["Ann", "Ben"], "options": {"skunk": 1}}, "unknown_option"),
    ],
)
def test_a_refusal_is_a_409_with_its_message(rig: Rig, command: str, body: dict[str, object], kind: str) -> None:
    rig.begin()
    before = rig.state()
    answer = rig.post(f"/commands/{command}", body)
    assert (answer.status_code, json_of(answer)["kind"]) == (409, kind)
    assert (
        json_of(answer)["expected"] in json_of(answer)["message"]
        and json_of(answer)["got"] in json_of(answer)["message"]
    )
    assert rig.state() == before


NOT_AN_OBJECT = ("", "{", "[]", '"undo"', "null", "[" * 9000, "\xff")
NOT_A_SEAT = ("null", '"1"', "-1", "1.5", "true", "1e99", "9" * 5000, '1, "seats": 2')


@pytest.mark.parametrize("text", [*NOT_AN_OBJECT, *(f'{{"seat": {seat}}}' for seat in NOT_A_SEAT)])
def test_the_answer_to_a_malformed_body_says_what_was_expected(rig: Rig, text: str) -> None:
    rig.begin(dealer=None)
    answer = rig.post("/commands/dealer", data=text.encode("latin-1"), content_type="application/json")
    assert answer.status_code == 400 and answer.mimetype == "application/problem+json"
    assert "expected" in json_of(answer)["detail"] and len(json_of(answer)["detail"]) < 300
    assert rig.state()["game"]["phase"] == "cut"


@pytest.mark.parametrize("name", ["", "   ", "\ud800", "two\nlines", "x" * 61, 5, None])
def test_a_name_must_be_printable(rig: Rig, name: object) -> None:
    answer = rig.post("/commands/new-game", {"variant": "six_card", "names": ["Ann", name]})
    assert answer.status_code == 400 and json_of(answer)["detail"].startswith("names: ")


@pytest.mark.parametrize("body", [{"seat": 0}, {"is_crib": False}])
def test_a_count_names_both_seat_and_crib_or_neither(rig: Rig, body: dict[str, object]) -> None:
    answer = rig.post("/commands/count", body)
    assert answer.status_code == 400
    assert json_of(answer)["detail"] == "is_crib: expected seat and is_crib together, got one of them"


def test_an_unknown_command_is_404(rig: Rig) -> None:
    answer = rig.post("/commands/cheat")
    assert answer.status_code == 404 and json_of(answer)["status"] == 404


def test_an_unknown_path_under_the_api_is_answered_in_json(rig: Rig) -> None:
    answer = rig.get(f"{API}/nothing")
    assert answer.status_code == 404 and json_of(answer)["status"] == 404


def test_a_full_disk_is_503(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(turn: object) -> None:
        raise JournalError("rig on the disk", "none", "journal", "make rig")

    rig.begin()
    monkeypatch.setattr(rig.journal, "append", no_room)
    answer = rig.post("/commands/starter", {"card": "5H"})
    assert answer.status_code == 503 and answer.mimetype == "application/problem+json"
    assert json_of(answer)["localized"] == "Not saved yet. Check the disk."
    assert rig.state()["deal"]["starter"] is None
