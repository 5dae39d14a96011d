"""A backup of the organiser's computer: complete, checked before it replaces anything, never over a club in use."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree
from zipfile import ZipFile

import pytest

from firmware_host.cli.club_backup import CHECKS
from firmware_host.cli.club_broker import own_certificate
from firmware_host.club import decide as d
from firmware_host.club_server.accounts import AccountRole, Accounts
from firmware_host.club_server.backup import CLUB, FILES, BackupError, restore_club, write_club_backup
from firmware_host.club_server.store import ClubFile, ClubFileError, open_club
from firmware_host.config.settings import Settings
from firmware_host.errors import HostError
from firmware_host.https.certificate import CertificateFiles
from firmware_host.telemetry.local_broker import LocalBroker


def add(file: ClubFile, *names: str) -> None:
    for name in names:
        file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> CertificateFiles:
    """Of a broker. They are made by another process, which takes a while."""
    renewal = own_certificate(Settings(state_folder=tmp_path_factory.mktemp("organiser")))
    renewal.open()
    return renewal.files


@pytest.fixture
def settings(tmp_path: Path, certificates: CertificateFiles) -> Iterator[Settings]:
    """An organiser's computer with two members, an account, and a broker that knows one board."""
    settings = Settings(state_folder=tmp_path / "state")
    copytree(certificates.folder, own_certificate(settings).files.folder)
    with open_club(settings.club) as file:
        add(file, "Ann", "Bob")
    Accounts(settings.club_accounts).set("Sue", AccountRole.ORGANISER, "long enough")
    broker = LocalBroker(settings.club_broker, certificate=own_certificate(settings))
    broker.add_board("table-1")
    broker.club_access()
    own_certificate(settings).open()
    yield settings


@pytest.fixture
def backup(settings: Settings, tmp_path: Path) -> Path:
    write_club_backup(settings.state_folder, tmp_path / "club.zip")
    return tmp_path / "club.zip"


def names_in(folder: Path) -> list[str]:
    with open_club(folder / CLUB) as file:
        return [member.name for member in file.club.current_members]


def test_another_computer_becomes_the_club(backup: Path, settings: Settings, tmp_path: Path) -> None:
    other = Settings(state_folder=tmp_path / "other")
    club, aside = restore_club(other.state_folder, backup, CHECKS)
    assert names_in(other.state_folder) == ["Ann", "Bob"] and len(club.members) == 2 and aside == ()
    assert Accounts(other.club_accounts).check("Sue", "long enough")
    assert LocalBroker(other.club_broker).boards == ("table-1",)
    authorities = [own_certificate(each).files.authority_certificate for each in (settings, other)]
    assert authorities[0] == authorities[1]
    for name in FILES:
        assert (other.state_folder / name).stat().st_mode & 0o077 == 0


def test_a_backup_of_a_club_without_accounts_and_broker_is_its_file_alone(tmp_path: Path) -> None:
    with open_club(tmp_path / "state" / CLUB) as file:
        add(file, "Ann")
        write_club_backup(tmp_path / "state", tmp_path / "club.zip")  # while it is open
    with ZipFile(tmp_path / "club.zip") as archive:
        assert archive.namelist() == [CLUB]


def test_the_present_files_are_kept(backup: Path, settings: Settings) -> None:
    with open_club(settings.club) as file:
        add(file, "Cat")
    LocalBroker(settings.club_broker).add_board("table-2")
    _, aside = restore_club(settings.state_folder, backup, CHECKS)
    assert names_in(settings.state_folder) == ["Ann", "Bob"]
    kept = next(path for path in aside if path.name.startswith("club.aside-"))
    with closing(ClubFile.open(kept)) as file:
        assert [member.name for member in file.club.current_members] == ["Ann", "Bob", "Cat"]
    assert len(aside) == len(FILES) and LocalBroker(settings.club_broker).boards == ("table-1",)


def test_two_restores_in_a_second_keep_the_files_of_both(backup: Path, settings: Settings) -> None:
    kept = [file for _ in range(3) for file in restore_club(settings.state_folder, backup, CHECKS)[1]]
    assert len(set(kept)) == 3 * len(FILES) and all(file.exists() for file in kept)


