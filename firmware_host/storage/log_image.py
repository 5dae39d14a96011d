"""The bytes of a corrupt journal as a database in memory, for what SQLite itself refuses to read.

SQLite refuses a truncated file as a whole, and replays a write-ahead log only up to the first damage. Here the header
is repaired, or the whole first page, a missing end is filled with zeros, and the frames of the log are applied
regardless of their checksums. What is wrong in the result is found by the seals of the rows.

Write-ahead log (sqlite.org/fileformat.html, section 4): a header of 32 bytes with two salts at byte 16, then frames of
24 bytes and a page: page number, database size in pages if the frame ends a transaction (else 0), the two salts,
checksums. Frames of an earlier log may follow; their salts differ.
"""

from __future__ import annotations

import sqlite3

from firmware_host.storage.journal_table import PAGE_BYTES, first_page
from firmware_host.storage.sqlite_file import RECOVERY_HINT, JournalCorrupt, closed_on_error, connect

_PAGE_SIZE = slice(16, 18)
_MODES = slice(18, 20)
_PAGE_COUNT = slice(28, 32)
_SCHEMA_FORMAT = slice(44, 48)
_ENCODING = slice(56, 60)
"""Fields of the header of a SQLite file (sqlite.org/fileformat.html, section 1.3)."""
MAX_PADDING_BYTES = 64 * 1024 * 1024
"""Limit of the zeros that replace a missing end: the page count in a corrupt header can be anything."""

_PAGE_SIZES = (PAGE_BYTES, 4096)
"""Of the journals that this program made; 4096 is SQLite's own."""
_INDEX_PAGES = (b"\2", b"\n")
"""First byte of a page of a table without row ids: interior or leaf (section 1.6). The table begins on page 2."""

_LOG_HEADER = 32
_FRAME_HEADER = 24
_LOG_SALTS = slice(16, 24)
_FRAME_SALTS = slice(8, 16)


def open_image(content: bytes, log: bytes = b"", *, with_first_page: bool = False) -> sqlite3.Connection:
    """A database in memory of these bytes, with the frames of `log` applied. `with_first_page`: its first page is that
    of a new journal, because the definition of the table is damaged. Raises sqlite3.Error, and JournalCorrupt where the
    second page cannot be that of the table."""
    image = bytearray(content)
    apply_log(image, log)
    if with_first_page:
        _replace_first_page(image)
    image[_MODES] = b"\1\1"  # rollback journal: there is no log any more
    image[_SCHEMA_FORMAT], image[_ENCODING] = (4).to_bytes(4, "big"), (1).to_bytes(4, "big")  # as in every journal
    stated_bytes = _page_bytes(image) * int.from_bytes(image[_PAGE_COUNT], "big")
    image.extend(bytes(min(max(0, stated_bytes - len(image)), MAX_PADDING_BYTES)))
    with closed_on_error(connect(":memory:")) as database:
        database.deserialize(bytes(image))
        return database


def _replace_first_page(image: bytearray) -> None:
    page_bytes = next((size for size in _PAGE_SIZES if image[size : size + 1] in _INDEX_PAGES), 0)
    if not page_bytes:
        raise JournalCorrupt("a page of the table", "something else", "the second page", RECOVERY_HINT)
    image[:page_bytes] = first_page(page_bytes)
    image[_PAGE_COUNT] = (-(-len(image) // page_bytes)).to_bytes(4, "big")


def apply_log(image: bytearray, log: bytes) -> None:
    """Write the pages of all transactions that were complete over the image, the latest last."""
    page_bytes = _page_bytes(image)
    frame_bytes = _FRAME_HEADER + page_bytes
    frames = [log[at : at + frame_bytes] for at in range(_LOG_HEADER, len(log) - frame_bytes + 1, frame_bytes)]
    for frame in frames[: _complete_frames(frames, log[_LOG_SALTS])]:
        at = (int.from_bytes(frame[:4], "big") - 1) * page_bytes
        if 0 <= at <= len(image) + MAX_PADDING_BYTES:
            image.extend(bytes(max(0, at + page_bytes - len(image))))
            image[at : at + page_bytes] = frame[_FRAME_HEADER:]


def _complete_frames(frames: list[bytes], salts: bytes) -> int:
    """How many frames belong to this log, up to its last complete transaction. One whose salts are damaged, between
    others, belongs to it too."""
    if frames and not any(frame[_FRAME_SALTS] == salts for frame in frames):  # the damage is in the log's header
        salts = frames[0][_FRAME_SALTS]
    ends = [
        number
        for number, frame in enumerate(frames, 1)
        if frame[_FRAME_SALTS] == salts and int.from_bytes(frame[4:8], "big")
    ]
    return max(ends, default=0)


def _page_bytes(image: bytes | bytearray) -> int:
    """The page size in the header; the usual one where the header cannot be right."""
    stated = int.from_bytes(image[_PAGE_SIZE], "big")
    return stated if stated >= 512 and stated & (stated - 1) == 0 else PAGE_BYTES
