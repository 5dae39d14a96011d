"""The program and its libraries, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
LIBRARIES = "gpiozero, serial, luma.oled.device, luma.core.interface.serial, flask, waitress.task"
"""The libraries the program cannot do without: the floor of its start time and of its memory."""


class Imported(NamedTuple):
    """What a process costs that imports modules and does nothing else."""

    ready_s: float
    resident_mib: float


class Program(NamedTuple):
    """`cribboard run` on a simulated board. `ready_s`: from the start of the process until it prints its address,
    which is just after the display shows its first page."""

    process: subprocess.Popen[bytes]
    address: str
    ready_s: float


def resident_mib(pid: int) -> float:
    """The resident memory of a process (VmRSS)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def import_modules(modules: str) -> Imported:
    """A new Python process that imports the modules, named with commas between them."""
    script = f"import {modules}; print('ready', flush=True); input()"
    began_s = time.monotonic()
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdin
        assert process.stdout.readline() == b"ready\n"
        imported = Imported(time.monotonic() - began_s, resident_mib(process.pid))
        process.stdin.write(b"\n")
    return imported


@contextmanager
def running_program(state_folder: Path) -> Iterator[Program]:
    """The program until the block ends; then it is terminated, and waited for."""
    began_s = time.monotonic()
    command = [sys.executable, "-m", "firmware_host", "run", "--state-folder", str(state_folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        line = process.stdout.readline().decode()
        ready_s = time.monotonic() - began_s
        try:
            yield Program(process, line.split()[3], ready_s)
        finally:
            process.terminate()
