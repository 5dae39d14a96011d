"""The open connections of each address, and which of them to close where there are too many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct, field

from web_panel.server.connection import Connection

KNOWN_ADDRESSES = 256
"""Addresses of known visitors that are remembered, the newest."""


class OpenConnections(Struct):
    """The open connections by address, and the addresses of known visitors."""

    by_address: defaultdict[str, set[Connection]] = field(default_factory=lambda: defaultdict(set))
    known: dict[str, None] = field(default_factory=dict)
    """Addresses that sent a known visitor's request, in the order of their last one."""
    count: int = 0

    def __iter__(self) -> Iterator[Connection]:
        return (connection for connections in list(self.by_address.values()) for connection in list(connections))

    def add(self, connection: Connection) -> None:
        """Take in a connection that was accepted."""
        self.by_address[connection.address].add(connection)
        self.count += 1

    def remove(self, connection: Connection) -> None:
        """Forget a connection; does nothing if that was done already."""
        connections = self.by_address.get(connection.address, set())
        if connection not in connections:
            return
        connections.remove(connection)
        self.count -= 1
        if not connections:
            del self.by_address[connection.address]

    def is_known(self, address: str) -> bool:
        """Whether a known visitor used this address lately."""
        return address in self.known

    def remember(self, address: str) -> None:
        """A known visitor used this address now."""
        self.known.pop(address, None)
        self.known[address] = None
        if len(self.known) > KNOWN_ADDRESSES:
            del self.known[next(iter(self.known))]

    def strangers_of(self, address: str) -> list[Connection]:
        """The connections of an address that have sent no request of a known visitor."""
        return [connection for connection in self.by_address.get(address, ()) if not connection.is_known]

    def quietest_stranger(self) -> Connection | None:
        """The connection to close for another: of the address with the most strangers' connections, the one that has
        been quiet for the longest time. Addresses of known visitors come last. None if all connections are known."""
        groups = {address: found for address in self.by_address if (found := self.strangers_of(address))}
        most = max(groups, key=lambda address: (not self.is_known(address), len(groups[address])), default="")
        return quietest(groups.get(most, []))

    def most_unread(self) -> Connection | None:
        """The connection to close where too many bytes are unread: of the address that has the most, the largest.
        Strangers before known visitors."""
        addresses = sorted(self.by_address, key=lambda address: (self.is_known(address), -self.unread_bytes(address)))
        connections = self.by_address[addresses[0]] if addresses else ()
        return max(connections, key=lambda connection: connection.unread_bytes, default=None)

    def unread_bytes(self, address: str) -> int:
        """Answers that this address has not read yet."""
        return sum(connection.unread_bytes for connection in self.by_address.get(address, ()))


def quietest(connections: list[Connection]) -> Connection | None:
    """The one that was quiet for the longest time: one that waits for a request, if there is any."""
    return min(connections, key=lambda connection: (connection.is_busy, connection.quiet_since_s), default=None)
