"""A file replaced whole: whatever happens meanwhile, what was there stays, or what is new is there.

A new name is durable only when its folder is synced, and so is a new folder.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def replace_durably(path: Path, content: bytes, mode: int) -> None:
    """Write beside the file, make it durable, then put it in its place with the rights of `mode`. Raises OSError."""
    fresh = path.with_name(f"{path.name}.new")
    make_folder(path.parent)
    try:
        _write(fresh, content, mode)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink()  # half of it would only take the room that is lacking
        raise
    sync_folder(path.parent)


def _write(path: Path, content: bytes, mode: int) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def make_folder(folder: Path) -> None:
    """The folder and those above it, where they are missing. Raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    with suppress(PermissionError):  # a folder one may write in, and not read
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
