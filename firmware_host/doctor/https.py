"""The check of HTTPS: whether the pages are encrypted, and until when their certificate is valid. A game can be played
without, so nothing here is a FAULT. The names in the certificate are left out: strangers may read a report."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC

from firmware_host.doctor.findings import DoctorContext, Finding, nearest_existing, note, passed, warning
from firmware_host.https.certificate import CertificateError, CertificateFiles, read_certificate

EXPECTED = "a certificate that a phone accepts, renewed by itself"
FIX = "Start the board and read its log (journalctl -u cribboard), or make one with: cribboard https."


def check_https(context: DoctorContext) -> Iterable[Finding]:
    """One line: whether HTTPS is on, and when the certificate ends."""
    settings = context.settings
    if not settings.https:
        yield note("https", "off: the pages are sent in clear", "on or off")
        return
    if not context.machine.may_write(nearest_existing(settings.https_folder)):
        yield note("https", "on; the certificate was not checked: its folder is another user's", EXPECTED)
        return
    try:
        certificate = read_certificate(CertificateFiles(settings.https_folder))
    except CertificateError as fault:
        yield warning("https", EXPECTED, f"on, without a usable certificate: {fault.got}", FIX)
        return
    ends = certificate.ends
    now = context.machine.now().astimezone(UTC)
    if not certificate.begins <= now <= ends:
        got = f"on, with a certificate valid from {certificate.begins:%Y-%m-%d} to {ends:%Y-%m-%d} only"
        yield warning("https", EXPECTED, got, FIX)
    elif certificate.is_due(now):
        got = f"on, with a certificate that ends on {ends:%Y-%m-%d} and was not renewed"
        yield warning("https", EXPECTED, got, FIX)
    else:
        yield passed("https", EXPECTED, f"on; the certificate ends on {ends:%Y-%m-%d}")
