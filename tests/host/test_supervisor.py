"""What systemd hears of a board: ready, still turning, stopping; and nothing where nobody listens."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from firmware_host.assemble import house_of
from firmware_host.host import Host
from firmware_host.journal import Journal
from firmware_host.settings import Settings
from firmware_host.supervisor import BEATS, Supervisor

PATIENCE_S = 20.0


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(PATIENCE_S)
        yield listening


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def heard(ear: socket.socket) -> list[str]:
    """What was said so far."""
    ear.setblocking(False)
    said = list[str]()
    try:
        while True:
            said.append(ear.recv(1024).decode())
    except BlockingIOError:
        return said


def test_it_beats_often_enough_and_no_oftener(ear: socket.socket) -> None:
    clock = Clock()
    supervisor = Supervisor({"NOTIFY_SOCKET": ear.getsockname(), "WATCHDOG_USEC": "30000000"}, clock)
    for step in range(50 * 60):
        clock.now_s = step / 50
        supervisor.beat()
    assert heard(ear) == ["WATCHDOG=1"] * (2 * BEATS)


def test_a_name_in_no_file_system_is_found() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0cribboard-test-{os.getpid()}")
        Supervisor({"NOTIFY_SOCKET": f"@cribboard-test-{os.getpid()}"}).tell("READY=1", "STATUS=Good evening")
        assert heard(listening) == ["READY=1\nSTATUS=Good evening"]


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"NOTIFY_SOCKET": "/nobody/listens", "WATCHDOG_USEC": "1000"},
        {"WATCHDOG_USEC": "soon"},
    ],
)
def test_where_nobody_listens_nothing_happens(environ: dict[str, str]) -> None:
    supervisor = Supervisor(environ)
    supervisor.tell("READY=1")
    supervisor.beat()


def test_a_watchdog_that_waits_for_another_program_hears_nothing(ear: socket.socket) -> None:
    environ = {"NOTIFY_SOCKET": ear.getsockname(), "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"}
    Supervisor(environ).beat()
    assert heard(ear) == []


def test_a_board_says_when_it_is_ready_that_it_turns_and_that_it_stops(ear: socket.socket, tmp_path: Path) -> None:
    environ = {**os.environ, "NOTIFY_SOCKET": ear.getsockname(), "WATCHDOG_USEC": "400000", "XDG_CONFIG_HOME": "/none"}
    run = [sys.executable, "-m", "firmware_host", "run", "--state-folder", str(tmp_path / "state")]
    board = subprocess.Popen(run, env=environ, stdout=subprocess.DEVNULL)
    try:
        until(ear, "READY=1\nSTATUS=The panel is at http://127.0.0.1:")
        until(ear, "WATCHDOG=1")
        until(ear, "WATCHDOG=1")
    finally:
        board.send_signal(signal.SIGTERM)
    until(ear, "STOPPING=1")
    assert board.wait(PATIENCE_S) == 0


def until(ear: socket.socket, beginning: str) -> None:
    while not ear.recv(1024).decode().startswith(beginning):
        pass


def test_a_host_that_only_stumbles_does_not_beat(tmp_path: Path) -> None:
    beats, stumbles = list[None](), Event()

    class Stumbling(Host):
        def step(self) -> None:
            stumbles.set()
            raise ZeroDivisionError

    house = replace(house_of(Settings(state_folder=tmp_path)), beat=lambda: beats.append(None))
    host = Stumbling(house, Journal.in_memory(), monotonic)
    host.start()
    assert stumbles.wait(PATIENCE_S)
    host.stop()
    assert not beats
