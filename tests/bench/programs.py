"""The program and its libraries, each in a process of its own.

Starts are compared by processor time: another program slows a start, but costs it little processor time. Program and
libraries run with the environment of the service, as on an owner's board.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
LIBRARIES = "gpiozero, serial, luma.oled.device, luma.core.interface.serial, flask, waitress.task"
"""The libraries the program cannot do without: the floor of its start time and of its memory."""
SERVICE = ROOT / "hardware" / "system" / "cribboard.service"
COUNT = (sys.executable, "-m", "firmware_host", "count", "5H", "5S", "5D", "JC", "5C")


class Imported(NamedTuple):
    """What a process costs that imports modules and does nothing else. `cpu_s` is processor time."""

    cpu_s: float
    resident_mib: float


class Program(NamedTuple):
    """`cribboard run` on a simulated board. `display_s` and `ready_s`: processor time until the display shows its first
    page, and until the panel can be opened."""

    process: subprocess.Popen[bytes]
    address: str
    display_s: float
    ready_s: float


def service_environment() -> dict[str, str]:
    """The environment of this process, with the variables that the service sets."""
    lines = SERVICE.read_text(encoding="utf-8").splitlines()
    words = [word for line in lines if line.startswith("Environment=") for word in shlex.split(line.partition("=")[2])]
    assert words, f"expected a line Environment= in {SERVICE}"
    return os.environ | dict(word.split("=", 1) for word in words)


def resident_mib(pid: int) -> float:
    """The resident memory of a process (VmRSS)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def processor_s(pid: int) -> float:
    """Processor time of all threads of a process so far. Linux only: its clock is numbered as in clock_getres(2)."""
    return time.clock_gettime(~pid << 3 | 2)


def import_modules(modules: str) -> Imported:
    """A new Python process that imports the modules, named with commas between them."""
    script = f"import {modules}; print('ready', flush=True); input()"
    command = [sys.executable, "-c", script]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=service_environment(), stdin=pipe, stdout=pipe) as process:
        assert process.stdout and process.stdin
        assert process.stdout.readline() == b"ready\n"
        imported = Imported(processor_s(process.pid), resident_mib(process.pid))
        process.stdin.write(b"\n")
    return imported


def processor_s_of(command: Sequence[str]) -> float:
    """The processor time of a command that ends by itself."""
    script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
    script += "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime)"
    run = subprocess.run([sys.executable, "-c", script, *command], cwd=ROOT, capture_output=True, text=True, check=True)
    return float(run.stdout)


@contextmanager
def running_program(state_folder: Path) -> Iterator[Program]:
    """The program until the block ends; then it is terminated, and waited for."""
    command = [sys.executable, "-m", "firmware_host", "run", "--state-folder", str(state_folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=service_environment(), stdout=pipe, stderr=pipe) as process:
        assert process.stdout and process.stderr
        while b"first page" not in process.stderr.readline():
            assert process.poll() is None
        display_s = processor_s(process.pid)
        line = process.stdout.readline().decode()
        ready_s = processor_s(process.pid)
        try:
            yield Program(process, line.split()[3], display_s, ready_s)
        finally:
            process.terminate()
