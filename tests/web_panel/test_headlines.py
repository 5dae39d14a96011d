"""No points pass without their sentence, and headline, log and score say the same."""

from __future__ import annotations

from typing import Any

from tests.web_panel.conftest import Rig


def play(rig: Rig, ranks: str) -> Any:
    for rank in ranks:
        state = rig.command("play", card=rank, says_goes=True)
    return state


def headline(state: Any) -> str:
    return str(state["guidance"]["headline"])


def test_points_of_the_latest_card_are_the_headline_while_earlier_ones_wait(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="9H")
    assert headline(play(rig, "T5")) == "Fifteen for two, Ann."
    state = play(rig, "K6")
    assert headline(state) == "Thirty-one for two, Ann." and state["guidance"]["peg"]["label"] == "Peg 4 for Ann"


def test_points_stay_owed_until_the_next_deal_in_the_family_rules(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="9H")
    play(rig, "T5K678Q4")
    for _ in range(3):
        state = rig.command("skip")
        assert state["sides"][0]["owed"] == 7 and state["guidance"]["peg"]["label"] == "Peg 7 for Ann"
    assert "Ann missed 7 points." in rig.command("next-deal", deal=1)["log"][0]["text"]


def test_a_wrong_claim_has_the_same_words_in_headline_and_log(rig: Rig) -> None:
    rig.begin(options={"muggins_mode": "claim"})
    rig.command("starter", card="9H")
    play(rig, "TK")
    state = rig.command("claim", side=0, points=3)
    assert headline(state) == state["log"][0]["text"] == "Wrong claim: 3 to Ben."


def test_the_winning_hand_is_told_with_all_its_points(rig: Rig) -> None:
    rig.begin(scores=[100, 117])
    rig.command("starter", card="5H")
    play(rig, "T5J6Q7K8")
    rig.command("accept-pegs")
    state = rig.command("count", seat=1, is_crib=False, cards=["T", "J", "Q", "K"])
    assert headline(state) == "Ben’s hand: 12 points."
    assert state["guidance"]["peg"]["points"] == 4


def test_a_hand_of_nothing_is_a_nineteen(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="2C")
    play(rig, "4T6Q8KT3")
    rig.command("accept-pegs")
    state = rig.command("count", seat=1, is_crib=False, cards=["4", "6", "8", "T"])
    assert headline(state) == "Ben’s hand: nineteen, no points."
    assert state["deal"]["count"]["text"] == "Nineteen: no points."
    assert "Nineteen: no points" in state["speech"]["said"]


def test_at_thirty_only_an_ace_fits(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="4S")
    assert play(rig, "KTQ")["guidance"]["detail"] == "The count is 30: an ace, or go."


def test_a_card_led_after_unsaid_goes_is_called_with_its_own_count(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    assert "Thirty-nine" not in play(rig, "T5789JKQ")["speech"]["said"]


def test_a_side_without_pegs_scores_with_a_headline(rig: Rig) -> None:
    rig.begin(variant="five_hand", names=list("ABCDE"))
    rig.command("starter", card="9H")
    state = play(rig, "KT55")
    assert state["sides"][4]["score"] == 2
    assert (headline(state), state["guidance"]["detail"]) == ("A pair for two, E.", "A plays next.")


def test_each_side_has_a_colour_of_its_own(rig: Rig) -> None:
    state = rig.begin(variant="six_hand", names=list("ABCDEF"))
    colours = [side["colour"] for side in state["sides"]]
    assert None not in colours and len(set(colours)) == len(colours)


def test_a_peg_in_a_wrong_hole_is_no_step_of_the_score(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="9H")
    play(rig, "T5")
    rig.leap(1, 0, 6)
    assert rig.state()["sides"][1]["score"] == 0
    page = rig.get("/score-breakdown").text
    assert "+6" not in page


def test_no_flush_in_the_suit_of_a_jack_that_is_not_there(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="9C")
    play(rig, "T5J6Q7K8")
    rig.command("accept-pegs")
    state = rig.command("count", seat=1, is_crib=False, cards=["T", "J", "Q", "K"])
    (flush,) = (action for action in state["actions"] if (action["input"] or {}).get("kind") == "flush")
    assert flush["input"]["suits"] == ["S", "H", "D"]


def test_a_game_to_61_speaks_of_a_lurch(rig: Rig) -> None:
    state = rig.begin(variant="five_card")
    assert state["game"]["skunk_word"] == "lurch"
    assert state["sides"][0]["progress_label"].endswith("lurch line at 31")


def test_the_choice_of_the_dealer_is_spoken_without_the_keys_of_the_board(rig: Rig) -> None:
    state = rig.begin(dealer=None)
    assert state["speech"]["prompt"] == "Cut the cards: the lowest deals. Cut again if two are equal. Who deals?"
    assert [action["label"] for action in state["actions"][:2]] == ["Ann deals", "Ben deals"]


def test_the_page_says_what_an_undo_does(rig: Rig) -> None:
    rig.begin(pegs="by_hand")
    rig.command("starter", card="4S")
    before = rig.command("play", card="7")["speech"]
    undone = rig.command("undo")["speech"]
    assert (undone["said"], undone["count"]) == ("Undone.", "")
    again = rig.command("redo")["speech"]
    assert again["said"] == before["said"] == "Ben: a seven. Seven."
    assert before["turn"] < undone["turn"] < again["turn"]


def test_the_page_says_its_own_words_for_the_keys_of_the_board(rig: Rig) -> None:
    rig.begin(dealer=1, levels=[None, "club"], is_dealt=True)
    assert rig.state()["speech"]["prompt"] == "The pack is shuffled."
    rig.begin(pegs="by_hand")
    rig.command("starter", card="4S")
    rig.command("show")
    for _ in range(2):
        rig.command("skip")
    state = rig.command("skip")
    assert state["speech"]["prompt"] == "This deal is over. Ben deals next."
    state = rig.command("correct", side=0, score=121, reason="by agreement")
    assert state["speech"]["said"].endswith("Ann wins the game! It is a double skunk.")
    assert state["speech"]["prompt"] == "one hundred and twenty-one to zero. Ben deals next."
