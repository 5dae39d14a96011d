"""Limits how often somebody may guess a password or the code of a night."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from threading import Lock
from time import monotonic
from typing import NamedTuple

from web_panel.errors import Problem

WRONG = 5
"""Of one address within LOCKED_S, for whatever names. The next try has to wait."""
WRONG_FOR_A_NAME = 20
"""For one name within LOCKED_S, from whatever addresses; an address that was right for that name need not wait."""
LOCKED_S = 60.0
MOST_REMEMBERED = 1_000
"""How many addresses, and how many names."""


class Guess(NamedTuple):
    """One that was not right, or is not known to be yet."""

    name: str
    at_s: float


class Attempts:
    """Counts wrong guesses by address and by name. A right one clears those for its own name at its own address: who
    has an account, too, guesses no other one faster. `clock` returns seconds. Any thread may use it."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._by_address = dict[str, list[Guess]]()
        self._by_name = dict[str, list[Guess]]()
        self._at_home = dict[tuple[str, str], None]()
        """Names, each with an address where it was guessed right."""

    @contextmanager
    def guess(self, name: str, address: str) -> Iterator[None]:
        """The block checks a guess for `name`, a name key, and raises for a wrong one. Raises Problem (429) after too
        many."""
        self._count(name, address)
        yield
        self._clear(name, address)

    def _count(self, name: str, address: str) -> None:
        """A guess counts before it is checked, so that many at once are not all checked."""
        with self._lock:
            now_s = self._clock()
            of_address = _recent(self._by_address, address, now_s)
            of_name = _recent(self._by_name, name, now_s)
            is_guessed = len(of_name) >= WRONG_FOR_A_NAME and (name, address) not in self._at_home
            if len(of_address) >= WRONG or is_guessed:
                raise Problem(HTTPStatus.TOO_MANY_REQUESTS, "too many wrong attempts; wait a minute")
            guess = Guess(name, now_s)
            _remember(self._by_address, address, [*of_address, guess])
            _remember(self._by_name, name, [*of_name, guess])

    def _clear(self, name: str, address: str) -> None:
        with self._lock:
            here = self._by_address.get(address, [])
            own = [guess for guess in here if guess.name == name]
            _remember(self._by_address, address, [guess for guess in here if guess.name != name])
            _remember(self._by_name, name, [guess for guess in self._by_name.get(name, ()) if guess not in own])
            self._at_home[name, address] = None
            while len(self._at_home) > MOST_REMEMBERED:
                del self._at_home[next(iter(self._at_home))]


def _recent(guesses: Mapping[str, list[Guess]], key: str, now_s: float) -> list[Guess]:
    """The guesses of this key that still count."""
    return [guess for guess in guesses.get(key, ()) if guess.at_s > now_s - LOCKED_S]


def _remember(guesses: dict[str, list[Guess]], key: str, found: list[Guess]) -> None:
    """Keep these guesses of a key, as the latest one; the oldest of too many keys is forgotten."""
    guesses.pop(key, None)
    if found:
        guesses[key] = found
    while len(guesses) > MOST_REMEMBERED:
        del guesses[next(iter(guesses))]
