"""What `cribboard doctor --bench` prints: what was measured, and what is expected on a Raspberry Pi."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from firmware_host.cli.text_table import text_table
from firmware_host.doctor.benchmark import Measured, Work
from firmware_host.doctor.expected_times import SLOWEST_PI, Processor, expected, processor_of

NAMES: Mapping[Work, str] = {
    Work.DISPLAY: "start, until the display shows its first page",
    Work.READY: "start, until the panel can be opened",
    Work.SCAN: "a scan on which nothing changes",
    Work.SETTLE: "a peg moved and settled, with its scans",
    Work.PUBLISH: "a phone's command, shown everywhere",
    Work.PAGE: "the main page, loaded again",
}
LIMIT_MIB = 60
UNMEASURED = """\
Processor time of the program, not waiting. The expectation is derived from counted instructions and
published clock rates; nobody has measured a Pi yet. If this is one, please report the table:
.github/ISSUE_TEMPLATE/build_report.md"""


def as_json(measured: Measured, model: str) -> Iterator[str]:
    """One JSON object for each work, in milliseconds, and one for the memory."""
    processor = processor_of(model) or SLOWEST_PI
    for work, cpu_s in measured.cpu_s.items():
        least_s, most_s = expected(work, processor)
        times = {"measured_ms": 1e3 * cpu_s, "expected_ms": [1e3 * least_s, 1e3 * most_s]}
        yield json.dumps({"work": work.value, "model": model, **times, "expected_on": processor.model})
    yield json.dumps({"work": "memory", "model": model, "measured_mib": measured.memory_mib, "limit_mib": LIMIT_MIB})


def in_words(measured: Measured, model: str) -> Iterator[str]:
    """A table of all works, and how to read it."""
    processor = processor_of(model)
    column = f"expected on a {(processor or SLOWEST_PI).model}"
    yield f"cribboard doctor --bench: {model or 'no Raspberry Pi'}"
    yield ""
    works = measured.cpu_s.items()
    rows = [(NAMES[work], _ms(cpu_s), _range(work, processor or SLOWEST_PI)) for work, cpu_s in works]
    memory = ("memory with a game on and one phone", f"{measured.memory_mib:.1f} MiB", f"at most {LIMIT_MIB} MiB")
    yield from text_table([("", "measured", column), *rows, memory], text_columns=1)
    if processor:
        yield ""
        yield _verdict(measured, processor)
    yield ""
    yield from UNMEASURED.splitlines()


def _verdict(measured: Measured, processor: Processor) -> str:
    slow = [NAMES[work] for work, cpu_s in measured.cpu_s.items() if cpu_s > expected(work, processor).most_s]
    if not slow:
        return "Nothing takes longer than expected."
    return f"Longer than expected: {'; '.join(slow)}."


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.3g} ms" if seconds < 1 else f"{1e3 * seconds:.0f} ms"


def _range(work: Work, processor: Processor) -> str:
    least_s, most_s = expected(work, processor)
    return f"{_ms(least_s)} to {_ms(most_s)}"
