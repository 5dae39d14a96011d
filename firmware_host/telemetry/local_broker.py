"""Configures and runs Mosquitto for a club night, with configuration, passwords and rights in one folder.

| file | content |
|---|---|
| `mosquitto.conf` | the listener; every message on the disk before it is acknowledged, as far as Mosquitto can |
| `passwords` | a PBKDF2-SHA512 hash for each board and for the program of the club, in Mosquitto's own format |
| `acl` | a board writes and reads its own topics only; the club reads all boards, and writes to them |
| `expelled` | the names of the boards that were expelled: nothing that they left is kept |
| `club-password` | the password of the program of the club |
| `tls/` | the authority that boards trust, and the broker's key and certificate (`https/certificate.py`) |
| `mosquitto.pid` | the process, so that the next start can end one that was left over |
| `mosquitto.db` | what Mosquitto keeps. All of it comes again from the boards and from the program of the club |
| `mosquitto.db.aside` | a `mosquitto.db` with which Mosquitto did not start |

The user name of a board is its client id (`use_username_as_clientid`) and the level in its topics. So a board can
neither publish for another one nor take over its session. Every password is drawn here at random.

With a certificate the boards connect by TLS alone. The program of the club then has a listener of its own on the
loopback interface, because no authority certifies `localhost`.
"""

from __future__ import annotations

import logging
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from hashlib import pbkdf2_hmac
from pathlib import Path
from pwd import getpwuid
from time import monotonic
from typing import TYPE_CHECKING

from firmware_host.errors import HostError
from firmware_host.mqtt_messages.topics import EVENT, JOIN, RESULT, RETAINED, ROOT
from firmware_host.optional_packages import Option, install_command
from firmware_host.storage.atomic_file import replace_file
from firmware_host.storage.plain_file import read_file
from firmware_host.telemetry.broker import Broker

if TYPE_CHECKING:
    from firmware_host.https.renewal import Renewal

log = logging.getLogger(__name__)

CLUB = "cribboard-club"
"""The user of the program of the club. No board may have this name."""
PASSWORD_BYTES = 15
ITERATIONS = 101
SALT_BYTES = 12
HASH_BYTES = 64
"""As mosquitto_passwd writes them. So few rounds are enough for passwords of 120 random bits."""
NAME_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
LONGEST_NAME = 40
BOARD_NAME = f"1 to {LONGEST_NAME} letters, digits, - or _"
STOP_S = 10.0

CHECK_CERTIFICATE_S = 60.0
LARGEST_MESSAGE = 65_536
"""In bytes. The largest that a board sends, with six long names, has some thousands."""
MOST_QUEUED = 16 * 1024 * 1024
"""In bytes, of the messages that wait for one client: those of the program of the club, while it does not run."""
MOST_MEMORY = 128 * 1024 * 1024
"""In bytes; what would need more is refused."""

TLS = """\
certfile {file}
keyfile {file}
tls_version tlsv1.2
listener {own_port} 127.0.0.1
use_username_as_clientid true
"""
"""Belongs to the listener of the boards, and begins that of the club. The file has key and certificate. The version is
the oldest that is accepted."""
CONFIGURATION = f"""\
listener {{port}} {{address}}
use_username_as_clientid true
{{tls}}\
allow_anonymous false
password_file {{folder}}/passwords
acl_file {{folder}}/acl
persistence true
persistence_location {{folder}}/
autosave_interval 1
autosave_on_changes true
message_size_limit {LARGEST_MESSAGE}
max_queued_messages 10000
max_queued_bytes {MOST_QUEUED}
memory_limit {MOST_MEMORY}
log_dest stderr
log_type error
log_type warning
user {{user}}
"""
WRITTEN_BY_BOARDS = (*RETAINED, EVENT, RESULT, JOIN)
"""A board writes on these topics alone: under names of its own it could have as much kept as it likes."""
RIGHTS = "\n".join(
    (
        f"user {CLUB}",
        f"topic readwrite {ROOT}/from/#",
        f"topic write {ROOT}/to/#",
        "",
        *(f"pattern write {ROOT}/from/%u/{name}" for name in WRITTEN_BY_BOARDS),
        f"pattern read {ROOT}/to/%u/#",
        "",
    )
)


