"""The actions of the moment: the right buttons and input fields, each with a body that the command accepts."""

from __future__ import annotations

from typing import Any

from tests.web_panel.conftest import Rig, json_of


def buttons(state: Any) -> list[Any]:
    return [action for action in state["actions"] if not action["input"]]


def inputs(state: Any) -> list[Any]:
    return [action for action in state["actions"] if action["input"]]


def claims(state: Any) -> list[Any]:
    return [action for action in state["actions"] if action["command"] == "claim"]


def primary(state: Any) -> Any:
    """The one action in the primary place."""
    (found,) = [action for action in state["actions"] if action["place"] == "primary"]
    return found


def button_names(state: Any) -> list[tuple[str, bool]]:
    return [(button["command"], button["is_next"]) for button in buttons(state)]


def input_kinds(state: Any) -> list[tuple[str, str]]:
    return [(action["command"], action["input"]["kind"]) for action in inputs(state)]


def test_there_are_no_actions_before_the_first_game(rig: Rig) -> None:
    assert rig.state()["actions"] == []


def test_the_cut_offers_each_seat_as_dealer(rig: Rig) -> None:
    cut = buttons(rig.begin(dealer=None))
    assert [(button["label"], button["body"]) for button in cut] == [
        ("Ann deals", {"seat": 0}),
        ("Ben deals", {"seat": 1}),
    ]


def test_with_pegs_alone_the_only_button_is_the_next_deal(rig: Rig) -> None:
    assert button_names(rig.begin()) == [("next-deal", False)]
    rig.leap(0, -1, 8)
    assert button_names(rig.state()) == [("next-deal", False), ("undo", False)]


def test_a_pending_leap_can_be_settled(rig: Rig) -> None:
    rig.begin()
    rig.leap(0, -1, 8, still_s=0.1)
    settle = buttons(rig.state())[0]
    assert (settle["command"], settle["label"], settle["body"]) == ("settle", "Accept Ann +8", {})
    assert settle["is_next"] and settle["place"] == "primary"


def test_pegs_can_be_accepted_while_points_are_owed(rig: Rig) -> None:
    rig.begin()
    assert ("accept-pegs", False) in button_names(rig.command("starter", card="JH"))
    assert ("accept-pegs", False) not in button_names(rig.command("accept-pegs"))


