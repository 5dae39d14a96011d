"""The broker that the program of a club runs for its boards, with TLS, and what a board needs to connect to it."""

from __future__ import annotations

import secrets
import ssl
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, sleep

from firmware_host.club_server.threads import background_thread
from firmware_host.https.certificate import LOOPBACK, CertificateFiles
from firmware_host.https.renewal import Renewal
from firmware_host.mqtt_messages.topics import CODE_DIGITS
from firmware_host.telemetry.local_broker import LocalBroker

PORT = 8883
WATCH_S = 1.0
START_S = 5.0
"""How long Mosquitto has before somebody connects and gets no answer, in seconds."""
LOOK_S = 0.02
BOARD_FOLDER = "/etc/cribboard"
"""On the board; where its settings look for the two files."""

SETTINGS = """\
[mqtt]
host = "{host}"
port = {port}
tls = true
ca = "{folder}/{authority}"
board = "{name}"
user = "{name}"
password_file = "{folder}/mqtt-password"
results = true
"""
AUTHORITY_FILE = "club-ca.pem"


def certificate_of(folder: Path, names: Callable[[], Collection[str]]) -> Renewal:
    """The certificate of the broker in a folder, by an authority of its own: boards that trust it need not trust the
    pages. `names` are those of this computer.

    It has the loopback names too, for boards that run on this computer. A phone never trusts this authority.
    """
    return Renewal(CertificateFiles(folder / "tls", is_for_own_programs=True), lambda: LOOPBACK.union(names()))


@contextmanager
def running(broker: LocalBroker) -> Iterator[None]:
    """The broker for the time of a block; it is started again whenever it ends."""
    broker.start()
    try:
        _wait_until_listening(broker)
        with background_thread(partial(_watch, broker), "club-broker"):
            yield
    finally:
        broker.stop()


def _wait_until_listening(broker: LocalBroker) -> None:
    until_s = monotonic() + START_S
    while not broker.is_listening and monotonic() < until_s:
        sleep(LOOK_S)


def _watch(broker: LocalBroker, ends: Event) -> None:
    while not ends.wait(WATCH_S):
        broker.watch()


def files_for_board(broker: LocalBroker, certificate: Renewal, name: str, host: str, port: int) -> dict[str, str]:
    """Let a board connect, and return the files that it needs, by their names: its settings, its new password, and the
    certificate to trust. Raises CertificateError and LocalBrokerError."""
    certificate.open()
    authority = ssl.DER_cert_to_PEM_cert(certificate.files.authority_certificate)
    settings = settings_for_board(name, host, port, AUTHORITY_FILE)
    password = broker.add_board(name)
    return {"cribboard.toml": settings, "mqtt-password": f"{password}\n", AUTHORITY_FILE: authority}


def settings_for_board(name: str, host: str, port: int, authority: str) -> str:
    """The settings of a board for this broker, as TOML; `authority` is the name of the certificate file."""
    return SETTINGS.format(name=name, host=host, port=port, authority=authority, folder=BOARD_FOLDER)


def new_code() -> str:
    """A code for the screen of the room, drawn at random."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
