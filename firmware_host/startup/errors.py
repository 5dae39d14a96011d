"""The error of a start that cannot go on."""

from __future__ import annotations

from firmware_host.errors import HostError


class StartupError(HostError):
    """The panel has no port to listen on, or the board cannot be opened."""
