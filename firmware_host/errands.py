"""What other threads want done in the host's own: asked for here, done there, and waited for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue

from firmware_host.snapshot import Snapshot

ANSWER_S = 10.0
"""How long a caller waits for the host's answer: a slow disk may take seconds."""

Errand = Callable[[], None]


class Errands:
    """In the order in which they came. `wake` is called as soon as there is one."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._waiting: SimpleQueue[tuple[Errand, Future[Snapshot]]] = SimpleQueue()

    def ask(self, errand: Errand) -> Snapshot:
        """From any other thread: what there was to see once it was done. Raises whatever the errand raised."""
        answer: Future[Snapshot] = Future()
        self._waiting.put((errand, answer))
        self._wake()
        return answer.result(ANSWER_S)

    def run(self, publish: Callable[[], Snapshot]) -> None:
        """In the host's thread: do all that wait, and publish after each."""
        while True:
            try:
                errand, answer = self._waiting.get_nowait()
            except Empty:
                return
            try:
                errand()
            except Exception as refused:  # it is the caller's: raised where it was asked for
                answer.set_exception(refused)
            else:
                answer.set_result(publish())
