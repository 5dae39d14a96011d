"""What all benchmarks share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.bench import pairs
from tests.bench.recording import Recorder, Size


@pytest.fixture(scope="session")
def recorder(request: pytest.FixtureRequest) -> Iterator[Recorder]:
    """Set by BENCH_SIZE and KEEP_FIGURES. At the end it prints each figure beside its floor."""
    recorder = Recorder.from_environment()
    yield recorder
    rows = list(pairs.rows_of(recorder.measured))
    lines = list(pairs.table(rows))
    if recorder.size is Size.SMALL:
        if recorder.keep:
            pairs.store(rows)
        lines += pairs.warnings(rows)
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print("", *lines, sep="\n")
