"""How soon phones receive a new state by the stream, and how much memory they cost, for a few phones and for many.

`tests/web_panel/test_load.py` asserts that all of them receive it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

import pytest

from tests.bench.recording import Recorder
from tests.bench.timing import percentile_99
from tests.web_panel.browsing import Program
from tests.web_panel.crowd import crowd, post
from tests.web_panel.test_load import BEGIN, set_and_undo_starter

PHONES = (1, 12, 50, 200)


@pytest.mark.bench
def test_delay_from_a_command_to_every_phone(recorder: Recorder, tmp_path: Path) -> None:
    figures = dict[str, float]()
    for phones in PHONES:
        with program_with_game(tmp_path) as program:
            before_mib = program.memory_mib
            with crowd(program.port, phones) as watching:
                rounds = range(recorder.pick(full=20, small=1))
                delays_s = [delay_s for _ in rounds for delay_s in set_and_undo_starter(watching)]
                more_mib = program.memory_mib - before_mib
        figures[f"{phones}_phones_median_ms"] = 1e3 * median(delays_s)
        figures[f"{phones}_phones_99_percent_ms"] = 1e3 * percentile_99(delays_s)
        figures[f"{phones}_phones_mib"] = more_mib
    recorder.record("stream", figures)


COMMANDS_PER_S = 50


@pytest.mark.bench
def test_delay_to_the_last_of_200_phones_at_50_commands_a_second(recorder: Recorder, tmp_path: Path) -> None:
    """Phones, the sender and the program share the cores of this machine."""
    seconds = recorder.pick(full=20, small=1)
    with program_with_game(tmp_path) as program, crowd(program.port, PHONES[-1]) as watching:
        with ThreadPoolExecutor(1) as sender:
            sent = sender.submit(send_corrections, program.port, seconds * COMMANDS_PER_S)
            watching.receive_while(lambda: not sent.done())
            commands = sent.result()
        watching.wait_for_version(commands[-1][0])
        memory_mib = program.memory_mib
    delays_s = [max(watcher.has_from_s(version) for watcher in watching.watchers) - at_s for version, at_s in commands]
    recorder.record(
        "stream_load",
        {
            "commands_per_s": len(commands) / (commands[-1][1] - commands[0][1]),
            "last_phone_median_ms": 1e3 * median(delays_s),
            "last_phone_99_percent_ms": 1e3 * percentile_99(delays_s),
            "memory_mib": memory_mib,
        },
    )


@contextmanager
def program_with_game(folder: Path) -> Iterator[Program]:
    """The program until the block ends."""
    program = Program(folder)
    try:
        post(program.port, "commands/new-game", BEGIN)
        yield program
    finally:
        program.switch_off()


def send_corrections(port: int, number: int) -> list[tuple[int, float]]:
    """One command every 20 ms on one connection; of each the version of its answer, and when it was sent."""
    line, sent = HTTPConnection("127.0.0.1", port, timeout=10), list[tuple[int, float]]()
    began_s = time.monotonic()
    for count in range(number):
        time.sleep(max(0.0, began_s + count / COMMANDS_PER_S - time.monotonic()))
        sent_s = time.monotonic()
        body = json.dumps({"side": 1, "score": 20 + count % 2, "reason": "measured"})
        line.request("POST", "/api/v1/commands/correct", body, {"Content-Type": "application/json"})
        sent.append((json.load(line.getresponse())["version"], sent_s))
    line.close()
    return sent
