"""A hand is private: no route, stream, refusal or log reveals it to anybody else."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest

from firmware_host.cribbage.cards import parse_cards
from firmware_host.pairing.registry import Role
from firmware_host.ui.keys import input_state as k
from tests.web_panel.conftest import PhoneClient, Rig, json_of
from tests.web_panel.test_permissions import path_of, routes_of
from web_panel.api.commands import COMMANDS
from web_panel.api.stream import StreamLimits, Streams
from web_panel.security.seat_access import MAX_ENTRIES, MAX_PROBES
from web_panel.views.cache import StateCache

ANNS = ["2S", "3S", "9C", "JD", "KD", "KC"]
BENS = ["4D", "6D", "8C", "TS", "QH", "AC"]


class Players:
    """Ann, who deals, and Ben, each with a phone and a seat; Eve owns the board."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.ann, self.ben = PhoneClient(rig).pair("Ann"), PhoneClient(rig).pair("Ben")
        self.eve = PhoneClient(rig).pair("Eve", Role.OWNER)
        self.ann.command("new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=0)
        assert self.ann.post("/me/seat", {"seat": 0}).status_code == 200
        assert self.ben.post("/me/seat", {"seat": 1}).status_code == 200

    def deal(self) -> None:
        self.ann.command("deal", cards=ANNS)
        self.ben.command("deal", cards=BENS)

    def discard(self) -> None:
        self.ann.command("discard", cards=["KD", "KC"])
        self.ben.command("discard", cards=["QH", "AC"])


@pytest.fixture
def players(real_rig: Rig) -> Iterator[Players]:
    yield Players(real_rig)


def cards_in(text: str, cards: list[str]) -> set[str]:
    """The cards that the text has, as in the API or with a suit sign."""
    signs = str.maketrans({"S": "♠", "H": "♥", "D": "♦", "C": "♣", "T": "10"})
    return {card for card in cards if re.search(rf"\b{card}\b", text) or card.translate(signs) in text}


def test_a_hand_is_entered_read_and_discarded_by_its_holder(players: Players) -> None:
    players.deal()
    hand = json_of(players.ben.get("/me/hand"))
    assert (hand["name"], hand["dealt"], hand["to_deal"], hand["to_discard"]) == ("Ben", BENS, 6, 2)
    players.discard()
    hand = json_of(players.ben.get("/me/hand"))
    assert (hand["discarded"], hand["kept"], hand["in_hand"]) == (["QH", "AC"], BENS[:4], BENS[:4])


def test_a_hand_can_be_changed_and_cleared_before_the_starter(players: Players) -> None:
    players.deal()
    players.ben.command("deal", cards=["5D", *BENS[1:]])
    assert json_of(players.ben.get("/me/hand"))["dealt"][0] == "5D"
    players.ben.command("deal", cards=[])
    assert json_of(players.ben.get("/me/hand"))["dealt"] == []


def test_a_hand_can_be_entered_by_rank(players: Players) -> None:
    players.ben.command("deal", cards=["4", "6", "8", "T", "Q", "A"])
    players.ben.command("discard", cards=["Q", "A"])
    assert json_of(players.ben.get("/me/hand"))["kept"] == ["4", "6", "8", "T"]


def test_cards_of_equal_rank_are_separate_cards(players: Players) -> None:
    players.ben.command("deal", cards=["5", "5", "5", "5", "K", "K"])
    assert json_of(players.ben.send("discard", cards=["Q", "Q"]))["kind"] == "card_not_held"
    players.ben.command("discard", cards=["K", "K"])
    assert json_of(players.ben.get("/me/hand"))["kept"] == ["5", "5", "5", "5"]
    players.ann.command("starter", card="9H")
    players.ben.command("play", card="5")
    assert json_of(players.ben.get("/me/hand"))["in_hand"] == ["5", "5", "5"]


def test_a_hand_lists_its_playable_cards(players: Players) -> None:
    players.deal()
    players.discard()
    players.ann.command("starter", card="5H")
    ben, ann = json_of(players.ben.get("/me/hand")), json_of(players.ann.get("/me/hand"))
    assert (ben["is_to_play"], ben["playable"]) == (True, BENS[:4]) and (ann["is_to_play"], ann["playable"]) == (
        False,
        [],
    )


def test_a_hand_to_show_is_sent_to_its_owner_first(players: Players) -> None:
    players.deal()
    players.discard()
    players.ann.command("starter", card="5H")
    players.rig.board.keypad.move("ENTER", down=True)
    players.rig.wait(0.1)
    assert json_of(players.ann.get("/me/hand"))["to_show"] is None
    assert json_of(players.ben.get("/me/hand"))["to_show"] == {"is_crib": False, "cards": BENS[:4]}
    players.ben.command("count")
    players.ann.command("count")
    assert json_of(players.ben.get("/me/hand"))["to_show"] is None
    crib = json_of(players.ann.get("/me/hand"))["to_show"]
    assert crib["is_crib"] and set(crib["cards"]) == {"KD", "KC", "QH", "AC"}


def test_an_action_lists_the_seats_that_may_take_it(players: Players) -> None:
    players.deal()
    players.discard()
    state = players.ann.command("starter", card="5H")
    assert [(action["command"], action["seats"]) for action in state["actions"] if action["input"]] == [
        ("play", [1]),
        ("correct", []),
    ]
    assert {action["command"]: action["seats"] for action in state["actions"] if not action["input"]} == {
        "show": [],
        "undo": [],
    }


def test_no_route_reveals_another_hand(players: Players) -> None:
    """Every route and every command, by the owner, by the other player, and by a stranger."""
    players.deal()
    players.discard()
    everything = ANNS + BENS
    for who, hidden in ((players.eve, everything), (PhoneClient(players.rig), everything), (players.ann, BENS)):
        for route in sorted(routes_of(players.rig)):
            method, path = route.split()[0], path_of(route)
            if path.endswith(("/stream", "/leave", "/undo", "/new-game", "/misdeal", "/next-deal")):
                continue
            if path.endswith(("/games/watched", "/cards.svg", "/help")) or "/coach" in path:
                continue  # made-up cards, the cards of exercises, and the faces of all cards
            body = {"seat": 1, "side": 1, "points": 1, "card": "7H", "cards": BENS[:1]} if method == "POST" else None
            answer = players.rig.post(path.removeprefix("/api/v1"), body, who.client) if body else who.client.get(path)
            if answer.mimetype != "image/png":  # the display, for the owner alone; the state has its text
                text = answer.get_data().decode("utf-8", "replace")  # a backup is not text
                assert not cards_in(text, hidden) - set(BENS[:1]), f"{route}: {text}"
            answer.close()


def test_the_stream_reveals_no_hidden_card(players: Players) -> None:
    players.deal()
    players.discard()
    events = iter(Streams(StateCache(players.rig.host, None), StreamLimits(heartbeat_s=0.0)).open().response)
    text = f"{next(events)!s}{next(events)!s}"
    assert "event: state" in text and not cards_in(text, ANNS + BENS)


def test_a_refusal_names_only_cards_of_the_request(players: Players) -> None:
    players.deal()
    players.discard()
    players.ann.command("starter", card="5H")
    wrong = players.ben.send("play", card="7H")
    assert json_of(wrong)["kind"] == "card_not_held" and not cards_in(wrong.text, BENS)
    go = players.ben.send("go")
    assert json_of(go)["kind"] == "false_go" and not cards_in(go.text, BENS)


def test_a_wrong_card_on_the_keys_reveals_nothing(players: Players) -> None:
    players.deal()
    players.discard()
    players.ann.command("starter", card="5H")
    players.rig.board.keypad.move("9", down=True)
    players.rig.wait(0.1)
    state = players.rig.state()
    assert state["prompt"] == "Not in Ben’s hand: a nine." and not cards_in(str(state), BENS)


@pytest.mark.parametrize("command", ["deal", "discard"])
def test_nobody_else_enters_the_hand_of_a_held_seat(players: Players, command: str) -> None:
    players.deal()
    for other in (players.ann, players.eve):
        answer = other.send(command, seat=1, cards=["QH", "AC"])
        assert (answer.status_code, json_of(answer)["kind"]) == (409, "not_your_seat")


def test_nobody_plays_or_counts_for_a_seat_that_is_held(players: Players) -> None:
    players.deal()
    players.discard()
    players.ann.command("starter", card="5H")
    for other, command in ((players.ann, "play"), (players.eve, "play"), (players.eve, "go")):
        body = {"card": "4D"} if command == "play" else {}
        assert json_of(other.send(command, **body))["kind"] == "not_your_seat"
    assert players.ben.command("play", card="4D")["deal"]["play"]["count"] == 4


def test_only_its_own_seats_claim_for_a_side(players: Players) -> None:
    for command in ("claim", "move"):
        assert json_of(players.eve.send(command, side=1, points=2))["kind"] == "not_your_seat"
        assert json_of(players.ben.send(command, side=1, points=2)).get("kind") != "not_your_seat"
        assert json_of(players.ben.send(command, side=7, points=2)).get("kind") != "not_your_seat"


def test_the_play_cannot_be_ended_early_to_see_a_hand(players: Players) -> None:
    players.deal()
    players.discard()
    players.ann.command("starter", card="5H")
    for who in (players.ann, players.ben, players.eve):
        assert json_of(who.send("show"))["kind"] == "still_in_hand"


def test_a_hand_is_counted_by_its_holder(players: Players) -> None:
    players.deal()
    players.discard()
    players.ann.command("starter", card="5H")
    players.rig.board.keypad.move("ENTER", down=True)  # the keys can end the play
    players.rig.wait(0.1)
    assert players.rig.state()["game"]["phase"] == "show"
    assert json_of(players.ann.send("count"))["kind"] == "not_your_seat"
    assert cards_in(str(players.ben.command("count")), ANNS + BENS) == set(BENS[:4])


def test_entering_a_card_of_another_hand_gives_no_answer(players: Players) -> None:
    players.deal()
    answers = [players.ann.send("deal", cards=[card, *ANNS[1:]]) for card in ("7H", BENS[0])]
    assert [answer.status_code for answer in answers] == [200, 200]
    players.rig.wait(0.1)
    for who in (players.ann, players.ben, players.eve):
        assert "same card" not in who.get("/state").text
    assert "same card" not in shown_on_display(players)


def shown_on_display(players: Players) -> str:
    snapshot = players.rig.host.snapshot
    return " ".join(text for text, _ in snapshot.own_page or snapshot.oled_page)


def test_one_card_in_two_hands_is_told_once_both_are_shown(players: Players) -> None:
    players.deal()
    players.ann.command("deal", cards=[BENS[4], *ANNS[1:]])
    players.ann.command("discard", cards=ANNS[4:])
    players.ben.command("discard", cards=BENS[4:])
    players.ann.command("starter", card="5H")
    players.rig.board.keypad.move("ENTER", down=True)  # ends the play
    players.rig.wait(0.1)
    for who, count in ((players.ben, "count"), (players.ann, "count")):
        assert "same card" not in shown_on_display(players)
        who.command(count)
    players.ann.command("count")
    assert "Two hands have the same card" in shown_on_display(players)


def test_entering_a_hand_again_is_limited_and_logged(players: Players, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    for _ in range(MAX_ENTRIES):
        players.ann.command("deal", cards=ANNS)
    assert json_of(players.ann.send("deal", cards=ANNS))["kind"] == "too_many_probes"
    assert json_of(players.ben.send("deal", cards=BENS)).get("kind") is None
    assert f"entered a hand: {MAX_ENTRIES}" in caplog.text and "too often" in caplog.text


def test_probing_for_played_cards_is_limited(players: Players) -> None:
    players.ann.command("starter", card="5H")
    for _ in range(MAX_PROBES):
        assert json_of(players.ben.send("play", card="5H"))["kind"] == "card_seen_elsewhere"
    assert json_of(players.ben.send("play", card="7H"))["kind"] == "too_many_probes"
    players.ben.command("undo")  # other commands try no card
    players.ann.command("starter", card="6H")


@pytest.mark.parametrize("hands", [{}, {0: ANNS}, {0: ANNS, 1: BENS}], ids=["no hand", "one hand", "both hands"])
def test_one_phone_for_all_may_mistype_as_often_as_it_likes(real_rig: Rig, hands: dict[int, list[str]]) -> None:
    phone = PhoneClient(real_rig).pair("Ann")
    for _ in range(2):
        phone.command("new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=0)
        for seat, cards in hands.items():
            phone.command("deal", cards=cards, seat=seat)
            phone.command("discard", cards=cards[4:], seat=seat)
        phone.command("starter", card="5H")
        for _ in range(MAX_PROBES):
            assert json_of(phone.send("play", card="5H"))["kind"] in ("card_seen_elsewhere", "card_not_held")
        phone.command("play", card="4D")


def test_trials_of_a_hand_that_a_phone_without_a_seat_entered_are_limited(real_rig: Rig) -> None:
    ann, ben = PhoneClient(real_rig).pair("Ann"), PhoneClient(real_rig).pair("Ben")
    ann.command("new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=1)
    ben.command("deal", cards=BENS, seat=1)
    ann.command("starter", card="5H")
    for _ in range(MAX_PROBES):
        assert json_of(ann.send("play", card="5H"))["kind"] == "card_seen_elsewhere"
    assert json_of(ann.send("play", card="9C"))["kind"] == "too_many_probes"


def test_undo_does_not_take_a_hand_from_somebody_else(players: Players) -> None:
    players.deal()
    assert json_of(players.ann.send("undo"))["kind"] == "not_your_cards"
    players.ben.command("undo")
    assert json_of(players.ann.send("redo"))["kind"] == "not_your_cards"
    players.ben.command("redo")
    assert json_of(players.ben.get("/me/hand"))["dealt"] == BENS


def test_download_leaves_out_a_game_that_undo_can_bring_back(players: Players) -> None:
    players.deal()
    players.eve.command("correct", side=0, score=121, reason="trick")
    with players.eve.client.get("/cribboard.sqlite3") as answer:
        assert answer.status_code == 200 and b'"4D"' not in answer.get_data()


def test_a_seat_with_private_cards_cannot_be_taken(players: Players) -> None:
    players.deal()
    players.ben.post("/me/leave")
    assert json_of(players.eve.post("/me/seat", {"seat": 1}))["kind"] == "seat_taken"
    players.ann.command("next-deal", deal=1)
    assert players.eve.post("/me/seat", {"seat": 1}).status_code == 200
    assert json_of(players.eve.get("/me/hand"))["dealt"] == []


def test_a_seat_must_exist_and_be_free(players: Players) -> None:
    assert json_of(players.eve.post("/me/seat", {"seat": 1}))["kind"] == "seat_taken"
    assert json_of(players.eve.post("/me/seat", {"seat": 2}))["kind"] == "not_a_seat"
    assert [seat["held_by"] for seat in json_of(players.eve.get("/me"))["seats"]] == ["Ann", "Ben"]
    assert json_of(players.eve.get("/me/hand"))["kind"] == "no_seat"


def test_advice_is_for_the_holder_and_only_where_it_is_allowed(players: Players) -> None:
    assert json_of(players.ben.get("/me/advice"))["kind"] == "card_not_held"
    players.deal()
    best = json_of(players.ben.get("/me/advice"))["discards"]
    assert len(best) == 5 and best[0]["total"] >= best[1]["total"]
    assert all(set(discard["cards"]) < set(BENS) for discard in best)


def test_advice_invents_no_suits(players: Players) -> None:
    players.ben.command("deal", cards=["4", "6", "8", "T", "Q", "A"])
    best = json_of(players.ben.get("/me/advice"))["discards"]
    assert all(set(discard["cards"]) <= set("468TQA") for discard in best)
    players.ben.command("deal", cards=["5", "5", "7", "8", "J", "K"])
    ways = [tuple(discard["cards"]) for discard in json_of(players.ben.get("/me/advice"))["discards"]]
    assert len(set(ways)) == len(ways) == 5


def test_advice_for_the_play_is_for_the_holder_in_turn(players: Players) -> None:
    players.deal()
    players.ann.command("discard", cards=ANNS[:2])
    players.ben.command("discard", cards=BENS[:2])
    players.ann.command("starter", card="5H")
    turn, other = (players.ben, players.ann) if hand_of(players.ben)["is_to_play"] else (players.ann, players.ben)
    advice = json_of(turn.get("/me/advice"))
    cards = advice["cards"]
    assert advice["discards"] == [] and {each["card"] for each in cards} <= set(hand_of(turn)["in_hand"])
    assert cards[0]["win"] >= cards[-1]["win"] and all(0 < each["win"] < 1 for each in cards)
    assert all(isinstance(each["points"], float) for each in cards)
    assert "cards" not in json_of(other.get("/me/advice"))


@pytest.mark.parametrize("cards", [["4", "6", "8", "T", "Q", "A"], ["5", "5", "7", "J"]])
def test_advice_for_the_play_invents_no_suits(players: Players, cards: list[str]) -> None:
    for player in (players.ann, players.ben):
        player.command("deal", cards=cards)
        if len(cards) > 4:
            player.command("discard", cards=cards[:2])
    players.ann.command("starter", card="K")
    turn, other = (players.ben, players.ann) if hand_of(players.ben)["is_to_play"] else (players.ann, players.ben)
    for player in (turn, other):
        advice = json_of(player.get("/me/advice"))["cards"]
        assert {each["card"] for each in advice} == set(hand_of(player)["in_hand"])
        player.command("play", card=advice[0]["card"])


def hand_of(player: PhoneClient) -> dict[str, Any]:
    hand: dict[str, Any] = json_of(player.get("/me/hand"))
    return hand


def test_cards_typed_for_advice_are_only_on_the_display(rig: Rig) -> None:
    rig.host._parts.keypad.input_state = k.TypingDeal(own_crib=True, cards=parse_cards("4 6 8", rank_only=True))
    rig.host._context.revision += 1
    assert rig.state()["prompt"] == "Dealt: _" and rig.state()["display"] == ["Dealt: _"]
    assert rig.host.snapshot.prompt == "Dealt: 4 6 8_"


def test_no_card_and_no_token_is_in_a_log(players: Players, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    players.deal()
    players.discard()
    for command in COMMANDS:
        players.ben.send(command, cards=BENS, card="4D")
    tokens = (players.ann.token, players.ben.token)
    assert not cards_in(caplog.text, ANNS + BENS) and not any(token in caplog.text for token in tokens)


def test_a_private_game_runs_from_deal_to_show(players: Players) -> None:
    players.deal()
    players.discard()
    players.ann.command("starter", card="5H")
    turns = [(players.ben, "4D"), (players.ann, "9C"), (players.ben, "6D"), (players.ann, "JD"), (players.ann, "2S")]
    for who, card in turns:
        players.rig.wait(0.1)
        answer = who.send("play", card=card)
        assert answer.status_code == 200, answer.text
    assert cards_in(str(players.rig.state()), ANNS + BENS) <= {card for _, card in turns}


def test_phones_keep_their_seats_and_hands_through_a_demo(rig: Rig) -> None:
    players = Players(rig)
    players.deal()
    players.discard()
    seats, hand = rig.state()["seats"], json_of(players.ben.get("/me/hand"))
    rig.post("/demo", {"run": True})
    while not rig.state()["demo"]:
        pass
    assert [seat["name"] for seat in rig.state()["seats"]] != ["Ann", "Ben"]
    rig.post("/demo", {"run": False})
    assert rig.state()["seats"] == seats
    assert [seat["held_by"] for seat in seats] == ["Ann", "Ben"]
    assert [json_of(phone.get("/me"))["seat"] for phone in (players.ann, players.ben, players.eve)] == [0, 1, None]
    assert json_of(players.ben.get("/me/hand")) == hand
    assert hand["kept"] == BENS[:4]


def test_a_card_says_no_go_for_a_seat_that_another_phone_holds(players: Players) -> None:
    """Ann holds a seat, and its hand was not entered. Ben's seat is free."""
    players.ben.post("/me/seat", {"seat": None})
    players.eve.command("starter", card="5H")
    for phone, card in ((players.eve, "TS"), (players.ann, "JH")):
        phone.command("play", card=card)
    players.eve.command("play", card="8H")
    before = players.eve.get("/state").get_json()["turns"]
    for phone in (players.eve, players.ben):
        answer = phone.send("play", card="9S", says_goes=True)
        assert (answer.status_code, json_of(answer)["kind"]) == (409, "not_your_seat")
    players.ann.command("play", card="9S", says_goes=True)
    assert players.eve.get("/state").get_json()["turns"] == before + 1


def test_a_phone_without_a_seat_watches_while_others_have_seats(real_rig: Rig) -> None:
    owner = PhoneClient(real_rig).pair("Olga")
    ann, wim = (PhoneClient(real_rig).pair(name) for name in ("Ann", "Wim"))
    game = {"variant": "six_card", "names": ["Ann", "Ben"], "board": "classic-61", "dealer": 0}
    assert wim.send("new-game", **game).status_code == 200  # nobody has a seat: one phone may keep the game
    assert wim.send("starter", card="JH").status_code == 200
    assert ann.post("/me/seat", {"seat": 0}).status_code == 200
    for command, body in (("misdeal", {}), ("undo", {}), ("redo", {}), ("show", {}), ("new-game", game)):
        answer = wim.send(command, **body)
        assert (answer.status_code, json_of(answer)["kind"]) == (409, "not_seated"), command
    assert json_of(answer)["localized"] == "Take a seat first, or ask Ann to do it."
    assert owner.send("undo").status_code == 200
    assert wim.post("/me/seat", {"seat": 1}).status_code == 200 and wim.send("redo").status_code == 200
