"""The API: one promise a route, refusals in the table's words, and bodies that are not what they should be."""

from __future__ import annotations

import pytest

from firmware_host.journal import JournalFault
from tests.panel.conftest import API, Room, told


def test_the_state_is_told_before_the_first_game(room: Room) -> None:
    state = room.state()
    assert state["game"] is None and state["prompt"]
    assert state["board"]["id"] == "classic-61" and len(state["pegs"]) == 4


def test_a_game_begins_with_the_names_and_the_dealer_asked_for(room: Room) -> None:
    state = room.begin(names=["Ida", "Jon"], target=61, dealer=1)
    assert [side["name"] for side in state["sides"]] == ["Ida", "Jon"]
    assert [side["is_dealer"] for side in state["sides"]] == [False, True]
    assert state["game"]["target"] == 61 and state["game"]["phase"] == "deal"


def test_agreements_reach_the_game(room: Room) -> None:
    room.begin(options={"muggins_mode": "claim"})
    assert room.host.snapshot.table and room.host.snapshot.table.rules.muggins_mode.value == "claim"


def test_who_deals_may_be_cut_for(room: Room) -> None:
    assert room.begin(dealer=None)["game"]["phase"] == "cut"
    assert room.order("dealer", seat=1)["deal"]["dealer"] == "Ben"


def test_a_deal_goes_from_starter_to_next_deal(room: Room) -> None:
    room.begin()
    assert room.order("starter", card="5H")["game"]["phase"] == "play"
    played = room.order("play", card="TD")
    assert played["deal"]["play"]["count"] == 10 and played["deal"]["play"]["to_play"] == "Ann"
    assert room.order("show")["game"]["phase"] == "show"
    counted = room.order("count", cards=["TD", "5S", "5C", "JH"])
    cards = ["T♦", "5♠", "5♣", "J♥"]
    told = {"name": "Ben", "title": "Ben's hand", "is_crib": False, "cards": cards, "points": 21}
    assert counted["deal"]["count"].items() >= told.items()
    assert counted["deal"]["count"]["said"].endswith("a pair royal is twenty, and his nobs is twenty-one.")
    room.order("let-it-stand")
    room.order("skip")
    assert room.order("skip")["game"]["phase"] == "gather"
    assert room.order("next-deal")["deal"] | {"number": 2} == room.state()["deal"]


def test_go_is_said_by_the_seat_in_turn(room: Room) -> None:
    room.begin()
    room.order("starter", card="2H")
    for card in ("TD", "JD", "QD"):
        room.order("play", card=card)
    assert "Ann says go." in room.order("go", seat=0)["log"][0]["said"]


def test_a_leap_is_pending_until_it_is_settled(room: Room) -> None:
    room.begin()
    room.leap(0, -1, 8, still_s=0.1)
    pending = room.state()
    assert (pending["sides"][0]["score"], pending["sides"][0]["pending"]) == (0, 8)
    settled = room.order("settle")
    assert (settled["sides"][0]["score"], settled["sides"][0]["pending"]) == (8, 0)


def test_undo_and_redo_are_a_turn_each(room: Room) -> None:
    room.begin()
    room.order("starter", card="5H")
    assert room.order("undo")["deal"]["starter"] is None
    assert room.order("redo")["deal"]["starter"] == "5♥"


def test_a_score_can_be_corrected_with_a_reason(room: Room) -> None:
    room.begin()
    state = room.order("correct", side=1, score=30, reason="a peg fell out")
    assert state["sides"][1]["score"] == 30 and "a peg fell out" in state["log"][0]["said"]


def test_a_leap_by_finger_is_read_like_one_by_hand(room: Room) -> None:
    room.begin()
    room.leap(1, -1, 12)
    assert room.state()["sides"][1]["score"] == 12


def test_keys_go_down_and_come_up(room: Room) -> None:
    for down in (True, False):
        assert room.post("/keys", {"legend": "ENTER", "down": down}).status_code == 204
    room.wait(0.1)
    assert room.state()["prompt"] == "Which game?"


