"""Recordings that several tests cut into pieces. Without a C compiler there is none, and that is told loudly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.chapters import LIFE, programs
from tests.reliability.recording import COMPILER, MISSING, Recording, record


@pytest.fixture(scope="session")
def life(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """Two evenings and a pulled plug."""
    return recorded(tmp_path_factory.mktemp("life"), *LIFE)


def recorded(folder: Path, *chapters: str, before: dict[str, bytes] | None = None) -> Recording:
    if COMPILER is None:
        pytest.skip(MISSING)
    return record(folder, *programs(folder / "disk", chapters), before=before)
