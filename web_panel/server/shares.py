"""What each address uses: its connections, and how many more of something it may begin now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct, field

from web_panel.server.connection import Connection
from web_panel.server.limits import ServerLimits

KNOWN_ADDRESSES = 256
"""Addresses of known visitors that are remembered, the newest."""


class TokenBucket(Struct):
    """Allows `rate_per_s` on average and `burst` at once. Times are monotonic seconds."""

    rate_per_s: float
    burst: float
    tokens: float
    filled_s: float

    def take(self, now_s: float) -> float:
        """Take one token. Returns 0, or the seconds until there is one; then none was taken."""
        self.fill(now_s)
        if self.tokens >= 1:
            self.tokens -= 1
            return 0.0
        return (1 - self.tokens) / self.rate_per_s

    def fill(self, now_s: float) -> None:
        """Add the tokens of the time since the last call."""
        self.tokens = min(self.burst, self.tokens + (now_s - self.filled_s) * self.rate_per_s)
        self.filled_s = now_s

    @property
    def is_full(self) -> bool:
        """Whether it would behave as a new one."""
        return self.tokens >= self.burst


class TokenBuckets:
    """One TokenBucket for each address. Only addresses that used theirs lately have one."""

    def __init__(self, rate_per_s: float, burst: float) -> None:
        self._rate_per_s = rate_per_s
        self._burst = burst
        self._buckets = dict[str, TokenBucket]()

    def take(self, address: str, now_s: float) -> float:
        """Take one token of this address: see TokenBucket.take."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._rate_per_s, self._burst, self._burst, now_s)
        return bucket.take(now_s)

    def forget_full(self, now_s: float) -> None:
        """Drop the buckets that are full again."""
        for address, bucket in list(self._buckets.items()):
            bucket.fill(now_s)
            if bucket.is_full:
                del self._buckets[address]


class Stormers:
    """The addresses whose packets are dropped for a while, because they go on to connect after many refusals."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._refusals = dict[str, int]()
        self.dropped = dict[str, float]()
        """Address -> when it was added, in monotonic seconds."""

    def refused(self, address: str, now_s: float) -> bool:
        """A connection of this address was refused. Returns whether the address was added to `dropped`."""
        self._refusals[address] = count = self._refusals.get(address, 0) + 1
        if count < self._limits.refusals or address in self.dropped:
            return False
        self.dropped[address] = now_s
        return True

    def forgive(self, now_s: float) -> bool:
        """Forget refusals, and the addresses that were dropped for long enough; to be called now and then. Returns
        whether `dropped` has changed."""
        self._refusals.clear()
        over = [address for address, at_s in self.dropped.items() if now_s - at_s > self._limits.dropped_s]
        for address in over:
            del self.dropped[address]
        return bool(over)


class Shares(Struct):
    """The open connections by address, and the addresses of known visitors."""

    by_address: defaultdict[str, set[Connection]] = field(default_factory=lambda: defaultdict(set))
    known: dict[str, None] = field(default_factory=dict)
    """Addresses that sent a known visitor's request, in the order of their last one."""
    count: int = 0

    def __iter__(self) -> Iterator[Connection]:
        return (connection for connections in list(self.by_address.values()) for connection in list(connections))

    def add(self, connection: Connection) -> None:
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

    def hungriest(self) -> Connection | None:
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
