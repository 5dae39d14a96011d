"""How many whole games are refereed in a second, command by command. The commands are chosen beforehand."""

from __future__ import annotations

from time import process_time

import pytest

from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game import commands as c
from firmware_host.game.decide import decide
from firmware_host.game.state import Phase, Table
from tests.bench.recording import Recorder
from tests.game.random_player import RandomPlayer

ROUNDS = 3


@pytest.mark.bench
def test_whole_games_of_every_variant(recorder: Recorder) -> None:
    count, figures = recorder.pick(full=20, small=1), dict[str, float]()
    for variant in VARIANTS:
        games = [commands_of(variant, seed) for seed in range(count)]
        best_s = min(processor_seconds_for(games) for _ in range(ROUNDS))
        figures[f"{variant}_games_per_s"] = count / best_s
        figures[f"{variant}_commands_per_s"] = sum(map(len, games)) / best_s
    recorder.record("games", figures)


def commands_of(variant: str, seed: int) -> list[c.Command]:
    """The commands of one game by a player who chooses at random."""
    player, table, commands = RandomPlayer(seed), None, list[c.Command]()
    command: c.Command = player.begin(VARIANTS[variant])
    while True:
        commands.append(command)
        table = decide(table, command).table
        if table.phase is Phase.OVER:
            return commands
        command = player.next_command(table)


def processor_seconds_for(games: list[list[c.Command]]) -> float:
    began_s = process_time()
    for commands in games:
        table: Table | None = None
        for command in commands:
            table = decide(table, command).table
    return process_time() - began_s
