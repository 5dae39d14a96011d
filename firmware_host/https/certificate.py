"""The certificate of the pages: its files, and what a phone that trusts the board's authority sees of it.

Nothing here needs the package `cryptography`: the program loads it only while a certificate is made.
"""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path

from msgspec import Struct

from firmware_host.errors import HostError
from firmware_host.storage.checked_file import keep_copy, read_checked
from firmware_host.storage.plain_file import check_plain

LIFE = timedelta(days=30)
"""How long a certificate of the board is valid. It is on the board alone, so that nothing can revoke it."""
RENEWED_BEFORE_END = timedelta(days=10)

PRIVATE_NETWORKS = tuple(
    ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10")
)
"""The only addresses that the authority may certify. They may change; the authority is trusted for years."""

OWN_PROGRAMS = "--own-programs"
"""The option of `python -m firmware_host.https.authority` for files with `is_for_own_programs`."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

IGNORE_TIME = 0x200000
"""X509_V_FLAG_NO_CHECK_TIME of OpenSSL: an expired certificate is read like any other."""
MOST_TURNS = 10
BEGIN = "-----BEGIN CERTIFICATE-----"
END = "-----END CERTIFICATE-----"


class CertificateError(HostError):
    """There is no certificate, or it cannot be read or used."""


class CertificateFiles(Struct, frozen=True):
    """The two files in the folder `https` of the state folder. Each has a private key and its certificate, in PEM."""

    folder: Path
    is_for_own_programs: bool = False
    """Whether the authority may also certify the loopback names. Not if phones trust it: there they mean the phone."""

    def certifiable(self, names: Collection[str]) -> frozenset[str]:
        """Those of the names that the authority in these files may certify."""
        return certifiable(names) | (LOOPBACK.intersection(names) if self.is_for_own_programs else frozenset())

    @property
    def authority(self) -> Path:
        """Of the authority, which phones trust."""
        return self.folder / "authority.pem"

    @property
    def board(self) -> Path:
        """Of the pages, signed by the authority."""
        return self.folder / "board.pem"

    @property
    def authority_certificate(self) -> bytes:
        """The certificate of the authority in DER, without its key; whoever reads it gives its file a check and a
        copy. Raises CertificateError."""
        try:
            keep_copy(self.authority, der_of)
            return read_checked(self.authority, der_of)
        except (OSError, ValueError) as error:
            raise unusable(self.authority, error) from error


class Certificate(Struct, frozen=True):
    """What a phone sees of the certificate of the pages."""

    names: frozenset[str]
    """Host names and addresses for which it is valid, as in an URL but without brackets."""
    begins: datetime
    ends: datetime
    """First and last second of its validity, in UTC."""

    def is_due(self, now: datetime) -> bool:
        """Whether it should be renewed: it ends soon, or was made while the clock was ahead."""
        return not self.begins <= now <= self.ends - RENEWED_BEFORE_END


def der_of(pem: str) -> bytes:
    """The first certificate of a text, in DER. Raises ValueError."""
    return ssl.PEM_cert_to_DER_cert(pem[pem.index(BEGIN) : pem.index(END) + len(END)])


def certifiable(names: Collection[str]) -> frozenset[str]:
    """The names that the authority may certify: host names in ASCII, and addresses of private networks."""
    return frozenset(name for name in names if (is_private(name) if is_address(name) else is_host_name(name)))


def is_host_name(name: str) -> bool:
    """Whether it can be the name of a board in a certificate; `localhost` is each phone's own name."""
    return name.isascii() and name != "localhost" and all(name.split("."))


def is_address(name: str) -> bool:
    """Whether it is an IP address."""
    with suppress(ValueError):
        return bool(ip_address(name))
    return False


def is_private(address: str) -> bool:
    """Whether it is an address of a private network."""
    ip = ip_address(address)
    return any(ip.version == network.version and ip in network for network in PRIVATE_NETWORKS)


def server_context(file: Path) -> ssl.SSLContext:
    """The TLS settings of the pages, with key and certificate of `file`. Raises CertificateError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION  # each one costs the board a signature
    context.set_alpn_protocols(["http/1.1"])
    load(context, file)
    return context


def load(context: ssl.SSLContext, file: Path) -> None:
    """Use key and certificate of `file` from the next connection on. Raises CertificateError."""
    try:
        check_plain(file)
        context.load_cert_chain(file)
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise unusable(file, error) from error


def read_certificate(files: CertificateFiles) -> Certificate:
    """The certificate in `files`, as a phone that trusts the authority sees it: by a handshake in memory. It may have
    expired. Raises CertificateError."""
    authority = files.authority_certificate
    phone = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    phone.check_hostname = False
    try:
        phone.load_verify_locations(cadata=authority)
        phone.verify_flags |= IGNORE_TIME
        seen = handshake(server_context(files.board), phone)
    except ssl.SSLError as error:
        raise unusable(files.board, error) from error
    names = (str(name) for _, name in seen["subjectAltName"])
    return Certificate(
        frozenset(str(ip_address(name)) if is_address(name) else name for name in names),
        *(datetime.fromtimestamp(ssl.cert_time_to_seconds(str(seen[day])), UTC) for day in ("notBefore", "notAfter")),
    )


def handshake(server: ssl.SSLContext, client: ssl.SSLContext) -> dict[str, tuple[tuple[str, str], ...]]:
    """The server's certificate as the client sees it after a handshake. Raises ssl.SSLError."""
    to_server = ssl.MemoryBIO()
    to_client = ssl.MemoryBIO()
    near = client.wrap_bio(to_client, to_server)
    far = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(MOST_TURNS):
        for side in (near, far):
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
    return near.getpeercert() or {}  # type: ignore[return-value]  # typeshed has one type for all fields


def fingerprint(certificate: bytes) -> str:
    """The SHA-256 of a certificate in DER, as phones show it: 32 bytes in hexadecimal."""
    return hashlib.sha256(certificate).digest().hex(":").upper()


def unusable(file: Path, error: Exception) -> CertificateError:
    """The error of a file that is missing, unreadable or damaged."""
    got = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
    return CertificateError("a key and its certificate", got, str(file), "make it with: cribboard https")
