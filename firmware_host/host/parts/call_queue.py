"""Runs callables on the host thread and returns their results."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue

from firmware_host.host.snapshot import Snapshot

TIMEOUT_S = 10.0
"""Seconds that a caller waits for the host. A write to a slow disk may take some of them."""

Call = Callable[[], None]


class CallQueue:
    """First in, first out. `wake` is called after a call was added, to end the host's pause."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._waiting: SimpleQueue[tuple[Call, Future[Snapshot]]] = SimpleQueue()

    def call(self, function: Call) -> Snapshot:
        """From any other thread: runs `function` on the host thread and returns the snapshot that followed.

        Raises what the function raised, or TimeoutError after TIMEOUT_S; it may then still be run.
        """
        answer: Future[Snapshot] = Future()
        self._waiting.put((function, answer))
        self._wake()
        return answer.result(TIMEOUT_S)

    def run_pending(self, publish: Callable[[], Snapshot]) -> None:
        """On the host thread: runs every waiting call, and publishes after each."""
        while True:
            try:
                function, answer = self._waiting.get_nowait()
            except Empty:
                return
            try:
                function()
            except Exception as error:  # belongs to the caller and is raised there
                answer.set_exception(error)
            else:
                answer.set_result(publish())
