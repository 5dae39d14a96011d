"""How soon phones receive a new state by the stream, and how much memory they cost, for a few phones and for many.

`tests/web_panel/test_load.py` asserts that all of them receive it.
"""

from __future__ import annotations

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
        program = Program(tmp_path)
        post(program.port, "commands/new-game", BEGIN)
        before_mib = program.memory_mib
        with crowd(program.port, phones) as watching:
            rounds = range(recorder.pick(full=20, small=1))
            delays_s = [delay_s for _ in rounds for delay_s in set_and_undo_starter(watching)]
            more_mib = program.memory_mib - before_mib
        program.switch_off()
        figures[f"{phones}_phones_median_ms"] = 1e3 * median(delays_s)
        figures[f"{phones}_phones_99_percent_ms"] = 1e3 * percentile_99(delays_s)
        figures[f"{phones}_phones_mib"] = more_mib
    recorder.record("stream", figures)
