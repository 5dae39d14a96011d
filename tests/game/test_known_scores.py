"""When the table knows every score of a side, and which leaps it believes when it does not."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_cards
from firmware_host.cribbage.rules import Seat, Showing
from firmware_host.game import events as e
from firmware_host.game.deal import Deal
from firmware_host.game.evolve import evolve
from firmware_host.game.known_scores import (
    expects_cards,
    has_counted,
    has_minimum,
    is_believable,
    is_count_known,
    is_questioned,
    known_cards,
    questioned_sides,
    sees_every_score,
    unknown_hands,
)
from firmware_host.game.state import Table
from tests.game.script import table_after

ANN, BEN = Seat(0), Seat(1)
BEGIN = """
    rules six_card
    seats Ann Ben
    dealer Ben
    scores 40 40
    pegs by hand
"""
ANN_DEALT = "\n Ann dealt 2C 4H 6S 8D AC 3C \n Ann discards AC 3C"
BEN_DEALT = "\n Ben dealt QC QD 9S 9H AD AH \n Ben discards AD AH"
CUT = "\n starter KH"
WHOLE_PLAY = """
    Ann plays 2C
    Ben plays QC
    Ann plays 4H
    Ben plays 9S
    Ann plays 6S
    Ben says go
    Ann says go
    Ben plays QD
    Ann plays 8D
    Ben plays 9H
