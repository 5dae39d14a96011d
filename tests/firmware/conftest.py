"""Fixtures: the firmware, built once a session, on an emulated chip with a cable."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.firmware import rig
from tests.firmware.rig import Chip, UsbCable

STRIPS = 25
"""As many as on the classic board."""


@pytest.fixture(scope="session")
def build(request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Builds the firmware and its emulator. The tests are skipped, with the reason, if a tool is missing."""
    return rig.builder(request.config)


@pytest.fixture(scope="session")
def library(build: Callable[..., Path]) -> ctypes.CDLL:
    """The portable files of the firmware."""
    loaded = ctypes.CDLL(str(build("library") / "libscan.so"))
    loaded.proto_encode.restype = ctypes.c_size_t
    loaded.proto_encode.argtypes = [ctypes.c_uint8, ctypes.c_uint8, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
    return loaded


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
