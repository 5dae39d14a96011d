"""`cribboard https`: what it makes and prints, and the errors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.https.certificate import CertificateFiles, fingerprint, read_certificate
from firmware_host.optional_packages import Option, install_command


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CertificateFiles:
    monkeypatch.setenv("CRIBBOARD_STATE_FOLDER", str(tmp_path))
    monkeypatch.setenv("CRIBBOARD_NAMES_ON_LAN", "Cards.test")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return CertificateFiles(tmp_path / "https")


def https(*options: str) -> Result:
    return CliRunner().invoke(main, ["https", *options])


def test_it_makes_authority_and_certificate(files: CertificateFiles) -> None:
    done = https()
    assert done.exit_code == 0, done.stderr
    assert "cards.test" in read_certificate(files).names
    assert fingerprint(files.authority_certificate) in done.stdout and "HTTPS is off" in done.stdout


def test_it_keeps_the_authority_unless_a_new_one_is_wanted(files: CertificateFiles) -> None:
    https()
    first = files.authority_certificate
    https()
    assert files.authority_certificate == first
    https("--new")
    assert files.authority_certificate != first and read_certificate(files)


def test_it_says_that_https_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HTTPS", "true")
    assert "HTTPS is on" in https().stdout


def test_a_missing_module_is_named_with_its_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.delitem(sys.modules, "firmware_host.https.authority", raising=False)
    monkeypatch.delattr("firmware_host.https.authority", raising=False)
    done = https()
    assert done.exit_code == 1 and install_command(Option.HTTPS) in done.stderr and "Traceback" not in done.stderr


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "https").write_text("a file in the way")
    done = https()
    assert done.exit_code == 1 and str(tmp_path / "https") in done.stderr
