"""Token buckets: how many more of something each address may begin now."""

from __future__ import annotations

from msgspec import Struct


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