class LocalBrokerError(HostError):
    """The broker of the club cannot be configured or started."""


class LocalBroker:
    """A broker in `folder`. With `certificate`, which need not be open, boards connect by TLS alone. Every method
    raises LocalBrokerError or, with a certificate, CertificateError."""

    def __init__(
        self, folder: Path, address: str = "127.0.0.1", port: int = 1883, certificate: Renewal | None = None
    ) -> None:
        self._folder = folder.absolute()
        self._address = address
        self._port = port
        self._certificate = certificate
        self._checked_s = 0.0
        self._own_port = free_port() if certificate else port
        self._process: subprocess.Popen[bytes] | None = None
        self._read_at = 0

    @property
    def boards(self) -> tuple[str, ...]:
        """The boards that may connect, in the order in which they were added."""
        return tuple(name for name in self._hashes() if name != CLUB)

    def add_board(self, name: str) -> str:
        """Let a board connect, and return its password. A board of this name that exists gets another password."""
        if not is_board_name(name) or name == CLUB:
            raise LocalBrokerError(BOARD_NAME, repr(name), "name of a board", "choose another name")
        if name in self.expelled:
            self._write_expelled(self.expelled - {name})
        return self._set_password(name)

    @property
    def expelled(self) -> frozenset[str]:
        """The boards that were expelled, and not added again."""
        with suppress(OSError, UnicodeDecodeError):
            return frozenset(read_file(self._folder / "expelled").decode("ascii").split())
        return frozenset()

    def _write_expelled(self, names: frozenset[str]) -> None:
        self._write("expelled", "".join(f"{name}\n" for name in sorted(names)))

    def expel_board(self, name: str) -> None:
        """Take the right to connect away. A running broker closes the board's connection within a second, and the
        program of the club removes what it left there, at its next start if it does not run."""
        hashes = dict(self._hashes())
        if name == CLUB or hashes.pop(name, None) is None:
            raise LocalBrokerError("the name of a board", repr(name), str(self._folder), "see `board list`")
        self._write_expelled(self.expelled | {name})
        self._write_hashes(hashes)

    def club_access(self) -> Broker:
        """How the program of the club connects."""
        file = self._folder / "club-password"
        if CLUB not in self._hashes() or not file.exists():
            self._write("club-password", self._set_password(CLUB))
        is_own = self._certificate or self._address in ("0.0.0.0", "::", "")
        host = "127.0.0.1" if is_own else self._address
        return Broker(host, self._own_port, CLUB, user=CLUB, password_file=str(file))

    def start(self) -> None:
        """Write the configuration and start Mosquitto. Messages and retained state of an earlier run are kept."""
        program = find_mosquitto()
        self.club_access()
        user = getpwuid(os.geteuid()).pw_name
        places = {"port": self._port, "address": self._address, "folder": self._folder, "user": user}
        text = CONFIGURATION.format(**places, tls=self._tls_configuration())
        self._write("mosquitto.conf", text)
        self._write("acl", RIGHTS)
        self._read_at = self._written_at()
        self._end_earlier()
        try:
            # in a session of its own: Ctrl-C is for this program, which ends the broker last
            command = [program, "-c", str(self._folder / "mosquitto.conf")]
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        except OSError as fault:
            got = fault.strerror or str(fault)
            fix = "reinstall mosquitto"
            raise LocalBrokerError("a program that can be started", got, program, fix) from fault
        self._write("mosquitto.pid", str(self._process.pid))

    @property
    def is_listening(self) -> bool:
        """Whether the program of the club can connect."""
        access = self.club_access()
        with socket.socket() as probe:
            return probe.connect_ex((access.host, access.port)) == 0

    def watch(self) -> None:
        """To be called about once a second: starts Mosquitto again if it has ended, and has it read passwords that
        another program changed, and a new certificate."""
        if self._process is None:
            return
        if (code := self._process.poll()) is not None:
            if code > 0:  # it ended with an error, not by a signal
                self._set_database_aside()
            self.start()
        elif self._written_at() != self._read_at or self._is_certificate_new():
            self._read_at = self._written_at()
            self._process.send_signal(signal.SIGHUP)

    def _tls_configuration(self) -> str:
        if self._certificate is None:
            return ""
        self._certificate.open()
        self._certificate.check()
        return TLS.format(file=self._certificate.files.board, own_port=self._own_port)

    def _is_certificate_new(self) -> bool:
        """Whether it had to be renewed: a night may be weeks after the start, or in another network."""
        if self._certificate is None or monotonic() - self._checked_s < CHECK_CERTIFICATE_S:
            return False
        self._checked_s = monotonic()
        try:
            return self._certificate.check()
        except HostError as fault:  # what is there may still be valid
            log.error("the certificate of the broker was not renewed: %s", fault)
            return False

    def stop(self) -> None:
        """End Mosquitto; it writes what it keeps."""
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_S)
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            self._process = None

    def _set_database_aside(self) -> None:
        """Mosquitto does not start with a damaged database, such as after a power cut."""
        database = self._folder / "mosquitto.db"
        with suppress(OSError):
            database.replace(database.with_name(f"{database.name}.aside"))
            log.warning("%s is set aside: Mosquitto did not start with it, or had another error", database)

    def _end_earlier(self) -> None:
        """End a Mosquitto of this folder that outlived its program, for example after kill -9: it holds the port, and
        would not read changed passwords. Linux only."""
        with suppress(OSError, ValueError):
            number = int(read_file(self._folder / "mosquitto.pid"))
            command = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
            if str(self._folder / "mosquitto.conf").encode() in command:
                ended = os.pidfd_open(number)
                os.kill(number, signal.SIGTERM)
                select.select([ended], [], [], STOP_S)
                os.close(ended)

    def _written_at(self) -> int:
        with suppress(OSError):
            return (self._folder / "passwords").stat().st_mtime_ns
        return 0

    def _hashes(self) -> Mapping[str, str]:
        try:
            lines = read_file(self._folder / "passwords").decode("ascii").splitlines()
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as fault:
            raise self._unusable(fault) from fault
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def _set_password(self, name: str) -> str:
        password = new_password()
        self._write_hashes({**self._hashes(), name: password_hash(password)})
        return password

    def _write_hashes(self, hashes: Mapping[str, str]) -> None:
        self._write("passwords", "".join(f"{name}:{text}\n" for name, text in hashes.items()))

    def _write(self, name: str, text: str) -> None:
        try:
            replace_file(self._folder / name, text.encode("ascii"))
        except (OSError, UnicodeEncodeError) as fault:
            raise self._unusable(fault) from fault

    def _unusable(self, fault: Exception) -> LocalBrokerError:
        return LocalBrokerError("a folder for the broker", str(fault), str(self._folder), "correct its rights")


