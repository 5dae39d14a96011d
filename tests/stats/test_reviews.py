"""Reviews are made once, in the background, and again when the game has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from threading import Event

import pytest

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game.events import TurnUndone
from firmware_host.stats.archive import Archive
from firmware_host.stats.people import People
from firmware_host.stats.review import GameReview, review_of, seat_review
from firmware_host.stats.review_totals import Accuracy
from firmware_host.stats.reviews import Breaks, Reviews
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal
from firmware_host.storage.recovery import open_or_recover
from firmware_host.strategy.engine import Level
from tests.stats.level_games import game_of

SIX = VARIANTS["six_card"]
UNMERGED = People()
LONG_S = 60.0


@cache
def game() -> list[Events]:
    return game_of([Level.CLUB, Level.BEGINNER], SIX, 4, scores=(108, 108))


@cache
def review() -> GameReview:
    return review_of(game())


class Counting:
    """Makes reviews, and counts them. `gate`: they wait until it is set."""

    def __init__(self) -> None:
        self.calls = 0
        self.gate = Event()
        self.gate.set()

    def review(self, turns: object, pause: Callable[[], object]) -> GameReview:
        self.calls += 1
        assert self.gate.wait(LONG_S)
        return review_of(turns)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A journal of two games."""
    path = tmp_path / "journal.sqlite3"
    with closing(open_or_recover(path).journal) as journal:
        for turn in (*game(), *game()):
            journal.append(turn)
    yield path


def archive_of(path: Path) -> Archive:
    return Archive(lambda: closing(Journal.open_readonly(path)))


def test_a_review_is_made_once_and_kept(path: Path) -> None:
    counting = Counting()
    assert Reviews(archive_of(path), counting.review).find(1, LONG_S) == review()
    assert Reviews(archive_of(path), counting.review).find(1) == review()
    assert counting.calls == 1


def test_nobody_waits_for_a_review(path: Path) -> None:
    counting = Counting()
    counting.gate.clear()
    reviews = Reviews(archive_of(path), counting.review)
    assert reviews.find(1) is None and reviews.find(2) is None and reviews.find(1) is None
    counting.gate.set()
    assert reviews.find(1, LONG_S) and reviews.find(2, LONG_S)
    assert counting.calls == 2


def test_a_game_that_changed_is_reviewed_again(path: Path) -> None:
    counting = Counting()
    reviews = Reviews(archive_of(path), counting.review)
    reviews.find(2, LONG_S)
    with closing(open_or_recover(path).journal) as journal:
        journal.append((TurnUndone(),))
    counting.gate.clear()
    assert reviews.find(2) is None
    counting.gate.set()
    assert reviews.find(2, LONG_S) == review_of((*game(), (TurnUndone(),)))
    assert counting.calls == 2


def accuracy(archive: Archive, name: str, people: People = UNMERGED) -> Accuracy:
    return archive.query(lambda past: past.accuracy(past.persons.person(name)), people)


def of_game(*seats: int) -> Accuracy:
    total = Accuracy()
    for seat in seats:
        total = total.plus(seat_review(review(), Seat(seat)))
    return total


def test_the_accuracy_of_a_person_is_that_of_all_reviewed_games(path: Path) -> None:
    archive = archive_of(path)
    reviews = Reviews(archive)
    assert accuracy(archive, "P0") == Accuracy() and Accuracy().share is None
    reviews.find(2, LONG_S)  # the latest game, which is in the store only as long as a page is made
    assert accuracy(archive, "P0") == of_game(0) and accuracy(archive, "P1") == of_game(1)
    reviews.find(1, LONG_S)
    assert accuracy(archive, "P0") == of_game(0, 0)
    with closing(open_or_recover(path).journal) as journal:
        journal.append(game()[0])
    assert accuracy(archive_of(path), "P0") == of_game(0, 0)
    assert accuracy(archive_of(path), "P0", People((("P0", "P1"),))) == of_game(0, 0, 1, 1)


def test_all_finished_games_are_reviewed_when_somebody_asks(path: Path) -> None:
    with closing(open_or_recover(path).journal) as journal:
        journal.append(game()[0])
    archive = archive_of(path)
    assert accuracy(archive, "P0") == Accuracy()
    reviews = Reviews(archive)
    reviews.begin_all()
    assert reviews.find(1, LONG_S) and reviews.find(2, LONG_S)
    assert accuracy(archive, "P0") == of_game(0, 0)


def test_a_game_that_breaks_the_review_has_an_empty_one(path: Path) -> None:
    def broken(turns: object, pause: object) -> GameReview:
        raise ValueError("crafted")

    assert Reviews(archive_of(path), broken).find(1, LONG_S) == GameReview((), ())


def test_a_store_that_cannot_be_written_is_replaced_by_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting()
    monkeypatch.setattr("firmware_host.stats.reviews._write", lambda database, row: False)
    reviews = Reviews(archive_of(path), counting.review)
    assert reviews.find(1, LONG_S) == reviews.find(1) == review()
    assert counting.calls == 1


def test_breaks_are_a_share_of_the_time_that_went_by() -> None:
    times = iter([0.0, 2.0, 2.5, 6.5, 7.5])
    slept = list[float]()
    breaks = Breaks(0.25, lambda: next(times), slept.append)
    breaks.take()
    breaks.take()
    assert slept == [0.5, 1.0]
