"""`cribboard doctor --bench`: what is measured, what is expected, and how both are shown."""

from __future__ import annotations

import json
import sys

import pytest

from firmware_host.cli.doctor_bench import as_json, in_words
from firmware_host.doctor.benchmark import BenchmarkFailed, Measured, Rounds, Work, measure
from firmware_host.doctor.expected_times import PROCESSORS, SLOWEST_PI, expected, instructions, processor_of

ZERO = "Raspberry Pi Zero 2 W Rev 1.0"
FAST = Measured(dict.fromkeys(Work, 1e-5), 50.0)


def test_a_small_run_measures_every_work() -> None:
    measured = measure(Rounds(idle_s=0.2, moves=1, commands=2, pages=1))
    assert measured.cpu_s.keys() == set(Work) and all(cpu_s > 0 for cpu_s in measured.cpu_s.values())
    assert measured.cpu_s[Work.READY] > measured.cpu_s[Work.DISPLAY] > measured.cpu_s[Work.PAGE]
    assert measured.memory_mib > 20


def test_a_program_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(BenchmarkFailed, match="expected a program that starts"):
        measure()


def test_there_is_a_count_for_every_work() -> None:
    assert instructions().keys() == set(Work)


def test_the_expectation_is_the_count_over_instructions_a_second() -> None:
    """A Cortex-A53 at 1 GHz: 0.375 to 1.05 instructions a cycle."""
    count = instructions()[Work.PAGE]
    assert expected(Work.PAGE, SLOWEST_PI) == pytest.approx((count / 1.05e9, count / 0.375e9))


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (ZERO, "Raspberry Pi Zero 2"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "Raspberry Pi 3 Model B Plus"),
        ("Raspberry Pi 3 Model B Rev 1.2", "Raspberry Pi 3"),
        ("Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi 5"),
        ("Raspberry Pi 2 Model B Rev 1.1", None),
        ("", None),
    ],
)
def test_the_processor_follows_from_the_model(model: str, name: str | None) -> None:
    processor = processor_of(model)
    assert (processor and processor.model) == name


def test_a_faster_processor_is_expected_to_take_less_time() -> None:
    by_clock = sorted(PROCESSORS, key=lambda each: each.mhz * each.rating)
    times = [expected(Work.READY, each) for each in by_clock]
    assert times == sorted(times, reverse=True)


def test_the_table_says_what_takes_longer_than_expected() -> None:
    slow = Measured({**FAST.cpu_s, Work.PAGE: 10.0}, 50.0)
    assert "Nothing takes longer than expected." in list(in_words(FAST, ZERO))
    assert "Longer than expected: the main page, loaded again." in list(in_words(slow, ZERO))


def test_another_computer_has_no_expectation_of_its_own() -> None:
    lines = list(in_words(FAST, "linux,dummy-virt"))
    assert "expected on a Raspberry" in lines[2] and "Pi Zero 2" in lines[3]
    assert not any("onger than expected" in line for line in lines)


def test_json_has_a_line_for_each_work_and_one_for_memory() -> None:
    found = [json.loads(line) for line in as_json(FAST, ZERO)]
    assert [each["work"] for each in found] == [*Work, "memory"]
    for each in found[:-1]:
        least_ms, most_ms = each["expected_ms"]
        assert each["measured_ms"] == pytest.approx(0.01) and 0 < least_ms < most_ms
