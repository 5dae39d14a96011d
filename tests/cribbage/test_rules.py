"""The nine variants and the options."""

from __future__ import annotations

import pytest
from msgspec.structs import fields

from firmware_host.cribbage.options import OPTIONS, Choice, MugginsMode, MugginsScope, Option, PlayExtent, ThreeForLast
from firmware_host.cribbage.rule_errors import OptionsClash, UnknownChoice, UnknownOption, UnknownVariant
from firmware_host.cribbage.rules import Margin, RuleSet, Seat, Showing, Side
from firmware_host.cribbage.variants import PRESETS, VARIANTS, rules_for

every_variant = pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in VARIANTS.items()])
every_option = pytest.mark.parametrize("option", [pytest.param(option, id=option.name) for option in OPTIONS])


def seats_shown(showings: tuple[Showing, ...]) -> str:
    return " ".join(f"{seat}{' crib' * is_crib}" for seat, is_crib in showings)


def test_there_are_nine_variants() -> None:
    assert list(VARIANTS) == [
        *("six_card", "five_card", "seven_card", "auction"),
        *("three_hand", "four_partners", "four_single", "five_hand", "six_hand"),
    ]


@every_variant
def test_every_crib_has_four_cards_and_every_hand_the_same(rules: RuleSet) -> None:
    assert len(rules.dealt) == len(rules.discards) == rules.players
    assert sum(rules.discards) + rules.from_stock == 4
    assert {dealt - given for dealt, given in zip(rules.dealt, rules.discards, strict=True)} == {rules.hand_size}
    assert rules.target == {3: 61, 4: 121, 5: 181}[rules.hand_size]


@every_variant
def test_every_seat_shows_once_and_the_crib_last(rules: RuleSet) -> None:
    for dealer in rules.seats:
        order = rules.show_order(dealer)
        assert [showing.is_crib for showing in order] == [False] * rules.players + [True]
        assert {showing.seat for showing in order} == set(rules.seats)
        assert order[0].seat == rules.leader(dealer) == rules.pone(dealer)
        assert order[-2].seat == order[-1].seat == dealer


@pytest.mark.parametrize(
    ("variant", "dealer", "dealt", "discarded"),
    [
        pytest.param("three_hand", 2, [5, 5, 5], [1, 1, 1], id="R67"),
        pytest.param("six_hand", 0, [4, 5, 5, 5, 5, 4], [0, 1, 1, 1, 1, 0], id="R68 of six"),
        pytest.param("five_hand", 4, [5, 5, 5, 5, 4], [1, 1, 1, 1, 0], id="R68 of five"),
        pytest.param("six_hand", 2, [5, 4, 4, 5, 5, 5], [1, 0, 0, 1, 1, 1], id="six, another dealer"),
    ],
)
def test_with_five_or_six_players_the_dealer_gets_a_card_less(
    variant: str, dealer: int, dealt: list[int], discarded: list[int]
) -> None:
    rules = rules_for(variant)
    assert [rules.cards_dealt(seat, Seat(dealer)) for seat in rules.seats] == dealt
    assert [rules.cards_discarded(seat, Seat(dealer)) for seat in rules.seats] == discarded


def test_three_hands_show_from_the_left_of_the_dealer() -> None:
    rules = rules_for("three_hand")
    assert seats_shown(rules.show_order(Seat(2))) == "0 1 2 2 crib"
    assert rules.leader(Seat(2)) == 0
    assert rules.next_dealer(Seat(2)) == 0
    assert rules.from_stock == 1


def test_the_buyer_of_the_crib_leads_and_shows_first() -> None:
    rules = rules_for("auction")
    assert rules.bidding
    assert rules.leader(Seat(1), buyer=Seat(0)) == 0
    assert seats_shown(rules.show_order(Seat(1), buyer=Seat(0))) == "0 0 crib 1"
    assert seats_shown(rules.show_order(Seat(1), buyer=Seat(1))) == "1 1 crib 0"
    assert seats_shown(rules.show_order(Seat(1))) == "0 1 1 crib"


