"""An MQTT broker: where it is, and the name, password and certificates with which the board connects to it."""

from __future__ import annotations

import socket
import ssl
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

MACHINE_ID = Path("/etc/machine-id")
USUAL_PREFIX = "cribboard-"
"""Of the name of a board that nobody named."""


class Broker(Struct, frozen=True):
    """Where the broker is, and how the board proves who it is. `board` is the client id and the level in topics."""

    host: str
    port: int = 1883
    board: str = "cribboard"
    tls: bool = False
    ca: str = ""
    certificate: str = ""
    key: str = ""
    """Paths of files; empty: none. Without `ca` the system's authorities count."""
    user: str = ""
    password_file: str = ""


def usual_board_name() -> str:
    """Such as `cribboard-1a2b3c4d`: always the same on one machine, another one on every other machine."""
    try:
        identity = MACHINE_ID.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        identity = ""
    return f"{USUAL_PREFIX}{sha256(f'cribboard {identity or socket.gethostname()}'.encode()).hexdigest()[:8]}"


class LinkError(Exception):
    """Why there is no connection, in one sentence that says how to fix it."""


class TlsContext(ssl.SSLContext):
    """Remembers its latest socket, because paho leaves it open where the handshake fails."""

    latest: ssl.SSLSocket | None = None

    def wrap_socket(self, *arguments: Any, **options: Any) -> ssl.SSLSocket:
        """As in the base class."""
        self.latest = super().wrap_socket(*arguments, **options)
        return self.latest


def password_of(broker: Broker) -> str | None:
    """The password, read for each connection, so that a corrected file needs no restart. Raises LinkError."""
    if not broker.password_file:
        return None
    try:
        return Path(broker.password_file).read_text(encoding="utf-8").split("\n", 1)[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no text in UTF-8"
        fix = "correct its name or its rights"
        raise LinkError(f"mqtt_password_file cannot be read: {broker.password_file}: {why}; {fix}") from error


def tls_context_of(broker: Broker) -> TlsContext:
    """The TLS settings of a connection, with the certificates of the broker's files. Raises LinkError."""
    context = TlsContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        if broker.ca:
            context.load_verify_locations(broker.ca)
        else:
            context.load_default_certs()
        if broker.certificate:
            context.load_cert_chain(broker.certificate, broker.key or None)
    except (OSError, ssl.SSLError) as error:
        raise LinkError(f"a certificate file cannot be used: {error}; check mqtt_ca and mqtt_certificate") from error
    return context
