"""The journal between the turns: a game that waits for the disk, and past games that are checked while nobody plays."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.game.commands import CorrectScore
from firmware_host.host.health import STORAGE
from firmware_host.host.parts.active_faults import ActiveFaults
from firmware_host.host.parts.journal_maintenance import (
    REST_S,
    RETRY_S,
    SCRUB_S,
    JournalMaintenance,
    repaired,
    was_deleted,
)
from firmware_host.host.parts.notices import NOTICE_S, Notices
from firmware_host.pairing.registry import PhoneRegistry, Role
from firmware_host.storage.active_game import ActiveGame
from firmware_host.storage.deferred_game import DeferredGame
from firmware_host.storage.journal import Journal
from firmware_host.storage.recovery import open_or_recover
from tests.golden.make_journal import turns
from tests.reliability.test_corruption import turns_in
from tests.reliability.test_sound_games import damage


class Care:
    """The maintenance of one game, with what it reports."""

    def __init__(self, game: ActiveGame) -> None:
        self.game, self.faults, self.notices = game, ActiveFaults(), Notices()
        assert game.path
        self.registry = PhoneRegistry(game.path.with_name("phones.json"))
        self.maintenance = JournalMaintenance(game, self.faults, self.notices, self.registry.save)
        self._score = 6

    @property
    def fault(self) -> str:
        return self.faults.sentence(STORAGE)

    def turn(self, at_s: float) -> None:
        """Somebody takes a turn."""
        self._score += 1
        self.game.take(CorrectScore(0, self._score, "knocked"))
        self.maintenance.turn_taken(at_s)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two finished games, one that was left, and one that is on."""
    path = tmp_path / "state" / "journal.sqlite3"
    with closing(open_or_recover(path).journal) as journal:
        for turn in (*turns(), *turns()):
            journal.append(turn)
    open_or_recover(path).journal.close()  # writes the replica
    return path


@pytest.fixture
def stored(path: Path) -> Iterator[Care]:
    with closing(ActiveGame(open_or_recover(path).journal, {""})) as game:
        yield Care(game)


@pytest.fixture
def in_memory(path: Path) -> Iterator[Care]:
    """A game that began while another program had the journal."""
    deferred = DeferredGame(path, Journal.in_memory().clock)
    with closing(ActiveGame(deferred.in_memory(), {""}, deferred)) as game:
        yield Care(game)


def test_stored_game_has_no_fault(stored: Care) -> None:
    assert stored.maintenance.run_due(0) is None and not stored.fault and stored.notices.current is None


def test_game_in_memory_is_a_fault_until_it_is_written(in_memory: Care) -> None:
    assert "kept in memory" in in_memory.fault and "lost without power" in in_memory.fault
    assert in_memory.maintenance.run_due(0) is None
    assert in_memory.game.is_stored and not in_memory.fault


def test_writing_is_tried_again_every_few_seconds(in_memory: Care, path: Path) -> None:
    with closing(Journal.open(path)):
        in_memory.maintenance.run_due(100)
        assert "only writer" in in_memory.fault
    in_memory.maintenance.run_due(100 + RETRY_S - 0.1)
    assert not in_memory.game.is_stored and in_memory.fault
    in_memory.maintenance.run_due(100 + RETRY_S)
    assert in_memory.game.is_stored and not in_memory.fault


def test_past_games_are_checked_one_by_one_at_rest(stored: Care, path: Path) -> None:
    stored.maintenance.run_due(1000)
    damage(path, 2)
    checks_s = 1000 + REST_S, 1000 + REST_S + SCRUB_S
    for at_s in (checks_s[0] - 0.1, checks_s[0], checks_s[1] - 0.1):
        assert stored.maintenance.run_due(at_s) is None, at_s  # the first check reads game 1
    report = stored.maintenance.run_due(checks_s[1])
    assert report is not None and stored.notices.current is repaired
    assert len(turns_in(path)) == 2 * len(turns())


def test_turn_ends_the_rest(stored: Care, path: Path) -> None:
    stored.maintenance.run_due(0)
    damage(path, 1)
    stored.turn(REST_S - 1)
    assert stored.maintenance.run_due(REST_S) is None and stored.maintenance.run_due(2 * REST_S - 1.1) is None
    assert stored.maintenance.run_due(2 * REST_S - 1) is not None


def test_repair_is_shown_until_a_key_is_pressed(stored: Care, path: Path) -> None:
    stored.maintenance.run_due(0)
    damage(path, 1)
    stored.maintenance.run_due(REST_S)
    stored.notices.expire(REST_S + 100 * NOTICE_S)
    assert stored.notices.current is repaired


def test_journal_that_cannot_be_read_at_rest_is_logged(
    stored: Care, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stored.maintenance.run_due(0)
    path.parent.rename(path.parent.with_name("moved"))
    with caplog.at_level(logging.WARNING):
        assert stored.maintenance.run_due(REST_S) is None
    assert "past games were not checked" in caplog.text


def test_deleted_folder_is_shown_once(stored: Care, path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))
    stored.turn(0)
    assert stored.notices.current is was_deleted and not stored.fault
    stored.notices.clear()
    stored.turn(1)
    assert stored.notices.current is None


def test_phones_of_a_deleted_folder_are_written_again(stored: Care, path: Path) -> None:
    _, token = stored.registry.add_phone("Ann")
    path.parent.rename(path.parent.with_name("moved"))
    stored.turn(0)
    after_a_start = PhoneRegistry(path.with_name("phones.json")).phone_with_token(token)
    assert after_a_start is not None and after_a_start.role is Role.OWNER


def test_deleted_folder_that_cannot_be_made_again_is_a_fault(stored: Care, path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))
    path.parent.write_text("a file in its place", encoding="utf-8")
    stored.turn(0)
    assert stored.notices.current is was_deleted and "kept in memory" in stored.fault
    path.parent.unlink()
    stored.maintenance.run_due(RETRY_S)
    assert stored.game.is_stored and not stored.fault
