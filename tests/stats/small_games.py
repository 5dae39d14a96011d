"""Games of a few turns, as the journal stores them, and everything that pages show of them, folded from all games."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import events as e
from firmware_host.stats.archive import PastGame, PastGames
from firmware_host.stats.past_games import GameFilter
from firmware_host.stats.people import People, Roster
from firmware_host.stats.scorecards import Scorecard, scorecards
from firmware_host.stats.statistics import HeadToHead, Names, PlayerFigures, figures_of
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal
from tests.stats.totals import head_to_heads, players

FOUR, STARTER = parse_cards("5H 5S 5D JC"), parse_card("5C")


def small_game(
    names: Sequence[str],
    scores: Sequence[int] = (),
    *,
    variant: str = "six_card",
    hands: Sequence[int] = (),
    is_demo: bool = False,
) -> list[Events]:
    """The turns of a game. The side whose score is the target has won; `hands` are counted by the seats in turn."""
    rules = rules_for(variant)
    start = (0,) * len(rules.sides)
    turns: list[Events] = [(e.GameStarted(rules, tuple(names), "classic-61", 2, False, start, is_demo=is_demo),)]
    for number, points in enumerate(hands):
        turns.append((e.HandCounted(Seat(number % len(names)), False, FOUR, STARTER, points),))
    turns += [(e.PegLeapt(side, TrackPegs(0, score), stands=True),) for side, score in enumerate(scores) if score]
    turns += [(e.GameWon(side),) for side, score in enumerate(scores) if score == rules.target]
    return turns


def append(path: Path, *games: list[Events]) -> None:
    """Add games to the journal."""
    with closing(Journal.open(path)) as journal:
        for turn in (turn for game in games for turn in game):
            journal.append(turn)


class Shown(Struct, frozen=True):
    """Everything that pages show of past games."""

    games: list[PastGame]
    """Listed games, the latest first, without the history of their scores."""
    variants: list[str]
    players: list[PlayerFigures]
    head_to_heads: list[HeadToHead]
    cards: list[Scorecard]
    latest_cards: list[Scorecard]


def shown(past: PastGames) -> Shown:
    """What the store has."""
    return Shown(
        list(past.games(GameFilter(), 10_000)),
        list(past.variants),
        list(past.players()),
        list(past.head_to_heads()),
        list(past.all_cards()),
        list(past.latest_cards()),
    )


def folded_games(path: Path) -> list[PastGame]:
    """All games of the journal but demonstrations, the latest first, without the history of their scores."""
    with closing(Journal.open_readonly(path)) as journal:
        games = [
            PastGame(summary, figures_of(journal.turns_of(summary.game), keeps_secrets=True))
            for summary in journal.games()
        ]
    return [
        PastGame(past.summary, replace(past.figures, score_history=past.figures.score_history[-1:]))
        for past in games
        if not past.summary.is_demo
    ]


def last_game(path: Path) -> int:
    """The number of the latest game, which may be a demonstration."""
    with closing(Journal.open_readonly(path)) as journal:
        return journal.last_game


def folded(path: Path, games: list[PastGame], people: People, hides_latest: bool = False) -> Shown:
    """The same from a fold of the whole journal, which has these `games`."""
    roster = Roster((past.summary for past in games), people)
    hidden = last_game(path) if hides_latest else 0
    listed = [past for past in games if past.is_begun and past.summary.game != hidden]
    keyed = [past.with_names(tuple(map(people.key_of, past.summary.names))).figures for past in listed]
    name_of = {person.key: person.name for person in roster.persons}
    named = (replace(player, name=name_of[player.name]) for player in players(keyed))
    cards = scorecards(roster)
    by_kind = groupby(
        sorted(cards, key=lambda card: (card.person.key, card.kind)), lambda card: (card.person, card.kind)
    )
    pairs = head_to_heads(keyed)

    def named_side(keys: Names) -> Names:
        return tuple(name_of[key] for key in keys)

    return Shown(
        [past.with_names(tuple(roster.person(name).name for name in past.summary.names)) for past in listed],
        sorted({past.summary.rules.variant for past in listed}),
        sorted(named, key=lambda player: (-player.games, player.name)),
        [replace(pair, sides=(named_side(pair.sides[0]), named_side(pair.sides[1]))) for pair in pairs],
        list(cards),
        sorted((list(group)[-1] for _, group in by_kind), key=lambda card: (card.person.key, card.number)),
    )
