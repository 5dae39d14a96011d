"""Backups by phone: the keeper downloads one, the owner uploads it in chunks and restores it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.game import commands as c
from firmware_host.pairing.registry import Role
from firmware_host.storage.backup import write_backup
from firmware_host.storage.journal import Journal
from firmware_host.storage.recovery import RecoveryReport
from tests.golden.make_journal import turns
from tests.web_panel.conftest import PhoneClient, Rig, json_of
from web_panel.pages.backups import CHUNK_BYTES

GOLDEN = Path(__file__).parents[1] / "golden" / "journal-1.sqlite3"


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
    assert answer.status_code == 503 and "learners" in json_of(answer)["detail"]
    assert len(file_rig.archive.games()) == 3


def test_a_backup_has_no_unfinished_game(file_rig: Rig, tmp_path: Path) -> None:
    keeper = PhoneClient(file_rig).pair("Ben", Role.KEEPER)
    answer = keeper.client.get("/cribboard.sqlite3")
    (tmp_path / "copy").write_bytes(answer.data)
    with closing(Journal.open_readonly(tmp_path / "copy")) as journal:
        assert journal.last_game == 2
    page = keeper.client.get("/backups").text
    assert "/cribboard.sqlite3" in page and 'id="restore"' not in page


@pytest.mark.parametrize("content", [b"no journal", GOLDEN.read_bytes()[:-5000]])
def test_a_damaged_backup_changes_nothing(file_rig: Rig, content: bytes) -> None:
    owner = PhoneClient(file_rig).pair("Ann", Role.OWNER)
    answer = owner.post("/backup/restore", {"chunks": upload(owner, content)})
    assert answer.status_code == 503 and "name another copy" in json_of(answer)["detail"]
    assert len(file_rig.archive.games()) == 3
    file_rig.host.execute(c.StartGame(file_rig.host.setup.games[0], ("Ann", "Ben")))


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
