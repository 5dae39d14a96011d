"""The host names that the panel answers to. Any other name in the Host header may be DNS rebinding: a foreign page
whose name was pointed at this machine."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Collection, Container
from contextlib import suppress
from ipaddress import ip_address
from time import monotonic

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names by which a machine reaches itself."""

REFRESH_S = 10.0
"""The machine may get a new address at any time. Its addresses are looked up at most this often."""

DOCUMENTATION_ADDRESSES = ("192.0.2.1", "2001:db8::1")
"""Addresses reserved for documentation. Nothing is sent to them: the route to them shows the own address."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::[0-9]+)?", re.IGNORECASE)


def name_of(host: str) -> str:
    """The name in a Host header, in lower case and without port or brackets; empty if it is malformed."""
    found = _HOST.fullmatch(host)
    return found[1].strip("[]").lower() if found else ""


def is_loopback(name: str) -> bool:
    """Whether a name or address leads to the same machine wherever it is used, so that no other one can open it."""
    if name in LOOPBACK:
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


class LanHostNames(Container[str]):
    """Loopback names, the machine's current name and addresses, and `configured` names from the settings.

    `look_up` returns the machine's own names; `clock` returns seconds.
    """

    def __init__(
        self,
        configured: Collection[str] = (),
        look_up: Callable[[], Collection[str]] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._fixed = LOOPBACK | {name.lower() for name in configured}
        self._look_up = look_up or own_names
        self._clock = clock
        self._own = frozenset(self._look_up())
        self._looked_up_s = clock()

    def __contains__(self, name: object) -> bool:
        if name in self._fixed or name in self._own:
            return True
        if self._clock() - self._looked_up_s < REFRESH_S:
            return False
        self._own = frozenset(self._look_up())
        self._looked_up_s = self._clock()
        return name in self._own


def own_names() -> frozenset[str]:
    """The host name of this machine, its multicast DNS name, and its addresses."""
    host = socket.gethostname().lower()
    return frozenset({host, f"{host.removesuffix('.local')}.local", *own_addresses()})


def own_addresses() -> tuple[str, ...]:
    """The addresses of this machine on the network, IPv4 first; empty without a network."""
    found = list[str]()
    for family, target in zip((socket.AF_INET, socket.AF_INET6), DOCUMENTATION_ADDRESSES, strict=True):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            found.append(probe.getsockname()[0])
    return tuple(found)
