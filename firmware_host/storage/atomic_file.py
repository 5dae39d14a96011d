"""Replaces a file atomically: after a power cut at any moment the old or the new content is there, complete.

A rename is durable only when its folder is synced, and so is a new folder.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FOLDER_MODE = 0o700
"""Permission of a new folder: the files of a board have names, hands and tokens."""


def replace_file(path: Path, content: bytes, mode: int) -> None:
    """Write `content` to a temporary file, sync it, and rename it to `path`. `mode` is the permission, such as 0o644.

    Makes missing folders. Raises OSError, and then the old file is unchanged.
    """
    temporary = path.with_name(f"{path.name}.new")
    make_folder(path.parent)
    try:
        _write(temporary, content, mode)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()  # the disk may be full: free the space of the partial file
        raise
    sync_folder(path.parent)


def _write(path: Path, content: bytes, mode: int) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, durably. Only the owner may enter a new folder. Raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(FOLDER_MODE, exist_ok=True)
    with suppress(PermissionError):  # a parent that can be written but not read cannot be synced
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable: new, renamed and deleted files. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
