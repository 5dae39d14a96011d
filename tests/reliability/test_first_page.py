"""The first page of the journal has its header and the definition of its table. One flipped bit there loses no row of
the game that is on, although the replica does not have it yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.storage.journal import Journal
from firmware_host.storage.journal_table import PAGE_BYTES, Row
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.replica import replica_path
from tests.golden.make_journal import turns
from tests.reliability.test_corruption import rows_in
from tests.reliability.test_flipped_files import flipped

SAMPLED = 331
"""A prime: see test_flipped_files."""
LAST = 40
"""Turns of the game that is on."""


def begun_journal(path: Path) -> list[Row]:
    """A game that is won, and one that is on, which the replica does not have."""
    with closing(open_or_recover(path).journal) as journal:
        for turn in turns()[:LAST]:
            journal.append(turn)
    replica_path(path).unlink()
    return rows_in(path)


def lost(path: Path, step: int) -> Iterator[int]:
    """The bits of the first page that lose a row, or refuse the start."""
    rows = begun_journal(path)
    content = path.read_bytes()
    for bit in range(0, 8 * PAGE_BYTES, step):
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(flipped(content, bit))
        open_or_recover(path).journal.close()
        if rows_in(path) != rows:
            yield bit


def test_a_flipped_bit_of_the_first_page_loses_no_row(tmp_path: Path) -> None:
    assert list(lost(tmp_path / "state" / "journal.sqlite3", SAMPLED)) == []


@pytest.mark.slow
def test_no_flipped_bit_of_the_first_page_loses_a_row(tmp_path: Path) -> None:
    assert list(lost(tmp_path / "state" / "journal.sqlite3", 13)) == []


@pytest.mark.parametrize("offset", [60, 63, 68, 71])
def test_a_flipped_number_of_the_format_or_the_program_does_not_refuse_the_start(tmp_path: Path, offset: int) -> None:
    path = tmp_path / "state" / "journal.sqlite3"
    rows = begun_journal(path)
    path.write_bytes(flipped(path.read_bytes(), 8 * offset))
    opened = open_or_recover(path)
    opened.journal.close()
    assert opened.loss and rows_in(path) == rows
    with closing(Journal.open_readonly(path)) as journal:
        assert len(journal.current_game()) > 0
