"""What the club has acknowledged survives a power cut at any moment."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.club.recorded_night import start_club
from tests.reliability.power_cuts import cut_everywhere
from tests.reliability.recording import COMPILER, NO_COMPILER, Recording, record
from tests.reliability.simulated_disk import Cut, Disk

pytestmark = [pytest.mark.slow, pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)]


def recorded(folder: Path, *options: str) -> Recording:
    return record(folder, ("tests.club.recorded_night", str(folder / "disk"), "7", *options))


def test_power_cuts_take_no_event_from_a_club(tmp_path: Path) -> None:
    recording = recorded(tmp_path)
    disk = Disk(recording.before)
    for call in recording.calls:
        disk.apply(call)
    assert disk.found(Cut.KILLED, Random(0)) == recording.after, "the recording is complete"
    assert cut_everywhere(recording, 1_000, seed=1, start=start_club).losses == []


def test_a_club_that_does_not_sync_is_detected(tmp_path: Path) -> None:
    assert cut_everywhere(recorded(tmp_path, "unsynced"), 100, seed=2, start=start_club).losses
