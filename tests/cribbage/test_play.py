"""The play of a deal, card by card."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, field

from firmware_host.cribbage.cards import PACK, Card, parse_card, parse_cards
from firmware_host.cribbage.play import Play, Tally
from firmware_host.cribbage.possible_points import is_possible_in_play
from firmware_host.cribbage.rule_errors import DuplicateCard, FalseGo, OverThirtyOne, PlayIsOver
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.series import playable_cards
from firmware_host.cribbage.variants import VARIANTS, rules_for


class Deal(Struct):
    """A play in progress, and the points scored in it."""

    play: Play
    log: list[Tally] = field(default_factory=list)

    def move(self, text: str) -> None:
        """`0:5H` or `0:go`; the seat must be in turn."""
        seat, _, what = text.partition(":")
        assert self.play.turn == int(seat), f"{text}: the turn is {self.play.turn}"
        self.play, tallies = self.play.go() if what == "go" else self.play.lay(parse_card(what))
        self.log += tallies

    def moves(self, text: str) -> Deal:
        for move in text.split():
            self.move(move)
        return self

    @property
    def paid(self) -> str:
        """Every step as `seat +points`."""
        return ", ".join(f"{tally.seat} +{tally.points}" for tally in self.log)

    def total_of(self, seat: int) -> int:
        return sum(tally.points for tally in self.log if tally.seat == seat)


def deal(rules: RuleSet, leader: int = 0, left: tuple[int, ...] = ()) -> Deal:
    return Deal(Play.begin(rules, Seat(leader), left or (rules.hand_size,) * rules.players))


def played(variant: str, moves: str, options: Mapping[str, object] | None = None) -> Deal:
    """The play after these moves; the first seat named leads."""
    return deal(rules_for(variant, options), int(moves[0])).moves(moves)


KINGS_FIRST = "0:KS 1:KH 0:4D 1:go 0:3C 0:2C"
THREE_HANDS = "1:QD 2:JH 0:KS 1:go 2:AC 0:9H 1:8C 2:TD 0:4D 1:7S 2:6S 0:2C 1:3H"
FOUR_HANDS = "0:KS 1:QD 2:JH 3:AH 0:9H 1:8C 2:TD 3:go 0:2D 1:go 2:go 0:go 1:7H 2:5S 3:TC 0:6C 1:3S 2:4C 3:9D 3:8H"


@pytest.mark.parametrize(
    ("variant", "moves", "paid", "is_over"),
    [
        pytest.param("five_card", "0:TS 1:TH 0:4D 1:go 0:7C", "1 +2, 0 +2", True, id="R34"),
        pytest.param("five_card", "0:TS 1:TH 0:4D 1:go 0:6C", "1 +2, 0 +1", True, id="R34 with a six"),
        pytest.param("six_card", "0:KH 1:QH 0:4C 1:go 0:4S 0:go", "0 +2, 0 +1", False, id="R35"),
        pytest.param("five_card", "0:TH 1:9S 0:6D 1:6C", "1 +4", True, id="R36"),
        pytest.param(
            "six_card",
            "0:7H 1:8S 0:9S 1:6C 0:go 1:go 0:8D 1:4H 0:2C 1:KD",
            "1 +2, 0 +3, 1 +4, 1 +1, 1 +1",
            True,
            id="R37",
        ),
        pytest.param("three_hand", THREE_HANDS, "0 +3, 2 +2, 2 +3, 0 +2, 0 +2, 1 +1", True, id="R39"),
        pytest.param("four_partners", FOUR_HANDS, "2 +3, 3 +2, 2 +3, 0 +1, 1 +2, 3 +1", True, id="R40"),
        pytest.param(
            "six_card",
            "0:7H 1:7S 0:7D 1:7C 0:go 1:go 0:4H 1:4S 0:4D 1:4C",
            "1 +2, 0 +6, 1 +12, 1 +1, 1 +2, 0 +6, 1 +12, 1 +1",
            True,
            id="R41",
        ),
        pytest.param("six_card", "0:KH 1:QH 0:8D 1:3D 0:TC 1:JC 0:9S 1:2S", "1 +2, 0 +3, 1 +2", True, id="R42"),
        pytest.param("three_hand", "1:QD 2:6C 0:KS 1:go 2:3D 0:go 2:2H", "2 +2", False, id="R45"),
        pytest.param("six_card", KINGS_FIRST, "1 +2, 0 +3, 0 +1", False, id="R70"),
    ],
)
def test_sequences_pay_as_worked_out(variant: str, moves: str, paid: str, is_over: bool) -> None:
    finished = played(variant, moves)
    assert finished.paid == paid
    assert finished.play.is_over is is_over


def test_the_dealer_can_score_thirty_at_most() -> None:
    best = played("six_card", "0:7H 1:7S 0:7D 1:7C 0:go 1:go 0:4H 1:4S 0:4D 1:4C")
    assert (best.total_of(0), best.total_of(1)) == (12, 30)


def test_the_next_leader_sits_left_of_the_last_player_not_of_the_first_who_passed() -> None:
    assert played("three_hand", "1:QD 2:6C 0:KS 1:go 2:3D 0:go 2:2H").play.turn == 0


def test_the_lead_skips_seats_without_cards() -> None:
    over = deal(VARIANTS["three_hand"], 0, left=(1, 1, 3)).moves("0:KS 1:QD 2:JH").play
    assert (over.turn, over.count) == (2, 30)
    assert deal(VARIANTS["three_hand"], 0, left=(0, 0, 3)).play.turn == 2


def test_a_seat_without_cards_is_skipped_and_its_go_scores_nothing() -> None:
    alone = deal(rules_for("six_card", {"go_points": "per_pass"}), 0, left=(1, 3)).moves("0:2S 1:3D 1:6D 1:8H")
    assert alone.paid == "1 +1"
    assert alone.play.is_over


def test_a_card_past_thirty_one_is_refused_and_changes_nothing() -> None:
    before = played("six_card", "0:KH 1:QH 0:9D").play
    with pytest.raises(OverThirtyOne, match="count 29: expected a card worth 2 or less, or go, got JD") as refused:
        before.lay(parse_card("JD"))
    assert refused.value.kind == "over_31"
    assert (before.turn, before.count, before.left) == (1, 29, (2, 3))


def test_a_seat_that_can_play_may_not_go() -> None:
    play = played("six_card", "0:KH 1:QH 0:5D").play  # the count is 25
    assert play.turn == 1
    after = played("six_card", "0:KH 1:QH 0:5D 1:go").play
    held = parse_cards("5C 2S")
    assert playable_cards(held, after.count) == held
    assert not after.may_go(held)
    assert after.may_go(parse_cards("7C 8S"))
    assert after.may_go([])


def test_after_an_opponents_go_passing_may_be_optional() -> None:
    opened = deal(rules_for("five_card", {"must_play": "after_go_optional"}))
    play = opened.moves("0:JH 1:JD 0:5S").play
    assert not play.may_go(parse_cards("5C"))
    after = opened.moves("1:go").play
    assert after.may_go(parse_cards("5C"))
    assert opened.moves("0:go").paid == "1 +2, 0 +1"


def test_after_a_partners_go_passing_is_not_optional() -> None:
    rules = rules_for("four_partners", {"must_play": "after_go_optional"})
    play = deal(rules).moves("0:KS 1:QD 2:5H 3:AS 0:go 1:2D").play
    assert play.turn == 2
    assert not play.may_go(parse_cards("3C"))


def test_a_pair_after_the_go_and_the_last_card_are_two_steps() -> None:
    finished = played("five_card", "0:JH 1:JD 0:5S 1:go 0:5C")
    assert finished.paid == "1 +2, 0 +2, 0 +1"


def test_go_is_false_while_every_card_fits() -> None:
    for moves in ("", "0:KH", "0:KH 1:JH 0:AS"):
        with pytest.raises(FalseGo, match="every card fits"):
            deal(VARIANTS["six_card"]).moves(moves).play.go()


def test_no_card_and_no_go_after_the_play_is_over() -> None:
    over = played("five_card", "0:TH 1:9S 0:6D 1:6C").play
    assert over.left == (1, 1)
    with pytest.raises(PlayIsOver):
        over.lay(parse_card("3C"))
    with pytest.raises(PlayIsOver):
        over.go()


def test_a_card_cannot_be_played_twice_in_a_deal() -> None:
    later = played("six_card", "0:7H 1:8S 0:9S 1:6C 0:go 1:go").play
    with pytest.raises(DuplicateCard):
        later.lay(parse_card("8S"))


def test_the_play_keeps_who_played_what_in_which_series() -> None:
    play = played("six_card", "0:7H 1:8S 0:9S 1:6C 0:go 1:go 0:8D 1:4H").play
    assert play.cards_of(Seat(0)) == parse_cards("7H 9S 8D")
    assert play.cards_of(Seat(1)) == parse_cards("8S 6C 4H")
    assert [len(series) for series in (*play.closed, play.series)] == [4, 2]
    assert (play.laid[-1].seat, play.count) == (1, 12)


@pytest.mark.parametrize(
    ("moves", "paid"),
    [
        pytest.param(KINGS_FIRST, "1 +2, 0 +1, 0 +4", id="R70"),
        pytest.param("0:KS 1:9H 0:6D 1:go 0:5C 0:AC", "0 +1, 0 +2", id="thirty-one pays two only"),
        pytest.param("0:KS 1:QH 0:9D 1:go 0:go", "0 +1", id="no card after the go: the last card scores"),
    ],
)
def test_each_card_after_a_go_may_score(moves: str, paid: str) -> None:
    assert played("six_card", moves, {"go_points": "per_card_after_go"}).paid == paid


def test_each_go_may_score_for_every_opposing_side() -> None:
    per_pass = {"go_points": "per_pass"}
    assert played("six_card", "0:KH 1:QH 0:4C 1:go 0:4S 0:go", per_pass).paid == "0 +1, 0 +2, 1 +1, 0 +1"
    assert played("three_hand", "1:QD 2:JH 0:9S 1:go", per_pass).paid == "2 +1, 0 +1"
    assert played("four_partners", "0:KS 1:QD 2:5S 3:go", per_pass).paid == "0 +1"


def test_two_goes_in_a_row_may_stop_three_players() -> None:
    moves = "0:KS 1:QD 2:5S 0:go 1:go"
    assert played("three_hand", moves).play.turn == 2
    stopped = played("three_hand", moves, {"go_three_plus": "stop"})
    assert (stopped.paid, stopped.play.turn, stopped.play.count) == ("2 +1", 0, 0)


def test_a_card_between_two_goes_keeps_the_series_open() -> None:
    play = played("four_single", "0:KS 1:QD 2:5S 3:go 0:AS 1:go", {"go_three_plus": "stop"}).play
    assert (play.turn, play.count) == (2, 26)


def test_counterclockwise_the_turn_passes_to_the_right() -> None:
    play = played("three_hand", "0:KS 2:QD 1:5S", {"direction": "counterclockwise"}).play
    assert play.turn == 0


every_game = st.sampled_from(
    [
        *VARIANTS.values(),
        *(rules_for("four_single", {"go_points": points}) for points in ("per_pass", "per_card_after_go")),
        rules_for("six_card", {"go_points": "per_card_after_go"}),
        rules_for("six_hand", {"go_three_plus": "stop", "sides": "three_sides"}),
        rules_for("five_hand", {"direction": "counterclockwise"}),
    ]
)


def play_out(rules: RuleSet, rng: random.Random, *, low_cards: bool = False) -> tuple[Deal, int]:
    """Random hands, played at random to the end with true gos only. Returns the deal and the seat that led."""
    pack = rng.sample(PACK[:44] if low_cards else PACK, rules.players * rules.hand_size)
    hands: list[list[Card]] = [pack[seat :: rules.players] for seat in rules.seats]
    leader = rng.randrange(rules.players)
    table = deal(rules, leader)
    while (seat := table.play.turn) is not None:
        fitting = playable_cards(hands[seat], table.play.count)
        assert table.play.may_go(hands[seat]) is not bool(fitting)
        card = rng.choice(fitting) if fitting else None
        if card is not None:
            hands[seat].remove(card)
        table.move(f"{seat}:{card or 'go'}")
        assert table.play.left == tuple(len(hand) for hand in hands)
    return table, leader


@given(every_game, st.randoms(use_true_random=False), st.booleans())
def test_every_series_ends_by_the_rules(rules: RuleSet, rng: random.Random, low_cards: bool) -> None:
    finished = play_out(rules, rng, low_cards=low_cards)[0].play
    cards = rules.players * rules.hand_size
    assert len(finished.closed) <= -(-cards // 3)
    for series in finished.closed:
        count = sum(laid.card.pips for laid in series)
        assert count <= 31
        assert series is finished.closed[-1] or (len(series) >= 3 and count >= 22)
    if rules.variant != "five_card":
        assert len(finished.laid) == cards
    assert len(set(finished.laid)) == len(finished.laid)


@given(every_game, st.randoms(use_true_random=False), st.booleans())
def test_every_series_scores_thirty_one_or_last(rules: RuleSet, rng: random.Random, low_cards: bool) -> None:
    table, _ = play_out(rules, rng, low_cards=low_cards)
    paid = [score for tally in table.log for score in tally.scores]
    last = sum(score.kind is ScoreKind.LAST_CARD for score in paid)
    full = sum(score.kind is ScoreKind.THIRTY_ONE for score in paid)
    if rules.go_points.value == "per_card_after_go":
        assert last + full <= len(table.play.closed)
    else:
        assert last + full == len(table.play.closed)
    assert all(is_possible_in_play(tally.points, rules) for tally in table.log)


@given(st.sampled_from(["six_card", "five_card"]), st.randoms(use_true_random=False), st.booleans())
def test_two_players_score_within_known_bounds(variant: str, rng: random.Random, low_cards: bool) -> None:
    table, pone = play_out(VARIANTS[variant], rng, low_cards=low_cards)
    by_pone, by_dealer = table.total_of(pone), table.total_of(1 - pone)
    if variant == "six_card":
        assert 0 <= by_pone <= 24
        assert 1 <= by_dealer <= 30
        assert 1 <= by_pone + by_dealer <= 44
    else:
        assert 0 <= by_pone <= 17
        assert 0 <= by_dealer <= 21
        assert 1 <= by_pone + by_dealer <= 26
