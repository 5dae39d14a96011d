"""What the board says by ear: few sounds, each with one meaning. Which one is due follows from the events of a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from firmware_host.table import events as e
from firmware_host.table.manner import Manner
from firmware_host.table.wording import may_say

Tune = tuple[tuple[float, float], ...]


class Sound(Enum):
    """Notes of (frequency in Hz, seconds), between 400 and 4000 Hz: below, a small piezo is hardly heard."""

    PEGGED = ((2000.0, 0.03),)
    """A tick: the leap is settled."""
    REFUSED = ((494.0, 0.12), (415.0, 0.2))
    """Two low notes: this cannot be, or was too much."""
    MISSED = ((2349.0, 0.1), (2794.0, 0.2))
    """Two high notes: points that nobody took."""
    WON = ((1047.0, 0.12), (1319.0, 0.12), (1568.0, 0.12), (2093.0, 0.4))
    """A tune that rises: the game is won."""

    @property
    def tune(self) -> Tune:
        tune: Tune = self.value
        return tune


OCCASIONS: Mapping[type[object], Sound] = {
    e.GameWon: Sound.WON,
    e.PointsMissed: Sound.MISSED,
    e.MugginsTaken: Sound.MISSED,
    e.PegsOverran: Sound.REFUSED,
    e.RenegeFound: Sound.REFUSED,
    e.PenaltyGiven: Sound.REFUSED,
    e.PegLeapt: Sound.PEGGED,
    e.PegAdjusted: Sound.PEGGED,
}
"""Event -> its sound, the weightiest first: of a turn that brings several, only one is heard."""


def sound_of(events: Sequence[e.Event], manner: Manner) -> Sound | None:
    """The sound that is due after these events of one turn. What the referee may not say is not told by ear either."""
    told = {type(event) for event in events if may_say(event, manner)}
    return next((sound for kind, sound in OCCASIONS.items() if kind in told), None)