def test_counterclockwise_deal_and_turn_pass_to_the_right() -> None:
    rules = rules_for("six_hand", {"direction": "counterclockwise"})
    assert rules.pone(Seat(0)) == 5
    assert rules.round_from(Seat(1)) == (1, 0, 5, 4, 3, 2)
    assert [rules.cards_dealt(seat, Seat(0)) for seat in rules.seats] == [4, 4, 5, 5, 5, 5]


def test_partners_sit_opposite_and_share_a_side() -> None:
    rules = rules_for("four_partners")
    assert rules.sides == ((0, 2), (1, 3))
    assert rules.side_of(Seat(3)) == 1
    assert rules.are_opponents(Seat(0), Seat(1))
    assert not rules.are_opponents(Seat(0), Seat(2))


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        ("single", ((0,), (1,), (2,), (3,), (4,), (5,))),
        ("two_sides", ((0, 2, 4), (1, 3, 5))),
        ("three_sides", ((0, 3), (1, 4), (2, 5))),
        ([[0, 1, 2], [3, 4, 5]], ((0, 1, 2), (3, 4, 5))),
        ("0,1,2/3,4,5", ((0, 1, 2), (3, 4, 5))),
    ],
)
def test_six_players_may_make_sides(sides: object, expected: tuple[tuple[int, ...], ...]) -> None:
    assert rules_for("six_hand", {"sides": sides}).sides == expected


def test_a_captain_goes_to_sixty_one_against_two() -> None:
    rules = rules_for("three_hand", {"captain": True})
    assert rules.sides == ((0,), (1, 2))
    assert [rules.target_of(Side(0)), rules.target_of(Side(1))] == [61, 121]
    assert rules_for("three_hand", {"captain": "on", "sides": [[0, 1], [2]]}).target_of(Side(1)) == 61


@pytest.mark.parametrize(("players", "stock"), [(2, 0), (3, 1), (4, 0)])
def test_two_to_four_players_may_bid_for_the_crib(players: int, stock: int) -> None:
    rules = rules_for("auction", {"players": players})
    assert (rules.players, len(rules.sides), rules.from_stock, rules.bidding) == (players, players, stock, True)
    assert sum(rules.discards) + rules.from_stock == 4


@pytest.mark.parametrize(
    ("target", "loser", "margin"),
    [
        pytest.param(121, 90, Margin.SKUNK, id="R69 skunk"),
        pytest.param(121, 91, Margin.WIN, id="R69 win"),
        pytest.param(121, 60, Margin.DOUBLE_SKUNK, id="R69 double skunk"),
        (121, 61, Margin.SKUNK),
        pytest.param(61, 30, Margin.LURCH, id="R69 lurch"),
        (61, 31, Margin.WIN),
        (181, 90, Margin.SKUNK),
        (181, 0, Margin.SKUNK),
    ],
)
def test_score_of_the_loser_decides_the_margin(target: int, loser: int, margin: Margin) -> None:
    assert rules_for("six_card", {"target": target}).margin(loser) is margin


def test_clearer_wins_are_worth_more_match_points() -> None:
    worst_first = (Margin.DOUBLE_SKUNK, Margin.SKUNK, Margin.LURCH, Margin.WIN)
    acc, games = rules_for("six_card"), rules_for("six_card", {"match_points": "games"})
    assert [acc.match_points_for(margin) for margin in worst_first] == [3, 3, 3, 2]
    assert [games.match_points_for(margin) for margin in worst_first] == [3, 2, 2, 1]


@pytest.mark.parametrize(
    ("lines", "expected"), [("none", ()), ([80], (80,)), ("100, 50", (100, 50)), ("standard", (91, 61))]
)
def test_skunk_lines_may_be_any_list(lines: object, expected: tuple[int, ...]) -> None:
    assert rules_for("six_card", {"skunk_lines": lines}).skunk_lines == expected


