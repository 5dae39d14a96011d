"""How soon the program is ready, compared with the import of its libraries in the same run, by processor time."""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.request import urlopen

import pytest

from firmware_host.doctor.benchmark import running_program
from tests.bench.programs import COUNT, LIBRARIES, import_modules, processor_s_of
from tests.bench.recording import Recorder


class Start(NamedTuple):
    """Processor time until the display shows its first page, until the panel is ready, and for its first page."""

    display_s: float
    ready_s: float
    page_s: float


@pytest.mark.bench
def test_start_compared_with_the_import_of_libraries(recorder: Recorder, tmp_path: Path) -> None:
    """Each round starts all of them one after another, so that a busy machine slows all of them."""

    def start_program() -> Start:
        with running_program(tmp_path) as program:
            urlopen(program.address).close()
            page_s = program.cpu_s - program.ready_s
            return Start(program.display_s, program.ready_s, page_s)

    def start_all() -> tuple[float, Start, float, float]:
        import_click = processor_s_of([sys.executable, "-c", "import click"])
        return import_modules(LIBRARIES).cpu_s, start_program(), import_click, processor_s_of(COUNT)

    start_all()  # files are in the page cache afterwards, and byte code and templates are compiled
    rounds = [start_all() for _ in range(recorder.pick(full=9, small=1))]
    recorder.record(
        "start_time",
        {
            "import_of_libraries_s": median(libraries for libraries, *_ in rounds),
            "display_s": median(start.display_s for _, start, *_ in rounds),
            "ready_s": median(start.ready_s for _, start, *_ in rounds),
            "first_page_s": median(start.page_s for _, start, *_ in rounds),
            "display_times_the_import": median(start.display_s / libraries for libraries, start, *_ in rounds),
            "ready_times_the_import": median(start.ready_s / libraries for libraries, start, *_ in rounds),
            "first_page_times_the_import": median(start.page_s / libraries for libraries, start, *_ in rounds),
            "import_of_click_s": median(click for *_, click, _ in rounds),
            "count_s": median(count for *_, count in rounds),
            "count_times_the_import": median(count / click for *_, click, count in rounds),
        },
    )
