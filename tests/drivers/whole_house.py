"""The whole program on parts that are not simulated by it: opened, watched until something is so, and closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.assemble import Running, assemble
from firmware_host.mischief import Mischief
from firmware_host.settings import Settings, load_settings
from firmware_host.snapshot import Snapshot

PATIENCE_S = 30.0

# luma.oled 3.16 reads pictures in a way that Pillow will drop in its version 14.
LUMA_READS_PICTURES = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


def on_real_parts(state_folder: Path, **told: object) -> Settings:
    """Settings that wait for nobody: a peg settles at once, and is looked for often."""
    return load_settings(
        None, {}, {"simulate": False, "state_folder": state_folder, "settle_s": 0.05, "scan_hz": 200, **told}
    )


@contextmanager
def opened(settings: Settings, mischief: Mischief | None = None) -> Iterator[Running]:
    made = assemble(settings, mischief=mischief)
    try:
        yield made
    finally:
        made.stop()
        made.server.close()


def seen(running: Running, is_so: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot of which it is so."""
    snapshot = running.host.snapshot
    while not is_so(snapshot):
        newer = running.host.wait_for_news(snapshot.version, PATIENCE_S)
        assert newer is not snapshot, f"nothing new after {snapshot.prompt!r}"
        snapshot = newer
    return snapshot
