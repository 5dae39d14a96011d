"""What the doctor prints for a board without faults, and for each fault."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from board_drivers.sensor_chain import HOLE_BITS
from firmware_host.cli.doctor import COLUMNS, as_json, board_in_words, in_words
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.doctor import devices
from firmware_host.doctor.checks import checks_for_report, run_checks
from firmware_host.doctor.findings import DoctorContext, Finding, Verdict
from firmware_host.doctor.machine import Program
from tests.board_drivers.chips import SensorStrips
from tests.doctor.fake_machine import FakeMachine
from tests.doctor.faults import FAULTS

GOLDEN = Path(__file__).parents[1] / "golden"
FOLDER = Path("/var/lib/cribboard-of-a-test")
HARMLESS = {
    *("another operating system", "no vcgencmd", "a board that is running", "a display at the other address"),
    *("a Pi 5 with its header on another chip", "another program on the lines"),
    *(
        "a weak power supply",
        "a clock not set by the network",
        "a clock that lost its time",
        "1-Wire on the power button's pin",
    ),
    "an amplifier driver on the power button's pin",
    *("a disk almost full", "a board that another user runs"),
    "a program on the piezo's line",
}
"""With these a game can be played, or is being played: no FAULT."""


def context(machine: FakeMachine) -> DoctorContext:
    return DoctorContext(machine, Settings(state_folder=FOLDER, simulate=False), load_plan("classic-61"))


def printed_for(machine: FakeMachine) -> list[str]:
    return list(in_words("classic-61, a real board", run_checks(context(machine))))


def found_in(machine: FakeMachine) -> list[Finding]:
    return [finding for _, finding in run_checks(context(machine))]


def golden_sections() -> dict[str, list[str]]:
    """Name of a fault -> the printed lines that differ from those of a healthy board."""
    _, *sections = (GOLDEN / "doctor_faults.txt").read_text(encoding="utf-8").split("# ")
    return {lines[0]: lines[1:] for lines in (section.rstrip().splitlines() for section in sections)}


def healthy() -> list[str]:
    return (GOLDEN / "doctor_healthy.txt").read_text(encoding="utf-8").splitlines()


def changed(now: Sequence[str]) -> list[str]:
    """The lines that a healthy board does not print."""
    return [line[2:] for line in difflib.ndiff(healthy(), now) if line.startswith("+ ")]


def keep_golden(machine: FakeMachine, name: str) -> NoReturn:
    """Call this instead of the comparison to rewrite the section of a fault. It fails, so that the call cannot stay."""
    kept = golden_sections() | {name: changed(printed_for(machine))}
    lines = [line for each in FAULTS if each in kept for line in (f"# {each}", *kept[each], "")]
    (GOLDEN / "doctor_faults.txt").write_text("\n".join(lines), encoding="utf-8")
    pytest.fail("golden section rewritten: review the diff, then remove this call")


def test_board_without_faults(machine: FakeMachine) -> None:
    assert printed_for(machine) == healthy()


def test_every_fault_has_a_golden_section() -> None:
    assert list(golden_sections()) == list(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_printed_with_expected_got_and_fix(machine: FakeMachine, name: str) -> None:
    FAULTS[name](machine)
    found = list(run_checks(context(machine)))
    assert changed(list(in_words("classic-61, a real board", found))) == golden_sections()[name]
    verdicts = {finding.verdict for _, finding in found}
    assert (Verdict.FAULT in verdicts) == (name not in HARMLESS)
    for _, finding in found:
        assert finding.got
        assert finding.verdict in (Verdict.OK, Verdict.NOTE) or (finding.expected and finding.fix.endswith("."))


@pytest.mark.parametrize("strip", range(1, 26))
def test_chain_broken_at_any_strip_names_the_strip(machine: FakeMachine, strip: int) -> None:
    machine.board.strips.floats[strip - 1] = 1
    (named,) = [finding for finding in found_in(machine) if finding.verdict is Verdict.FAULT]
    assert named.got.startswith("Sensor chain silent" if strip == 1 else f"Chain fault at strip {strip}:")


def test_input_without_a_hole_that_reads_low_is_named(machine: FakeMachine) -> None:
    long = replace(context(machine), plan=load_plan("continuous-121-2"))
    sclk, latch, miso = (machine.pi.gpio[bcm] for bcm in (11, 25, 9))
    strips = SensorStrips(long.plan.strip_count, sclk, latch, miso)
    inputs = (8 * strip + bit for strip in range(long.plan.strip_count) for bit in HOLE_BITS)
    unused = next(number for number in inputs if number not in long.plan.at_sensor)
    strips.place_peg(unused)
    assert any(str([unused]) in finding.got for _, finding in run_checks(long) if finding.verdict is Verdict.FAULT)


def test_board_in_use_is_not_touched(machine: FakeMachine) -> None:
    FAULTS["a board that is running"](machine)
    scans, attempts = machine.board.keys.scans, machine.board.oled.attempts
    (untouched,) = [finding for finding in found_in(machine) if finding.about == "parts"]
    assert untouched.got == "not checked: in use by cribboard (pid 812)"
    assert (machine.board.keys.scans, machine.board.oled.attempts, machine.pi.header_chip) == (scans, attempts, None)


def test_lights_stay_off(machine: FakeMachine) -> None:
    found_in(machine)
    assert set(machine.board.lights.colours) == {(0, 0, 0)} and not machine.board.rail.is_high


def test_piezo_beeps_only_on_request(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    found_in(machine)
    assert not machine.pi.pwm_calls
    monkeypatch.setattr(devices, "BEEP_S", 0.0)
    asked = replace(context(machine), may_sound=True, say=lambda text, voice: None)
    found = {finding.about: finding for _, finding in run_checks(asked)}
    assert "was it audible?" in found["piezo"].got
    assert (23, devices.BEEP_HZ, 50) in machine.pi.pwm_calls and not machine.pi.pwm_lines


def test_lines_are_released(machine: FakeMachine) -> None:
    assert printed_for(machine) == printed_for(machine)


def test_lines_fit_eighty_columns() -> None:
    lines = [*healthy(), *(line for section in golden_sections().values() for line in section)]
    assert max(map(len, lines)) <= COLUMNS


def test_json_is_one_object_per_line(machine: FakeMachine) -> None:
    FAULTS["SPI off"](machine)
    found = [json.loads(line) for line in as_json(run_checks(context(machine)))]
    assert all(set(each) == {"part", "check", "verdict", "expected", "got", "fix"} for each in found)
    assert {each["verdict"] for each in found} <= {"ok", "note", "warn", "fault"}
    (first, *_) = [each for each in found if each["check"] == "SPI0 spidev0.0"]
    assert first["verdict"] == "fault" and "dtparam=spi=on" in first["fix"]


def test_sensors_on_a_scanner_are_not_checked_on_the_header(machine: FakeMachine) -> None:
    settings = Settings(state_folder=FOLDER, simulate=False, scanner="/dev/none")
    machine.programs["/dev/none"] = [Program(812, "cribboard run")]
    found = {finding.about: finding for _, finding in run_checks(replace(context(machine), settings=settings))}
    assert not {"sensors", "lights", "SPI0 spidev0.0", "SPI0 spidev0.1"} & set(found)
    assert found["keys"].verdict is Verdict.OK
    assert found["scanner"].got == "not checked: in use by cribboard (pid 812)"


def test_computer_with_only_a_scanner_needs_no_header(machine: FakeMachine) -> None:
    settings = Settings(state_folder=FOLDER, simulate=False, scanner="/dev/none", gpio=False)
    machine.programs["/dev/none"] = [Program(812, "cribboard run")]
    machine.files.clear()
    machine.packages.pop("lgpio")
    machine.member_of = {"dialout"}
    verdicts = {finding.verdict for _, finding in run_checks(replace(context(machine), settings=settings))}
    assert verdicts == {Verdict.OK, Verdict.NOTE} and machine.pi.header_chip is None


def test_report_names_no_folder_program_or_person(machine: FakeMachine) -> None:
    machine.name = "zacharias"
    machine.programs["/dev/i2c-1"] = [Program(4711, "/home/ludovika/show.py")]
    reported = list(checks_for_report(context(machine)))
    assert {each["verdict"] for each in reported if each["part"] == "The buses"} == {"ok", "note", "fault"}
    assert not any(secret in str(reported) for secret in ("zacharias", "ludovika", str(FOLDER)))


def test_bug_in_one_check_does_not_end_the_others(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    def divide() -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(machine, "now", divide)
    found = found_in(machine)
    assert any(finding.about == "clock" and "ZeroDivisionError" in finding.got for finding in found)
    assert found[-1].about == "phones"


@pytest.mark.parametrize(
    ("parts", "absent"),
    [
        ({"kit": "desk"}, {"sensors", "magnets", "lights", "SPI0 spidev0.0", "SPI0 spidev0.1"}),
        ({"kit": "lights", "lights": "pins"}, {"sensors", "magnets", "SPI0 spidev0.0"}),
        ({"kit": "sensing", "lights": "pins", "scanner": "none"}, set[str]()),
    ],
)
def test_only_the_parts_that_exist_are_checked(
    machine: FakeMachine, parts: Mapping[str, str], absent: set[str]
) -> None:
    settings = replace(Settings(state_folder=FOLDER), **parts)
    found = [finding for _, finding in run_checks(DoctorContext(machine, settings, load_plan("classic-61")))]
    every = {finding.about for finding in found_in(machine)}
    assert every - {finding.about for finding in found} == absent
    assert not [finding for finding in found if finding.verdict is Verdict.FAULT]


def test_heading_names_the_kit_and_its_wires() -> None:
    def heading(**chosen: Any) -> str:
        return board_in_words(Settings(state_folder=FOLDER, **chosen), "classic-61")

    assert heading() == "classic-61, kit page: no wires to check"
    assert heading(kit="desk") == "classic-61, kit desk: keys, display on the pins"
    assert heading(kit="sensing") == "classic-61, kit sensing: keys, display on the pins and a scanner"
