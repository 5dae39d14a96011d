"""Stored figures are those of a fold, whatever happened to journal and store meanwhile."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.stats import archive as module
from firmware_host.stats.archive import Archive, PastGame
from firmware_host.stats.statistics import GameFigures, figures_of
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal
from firmware_host.storage.recovery import open_or_recover, restore
from tests.golden.make_journal import turns


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "state" / "journal.sqlite3"
    play(path, 3)
    return path


def play(path: Path, times: int) -> None:
    """Each time a finished and an unfinished game."""
    with closing(open_or_recover(path).journal) as journal:
        for _ in range(times):
            for turn in turns():
                journal.append(turn)


def archive_of(path: Path) -> Archive:
    return Archive(lambda: closing(Journal.open_readonly(path)))


def folded(path: Path) -> list[PastGame]:
    """Without the history of scores, which is not stored."""
    with closing(Journal.open_readonly(path)) as journal:
        games = [
            PastGame(summary, figures_of(journal.turns_of(summary.game), keeps_secrets=True))
            for summary in journal.games()
        ]
    return list(map(without_history, games))


def without_history(past: PastGame) -> PastGame:
    return replace(past, figures=replace(past.figures, score_history=past.figures.score_history[-1:]))


def games_of(archive: Archive) -> list[PastGame]:
    return list(map(without_history, archive.games()))


def test_stored_figures_are_those_of_a_fold(path: Path) -> None:
    assert games_of(archive_of(path)) == folded(path)
    assert path.with_name("figures.sqlite3").exists()
    assert games_of(archive_of(path)) == folded(path)


def test_next_start_folds_only_the_latest_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive_of(path).games()
    calls = list[object]()

    def counted(game: tuple[Events, ...], *, keeps_secrets: bool) -> GameFigures:
        calls.append(game)
        return figures_of(game, keeps_secrets=keeps_secrets)

    monkeypatch.setattr(module, "figures_of", counted)
    assert len(archive_of(path).games()) == 6
    assert len(calls) == 1


def test_new_games_are_added(path: Path) -> None:
    archive = archive_of(path)
    archive.games()
    play(path, 2)
    assert games_of(archive) == folded(path) and len(folded(path)) == 10
    assert games_of(archive_of(path)) == folded(path)


def test_many_games_are_stored_in_parts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STORED_AT_ONCE", 2)
    assert games_of(archive_of(path)) == folded(path)
    assert games_of(archive_of(path)) == folded(path)


@pytest.mark.parametrize("content", [b"", b"no database " * 99, None])
def test_damaged_store_is_made_again(path: Path, content: bytes | None) -> None:
    archive_of(path).games()
    store = path.with_name("figures.sqlite3")
    store.write_bytes(store.read_bytes()[:-3000] if content is None else content)
    assert games_of(archive_of(path)) == folded(path)
    assert games_of(archive_of(path)) == folded(path)


def test_store_of_another_journal_is_not_used(path: Path, tmp_path: Path) -> None:
    archive = archive_of(path)
    archive.games()
    play(tmp_path / "other" / "journal.sqlite3", 1)
    restore(path, tmp_path / "other" / "journal.sqlite3")
    archive.clear()
    assert games_of(archive) == folded(path) and len(folded(path)) == 2
    assert games_of(archive_of(path)) == folded(path)


def test_store_that_cannot_be_written_is_done_without(path: Path) -> None:
    path.with_name("figures.sqlite3").mkdir()
    assert games_of(archive_of(path)) == folded(path)
