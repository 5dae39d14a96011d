"""Makes the certificate authority of this board, and certificates for the pages. The running program starts it as a
process of its own, `python -m firmware_host.https.authority [--own-programs] FOLDER NAME...`, because it needs
`cryptography` (`signing.py`).

The authority is limited to what it is for, because its key is on the board: it can certify the board's own host names
and addresses of private networks, for web servers, and no other authority.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path

from cryptography import x509

from firmware_host.errors import HostError
from firmware_host.https.certificate import (
    LIFE,
    LOOPBACK,
    OWN_PROGRAMS,
    PRIVATE_NETWORKS,
    CertificateError,
    CertificateFiles,
    is_address,
    unusable,
)
from firmware_host.https.signing import SERVER, Certified, certify, new_authority, read_certified
from firmware_host.storage.atomic_file import replace_file
from firmware_host.storage.checked_file import read_checked

AUTHORITY_LIFE = timedelta(days=3650)
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""A Pi without a clock may start in 1970, or ahead. An authority begins at this date, a certificate not before it."""
MARGIN = timedelta(days=1)
"""A certificate begins this much earlier: the clock of a phone may be slow."""
NEW_AUTHORITY = "make a new one with: cribboard https --new"


def renew(files: CertificateFiles, names: Collection[str], now: datetime) -> frozenset[str]:
    """Make a certificate for those of `names` that the authority may certify; make the authority if there is none.

    Returns the names in the certificate. Raises CertificateError, and then the files are as they were.
    """
    if not files.authority.exists():
        make_authority(files, names, now)
    authority = read_pem(files.authority)
    if authority.ends <= now:
        ended = f"one until {authority.ends:%Y-%m-%d}"
        raise CertificateError("an authority that is valid", ended, str(files.authority), NEW_AUTHORITY)
    chosen = sorted(name for name in files.certifiable(names) if is_permitted(authority.certificate, name))
    if not chosen:
        raise CertificateError(
            "a name that the authority may certify",
            ", ".join(sorted(names)) or "none",
            str(files.authority),
            NEW_AUTHORITY,
        )
    begins = max(now, EARLIEST)
    ends = min(begins + LIFE, authority.ends)
    write_pem(files.board, certify(authority, chosen, max(begins - MARGIN, EARLIEST), ends))
    return frozenset(chosen)


def make_authority(files: CertificateFiles, names: Collection[str], now: datetime) -> None:
    """Make an authority for the host names among `names`, and for private networks. Phones must trust it anew.

    Raises CertificateError.
    """
    chosen = files.certifiable(names)
    hosts = sorted(name for name in chosen if not is_address(name))
    loopback = [ip_network(name) for name in sorted(chosen & LOOPBACK) if is_address(name)]
    permitted = [*map(x509.DNSName, hosts), *map(x509.IPAddress, (*PRIVATE_NETWORKS, *loopback))]
    limits = (
        (x509.ExtendedKeyUsage(SERVER), False),
        (x509.NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None), True),
    )
    name = f"cribboard {hosts[0] if hosts else ''}".strip()
    write_pem(files.authority, new_authority(name, EARLIEST, max(now, EARLIEST) + AUTHORITY_LIFE, limits))


def is_permitted(authority: x509.Certificate, name: str) -> bool:
    """Whether the authority may certify this name; one made before the board was renamed may not."""
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    for permitted in constraints.permitted_subtrees or ():
        host = str(permitted.value)
        if isinstance(permitted, x509.IPAddress) and is_address(name):
            is_inside = ip_address(name) in ip_network(host)
        else:
            is_inside = isinstance(permitted, x509.DNSName) and (name == host or name.endswith(f".{host}"))
        if is_inside:
            return True
    return False


def read_pem(file: Path) -> Certified:
    """Key and certificate of a file. Raises CertificateError."""
    try:
        return read_checked(file, lambda pem: read_certified(pem.encode(), pem.encode()))
    except (OSError, ValueError) as error:
        raise unusable(file, error) from error


def write_pem(file: Path, certified: Certified) -> None:
    """Replace a file; only its owner may read it. Raises CertificateError."""
    try:
        replace_file(file, certified.key_pem + certified.certificate_pem)
    except OSError as error:
        got = error.strerror or str(error)
        raise CertificateError(
            "a file that can be written", got, str(file), "free some disk space, or correct the permissions"
        ) from error


def main(arguments: Collection[str]) -> Iterator[str]:
    """Renew the certificate in a folder; yields what went wrong."""
    folder, *names = (argument for argument in arguments if argument != OWN_PROGRAMS)
    try:
        renew(CertificateFiles(Path(folder), OWN_PROGRAMS in arguments), names, datetime.now(UTC))
    except HostError as error:
        yield str(error)


if __name__ == "__main__":
    sys.exit("\n".join(main(sys.argv[1:])) or 0)
