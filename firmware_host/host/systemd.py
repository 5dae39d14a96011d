"""Notifies systemd that the board is ready and that the host thread still runs. See sd_notify(3)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic

PINGS_PER_TIMEOUT = 4
"""How often the watchdog is pinged within its timeout."""


class SystemdNotifier:
    """`environ` has systemd's socket and watchdog timeout; without a socket nothing is sent."""

    def __init__(self, environ: Mapping[str, str], clock: Callable[[], float] = monotonic) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        self._clock = clock
        is_for_us = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        timeout_us = environ.get("WATCHDOG_USEC", "") if is_for_us else ""
        self._interval_s = int(timeout_us) / 1e6 / PINGS_PER_TIMEOUT if timeout_us.isdecimal() else float("inf")
        self._pinged_s = float("-inf") if timeout_us else clock()

    @property
    def is_service(self) -> bool:
        """Whether systemd started this process."""
        return bool(self._address)

    def ping_watchdog(self) -> None:
        """Called after every step of the host; sends only when a ping is due."""
        if (now_s := self._clock()) - self._pinged_s >= self._interval_s:
            self._pinged_s = now_s
            self.notify("WATCHDOG=1")

    def notify(self, *states: str) -> None:
        """`READY=1`, `STOPPING=1`, `STATUS=...`. A socket that does not answer is ignored."""
        if not self._address:
            return
        is_abstract = self._address.startswith("@")
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
            connection.connect(f"\0{self._address[1:]}" if is_abstract else self._address)
            connection.sendall("\n".join(states).encode())
