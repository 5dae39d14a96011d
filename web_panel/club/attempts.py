"""Limits how often somebody may guess a password or the code of a night."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from threading import Lock
from time import monotonic

from web_panel.errors import Problem

WRONG = 5
"""Of one address within LOCKED_S. The next try has to wait."""
LOCKED_S = 60.0
MOST_ADDRESSES = 1_000


class Attempts:
    """Wrong guesses of each address. `clock` returns seconds. It may be used from any thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._wrong = dict[str, list[float]]()
        """Address -> when it guessed wrong."""

    @contextmanager
    def guess(self, address: str) -> Iterator[None]:
        """The block checks a guess, and raises for a wrong one. Raises Problem (429) after too many."""
        self._count(address)
        yield
        with self._lock:
            self._wrong.pop(address, None)

    def _count(self, address: str) -> None:
        """A guess counts before it is checked, so that many at once are not all checked."""
        with self._lock:
            now_s = self._clock()
            recent = [at for at in self._wrong.pop(address, ()) if at > now_s - LOCKED_S]
            self._wrong[address] = recent
            if len(recent) >= WRONG:
                raise Problem(HTTPStatus.TOO_MANY_REQUESTS, "too many wrong attempts; wait a minute")
            recent.append(now_s)
            while len(self._wrong) > MOST_ADDRESSES:
                del self._wrong[next(iter(self._wrong))]
