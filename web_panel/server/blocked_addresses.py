"""Which addresses are blocked, because they connect faster than the server can refuse them (source_filter.py)."""

from __future__ import annotations

from web_panel.server.limits import ServerLimits


class BlockedAddresses:
    """The addresses whose packets are dropped for a while, because they went on to connect after many refusals."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._refusals = dict[str, int]()
        self.addresses = dict[str, float]()
        """Address -> when it was blocked, in monotonic seconds."""

    def refused(self, address: str, now_s: float) -> bool:
        """A connection of this address was refused. Returns whether the address is blocked from now on."""
        self._refusals[address] = count = self._refusals.get(address, 0) + 1
        if count < self._limits.refusals or address in self.addresses:
            return False
        self.addresses[address] = now_s
        return True

    def unblock_old(self, now_s: float) -> bool:
        """Forget refusals, and unblock the addresses that were blocked for long enough; to be called now and then.
        Returns whether `addresses` has changed."""
        self._refusals.clear()
        over = [address for address, at_s in self.addresses.items() if now_s - at_s > self._limits.dropped_s]
        for address in over:
            del self.addresses[address]
        return bool(over)
