"""Real servers on the loopback interface: three NATS servers and a PostgreSQL, with their own folders and free ports.

As root they run as another user, because PostgreSQL refuses to be root.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from glob import glob
from pathlib import Path
from urllib.request import urlopen

import pytest

from firmware_host.league.boards import Board
from firmware_host.league.database import Database
from firmware_host.league.nats_config import Node, write_configuration
from tests.free_port import free_port

PATIENCE_S = 240.0
"""How long a test waits for a server: it only ends tests that hang."""
NOBODY = 65534
LAME_DUCK_S = 30
"""In which time a server that is stopped hands its clients to others. The shortest that NATS takes; 120 are usual."""

NATS = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")
POSTGRES = next(iter(sorted(glob("/usr/lib/postgresql/*/bin"), reverse=True)), "")
needs_servers = pytest.mark.skipif(
    not (NATS and POSTGRES), reason="no servers: sudo apt install nats-server postgresql-15"
)


def wait_until(condition: Callable[[], object], what: str = "the condition") -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until_s, f"never true: {what}"
        time.sleep(0.05)


@contextmanager
def server_folder() -> Iterator[Path]:
    """A folder that belongs to the user of the servers."""
    folder = Path(tempfile.mkdtemp(prefix="cribboard-league-", dir="/tmp"))
    try:
        give_to_servers(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def start(command: Sequence[str], log: Path, nice: int = 0) -> subprocess.Popen[bytes]:
    """Start a server, as another user where this is root."""
    as_root = os.geteuid() == 0
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            cwd=log.parent,
            stdout=output,
            stderr=output,
            user=NOBODY if as_root else None,
            group=NOBODY if as_root else None,
            extra_groups=[] if as_root else None,
        )


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def is_healthy(node: Node) -> bool:
    """What `curl -s localhost:8222/healthz` says."""
    try:
        with urlopen(f"http://127.0.0.1:{node.monitor_port}/healthz", timeout=5) as answer:
            return bool(json.load(answer)["status"] == "ok")
    except OSError:
        return False


def usage_of(pid: int) -> tuple[float, float]:
    """Processor time in seconds, and resident memory in MiB, of a process; zeros after its end."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0, 0.0
    tick, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    return (int(fields[11]) + int(fields[12])) / tick, int(fields[21]) * page / 2**20


def give_to_servers(path: Path) -> None:
    """Make it belong to their user."""
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY)


def local_nodes() -> list[Node]:
    """Three nodes on free ports of the loopback interface."""
    return [
        Node(f"n{i}", "127.0.0.1", free_port(), free_port(), free_port(), "127.0.0.1", free_port()) for i in range(3)
    ]


class NatsCluster:
    """Three servers with the product's own configuration."""

    def __init__(self, folder: Path, boards: Sequence[Board]) -> None:
        self.folder, self.nodes = folder, local_nodes()
        self.configure(boards)
        self.processes = dict[str, subprocess.Popen[bytes]]()

    @property
    def access(self) -> Path:
        return self.folder / "collector" / "access.toml"

    def configure(self, boards: Sequence[Board]) -> None:
        write_configuration(self.folder, self.nodes, boards, None)
        for node in self.nodes:
            with (self.folder / node.name / "nats.conf").open("a") as file:
                file.write(f'lame_duck_duration: "{LAME_DUCK_S}s"\n')
        for path in (self.folder, *self.folder.rglob("*")):
            give_to_servers(path)

    def start(self) -> None:
        for node in self.nodes:
            self.start_node(node)
        for node in self.nodes:
            wait_until(lambda node=node: is_listening(node.mqtt_port), f"{node.name} listens")  # type: ignore[misc]

    def start_node(self, node: Node) -> None:
        assert NATS
        home = self.folder / node.name
        self.processes[node.name] = start([NATS, "-c", str(home / "nats.conf")], home / "log")

    def reload(self) -> None:
        for process in self.processes.values():
            process.send_signal(signal.SIGHUP)

    def kill(self, node: Node) -> None:
        """As a power cut."""
        self.processes[node.name].kill()
        self.processes[node.name].wait()

    def upgrade(self, node: Node) -> None:
        """As `systemctl restart cribboard-nats` does, until the server is well again."""
        self.processes[node.name].send_signal(signal.SIGUSR2)
        self.processes[node.name].wait(PATIENCE_S)
        self.start_node(node)
        wait_until(lambda: is_healthy(node), f"{node.name} is well")

    def stop(self) -> None:
        for process in self.processes.values():
            process.kill()
            process.wait()


