"""A lock on a folder, for files that several processes change and that are replaced rather than written."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_host.storage.atomic_file import make_folder


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Waits until no other process holds the lock. Makes a missing folder. Raises OSError."""
    make_folder(folder)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
