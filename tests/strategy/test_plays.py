"""The judgement of cards of the play: what every good player knows, and what the engine can work out."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.cribbage.cards import Card, parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.strategy.engine import Level, choose_card
from firmware_host.strategy.opponents_hand import imagined_hands
from firmware_host.strategy.play_judge import JudgedCard, judge_cards
from firmware_host.strategy.view import Act, PlayerView

ME, THEM = Seat(0), Seat(1)


def view_of(
    hand: str,
    acts: str = "",
    *,
    discarded: str = "KS KH",
    starter: str = "QS",
    scores: tuple[int, int] = (0, 0),
    dealer: Seat = THEM,
    **options: object,
) -> PlayerView:
    """`acts`: cards or go in turn, each after `me` or `them`."""
    words = acts.split()
    played: list[Act] = [
        (ME if who == "me" else THEM, None if text == "go" else parse_card(text))
        for who, text in zip(words[::2], words[1::2], strict=True)
    ]
    return PlayerView(
        rules=rules_for("six_card", options),
        seat=ME,
        dealer=dealer,
        scores=scores,
        hand=parse_cards(hand),
        discarded=parse_cards(discarded),
        starter=parse_card(starter),
        acts=tuple(played),
    )


def judged(view: PlayerView) -> tuple[JudgedCard, ...]:
    return judge_cards(view, Random(1))


def best(view: PlayerView) -> Card | None:
    return judged(view)[0].card


def test_nobody_leads_a_five() -> None:
    assert judged(view_of("5H 4D 7C 9S"))[-1].card == parse_card("5H")


def test_a_pair_royal_is_taken() -> None:
    assert best(view_of("4H 4D 9C KC", "them 4S", dealer=ME)) in parse_cards("4H 4D")


def test_a_go_is_the_only_choice_where_nothing_fits() -> None:
    view = view_of("9C KC", "me TD them JD me 8D", scores=(3, 5))
    only = judged(view_of("9C KC 8D", "me TD them JD", discarded="2S 3S"))
    assert {each.card for each in only} == set(parse_cards("9C KC 8D"))
    (go,) = judged(view_of("9C KC", "me TD them JD me 8D them 2D", discarded="2S 3S"))
    assert go.card is None and 0 < (go.win or 0) < 1
    assert view.played_by(ME) == parse_cards("TD 8D")


def test_an_optional_go_is_weighed_too() -> None:
    acts = "me TD them JD me 8D them go"
    options = {each.card for each in judged(view_of("2C KC", acts, must_play="after_go_optional"))}
    assert options == {parse_card("2C"), None}


def test_hands_that_could_have_played_are_not_imagined() -> None:
    """After their go at 28 they hold no ace, two or three."""
    hands = imagined_hands(view_of("2C KC", "me TD them JD me 8D them go"), 2000)
    assert hands and all(hand[0] > 3 for hand, _, _ in hands)
    assert sum(weight for _, weight, _ in hands) == pytest.approx(1)


def test_own_cards_are_not_imagined_elsewhere() -> None:
    """With two fives in hand, one discarded and one cut, nobody has another."""
    view = view_of("5H 5S 6C 9D", discarded="5D KS", starter="5C")
    assert not [hand for hand, _, _ in imagined_hands(view, 2000) if 5 in hand]


def test_a_sample_has_the_weights_of_all_hands() -> None:
    view = view_of("4H 6D 9C KC")
    everything, sample = imagined_hands(view, 2000), imagined_hands(view, 150)
    assert len(sample) <= 150 < len(everything)
    for rank in range(1, 14):
        shares = [sum(weight for hand, weight, _ in hands if rank in hand) for hands in (everything, sample)]
        assert shares[0] == pytest.approx(shares[1], abs=0.06)


def test_a_hand_that_no_good_player_keeps_is_still_imagined() -> None:
    """They led a five, and then played two more."""
    view = view_of("KC QC", "them 5S me JD them 5H me TD them go me go them 5D", dealer=ME, discarded="2S 3S")
    assert judged(view)[0].card is not None


def test_who_needs_a_hole_takes_the_sure_point() -> None:
    """At 120 each the dealer may win with a pair at once, whatever follows."""
    view = view_of("9H 8D 2C 3C", "them 9S", scores=(119, 120), dealer=ME)
    first = judged(view)[0]
    assert first.card == parse_card("9H") and first.win == 1


def test_the_score_changes_the_card() -> None:
    """Who counts first and needs no more than the hand plays so that the dealer makes nothing."""
    orders = set()
    for scores in ((0, 0), (60, 60), (112, 118), (119, 105), (105, 119)):
        cards = judged(view_of("2H 3D 8C KC", scores=scores))
        assert all(0 <= (each.win or 0) <= 1 for each in cards)
        orders.add(tuple(each.card for each in cards))
    assert len(orders) > 1


def test_lowball_avoids_points() -> None:
    view = view_of("9H KD QC JC", "them 9S", dealer=ME, lowball=True)
    assert best(view) != parse_card("9H")


def test_the_same_view_gets_the_same_answer() -> None:
    view = view_of("4H 6D 9C KC", "them 9S", dealer=ME)
    assert judged(view) == judged(view)


def test_a_flush_of_the_play_is_taken_where_it_counts() -> None:
    three = view_of("9C 9H KD", "me 8C them 2C", play_flush="three_up", discarded="2S 3S", dealer=THEM)
    clubs, hearts = (next(each for each in judged(three) if each.card == parse_card(card)) for card in ("9C", "9H"))
    assert clubs.points == pytest.approx(hearts.points + 3) and (clubs.win or 0) > (hearts.win or 0)


@pytest.mark.parametrize("level", [Level.CLUB, Level.EXPERT])
def test_one_of_three_cards_alike_makes_the_flush(level: Level) -> None:
    view = view_of("9H 9S 9C", "them 4S me TS them AS", discarded="2S 3S", play_flush="three_up")
    assert choose_card(view, level, Random(1)) == parse_card("9S")


@pytest.mark.parametrize("scores", [(102, 10), (6, 110)])
def test_points_decide_in_a_game_that_is_won_or_lost_anyway(scores: tuple[int, int]) -> None:
    view = view_of("3H QS 2C", "them 3C me AS them JH", discarded="9H 6D", starter="5C", scores=scores, dealer=ME)
    by_points = judged(view)
    assert by_points[0].win == by_points[1].win
    assert choose_card(view, Level.EXPERT, Random(1)) == by_points[0].card == parse_card("QS")
