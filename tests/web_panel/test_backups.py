"""Backups by phone: the keeper downloads one, the owner uploads it in chunks and restores it."""

from __future__ import annotations

import os
import sqlite3
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from errno import ENOSPC
from pathlib import Path
from threading import Event
from threading import enumerate as enumerate_threads
from typing import NoReturn

import pytest

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import PRESETS
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.pairing.registry import Role
from firmware_host.storage import restore
from firmware_host.storage.backup import documents_in, write_backup
from firmware_host.storage.journal import Journal
from firmware_host.storage.journal_table import APPLICATION_ID
from firmware_host.storage.recovery import RecoveryReport
from firmware_host.storage.restore import OnGame
from tests.golden.make_journal import turns
from tests.web_panel.conftest import PhoneClient, Rig, json_of
from web_panel.pages import restores
from web_panel.pages.restores import CHUNK_BYTES

GOLDEN = Path(__file__).parents[1] / "golden" / "journal-1.sqlite3"
NO_BACKUP = "The file is damaged, or is not a backup of a board. Choose another copy."


def database_with(*statements: str) -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        for statement in statements:
            database.execute(statement)
        return database.serialize()


FOREIGN = database_with("CREATE TABLE recipes (name TEXT)")
NEWER = database_with(
    "CREATE TABLE journal (game)", f"PRAGMA application_id = {APPLICATION_ID}", "PRAGMA user_version = 9"
)


@pytest.fixture
def file_rig(tmp_path: Path) -> Iterator[Rig]:
    """A rig whose journal is a file, with finished games and one under way."""
    with closing(Journal.open(tmp_path / "journal.sqlite3")) as journal:
        for turn in turns():
            journal.append(turn)
    rig = Rig(is_simulated=False, journal=Journal.open(tmp_path / "journal.sqlite3"))
    rig.archive.open_reader = lambda: closing(Journal.open_readonly(tmp_path / "journal.sqlite3"))
    rig.host.execute(c.StartGame(rig.host.setup.games[0], ("Ann", "Ben")))
    rig.host.step()
    yield rig
    rig.host.stop()


def upload(owner: PhoneClient, content: bytes) -> int:
    """Upload a backup. Returns the number of chunks."""
    chunks = [content[at : at + CHUNK_BYTES] for at in range(0, len(content), CHUNK_BYTES)]
    for number, chunk in enumerate(chunks):
        answer = owner.post("/backup/chunks", {"number": number, "chunk": b64encode(chunk).decode()})
        assert answer.status_code == 204, answer.text
    return len(chunks)


def test_a_backup_is_restored_and_play_continues(file_rig: Rig) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    assert len(file_rig.archive.games()) == 3
    answer = owner.post("/backup/restore", {"chunks": upload(owner, GOLDEN.read_bytes())})
    assert answer.status_code == 204, answer.text
    assert len(file_rig.archive.games()) == 2
    file_rig.host.execute(c.StartGame(file_rig.host.setup.games[0], ("Ann", "Ben")))
    assert len(file_rig.archive.games()) == 3


def test_a_backup_has_the_merged_names(file_rig: Rig) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    file_rig.people_file.replace(lambda people: people.merge("Ann", "Annie"))
    before, content = file_rig.people_file.read(), owner.client.get("/cribboard.sqlite3").data
    file_rig.people_file.replace(lambda people: people.unmerge("Annie"))
    assert owner.post("/backup/restore", {"chunks": upload(owner, content)}).status_code == 204
    assert file_rig.people_file.read() == before
    assert owner.post("/backup/restore", {"chunks": upload(owner, GOLDEN.read_bytes())}).status_code == 204
    assert file_rig.people_file.read() == before  # a backup of an older version has no merged names


def test_a_backup_has_the_progress_of_learners(file_rig: Rig) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    file_rig.learners_file.change("Ben", lambda progress: progress.at_level(3))
    before, content = file_rig.learners_file.read(), owner.client.get("/cribboard.sqlite3").data
    file_rig.learners_file.change("Ben", lambda progress: progress.at_level(1))
    assert owner.post("/backup/restore", {"chunks": upload(owner, content)}).status_code == 204
    assert file_rig.learners_file.read() == before
    assert owner.post("/backup/restore", {"chunks": upload(owner, GOLDEN.read_bytes())}).status_code == 204
    assert file_rig.learners_file.read() == before  # a backup of an older version has no learners


def test_players_and_strangers_cannot_get_the_progress_of_others(file_rig: Rig) -> None:
    PhoneClient(file_rig).pair("Olga", Role.OWNER)
    file_rig.learners_file.change("Secretlearner", lambda progress: progress.at_level(3))
    for phone in (PhoneClient(file_rig), PhoneClient(file_rig).pair("Ben", Role.PLAYER)):
        assert phone.client.get("/cribboard.sqlite3").status_code == 403
        for path in ("/coach", "/history.json", "/players.csv", "/api/v1/me", "/api/v1/state"):
            assert "Secretlearner" not in phone.client.get(path).get_data(as_text=True)


