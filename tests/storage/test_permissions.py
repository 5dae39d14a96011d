"""The files of the journal can be read by their owner alone: they have names and hands."""

from __future__ import annotations

import os
from pathlib import Path

from firmware_host.storage.backup import write_backup
from firmware_host.storage.journal import Journal
from firmware_host.storage.recovery import open_or_recover
from tests.golden.make_journal import turns


def modes_in(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


def test_new_files_and_folders_are_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = tmp_path / "state" / "journal.sqlite3"
        opened = open_or_recover(path)
        for turn in turns():
            opened.journal.append(turn)
        found = modes_in(path.parent)
        opened.journal.close()
    finally:
        os.umask(before)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert len(found) >= 6 and set(found.values()) == {0o600}, found


def test_files_of_an_earlier_version_become_private(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    open_or_recover(path).journal.close()
    for file in tmp_path.iterdir():
        file.chmod(0o644)
    journal = open_or_recover(path).journal
    try:
        journal.append(turns()[0])
        assert set(modes_in(tmp_path).values()) == {0o600}, modes_in(tmp_path)
    finally:
        journal.close()


def test_backup_is_private(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite3")
    journal.append(turns()[0])
    write_backup(journal, tmp_path / "backup.sqlite3")
    journal.close()
    assert (tmp_path / "backup.sqlite3").stat().st_mode & 0o777 == 0o600
