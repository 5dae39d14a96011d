"""How many whole games are refereed in a second, command by command, and how many are played at random and refereed.

The floor is the points alone: each card in play and each hand of the same games is scored, and nothing is checked, told
by parts or kept. For `six_card` the package `cribbage-scorer` scores them too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest
from cribbage_scorer import cribbage_scorer

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.series import points_for
from firmware_host.cribbage.totals import show_total
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.decide import decide
from firmware_host.game.decision import Decided
from firmware_host.game.state import Phase, Table
from tests.bench.recording import Recorder
from tests.bench.test_scoring_speed import as_peer
from tests.bench.timing import processor_seconds
from tests.game.random_player import RandomPlayer

ROUNDS = 3

Series = tuple[Card, ...]
Hand = tuple[Sequence[Card], Card]


@pytest.mark.bench
def test_whole_games_of_every_variant(recorder: Recorder) -> None:
    count, figures = recorder.pick(full=20, small=1), dict[str, float]()
    for variant in VARIANTS:
        games = [list(decisions_of(variant, seed)) for seed in range(count)]
        commands = [[command for command, _ in game] for game in games]
        series = [cards for game in games for cards in series_of(game)]
        hands = [hand for game in games for hand in hands_of(game)]
        works: dict[str, Callable[[], object]] = {
            "": partial(referee, commands),
            "_played": partial(play, variant, count),
            "_floor": partial(score, series, hands),
        }
        if variant == "six_card":
            works["_cribbage_scorer"] = partial(score_by_peer, [tuple(map(as_peer, cards)) for cards in series], hands)
        rounds = [{name: processor_seconds(work) for name, work in works.items()} for _ in range(ROUNDS)]
        best_s = {name: min(took_s[name] for took_s in rounds) for name in works}
        figures |= {f"{variant}{name}_games_per_s": count / best_s[name] for name in works}
        figures[f"{variant}_commands_per_s"] = sum(map(len, commands)) / best_s[""]
    recorder.record("games", figures)


def decisions_of(variant: str, seed: int) -> Iterator[tuple[c.Command, Decided]]:
    """The commands of one game by a player who chooses at random, and what they led to."""
    player = RandomPlayer(seed)
    command: c.Command = player.begin(VARIANTS[variant])
    table: Table | None = None
    while True:
        decided = decide(table, command)
        yield command, decided
        table = decided.table
        if table.phase is Phase.OVER:
            return
        command = player.next_command(table)


def series_of(game: Sequence[tuple[c.Command, Decided]]) -> Iterator[Series]:
    """Each series of the play up to each of its cards."""
    series: Series = ()
    for _, decided in game:
        for event in decided.events:
            if isinstance(event, e.CardPlayed):
                series = (*series, event.card)
                yield series
        play = decided.table.deal.play if decided.table.deal else None
        series = play.cards if play else ()


def hands_of(game: Sequence[tuple[c.Command, Decided]]) -> Iterator[Hand]:
    """Each hand and crib of the show, with the starter."""
    for _, decided in game:
        for event in decided.events:
            if isinstance(event, e.HandCounted):
                yield event.cards, event.starter


def referee(games: list[list[c.Command]]) -> None:
    for commands in games:
        table: Table | None = None
        for command in commands:
            table = decide(table, command).table


def play(variant: str, count: int) -> None:
    for seed in range(count):
        for _ in decisions_of(variant, seed):
            pass


def score(series: list[Series], hands: list[Hand]) -> int:
    """The points of all cards and hands."""
    return sum([points_for(cards) for cards in series]) + sum([show_total(*hand) for hand in hands])


def score_by_peer(series: list[tuple[tuple[int, str], ...]], hands: list[Hand]) -> None:
    for cards in series:
        cribbage_scorer.play_score_ongoing(list(cards))
    for held, starter in hands:
        cribbage_scorer.show_calc_score(as_peer(starter), [as_peer(card) for card in held])
