"""What the games tell: means, misses and muggins, skunks, and who beat whom."""

from __future__ import annotations

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Margin, RuleSet, Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.variants import rules_for
from firmware_host.statistics import MEAN_HAND, GameFigures, Tally, figures_of, pairings, players
from firmware_host.summary import Events
from firmware_host.table import events as e
from tests.cribbage.test_census import PUBLISHED

SIX_CARD = rules_for("six_card", {"muggins_mode": "claim"})
ANN, BEN = Seat(0), Seat(1)
FOUR, STARTER = parse_cards("5H 5S 5D JC"), parse_card("5C")
FIFTEEN = (Score(ScoreKind.FIFTEEN, 2),)


def started(rules: RuleSet = SIX_CARD, *names: str) -> Events:
    names = names or ("Ann", "Ben")
    return (e.GameStarted(rules, names, "classic-61", 2, False, (0,) * len(rules.sides), is_demo=False),)


def counted(seat: Seat, points: int, *, is_crib: bool = False) -> Events:
    return (e.HandCounted(seat, is_crib, FOUR, STARTER, points),)


def leapt(side: int, score: int) -> Events:
    return (e.PegLeapt(side, TrackPegs(0, score), stands=True),)


def won(winner: int, loser_score: int, *names: str) -> GameFigures:
    return figures_of(
        [
            started(SIX_CARD, *names),
            leapt(1 - winner, loser_score),
            leapt(winner, 121),
            (e.GameWon(winner),),
        ]
    )


def test_hands_and_cribs_are_averaged_apart() -> None:
    game = figures_of([started(), counted(ANN, 8), counted(ANN, 4), counted(ANN, 3, is_crib=True)])
    assert (game.seats[ANN].hand.mean, game.seats[ANN].crib.mean) == (6.0, 3.0)
    assert game.seats[BEN].hand.mean is None


def test_the_play_counts_only_where_it_was_followed_to_its_end() -> None:
    earned = (e.PointsDue(0, ANN, e.Source.PLAY, FIFTEEN),)
    followed, unfollowed = ((e.PlayEnded(is_followed=told),) for told in (True, False))
    game = figures_of([started(), (e.DealBegan(ANN),), earned, followed, (e.DealBegan(BEN),), earned, unfollowed])
    assert game.seats[ANN].play == Tally(1, 2) and game.seats[BEN].play == Tally(1, 0)


def test_points_of_the_show_are_no_points_of_the_play() -> None:
    shown = (e.PointsDue(0, ANN, e.Source.SHOW, FIFTEEN),)
    game = figures_of([started(), (e.DealBegan(ANN),), shown, (e.PlayEnded(is_followed=True),)])
    assert game.seats[ANN].play.points == 0


def test_what_is_missed_given_and_caught_is_told_apart() -> None:
    missed = e.PointsMissed(0, ANN, e.Source.SHOW, 4, FIFTEEN, is_lost=True)
    game = figures_of([started(), (missed, e.MugginsTaken(1, 0, 3))])
    assert (game.seats[ANN].missed, game.seats[ANN].given, game.seats[ANN].caught) == (4, 3, 0)
    assert (game.seats[BEN].missed, game.seats[BEN].given, game.seats[BEN].caught) == (0, 0, 3)


def test_points_that_are_pointed_out_are_not_lost_yet() -> None:
    named = e.PointsMissed(0, ANN, e.Source.SHOW, 4, FIFTEEN, is_lost=False)
    assert figures_of([started(), (named,)]).seats[ANN].missed == 0


def test_a_turn_that_was_taken_back_does_not_count() -> None:
    game = figures_of([started(), counted(ANN, 8), (e.TurnUndone(),), counted(ANN, 10)])
    assert game.seats[ANN].hand == Tally(1, 10)


def test_partners_catch_together() -> None:
    rules = rules_for("four_partners", {"muggins_mode": "claim"})
    game = figures_of([started(rules, "Ann", "Ben", "Cid", "Dot"), (e.MugginsTaken(1, 0, 2),)])
    assert [seat.caught for seat in game.seats] == [0, 2, 0, 2]
    assert [seat.given for seat in game.seats] == [2, 0, 2, 0]


def test_the_course_goes_from_leap_to_leap() -> None:
    game = figures_of([started(), leapt(0, 8), counted(ANN, 8), leapt(1, 5), (e.ScoreCorrected(0, 7, "slip"),)])
    assert game.course == ((0, 0), (8, 0), (8, 5), (7, 5)) and game.scores == (7, 5)


def test_a_loser_is_skunked_and_a_winner_never() -> None:
    assert won(0, 85).margins == (Margin.WIN, Margin.SKUNK)
    assert won(1, 100).margins == (Margin.WIN, Margin.WIN)


def test_a_player_is_known_by_name_in_every_seat() -> None:
    ann, ben, cid = players([won(0, 85, "Ann", "Ben"), won(1, 100, "Cid", "Ann"), won(0, 60, "Ben", "Ann")])
    assert (ann.name, ann.games, ann.won, ann.skunks, ann.skunked) == ("Ann", 3, 2, 1, 1)
    assert (ben.name, ben.games, ben.won, ben.skunks, ben.skunked) == ("Ben", 2, 1, 1, 1)
    assert (cid.name, cid.games, cid.won) == ("Cid", 1, 0)


def test_a_game_that_was_not_played_out_is_nobodys() -> None:
    (ann, _) = players([figures_of([started(), leapt(0, 40), counted(ANN, 8)])])
    assert (ann.games, ann.won, ann.seat.hand.mean) == (0, 0, 8.0)
    assert pairings([figures_of([started(), leapt(0, 40)])]) == ()


def test_pairings_count_both_ways() -> None:
    (pair,) = pairings([won(0, 85, "Ben", "Ann"), won(1, 100, "Ben", "Ann"), won(0, 100, "Ann", "Ben")])
    assert pair.sides == (("Ann",), ("Ben",)) and pair.won == (2, 1) and pair.skunks == (0, 1)


def test_three_meet_two_by_two() -> None:
    rules = rules_for("three_hand")
    game = figures_of([started(rules, "Ann", "Ben", "Cid"), leapt(1, 121), (e.GameWon(1),)])
    assert {pair.sides for pair in pairings([game])} == {(("Ann",), ("Ben",)), (("Ben",), ("Cid",))}


def test_the_known_mean_is_that_of_all_hands() -> None:
    mean = sum(points * times for points, times in PUBLISHED.items()) / sum(PUBLISHED.values())
    assert round(mean, 2) == MEAN_HAND
