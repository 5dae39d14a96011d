"""How long the sensing board takes to scan and to light, in the cycles of an emulated chip: any machine is as good."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.bench.recording import Recorder
from tests.firmware.rig import UsbCable, builder
from tests.firmware.sensing_desk import classic_desk, largest_desk, measured_times


@pytest.mark.bench
def test_scan_and_light(recorder: Recorder, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    build = builder(request.config)
    pictures = recorder.pick(full=80, small=8)
    with closing(UsbCable(tmp_path / "classic")) as cable, classic_desk(build, cable) as desk:
        classic = measured_times(desk, pictures)
    with closing(UsbCable(tmp_path / "largest")) as cable, largest_desk(build, cable) as desk:
        largest = measured_times(desk, pictures)
    recorder.record(
        "sensing_board",
        {
            "classic_scan_ms": classic.scan_ms,
            "classic_lit_ms": classic.lit_ms,
            "largest_scan_ms": largest.scan_ms,
            "largest_lit_ms": largest.lit_ms,
        },
    )
