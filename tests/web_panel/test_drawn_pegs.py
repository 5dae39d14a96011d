"""On the drawn board the program moves the pegs itself where an undo or a correction changes where they belong."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web_panel.conftest import Rig


def scores_of_pegs(state: Any, track: int) -> list[int]:
    return sorted(peg["score"] for peg in state["pegs"] if peg["track"] == track)


def peg_for_ann(rig: Rig) -> None:
    """Ann deals, the jack gives her two, and she pegs them."""
    rig.begin()
    rig.command("starter", card="JS")
    rig.leap(0, 0, 2)
    assert rig.state()["sides"][0]["score"] == 2


def test_undo_and_redo_move_the_pegs(rig: Rig) -> None:
    peg_for_ann(rig)
    for command, pegs, score in (("undo", [-1, 0], 0), ("redo", [0, 2], 2)):
        rig.command(command)
        rig.wait(1)
        state = rig.state()
        assert scores_of_pegs(state, 0) == pegs and state["sides"][0]["score"] == score
        assert state["guidance"]["tone"] == "next"


@pytest.mark.parametrize("score", [7, 1, 0])
def test_a_corrected_score_has_its_pegs_at_once(rig: Rig, score: int) -> None:
    peg_for_ann(rig)
    rig.command("correct", side=0, score=score, reason="by agreement")
    rig.wait(1)
    state = rig.state()
    assert max(scores_of_pegs(state, 0)) == score == state["sides"][0]["score"]
    assert (state["guidance"]["tone"], state["guidance"]["topic"]) == ("next", "phase")


def test_the_winning_move_is_undone_and_redone_without_an_error(rig: Rig) -> None:
    rig.begin(scores=[119, 30])
    rig.command("starter", card="JS")
    rig.leap(0, 0, 61)
    assert rig.state()["game"]["winner"] == 0
    for command, winner in (("undo", None), ("redo", 0)):
        rig.command(command)
        rig.wait(1)
        state = rig.state()
        assert state["game"]["winner"] == winner and state["guidance"]["tone"] != "error"
        assert state["turns"] == (2 if winner is None else 3)