"""
NEITHER, ONLY_ANN, ONLY_BEN, BOTH = (False, False), (True, False), (False, True), (True, True)


def after(*lines: str) -> Table:
    return table_after(BEGIN + "\n".join(lines))


def deal_of(table: Table) -> Deal:
    assert table.deal is not None
    return table.deal


@pytest.mark.parametrize(
    ("lines", "sees"),
    [
        pytest.param([], NEITHER, id="deal, nothing entered"),
        pytest.param(["Ben dealt QC QD 9S 9H AD AH"], BOTH, id="deal, one hand entered"),
        pytest.param([CUT], NEITHER, id="play, nothing entered"),
        pytest.param([CUT, "Ann plays 2"], BOTH, id="play, a card entered"),
        pytest.param([ANN_DEALT, CUT], NEITHER, id="play, one hand known"),
        pytest.param([ANN_DEALT, BEN_DEALT, CUT], BOTH, id="play, all hands known"),
        pytest.param([CUT, "show"], NEITHER, id="show, nothing entered"),
        pytest.param([ANN_DEALT, BEN_DEALT, CUT, "show"], NEITHER, id="show, hands known but not the play"),
        pytest.param([CUT, WHOLE_PLAY], ONLY_ANN, id="show, the play entered, which leaves only the crib unknown"),
        pytest.param([ANN_DEALT, BEN_DEALT, CUT, "show", "Ann counts"], ONLY_ANN, id="show, Ann has counted"),
        pytest.param([CUT, "show", "skip hand"], NEITHER, id="show, Ann's hand skipped"),
        pytest.param(
            [ANN_DEALT, BEN_DEALT, CUT, "show", "Ann counts", "Ben counts", "Ben counts the crib"],
            BOTH,
            id="everything counted",
        ),
        pytest.param(
            [CUT, "show", "skip hand", "Ben counts QC QD 9S 9H", "Ben counts the crib AC AD AH 3C"],
            ONLY_BEN,
            id="everything counted but the hand of Ann, which was skipped",
        ),
        pytest.param([CUT, "show", "Ann counts J 2 4 6"], NEITHER, id="a suit could add nobs to Ann's hand"),
    ],
)
def test_table_sees_every_score_of_a_side_where_the_rows_say_so(lines: list[str], sees: tuple[bool, bool]) -> None:
    table = after(*lines)
    assert (sees_every_score(table, 0), sees_every_score(table, 1)) == sees


def test_nothing_is_known_before_a_dealer_is_chosen() -> None:
    assert not sees_every_score(table_after("rules six_card \n seats Ann Ben \n pegs by hand"), 0)


def counted(*lines: str) -> Table:
    return after(ANN_DEALT, BEN_DEALT, CUT, *lines, "Ann counts", "Ben counts", "Ben counts the crib", "next deal")


def test_cards_are_expected_after_a_deal_whose_cards_were_all_entered() -> None:
    pegged = "\n Ben enters 1"
    assert expects_cards(counted(WHOLE_PLAY, pegged))
    assert not expects_cards(after()), "nobody knows yet whether they will be entered"
    assert not expects_cards(counted("show")), "people who enter no play may peg one before the starter"
    assert not expects_cards(table_after("rules six_card \n seats Ann Ben \n pegs by hand"))


def test_cards_are_expected_until_the_first_one_or_until_pegs_are_accepted_without_one() -> None:
    table = counted(WHOLE_PLAY)
    assert expects_cards(evolve(e.DealBegan(BEN), evolve(e.DealBegan(ANN), table))) is False, "a deal without cards"
    assert expects_cards(evolve(e.DealBegan(ANN), table)), "Ann deals again"
    assert not expects_cards(evolve(e.HandDealt(ANN, parse_cards("2C 4H 6S 8D AC 3C")), table))
    assert not expects_cards(evolve(e.PegsAllowed(0), table))


def test_cards_are_expected_from_the_first_deal_on_where_the_program_deals() -> None:
    assert expects_cards(evolve(e.ProgramDeals(), after()))


@pytest.mark.parametrize(
    ("lines", "points", "believes"),
    [
        # 19 is no hand. 19 = 7 + 12 is a hand and a crib; 53 is the most that both have, 54 is none.
        pytest.param([], 19, BOTH, id="before the play, of whoever will have the crib"),
        pytest.param([], 54, NEITHER, id="more than a hand and a crib"),
        pytest.param([CUT], 19, ONLY_BEN, id="in the play, of the owner of the crib"),
        pytest.param([CUT], 28, BOTH, id="in the play, a hand that is pegged early"),
        pytest.param([CUT, "show"], 19, ONLY_BEN, id="in the show"),
        pytest.param([CUT, "show"], 29, BOTH, id="in the show, the best hand"),
        pytest.param(
            [ANN_DEALT, CUT, "show"], 10, ONLY_BEN, id="a known hand leaves the play, where no card is worth ten"
        ),
        pytest.param([ANN_DEALT, BEN_DEALT, CUT, "show"], 15, BOTH, id="known hands leave a card of the play"),
        pytest.param([CUT, "show", "Ann counts 2C 4H 6S 8D"], 2, ONLY_BEN, id="after Ann's count her play is over"),
        pytest.param([CUT, WHOLE_PLAY], 2, ONLY_BEN, id="after a play that was entered to its end"),
        pytest.param([CUT, "show", "skip hand"], 2, BOTH, id="a skipped hand may be worth anything"),
        pytest.param([CUT, "show", "skip hand"], 19, ONLY_BEN, id="anything that a hand can be worth"),
        pytest.param(
            [CUT, "show", "skip hand", "Ben counts QC QD 9S 9H"], 19, NEITHER, id="Ben's crib alone is no nineteen"
        ),
        pytest.param(
            [CUT, "show", "skip hand", "Ben counts QC QD 9S 9H", "Ben counts the crib AC AD AH 3C"],
            2,
            ONLY_ANN,
            id="nothing of Ben's is left",
        ),
        pytest.param([CUT, "show", "Ann counts J 2 4 6"], 6, BOTH, id="unknown suits may add a flush and nobs"),
        pytest.param([CUT, "show", "Ann counts J 2 4 6"], 7, ONLY_BEN, id="and no more than these"),
    ],
)
def test_leap_is_believed_where_unknown_cards_can_be_worth_it(
    lines: list[str], points: int, believes: tuple[bool, bool]
) -> None:
    table = after(*lines)
    assert (is_believable(table, 0, points), is_believable(table, 1, points)) == believes


def test_card_of_the_play_may_be_worth_more_than_any_hand_of_three() -> None:
    table = table_after(
        "rules five_card play_flush=three_up \n seats Ann Ben \n dealer Ben \n pegs by hand \n starter KH"
    )
    assert is_believable(table, 0, 16) and not is_believable(table, 0, 17)


def test_crib_of_four_may_be_worth_more_than_a_hand_of_three() -> None:
    table = table_after("rules five_card \n seats Ann Ben \n dealer Ben \n pegs by hand \n starter KH \n show")
    assert is_believable(table, 1, 24) and not is_believable(table, 0, 24) and is_believable(table, 0, 20)


def test_bought_crib_may_be_pegged_by_its_buyer() -> None:
    text = """
        rules auction
        seats Ann Ben
        dealer Ben
        scores 30 25
        pegs by hand
        Ann bids 5
        Ben passes
        starter KC
    """
    table = table_after(text)
    assert is_believable(table, 0, 19) and not is_believable(table, 1, 19)


def test_leap_into_the_game_hole_is_questioned_where_no_cards_explain_it() -> None:
    text = "rules six_card \n seats Ann Ben \n dealer Ben \n scores 102 102 \n pegs by hand \n starter KH \n show"
    before, after_leap = table_after(text), table_after(f"{text} \n Ann moves 19 -> nobody wins")
    assert not is_questioned(before, 0)
    assert is_questioned(after_leap, 0) and not is_questioned(after_leap, 1)
    assert questioned_sides(after_leap) == {0}
    assert questioned_sides(before) == questioned_sides(None) == set()


def test_excess_short_of_the_game_hole_needs_no_confirmation() -> None:
    table = after(CUT, "Ann plays 2", "Ben plays 2", "Ben moves 5")
    assert table.sides[1].excess == 3 and not is_questioned(table, 1)


def test_false_game_that_the_table_sees_through_is_ruled_on_and_not_questioned() -> None:
    table = table_after(
        "rules six_card \n seats Ann Ben \n dealer Ben \n scores 40 118 \n pegs by hand \n starter KH"
        "\n Ann plays 2 \n Ben plays 9 \n Ben moves 3 -> nobody wins"
    )
    assert table.sides[1].pegs.front == 121 and table.sides[1].excess == 3 and not is_questioned(table, 1)


def test_unknown_hands_are_those_to_come_without_cards_and_those_that_were_skipped() -> None:
    table = after(ANN_DEALT, CUT, "show")
    assert unknown_hands(table, deal_of(table), 0) == ()
    assert unknown_hands(table, deal_of(table), 1) == (Showing(BEN, False), Showing(BEN, True))
    table = after(CUT, "show", "skip hand")
    assert unknown_hands(table, deal_of(table), 0) == (Showing(ANN, False),)
    table = after(CUT, "show", "Ann counts 2C 4H 6S 8D", "skip hand")
    assert unknown_hands(table, deal_of(table), 0) == ()
    assert unknown_hands(table, deal_of(table), 1) == (Showing(BEN, False), Showing(BEN, True))


def test_side_has_counted_once_one_of_its_hands_is_counted_or_skipped() -> None:
    table = after(CUT, "show", "skip hand")
    assert has_counted(table, deal_of(table), 0) and not has_counted(table, deal_of(table), 1)
    table = after(CUT, "show", "Ann counts 2C 4H 6S 8D", "skip hand")
    assert has_counted(table, deal_of(table), 1)


def test_minimum_belongs_to_the_side_whose_hand_it_was() -> None:
    table = after(CUT, "show", "Ann counts 2C 4H 6S 8D", "Ben counts J 2 4 6")
    assert not has_minimum(table, deal_of(table), 0) and has_minimum(table, deal_of(table), 1)


def test_cards_of_a_hand_are_known_from_the_discard_or_from_the_play() -> None:
    table = after(ANN_DEALT, CUT)
    assert known_cards(table, ANN, is_crib=False) == parse_cards("2C 4H 6S 8D")
    assert known_cards(table, BEN, is_crib=False) == ()
    table = after(CUT, WHOLE_PLAY)
    assert known_cards(table, ANN, is_crib=False) == parse_cards("2C 4H 6S 8D")
    assert known_cards(after(CUT, "Ann plays 2"), ANN, is_crib=False) == ()


def test_crib_is_known_once_all_four_cards_are() -> None:
    assert known_cards(after(ANN_DEALT, CUT), BEN, is_crib=True) == ()
    assert known_cards(after(ANN_DEALT, BEN_DEALT, CUT), BEN, is_crib=True) == parse_cards("AC 3C AD AH")


def test_no_cards_are_known_without_a_deal() -> None:
    assert known_cards(table_after("rules six_card \n seats Ann Ben \n pegs by hand"), ANN, is_crib=True) == ()


def test_count_of_known_cards_waits_for_the_starter_and_for_suits_that_matter() -> None:
    hand = Showing(ANN, False)
    table = after(ANN_DEALT)
    assert not is_count_known(table, deal_of(table), hand)
    table = after(ANN_DEALT, CUT)
    assert is_count_known(table, deal_of(table), hand)
    assert not is_count_known(table, deal_of(table), Showing(BEN, False))
    four_clubs = after("Ann dealt QC 9C 2C 4C 6S 8D", "Ann discards 6S 8D", "starter A")
    assert not is_count_known(four_clubs, deal_of(four_clubs), hand)
    table = after(CUT, WHOLE_PLAY)
    assert is_count_known(table, deal_of(table), hand)
