"""The computer of the organiser: its program and its broker, and a disk that loses what was not synced in a power cut.

Everything that the program writes is recorded. After a power cut its folder gets one of the states that the disk may
have then; see `tests/reliability/simulated_disk.py`. The broker's own database is not recorded: it is kept, or lost.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

from firmware_host.config.settings import Settings
from tests.reliability.recording import ROOT, Call, files_below, recorder, recording_of
from tests.reliability.simulated_disk import Cut, Disk

BROKER_DATABASE = "mosquitto.db"
STOP_S = 60.0


class OrganisersMachine:
    """Runs `tests.club.load.organiser` on the files below `folder`/disk."""

    def __init__(self, folder: Path, broker_port: int) -> None:
        self.settings = Settings(state_folder=folder / "disk")
        self.broker_port, self._folder, self._random = broker_port, folder, Random(1)
        self._starts = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def _log(self) -> Path:
        return self._folder / f"calls-{self._starts}"

    def start(self) -> None:
        """Switch it on."""
        self._starts += 1
        self._before = _recorded(files_below(self.settings.state_folder))
        environ = os.environ | {"PYTHONUNBUFFERED": "1"} | recorder(self._folder, self.settings.state_folder, self._log)
        arguments = [str(self.settings.state_folder), str(self.broker_port)]
        with (self._folder / "organiser.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.club.load.organiser", *arguments],
                cwd=ROOT,
                env=environ,
                stdout=log,
                stderr=log,
            )

    @property
    def has_ended(self) -> bool:
        """Whether the program ended by itself."""
        return self._process is not None and self._process.poll() is not None

    @property
    def processes(self) -> dict[str, int]:
        """The ids of what runs on it now."""
        assert self._process
        found = {"organiser": self._process.pid}
        with suppress(OSError, ValueError):
            found["broker"] = int((self.settings.club_broker / "mosquitto.pid").read_text())
        return found

    def kill_broker(self) -> None:
        """kill -9. The program starts it again."""
        os.kill(self.processes["broker"], signal.SIGKILL)

    def cut_power(self, cut: Cut, *, loses_broker_database: bool) -> None:
        """kill -9 for everything, and a disk that has lost what `cut` says."""
        assert self._process
        killed = [os.pidfd_open(process) for process in self.processes.values()]
        for process in killed:
            signal.pidfd_send_signal(process, signal.SIGKILL)
        for process in killed:
            select.select([process], [], [], STOP_S)
            os.close(process)
        self._process.wait(STOP_S)
        state = self.settings.state_folder
        recording = recording_of(state, self._log, self._before)
        disk = Disk(self._before)
        for call in recording.calls:
            if not _is_of_broker(call):
                disk.apply(call)
        assert disk.found(Cut.KILLED, self._random) == _recorded(files_below(state)), "the recording has gaps"
        databases = {file: file.read_bytes() for file in state.rglob(f"{BROKER_DATABASE}*")}
        shutil.rmtree(state)
        for name, content in disk.found(cut, self._random).items():
            (state / name).parent.mkdir(parents=True, exist_ok=True)
            (state / name).write_bytes(content)
        for file, content in databases.items() if not loses_broker_database else ():
            file.write_bytes(content)

    def stop(self) -> None:
        """Switch it off properly."""
        if self._process:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(STOP_S)


def _recorded(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: content for name, content in files.items() if BROKER_DATABASE not in name}


def _is_of_broker(call: Call) -> bool:
    return BROKER_DATABASE in call.path or BROKER_DATABASE in call.other
