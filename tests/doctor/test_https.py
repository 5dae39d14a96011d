"""The check of HTTPS: on or off, until when, and what to do; never a fault."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_host.doctor.findings import Finding, Verdict
from firmware_host.doctor.https import check_https
from firmware_host.https.authority import renew
from firmware_host.https.certificate import CertificateFiles
from tests.doctor.fake_machine import FakeMachine
from tests.doctor.test_doctor import context

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def found(machine: FakeMachine, folder: Path, *, is_on: bool = True) -> Finding:
    base = context(machine)
    (finding,) = check_https(replace(base, settings=replace(base.settings, state_folder=folder, https=is_on)))
    return finding


@pytest.mark.parametrize(
    ("days", "verdict", "got"),
    [
        (0, Verdict.OK, "on; the certificate ends on 2026-05-31"),
        (25, Verdict.WARNING, "on, with a certificate that ends on 2026-05-31 and was not renewed"),
        (31, Verdict.WARNING, "on, with a certificate valid from 2026-04-30 to 2026-05-31 only"),
        (-31, Verdict.WARNING, "on, with a certificate valid from 2026-04-30 to 2026-05-31 only"),
    ],
)
def test_the_end_of_the_certificate_is_said(
    machine: FakeMachine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int, verdict: Verdict, got: str
) -> None:
    renew(CertificateFiles(tmp_path / "https"), {"cards.local"}, NOW)
    monkeypatch.setattr(machine, "now", lambda: NOW + timedelta(days=days))
    finding = found(machine, tmp_path)
    assert (finding.verdict, finding.got) == (verdict, got)
    assert bool(finding.fix) is (verdict is Verdict.WARNING) and "cards" not in finding.got


def test_without_a_certificate_the_fix_is_said(machine: FakeMachine, tmp_path: Path) -> None:
    finding = found(machine, tmp_path)
    assert finding.verdict is Verdict.WARNING and "cribboard https" in finding.fix


def test_a_damaged_certificate_is_said(machine: FakeMachine, tmp_path: Path) -> None:
    files = CertificateFiles(tmp_path / "https")
    renew(files, {"cards.local"}, NOW)
    files.board.write_bytes(b"damaged")
    assert found(machine, tmp_path).verdict is Verdict.WARNING


def test_https_that_is_off_needs_nothing(machine: FakeMachine, tmp_path: Path) -> None:
    finding = found(machine, tmp_path, is_on=False)
    assert (finding.verdict, finding.fix) == (Verdict.NOTE, "") and finding.got.startswith("off")
