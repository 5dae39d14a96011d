"""What the doctor says of a board in good health, and of everything that may be wrong with one."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from board_drivers.sensor_chain import HOLE_BITS
from firmware_host.cli.doctor import COLUMNS, as_json, in_words
from firmware_host.doctor import parts
from firmware_host.doctor.findings import Finding, Patient, Verdict
from firmware_host.doctor.machine import Program
from firmware_host.doctor.rounds import examine, for_a_report
from firmware_host.plans import load_plan
from firmware_host.settings import Settings
from tests.doctor.ailments import AILMENTS
from tests.doctor.paper_machine import PaperMachine
from tests.drivers.chips import SensorStrips

GOLDEN = Path(__file__).parents[1] / "golden"
FOLDER = Path("/var/lib/cribboard-of-a-test")
HARMLESS = {
    *("another system", "no vcgencmd", "a board that is running", "a display at the other address"),
    *("a Pi 5 whose header is on another chip", "somebody else's program on the lines"),
    *("a weak supply", "a clock nobody keeps", "a clock that lost the time", "1-Wire on the button's pin"),
    *("a disk almost full", "a board that another user runs"),
    "a program on the piezo's line",
}
"""With these a game can be played, or is being played."""


def patient(machine: PaperMachine) -> Patient:
    return Patient(machine, Settings(state_folder=FOLDER, simulate=False), load_plan("classic-61"))


def said_of(machine: PaperMachine) -> list[str]:
    return list(in_words("classic-61, a real board", examine(patient(machine))))


def found_in(machine: PaperMachine) -> list[Finding]:
    return [finding for _, finding in examine(patient(machine))]


def sheets() -> dict[str, list[str]]:
    """Name of an ailment -> what the doctor says of it that he does not say of a healthy board."""
    _, *told = (GOLDEN / "doctor_ailments.txt").read_text(encoding="utf-8").split("# ")
    return {lines[0]: lines[1:] for lines in (sheet.rstrip().splitlines() for sheet in told)}


def healthy() -> list[str]:
    return (GOLDEN / "doctor_healthy.txt").read_text(encoding="utf-8").splitlines()


def changed(now: Sequence[str]) -> list[str]:
    """The lines that are not the same as in good health; those that are only gone are left out."""
    return [line[2:] for line in difflib.ndiff(healthy(), now) if line.startswith("+ ")]


def keep_golden(machine: PaperMachine, name: str) -> NoReturn:
    """Call this in place of the comparison to write the sheet of an ailment anew; it fails so that it cannot stay."""
    kept = sheets() | {name: changed(said_of(machine))}
    lines = [line for each in AILMENTS if each in kept for line in (f"# {each}", *kept[each], "")]
    (GOLDEN / "doctor_ailments.txt").write_text("\n".join(lines), encoding="utf-8")
    pytest.fail("golden sheet rewritten: look at the diff, then take this call out")


def test_a_healthy_board_is_told_so_line_by_line(machine: PaperMachine) -> None:
    assert said_of(machine) == healthy()


def test_there_is_a_sheet_for_each_ailment() -> None:
    assert list(sheets()) == list(AILMENTS)


@pytest.mark.parametrize("name", AILMENTS)
def test_each_ailment_is_told_with_what_was_expected_what_is_there_and_its_mend(
    machine: PaperMachine, name: str
) -> None:
    AILMENTS[name](machine)
    found = list(examine(patient(machine)))
    assert changed(list(in_words("classic-61, a real board", found))) == sheets()[name]
    verdicts = {finding.verdict for _, finding in found}
    assert (Verdict.MEND in verdicts) == (name not in HARMLESS)
    for _, finding in found:
        assert finding.got
        assert finding.verdict in (Verdict.OK, Verdict.NOTE) or (finding.expected and finding.mend.endswith("."))


@pytest.mark.parametrize("strip", range(1, 26))
def test_a_chain_broken_at_any_strip_is_named_by_it(machine: PaperMachine, strip: int) -> None:
    machine.wood.strips.floats[strip - 1] = 1
    (named,) = [finding for finding in found_in(machine) if finding.verdict is Verdict.MEND]
    assert named.got.startswith("Sensor chain silent" if strip == 1 else f"Chain fault at strip {strip}:")


def test_an_input_that_has_no_hole_and_reads_low_is_named(machine: PaperMachine) -> None:
    long = replace(patient(machine), plan=load_plan("continuous-121-2"))
    sclk, latch, miso = (machine.pi.gpio[bcm] for bcm in (11, 25, 9))
    strips = SensorStrips(long.plan.strip_count, sclk, latch, miso)
    inputs = (8 * strip + bit for strip in range(long.plan.strip_count) for bit in HOLE_BITS)
    unused = next(number for number in inputs if number not in long.plan.at_sensor)
    strips.place_peg(unused)
    assert any(str([unused]) in finding.got for _, finding in examine(long) if finding.verdict is Verdict.MEND)


def test_a_board_in_use_is_not_touched(machine: PaperMachine) -> None:
    AILMENTS["a board that is running"](machine)
    scans, asked = machine.wood.keys.scans, machine.wood.oled.asked
    (untouched,) = [finding for finding in found_in(machine) if finding.about == "parts"]
    assert untouched.got == "not touched: cribboard (pid 812) is using the board"
    assert (machine.wood.keys.scans, machine.wood.oled.asked, machine.pi.header_chip) == (scans, asked, None)


def test_the_lights_stay_as_they_are(machine: PaperMachine) -> None:
    found_in(machine)
    assert set(machine.wood.lights.colours) == {(0, 0, 0)} and not machine.wood.rail.is_high


def test_the_piezo_is_heard_only_by_those_who_ask(machine: PaperMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    found_in(machine)
    assert not machine.pi.swings
    monkeypatch.setattr(parts, "BEEP_S", 0.0)
    found = {finding.about: finding for _, finding in examine(replace(patient(machine), may_sound=True))}
    assert "was it heard?" in found["piezo"].got
    assert (18, parts.BEEP_HZ, 50) in machine.pi.swings and not machine.pi.swinging


def test_the_lines_are_let_go_of(machine: PaperMachine) -> None:
    assert said_of(machine) == said_of(machine)


def test_lines_fit_eighty_columns() -> None:
    told = [*healthy(), *(line for sheet in sheets().values() for line in sheet)]
    assert max(map(len, told)) <= COLUMNS


def test_for_programs_it_is_one_object_a_line(machine: PaperMachine) -> None:
    AILMENTS["SPI off"](machine)
    told = [json.loads(line) for line in as_json(examine(patient(machine)))]
    assert all(set(each) == {"part", "check", "verdict", "expected", "got", "mend"} for each in told)
    assert {each["verdict"] for each in told} <= {"ok", "note", "look", "mend"}
    (first, *_) = [each for each in told if each["check"] == "SPI0 spidev0.0"]
    assert first["verdict"] == "mend" and "dtparam=spi=on" in first["mend"]


def test_sensors_behind_a_scanner_are_not_sought_on_the_header(machine: PaperMachine) -> None:
    settings = Settings(state_folder=FOLDER, simulate=False, scanner="/dev/none")
    machine.programs["/dev/none"] = [Program(812, "cribboard run")]
    found = {finding.about: finding for _, finding in examine(replace(patient(machine), settings=settings))}
    assert "sensors" not in found and found["keys"].verdict is Verdict.OK
    assert found["scanner"].got == "not asked: cribboard (pid 812) listens to it"


def test_a_computer_with_a_scanner_alone_needs_no_pins(machine: PaperMachine) -> None:
    settings = Settings(state_folder=FOLDER, simulate=False, scanner="/dev/none", header=False)
    machine.programs["/dev/none"] = [Program(812, "cribboard run")]
    machine.files.clear()
    machine.packages.pop("lgpio")
    machine.member_of = {"dialout"}
    verdicts = {finding.verdict for _, finding in examine(replace(patient(machine), settings=settings))}
    assert verdicts == {Verdict.OK, Verdict.NOTE} and machine.pi.header_chip is None


def test_strangers_read_of_no_folder_program_or_person(machine: PaperMachine) -> None:
    machine.name = "zacharias"
    machine.programs["/dev/i2c-1"] = [Program(4711, "/home/ludovika/show.py")]
    told = list(for_a_report(patient(machine)))
    assert {each["verdict"] for each in told if each["part"] == "The buses"} == {"ok", "note", "mend"}
    assert not any(secret in str(told) for secret in ("zacharias", "ludovika", str(FOLDER)))


def test_a_mistake_of_the_doctor_does_not_end_the_rounds(
    machine: PaperMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble() -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(machine, "now", stumble)
    found = found_in(machine)
    assert any(finding.about == "clock" and "ZeroDivisionError" in finding.got for finding in found)
    assert found[-1].about == "phones"