def test_a_backup_with_damaged_learners_changes_nothing(file_rig: Rig, tmp_path: Path) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    backup = tmp_path / "damaged.sqlite3"
    with closing(Journal.open_readonly(file_rig.host.journal_path or tmp_path)) as journal:
        write_backup(journal, backup, {"learners.json": "{"}, is_last_over=False)
    answer = owner.post("/backup/restore", {"chunks": upload(owner, backup.read_bytes())})
    assert answer.status_code == 409 and "learners" in json_of(answer)["message"]
    assert len(file_rig.archive.games()) == 3


def test_a_backup_has_no_unfinished_game(file_rig: Rig, tmp_path: Path) -> None:
    keeper = PhoneClient(file_rig).pair("Ben", Role.KEEPER)
    answer = keeper.client.get("/cribboard.sqlite3")
    (tmp_path / "copy").write_bytes(answer.data)
    with closing(Journal.open_readonly(tmp_path / "copy")) as journal:
        assert journal.last_game == 2
    page = keeper.client.get("/backups").text
    assert "/cribboard.sqlite3" in page and 'id="restore"' not in page


@pytest.mark.parametrize("content", [b"no journal", GOLDEN.read_bytes()[:-5000], FOREIGN])
def test_a_damaged_backup_changes_nothing(file_rig: Rig, content: bytes) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    answer = owner.post("/backup/restore", {"chunks": upload(owner, content)})
    assert answer.status_code == 409 and "the uploaded file" in json_of(answer)["message"]
    assert json_of(answer)["kind"] == "backup_refused"
    assert json_of(answer)["localized"] == NO_BACKUP
    assert json_of(owner.client.get("/api/v1/backup/restore"))["localized"] == NO_BACKUP
    assert len(file_rig.archive.games()) == 3
    file_rig.host.execute(c.StartGame(file_rig.host.setup.games[0], ("Ann", "Ben")))


def test_a_backup_of_a_newer_version_is_refused_with_what_to_do(file_rig: Rig) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    answer = owner.post("/backup/restore", {"chunks": upload(owner, NEWER)})
    assert answer.status_code == 409 and json_of(answer)["kind"] == "backup_too_new"
    assert "Update the board first" in json_of(answer)["localized"] and len(file_rig.archive.games()) == 3


