"""The tests of ASSEMBLY.md and TEST.md that the doctor answers, on a modelled bench: he says what they promise."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.cli.doctor import in_words
from firmware_host.doctor import parts
from firmware_host.doctor.findings import Finding, Patient, Verdict
from firmware_host.doctor.rounds import examine
from firmware_host.plans import demo_plan, load_plan
from firmware_host.settings import Settings
from tests.doctor.paper_machine import PaperMachine
from tests.drivers.bench_board import BenchBoard
from tests.drivers.bench_pi import BenchPi

FOLDER = Path("/var/lib/cribboard-of-a-test")
PLANS = {"one-strip": demo_plan(), "classic-61": load_plan("classic-61")}


def told(monkeypatch: pytest.MonkeyPatch, strips: int, name: str) -> tuple[list[Finding], str]:
    """What he finds, and his words without their line ends, with so many strips on the hub."""
    pi = BenchPi()
    pi.install(monkeypatch)
    monkeypatch.setattr(parts, "SCANS", 2)
    board = BenchBoard(pi, max(1, strips))
    if not strips:
        board.strips.floats[0] = 0  # the first ribbon hangs free, with 0 on it
    settings = Settings(state_folder=FOLDER, simulate=False)
    patient = Patient(PaperMachine(pi, board), settings, PLANS[name])
    found = list(examine(patient))
    return [finding for _, finding in found], " ".join(" ".join(in_words(name, found)).split())


def ills(found: list[Finding]) -> list[Finding]:
    return [finding for finding in found if finding.verdict is Verdict.MEND]


def test_the_hub_alone_has_a_silent_chain_and_nothing_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    found, words = told(monkeypatch, 0, "classic-61")
    assert len(ills(found)) == 1 and "Sensor chain silent" in words


def test_one_strip_signs_its_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    found, words = told(monkeypatch, 1, "one-strip")
    assert not ills(found) and "1 strip signs" in words and "All is well." in words


@pytest.mark.parametrize("strips", [1, 2, 7, 13, 24])
def test_strip_after_strip_the_end_of_the_chain_moves_on_by_one(monkeypatch: pytest.MonkeyPatch, strips: int) -> None:
    found, words = told(monkeypatch, strips, "classic-61")
    assert len(ills(found)) == 1
    assert f"Chain fault at strip {strips + 1}" in words and f"the end after {strips}" in words
    assert f"Check the ribbon from strip {strips} to {strips + 1}" in words


def test_with_all_of_them_he_says_that_all_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    found, words = told(monkeypatch, 25, "classic-61")
    assert not ills(found) and "25 strips sign" in words
    assert "four rows and four columns at rest" in words
