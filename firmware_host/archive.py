"""Past games with their figures. A game that is not the latest never changes again, so each is read only once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from threading import Lock

from firmware_host.journal import Journal
from firmware_host.statistics import GameFigures, figures_of
from firmware_host.summary import GameSummary

Opening = Callable[[], AbstractContextManager[Journal]]
"""Opens the journal for one reading, whoever writes it meanwhile."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game as a line, and as figures. The one that is on is a past game too."""

    summary: GameSummary
    figures: GameFigures


class Archive:
    """All games of a journal but the demonstrations. May be asked by several threads; raises JournalFault."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self._lock = Lock()
        self._closed: dict[int, PastGame] = {}

    def forget(self) -> None:
        """The journal is another one now."""
        with self._lock:
            self._closed = {}

    def games(self) -> tuple[PastGame, ...]:
        """The latest first."""
        with self._lock, self.opening() as journal:
            fresh = list[PastGame]()
            for summary in journal.games():
                if summary.game in self._closed:
                    break
                fresh.append(PastGame(summary, figures_of(journal.turns_of(summary.game))))
            known = {past.summary.game: past for past in fresh} | self._closed
            self._closed = {past.summary.game: past for past in (*fresh[1:], *self._closed.values())}
        latest_first = sorted(known, reverse=True)
        return tuple(known[game] for game in latest_first if not known[game].figures.is_demo)
