"""What a seat holds is nobody else's: not by any route, not in the stream, not in a refusal, not in a log."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import pytest

from firmware_host.cribbage.cards import parse_cards
from firmware_host.phones import Role
from firmware_host.table import entries as k
from tests.panel.conftest import Guest, Room, told
from tests.panel.test_roles import path_of, routes_of
from web_panel.news import News
from web_panel.seats import MOST_CLASHES
from web_panel.stream import Pace, Streams
from web_panel.wishes import WISHES

ANNS = ["2S", "3S", "9C", "JD", "KD", "KC"]
BENS = ["4D", "6D", "8C", "TS", "QH", "AC"]


class Pair:
    """Ann, who deals, and Ben, each with a phone and a seat."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.ann, self.ben = Guest(room).come_in("Ann"), Guest(room).come_in("Ben")
        self.eve = Guest(room).come_in("Eve", Role.OWNER)
        self.ann.taken("new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=0)
        assert self.ann.post("/my/seat", {"seat": 0}).status_code == 200
        assert self.ben.post("/my/seat", {"seat": 1}).status_code == 200

    def deal(self) -> None:
        self.ann.taken("deal", cards=ANNS)
        self.ben.taken("deal", cards=BENS)

    def lay_away(self) -> None:
        self.ann.taken("lay-away", cards=["KD", "KC"])
        self.ben.taken("lay-away", cards=["QH", "AC"])


@pytest.fixture
def pair(real_room: Room) -> Iterator[Pair]:
    yield Pair(real_room)


def cards_in(text: str, cards: list[str]) -> set[str]:
    """Those of the cards that the text names, as on the wire or with the sign of the suit."""
    signs = str.maketrans("SHDC", "♠♥♦♣")
    return {card for card in cards if re.search(rf"\b{card}\b", text) or card.translate(signs) in text}


def test_a_hand_is_told_seen_and_laid_away_by_its_holder(pair: Pair) -> None:
    pair.deal()
    hand = told(pair.ben.get("/my/hand"))
    assert (hand["name"], hand["dealt"], hand["to_deal"], hand["to_lay_away"]) == ("Ben", BENS, 6, 2)
    pair.lay_away()
    hand = told(pair.ben.get("/my/hand"))
    assert (hand["laid_away"], hand["kept"], hand["in_hand"]) == (["QH", "AC"], BENS[:4], BENS[:4])


def test_a_hand_may_be_changed_and_taken_back_before_the_starter(pair: Pair) -> None:
    pair.deal()
    pair.ben.taken("deal", cards=["5D", *BENS[1:]])
    assert told(pair.ben.get("/my/hand"))["dealt"][0] == "5D"
    pair.ben.taken("deal", cards=[])
    assert told(pair.ben.get("/my/hand"))["dealt"] == []


def test_a_hand_by_ranks_alone_will_do(pair: Pair) -> None:
    pair.ben.taken("deal", cards=["4", "6", "8", "T", "Q", "A"])
    pair.ben.taken("lay-away", cards=["Q", "A"])
    assert told(pair.ben.get("/my/hand"))["kept"] == ["4", "6", "8", "T"]


def test_two_cards_of_a_rank_are_two_cards(pair: Pair) -> None:
    pair.ben.taken("deal", cards=["5", "5", "5", "5", "K", "K"])
    assert told(pair.ben.order("lay-away", cards=["Q", "Q"]))["kind"] == "card_not_held"
    pair.ben.taken("lay-away", cards=["K", "K"])
    assert told(pair.ben.get("/my/hand"))["kept"] == ["5", "5", "5", "5"]
    pair.ann.taken("starter", card="9H")
    pair.ben.taken("play", card="5")
    assert told(pair.ben.get("/my/hand"))["in_hand"] == ["5", "5", "5"]


def test_a_hand_says_which_of_its_cards_fit(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    pair.ann.taken("starter", card="5H")
    ben, ann = told(pair.ben.get("/my/hand")), told(pair.ann.get("/my/hand"))
    assert (ben["is_to_play"], ben["fits"]) == (True, BENS[:4]) and (ann["is_to_play"], ann["fits"]) == (False, [])


def test_what_is_to_be_shown_is_its_owners_to_see_first(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    pair.ann.taken("starter", card="5H")
    pair.room.board.keypad.move("ENTER", down=True)
    pair.room.wait(0.1)
    assert told(pair.ann.get("/my/hand"))["to_show"] is None
    assert told(pair.ben.get("/my/hand"))["to_show"] == {"is_crib": False, "cards": BENS[:4]}
    pair.ben.taken("count")
    pair.ann.taken("count")
    assert told(pair.ben.get("/my/hand"))["to_show"] is None
    crib = told(pair.ann.get("/my/hand"))["to_show"]
    assert crib["is_crib"] and set(crib["cards"]) == {"KD", "KC", "QH", "AC"}


def test_an_offer_or_an_ask_says_whose_word_it_is(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    state = pair.ann.taken("starter", card="5H")
    assert [(ask["order"], ask["seats"]) for ask in state["asks"]] == [("play", [1]), ("correct", [])]
    assert {offer["order"]: offer["seats"] for offer in state["offers"]} == {"show": [], "undo": []}


def test_no_route_tells_another_seats_hand(pair: Pair) -> None:
    """Every reading route and every order, asked by the owner, by the other player, and by a stranger."""
    pair.deal()
    pair.lay_away()
    everything = ANNS + BENS
    for who, not_told in ((pair.eve, everything), (Guest(pair.room), everything), (pair.ann, BENS)):
        for route in sorted(routes_of(pair.room)):
            method, path = route.split()[0], path_of(route)
            if path.endswith(("/stream", "/leave", "/undo", "/new-game", "/misdeal", "/next-deal")):
                continue
            body = {"seat": 1, "side": 1, "points": 1, "card": "7H", "cards": BENS[:1]} if method == "POST" else None
            answer = pair.room.post(path.removeprefix("/api/v1"), body, who.browser) if body else who.browser.get(path)
            if answer.mimetype != "image/png":  # the display, for the owner alone; its words are told by the state
                text = answer.get_data().decode("utf-8", "replace")  # a copy of all games is no text
                assert not cards_in(text, not_told) - set(BENS[:1]), f"{route}: {text}"
            answer.close()


def test_the_stream_tells_nothing_that_was_not_shown(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    told_by_stream = iter(Streams(News(pair.room.host, None, None), Pace(heartbeat_s=0.0)).open().response)
    text = f"{next(told_by_stream)!s}{next(told_by_stream)!s}"
    assert "event: state" in text and not cards_in(text, ANNS + BENS)


def test_a_refusal_names_no_card_that_it_was_not_asked_with(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    pair.ann.taken("starter", card="5H")
    wrong = pair.ben.order("play", card="7H")
    assert told(wrong)["kind"] == "card_not_held" and not cards_in(wrong.text, BENS)
    go = pair.ben.order("go")
    assert told(go)["kind"] == "false_go" and not cards_in(go.text, BENS)


def test_keys_that_name_a_wrong_card_tell_the_room_nothing(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    pair.ann.taken("starter", card="5H")
    pair.room.board.keypad.move("9", down=True)
    pair.room.wait(0.1)
    state = pair.room.state()
    assert state["prompt"] == "Ben does not hold 9" and not cards_in(str(state), BENS)


@pytest.mark.parametrize("order", ["deal", "lay-away"])
def test_a_seat_that_is_held_is_nobody_elses_to_tell(pair: Pair, order: str) -> None:
    pair.deal()
    for other in (pair.ann, pair.eve):
        answer = other.order(order, seat=1, cards=["QH", "AC"])
        assert (answer.status_code, told(answer)["kind"]) == (409, "not_your_seat")


def test_nobody_plays_or_counts_for_a_seat_that_is_held(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    pair.ann.taken("starter", card="5H")
    for other, order in ((pair.ann, "play"), (pair.eve, "play"), (pair.eve, "go")):
        body = {"card": "4D"} if order == "play" else {}
        assert told(other.order(order, **body))["kind"] == "not_your_seat"
    assert pair.ben.taken("play", card="4D")["deal"]["play"]["count"] == 4


def test_sides_are_spoken_for_by_their_own(pair: Pair) -> None:
    for order in ("claim", "move"):
        assert told(pair.eve.order(order, side=1, points=2))["kind"] == "not_your_seat"
        assert told(pair.ben.order(order, side=1, points=2)).get("kind") != "not_your_seat"
        assert told(pair.ben.order(order, side=7, points=2)).get("kind") != "not_your_seat"


def test_the_play_is_not_ended_early_to_see_a_hand(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    pair.ann.taken("starter", card="5H")
    for who in (pair.ann, pair.ben, pair.eve):
        assert told(who.order("show"))["kind"] == "still_in_hand"


def test_a_hand_is_shown_by_its_holder(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    pair.ann.taken("starter", card="5H")
    pair.room.board.keypad.move("ENTER", down=True)  # the keys can end the play: everybody sees it
    pair.room.wait(0.1)
    assert pair.room.state()["game"]["phase"] == "show"
    assert told(pair.ann.order("count"))["kind"] == "not_your_seat"
    assert cards_in(str(pair.ben.taken("count")), ANNS + BENS) == set(BENS[:4])


def test_cards_that_lie_elsewhere_are_not_to_be_fished_for(pair: Pair) -> None:
    pair.deal()
    for card in BENS[:MOST_CLASHES]:
        assert told(pair.ann.order("deal", cards=[card, *ANNS[1:]]))["kind"] == "card_seen_elsewhere"
    for cards in ([BENS[5], *ANNS[1:]], ["7H", *ANNS[1:]]):
        assert told(pair.ann.order("deal", cards=cards))["kind"] == "too_many_clashes"
    assert told(pair.ben.order("deal", cards=BENS)).get("kind") is None


def test_a_seat_is_not_taken_over_with_its_cards(pair: Pair) -> None:
    pair.deal()
    pair.ben.post("/my/leave")
    assert told(pair.eve.post("/my/seat", {"seat": 1}))["kind"] == "seat_taken"
    pair.ann.taken("next-deal")
    assert pair.eve.post("/my/seat", {"seat": 1}).status_code == 200
    assert told(pair.eve.get("/my/hand"))["dealt"] == []


def test_a_seat_is_held_by_one_and_must_be_there(pair: Pair) -> None:
    assert told(pair.eve.post("/my/seat", {"seat": 1}))["kind"] == "seat_taken"
    assert told(pair.eve.post("/my/seat", {"seat": 2}))["kind"] == "not_a_seat"
    assert [seat["held_by"] for seat in told(pair.eve.get("/my"))["seats"]] == ["Ann", "Ben"]
    assert told(pair.eve.get("/my/hand"))["kind"] == "no_seat"


def test_advice_is_for_the_holder_and_only_where_it_is_allowed(pair: Pair) -> None:
    assert told(pair.ben.get("/my/advice"))["kind"] == "card_not_held"
    pair.deal()
    best = told(pair.ben.get("/my/advice"))["discards"]
    assert len(best) == 5 and best[0]["total"] >= best[1]["total"]
    assert all(set(discard["lay_away"]) < set(BENS) for discard in best)


def test_advice_makes_no_suits_up(pair: Pair) -> None:
    pair.ben.taken("deal", cards=["4", "6", "8", "T", "Q", "A"])
    best = told(pair.ben.get("/my/advice"))["discards"]
    assert all(set(discard["lay_away"]) <= set("468TQA") for discard in best)
    pair.ben.taken("deal", cards=["5", "5", "7", "8", "J", "K"])
    ways = [tuple(discard["lay_away"]) for discard in told(pair.ben.get("/my/advice"))["discards"]]
    assert len(set(ways)) == len(ways) == 5


def test_cards_typed_for_advice_stay_on_the_display_of_the_board(room: Room) -> None:
    room.host._entry = k.TypingDeal(own_crib=True, cards=parse_cards("4 6 8", rank_only=True))
    room.host._is_stale = True
    assert room.state()["prompt"] == "Dealt: _" and room.state()["display"] == ["Dealt: _"]
    assert room.host.snapshot.prompt == "Dealt: 4 6 8_"


def test_no_card_and_no_token_is_in_a_log(pair: Pair, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    pair.deal()
    pair.lay_away()
    for order in WISHES:
        pair.ben.order(order, cards=BENS, card="4D")
    tokens = (pair.ann.token, pair.ben.token)
    assert not cards_in(caplog.text, ANNS + BENS) and not any(token in caplog.text for token in tokens)


def test_a_game_in_private_runs_from_deal_to_show(pair: Pair) -> None:
    pair.deal()
    pair.lay_away()
    pair.ann.taken("starter", card="5H")
    turns = [(pair.ben, "4D"), (pair.ann, "9C"), (pair.ben, "6D"), (pair.ann, "JD"), (pair.ann, "2S")]
    for who, card in turns:
        pair.room.wait(0.1)
        answer = who.order("play", card=card)
        assert answer.status_code == 200, answer.text
    assert cards_in(str(pair.room.state()), ANNS + BENS) <= {card for _, card in turns}
