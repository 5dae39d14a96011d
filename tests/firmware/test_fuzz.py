"""The portable firmware under sanitizers: frames, damaged frames and noise do no harm, and it still answers."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FRAMES = 20_000


def fuzz(build: Callable[..., Path], seed: int, frames: int) -> None:
    done = subprocess.run(
        [build("fuzzer") / "fuzz", str(seed), str(frames)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_noise_and_damaged_frames_do_no_harm(build: Callable[..., Path]) -> None:
    fuzz(build, 1, FRAMES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_much_noise_does_no_harm(build: Callable[..., Path], seed: int) -> None:
    fuzz(build, seed, 10 * FRAMES)