def test_go_is_a_button_once_a_card_may_not_fit(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    assert ("go", True) not in button_names(rig.command("play", card="7D"))  # up to 21 every card fits
    for card in ("TD", "JS"):
        state = rig.command("play", card=card)
    assert button_names(state)[:2] == [("go", True), ("show", False)]


def test_a_known_hand_has_a_button_to_count_it(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    for card in ("2S", "3S", "9C", "JD", "4D", "6D", "8C", "TS"):
        while rig.post("/commands/play", {"card": card}).status_code == 409:
            rig.command("go")
    count = primary(rig.state())
    assert count["label"] == "Count Ben’s hand" and count["input"]["cards"] == ["2S", "9C", "4D", "8C"]


def test_after_the_crib_the_next_action_is_the_next_deal(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    rig.command("show")
    for _ in range(3):
        rig.command("skip")
    assert button_names(rig.state())[0] == ("next-deal", True)


def without_pegs(rig: Rig) -> Any:
    """Ben earns seven in the play, as the dealer, and nobody moves a peg in the whole deal."""
    rig.begin(dealer=1)
    rig.command("starter", card="9H")
    for card in ("10H", "5S", "KS", "6D", "7D", "8D", "QC", "4C"):
        state = rig.command("play", card=card)
    return state


def test_points_stay_due_until_the_deal_ends(rig: Rig) -> None:
    state = without_pegs(rig)
    for _ in range(3):
        assert [side["peg_label"] for side in state["sides"]] == ["", "7 to peg"]
        assert state["guidance"]["peg"]["label"] == "Peg 7 for Ben"
        assert {light["signal"] for light in state["lights"]} > {"rest"}
        state = rig.command("skip")
    assert state["guidance"]["peg"]["label"] == "Peg 7 for Ben"
    assert [action for action in state["actions"] if action["place"] == "primary"] == []
    (without,) = [action for action in buttons(state) if action["command"] == "next-deal"]
    assert (without["label"], without["place"]) == ("Next deal without them", "secondary")
    assert without["question"] == "End this deal? Ben can still peg 7."
    state = rig.command(without["command"], **without["body"])
    assert "Ben missed 7 points." in state["log"][0]["text"] and state["guidance"]["peg"] is None


def test_the_next_deal_is_offered_again_once_the_points_are_pegged(rig: Rig) -> None:
    without_pegs(rig)
    for _ in range(3):
        rig.command("skip")
    rig.leap(1, -1, 7)
    state = rig.state()
    assert (primary(state)["label"], primary(state)["question"]) == ("Next deal", "")
    assert state["sides"][1]["score"] == 7


def test_the_loser_deals_the_same_game_again(rig: Rig) -> None:
    rig.begin(target=61, scores=[60, 30], options={"muggins_mode": "claim"})
    over = rig.command("correct", side=0, score=61, reason="home")
    again = buttons(over)[0]
    assert (again["command"], again["label"]) == ("new-game", "Play again")
    state = rig.command("new-game", **again["body"])
    assert state["deal"]["dealer"] == "Ben" and state["game"]["target"] == 61


def test_every_button_sends_a_command_that_is_accepted(rig: Rig) -> None:
    """Each button that shows is tried from the very state it shows in, and taken back."""
    rig.begin()
    for step, body in (("starter", {"card": "JH"}), ("play", {"card": "7D"}), ("show", {}), ("skip", {}), ("skip", {})):
        rig.command(step, **body)
        for button in buttons(rig.state()):
            if button["command"] not in ("undo", "redo"):
                answer = rig.post(f"/commands/{button['command']}", button["body"])
                assert answer.status_code == 200 or json_of(answer)["kind"] == "card_not_held", answer.text
                rig.command("undo")


def test_a_deal_asks_for_the_starter_and_the_play_for_ranks(rig: Rig) -> None:
    assert input_kinds(rig.begin()) == [("starter", "card"), ("correct", "score")]
    assert input_kinds(rig.command("starter", card="5H"))[0] == ("play", "rank")


def test_a_play_in_which_flushes_count_asks_for_suits(rig: Rig) -> None:
    rig.begin(options={"play_flush": "three_up"})
    assert input_kinds(rig.command("starter", card="5H"))[0] == ("play", "card")


def test_the_show_asks_for_hands_and_knows_what_was_played(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    rig.command("play", card="7D")
    (hand, *_) = inputs(rig.command("show"))
    assert hand["label"] == "Count Ben’s hand" and (hand["input"]["cards"], hand["input"]["size"]) == (["7D"], 4)


def test_a_crib_is_asked_for_in_its_turn(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    rig.command("show")
    rig.command("skip")
    assert inputs(rig.command("skip"))[0]["label"] == "Count Ann’s crib"


def test_a_crib_that_is_sold_asks_for_bids_and_passes(rig: Rig) -> None:
    rig.begin(variant="auction", scores=[30, 30])
    assert input_kinds(rig.state())[0] == ("bid", "points")
    state = rig.command("bid", points=3)
    assert (inputs(state)[0]["label"], inputs(state)[0]["input"]["minimum"]) == ("Ann bids", 4)
    assert buttons(state)[0]["label"] == "Ann passes"
    assert "Ben buys the crib for 3" in rig.command("bid", **buttons(state)[0]["body"])["log"][0]["text"]


def test_muggins_can_be_claimed_where_the_rules_have_claims(rig: Rig) -> None:
    rig.begin(options={"muggins_mode": "claim"})
    assert not claims(rig.state())  # nothing can be missed before the starter
    state = rig.command("starter", card="5H")
    assert [action["body"] for action in claims(state)] == [{"side": 0}, {"side": 1}]
    assert {action["place"] for action in claims(state)} == {"secondary"}
    rig.command("play", card="7D")
    rig.command("play", card="8C")  # fifteen for two, and Ann pegs nothing
    rig.command("play", card="2C")
    assert "Muggins: 2 points to Ben" in rig.command("claim", side=1, points=2)["log"][0]["text"]


def test_a_score_can_be_corrected_even_after_the_end(rig: Rig) -> None:
    rig.begin(scores=[120, 30])
    assert input_kinds(rig.command("correct", side=0, score=121, reason="home")) == [("correct", "score")]


def test_a_misdeal_that_costs_points_can_be_entered(rig: Rig) -> None:
    assert "misdeal" not in {action["command"] for action in rig.begin()["actions"]}
    state = rig.begin(options={"misdeal": "two_points"})
    wrong_number, exposed = [action for action in state["actions"] if action["command"] == "misdeal"]
    assert [action["label"] for action in (wrong_number, exposed)] == ["Misdeal: 2 points", "Card exposed"]
    after = rig.command("misdeal", **wrong_number["body"])
    assert [side["owed"] for side in after["sides"]] == [0, 2]
    twice = rig.command("misdeal", **wrong_number["body"])
    assert [side["owed"] for side in twice["sides"]] == [0, 2]
