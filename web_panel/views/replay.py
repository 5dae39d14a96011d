"""A game turn by turn, as frames that the main page shows like states. Pure.

A frame has the keys of `state_view` that the page draws, and instead of guidance the sentences that were said. As in
the state, only cards that lie face up are included, and what muggins keeps secret in a game that is on stays so. A key
that is as in the frame before is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.game.events import Event
from firmware_host.game.history import History, Turn
from firmware_host.game.state import Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.keys.input_state import Idle, InputContext
from firmware_host.ui.lights.lights import signals
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import shown_of
from firmware_host.ui.texts.messages import turn_sentences
from firmware_host.ui.translator import Translator
from web_panel.json_type import Json
from web_panel.views import state
from web_panel.views.pegs import course_shown, lights, pegs, sides_drawn


def replay(history: History, plan: BoardPlan, referee_mode: RefereeMode, tr: Translator) -> Json:
    """All turns of the game that people could see, oldest first. Its first turn starts the game."""
    turns = tuple(history.turns_back())[::-1]
    table = turns[-1].table
    frames = list(_frames(turns, plan, referee_mode, tr))
    return {
        "board": state.board(plan, course_shown(plan, table), tr),
        "winner": table.winner,
        "frames": changes(frames),
    }


def history_of(turns: Iterable[tuple[Event, ...]]) -> History:
    """The history of a game from the turns of a journal."""
    history = History()
    for events in turns:
        history = history.replay(events)
    return history


def _frames(turns: Sequence[Turn], plan: BoardPlan, referee_mode: RefereeMode, tr: Translator) -> Iterator[Json]:
    now = turns[-1].table
    for number, turn in enumerate(turns):
        said = turn_sentences(turn, tr, referee_mode, now)
        if said:
            headline, *details = said
            sentences = {"headline": headline, "detail": " ".join(details), "tone": "win" * _is_last(turn) or "next"}
            yield frame(snapshot_of(turn, number, plan, referee_mode), tr) | sentences


def _is_last(turn: Turn) -> bool:
    return turn.table.winner is not None


def snapshot_of(turn: Turn, version: int, plan: BoardPlan, referee_mode: RefereeMode) -> Snapshot:
    """The snapshot of a board whose pegs stand where the game has them."""
    occupied = standing(turn.table, plan)
    shown = shown_of(turn.table)
    course = plan.course(turn.table.rules.target)
    return Snapshot(
        version=version,
        plan=plan,
        history=History(turn),
        shown=shown,
        input_state=Idle(),
        input_context=InputContext(turn.table, False, (), (), ()),
        occupied=occupied,
        pending=(),
        peg_faults=(),
        signals=signals(shown, course, occupied, referee_mode=referee_mode) if turn.table.sides_on_board else (),
        referee_mode=referee_mode,
    )


def standing(table: Table, plan: BoardPlan) -> tuple[frozenset[Hole], ...]:
    """The holes of each track with a peg in them, where the game has the pegs."""
    course = plan.course(table.rules.target)
    holes = [frozenset(course.holes_of(pegs)) for pegs in table.pegs[: sides_drawn(table, plan)]]
    return (*holes, *[frozenset[Hole]()] * (plan.tracks - len(holes)))


def frame(snapshot: Snapshot, tr: Translator) -> Json:
    """What the page draws of a snapshot of a game, without sentences."""
    table = snapshot.table
    assert table is not None and snapshot.shown is not None
    return {
        "turn": snapshot.version,
        "game": state.game(table, tr),
        "sides": state.sides(snapshot, snapshot.shown, tr),
        "deal": None if table.deal is None else state.deal(snapshot, table, tr),
        "pegs": pegs(snapshot),
        "lights": lights(snapshot),
    }


def changes(frames: Sequence[Json]) -> list[Json]:
    """The frames, each without the keys that are equal in the frame before."""
    found = list[Json]()
    before = Json()
    for each in frames:
        found.append({key: value for key, value in each.items() if key not in before or before[key] != value})
        before = each
    return found
