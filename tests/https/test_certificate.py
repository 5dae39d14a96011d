"""The authority of the board and its certificates: who may be certified, for how long, and who can read the keys."""

from __future__ import annotations

import os
import ssl
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path
from stat import S_IMODE

import pytest
from cryptography import x509

from firmware_host.https.authority import (
    AUTHORITY_LIFE,
    EARLIEST,
    make_authority,
    read_pem,
    renew,
    write_pem,
)
from firmware_host.https.certificate import (
    LIFE,
    LOOPBACK,
    CertificateError,
    CertificateFiles,
    certifiable,
    fingerprint,
    handshake,
    read_certificate,
    server_context,
)
from firmware_host.https.renewal import make_in_process
from firmware_host.https.signing import certify
from firmware_host.storage.checked_file import copy_of

NAMES = frozenset({"cards", "cards.local", "192.168.1.20", "fd00::20"})
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def files(tmp_path: Path) -> CertificateFiles:
    made = CertificateFiles(tmp_path / "https")
    renew(made, NAMES, NOW)
    return made


def phone_trusting(files: CertificateFiles) -> ssl.SSLContext:
    """A phone that trusts the authority and nobody else. It checks everything but times and the host name."""
    phone = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    phone.check_hostname = False
    phone.verify_flags |= 0x200000
    phone.load_verify_locations(cadata=files.authority_certificate)
    return phone


def forge(files: CertificateFiles, names: Collection[str]) -> None:
    """Sign a certificate for any names, as somebody could who has stolen the key of the authority."""
    own = read_pem(files.board)
    begins = own.certificate.not_valid_before_utc
    write_pem(files.board, certify(read_pem(files.authority), sorted(names), begins, own.ends))


def test_a_phone_that_trusts_the_authority_accepts_the_board(files: CertificateFiles) -> None:
    seen = read_certificate(files)
    assert seen.names == NAMES
    assert seen.ends == NOW + LIFE and seen.names == NAMES


def test_another_phone_does_not(files: CertificateFiles) -> None:
    phone = ssl.create_default_context()
    phone.check_hostname = False
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(server_context(files.board), phone)


@pytest.mark.parametrize("name", ["bank.example", "cards.example", "localhost", "8.8.8.8", "127.0.0.1", "2001:db8::1"])
def test_a_stolen_authority_can_pose_as_no_other_site(files: CertificateFiles, name: str) -> None:
    forge(files, [name])
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        handshake(server_context(files.board), phone_trusting(files))


def test_a_stolen_authority_could_pose_as_the_board(files: CertificateFiles) -> None:
    """So that the test above refuses the names, not the forged certificate as such."""
    forge(files, ["cards.local"])
    assert handshake(server_context(files.board), phone_trusting(files))


def test_only_the_owner_can_read_the_keys(files: CertificateFiles) -> None:
    assert S_IMODE(files.folder.stat().st_mode) == 0o700
    read_certificate(files)  # gives the authority its copy
    assert {S_IMODE(file.stat().st_mode) for file in files.folder.iterdir()} == {0o600}
    assert {file.name for file in files.folder.iterdir()} == {"authority.pem", "authority.pem.copy", "board.pem"}


def test_a_damaged_authority_is_read_from_its_copy(files: CertificateFiles) -> None:
    before = files.authority_certificate
    content = files.authority.read_bytes()
    files.authority.write_bytes(content.replace(b"KEY-----\n", b"KEY-----\nA", 1))
    assert read_pem(files.authority).certificate and files.authority_certificate == before
    assert files.authority.read_bytes() == content


def test_the_download_has_no_key(files: CertificateFiles) -> None:
    assert b"PRIVATE KEY" in files.authority.read_bytes()
    certificate = x509.load_der_x509_certificate(files.authority_certificate)
    assert certificate.not_valid_after_utc == NOW + AUTHORITY_LIFE
    assert fingerprint(files.authority_certificate).count(":") == 31


