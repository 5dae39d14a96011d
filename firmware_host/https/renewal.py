"""Keeps the certificate of the running pages valid: a thread checks it every minute.

A certificate is made by a process of its own (`authority.py`), and used from the next connection on. Open connections
go on.
"""

from __future__ import annotations

import logging
import ssl
import subprocess
import sys
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from threading import Event, Thread
from time import monotonic

from firmware_host.https.certificate import (
    OWN_PROGRAMS,
    Certificate,
    CertificateError,
    CertificateFiles,
    load,
    read_certificate,
    server_context,
)
from firmware_host.optional_packages import Option, install_command

CHECK_S = 60.0
RETRY_S = 3600.0
"""After an attempt for the same names that was not enough: the disk is full, or the authority is for other names."""
LONGEST_S = 60.0
"""For one attempt, so that systemd does not end a start. A Pi Zero takes seconds."""

log = logging.getLogger(__name__)


def make_in_process(files: CertificateFiles, names: Collection[str]) -> None:
    """Make a certificate in another process. Raises CertificateError."""
    option = [OWN_PROGRAMS] if files.is_for_own_programs else []
    command = [sys.executable, "-m", "firmware_host.https.authority", *option, str(files.folder), *sorted(names)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S)
    except (OSError, subprocess.SubprocessError) as error:
        raise failed(files, str(error)) from error
    if done.returncode:
        raise failed(files, (done.stderr.strip() or "no reason").splitlines()[-1])


def failed(files: CertificateFiles, got: str) -> CertificateError:
    """The error of a certificate that could not be made; `got`: the reason."""
    fix = f"correct that; if the module cryptography is missing, run: {install_command(Option.HTTPS)}"
    return CertificateError("a new certificate", got, str(files.board), fix)


class Renewal:
    """The certificate of the pages, and the thread that renews it. `names` returns the names of the board as they are
    now; `make` makes a certificate and raises CertificateError."""

    def __init__(
        self,
        files: CertificateFiles,
        names: Callable[[], Collection[str]],
        make: Callable[[CertificateFiles, Collection[str]], None] = make_in_process,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic_clock: Callable[[], float] = monotonic,
    ) -> None:
        self.files = files
        self._names = names
        self._make = make
        self._clock = clock
        self._monotonic = monotonic_clock
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="https", daemon=True)
        self._tried_names = frozenset[str]()
        self._tried_s = float("-inf")
        self._context: ssl.SSLContext | None = None
        self._certificate: Certificate | None = None

    def open(self) -> ssl.SSLContext:
        """The TLS settings of the pages, which later renewals change. Makes a certificate if there is none that can be
        used. Raises CertificateError."""
        try:
            self._certificate = read_certificate(self.files)
        except CertificateError:
            self._make(self.files, self._names())
            self._certificate = read_certificate(self.files)
        self._context = server_context(self.files.board)
        return self._context

    @property
    def context(self) -> ssl.SSLContext:
        """The TLS settings of the pages, after `open`."""
        assert self._context
        return self._context

    def start(self) -> None:
        """Start the thread, after `open`."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; a renewal in progress ends it later."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self.check()
            except CertificateError as error:
                log.error("the certificate of the pages was not renewed: %s", error)
            except Exception:
                log.exception("the check of the certificate failed")
            self._stopped.wait(CHECK_S)

    def check(self) -> bool:
        """Renew the certificate if it ends soon, or a name of the board is not in it. Returns whether it was renewed.

        Raises CertificateError.
        """
        assert self._context and self._certificate
        names = frozenset(self._names())
        if not self._is_due(names):
            return False
        if names == self._tried_names and self._monotonic() - self._tried_s < RETRY_S:
            return False
        self._tried_names = names
        self._tried_s = self._monotonic()
        self._make(self.files, names)
        self._certificate = read_certificate(self.files)
        load(self._context, self.files.board)
        if not self._is_due(names):
            self._tried_names = frozenset()
        log.info("the certificate of the pages was renewed; it ends on %s", f"{self._certificate.ends:%Y-%m-%d}")
        return True

    def _is_due(self, names: Collection[str]) -> bool:
        assert self._certificate
        return not self._certificate.names >= self.files.certifiable(names) or self._certificate.is_due(self._clock())
