"""Nothing in the state folder leads the program out of it: no link and no pipe, at any place of a path."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from firmware_host.club_server.store import ClubFile, ClubFileError
from firmware_host.config.board_plans import load_plan
from firmware_host.config.card_tags import CardTags
from firmware_host.config.wiring_store import save_wiring, with_saved_wiring
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.host.parts.wizard_store import load_wizard, save_wizard
from firmware_host.host.trace_log import TraceLog
from firmware_host.pairing.registry import PhoneRegistry, prepare_phones
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.atomic_file import replace_file
from firmware_host.storage.journal import JournalError
from firmware_host.storage.plain_file import NotPlain, open_plain, read_file
from firmware_host.storage.recovery import open_or_recover
from firmware_host.ui.wizard.wizard import Wizard
from tests.golden.make_journal import turns

SECRET = b"root:x:0:0"
PLAN = load_plan("classic-61")
JOURNAL_FILES = (
    *("journal.sqlite3", "journal.sqlite3-wal", "journal.sqlite3-shm", "journal.sqlite3.lock", "journal.sqlite3.mark"),
    *("journal.spare.sqlite3", "journal.restored.sqlite3", "journal.restored.sqlite3.building"),
)
SMALL_FILES = ("phones.json", "people.json", "learners.json", "deck.json", "classic-61.wiring.json", "wizard.json")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


def play(state: Path) -> None:
    """Open and write the journal as a board does."""
    with closing(open_or_recover(state / "journal.sqlite3").journal) as journal:
        for turn in turns()[:3]:
            journal.append(turn)


def use_small_files(state: Path) -> None:
    """Read and write every small file as a board does."""
    steps = Wizard().steps
    work: list[Callable[[], object]] = [
        lambda: prepare_phones(state / "phones.json"),
        lambda: PhoneRegistry(state / "phones.json").add_phone("Ann"),
        lambda: PeopleFile(state / "people.json").replace(lambda people: people.merge("Ann", "Annie")),
        lambda: LearnersFile(state / "learners.json").change("Ann", lambda progress: progress.at_level(2)),
        lambda: CardTags(state / "deck.json").assign("04A1", parse_card("5H")),
        lambda: with_saved_wiring(PLAN, state),
        lambda: save_wiring(state, PLAN, PLAN),
        lambda: load_wizard(state / "wizard.json", PLAN, steps),
        lambda: save_wizard(state / "wizard.json", PLAN, Wizard()),
        lambda: write_trace(state),
    ]
    for each in work:
        with suppress(HostError, Refusal):
            each()


def write_trace(state: Path) -> None:
    trace = TraceLog(state)
    trace.start("classic-61", 2, 121)
    trace.close()


@pytest.mark.parametrize("name", JOURNAL_FILES)
def test_a_planted_link_changes_no_file_elsewhere(state: Path, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(SECRET)
    elsewhere.chmod(0o644)
    (state / name).symlink_to(elsewhere)
    with suppress(JournalError):
        play(state)
    assert elsewhere.read_bytes() == SECRET and elsewhere.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("suffix", ["", ".new", ".copy", ".copy.new"])
def test_planted_links_of_small_files_change_no_file_elsewhere(state: Path, tmp_path: Path, suffix: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(SECRET)
    for name in (*SMALL_FILES, "pegs.trace.jsonl"):
        (state / f"{name}{suffix}").symlink_to(elsewhere)
    use_small_files(state)
    use_small_files(state)
    assert elsewhere.read_bytes() == SECRET
    assert not any(SECRET in file.read_bytes() for file in state.iterdir() if not file.is_symlink())


@pytest.mark.parametrize("name", JOURNAL_FILES)
def test_a_planted_link_makes_no_file_elsewhere(state: Path, tmp_path: Path, name: str) -> None:
    (state / name).symlink_to(tmp_path / "new")
    with suppress(JournalError):
        play(state)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", JOURNAL_FILES)
def test_a_pipe_is_refused_and_not_waited_for(state: Path, name: str) -> None:
    os.mkfifo(state / name)
    with suppress(JournalError):
        play(state)


@pytest.mark.parametrize("name", ["journal.sqlite3", "journal.sqlite3.lock"])
def test_a_pipe_as_the_journal_or_its_lock_is_refused_with_what_to_do(state: Path, name: str) -> None:
    os.mkfifo(state / name)
    with pytest.raises(JournalError, match=f"{name}: expected a file of its own, got no regular file; move it away"):
        play(state)


@pytest.mark.parametrize("suffix", ["-wal", "-shm", ".lock-journal"])
def test_a_link_in_place_of_a_file_of_sqlite_is_named_with_what_to_do(state: Path, tmp_path: Path, suffix: str) -> None:
    play(state)
    link = state / f"journal.sqlite3{suffix}"
    link.unlink(missing_ok=True)
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalError, match=f"{link.name}: expected a file of its own, got a link; move it away"):
        play(state)
    link.unlink()
    play(state)


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_link_in_place_of_a_file_of_the_club_is_named(state: Path, tmp_path: Path, suffix: str) -> None:
    link = state / f"club.sqlite3{suffix}"
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ClubFileError, match=f"{link.name}: expected a file of its own, got a link; move it away"):
        ClubFile.open(state / "club.sqlite3")


@pytest.mark.parametrize("suffix", ["", ".new", ".copy"])
def test_pipes_in_place_of_small_files_are_not_waited_for(state: Path, suffix: str) -> None:
    for name in (*SMALL_FILES, "pegs.trace.jsonl"):
        os.mkfifo(state / f"{name}{suffix}")
    use_small_files(state)


def test_a_linked_folder_is_not_written_to(state: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "tls").mkdir(parents=True)
    (elsewhere / "tls" / "key.pem").write_bytes(SECRET)
    (state / "https").symlink_to(elsewhere)
    with pytest.raises(NotPlain):
        replace_file(state / "https" / "tls" / "board.pem", b"")
    with pytest.raises(NotPlain):
        read_file(state / "https" / "tls" / "key.pem")
    assert [file.name for file in (elsewhere / "tls").iterdir()] == ["key.pem"]


@pytest.mark.parametrize("kind", ["folder", "device"])
def test_only_regular_files_are_opened(tmp_path: Path, kind: str) -> None:
    with pytest.raises(OSError):
        open_plain(tmp_path if kind == "folder" else Path("/dev/zero"), os.O_RDONLY)
