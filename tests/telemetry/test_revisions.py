"""The revision of a result grows with everything that changes it, and never falls."""

from __future__ import annotations

import json
from itertools import pairwise

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.events import ClubGame
from firmware_host.game.history import History
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.results import Result, result_of

START = c.StartGame(rules_for("six_card"), ("Ann", "Ben"), dealer=Seat(0), club_game=ClubGame(1, 2, 3))
END = (c.CorrectScore(1, 95, "so far"), c.CorrectScore(0, 121, "the end"))


def results_after(*commands: c.Command) -> list[tuple[int, dict[str, object]]]:
    """Revision and payload after each command, from the end of the game on."""
    journal, history, found = Journal.in_memory(), History(), list[Result]()
    for command in (START, *commands):
        decided = history.decide(command)
        journal.append(decided.events)
        history = history.after(decided)
        (summary,) = journal.games(1)
        if result := result_of(journal.rows_of(1), summary, "table-3"):
            found.append(result)
    journal.close()
    return [(result.revision, json.loads(result.payload)) for result in found]


def test_each_confirmation_is_a_revision() -> None:
    results = results_after(*END, c.ConfirmResult(0), c.ConfirmResult(1))
    assert [(revision, payload["confirmed"]) for revision, payload in results] == [(1, []), (2, [0]), (3, [0, 1])]
    assert {json.dumps(payload["club_game"]) for _, payload in results} == {'{"night": 1, "round": 2, "table": 3}'}


def test_what_changes_nothing_of_the_result_is_no_revision() -> None:
    assert [revision for revision, _ in results_after(*END, c.AcceptPegs())] in ([1], [1, 1])


def test_undo_and_redo_grow_it_too() -> None:
    results = results_after(
        *END, c.ConfirmResult(0), c.Undo(), c.Undo(), c.Redo(), c.Redo(), c.CorrectScore(1, 96, "x")
    )
    assert [revision for revision, _ in results] == [1, 2, 3, 4, 5, 6, 7]
    assert [payload["is_final"] for _, payload in results] == [True, True, True, False, True, True, True]
    assert [payload["confirmed"] for _, payload in results] == [[], [0], [], [], [], [0], []]
    assert all(before < after for (before, _), (after, _) in pairwise(results))


def test_a_score_corrected_after_the_end_is_sent_again() -> None:
    first, second = results_after(*END, c.CorrectScore(1, 96, "miscounted"))
    assert (first[0], second[0]) == (1, 2)
    assert [side["score"] for side in second[1]["sides"]] == [121, 96]  # type: ignore[attr-defined]
