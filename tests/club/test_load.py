"""A small night of real board processes. `make club-load` plays one of fifty boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.club.load.comparison import Comparison
from tests.club.load.night import LoadedNight, NightPlan
from tests.reliability.recording import COMPILER, NO_COMPILER
from tests.telemetry.mosquitto import needs_mosquitto

SMALL = NightPlan(boards=6, rounds=2, speed=20, kills=(1,), power_cuts=(2,), cut_off=None, limit_s=300)


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)
@needs_mosquitto
def test_a_night_with_a_killed_broker_and_a_power_cut_loses_and_doubles_nothing(tmp_path: Path) -> None:
    night = LoadedNight(SMALL, tmp_path).run()
    assert night.comparison == Comparison(results=12, lost=0, doubled=0, differences=[])
