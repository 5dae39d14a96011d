"""Makes the certificate authority of this board, and certificates for the pages. The only module that needs
`cryptography`, which takes 17 MB of memory: the running program starts it as a process of its own,
`python -m firmware_host.https.authority [--own-programs] FOLDER NAME...`.

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
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

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
from firmware_host.storage.atomic_file import replace_file

AUTHORITY_LIFE = timedelta(days=3650)
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""A Pi without a clock may start in 1970, or ahead. An authority begins at this date, a certificate not before it."""
MARGIN = timedelta(days=1)
"""A certificate begins this much earlier: the clock of a phone may be slow."""
NEW_AUTHORITY = "make a new one with: cribboard https --new"
SERVER_ONLY = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])


def renew(files: CertificateFiles, names: Collection[str], now: datetime) -> frozenset[str]:
    """Make a certificate for those of `names` that the authority may certify; make the authority if there is none.

    Returns the names in the certificate. Raises CertificateError, and then the files are as they were.
    """
    if not files.authority.exists():
        make_authority(files, names, now)
    key, authority = read_pem(files.authority)
    if end_of(authority) <= now:
        ended = f"one until {end_of(authority):%Y-%m-%d}"
        raise CertificateError("an authority that is valid", ended, str(files.authority), NEW_AUTHORITY)
    chosen = sorted(name for name in files.certifiable(names) if is_permitted(authority, name))
    if not chosen:
        raise CertificateError(
            "a name that the authority may certify",
            ", ".join(sorted(names)) or "none",
            str(files.authority),
            NEW_AUTHORITY,
        )
    own_key = generate_private_key(SECP256R1())
    begins = max(now, EARLIEST)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(named(chosen[0]))
        .issuer_name(authority.subject)
        .public_key(own_key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(max(begins - MARGIN, EARLIEST))
        .not_valid_after(min(begins + LIFE, end_of(authority)))
        .add_extension(x509.SubjectAlternativeName([general_name(name) for name in chosen]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage(digital_signature=True), critical=True)
        .add_extension(SERVER_ONLY, critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(own_key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
        .sign(key, SHA256())
    )
    write_pem(files.board, own_key, certificate)
    return frozenset(chosen)


def make_authority(files: CertificateFiles, names: Collection[str], now: datetime) -> None:
    """Make an authority for the host names among `names`, and for private networks. Phones must trust it anew.

    Raises CertificateError.
    """
    key = generate_private_key(SECP256R1())
    chosen = files.certifiable(names)
    hosts = sorted(name for name in chosen if not is_address(name))
    loopback = [ip_network(name) for name in sorted(chosen & LOOPBACK) if is_address(name)]
    permitted = [*map(x509.DNSName, hosts), *map(x509.IPAddress, (*PRIVATE_NETWORKS, *loopback))]
    subject = named(f"cribboard {hosts[0] if hosts else ''}".strip())
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(EARLIEST)
        .not_valid_after(max(now, EARLIEST) + AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage(key_cert_sign=True), critical=True)
        .add_extension(SERVER_ONLY, critical=False)
        .add_extension(x509.NameConstraints(permitted_subtrees=permitted, excluded_subtrees=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, SHA256())
    )
    write_pem(files.authority, key, certificate)


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


def end_of(certificate: x509.Certificate) -> datetime:
    """The last second of its validity, in UTC. Debian Bookworm has a `cryptography` that knows only times without a
    zone, newer ones warn of those."""
    if hasattr(certificate, "not_valid_after_utc"):
        return certificate.not_valid_after_utc
    return certificate.not_valid_after.replace(tzinfo=UTC)


def named(name: str) -> x509.Name:
    """The subject with this common name, which phones show in their lists; 64 characters at most."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def general_name(name: str) -> x509.GeneralName:
    return x509.IPAddress(ip_address(name)) if is_address(name) else x509.DNSName(name)


def usage(*, digital_signature: bool = False, key_cert_sign: bool = False) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=digital_signature,
        key_cert_sign=key_cert_sign,
        crl_sign=key_cert_sign,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def read_pem(file: Path) -> tuple[EllipticCurvePrivateKey, x509.Certificate]:
    """Key and certificate of a file. Raises CertificateError."""
    try:
        content = file.read_bytes()
        key = load_pem_private_key(content, None)
        certificate = x509.load_pem_x509_certificate(content)
    except (OSError, ValueError) as error:
        raise unusable(file, error) from error
    if not isinstance(key, EllipticCurvePrivateKey):
        raise unusable(file, ValueError("another kind of key"))
    return key, certificate


def write_pem(file: Path, key: EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
    """Replace a file; only its owner may read it. Raises CertificateError."""
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        replace_file(file, secret + certificate.public_bytes(Encoding.PEM))
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
