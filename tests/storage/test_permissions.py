"""The files of a board can be read by their owner alone: they have names, hands and tokens."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_host.config.board_plans import load_plan
from firmware_host.config.card_tags import CardTags
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.config.settings_sources import Sources
from firmware_host.config.wiring_store import save_wiring
from firmware_host.cribbage.cards import parse_card
from firmware_host.host.parts.wizard_store import save_wizard
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.backup import write_backup
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.plain_file import FILE_MODE, NotPlain
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.sqlite_file import create_file
from firmware_host.ui.wizard.wizard import Wizard
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


def change_settings(folder: Path) -> None:
    sources = Sources(folder / "cribboard.toml", {"HOME": str(folder)}, {}, is_needed=False)
    SettingsEditor(sources, sources.load(), lambda settings: None).change({"port": 8100})


WRITERS: dict[str, Callable[[Path], object]] = {
    "settings": change_settings,
    "card tags": lambda folder: CardTags(folder / "deck.json").assign("04A1", parse_card("5H")),
    "wiring": lambda folder: save_wiring(folder, load_plan("classic-61"), load_plan("classic-61")),
    "wizard": lambda folder: save_wizard(folder / "wizard.json", load_plan("classic-61"), Wizard()),
    "phones": lambda folder: PhoneRegistry(folder / "phones.json").add_phone("Ann"),
    "merged names": lambda folder: PeopleFile(folder / "people.json").replace(lambda old: old.merge("Ann", "Annie")),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_other_new_files_are_private(tmp_path: Path, write: Callable[[Path], object]) -> None:
    before = os.umask(0)
    try:
        write(tmp_path)
    finally:
        os.umask(before)
    assert set(modes_in(tmp_path).values()) == {0o600}, modes_in(tmp_path)


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


def test_a_link_in_the_state_folder_changes_no_file_elsewhere(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("root:x:0:0")
    elsewhere.chmod(0o644)
    (tmp_path / "state").mkdir()
    for name in ("journal.sqlite3", "journal.spare.sqlite3", "journal.sqlite3.lock"):
        (tmp_path / "state" / name).symlink_to(elsewhere)
    with suppress(JournalError):
        open_or_recover(tmp_path / "state/journal.sqlite3").journal.close()
    assert elsewhere.stat().st_mode & 0o777 == 0o644 and elsewhere.read_text() == "root:x:0:0"


def test_two_processes_can_create_a_file_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one creates it between the look and the creation; what it planted instead of a file is found."""
    file, link = tmp_path / "journal.sqlite3", tmp_path / "link.sqlite3"
    file.touch(FILE_MODE)
    link.symlink_to(file)
    monkeypatch.setattr(Path, "exists", lambda path: False)
    create_file(file)
    with pytest.raises(NotPlain):
        create_file(link)


@pytest.mark.parametrize(
    "flags, message", [(os.ST_RDONLY, "Read-only file system; check the disk"), (0, "Permission denied; name another")]
)
def test_a_read_only_disk_is_told_from_wrong_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: int, message: str
) -> None:
    path = tmp_path / "journal.sqlite3"
    open_or_recover(path).journal.close()
    monkeypatch.setattr(os, "access", lambda file, mode: False)
    monkeypatch.setattr(os, "statvfs", lambda file: SimpleNamespace(f_flag=flags))
    with pytest.raises(JournalError, match=message):
        open_or_recover(path)
