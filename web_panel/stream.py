"""The state as it changes, pushed by server-sent events, written by hand.

A stream is never a queue: a reader who falls behind gets the newest state and nothing of what it missed. Each stream
holds one thread of the server: they are counted, and none lives for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from threading import BoundedSemaphore
from time import monotonic

from flask import Response

from firmware_host.languages import LANGUAGES
from web_panel.news import Edition, News
from web_panel.problems import details


@dataclass(frozen=True, slots=True)
class Pace:
    """How many streams there may be, and how each behaves. The server needs a thread for each, and some more."""

    streams: int = 200
    heartbeat_s: float = 15.0
    life_s: float = 900.0
    retry_ms: int = 1000
    """How long a page waits before it comes back."""
    full_retry_s: int = 30
    """And how long, if every stream is taken."""


class Streams:
    """All streams of one panel."""

    def __init__(self, news: News, pace: Pace, clock: Callable[[], float] = monotonic) -> None:
        self._news, self._pace, self._clock = news, pace, clock
        self._free = BoundedSemaphore(pace.streams)

    def open(self, language: str = LANGUAGES[0]) -> Response:
        """A new stream in a language, or 503 when all are taken: the page then polls."""
        if not self._free.acquire(blocking=False):
            full = details(
                HTTPStatus.SERVICE_UNAVAILABLE, f"all {self._pace.streams} streams are taken; poll the state"
            )
            full.headers["Retry-After"] = str(self._pace.full_retry_s)
            return full
        stream = Response(self._events(language), mimetype="text/event-stream", headers={"Cache-Control": "no-store"})
        stream.call_on_close(self._free.release)
        return stream

    def _events(self, language: str) -> Iterator[str]:
        """The state at once, then each newer one; a heartbeat when nothing happened, so that a dead line is noticed."""
        ends_s = self._clock() + self._pace.life_s
        yield f"retry: {self._pace.retry_ms}\n\n"
        told = self._news.now(language)
        yield as_event(told)
        while (left_s := ends_s - self._clock()) > 0:
            newest = self._news.after(told, min(left_s, self._pace.heartbeat_s), language)
            yield as_event(newest) if newest is not told else HEARTBEAT
            told = newest


HEARTBEAT = ": still here\nevent: heartbeat\ndata: -\n\n"
"""A comment for whoever reads along, and an event for the page, which does not see comments."""


def as_event(edition: Edition) -> str:
    return f"id: {edition.version}\nevent: state\ndata: {edition.text}\n\n"
