"""A scanner on the bench for whoever asks for one, built once for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.firmware import rig
from tests.firmware.rig import Chip, UsbCable

STRIPS = 25
"""As on the classic board."""


@pytest.fixture(scope="session")
def build(request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Make the firmware and what runs it; skipped, and loudly, where that cannot be."""
    if lacking := rig.missing():
        pytest.skip(f"THE FIRMWARE IS NOT TESTED: no {lacking} here. Mend: apt install {rig.PACKAGES}")
    assert request.config.cache
    cache = request.config.cache.mkdir("firmware")
    return lambda *targets, defines="": rig.built(cache, *targets, defines=defines)


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[UsbCable]:
    made = UsbCable(tmp_path / "scanner")
    yield made
    made.close()


@pytest.fixture
def chip(build: Callable[..., Path], cable: UsbCable) -> Iterator[Chip]:
    made = Chip(build("all", "rig"), STRIPS, cable.far_end)
    yield made
    made.close()
