"""The certificate authority of a league's servers. The only module of the league that needs `cryptography`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from firmware_host.https.signing import SERVER_AND_CLIENT, Certified, certify, new_authority, read_certified
from firmware_host.storage.atomic_file import replace_file

CA_LIFE = timedelta(days=3650)
SERVER_LIFE = timedelta(days=825)
MARGIN = timedelta(days=1)
"""A certificate begins this much earlier: the clock of a board may be slow."""


def open_authority(key_file: Path, certificate_file: Path) -> Certified:
    """The authority in these files; a new one where they are missing. Raises OSError and ValueError."""
    if not key_file.exists():
        now = datetime.now(UTC)
        made = new_authority("cribboard league", now - MARGIN, now + CA_LIFE)
        replace_file(key_file.resolve(), made.key_pem)
        replace_file(certificate_file.resolve(), made.certificate_pem)
    return read_certified(key_file.read_bytes(), certificate_file.read_bytes())


def certify_server(authority: Certified, *hosts: str) -> Certified:
    """For the server of these host names or addresses. A server of a cluster is also a client of the others."""
    now = datetime.now(UTC)
    return certify(authority, hosts, now - MARGIN, now + SERVER_LIFE, SERVER_AND_CLIENT)
