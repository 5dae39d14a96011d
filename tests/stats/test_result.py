"""The result of a game: best hand, points left behind, and where the points came from."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.side import Mover
from firmware_host.stats.result import Origin, missed_by, result_of
from firmware_host.storage.game_summary import Events
from tests.game.random_player import GAME_NAMES, GAMES, RandomPlayer

ANN, BEN = Seat(0), Seat(1)


def played(*commands: c.Command) -> list[Events]:
    """The turns of these commands."""
    history, turns = History(), list[Events]()
    for command in commands:
        decided = history.decide(command)
        history = history.after(decided)
        turns.append(decided.events)
    return turns


def start(*, scores: tuple[int, int] = (0, 0), is_entered: bool = False, **options: object) -> c.StartGame:
    rules = rules_for("six_card", options)
    return c.StartGame(rules, ("Ann", "Ben"), points_are_entered=is_entered, dealer=ANN, scores=scores)


FIRST_SERIES = tuple(c.PlayCard(parse_card(card)) for card in ("JD", "5S", "QC", "AC", "4S"))
SECOND_SERIES = tuple(c.PlayCard(parse_card(card)) for card in ("9D", "8D", "3H"))
PLAYED: tuple[c.Command, ...] = (c.CutStarter(parse_card("5H")), *FIRST_SERIES, c.SayGo(), c.SayGo(), *SECOND_SERIES)
FIRST_DEAL: tuple[c.Command, ...] = (
    *PLAYED,
    c.CountHand(parse_cards("JD QC 4S 8D")),
    c.CountHand(parse_cards("5S AC 9D 3H")),
    c.CountHand(parse_cards("TS KS 5C 2D")),
)
"""Ben leads. The play: 10, 15 (2 for Ann), 25, 26, 30 (1 for Ben); then 9, 17, 20 (last card: 1 for Ann).
The show with the five of hearts: Ben has two fifteens, Ann two fifteens and a pair, the crib four fifteens and a pair.
"""


def test_points_come_from_play_hands_and_cribs_by_side() -> None:
    result = result_of(played(start(), *FIRST_DEAL))
    assert result.scores == tuple(sum(side.values()) for side in result.origins)
    ann, ben = result.origins
    assert ann[Origin.PLAY] == 3 and ben[Origin.PLAY] == 1  # fifteen and last card; the go
    assert ben[Origin.HANDS] == 4 and ann[Origin.HANDS] == 6
    assert ann[Origin.CRIBS] == 10 and ben[Origin.CRIBS] == 0
    assert ann[Origin.OTHER] == ben[Origin.OTHER] == 0


def test_the_best_hand_is_named_with_its_cards_and_deal() -> None:
    best = result_of(played(start(), *FIRST_DEAL)).best
    assert best and (best.seat, best.is_crib, best.points, best.deal) == (ANN, True, 10, 1)
    assert best.cards == parse_cards("TS KS 5C 2D") and best.starter == parse_card("5H")


def test_a_game_by_pegs_alone_has_no_best_hand_and_no_known_origins() -> None:
    result = result_of(played(start(is_entered=True), c.EnterPoints(0, 6), c.EnterPoints(1, 2)))
    assert result.best is None and not result.has_cards
    assert [side[Origin.OTHER] for side in result.origins] == [6, 2]


def test_points_that_nobody_pegged_are_left_behind() -> None:
    turns = played(start(is_entered=True, muggins_mode="off"), *PLAYED, c.NextDeal())
    result = result_of(turns)
    ann, ben = missed_by(result, 0), missed_by(result, 1)
    assert [(each.points, each.deal, each.origin) for each in ann] == [(1, 1, Origin.PLAY), (2, 1, Origin.PLAY)]
    assert [each.points for each in ben] == [1]
    assert result.scores == (0, 0) and result.has_cards


def test_muggins_says_how_many_of_the_missed_points_were_taken() -> None:
    turns = played(start(is_entered=True, muggins_mode="automatic"), *FIRST_DEAL[:3], c.PlayCard(parse_card("QC")))
    (missed,) = result_of(turns).missed
    assert (missed.side, missed.points, missed.taken) == (0, 2, 2)
    assert result_of(turns).origins[1][Origin.OTHER] == 2


def test_a_head_start_and_points_beyond_the_game_hole_are_counted_right() -> None:
    result = result_of(played(start(scores=(119, 100)), *FIRST_DEAL[:3]))
    assert result.winner == 0 and result.scores == (121, 100)
    assert result.origins[0] == {Origin.PLAY: 2, Origin.HANDS: 0, Origin.CRIBS: 0, Origin.OTHER: 119}


def test_points_that_were_still_due_when_the_game_ended_do_not_count() -> None:
    turns = played(start(scores=(100, 50), is_entered=True), *PLAYED, FIRST_DEAL[-3], c.CorrectScore(0, 121, "end"))
    result = result_of(turns)
    assert result.winner == 0 and result.scores == (121, 50)
    assert result.origins[1] == {Origin.PLAY: 0, Origin.HANDS: 0, Origin.CRIBS: 0, Origin.OTHER: 50}


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("mover", [Mover.TABLE, Mover.ENTRY])
def test_the_origins_add_up_to_the_score_in_every_variant(game: str, mover: Mover) -> None:
    for seed in range(3):
        turns = random_turns(GAMES[game], mover, seed)
        result = result_of(turns)
        assert tuple(sum(side.values()) for side in result.origins) == result.scores


def random_turns(rules: RuleSet, mover: Mover, seed: int) -> list[Events]:
    player, history, turns = RandomPlayer(seed, care=0.8), History(), list[Events]()
    command: c.Command = player.begin(rules, mover)
    while True:
        decided = history.decide(command)
        history = history.after(decided)
        turns.append(decided.events)
        if decided.table.winner is not None:
            return turns
        command = player.next_command(decided.table)