def test_lowball_and_captain_have_no_skunk_lines() -> None:
    assert rules_for("six_card", {"lowball": True}).margin(0) is Margin.WIN
    assert rules_for("three_hand", {"captain": True}).margin(0) is Margin.WIN


@every_option
def test_every_option_is_a_field_with_its_default(option: Option) -> None:
    assert option.field in {field.name for field in fields(RuleSet)}
    assert rules_for("six_card", {option.name: option.default}) == VARIANTS["six_card"]
    assert option.sentence.endswith(".")


@every_option
def test_every_choice_has_a_sentence_and_can_be_read_back(option: Option) -> None:
    for text, value in option.values.items():
        assert option.read(text) == option.read(value) == value
        assert not isinstance(value, Choice) or value.sentence.endswith(".")


@every_option
@pytest.mark.parametrize("value", ["perhaps", "", None, -1, 2.5, {}, [], [[]], ["x"], [None], float("nan")])
def test_an_unknown_value_is_refused(option: Option, value: object) -> None:
    with pytest.raises(UnknownChoice) as refused:
        rules_for("six_card", {option.name: value})
    assert option.name in str(refused.value)


@every_variant
def test_setting_an_option_to_its_default_changes_nothing(rules: RuleSet) -> None:
    assert rules_for(rules.variant, {"crib_flush": "five_only"}) == rules


@pytest.mark.parametrize("variant", ["bridge", "", "Six_Card", None, 6])
def test_an_unknown_variant_is_refused(variant: str) -> None:
    with pytest.raises(UnknownVariant, match="six_card"):
        rules_for(variant)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(UnknownOption, match="crib_flush.*'flush'"):
        rules_for("six_card", {"flush": "on"})


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("six_card", {"players": 3}),
        ("auction", {"players": 5}),
        ("six_card", {"captain": True}),
        ("auction", {"captain": True, "players": 2}),
        ("three_hand", {"captain": True, "target": 61}),
        ("three_hand", {"captain": True, "target": 181}),
        ("five_hand", {"players": 4}),
        ("five_hand", {"sides": "two_sides"}),
        ("five_hand", {"sides": "three_sides"}),
        ("three_hand", {"captain": True, "sides": "single"}),
        ("three_hand", {"sides": "two_sides"}),
        ("four_single", {"sides": [[0, 1], [2]]}),
        ("four_single", {"sides": [[0, 1], [1, 2]]}),
        ("four_single", {"sides": [[0, 1, 2, 3]]}),
        ("four_single", {"sides": [[0, 1], [2, 4]]}),
        ("six_card", {"skunk_lines": [61, 91]}),
        ("six_card", {"skunk_lines": [91, 61, 31]}),
        ("six_card", {"skunk_lines": [91], "target": 61}),
    ],
)
def test_options_that_cannot_be_combined_are_refused(variant: str, options: dict[str, object]) -> None:
    with pytest.raises(OptionsClash):
        rules_for(variant, options)


def test_presets_differ_from_their_variant_by_their_options() -> None:
    assert PRESETS["family"].rules() == VARIANTS["six_card"]
    pub = PRESETS["pub"].rules()
    assert (pub.target, pub.muggins_mode, pub.muggins_scope) == (61, MugginsMode.CLAIM, MugginsScope.SHOW)
    acc = PRESETS["acc"].rules()
    strict = (acc.peg_policy, acc.renege, acc.front_peg_removed, acc.foreign_peg, acc.muggins_mode)
    assert [choice.value for choice in strict] == ["acc", "acc", "becomes_rear", "penalty", "claim"]
    traditional = PRESETS["traditional"].rules()
    assert (traditional.target, traditional.hand_size, traditional.players) == (61, 3, 2)
    assert traditional.three_for_last is ThreeForLast.ONCE
    assert traditional.play_extent is PlayExtent.ONE_SERIES
