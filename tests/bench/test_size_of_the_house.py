"""What the whole program weighs and how soon it is ready, against the libraries it has to import."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

pytestmark = pytest.mark.bench

LIBRARIES = "import gpiozero, serial, luma.oled.device, luma.core.interface.serial, flask, waitress.server"
"""What the user asked for, with the server that Flask needs: the floor for everything below."""


def resident_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def bare_import() -> tuple[float, float]:
    """Seconds and MiB that the libraries alone cost."""
    script = f"{LIBRARIES}; print('ready', flush=True); input()"
    began_s = time.monotonic()
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdin
        process.stdout.readline()
        took_s, size = time.monotonic() - began_s, resident_mib(process.pid)
        process.stdin.write(b"\n")
    return took_s, size


@contextmanager
def cribboard(state: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, float]]:
    """The program running: its process, its address, and how long it took to say so; the OLED shows its first text
    just before."""
    began_s = time.monotonic()
    command = [sys.executable, "-m", "firmware_host", "run", "--state-folder", str(state)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        line = process.stdout.readline().decode()
        took_s = time.monotonic() - began_s
        try:
            yield process, line.split()[3], took_s
        finally:
            process.terminate()


def test_ready_and_resident(tmp_path: Path) -> None:
    import_s, import_mib = bare_import()
    with cribboard(tmp_path) as (process, address, ready_s), ExitStack() as watching:
        idle_mib = resident_mib(process.pid)
        for _ in range(10):
            watching.enter_context(urlopen(f"{address}api/v1/stream"))
        body = json.dumps({"run": True}).encode()
        urlopen(Request(f"{address}api/v1/demo", body, {"Content-Type": "application/json"})).close()
        time.sleep(15)
        watched_mib = resident_mib(process.pid)
    print(f"\nlibraries alone: {import_s:.2f} s, {import_mib:.1f} MiB")
    print(f"ready: {ready_s:.2f} s, {ready_s / import_s:.2f} times the bare import; idle {idle_mib:.1f} MiB")
    print(f"a game on and ten phones watching: {watched_mib:.1f} MiB")
