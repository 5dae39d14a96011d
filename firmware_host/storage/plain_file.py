"""Opens the files of the state folder: regular files only, and none that a link leads to.

Whoever can write to that folder could plant a link to a file elsewhere, or a pipe that never ends. So each folder of a
path is opened in the one before it (openat), no link is followed at any place, and what is opened must be a regular
file. Paths have no link of their own: the settings resolve the state folder once, and callers resolve other paths.

SQLite opens its files itself: `check_plain` comes before. SQLite follows no link to its logs (O_NOFOLLOW).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EFBIG, EINVAL, ELOOP, ENOTDIR
from pathlib import Path
from stat import S_ISLNK, S_ISREG

FILE_MODE = 0o600
FOLDER_MODE = 0o700
"""Permissions of new files and folders, for the owner alone: the files of a board have names, hands and tokens."""

_NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC


class NotPlain(OSError):
    """There is a link, a pipe, a folder or a device where a file should be."""


class TooLarge(OSError):
    """A file has more bytes than it can have: its length is damaged."""


def open_plain(path: Path | str, flags: int, mode: int = FILE_MODE) -> int:
    """The descriptor of a regular file; can be the `opener` of `open`. Raises NotPlain and other OSErrors."""
    path = Path(path)
    with open_folder(path.parent, os.O_PATH) as folder:
        return open_in(folder, path.name, flags, mode)


def open_in(folder: int, name: str, flags: int, mode: int = FILE_MODE) -> int:
    """The descriptor of a regular file in a folder that is open. Raises NotPlain and other OSErrors."""
    try:
        # Not blocking: the other end of a pipe may never come. Regular files do not care.
        descriptor = os.open(name, flags | _NO_LINK | os.O_NONBLOCK, mode, dir_fd=folder)
    except OSError as fault:
        raise _plain_fault(fault, name) from fault
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotPlain(EINVAL, "no regular file", name)
    return descriptor


@contextmanager
def open_folder(folder: Path, flags: int = os.O_RDONLY) -> Iterator[int]:
    """The descriptor of a folder, for the time of a block. Raises NotPlain for a link in its path, and OSError."""
    first, *names = folder.absolute().parts
    descriptor = os.open(first, os.O_PATH | os.O_DIRECTORY | _NO_LINK if names else flags | os.O_DIRECTORY)
    try:
        for place, name in enumerate(names, start=1):
            kind = flags if place == len(names) else os.O_PATH
            before = descriptor
            descriptor = _step_into(before, name, kind)
            os.close(before)
        yield descriptor
    finally:
        os.close(descriptor)


def _step_into(folder: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags | os.O_DIRECTORY | _NO_LINK, dir_fd=folder)
    except OSError as fault:
        if fault.errno == ENOTDIR and S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise NotPlain(ELOOP, "a link", name) from fault
        raise


def _plain_fault(fault: OSError, name: str) -> OSError:
    return NotPlain(ELOOP, "a link", name) if fault.errno == ELOOP else fault


def read_file(path: Path, most_bytes: int | None = None) -> bytes:
    """The content of a file. Raises NotPlain, TooLarge for more than `most_bytes`, and other OSErrors."""
    with open(open_plain(path, os.O_RDONLY), "rb") as file:
        if most_bytes is not None and os.fstat(file.fileno()).st_size > most_bytes:
            raise TooLarge(EFBIG, "too large", str(path))
        return file.read()


def check_plain(path: Path) -> None:
    """Raises NotPlain if there is something at `path` that is no regular file; a file may be missing."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return  # whoever opens it raises
    if S_ISLNK(mode):
        raise NotPlain(ELOOP, "a link", str(path))
    if not S_ISREG(mode):
        raise NotPlain(EINVAL, "no regular file", str(path))
