"""The buttons of the moment."""

from __future__ import annotations

from typing import Any

from tests.panel.conftest import Room, told


def offered(state: Any) -> list[tuple[str, bool]]:
    return [(offer["order"], offer["is_next"]) for offer in state["offers"]]


def test_nothing_is_offered_before_the_first_game(room: Room) -> None:
    assert offered(room.state()) == []


def test_the_cut_asks_who_deals(room: Room) -> None:
    offers = room.begin(dealer=None)["offers"]
    assert [(offer["label"], offer["body"]) for offer in offers] == [
        ("Ann deals", {"seat": 0}),
        ("Ben deals", {"seat": 1}),
    ]


def test_pegs_alone_need_only_the_next_deal(room: Room) -> None:
    assert offered(room.begin()) == [("next-deal", False)]
    room.leap(0, -1, 8)
    assert offered(room.state()) == [("next-deal", False), ("undo", False)]


def test_a_pending_leap_can_be_made_to_stand(room: Room) -> None:
    room.begin()
    room.leap(0, -1, 8, still_s=0.1)
    assert room.state()["offers"][0] == {
        "order": "settle",
        "label": "Ann +8 stands",
        "is_next": True,
        "body": {},
        "seats": [],
    }


def test_points_owed_can_be_waived(room: Room) -> None:
    room.begin()
    assert ("let-it-stand", False) in offered(room.order("starter", card="JH"))
    assert ("let-it-stand", False) not in offered(room.order("let-it-stand"))


def test_a_go_is_offered_once_cards_are_told(room: Room) -> None:
    room.begin()
    assert offered(room.order("starter", card="5H"))[0] == ("show", True)
    assert ("go", True) not in offered(room.order("play", card="7D"))  # up to 21 every card fits
    for card in ("TD", "JS"):
        state = room.order("play", card=card)
    assert offered(state)[:2] == [("go", True), ("show", False)]


def test_a_known_hand_is_offered_to_be_counted(room: Room) -> None:
    room.begin()
    room.order("starter", card="5H")
    for card in ("2S", "3S", "9C", "JD", "4D", "6D", "8C", "TS"):
        while room.post("/orders/play", {"card": card}).status_code == 409:
            room.order("go")
    assert room.state()["offers"][0]["label"] == "Count Ben"


def test_the_cards_are_gathered_after_the_crib(room: Room) -> None:
    room.begin()
    room.order("starter", card="5H")
    room.order("show")
    for _ in range(3):
        room.order("skip")
    assert offered(room.state())[0] == ("next-deal", True)


def test_the_loser_deals_the_same_game_again(room: Room) -> None:
    room.begin(target=61, scores=[60, 30], options={"muggins_mode": "claim"})
    over = room.order("correct", side=0, score=61, reason="home")
    again = over["offers"][0]
    assert (again["order"], again["label"]) == ("new-game", "Play again")
    state = room.order("new-game", **again["body"])
    assert state["deal"]["dealer"] == "Ben" and state["game"]["target"] == 61


def test_every_offer_would_be_taken(room: Room) -> None:
    """Each button that shows is tried from the very state it shows in, and taken back."""
    room.begin()
    for step, body in (("starter", {"card": "JH"}), ("play", {"card": "7D"}), ("show", {}), ("skip", {}), ("skip", {})):
        room.order(step, **body)
        for offer in room.state()["offers"]:
            if offer["order"] not in ("undo", "redo"):
                answer = room.post(f"/orders/{offer['order']}", offer["body"])
                assert answer.status_code == 200 or told(answer)["kind"] == "card_not_held", answer.text
                room.order("undo")
