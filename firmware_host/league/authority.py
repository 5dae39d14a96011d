"""The certificate authority of a league's servers. The only module of the league that needs `cryptography`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID
from msgspec import Struct

from firmware_host.https.authority import general_name, named, usage
from firmware_host.storage.atomic_file import replace_file

CA_LIFE = timedelta(days=3650)
SERVER_LIFE = timedelta(days=825)
MARGIN = timedelta(days=1)
"""A certificate begins this much earlier: the clock of a board may be slow."""


class Authority(Struct, frozen=True):
    """Signs the certificates of the servers."""

    key: EllipticCurvePrivateKey
    certificate: x509.Certificate

    @classmethod
    def open(cls, key_file: Path, certificate_file: Path) -> Authority:
        """The authority in these files; a new one where they are missing. Raises OSError and ValueError."""
        if not key_file.exists():
            key = generate_private_key(SECP256R1())
            replace_file(key_file, _key_pem(key))
            replace_file(certificate_file, _certificate_pem(_own_certificate(key)))
        key_read = load_pem_private_key(key_file.read_bytes(), None)
        if not isinstance(key_read, EllipticCurvePrivateKey):
            raise ValueError(f"{key_file}: expected a key on an elliptic curve, got {type(key_read).__name__}")
        return cls(key_read, x509.load_pem_x509_certificate(certificate_file.read_bytes()))

    @property
    def certificate_pem(self) -> bytes:
        """What boards and servers trust."""
        return _certificate_pem(self.certificate)

    def certify(self, *hosts: str) -> tuple[bytes, bytes]:
        """A key and its certificate for the server of these host names or addresses, in PEM. A server of a cluster is
        also a client of the others."""
        key = generate_private_key(SECP256R1())
        usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        certificate = (
            _begun(hosts[0], self.certificate.subject, key, SERVER_LIFE)
            .add_extension(x509.SubjectAlternativeName([general_name(host) for host in hosts]), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(usage(digital_signature=True), critical=True)
            .add_extension(x509.ExtendedKeyUsage(usages), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
            .sign(self.key, SHA256())
        )
        return _key_pem(key), _certificate_pem(certificate)


def _own_certificate(key: EllipticCurvePrivateKey) -> x509.Certificate:
    name = "cribboard league"
    return (
        _begun(name, named(name), key, CA_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage(key_cert_sign=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, SHA256())
    )


def _begun(subject: str, issuer: x509.Name, key: EllipticCurvePrivateKey, life: timedelta) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(named(subject))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - MARGIN)
        .not_valid_after(now + life)
    )


def _key_pem(key: EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _certificate_pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(Encoding.PEM)
