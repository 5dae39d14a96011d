"""How much memory the program takes, compared with a process that only imports its libraries."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from urllib.request import Request, urlopen

import pytest

from firmware_host.doctor.benchmark import running_program
from tests.bench.programs import LIBRARIES, import_modules
from tests.bench.recording import Recorder

PHONES = 10


@pytest.mark.bench
def test_memory_while_ten_phones_watch_a_game(recorder: Recorder, tmp_path: Path) -> None:
    libraries_mib = import_modules(LIBRARIES).resident_mib
    with running_program(tmp_path) as program:
        idle_mib = program.memory_mib
        phones = [Thread(target=follow_stream, args=(program.address,)) for _ in range(PHONES)]
        for phone in phones:
            phone.start()
        start_demo_game(program.address)
        time.sleep(recorder.pick(full=15, small=1))
        game_mib = program.memory_mib
    for phone in phones:
        phone.join()
    recorder.record("memory", {"libraries_mib": libraries_mib, "idle_mib": idle_mib, "ten_phones_mib": game_mib})


def follow_stream(address: str) -> None:
    """Read the stream of states, as a phone does, until the program ends."""
    with suppress(OSError, HTTPException), urlopen(f"{address}api/v1/stream") as stream:
        for _ in stream:
            pass


def start_demo_game(address: str) -> None:
    """Two simulated players begin a game."""
    body = json.dumps({"run": True}).encode()
    urlopen(Request(f"{address}api/v1/demo", body, {"Content-Type": "application/json"})).close()
