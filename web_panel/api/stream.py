"""Server-sent events: the state at once, and again at each change.

A stream is not a queue. A client that falls behind gets the newest state and none of those it missed. One thread makes
the text of each new state, while any stream is open; the server sends it, and no stream has a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http import HTTPStatus
from threading import Lock, Thread
from time import monotonic

from flask import Response, request
from msgspec import Struct

from firmware_host.config.languages import LANGUAGES
from web_panel.errors import problem_response
from web_panel.views.cache import CachedState, StateCache
from web_panel.wsgi import OPEN_STREAM, StreamOver

PUBLISH_S = 1.0
"""Longest time until the publishing thread notices that no stream is open any more."""


class StreamLimits(Struct, frozen=True):
    """How many streams may be open, and the times of each."""

    streams: int = 200
    streams_of_strangers: int = 150
    """The others are kept for paired phones, and for the board's own computer."""
    heartbeat_s: float = 15.0
    """Longest silence of a stream."""
    life_s: float = 900.0
    """A stream ends after this time; the page opens a new one."""
    retry_ms: int = 1000
    """Delay before the page reconnects."""
    full_retry_s: int = 30
    """Seconds until a page asks again where every stream is taken."""


class Watcher(Struct, frozen=True):
    """Who opens a stream."""

    language: str = LANGUAGES[0]
    is_known: bool = False
    """Whether it is a paired phone, or the board's own computer."""
    may_watch: Callable[[], bool] = lambda: True
    """Whether the stream may go on: asked before each event. Returns at once."""


class Streams:
    """All open streams of one panel. `clock` returns seconds. Any thread may call."""

    def __init__(self, cache: StateCache, limits: StreamLimits, clock: Callable[[], float] = monotonic) -> None:
        self.cache = cache
        self.limits = limits
        self.clock = clock
        self._lock = Lock()
        self._open = set[Stream]()
        self._publisher: Thread | None = None
        self._wakes = set[Callable[[], None]]()

    def open(self, watcher: Watcher | None = None) -> Response:
        """A new stream, or 503 with Retry-After if all are taken: the page then polls."""
        watcher = watcher or Watcher()
        stream = Stream(self, watcher)
        with self._lock:
            strangers = sum(not other.watcher.is_known for other in self._open)
            if len(self._open) >= self.limits.streams or (
                not watcher.is_known and strangers >= self.limits.streams_of_strangers
            ):
                return self._full()
            self._open.add(stream)
        response = Response(stream.first_events(), mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
        hand_over = request.environ.get(OPEN_STREAM) if request else None
        if hand_over and request.method == "GET":
            hand_over(stream)
        else:  # HEAD, or a server without streams of its own
            response.call_on_close(stream.close)
        return response

    def _full(self) -> Response:
        full = problem_response(
            HTTPStatus.SERVICE_UNAVAILABLE, f"all {self.limits.streams} streams are taken; poll the state"
        )
        full.headers["Retry-After"] = str(self.limits.full_retry_s)
        return full

    def on_news(self, wake: Callable[[], None]) -> None:
        """Call `wake` at each new state while any stream is open."""
        with self._lock:
            self._wakes.add(wake)
            if self._publisher is None:
                self._publisher = Thread(target=self._publish, name="panel-publisher", daemon=True)
                self._publisher.start()

    def close(self, stream: Stream) -> None:
        """The stream is over. May be called more than once."""
        with self._lock:
            self._open.discard(stream)

    def _publish(self) -> None:
        """Make each new state in the languages of the open streams, until no stream is open."""
        while True:
            with self._lock:
                languages = {stream.watcher.language for stream in self._open}
                if not languages:
                    self._publisher = None
                    return
            newest = [self.cache.now(language) for language in languages]
            with self._lock:
                wakes = tuple(self._wakes)
            for wake in wakes:
                wake()
            self.cache.after(newest[0], min(PUBLISH_S, self.limits.heartbeat_s))


class Stream:
    """One open stream: an EventSource."""

    def __init__(self, streams: Streams, watcher: Watcher) -> None:
        self.watcher = watcher
        self._streams = streams
        self._ends_s = streams.clock() + streams.limits.life_s
        self._sent: CachedState | None = None
        self._sent_s = 0.0

    def first_events(self) -> Iterator[str]:
        """What is sent at once: the delay before the page reconnects, and the state."""
        yield f"retry: {self._streams.limits.retry_ms}\n\n"
        yield as_event(self._send(self._streams.cache.now(self.watcher.language)))

    def take(self) -> bytes | None:
        """The newest state if it was not sent yet, a heartbeat if nothing was sent for a while, or None."""
        if self._streams.clock() >= self._ends_s or not self.watcher.may_watch():
            raise StreamOver
        newest = self._streams.cache.ready(self.watcher.language)
        if newest is not None and newest is not self._sent:
            return as_event(self._send(newest)).encode()
        if self._streams.clock() - self._sent_s < self._streams.limits.heartbeat_s:
            return None
        self._sent_s = self._streams.clock()
        return HEARTBEAT.encode()

    def _send(self, state: CachedState) -> CachedState:
        self._sent = state
        self._sent_s = self._streams.clock()
        return state

    def on_news(self, wake: Callable[[], None]) -> None:
        self._streams.on_news(wake)

    def close(self) -> None:
        self._streams.close(self)


HEARTBEAT = ": still here\nevent: heartbeat\ndata: -\n\n"
"""A comment for people who read the stream, and an event for the page, which does not see comments."""


def as_event(state: CachedState) -> str:
    """The state as the text of a server-sent event."""
    return f"id: {state.version}\nevent: state\ndata: {state.text}\n\n"
