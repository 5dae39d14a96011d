"""`cribboard club serve` as a process, as an organiser starts it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from firmware_host.club.state import Club, Night
from firmware_host.club_server.store import ClubFile
from tests.free_port import free_port
from tests.web_panel.browsing import ROOT


class Server:
    """`cribboard club serve` in a process of its own, with a state folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self._options = options
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self.password = ""
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "firmware_host", "club", "--state-folder", str(self.folder)]
        command += ["serve", "--port", str(self.port), *self._options]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        lines = [self._process.stdout.readline() for _ in range(4)]
        for line in lines:
            if "password " in line:
                self.password = line.split("password ")[1].strip()

    def end(self) -> None:
        """As Ctrl-C: the broker ends too."""
        self._process.terminate()
        self._process.wait()

    def lose_power(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    @property
    def club(self) -> Club:
        with closing(ClubFile.open(self.folder / "club.sqlite3")) as file:
            return file.club

    @property
    def night(self) -> Night:
        return self.club.nights[-1]


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Server]:
    """A server for the time of a block; its end is a power cut."""
    server = Server(folder, *options)
    try:
        yield server
    finally:
        server.lose_power()
