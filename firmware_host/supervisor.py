"""What systemd is told of us: that the board is ready, and that the host still turns. See sd_notify(3)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic

BEATS = 4
"""How often we beat in the time that the watchdog waits."""


class Supervisor:
    """`environ` names systemd's socket and how long it waits for a beat; without one nothing is told."""

    def __init__(self, environ: Mapping[str, str], clock: Callable[[], float] = monotonic) -> None:
        self._address, self._clock = environ.get("NOTIFY_SOCKET", ""), clock
        is_for_us = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        patience_us = environ.get("WATCHDOG_USEC", "") if is_for_us else ""
        self._pause_s = int(patience_us) / 1e6 / BEATS if patience_us.isdecimal() else float("inf")
        self._beaten_s = float("-inf") if patience_us else clock()

    def beat(self) -> None:
        """The host has turned once more. As cheap as a look at the clock, nearly always."""
        if (now_s := self._clock()) - self._beaten_s >= self._pause_s:
            self._beaten_s = now_s
            self.tell("WATCHDOG=1")

    def tell(self, *states: str) -> None:
        """`READY=1`, `STOPPING=1`, `STATUS=...`. A game is never lost because nobody listens."""
        if not self._address:
            return
        hidden = self._address.startswith("@")  # a name that is in no file system
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
            wire.connect(f"\0{self._address[1:]}" if hidden else self._address)
            wire.sendall("\n".join(states).encode())
