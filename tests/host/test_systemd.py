"""The messages to systemd: ready, watchdog, stopping; and none without its socket."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from msgspec.structs import replace

from firmware_host.config.settings import Settings
from firmware_host.host.loop import Host
from firmware_host.host.systemd import PINGS_PER_TIMEOUT, SystemdNotifier
from firmware_host.startup.boards import host_setup_of
from firmware_host.storage.journal import Journal

TIMEOUT_S = 60.0


@pytest.fixture
def systemd_socket(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(TIMEOUT_S)
        yield listening


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def messages(systemd_socket: socket.socket) -> list[str]:
    """Every message received so far."""
    systemd_socket.setblocking(False)
    received = list[str]()
    try:
        while True:
            received.append(systemd_socket.recv(1024).decode())
    except BlockingIOError:
        return received


def test_watchdog_is_pinged_four_times_per_timeout(systemd_socket: socket.socket) -> None:
    clock = Clock()
    notifier = SystemdNotifier({"NOTIFY_SOCKET": systemd_socket.getsockname(), "WATCHDOG_USEC": "30000000"}, clock)
    for step in range(50 * 60):
        clock.now_s = step / 50
        notifier.ping_watchdog()
    assert messages(systemd_socket) == ["WATCHDOG=1"] * (2 * PINGS_PER_TIMEOUT)


def test_abstract_socket_name_works() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0cribboard-test-{os.getpid()}")
        SystemdNotifier({"NOTIFY_SOCKET": f"@cribboard-test-{os.getpid()}"}).notify("READY=1", "STATUS=Playing")
        assert messages(listening) == ["READY=1\nSTATUS=Playing"]


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"NOTIFY_SOCKET": "/no/such/socket", "WATCHDOG_USEC": "1000"},
        {"WATCHDOG_USEC": "soon"},
    ],
)
def test_missing_or_wrong_systemd_variables_are_ignored(environ: dict[str, str]) -> None:
    notifier = SystemdNotifier(environ)
    notifier.notify("READY=1")
    notifier.ping_watchdog()


def test_watchdog_of_another_process_is_not_pinged(systemd_socket: socket.socket) -> None:
    environ = {"NOTIFY_SOCKET": systemd_socket.getsockname(), "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"}
    SystemdNotifier(environ).ping_watchdog()
    assert messages(systemd_socket) == []


def test_program_reports_ready_watchdog_and_stopping(systemd_socket: socket.socket, tmp_path: Path) -> None:
    environ = {
        **os.environ,
        "NOTIFY_SOCKET": systemd_socket.getsockname(),
        "WATCHDOG_USEC": "400000",
        "XDG_CONFIG_HOME": "/none",
    }
    command = [sys.executable, "-m", "firmware_host", "run", "--state-folder", str(tmp_path / "state")]
    program = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    try:
        wait_for(systemd_socket, "READY=1\nSTATUS=The panel is at http://127.0.0.1:")
        wait_for(systemd_socket, "WATCHDOG=1")
        wait_for(systemd_socket, "WATCHDOG=1")
    finally:
        program.send_signal(signal.SIGTERM)
    wait_for(systemd_socket, "STOPPING=1")
    assert program.wait(TIMEOUT_S) == 0


def wait_for(systemd_socket: socket.socket, prefix: str) -> None:
    while not systemd_socket.recv(1024).decode().startswith(prefix):
        pass


def test_failing_host_does_not_ping_watchdog(tmp_path: Path) -> None:
    pings, failed = list[None](), Event()

    class FailingHost(Host):
        def step(self) -> None:
            failed.set()
            raise ZeroDivisionError

    setup = replace(host_setup_of(Settings(state_folder=tmp_path)), on_step=lambda: pings.append(None))
    host = FailingHost(setup, Journal.in_memory(), monotonic)
    host.start()
    assert failed.wait(TIMEOUT_S)
    host.stop()
    assert not pings
