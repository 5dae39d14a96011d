"""Random games on paper and in the program, with careful and with careless people; see `run.py` for larger numbers.

A difference fails, and the message has a short script of each kind. `scripts` keeps those that were faults once.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from tests.paper_rules.careless import CAREFUL, CARELESS, Manners, People
from tests.paper_rules.compare import Match
from tests.paper_rules.host_program import HostProgram, plan_for
from tests.paper_rules.program import Program, PureProgram
from tests.paper_rules.run import STEPS_PER_DEAL, report, run
from tests.paper_rules.script import Setting

ON_THE_BOARD = replace(CARELESS, foul=0.0)
"""A foul is a fault of the sensors' readings, not a move; tests/tracking has those."""


def check(
    deals: int,
    manners: Manners,
    knowledge: str = "known",
    seed: int = 1,
    program: Callable[[Setting], Program] = PureProgram,
) -> None:
    tally = run(deals, seed, program, knowledge=(knowledge,), manners=manners)
    if tally.kinds:
        lines: list[str] = []
        report(tally, program, 1.0, lines.append)
        pytest.fail("\n".join(lines))


@pytest.mark.parametrize("manners", [CAREFUL, CARELESS], ids=["careful", "careless"])
@pytest.mark.parametrize("knowledge", ["known", "played", "pegs"])
def test_paper_and_program_agree_on_a_few_games(knowledge: str, manners: Manners) -> None:
    check(25, manners, knowledge)


@pytest.mark.parametrize("manners", [CAREFUL, ON_THE_BOARD], ids=["careful", "careless"])
def test_a_few_games_on_the_board(manners: Manners) -> None:
    check(8, manners, program=HostProgram)


def test_a_whole_game_on_the_board_with_a_game_hole_each() -> None:
    setting = Setting("six_card", "known", 0, (100, 105))
    assert plan_for(setting).id == "corners-61"
    winners = set()
    for seed in range(3):
        match, people = Match(setting, HostProgram), People(Random(seed), "known", CAREFUL)
        for _ in range(STEPS_PER_DEAL * 20):
            if match.game.winner is not None:
                break
            assert match.do(people.next_line(match.game, can_undo=False)) is None
        winners.add(match.game.winner)
    assert winners <= {0, 1} and None not in winners


@pytest.mark.slow
@pytest.mark.parametrize("manners", [CAREFUL, CARELESS], ids=["careful", "careless"])
@pytest.mark.parametrize("knowledge", ["known", "played", "pegs"])
def test_paper_and_program_agree_on_many_games(knowledge: str, manners: Manners) -> None:
    check(1500, manners, knowledge, seed=2)


@pytest.mark.slow
@pytest.mark.parametrize("knowledge", ["known", "played"])
def test_many_games_on_the_board(knowledge: str) -> None:
    """The players give each penalty that the board offers, and a move back costs nothing that only sensors report."""
    check(250, ON_THE_BOARD, knowledge, seed=3, program=HostProgram)
