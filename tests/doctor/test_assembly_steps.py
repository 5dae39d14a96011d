"""What the doctor reports while a chain of strips on the Pi's header grows, on a simulated bench."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.cli.doctor import in_words
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.doctor import devices
from firmware_host.doctor.checks import run_checks
from firmware_host.doctor.findings import DoctorContext, Finding, Verdict
from tests.board_drivers.bench_board import BenchBoard
from tests.board_drivers.bench_pi import BenchPi
from tests.doctor.fake_machine import FakeMachine

FOLDER = Path("/var/lib/cribboard-of-a-test")
PLAN = load_plan("classic-61")


def examined(monkeypatch: pytest.MonkeyPatch, strips: int) -> tuple[list[Finding], str]:
    """The findings, and the printed text on one line, with this many strips in the chain."""
    pi = BenchPi()
    pi.install(monkeypatch)
    monkeypatch.setattr(devices, "SCANS", 2)
    board = BenchBoard(pi, max(1, strips))
    if not strips:
        board.strips.floats[0] = 0  # the first ribbon is open and reads 0
    settings = Settings(state_folder=FOLDER, simulate=False)
    context = DoctorContext(FakeMachine(pi, board), settings, PLAN)
    found = list(run_checks(context))
    return [finding for _, finding in found], " ".join(" ".join(in_words(PLAN.id, found)).split())


def faults_in(found: list[Finding]) -> list[Finding]:
    return [finding for finding in found if finding.verdict is Verdict.FAULT]


def test_no_strips_report_only_a_silent_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    found, words = examined(monkeypatch, 0)
    assert len(faults_in(found)) == 1 and "Sensor chain silent" in words


@pytest.mark.parametrize("strips", [1, 2, 7, 13, 24])
def test_end_of_chain_moves_with_each_added_strip(monkeypatch: pytest.MonkeyPatch, strips: int) -> None:
    found, words = examined(monkeypatch, strips)
    assert len(faults_in(found)) == 1
    assert f"Chain fault at strip {strips + 1}" in words and f"the end after {strips}" in words
    assert f"Check the ribbon from strip {strips} to {strips + 1}" in words


def test_all_strips_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    found, words = examined(monkeypatch, 25)
    assert not faults_in(found) and "25 strips answer" in words and "Everything works." in words
    assert "four rows and four columns, no key down" in words
