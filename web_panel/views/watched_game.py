"""The short game that plays itself on a visitor's page: half a minute, played by the real rules. Pure.

It is played here once for each language and shown by the page alone, so that neither the board nor the visitor's own
game takes part. Each frame is one of `views/replay.py`, with a caption and the milliseconds that it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.history import History, Turn
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.cadence import scores_in_words
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.translator import Translator
from web_panel.json_type import Json
from web_panel.views import state
from web_panel.views.guidance import guidance
from web_panel.views.pegs import course_shown
from web_panel.views.replay import changes, frame, snapshot_of
from web_panel.views.score_labels import names_in_words

ANN = Seat(0)
BEN = Seat(1)
NAMES = ("Ann", "Ben")
BEGINS_AT = (8, 5)

Caption = Callable[[Snapshot, Turn, Translator], tuple[str, str]]
"""Headline and detail of a frame."""


class Step(Struct, frozen=True):
    """One frame: what happens, and what is said about it. `shown_ms` is 0 for the frame that stays."""

    caption: Caption
    shown_ms: int
    commands: tuple[c.Command, ...]
    """One turn each. The frame shows the table after the last one."""
    pegs: tuple[int, int] | None = None
    """The side whose peg moves then, and the score where it lands."""


def _opening(snapshot: Snapshot, turn: Turn, tr: Translator) -> tuple[str, str]:
    return (
        tr("{names} play with real cards and real pegs.").format(names=names_in_words(NAMES, tr)),
        tr("This game plays by itself. Your own board and game stay as they are."),
    )


def _starter(snapshot: Snapshot, turn: Turn, tr: Translator) -> tuple[str, str]:
    starter = next(event for event in turn.events if isinstance(event, e.StarterCut))
    headline = tr("The starter is {card}.").format(card=with_suit_symbol(starter.card))
    return headline, tr("Somebody enters the cards: on a phone, or with the board’s keys.")


def _played(snapshot: Snapshot, turn: Turn, tr: Translator) -> tuple[str, str]:
    """Such as: Ben plays 8♠: fifteen for two. And the hole that is lit."""
    played = next(event for event in turn.events if isinstance(event, e.CardPlayed))
    name = NAMES[played.seat]
    card = with_suit_symbol(played.card)
    due = next((event for event in turn.events if isinstance(event, e.PointsDue)), None)
    if due is None:
        said = guidance(snapshot, tr)
        return tr("{name} plays {card}.").format(name=name, card=card), said.detail
    scores = scores_in_words(due.scores, tr)
    headline = tr("{name} plays {card}: {scores}.").format(name=name, card=card, scores=scores)
    return headline, tr("Hole {hole} lights up.").format(hole=turn.table.sides[due.side].rightful)


def _moved(snapshot: Snapshot, turn: Turn, tr: Translator) -> tuple[str, str]:
    leapt = next(event for event in turn.events if isinstance(event, e.PegLeapt))
    sentence = tr("The board sees the peg move: {start} to {end}.")
    detail = tr("{name} has {score} points.").format(name=NAMES[leapt.side], score=leapt.pegs.front)
    return sentence.format(start=leapt.pegs.back, end=leapt.pegs.front), detail


def _too_far(snapshot: Snapshot, turn: Turn, tr: Translator) -> tuple[str, str]:
    said = guidance(snapshot, tr)
    return said.headline, said.detail


def _put_right(snapshot: Snapshot, turn: Turn, tr: Translator) -> tuple[str, str]:
    return tr("The peg is back in its hole. The score was right all the time."), ""


def _counted(snapshot: Snapshot, turn: Turn, tr: Translator) -> tuple[str, str]:
    counted = next(event for event in turn.events if isinstance(event, e.HandCounted))
    headline = tr("Then the board counts {name}’s hand aloud.").format(name=NAMES[counted.seat])
    return headline, tr("Hole {hole} lights up.").format(hole=turn.table.sides[counted.seat].rightful)


def _closing(snapshot: Snapshot, turn: Turn, tr: Translator) -> tuple[str, str]:
    return tr("Play your cards and move your pegs. The board does the rest."), ""


STEPS = (
    Step(
        _opening,
        3000,
        (c.StartGame(rules_for("six_card"), NAMES, "classic-61", 2, dealer=BEN, scores=BEGINS_AT),),
    ),
    Step(_starter, 2600, (c.CutStarter(parse_card("6C")),)),
    Step(_played, 1600, (c.PlayCard(parse_card("7D"), ANN),)),
    Step(_played, 2600, (c.PlayCard(parse_card("8S"), BEN),)),
    Step(_moved, 2400, (), pegs=(1, 7)),
    Step(_played, 2200, (c.PlayCard(parse_card("9C"), ANN),)),
    Step(_too_far, 2800, (), pegs=(0, 12)),
    Step(_put_right, 2200, (), pegs=(0, 11)),
    Step(_played, 2200, (c.PlayCard(parse_card("7C"), BEN),)),
    Step(_moved, 1800, (), pegs=(1, 12)),
    Step(_counted, 4200, (c.EndPlay(), c.CountHand(parse_cards("7D 9C 8H KS")))),
    Step(_moved, 2000, (), pegs=(0, 19)),
    Step(_closing, 0, ()),
)
"""The script. Ben deals, so Ann leads."""


def watched_game(plan: BoardPlan, tr: Translator) -> Json:
    """The board and the frames. The last frame stays, so its time is 0."""
    history = History()
    frames = list[Json]()
    for number, step in enumerate(STEPS):
        for command in _commands(step, history):
            history = history.after(history.decide(command))
        turn = history.last
        assert turn is not None
        snapshot = snapshot_of(turn, number, plan, RefereeMode.TEACHER)
        headline, detail = step.caption(snapshot, turn, tr)
        said: Json = {"headline": headline, "detail": detail, "tone": str(guidance(snapshot, tr).tone)}
        frames.append(frame(snapshot, tr) | said | {"shown_ms": step.shown_ms})
    return {"board": state.board(plan, course_shown(plan, history.table), tr), "frames": changes(frames)}


def _commands(step: Step, history: History) -> Iterator[c.Command | c.Observation]:
    yield from step.commands
    if step.pegs:
        side, score = step.pegs
        assert history.table is not None
        pegs = history.table.sides[side].pegs
        is_leap = score > pegs.front
        yield c.PegsMoved(side, pegs.leapt_to(score) if is_leap else pegs.slid_to(score), is_leap)
