"""What is heard after a turn: one sound, of the weightiest event that the referee may speak of."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from firmware_host.board.course import Hole, TrackPegs
from firmware_host.cribbage.rules import Seat
from firmware_host.table import events as e
from firmware_host.table.manner import Manner
from firmware_host.table.sounds import OCCASIONS, Sound, sound_of

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
def test_one_sound_is_heard_of_the_weightiest_event(events: Sequence[e.Event], sound: Sound | None) -> None:
    assert sound_of(events, Manner.TEACHER) is sound


@pytest.mark.parametrize("manner", [Manner.POLITE, Manner.SILENT])
def test_a_referee_who_keeps_missed_points_back_does_not_tell_them_by_ear(manner: Manner) -> None:
    assert sound_of((LEAPT, MISSED), manner) is Sound.PEGGED
    assert sound_of((MISSED,), manner) is None
    assert sound_of((MISSED, TAKEN), manner) is Sound.MISSED, "what was taken, everybody sees"


def test_no_sound_is_long_and_none_is_like_another() -> None:
    assert set(OCCASIONS.values()) == set(Sound)
    for sound in Sound:
        assert sum(seconds for _, seconds in sound.tune) < 1
    low, high = ([hz for hz, _ in sound.tune] for sound in (Sound.REFUSED, Sound.MISSED))
    assert len(low) == len(high) == 2 and max(low) * 2 < min(high)
    rising = [hz for hz, _ in Sound.WON.tune]
    assert rising == sorted(rising) and len(Sound.PEGGED.tune) == 1