def test_renewing_keeps_the_authority(files: CertificateFiles) -> None:
    before, key = files.authority_certificate, files.board.read_bytes()
    renew(files, {*NAMES, "10.0.0.5"}, NOW + timedelta(days=25))
    assert files.authority_certificate == before and files.board.read_bytes() != key
    assert read_certificate(files).names == NAMES | {"10.0.0.5"}
    assert read_certificate(files).ends == NOW + timedelta(days=25) + LIFE


def test_the_certificate_ends_with_its_authority(files: CertificateFiles) -> None:
    renew(files, NAMES, NOW + AUTHORITY_LIFE - timedelta(days=1))
    assert read_certificate(files).ends == NOW + AUTHORITY_LIFE


def test_an_authority_that_has_ended_certifies_nothing(files: CertificateFiles) -> None:
    with pytest.raises(CertificateError, match="cribboard https --new"):
        renew(files, NAMES, NOW + AUTHORITY_LIFE)


def test_an_expired_certificate_can_still_be_read(files: CertificateFiles) -> None:
    renew(files, NAMES, EARLIEST)
    assert read_certificate(files).is_due(datetime.now(UTC))


def test_a_clock_that_was_never_set_makes_no_certificate_of_1970(tmp_path: Path) -> None:
    made = CertificateFiles(tmp_path)
    renew(made, NAMES, datetime(1970, 1, 1, tzinfo=UTC))
    assert read_certificate(made).ends == EARLIEST + LIFE


def test_a_renamed_board_is_certified_by_its_addresses_alone(files: CertificateFiles) -> None:
    assert renew(files, {"parlour", "parlour.local", "192.168.1.20"}, NOW) == {"192.168.1.20"}
    with pytest.raises(CertificateError, match="cribboard https --new"):
        renew(files, {"parlour"}, NOW)
    make_authority(files, {"parlour", "parlour.local"}, NOW)
    assert renew(files, {"parlour", "192.168.1.20"}, NOW) == {"parlour", "192.168.1.20"}


def test_only_private_addresses_and_plain_names_can_be_certified() -> None:
    names = {"cards", "cards.local", "192.168.1.20", "8.8.8.8", "2001:db8::1", "::1", "127.0.0.1", "localhost"}
    assert certifiable({*names, "é.local", "", "a..b"}) == {"cards", "cards.local", "192.168.1.20"}


@pytest.mark.parametrize("content", [None, b"", b"-----BEGIN CERTIFICATE-----", b"\xff" * 100])
def test_a_damaged_file_is_named(files: CertificateFiles, content: bytes | None) -> None:
    for file in (files.board, files.authority):  # the authority is read first
        if content is None:
            file.unlink()
        else:
            file.write_bytes(content)
            if copy_of(file).exists():
                copy_of(file).write_bytes(content)
        with pytest.raises(CertificateError, match=file.name):
            read_certificate(files)


def test_a_full_disk_leaves_the_files_as_they_were(files: CertificateFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files.board.read_bytes()

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware_host.https.authority.replace_file", refuse)
    with pytest.raises(CertificateError, match="No space left"):
        renew(files, NAMES, NOW)
    assert files.board.read_bytes() == before


def test_only_an_authority_for_own_programs_certifies_loopback_names(files: CertificateFiles, tmp_path: Path) -> None:
    assert renew(files, NAMES | LOOPBACK, NOW) == NAMES
    own = CertificateFiles(tmp_path / "own", is_for_own_programs=True)
    make_in_process(own, NAMES | LOOPBACK)
    assert read_certificate(own).names == NAMES | LOOPBACK


@pytest.mark.parametrize("name", ["authority.pem", "board.pem"])
def test_a_pipe_as_a_certificate_is_refused_and_not_waited_for(files: CertificateFiles, name: str) -> None:
    file = files.folder / name
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(CertificateError, match=name):
        read_certificate(files)
