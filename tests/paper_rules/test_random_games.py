"""Random games on paper and in the program, with careful and with careless people; see `run.py` for larger numbers.

A difference fails, and the message has a short script of each kind. `scripts` keeps those that were faults once.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.paper_rules.careless import CAREFUL, CARELESS, Manners
from tests.paper_rules.host_program import HostProgram
from tests.paper_rules.program import Program, PureProgram
from tests.paper_rules.run import report, run
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
def test_a_few_games(knowledge: str, manners: Manners) -> None:
    check(25, manners, knowledge)


@pytest.mark.parametrize("manners", [CAREFUL, ON_THE_BOARD], ids=["careful", "careless"])
def test_a_few_games_on_the_board(manners: Manners) -> None:
    check(8, manners, program=HostProgram)


@pytest.mark.slow
@pytest.mark.parametrize("manners", [CAREFUL, CARELESS], ids=["careful", "careless"])
@pytest.mark.parametrize("knowledge", ["known", "played", "pegs"])
def test_many_games(knowledge: str, manners: Manners) -> None:
    check(1500, manners, knowledge, seed=2)


@pytest.mark.slow
@pytest.mark.parametrize("knowledge", ["known", "played"])
def test_many_games_on_the_board(knowledge: str) -> None:
    check(250, ON_THE_BOARD, knowledge, seed=3, program=HostProgram)
