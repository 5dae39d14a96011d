"""What the server and the application agree on: WSGI with some more keys, and the source of the events of a stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

Environ = dict[str, Any]
WsgiApp = Callable[[Environ, Callable[..., Any]], Any]

OPEN_STREAM = "cribboard.open_stream"
"""Key of the WSGI environment. The server sets it to a function that takes an EventSource: after the response of the
view the server goes on to send the events of the source, without a thread for it."""

CONNECTION_MEMORY = "cribboard.connection_memory"
"""Key of the WSGI environment: a dictionary for whatever is found out once for a connection."""


class StreamOver(Exception):
    """The stream has ended: its life is over, or its visitor may not watch any more."""


class EventSource(Protocol):
    """The events of one open stream. The server calls it from one thread and never keeps more than one event."""

    def take(self) -> bytes | None:
        """The newest event that is due, or None. Returns at once. Raises StreamOver."""

    def on_news(self, wake: Callable[[], None]) -> None:
        """Call `wake`, from any thread, when `take` may have an event."""

    def close(self) -> None:
        """The visitor has left, or the stream is over."""
