"""How soon a paired phone's command is answered while 20 processes attack the panel, and the memory that costs.

`tests/web_panel/test_attacks.py` asserts that the phone is answered at all.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import sleep

import pytest

from tests.bench.recording import Recorder
from tests.bench.timing import percentile_99
from tests.web_panel.attackers import ATTACKS, attack
from tests.web_panel.paired_phone import BEGIN, PairedPhone

STARTING_S = 6
"""Until every attacker has its sockets open."""


@pytest.mark.bench
def test_delay_of_a_command_under_attack(recorder: Recorder, tmp_path: Path) -> None:
    seconds = recorder.pick(full=10, small=1)
    phone = PairedPhone(tmp_path)
    try:
        phone.send("new-game", BEGIN)
        phone.warm_up()
        calm_s = phone.delays_s(seconds)
        before_mib = phone.program.memory_mib
        with attack(phone.program.port, [*ATTACKS] * 2, STARTING_S + 3 * seconds):
            sleep(recorder.pick(full=STARTING_S, small=1))
            delays_s = phone.delays_s(seconds)
            more_mib = phone.program.memory_mib - before_mib
    finally:
        phone.program.switch_off()
    recorder.record(
        "attack",
        {
            "calm_median_ms": 1e3 * median(calm_s),
            "calm_99_percent_ms": 1e3 * percentile_99(list(calm_s)),
            "under_attack_median_ms": 1e3 * median(delays_s),
            "under_attack_99_percent_ms": 1e3 * percentile_99(list(delays_s)),
            "more_mib": more_mib,
        },
    )