def test_fn_can_be_held(room: Room) -> None:
    room.post("/keys", {"legend": "FN", "down": True})
    room.wait(1.1)
    assert room.state()["prompt"] == "Choose, or UNDO"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/hands/lift", {"sensor": 40}),
        ("/hands/place", {"sensor": 6}),
        ("/hands/place", {"sensor": 9999}),
        ("/keys", {"legend": "11", "down": True}),
        ("/keys", {"legend": "5", "down": False}),
    ],
)
def test_a_hand_that_misses_is_told_so(room: Room, path: str, body: dict[str, object]) -> None:
    answer = room.post(path, body)
    assert answer.status_code == 409 and told(answer)["kind"] == "out_of_reach"


def test_the_oled_is_shown_pixel_by_pixel_and_sent_once(room: Room) -> None:
    picture = room.get("/oled.png?v=1")
    assert picture.data == room.board.oled_png() and picture.mimetype == "image/png"
    again = room.get("/oled.png?v=1", If_None_Match=picture.headers["ETag"])
    assert again.status_code == 304 and not again.data


def test_every_new_page_of_the_oled_has_a_new_version(room: Room) -> None:
    before = room.state()["oled"]
    assert room.begin()["oled"] > before or room.state()["oled"] > before


def test_a_demo_is_started_and_stopped(room: Room) -> None:
    assert told(room.post("/demo", {"run": True}))["demo"] is True
    assert told(room.post("/demo", {"run": False}))["demo"] is False


@pytest.mark.parametrize("path", ["/hands/lift", "/keys", "/demo"])
def test_a_real_board_has_no_simulated_hands(real_room: Room, path: str) -> None:
    assert real_room.post(path, {"sensor": 6}).status_code == 404
    assert real_room.get("/oled.png").status_code == 403  # its display is for the owner alone
    assert real_room.state()["oled"] is None


@pytest.mark.parametrize(
    ("order", "body", "kind"),
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
        ("new-game", {"variant": "six_card", "names": ["Ann", "Ben"], "options": {"skunk": 1}}, "unknown_option"),
    ],
)
def test_a_refusal_is_a_conflict_with_its_sentence(room: Room, order: str, body: dict[str, object], kind: str) -> None:
    room.begin()
    before = room.state()
    answer = room.post(f"/orders/{order}", body)
    assert (answer.status_code, told(answer)["kind"]) == (409, kind)
    assert told(answer)["expected"] in told(answer)["message"] and told(answer)["got"] in told(answer)["message"]
    assert room.state() == before


NO_OBJECT = ("", "{", "[]", '"undo"', "null", "[" * 9000, "\xff")
NO_SEAT = ("null", '"1"', "-1", "1.5", "true", "1e99", "9" * 5000, '1, "seats": 2')


@pytest.mark.parametrize("text", [*NO_OBJECT, *(f'{{"seat": {seat}}}' for seat in NO_SEAT)])
def test_a_malformed_body_is_told_what_was_expected(room: Room, text: str) -> None:
    room.begin(dealer=None)
    answer = room.post("/orders/dealer", data=text.encode("latin-1"), content_type="application/json")
    assert answer.status_code == 400 and answer.mimetype == "application/problem+json"
    assert "expected" in told(answer)["detail"] and len(told(answer)["detail"]) < 300
    assert room.state()["game"]["phase"] == "cut"


@pytest.mark.parametrize("name", ["", "   ", "\ud800", "two\nlines", "x" * 61, 5, None])
def test_a_name_must_be_fit_to_print(room: Room, name: object) -> None:
    answer = room.post("/orders/new-game", {"variant": "six_card", "names": ["Ann", name]})
    assert answer.status_code == 400 and told(answer)["detail"].startswith("names: ")


def test_an_unknown_order_is_nowhere(room: Room) -> None:
    answer = room.post("/orders/cheat")
    assert answer.status_code == 404 and told(answer)["status"] == 404


def test_an_unknown_path_under_the_api_is_answered_in_json(room: Room) -> None:
    answer = room.get(f"{API}/nothing")
    assert answer.status_code == 404 and told(answer)["status"] == 404


def test_a_full_disk_is_no_refusal(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(turn: object) -> None:
        raise JournalFault("room on the disk", "none", "journal", "make room")

    room.begin()
    monkeypatch.setattr(room.journal, "append", no_room)
    answer = room.post("/orders/starter", {"card": "5H"})
    assert answer.status_code == 503 and answer.mimetype == "application/problem+json"
    assert told(answer)["says"] == "Cannot be saved yet: look after the disk"
    assert room.state()["deal"]["starter"] is None
