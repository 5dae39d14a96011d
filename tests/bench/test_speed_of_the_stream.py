"""How soon many phones see what happened, and what each costs. Printed, never asserted: test_load does that."""

from __future__ import annotations

from pathlib import Path
from statistics import quantiles

import pytest

from tests.panel.browsing import Program
from tests.panel.crowd import crowd, post
from tests.panel.test_load import BEGIN, turn_up_and_back

pytestmark = pytest.mark.bench


@pytest.mark.parametrize("phones", [1, 12, 50, 200])
def test_phones_on_the_stream(tmp_path: Path, phones: int) -> None:
    program = Program(tmp_path)
    post(program.port, "orders/new-game", BEGIN)
    before_mib = program.memory_mib
    with crowd(program.port, phones) as watching:
        hundredths = quantiles((delay for _ in range(20) for delay in turn_up_and_back(watching)), n=100)
        more_mib = program.memory_mib - before_mib
    program.switch_off()
    half, most = hundredths[49] * 1000, hundredths[98] * 1000
    print(f"\n{phones:>4} phones: half within {half:.0f} ms, 99 % within {most:.0f} ms, {more_mib:.1f} MiB more")
