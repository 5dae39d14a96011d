"""Which user has the other end of a connection from this computer. Linux lists that in /proc/net/tcp; see proc(5)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
LOCAL_COLUMN = 1
REMOTE_COLUMN = 2
UID_COLUMN = 7


def is_own_user(environ: Mapping[str, object], own_uid: int | None = None) -> bool:
    """Whether the sender of a request runs as the user of this program. Elsewhere than on Linux: always.

    A relay or another program of this computer that passes on what strangers send is usually another user's.
    """
    if not sys.platform.startswith("linux"):
        return True
    peer = f"{environ.get('REMOTE_ADDR')} {environ.get('REMOTE_PORT')}"
    uid = uid_of(peer, str(environ.get("SERVER_PORT")))
    return uid == (os.getuid() if own_uid is None else own_uid)


def uid_of(peer: str, server_port: str) -> int | None:
    """The user of the socket whose own end is `peer` ("address port") and whose other end is our port; None: none."""
    with suppress(ValueError):
        address, port = peer.split()
        wanted = (ip_address(address), int(port))
        written = f":{int(port):04X} "
        for line in lines():
            if written not in line:  # to read every line takes milliseconds, where a thousand connections have ended
                continue
            columns = line.split()
            if end_of(columns[LOCAL_COLUMN]) == wanted and end_of(columns[REMOTE_COLUMN])[1] == int(server_port):
                return int(columns[UID_COLUMN])
    return None


def lines() -> Iterator[str]:
    """The sockets of this computer, one a line."""
    for table in TABLES:
        with suppress(OSError):
            yield from table.read_text().splitlines()[1:]


def end_of(text: str) -> tuple[object, int]:
    """Address and port of one end. The address is in words of 32 bits, each in the byte order of the processor."""
    words, _, port = text.partition(":")
    packed = b"".join(int(words[start : start + 8], 16).to_bytes(4, sys.byteorder) for start in range(0, len(words), 8))
    address = ip_address(packed)
    return getattr(address, "ipv4_mapped", None) or address, int(port, 16)