def find_mosquitto() -> str:
    """The path of the program. Raises LocalBrokerError where it is not installed."""
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        fix = f"run: {install_command(Option.CLUB)}, or use another broker (mqtt_host)"
        raise LocalBrokerError("the program mosquitto", "it is not installed", "broker of the club", fix)
    return program


def read_club_password(file: Path) -> str:
    """The password of the program of the club. Raises LocalBrokerError for another file."""
    try:
        password = read_file(file).decode("ascii")
    except (OSError, UnicodeDecodeError) as fault:
        raise LocalBrokerError("the password of the club", str(fault), str(file), "name another backup") from fault
    if not password or not set(password) <= NAME_LETTERS:
        raise LocalBrokerError("the password of the club", "another text", str(file), "name another backup")
    return password


def is_board_name(name: str) -> bool:
    """Whether it can be a user name, and a level in topics, of every broker."""
    return 1 <= len(name) <= LONGEST_NAME and set(name) <= NAME_LETTERS


def new_password() -> str:
    """A password of 120 random bits that needs no quotes anywhere."""
    return secrets.token_urlsafe(PASSWORD_BYTES)


def free_port() -> int:
    """A free port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def password_hash(password: str) -> str:
    """The line of a password as Mosquitto 1.6 and later read it, without the name."""
    salt = secrets.token_bytes(SALT_BYTES)
    digest = pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS, HASH_BYTES)
    return f"$7${ITERATIONS}${b64encode(salt).decode()}${b64encode(digest).decode()}"