class Postgres:
    """A server with an archive of its write-ahead log that `commit` waits for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data, self.wal = (
            folder / "postgres",
            folder / "postgres" / "data",
            folder / "postgres" / "wal",
        )
        self.port = free_port()
        self.receiver: subprocess.Popen[bytes] | None = None
        for path in (self.folder, self.wal):
            path.mkdir()
            give_to_servers(path)
        self.run("initdb", "-D", str(self.data), "-A", "trust", "-U", "league", "-E", "UTF8", "--locale=C.UTF-8")
        settings = {
            "port": self.port,
            "listen_addresses": "'127.0.0.1'",
            "unix_socket_directories": "''",
            "track_commit_timestamp": "on",  # so that the database itself says when a row was committed
            "max_wal_size": "2GB",
        }
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())

    @property
    def address(self) -> str:
        return f"postgresql://league@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *arguments: str) -> None:
        process = start([f"{POSTGRES}/{program}", *arguments], self.folder / "log")
        assert process.wait(PATIENCE_S) == 0, (self.folder / "log").read_text()[-2000:]

    def start(self) -> None:
        self.process = start([f"{POSTGRES}/postgres", "-D", str(self.data)], self.folder / "log")
        wait_until(self.is_ready, "PostgreSQL is ready")

    def is_ready(self) -> bool:
        command = [f"{POSTGRES}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(command, check=False).returncode == 0

    def is_recovered(self) -> bool:
        with Database(self.address) as database:
            return database.execute("SELECT pg_is_in_recovery()") == [(False,)]

    def restart(self) -> None:
        """As an administrator does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE_S)
        self.start()

    def kill(self) -> None:
        """As a power cut: the server and its children."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for pid in (self.process.pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def begin_backup(self) -> None:
        """Make a base backup, and receive the write-ahead log, as the README says."""
        self.run(
            "pg_receivewal", "-D", str(self.wal), "-S", "league", "--create-slot", "--if-not-exists", *self._server
        )
        self.start_receiver()
        self.run("pg_basebackup", "-D", str(self.folder / "base"), "-X", "none", "-c", "fast", *self._server)

    @property
    def _server(self) -> tuple[str, ...]:
        return ("-h", "127.0.0.1", "-p", str(self.port), "-U", "league")

    def start_receiver(self) -> None:
        """The program that copies the log; it goes on where it ended."""
        receive = ("-D", str(self.wal), "-S", "league", "--synchronous", *self._server)
        self.receiver = start([f"{POSTGRES}/pg_receivewal", *receive], self.folder / "receivewal.log")

    def kill_receiver(self) -> None:
        """As a power cut of the machine that has the copy."""
        assert self.receiver
        self.receiver.kill()
        self.receiver.wait()

    def lose_and_restore(self) -> None:
        """Kill the server, delete its data, and restore it from the backup and the received log."""
        self.kill()
        assert self.receiver
        self.receiver.terminate()
        self.receiver.wait()
        shutil.rmtree(self.data)
        (self.folder / "base").rename(self.data)
        for partial in self.wal.glob("*.partial"):
            partial.rename(partial.with_suffix(""))
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(f"restore_command = 'cp {self.wal}/%f %p'\nrecovery_target_timeline = 'latest'\n")
        signal_file = self.data / "recovery.signal"
        signal_file.touch()
        give_to_servers(signal_file)
        self.start()
        wait_until(self.is_recovered, "the log is replayed")  # until then it answers, with what is replayed

    def stop(self) -> None:
        for process in (self.receiver, getattr(self, "process", None)):
            if process and process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.wait(PATIENCE_S)
