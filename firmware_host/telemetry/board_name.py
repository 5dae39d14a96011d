"""The name of a board at the broker where the settings name none."""

from __future__ import annotations

import socket
from hashlib import sha256
from pathlib import Path

MACHINE_ID = Path("/etc/machine-id")


def usual_board_name() -> str:
    """Such as `cribboard-1a2b3c4d`: always the same on one machine, another one on every other machine."""
    try:
        identity = MACHINE_ID.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        identity = ""
    return f"cribboard-{sha256(f'cribboard {identity or socket.gethostname()}'.encode()).hexdigest()[:8]}"
