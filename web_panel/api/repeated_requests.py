"""Requests that arrive twice over a bad line: each is carried out once, by the idempotency key of its sender."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

MOST_KEYS = 256
"""The keys that are remembered. A request is sent again within seconds, so a table of phones needs far fewer."""


class RepeatedRequests:
    """The keys of the latest requests that were carried out. Any thread may call.

    Points that are entered by number cannot be refused because somebody else scored meanwhile, as `moment` would: two
    phones may score at the same time. So the sender names each tap by a key, and sends it again with the same one.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._keys = OrderedDict[tuple[str | None, str], None]()

    def once(self, sender: str | None, key: str | None, carry_out: Callable[[], None]) -> None:
        """Carries a request out unless this sender had one with the same key carried out; without a key, always. What
        `carry_out` raises is passed on, and the key may then be tried again."""
        if key is None:
            carry_out()
            return
        with self._lock:  # also while it is carried out, so that a second copy waits for the first
            if (sender, key) in self._keys:
                return
            carry_out()
            self._keys[sender, key] = None
            if len(self._keys) > MOST_KEYS:
                self._keys.popitem(last=False)
