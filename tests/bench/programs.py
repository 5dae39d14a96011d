"""The libraries of the program, and its short commands, each in a process of its own.

Starts are compared by processor time: another program slows a start, but costs it little processor time. Program and
libraries run with the environment of the service, as on an owner's board.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from firmware_host.doctor.benchmark import processor_s, resident_mib, service_environment

ROOT = Path(__file__).parents[2]
LIBRARIES = "gpiozero, serial, luma.oled.device, luma.core.interface.serial, flask, h11"
"""The libraries the program cannot do without: the floor of its start time and of its memory."""
COUNT = (sys.executable, "-m", "firmware_host", "count", "5H", "5S", "5D", "JC", "5C")


class Imported(NamedTuple):
    """What a process costs that imports modules and does nothing else. `cpu_s` is processor time."""

    cpu_s: float
    resident_mib: float


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