def test_a_club_in_use_is_not_replaced(backup: Path, settings: Settings) -> None:
    with open_club(settings.club) as file:
        with pytest.raises(ClubFileError, match="end the other one"):
            restore_club(settings.state_folder, backup, CHECKS)
        add(file, "Cat")
    assert names_in(settings.state_folder) == ["Ann", "Bob", "Cat"]


def test_a_damaged_present_club_is_no_obstacle(backup: Path, settings: Settings) -> None:
    settings.club.write_bytes(b"not a database" * 100)
    restore_club(settings.state_folder, backup, CHECKS)
    assert names_in(settings.state_folder) == ["Ann", "Bob"]


def repacked(backup: Path, **changes: bytes | None) -> Path:
    """The backup with some files changed, or left out."""
    target = backup.with_name("changed.zip")
    with ZipFile(backup) as old, ZipFile(target, "w") as new:
        for name in {*old.namelist(), *changes}:
            content = changes.get(name, old.read(name) if name in old.namelist() else None)
            if content is not None:
                new.writestr(name, content)
    return target


def damaged(club: bytes, tmp_path: Path) -> bytes:
    """The file with another name in an event, and its old seal."""
    copy = tmp_path / "damaged.sqlite3"
    copy.write_bytes(club)
    with closing(sqlite3.connect(copy)) as database, database:
        database.execute("DROP TRIGGER event_is_never_changed")
        database.execute("UPDATE event SET body = replace(body, 'Bob', 'Rob')")
    return copy.read_bytes()


@pytest.mark.parametrize(
    "name",
    ["club-accounts.json", "club-broker/passwords", "club-broker/tls/authority.pem", "club-broker/tls/board.pem"],
)
def test_a_file_that_its_program_cannot_read_replaces_nothing(backup: Path, settings: Settings, name: str) -> None:
    before = {each: (settings.state_folder / each).read_bytes() for each in FILES}
    with pytest.raises(HostError):
        restore_club(settings.state_folder, repacked(backup, **{name: b"\xff\xfe:"}), CHECKS)
    assert {each: (settings.state_folder / each).read_bytes() for each in FILES} == before


@pytest.mark.parametrize("fault", ["changed event", "no club", "other name", "path", "no archive", "missing"])
def test_what_is_no_backup_of_a_club_replaces_nothing(
    backup: Path, settings: Settings, tmp_path: Path, fault: str
) -> None:
    with ZipFile(backup) as archive:
        club = archive.read(CLUB)
    sources = {
        "changed event": lambda: repacked(backup, **{CLUB: damaged(club, tmp_path)}),
        "no club": lambda: repacked(backup, **{CLUB: None}),
        "other name": lambda: repacked(backup, **{"journal.sqlite3": b"x"}),
        "path": lambda: repacked(backup, **{"../club.sqlite3": b"x"}),
        "no archive": lambda: settings.club_accounts,
        "missing": lambda: tmp_path / "nowhere.zip",
    }
    with pytest.raises((BackupError, ClubFileError)):
        restore_club(settings.state_folder, sources[fault](), CHECKS)
    assert names_in(settings.state_folder) == ["Ann", "Bob"]
    assert not list(settings.state_folder.glob(".club-restore-*")) and not list(settings.state_folder.glob("*aside*"))


def test_an_existing_file_is_not_overwritten(backup: Path, settings: Settings) -> None:
    with pytest.raises(BackupError, match="existing"):
        write_club_backup(settings.state_folder, backup)


def test_without_a_club_there_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(ClubFileError):
        write_club_backup(tmp_path, tmp_path / "club.zip")
    assert not (tmp_path / "club.zip").exists()


@pytest.mark.parametrize("name", [CLUB, "club-accounts.json"])
def test_a_pipe_or_a_link_comes_into_no_backup(settings: Settings, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (settings.state_folder / name).rename(elsewhere)
    for plant in (os.mkfifo, lambda file: file.symlink_to(elsewhere)):
        plant(settings.state_folder / name)
        with pytest.raises(HostError):
            write_club_backup(settings.state_folder, tmp_path / "club.zip")
        assert not (tmp_path / "club.zip").exists()
        (settings.state_folder / name).unlink()
