"""One sound for a turn, of its most important event that the referee mode announces."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from firmware_host.board.course import Hole, TrackPegs
from firmware_host.cribbage.rules import Seat
from firmware_host.game import events as e
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.sounds.sounds import SOUND_OF_EVENT, Sound, sound_of

LEAPT = e.PegLeapt(0, TrackPegs(Hole(0), Hole(8)), stands=False)
ADJUSTED = e.PegAdjusted(0, TrackPegs(Hole(0), Hole(7)), stands=False)
MISSED = e.PointsMissed(0, Seat(0), e.Source.SHOW, 2, (), is_lost=True)
TAKEN = e.MugginsTaken(1, 0, 2)
OVERRAN = e.PegsOverran(0, 3)


@pytest.mark.parametrize(
    ("events", "sound"),
    [
        ((), None),
        ((e.GoSaid(Seat(1)),), None),
        ((e.TurnUndone(),), None),
        ((LEAPT,), Sound.PEGGED),
        ((ADJUSTED,), Sound.PEGGED),
        ((LEAPT, OVERRAN), Sound.REFUSED),
        ((LEAPT, OVERRAN, e.PenaltyGiven(1, 3, e.Breach.OVERRUN)), Sound.REFUSED),
        ((LEAPT, MISSED), Sound.MISSED),
        ((MISSED, TAKEN), Sound.MISSED),
        ((LEAPT, MISSED, e.GameWon(0)), Sound.WON),
    ],
)
def test_the_most_important_event_makes_the_sound(events: Sequence[e.Event], sound: Sound | None) -> None:
    assert sound_of(events, RefereeMode.TEACHER) is sound


@pytest.mark.parametrize("referee_mode", [RefereeMode.POLITE, RefereeMode.SILENT])
def test_missed_points_make_no_sound_unless_announced(referee_mode: RefereeMode) -> None:
    assert sound_of((LEAPT, MISSED), referee_mode) is Sound.PEGGED
    assert sound_of((MISSED,), referee_mode) is None
    assert sound_of((MISSED, TAKEN), referee_mode) is Sound.MISSED, "a muggins claim is public"


def test_sounds_are_short_and_distinct() -> None:
    assert set(SOUND_OF_EVENT.values()) == set(Sound)
    for sound in Sound:
        assert sum(seconds for _, seconds in sound.tune) < 1
    low, high = ([hz for hz, _ in sound.tune] for sound in (Sound.REFUSED, Sound.MISSED))
    assert len(low) == len(high) == 2 and max(low) * 2 < min(high)
    rising = [hz for hz, _ in Sound.WON.tune]
    assert rising == sorted(rising) and len(Sound.PEGGED.tune) == 1
