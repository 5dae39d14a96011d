"""The threads of the program of a club: each runs for the time of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def background_thread(run: Callable[[Event], None], name: str) -> Iterator[None]:
    """A thread of this name for the time of a block. `run` returns soon after the event that it gets is set, which the
    end of the block does."""
    ends = Event()
    thread = Thread(target=run, args=(ends,), name=name)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()
