"""Figures of games and players: means, missed points, muggins, skunks and head-to-head results."""

from __future__ import annotations

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Margin, RuleSet, Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import events as e
from firmware_host.stats.statistics import MEAN_HAND, GameFigures, HeadToHead, Tally, figures_of, head_to_heads_of
from firmware_host.storage.game_summary import Events
from tests.cribbage.test_census import PUBLISHED
from tests.stats.totals import head_to_heads, players

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


def test_hands_and_cribs_have_separate_means() -> None:
    game = figures_of([started(), counted(ANN, 8), counted(ANN, 4), counted(ANN, 3, is_crib=True)])
    assert (game.seats[ANN].hand.mean, game.seats[ANN].crib.mean) == (6.0, 3.0)
    assert game.seats[BEN].hand.mean is None


def test_play_counts_only_if_followed_to_its_end() -> None:
    earned = (e.PointsDue(0, ANN, e.Source.PLAY, FIFTEEN),)
    followed, unfollowed = ((e.PlayEnded(is_followed=is_followed),) for is_followed in (True, False))
    game = figures_of([started(), (e.DealBegan(ANN),), earned, followed, (e.DealBegan(BEN),), earned, unfollowed])
    assert game.seats[ANN].play == Tally(1, 2) and game.seats[BEN].play == Tally(1, 0)


def test_show_points_are_not_play_points() -> None:
    shown = (e.PointsDue(0, ANN, e.Source.SHOW, FIFTEEN),)
    game = figures_of([started(), (e.DealBegan(ANN),), shown, (e.PlayEnded(is_followed=True),)])
    assert game.seats[ANN].play.points == 0


def test_missed_given_and_caught_are_separate() -> None:
    missed = e.PointsMissed(0, ANN, e.Source.SHOW, 4, FIFTEEN, is_lost=True)
    game = figures_of([started(), (missed, e.MugginsTaken(1, 0, 3))])
    assert (game.seats[ANN].missed, game.seats[ANN].given, game.seats[ANN].caught) == (4, 3, 0)
    assert (game.seats[BEN].missed, game.seats[BEN].given, game.seats[BEN].caught) == (0, 0, 3)


def test_points_only_pointed_out_are_not_lost() -> None:
    named = e.PointsMissed(0, ANN, e.Source.SHOW, 4, FIFTEEN, is_lost=False)
    assert figures_of([started(), (named,)]).seats[ANN].missed == 0


def test_undone_turn_does_not_count() -> None:
    game = figures_of([started(), counted(ANN, 8), (e.TurnUndone(),), counted(ANN, 10)])
    assert game.seats[ANN].hand == Tally(1, 10)


def test_muggins_counts_for_both_partners() -> None:
    rules = rules_for("four_partners", {"muggins_mode": "claim"})
    game = figures_of([started(rules, "Ann", "Ben", "Cid", "Dot"), (e.MugginsTaken(1, 0, 2),)])
    assert [seat.caught for seat in game.seats] == [0, 2, 0, 2]
    assert [seat.given for seat in game.seats] == [2, 0, 2, 0]


def test_score_history_has_an_entry_per_leap() -> None:
    game = figures_of([started(), leapt(0, 8), counted(ANN, 8), leapt(1, 5), (e.ScoreCorrected(0, 7, "slip"),)])
    assert game.score_history == ((0, 0), (8, 0), (8, 5), (7, 5)) and game.scores == (7, 5)


def test_only_a_loser_can_be_skunked() -> None:
    assert won(0, 85).margins == (Margin.WIN, Margin.SKUNK)
    assert won(1, 100).margins == (Margin.WIN, Margin.WIN)


def test_player_is_identified_by_name_in_every_seat() -> None:
    ann, ben, cid = players([won(0, 85, "Ann", "Ben"), won(1, 100, "Cid", "Ann"), won(0, 60, "Ben", "Ann")])
    assert (ann.name, ann.games, ann.won, ann.skunks, ann.skunked) == ("Ann", 3, 2, 1, 1)
    assert (ben.name, ben.games, ben.won, ben.skunks, ben.skunked) == ("Ben", 2, 1, 1, 1)
    assert (cid.name, cid.games, cid.won) == ("Cid", 1, 0)


def test_unfinished_game_is_won_by_nobody() -> None:
    (ann, _) = players([figures_of([started(), leapt(0, 40), counted(ANN, 8)])])
    assert (ann.games, ann.won, ann.seat.hand.mean) == (0, 0, 8.0)
    assert head_to_heads([figures_of([started(), leapt(0, 40)])]) == ()


def test_head_to_head_counts_both_sides() -> None:
    (pair,) = head_to_heads([won(0, 85, "Ben", "Ann"), won(1, 100, "Ben", "Ann"), won(0, 100, "Ann", "Ben")])
    assert pair.sides == (("Ann",), ("Ben",)) and pair.won == (2, 1) and pair.skunks == (0, 1)


def test_three_players_make_two_pairs() -> None:
    rules = rules_for("three_hand")
    game = figures_of([started(rules, "Ann", "Ben", "Cid"), leapt(1, 121), (e.GameWon(1),)])
    assert {pair.sides for pair in head_to_heads([game])} == {(("Ann",), ("Ben",)), (("Ben",), ("Cid",))}


def test_mean_hand_agrees_with_published_census() -> None:
    mean = sum(points * times for points, times in PUBLISHED.items()) / sum(PUBLISHED.values())
    assert round(mean, 2) == MEAN_HAND


def test_pairs_of_each_game_add_up_to_the_totals() -> None:
    rules = rules_for("three_hand")
    names = "Ann", "Ben", "Cid"
    games = [figures_of([started(rules, *names), leapt(side, 121), (e.GameWon(side),)]) for side in (1, 2, 2)]
    found: dict[object, HeadToHead] = {}
    for pair in (pair for game in games for pair in head_to_heads_of(game)):
        found[pair.sides] = found.get(pair.sides, HeadToHead(pair.sides)) + pair
    assert sorted(found.values(), key=lambda pair: (-pair.games, pair.sides)) == list(head_to_heads(games))
    assert {pair.sides: pair.won for pair in head_to_heads_of(games[0])} == {
        (("Ann",), ("Ben",)): (0, 1),
        (("Ann",), ("Cid",)): (0, 0),
        (("Ben",), ("Cid",)): (1, 0),
    }
