"""The options, each through a record."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.notation import EIGHT_TWELVE_FOUR, THEIR_PLAY, Answer, Line, header, read_line, referee_of, run


def automatic(variant: str = "six_card", dealer: int = 1, seats: int = 2, **options: Any) -> dict[str, Any]:
    return header(variant, dealer, seats, options=options)


def manual(variant: str = "six_card", dealer: int = 1, seats: int = 2, **options: Any) -> dict[str, Any]:
    return {**automatic(variant, dealer, seats, **options), "pegging": "manual"}


@pytest.mark.parametrize(
    ("game", "script"),
    [
        pytest.param(automatic(target=61), "cut KS", id="target"),
        pytest.param(
            automatic("three_hand", 0, 3, direction="counterclockwise"),
            "cut KS -> next 2 \n 2:K -> next 1 \n 1:Q -> next 0",
            id="counterclockwise",
        ),
        pytest.param(automatic("five_card"), "cut KS -> scores 3 0", id="three for last, once"),
        pytest.param(automatic(three_for_last="every_deal"), "cut KS -> scores 3 0", id="three for last, every deal"),
        pytest.param(
            automatic(play_extent="one_series"), "cut KS 0:K 1:9 0:5 \n 1:7 -> due 1:2, phase show", id="one series"
        ),
        pytest.param(
            automatic(go_points="per_pass"),
            "cut KS 0:K 1:9 0:5 \n 1:go -> due 0:1, scores 1 0 \n 0:go -> due 1:1 0:1, scores 2 1",
            id="a point for each go",
        ),
        pytest.param(
            automatic("three_hand", 2, 3, go_points="per_pass"),
            "cut KS 0:K 1:9 2:5 \n 0:go -> due 1:1 2:1",
            id="a point for each go to both of the others",
        ),
        pytest.param(
            automatic("four_partners", 3, 4, go_points="per_pass"),
            "cut KS 0:K 1:9 2:5 \n 3:go -> due 0:1",
            id="a point for each go to the other side",
        ),
        pytest.param(
            automatic(go_points="per_card_after_go"),
            "cut KS 0:K 1:9 0:5 1:go \n 0:A -> due 0:1 \n 0:2 -> due 0:1 \n 0:go -> due, next 1",
            id="a point for each card after a go",
        ),
        pytest.param(
            automatic("three_hand", 2, 3, go_three_plus="stop"),
            "cut KS 0:K 1:9 2:5 0:go \n 1:go -> due 2:1, next 0",
            id="two goes stop a third",
        ),
        pytest.param(
            automatic("three_hand", 2, 3),
            "cut KS 0:K 1:9 2:5 0:go \n 1:go -> next 2",
            id="a third still plays",
        ),
        pytest.param(automatic(play_flush="three_up"), "cut KS 0:2H 1:9H \n 0:KH -> due 0:3", id="a flush in the play"),
        pytest.param(
            automatic(lowball=True) | {"scores": [40, 119]}, "cut JS -> due 1:2, winner 0, phase over", id="lowball"
        ),
        pytest.param(
            automatic("three_hand", 0, 3, captain=True) | {"scores": [59, 118]},
            "cut JS -> due 0:2, scores 61 118, winner 0",
            id="a captain goes to 61",
        ),
        pytest.param(
            automatic("three_hand", 1, 3, captain=True) | {"scores": [59, 118]},
            "cut JS -> due 1:2, scores 59 120",
            id="against a captain the others go to 121",
        ),
        pytest.param(
            header("six_hand", 0, 6, sides=[[0, 2, 4], [1, 3, 5]]),
            "cut JS -> due 0:2, scores 2 0 \n 1:5 -> next 2 \n 2:5 -> due 2:2, scores 4 0",
            id="six in two sides",
        ),
        pytest.param(
            header("six_hand", 5, 6, sides=[[0, 3], [1, 4], [2, 5]]),
            "cut JS -> due 5:2, scores 0 0 2 \n 0:5 -> next 1",
            id="six in three sides",
        ),
        pytest.param(header("five_hand", 4, 5), "cut JS -> due 4:2, scores 0 0 0 0 2, next 0", id="five"),
        pytest.param(
            header("seven_card", scores=[100, 179]),
            "cut JS -> due 1:2, scores 100 181, winner 1",
            id="seven cards go to 181",
        ),
        pytest.param(
            manual(heels="forfeit"), "cut JS 0:K 1:9 \n 1+2 -> scores 0 0", id="heels are pegged before the first card"
        ),
        pytest.param(
            automatic("four_single", 3, 4) | {"scores": [0, 1, 2, 3]},
            "cut JS -> due 3:2, scores 0 1 2 5",
            id="scores at the start",
        ),
    ],
)
def test_options_change_the_play(game: dict[str, Any], script: str) -> None:
    run(script, referee_of(game))


@pytest.mark.parametrize(
    ("game", "script"),
    [
        pytest.param(
            header("auction", scores=[3, 9], options={"auction_debt": "debt"}),
            "0$8 \n 1$pass -> scores 0 9 \n cut KS 0:5 1:K \n 0:K -> due 0:2, scores 0 11",
            id="a debt is paid first",
        ),
        pytest.param(
            header(
                "auction",
                pegging="manual",
                scores=[3, 9],
                options={"auction_debt": "debt", "pegging_policy": "acc"},
            ),
            "0$8 1$pass cut KS 0:5 1:K 1+2 \n 0:K -> due 0:2, scores 0 11 \n 0+0 -> accepted \n 1:2 -> scores 0 11",
            id="nobody is fined for a debt",
        ),
        pytest.param(
            header("auction", scores=[9, 9], options={"auction_heels": "owner"}),
            "0$2 1$pass \n cut JS -> due 0:2, scores 9 9",
            id="heels to the owner",
        ),
        pytest.param(header("auction", scores=[9, 9]), "0$2 1$pass \n cut JS -> due 1:2", id="heels to the dealer"),
        pytest.param(
            header("auction", scores=[9, 9], options={"auction_when": "after_starter", "auction_heels": "owner"}),
            "cut JS -> phase bid, next 0 \n 0$2 \n 1$pass -> due 0:2, scores 9 9, phase play, next 0",
            id="sold when the starter is seen, heels to the owner",
        ),
        pytest.param(
            header("auction", scores=[9, 9], options={"auction_when": "after_starter"}),
            "cut JS -> due 1:2, phase bid \n 0:K -> refused wrong_phase \n 0$pass 1$2 \n 1$2 -> refused wrong_phase",
            id="sold when the starter is seen, heels to the dealer",
        ),
        pytest.param(
            header("auction", dealer=2, seats=3, scores=[9, 9, 9]),
            """
            1$2                 -> refused out_of_turn
            0$2 1$pass 2$3
            1$4                 -> refused out_of_turn, next 0
            0$4
            2$pass              -> scores 5 9 9
            cut KS              -> next 0
            """,
            id="three bid, and a pass is final",
        ),
        pytest.param(
            header("auction", dealer=3, seats=4, scores=[9, 9], sides=[[0, 2], [1, 3]]),
            "0$2 1$pass 2$3 3$pass \n 0$pass -> scores 6 9 \n cut KS -> next 2",
            id="partners bid for themselves, and pay together",
        ),
        pytest.param(header("auction"), "0$1 -> refused exceeds_score", id="nothing to bid with"),
        pytest.param(header("auction", scores=[9, 9]), "0$0 -> refused bid_too_low", id="a bid of nothing"),
        pytest.param(header("auction"), "0$pass \n cut KS -> refused wrong_phase", id="the other has not bid"),
        pytest.param(header(), "0$1 -> refused wrong_phase", id="no auction"),
    ],
)
def test_the_crib_is_sold(game: dict[str, Any], script: str) -> None:
    run(script, referee_of(game))


def test_hands_discard_before_the_crib_is_sold() -> None:
    deal, *away = EIGHT_TWELVE_FOUR
    referee = referee_of(header("auction", scores=[9, 9]), deal)
    run("0$1 -> refused wrong_phase", referee)
    for line in away:
        assert read_line(referee, line)["refused"] is None
    run("cut 8D -> refused wrong_phase \n 0$1 -> next 1", referee)


def test_the_stock_card_may_come_before_or_after_the_discards() -> None:
    deal: Line = {
        "deal": [["2S", "3S", "4S", "5S", "6S"], ["2H", "3H", "4H", "5H", "6H"], ["2D", "3D", "4D", "5D", "6D"]]
    }
    away: list[Line] = [{"lay_away": [0, ["6S"]]}, {"lay_away": [1, ["6H"]]}, {"lay_away": [2, ["6D"]]}]
    stock: Line = {"from_stock": ["KS"]}
    for lines in ([deal, stock, *away], [deal, *away, stock]):
        referee = referee_of(header("auction", dealer=2, seats=3), *lines)
        run("0$pass 1$pass 2$pass \n cut KC -> next 0, phase play", referee)


def shown(options: dict[str, Any]) -> Answer:
    """The answer to the last card of a play, where the crib is 2H 6H 8H KH and the starter black."""
    referee = referee_of(
        header(options=options),
        {"deal": [["7D", "QC", "7S", "QS", "2H", "6H"], ["5D", "6C", "4C", "5C", "8H", "KH"]]},
        {"lay_away": [0, ["2H", "6H"]]},
        {"lay_away": [1, ["8H", "KH"]]},
    )
    run("cut TS 0:7S 1:6C 0:QS 1:5D 0:7D 1:5C 0:QC", referee)
    return read_line(referee, {"play": [1, "4C"]})


def test_four_of_a_suit_may_be_a_flush_in_the_crib() -> None:
    assert [due["why"] for due in shown({})["due"] if "flush" in due["why"]] == []
    assert [(due["points"], due["why"]) for due in shown({"crib_flush": "four_ok"})["due"][-1:]] == [(4, ["flush"])]


@pytest.mark.parametrize(
    ("renege", "script"),
    [
        pytest.param("correct", "0:5 -> due 0:2 \n 1:J \n 0:3 -> due", id="no penalty"),
        pytest.param("acc", "0:5 -> due 1:2 0:2 \n 1:J \n 0:3 -> due 1:2", id="two for each card"),
        pytest.param("two_flat", "0:5 -> due 1:2 0:2 \n 1:J \n 0:3 -> due", id="two in all"),
    ],
)
def test_a_false_go_of_an_unknown_hand_is_found_with_its_cards(renege: str, script: str) -> None:
    referee = referee_of(automatic(renege=renege))
    run("cut 2S 0:6 1:K 0:9 1:go \n 0:go -> due 0:1, next 1 \n 1:Q", referee)
    run(script, referee)


def test_without_cards_the_peg_lines_count() -> None:
    run("0+3 -> scores 3 0 \n cut KS \n 1+2 -> scores 3 2 \n 0+130 -> scores 121 2, winner 0", referee_of(manual()))


def test_an_unknown_crib_counts_by_its_peg_line() -> None:
    kept = {"deal": [["7D", "QC", "7S", "QH"], ["5D", "6C", "4H", "5C"]]}
    referee = referee_of(manual(), kept)
    run(THEIR_PLAY, referee)
    run("0#hand 0+8 1#hand 1+12 \n 1#crib -> refused card_not_held \n 1+4 -> scores 8 18", referee)


def test_every_line_can_be_undone_back_to_the_first() -> None:
    referee = referee_of(automatic(), *EIGHT_TWELVE_FOUR)
    steps = "cut 8D 0:7S 1:6C 0:QH 1:5D 0:7D 1:5C 0:QC 1:4H"
    run(steps, referee)
    answers = [read_line(referee, {"undo": True}) for _ in range(12)]
    assert all(answer["refused"] is None for answer in answers)
    assert answers[-1]["scores"] == [0, 0] and answers[-1]["phase"] == "deal"
    assert read_line(referee, {"undo": True})["refused"]["kind"] == "nothing_to_undo"
    again = [read_line(referee, {"redo": True}) for _ in range(12)]
    assert again[-1]["scores"] == [8, 18] and again[-1]["phase"] == "gather"
    assert read_line(referee, {"redo": True})["refused"]["kind"] == "nothing_to_undo"


def test_a_bad_first_line_does_not_change_the_game_before_it() -> None:
    referee = referee_of(automatic())
    run("cut JS", referee)
    answer = read_line(referee, {"record": 1, "variant": "bridge", "seats": ["A", "B"], "dealer": 0})
    assert (answer["refused"]["kind"], answer["scores"]) == ("unknown_variant", [0, 2])
    assert read_line(referee, automatic("three_hand", 0, 3))["scores"] == [0, 0, 0]
    assert read_line(referee, {"undo": True})["refused"]["kind"] == "nothing_to_undo"


def test_a_record_with_an_option_of_an_earlier_version_is_read_without_it() -> None:
    run("cut JS -> due 1:2, scores 0 2", referee_of(automatic(start_ends="opposite")))
