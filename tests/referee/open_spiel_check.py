"""Compares the referee with OpenSpiel (PyPI `open_spiel`): whole random games, scores compared after each deal.

Not part of the tests: install `open_spiel`, then `python -m tests.referee.open_spiel_check [games]`.

Two known faults of OpenSpiel 2.0.2 are allowed for. It counts four cards of one suit in the crib as a flush, so the
games have that option. And it adds up the whole show after a side has reached 121, so then only the winner is compared.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

from firmware_host.game.record import Referee
from firmware_host.game.state import Table

VARIANT = {2: "six_card", 3: "three_hand", 4: "four_partners"}
Line = dict[str, Any]


class Disagreement(AssertionError):
    """OpenSpiel and the referee differ."""


def fields_of(state: Any) -> dict[str, str]:
    """The printed state as fields: `Dealer: 0`, `Scores: 0 0` and so on."""
    return dict(line.split(": ", 1) for line in str(state).splitlines() if ": " in line)


def header(players: int, dealer: int) -> Line:
    return {
        "record": 1,
        "variant": VARIANT[players],
        "seats": [f"P{seat}" for seat in range(players)],
        "dealer": dealer,
        "options": {"crib_flush": "four_ok"},
    }


class Game:
    """One random game of OpenSpiel, as lines of a record."""

    def __init__(self, players: int, seed: int) -> None:
        self.players, self.seed, self._random = players, seed, Random(seed)
        self.state = import_module("pyspiel").load_game(f"cribbage(players={players})").new_initial_state()

    def lines(self) -> Iterator[Line]:
        yield header(self.players, int(fields_of(self.state)["Dealer"]))
        while not self.state.is_terminal():
            yield from self._deal()
            yield from self._discard()
            yield {"starter": self._act()[1][0]}
            yield from self._play()

    def _act(self) -> tuple[int, list[str]]:
        """Take a random action. Returns its seat and its cards; no cards for a go."""
        seat = self.state.current_player()
        action = self._random.choice(self.state.legal_actions())
        words = self.state.action_to_string(seat, action).split()
        self.state.apply_action(action)
        return seat, words[1:]

    def _deal(self) -> Iterator[Line]:
        size = 6 if self.players == 2 else 5
        yield {"deal": [[self._act()[1][0] for _ in range(size)] for _ in range(self.players)]}
        if self.players == 3:
            yield {"from_stock": self._act()[1]}

    def _discard(self) -> Iterator[Line]:
        for _ in range(self.players):
            seat, cards = self._act()
            yield {"lay_away": [seat, cards]}

    def _play(self) -> Iterator[Line]:
        while not self.state.is_terminal() and not self.state.is_chance_node():
            seat, cards = self._act()
            yield {"play": [seat, *cards]} if cards else {"go": seat}

    @property
    def scores(self) -> list[int]:
        """By seat; partners both have the score of their side."""
        return [int(score) for score in fields_of(self.state)["Scores"].split()]


def check_game(players: int, seed: int) -> int:
    """Returns the number of deals compared. Raises Disagreement."""
    game, referee, deals = Game(players, seed), Referee(), 0
    table: Table | None = None
    for line in game.lines():
        if "deal" in line and table:
            deals += 1
            expect(table.winner is None and game.scores == by_seat(table), f"{line} after {by_seat(table)}", game)
        if table is None or table.winner is None:
            answer = referee.read_line(line)
            expect(answer.refused is None, f"{line}: {answer.refused}", game)
            table = answer.table
    assert table is not None
    expect(table.winner is not None and game.scores[table.rules.sides[table.winner][0]] >= 121, "no winner", game)
    return deals


def by_seat(table: Table) -> list[int]:
    return [table.scores[table.rules.side_of(seat)] for seat in table.rules.seats]


def expect(agrees: bool, what: str, game: Game) -> None:
    if not agrees:
        raise Disagreement(f"{game.players} players, seed {game.seed}: {what}, OpenSpiel has {game.scores}")


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for players in VARIANT:
        deals = sum(check_game(players, seed) for seed in range(games))
        print(f"{players} players: {games} games agree, {deals} deals compared")


if __name__ == "__main__":
    main()
