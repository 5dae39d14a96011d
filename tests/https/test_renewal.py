"""The renewal: when it makes a certificate, and that running pages use it without a restart."""

from __future__ import annotations

import ssl
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from firmware_host.https import authority
from firmware_host.https.certificate import LIFE, CertificateError, CertificateFiles, handshake, read_certificate
from firmware_host.https.renewal import RETRY_S, Renewal, make_in_process
from tests.https.test_certificate import NAMES, NOW, phone_trusting


class Board:
    """A board with a clock, names that may change, and an authority that may fail."""

    def __init__(self, folder: Path) -> None:
        self.files = CertificateFiles(folder)
        self.names, self.now, self.seconds = set(NAMES), NOW, 0.0
        self.is_broken, self.attempts = False, 0
        self.renewal = self.started()

    def started(self) -> Renewal:
        """The renewal of a new start."""
        return Renewal(self.files, lambda: self.names, self._make, lambda: self.now, lambda: self.seconds)

    def _make(self, files: CertificateFiles, names: Collection[str]) -> None:
        self.attempts += 1
        if self.is_broken:
            raise CertificateError("a disk", "none", "/", "buy one")
        authority.renew(files, names, self.now)


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path / "https")


def seen_end(board: Board, context: ssl.SSLContext) -> datetime:
    """The end of the certificate that a new connection gets."""
    seen = handshake(context, phone_trusting(board.files))
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(seen["notAfter"])), UTC)


def test_the_first_start_makes_a_certificate_and_later_ones_keep_it(board: Board) -> None:
    board.renewal.open()
    assert not board.renewal.check()
    again = board.started()
    again.open()
    assert not again.check() and board.attempts == 1


def test_new_connections_get_the_renewed_certificate(board: Board) -> None:
    context = board.renewal.open()
    assert seen_end(board, context) == NOW + LIFE
    board.now += timedelta(days=19)
    assert not board.renewal.check()
    board.now += timedelta(days=2)
    assert board.renewal.check()
    assert seen_end(board, context) == board.now + LIFE


def test_a_certificate_of_a_clock_that_was_wrong_is_renewed(board: Board) -> None:
    for error in (timedelta(days=-400), timedelta(days=400)):
        board.files.board.unlink(missing_ok=True)
        board.now = NOW + error
        renewal = board.started()
        renewal.open()
        board.now = NOW
        assert renewal.check() and not renewal.check()
        assert read_certificate(board.files).ends == NOW + LIFE


def test_a_new_address_is_certified_at_once(board: Board) -> None:
    board.renewal.open()
    board.names.add("192.168.7.7")
    assert board.renewal.check() and not board.renewal.check()
    assert "192.168.7.7" in read_certificate(board.files).names


def test_an_address_that_cannot_be_certified_renews_nothing(board: Board) -> None:
    board.renewal.open()
    board.names.add("2001:db8::7")
    assert not board.renewal.check() and board.attempts == 1


def test_a_name_that_the_authority_may_not_certify_is_tried_once_an_hour(board: Board) -> None:
    board.renewal.open()
    board.names.add("parlour.local")
    for _ in range(60):
        board.renewal.check()
        board.seconds += 60
    assert board.attempts == 2
    board.seconds += RETRY_S
    board.renewal.check()
    assert board.attempts == 3


def test_a_failed_renewal_keeps_the_pages_and_is_tried_again(board: Board) -> None:
    context = board.renewal.open()
    board.is_broken, board.now = True, board.now + LIFE
    with pytest.raises(CertificateError):
        board.renewal.check()
    assert not board.renewal.check()
    assert seen_end(board, context) == NOW + LIFE
    board.is_broken, board.seconds = False, RETRY_S
    assert board.renewal.check()


def test_a_damaged_certificate_is_made_again_at_the_start(board: Board) -> None:
    board.renewal.open()
    board.files.board.write_bytes(b"damaged")
    board.started().open()
    assert read_certificate(board.files).names == NAMES


def test_the_process_that_makes_certificates(tmp_path: Path) -> None:
    files = CertificateFiles(tmp_path / "https")
    make_in_process(files, NAMES)
    assert read_certificate(files).names == NAMES and not read_certificate(files).is_due(datetime.now(UTC))


def test_its_error_is_passed_on(tmp_path: Path) -> None:
    files = CertificateFiles(tmp_path / "https")
    with pytest.raises(CertificateError, match="a name that the authority may certify"):
        make_in_process(files, {"8.8.8.8"})
