"""Replaces a file atomically: after a power cut at any moment the old or the new content is there, complete.

A rename is durable only when its folder is synced, and so is a new folder.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
"""Permissions of new files and folders, for the owner alone: the files of a board have names, hands and tokens."""


def replace_file(path: Path, content: bytes, mode: int = FILE_MODE) -> None:
    """Write `content` to a temporary file, sync it, and rename it to `path`. `mode` is the permission of the new file.

    Makes missing folders. The file belongs to the owner of its folder, even if root writes it: `sudo cribboard ..` must
    not lock the service out. Raises OSError, and then the old file is unchanged.
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
        if os.geteuid() == 0:
            owner = path.parent.stat()
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
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
