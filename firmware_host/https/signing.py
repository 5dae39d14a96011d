"""Makes keys and certificates: for the pages of a board, the broker of a club, and the servers of a league.

Needs the package `cryptography`, which takes 17 MB of memory; import it only where a certificate is made.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

from firmware_host.https.certificate import is_address

SERVER = (ExtendedKeyUsageOID.SERVER_AUTH,)
SERVER_AND_CLIENT = (ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH)
"""For a server that is also a client of others of its kind."""


class Certified(Struct, frozen=True):
    """A private key and the certificate of its public key."""

    key: EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def key_pem(self) -> bytes:
        """The key, not encrypted."""
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    @property
    def certificate_pem(self) -> bytes:
        """The certificate alone."""
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def ends(self) -> datetime:
        """The last second of its validity, in UTC. Debian Bookworm has a `cryptography` that knows only times without
        a zone, newer ones warn of those."""
        if hasattr(self.certificate, "not_valid_after_utc"):
            return self.certificate.not_valid_after_utc
        return self.certificate.not_valid_after.replace(tzinfo=UTC)


def read_certified(key_pem: bytes, certificate_pem: bytes) -> Certified:
    """A key and its certificate in PEM. Raises ValueError, also for a key that is not on an elliptic curve."""
    key = load_pem_private_key(key_pem, None)
    if not isinstance(key, EllipticCurvePrivateKey):
        raise ValueError(f"expected a key on an elliptic curve, got {type(key).__name__}")
    return Certified(key, x509.load_pem_x509_certificate(certificate_pem))


def new_authority(
    name: str, begins: datetime, ends: datetime, limits: Sequence[tuple[x509.ExtensionType, bool]] = ()
) -> Certified:
    """An authority that certifies no other one. `limits`: further extensions, and whether each is critical."""
    key = generate_private_key(SECP256R1())
    subject = named(name)
    builder = _begun(subject, subject, key, begins, ends)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage(key_cert_sign=True), critical=True)
    for limit, is_critical in limits:
        builder = builder.add_extension(limit, critical=is_critical)
    return Certified(key, builder.sign(key, SHA256()))


def certify(
    authority: Certified,
    hosts: Sequence[str],
    begins: datetime,
    ends: datetime,
    uses: Collection[x509.ObjectIdentifier] = SERVER,
) -> Certified:
    """A new key and its certificate for the server of these host names or addresses; the first one is its subject."""
    key = generate_private_key(SECP256R1())
    issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    builder = (
        _begun(named(hosts[0]), authority.certificate.subject, key, begins, ends)
        .add_extension(x509.SubjectAlternativeName([general_name(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(digital_signature=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        .add_extension(issuer_key, critical=False)
    )
    return Certified(key, builder.sign(authority.key, SHA256()))


def _begun(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey, begins: datetime, ends: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def named(name: str) -> x509.Name:
    """The subject with this common name, which phones show in their lists; 64 characters at most."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def general_name(name: str) -> x509.GeneralName:
    """A host name or an address, as certificates have it."""
    return x509.IPAddress(ip_address(name)) if is_address(name) else x509.DNSName(name)


def _usage(*, digital_signature: bool = False, key_cert_sign: bool = False) -> x509.KeyUsage:
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
