"""Decides whose request is run next.

| lane     | requests of                                  | threads                 | rate of an address |
|----------|----------------------------------------------|-------------------------|--------------------|
| known    | paired phones, and the board's own computer  | all                     | not limited        |
| stranger | everybody else                               | `workers_for_strangers` | `requests_per_s`   |

Known visitors come first. Within a lane the addresses take turns, so that one that sends many requests waits for its
own. The threads share one processor and one interpreter lock: a stranger's request that runs beside a phone's command
slows it, so few may.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Condition, Thread
from time import monotonic

from msgspec import Struct, field

from web_panel.server.limits import ServerLimits
from web_panel.server.token_bucket import TokenBuckets

STRANGERS_WAIT_S = 0.5
"""A known visitor's request delays strangers for this time at most: it may be a long one."""
LONGEST_REST_S = 0.1
TIDY_LENGTH = 50
"""From this length on, requests of visitors who have left are removed from an address's queue."""


class Work(Struct, frozen=True):
    """One request to run."""

    address: str
    is_known: bool
    run: Callable[[], None]
    is_wanted: Callable[[], bool] = lambda: True
    """Whether the visitor still waits for the answer."""


class Lane(Struct):
    """The waiting requests of one kind of visitor, by address; the address whose turn it is comes first."""

    at_once: int
    """Requests of this lane that may run at the same time."""
    at_once_of_address: int
    rates: TokenBuckets | None
    waiting: OrderedDict[str, deque[Work]] = field(default_factory=OrderedDict)
    running: dict[str, int] = field(default_factory=dict)

    def put(self, work: Work) -> None:
        queue = self.waiting.setdefault(work.address, deque())
        queue.append(work)
        if len(queue) > TIDY_LENGTH:  # a visitor who connects, asks, leaves and comes back
            self.waiting[work.address] = deque(waiting for waiting in queue if waiting.is_wanted())

    def take(self, now_s: float) -> tuple[Work | None, float]:
        """The next request, and the seconds until there may be one if there is none now (infinite: not before another
        ends or arrives)."""
        wait_s = float("inf")
        if sum(self.running.values()) >= self.at_once:
            return None, wait_s
        for address in list(self.waiting):
            if self.running.get(address, 0) >= self.at_once_of_address:
                continue
            if self.rates and (left_s := self.rates.take(address, now_s)):
                wait_s = min(wait_s, left_s)
                continue
            return self._start(address), 0.0
        return None, wait_s

    def _start(self, address: str) -> Work:
        queue = self.waiting[address]
        work = queue.popleft()
        self.waiting.move_to_end(address)
        if not queue:
            del self.waiting[address]
        self.running[address] = self.running.get(address, 0) + 1
        return work

    def done(self, work: Work) -> None:
        self.running[work.address] -= 1
        if not self.running[work.address]:
            del self.running[work.address]


class WorkQueue:
    """Runs requests on `limits.workers` threads. Any thread may call `put`."""

    def __init__(self, limits: ServerLimits, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._changed = Condition()
        self._is_closed = False
        self._known_began_s = self._rests_until_s = 0.0
        self._rates = TokenBuckets(limits.requests_per_s, limits.requests_in_a_burst)
        self._known = Lane(limits.workers, limits.requests_at_once, None)
        self._strangers = Lane(limits.workers_for_strangers, limits.requests_at_once, self._rates)
        self._threads = [Thread(target=self._work, name=f"panel-{n}", daemon=True) for n in range(limits.workers)]

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def put(self, work: Work) -> None:
        """Run `work` when its turn comes."""
        with self._changed:
            (self._known if work.is_known else self._strangers).put(work)
            self._changed.notify()

    def forget_idle_addresses(self) -> None:
        """Drop what is known of addresses that send no requests any more."""
        with self._changed:
            self._rates.forget_full(self._clock())

    def close(self) -> None:
        """End the threads after the requests that they run now. Waiting requests are dropped."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _work(self) -> None:
        while work := self._take():
            began_s = self._clock()
            try:
                work.run()
            finally:
                with self._changed:
                    (self._known if work.is_known else self._strangers).done(work)
                    if not work.is_known:
                        self._rest(self._clock(), began_s)
                    self._changed.notify()

    def _rest(self, now_s: float, began_s: float) -> None:
        """Start no stranger's request for as long as the last one took: half of the time is for others."""
        self._rests_until_s = max(self._rests_until_s, now_s) + min(now_s - began_s, LONGEST_REST_S)

    def _lanes_open(self, now_s: float) -> tuple[Lane, ...]:
        """The lanes whose requests may start now: no stranger's during a rest, or while a known visitor's runs that
        started lately."""
        if self._known.running and now_s - self._known_began_s < STRANGERS_WAIT_S:
            return (self._known,)
        return (self._known,) if now_s < self._rests_until_s else (self._known, self._strangers)

    def _take(self) -> Work | None:
        """The next request, as soon as there is one; None after `close`."""
        with self._changed:
            while not self._is_closed:
                now_s = self._clock()
                wait_s = float("inf")
                wait_s = max(0.0, self._rests_until_s - now_s) or wait_s
                for lane in self._lanes_open(now_s):
                    work, until_s = lane.take(now_s)
                    if work:
                        if work.is_known:
                            self._known_began_s = now_s
                        return work
                    wait_s = min(wait_s, until_s)
                self._changed.wait(None if wait_s == float("inf") else wait_s)
        return None
