"""Recordings that several tests share. Without a C compiler these tests are skipped with a clear message."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.recording import COMPILER, NO_COMPILER, Recording, record
from tests.reliability.scenarios import ALL_RUNS, programs


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """Five runs of the program on one disk; see scenarios.ALL_RUNS."""
    return recorded(tmp_path_factory.mktemp("runs"), *ALL_RUNS)


def recorded(folder: Path, *scenarios: str, before: dict[str, bytes] | None = None) -> Recording:
    """Record these scenarios in `folder`, on a disk that has the files `before`."""
    if COMPILER is None:
        pytest.skip(NO_COMPILER)
    return record(folder, *programs(folder / "disk", scenarios), before=before)
