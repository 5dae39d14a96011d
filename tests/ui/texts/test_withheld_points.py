"""Points that do not count near the game hole: log, display and voice say why, and no light asks for a move."""

from __future__ import annotations

import pytest

from firmware_host.board.course import Hole
from firmware_host.config.board_plans import load_plan
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.history import History, Turn
from firmware_host.ui.lights.lights import HoleSignal, Signal, signals
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import shown_of
from firmware_host.ui.spoken.turns import spoken_turn
from firmware_host.ui.texts.messages import turn_message
from firmware_host.ui.translator import untranslated
from firmware_host.ui.voice import Verbosity

PLAN = load_plan("continuous-121-2")
KITCHEN: dict[str, object] = {"stinkhole": "heels_and_go", "go_limit": "115"}
LAST_FOR_PONE = ("KS", "QS", "9H", None, None)
"""The pone's nine makes 29, and one for last."""


def played(scores: tuple[int, int], starter: str, cards: tuple[str | None, ...] = ()) -> History:
    """A game with Ann as dealer, after the cards of its play; None is a go."""
    commands: list[c.Command] = [
        c.StartGame(rules_for("six_card", KITCHEN), ("Ann", "Ben"), PLAN.id, 2, scores=scores),
        c.ChooseDealer(Seat(0)),
        c.CutStarter(parse_card(starter)),
        *(c.SayGo() if card is None else c.PlayCard(parse_card(card)) for card in cards),
    ]
    history = History()
    for command in commands:
        history = history.after(history.decide(command))
    return history


def last_of(history: History) -> Turn:
    return next(iter(history.turns_back()))


CASES = [
    pytest.param((120, 50), "JD", (), "Ann: two for his heels. This does not count from 120.", id="heels at 120"),
    pytest.param((50, 120), "3D", LAST_FOR_PONE, "Ben: one for last. This does not count from 120.", id="last at 120"),
    pytest.param((50, 116), "3D", LAST_FOR_PONE, "No point for Ben: a go scores only up to 115.", id="last at 116"),
]


@pytest.mark.parametrize(("scores", "starter", "cards", "sentence"), CASES)
def test_log_and_display_say_why_points_do_not_count(
    scores: tuple[int, int], starter: str, cards: tuple[str | None, ...], sentence: str
) -> None:
    turn = last_of(played(scores, starter, cards))
    assert sentence in turn_message(turn)
    assert sentence not in turn_message(turn, referee_mode=RefereeMode.POLITE)
    in_languages = {turn_message(turn, translator(language)) for language in LANGUAGES}
    assert len(in_languages) == len(LANGUAGES)


@pytest.mark.parametrize(("scores", "starter", "cards", "sentence"), CASES)
def test_the_voice_says_why_points_do_not_count(
    scores: tuple[int, int], starter: str, cards: tuple[str | None, ...], sentence: str
) -> None:
    turn = last_of(played(scores, starter, cards))
    spoken = " ".join(spoken_turn(turn, untranslated, verbosity=Verbosity.TERSE))
    words = {"120": "one hundred and twenty", "115": "one hundred and fifteen"}
    for digits, number in words.items():
        sentence = sentence.replace(digits, number)
    assert sentence in spoken


@pytest.mark.parametrize(("scores", "starter", "cards", "sentence"), CASES)
def test_no_light_asks_to_move_for_points_that_do_not_count(
    scores: tuple[int, int], starter: str, cards: tuple[str | None, ...], sentence: str
) -> None:
    table = played(scores, starter, cards).table
    assert table is not None
    course = PLAN.course(121)
    seen = [frozenset(course.holes_of(side.pegs)) for side in table.sides]
    lit = signals(shown_of(table), course, seen)
    assert {each.signal for each in lit} == {Signal.REST}
    assert HoleSignal(scores.index(max(scores)), Hole(max(scores)), Signal.REST) in lit


def test_a_point_that_counts_beside_one_that_does_not_is_said_as_usual() -> None:
    """At 116 the fifteen counts, and the point for last does not."""
    cards = ("KS", "9S", "QS", None, None, "TH", "KH", "9C", None, None, "7S", "8H")
    events = last_of(played((116, 50), "3D", cards)).events
    found = [type(event) for event in events if isinstance(event, e.PointsDue | e.PointsWithheld)]
    assert found == [e.PointsDue, e.PointsWithheld]
