"""Replaces a file atomically: after a power cut at any moment the old or the new content is there, complete.

A rename is durable only when its folder is synced, and so is a new folder.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from firmware_host.storage.plain_file import FILE_MODE, FOLDER_MODE, open_folder, open_in, open_plain

COPY_BYTES = 1 << 20


def replace_file(path: Path, content: bytes, mode: int = FILE_MODE, *, is_durable: bool = True) -> None:
    """Write `content` to a temporary file, sync it, and rename it to `path`. `mode` is the permission of the new file.

    Makes missing folders. A file that can be made again, such as a cache, needs not be durable: nothing is synced, and
    after a power cut it may be torn. The folder must not be reached through a link; a link at `path` itself is
    replaced. Raises OSError, and then the old file is unchanged.
    """
    make_folder(path.parent)
    with open_folder(path.parent) as folder:
        temporary = f"{path.name}.new"
        try:
            _write(folder, temporary, content, mode, is_durable=is_durable)
            os.replace(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=folder)  # the disk may be full: free the space of the partial file
            raise
        if is_durable:
            os.fsync(folder)


def _write(folder: int, name: str, content: bytes, mode: int, *, is_durable: bool) -> None:
    with suppress(FileNotFoundError):  # of a write that a power cut ended, or planted
        os.unlink(name, dir_fd=folder)
    with open(open_in(folder, name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        if is_durable:
            os.fsync(file.fileno())


def copy_file(source: Path, target: Path) -> None:
    """Write a copy of a file, durably; after a power cut `target` may be incomplete. Raises OSError."""
    with suppress(FileNotFoundError):
        target.unlink()
    with (
        os.fdopen(open_plain(source, os.O_RDONLY), "rb") as original,
        os.fdopen(open_plain(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as copy,
    ):
        shutil.copyfileobj(original, copy, COPY_BYTES)
        copy.flush()
        os.fsync(copy.fileno())


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
