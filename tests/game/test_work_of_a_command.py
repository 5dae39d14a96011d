"""The work to decide a command, counted in calls of Python functions: the same on every machine, however busy."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import FrameType
from typing import Any

import pytest

from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game import commands as c
from firmware_host.game.decide import decide
from firmware_host.game.state import Phase, Table
from tests.game.random_player import RandomPlayer


def commands_of_a_game(variant: str) -> list[c.Command]:
    """The commands of one game by a player who chooses at random."""
    player, commands = RandomPlayer(1), list[c.Command]()
    command: c.Command = player.begin(VARIANTS[variant])
    table: Table | None = None
    while table is None or table.phase is not Phase.OVER:
        commands.append(command)
        table = decide(table, command).table
        command = player.next_command(table)
    return commands


def calls_to_decide(commands: Iterable[c.Command]) -> int:
    """Calls of functions, generators included, that were written in Python."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    table: Table | None = None
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for command in commands:
            table = decide(table, command).table
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize(
    ("variant", "most"),
    [pytest.param("six_card", 75, id="two sides"), pytest.param("six_hand", 85, id="six sides")],
)
def test_a_command_takes_little_work(variant: str, most: int) -> None:
    commands = commands_of_a_game(variant)
    assert calls_to_decide(commands) / len(commands) <= most