def test_a_disk_that_cannot_take_a_backup_is_no_fault_of_the_backup(
    file_rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(prepared: Path, target: Path) -> NoReturn:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(restore, "copy_file", full_disk)
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    answer = owner.post("/backup/restore", {"chunks": upload(owner, GOLDEN.read_bytes())})
    assert answer.status_code == 503 and "Check the disk" in json_of(answer)["localized"]
    assert len(file_rig.archive.games()) == 3


def test_chunks_must_arrive_in_order(file_rig: Rig) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    assert owner.post("/backup/chunks", {"number": 3, "chunk": "AAAA"}).status_code == 409
    assert owner.post("/backup/chunks", {"number": 0, "chunk": "A"}).status_code == 400
    assert owner.post("/backup/chunks", {"number": 0, "chunk": "AAAA" * CHUNK_BYTES}).status_code == 413
    upload(owner, b"x" * CHUNK_BYTES * 2)
    assert owner.post("/backup/restore", {"chunks": 3}).status_code == 409


def test_a_journal_in_memory_cannot_be_restored(rig: Rig) -> None:
    owner = PhoneClient(rig).pair("Ann", Role.OWNER)
    assert json_of(owner.post("/backup/chunks", {"number": 0, "chunk": "AAAA"}))["kind"] == "no_file"


def test_display_and_page_say_what_was_lost_in_a_damaged_journal() -> None:
    report = RecoveryReport(3, "2026-01-02T20:15:30+00:00", Path("journal.sqlite3.damaged-2026-01-03"))
    rig = Rig(recovery=report)
    assert rig.host.snapshot.prompt == "Game file repaired"
    assert (
        "Moves after 2026-01-02 20:15 UTC are lost. Damaged file: journal.sqlite3.damaged-2026-01-03."
        in rig.get("/").text
    )


def restore_files(rig: Rig) -> list[str]:
    """What an upload, or a check of one, left in the state folder."""
    folder = (rig.host.journal_path or Path()).parent
    return sorted(file.name for file in folder.iterdir() if "upload" in file.name or "prepared" in file.name)


@pytest.mark.parametrize("content", [GOLDEN.read_bytes(), b"no journal", GOLDEN.read_bytes()[:-5000]])
def test_nothing_of_an_upload_stays(file_rig: Rig, content: bytes) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    owner.post("/backup/restore", {"chunks": upload(owner, content)})
    assert restore_files(file_rig) == []


def test_a_cancelled_upload_is_deleted(file_rig: Rig) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    count = upload(owner, GOLDEN.read_bytes())
    assert json_of(owner.client.get("/api/v1/backup/restore"))["chunks"] == count
    assert owner.post("/backup/cancel", {}).status_code == 204 and restore_files(file_rig) == []
    assert owner.post("/backup/restore", {"chunks": count}).status_code == 409


def test_a_chunk_that_is_sent_again_is_taken_once(file_rig: Rig) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    content = GOLDEN.read_bytes()
    for number, at in enumerate(range(0, len(content), CHUNK_BYTES)):
        chunk = {"number": number, "chunk": b64encode(content[at : at + CHUNK_BYTES]).decode()}
        assert [owner.post("/backup/chunks", chunk).status_code for _ in range(3)] == [204, 204, 204]
    assert owner.post("/backup/restore", {"chunks": number + 1}).status_code == 204


def test_a_long_check_tells_its_progress_and_can_be_cancelled(file_rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    is_shown, is_cancelled = Event(), Event()

    def slow_check(path: Path, source: Path, on_game: OnGame) -> NoReturn:
        on_game(3, 9)
        is_shown.set()
        is_cancelled.wait(60)
        on_game(4, 9)
        raise AssertionError("cancelled before")

    monkeypatch.setattr(restore, "prepare_restore", slow_check)
    monkeypatch.setattr(restores, "ANSWER_S", 0.0)
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    answer = owner.post("/backup/restore", {"chunks": upload(owner, GOLDEN.read_bytes())})
    assert is_shown.wait(60)
    progress = json_of(owner.client.get("/api/v1/backup/restore"))
    assert answer.status_code == 202 and progress["stage"] == "checking"
    assert (progress["games"], progress["all_games"]) == (3, 9)
    assert owner.post("/backup/chunks", {"number": 0, "chunk": "AAAA"}).status_code == 409
    owner.post("/backup/cancel", {})
    is_cancelled.set()
    for thread in enumerate_threads():
        if thread.name == "restore":
            thread.join()
    assert restore_files(file_rig) == [] and len(file_rig.archive.games()) == 3
    assert json_of(owner.client.get("/api/v1/backup/restore"))["stage"] == "receiving"


@pytest.mark.parametrize("name", ["Ann\n", "A\x1b[2J", "A" * 100_000, ""])
def test_a_backup_with_names_that_nobody_can_show_is_refused(file_rig: Rig, tmp_path: Path, name: str) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    started = e.GameStarted(PRESETS["family"].rules(), (name, "Ben"), "classic-61", 2, False, (0, 0), is_demo=False)
    with closing(Journal.open(tmp_path / "crafted.sqlite3")) as journal:
        journal.append((started, e.DealBegan(Seat(0))))
    with closing(sqlite3.connect(tmp_path / "crafted.sqlite3")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    answer = owner.post("/backup/restore", {"chunks": upload(owner, (tmp_path / "crafted.sqlite3").read_bytes())})
    assert answer.status_code == 409 and "printable characters" in json_of(answer)["message"]
    assert len(answer.data) < 1000 and len(file_rig.archive.games()) == 3


@pytest.mark.parametrize("name", ["people.json", "learners.json"])
def test_damaged_documents_do_not_block_the_download(file_rig: Rig, tmp_path: Path, name: str) -> None:
    keeper = PhoneClient(file_rig).pair("Ben", Role.KEEPER)
    file_rig.people_file._path = tmp_path / "people.json"
    file_rig.learners_file._path = tmp_path / "learners.json"
    (tmp_path / name).write_bytes(b"{")
    answer = keeper.client.get("/cribboard.sqlite3")
    assert answer.status_code == 200
    (tmp_path / "copy").write_bytes(answer.data)
    assert {"people.json", "learners.json"} - set(documents_in(tmp_path / "copy")) == {name}


def test_a_backup_of_a_hundred_megabytes_has_numbers_for_its_chunks(file_rig: Rig) -> None:
    """Only the last chunks are sent: the others are a hole in the file of the upload."""
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    assert owner.post("/backup/chunks", {"number": 0, "chunk": "AAAA"}).status_code == 204
    number = 100_000_000 // CHUNK_BYTES
    os.truncate((file_rig.host.journal_path or Path()).with_name("upload.sqlite3"), number * CHUNK_BYTES)
    assert owner.post("/backup/chunks", {"number": number, "chunk": "AAAA"}).status_code == 204
    answer = owner.post("/backup/restore", {"chunks": number + 1})
    assert answer.status_code == 409 and "name another copy" in json_of(answer)["message"]
