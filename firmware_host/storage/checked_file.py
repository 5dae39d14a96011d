"""Small files with a check and a copy: phones, merged names, learners, wiring, card tags, accounts, changed settings,
the settings of the latest start, the progress of the set-up, the brokers that keep messages of the board, the authority
that phones trust.

| file | content |
|---|---|
| `NAME` | the text; its end has the check, the CRC-32 of all before it |
| `NAME.copy` | the same, written after it |
| `STEM.aside-DATE.SUFFIX` | a damaged file; the program never deletes it |

In JSON the check is the last field, `"check": "0a1b2c3d"`; in TOML and PEM the last line, a comment. Programs that do
not know it skip both. A file without a check is one of an earlier version, or was written by hand: then it has to be
readable, and no more. Who edits a file by hand removes the check, or the copy is used.

| found | used |
|---|---|
| the file is as it was written | the file |
| it has no check, and can be read | the file |
| it is damaged, empty, too long, or a link | the copy, which is logged; the file is written again |
| it was deleted | nothing, as if there had never been one: people delete files to begin anew |
| file and copy are damaged | the reader raises; a start moves both aside, logs it and begins without (`prepare_file`) |

One flipped bit in the file is found by the check or leaves the content alone, and then the copy is intact.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.storage.atomic_file import replace_file, sync_folder
from firmware_host.storage.plain_file import FILE_MODE, NotPlain, TooLarge, read_file

log = logging.getLogger(__name__)

T = TypeVar("T")

UNREADABLE = (HostError, Refusal, ValueError, RecursionError)
"""What a parser may raise for a content that is none of its kind."""

MOST_BYTES = 16 * 1024 * 1024
"""Of a small file: a hundred times the largest. A longer one has a damaged length, and could fill the memory."""

_JSON_END = re.compile(rb',\n "check": "([0-9a-f]{8})"\n}\n?\Z')
_COMMENT_END = re.compile(rb"# check ([0-9a-f]{8})\n?\Z")


class NewerFormat(HostError):
    """A newer program wrote the file. It is not damaged, and nothing may begin without it."""


class Damaged(ValueError):
    """The content is not what was written."""


def copy_of(path: Path) -> Path:
    """The copy of a file: `phones.json` -> `phones.json.copy`."""
    return path.with_name(f"{path.name}.copy")


def sealed(path: Path, content: bytes) -> bytes:
    """The content with its check: a JSON object, or TOML or PEM in a file of that suffix."""
    if _has_comments(path):
        return content + b"# check %08x\n" % crc32(content)
    body = content.rstrip().removesuffix(b"}").rstrip()
    return body + b',\n "check": "%08x"\n}\n' % crc32(body)


def unsealed(path: Path, content: bytes) -> tuple[bytes, bool]:
    """The content without its check, and whether it had one. Raises Damaged."""
    found = (_COMMENT_END if _has_comments(path) else _JSON_END).search(content)
    if not found:
        return content, False
    body = content[: found.start()]
    if crc32(body) != int(found[1], 16):
        raise Damaged("expected the content as it was written, got a changed one")
    return (body if _has_comments(path) else body + b"\n}\n"), True


def _has_comments(path: Path) -> bool:
    return not {".toml", ".pem"}.isdisjoint(path.suffixes)


def read_checked(path: Path, parse: Callable[[str], T]) -> T:
    """What `parse` makes of the text of a file, or of its copy. Raises FileNotFoundError, other OSErrors, and what
    `parse` raises for the file: one of UNREADABLE."""
    try:
        return parse(_text_of(path))
    except (FileNotFoundError, PermissionError, NewerFormat):
        raise
    except (OSError, *UNREADABLE) as damage:
        try:
            found = parse(_text_of(copy_of(path)))
        except (OSError, *UNREADABLE):
            raise damage from None
        log.error("%s is damaged (%s); its copy is used, and the file is kept as %s", path, damage, _heal(path))
        return found


def _heal(path: Path) -> Path:
    """Write the file again from its copy. Returns where the damaged one is kept: somebody may have edited it."""
    aside = aside_path(path)
    with suppress(OSError):  # a disk that cannot be written: the next reader uses the copy again
        with suppress(NotPlain, TooLarge):
            replace_file(aside, _content_of(path))
        replace_file(path, _content_of(copy_of(path)))
    return aside


def aside_path(path: Path) -> Path:
    """Where a file is kept that is damaged, or replaced: `people.json` -> `people.aside-DATE.json`."""
    return path.with_name(f"{path.stem}.aside-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}{path.suffix}")


def _text_of(path: Path) -> str:
    content, _ = unsealed(path, _content_of(path))
    return content.decode()


def _content_of(path: Path) -> bytes:
    return read_file(path, MOST_BYTES)


def write_checked(path: Path, content: bytes, mode: int = FILE_MODE) -> None:
    """Replace a file, then its copy, each atomically. Raises OSError; then the file is unchanged, or its copy is an
    older one."""
    content = sealed(path, content)
    replace_file(path, content, mode)
    replace_file(copy_of(path), content, mode)


def prepare_file(path: Path, parse: Callable[[str], object]) -> None:
    """Prepare a file at the start of a program: give one of an earlier version its check and copy, and move one aside
    that cannot be used.

    Raises NewerFormat, and PermissionError for a file that this user cannot read. Other errors of the disk are logged.
    """
    try:
        keep_copy(path, parse)
    except UNREADABLE as damage:
        if isinstance(damage, NewerFormat):
            raise
        _set_aside(path, damage)


def keep_copy(path: Path, parse: Callable[[str], object]) -> None:
    """As `prepare_file`, but a file that cannot be used stays where it is, and what `parse` raises for it is raised."""
    try:
        read_checked(path, parse)
        content, has_check = unsealed(path, _content_of(path))
        if not has_check:
            write_checked(path, content)
        elif not _has_copy(path):
            replace_file(copy_of(path), _content_of(path))
    except FileNotFoundError:
        return
    except PermissionError:
        raise
    except OSError as fault:
        log.warning("%s: no copy is kept: %s", path, fault)


def _has_copy(path: Path) -> bool:
    with suppress(OSError):
        return _content_of(copy_of(path)) == _content_of(path)
    return False


def _set_aside(path: Path, damage: Exception) -> None:
    aside = aside_path(path)
    try:
        path.rename(aside)
        with suppress(FileNotFoundError):
            copy_of(path).rename(copy_of(aside))
        sync_folder(path.parent)
    except OSError as fault:
        log.error("%s is damaged (%s), and cannot be moved: %s", path, damage, fault)
    else:
        log.error("%s and its copy are damaged (%s); the program begins without, and keeps %s", path, damage, aside)
