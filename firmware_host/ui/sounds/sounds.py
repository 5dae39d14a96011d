"""The sounds of the board: four, each with one meaning, and which one the events of a turn call for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from firmware_host.game import events as e
from firmware_host.game.state import Table
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.messages import is_announced

Tune = tuple[tuple[float, float], ...]
"""(frequency in Hz, duration in seconds) of each note."""


class Sound(Enum):
    """The notes of each sound. All are between 400 and 4000 Hz: a small piezo is too quiet below that."""

    PEGGED = ((2000.0, 0.03),)
    """A tick: a leap is settled."""
    REFUSED = ((494.0, 0.12), (415.0, 0.2))
    """Two low notes: not allowed, or moved too far."""
    MISSED = ((2349.0, 0.1), (2794.0, 0.2))
    """Two high notes: points that nobody took."""
    WON = ((1047.0, 0.12), (1319.0, 0.12), (1568.0, 0.12), (2093.0, 0.4))
    """A tune that rises: the game is won."""

    @property
    def tune(self) -> Tune:
        """The notes, for the driver of the piezo."""
        tune: Tune = self.value
        return tune


SOUND_OF_EVENT: Mapping[type[object], Sound] = {
    e.GameWon: Sound.WON,
    e.PointsMissed: Sound.MISSED,
    e.MugginsTaken: Sound.MISSED,
    e.PegsOverran: Sound.REFUSED,
    e.RenegeFound: Sound.REFUSED,
    e.PenaltyGiven: Sound.REFUSED,
    e.PegLeapt: Sound.PEGGED,
    e.PegAdjusted: Sound.PEGGED,
    e.ResultConfirmed: Sound.PEGGED,
}
"""Event -> its sound, the most important first: of the events of one turn, only the first here makes a sound."""


def sound_of(events: Sequence[e.Event], referee_mode: RefereeMode, table: Table | None = None) -> Sound | None:
    """The sound for these events of one turn; None for none. Events that are not announced make no sound.

    `table` is the state after the turn; without it no muggins is played.
    """
    announced = {type(event) for event in events if is_announced(event, referee_mode, table)}
    return next((sound for kind, sound in SOUND_OF_EVENT.items() if kind in announced), None)
