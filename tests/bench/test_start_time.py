"""How soon the program is ready, compared with the import of its libraries in the same run."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from firmware_host.app import build_app
from tests.bench.programs import LIBRARIES, import_modules, running_program
from tests.bench.recording import Recorder


@pytest.mark.bench
def test_start_compared_with_the_import_of_libraries(recorder: Recorder, tmp_path: Path) -> None:
    """Each round starts all three one after another, so that a busy machine slows all of them."""

    def start_program() -> float:
        with running_program(tmp_path) as program:
            return program.ready_s

    def start_all() -> tuple[float, float, float]:
        return import_modules(LIBRARIES).ready_s, import_modules(build_app.__module__).ready_s, start_program()

    start_all()  # files are in the page cache afterwards, and byte code is compiled
    rounds = [start_all() for _ in range(recorder.pick(full=9, small=1))]
    libraries_s, all_modules_s, ready_s = (median(column) for column in zip(*rounds, strict=True))
    recorder.record(
        "start_time",
        {
            "import_of_libraries_s": libraries_s,
            "import_of_all_modules_s": all_modules_s,
            "ready_s": ready_s,
            "times_the_import_of_libraries": median(ready / libraries for libraries, _, ready in rounds),
        },
    )
