"""What people should attend to first: the one decision behind the line of the display and the sentences of the page.

The order of urgency is that of `Topic`. The display renders a situation in 21 columns (`prompts.game_prompt`), the
page in full sentences (`web_panel/views/guidance.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from firmware_host.game.state import Phase, Table
from firmware_host.tracking.readings import TrackFault
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.lights.lights import PendingLeap
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import Shown


class Topic(StrEnum):
    """What a situation is about, the most urgent first."""

    CALIBRATION = "calibration"
    """The wiring calibration runs. It takes the keys."""
    PAIRING = "pairing"
    """A phone asks to be added. ENTER would accept it, whatever else is going on."""
    FAULT = "fault"
    """Something keeps the board from following the game."""
    SETUP = "setup"
    """The set-up wizard is open. No game is followed."""
    NOTICE = "notice"
    """A short message for a few seconds."""
    PEGS_ASTRAY = "pegs_astray"
    """A peg is where the game has none."""
    TYPING = "typing"
    """The sixteen keys are in use: the next key answers a question."""
    PENDING = "pending"
    """A peg was moved and has not held still yet."""
    NO_GAME = "no_game"
    POINTS = "points"
    """A side has points to move, forward or back, and may know it."""
    PHASE = "phase"
    """The game waits for what its phase needs: a card, a count, the next deal."""


class Situation(Struct, frozen=True):
    """The most urgent topic, with what it is about."""

    topic: Topic
    astray: TrackFault | None = None
    """For PEGS_ASTRAY."""
    leap: PendingLeap | None = None
    """For PENDING."""
    side: int | None = None
    """For POINTS: the side that has to move its peg."""


def game_situation(
    shown: Shown | None,
    input_state: k.InputState,
    pending: Iterable[PendingLeap],
    astray: Iterable[TrackFault],
    referee_mode: RefereeMode = RefereeMode.TEACHER,
) -> Situation:
    """The most urgent topic of the game and the keys: one of those from PEGS_ASTRAY on."""
    for pegs in astray:
        if shown is not None and not are_pegs_done(shown.table, input_state):
            return Situation(Topic.PEGS_ASTRAY, astray=pegs)
    if input_state != k.Idle():
        return Situation(Topic.TYPING)
    for leap in pending:
        return Situation(Topic.PENDING, leap=leap)
    if shown is None:
        return Situation(Topic.NO_GAME)
    side = side_to_move(shown, referee_mode)
    return Situation(Topic.PHASE) if side is None else Situation(Topic.POINTS, side=side)


def are_pegs_done(table: Table, input_state: k.InputState) -> bool:
    """Whether the pegs of this game no longer matter: the club seats the next players, or asks for the result, while
    people put the pegs back to the start."""
    return isinstance(input_state, k.SeatOffered) or (table.phase is Phase.OVER and table.club_game is not None)


def side_to_move(shown: Shown, referee_mode: RefereeMode) -> int | None:
    """The first side that owes a move, forward or back, where this may be said; None if there is none."""
    if shown.table.phase is Phase.OVER or not referee_mode.announces_counts:
        return None
    return shown.side_to_move
