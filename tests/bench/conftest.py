"""What all benchmarks share."""

from __future__ import annotations

import pytest

from tests.bench.recording import Recorder


@pytest.fixture(scope="session")
def recorder() -> Recorder:
    """Set by BENCH_SIZE and KEEP_FIGURES."""
    return Recorder.from_environment()
