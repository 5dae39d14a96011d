"""The names by which the board may be called. A name it does not know may be a trap: it points here, but is no name of
ours, and the page that used it is not our page (DNS rebinding)."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Collection, Container
from contextlib import suppress
from time import monotonic

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names by which a machine calls itself."""

LOOK_AGAIN_S = 10.0
"""A machine may get a new address at any time; it is looked for no oftener than this."""

ELSEWHERE = ("192.0.2.1", "2001:db8::1")
"""Addresses set aside for documentation. Nothing is sent to them: asking the way tells the own address."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::[0-9]+)?", re.IGNORECASE)


def name_of(host: str) -> str:
    """The name in a Host header, without its port; empty where it is no name at all."""
    found = _HOST.fullmatch(host)
    return found[1].strip("[]").lower() if found else ""


class NamesOnLan(Container[str]):
    """Loopback, the machine's own name and addresses as they are now, and whatever its people call it."""

    def __init__(
        self,
        chosen: Collection[str] = (),
        look: Callable[[], Collection[str]] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._chosen = LOOPBACK | {name.lower() for name in chosen}
        self._look, self._clock = look or own_names, clock
        self._own, self._looked_s = frozenset(self._look()), clock()

    def __contains__(self, name: object) -> bool:
        if name in self._chosen or name in self._own:
            return True
        if self._clock() - self._looked_s < LOOK_AGAIN_S:
            return False
        self._own, self._looked_s = frozenset(self._look()), self._clock()
        return name in self._own


def own_names() -> frozenset[str]:
    """The name of this machine, also as multicast DNS tells it, and its addresses."""
    host = socket.gethostname().lower()
    return frozenset({host, f"{host.removesuffix('.local')}.local", *own_addresses()})


def own_addresses() -> tuple[str, ...]:
    """The addresses by which this machine reaches others, IPv4 first; none without a network."""
    found = list[str]()
    for family, elsewhere in zip((socket.AF_INET, socket.AF_INET6), ELSEWHERE, strict=True):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((elsewhere, 9))
            found.append(asking.getsockname()[0])
    return tuple(found)
