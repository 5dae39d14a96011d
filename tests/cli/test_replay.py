"""`cribboard replay`: what it tells, when, and how a broken trace is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main

TRACES = Path(__file__).parents[1] / "traces"
HEADER = '{"board": "continuous-121", "tracks": 2, "target": 121}'
REST = '{"t": 0, "pegs": [["S1", "S2"], ["S1", "S2"]]}'
LEAP = [REST, '{"t": 1, "pegs": [["S1"], ["S1", "S2"]]}', '{"t": 1.5, "pegs": [["S1", 6], ["S1", "S2"]]}']


def replay(*lines: str, args: tuple[str, ...] = ("--json",)) -> Result:
    return CliRunner().invoke(main, ["replay", "-", *args], input="\n".join(lines))


def test_a_leap_is_told_at_its_deadline() -> None:
    late = '{"t": 60, "pegs": [["S1", 6], ["S1", "S2"]]}'
    result = replay(HEADER, *LEAP, late)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"t": 1.8, "track": 0, "score": 6, "points": 6, "kind": "leap"}


def test_the_end_of_the_trace_is_waited_for() -> None:
    assert replay(HEADER, *LEAP).stdout.count("leap") == 1


def test_faults_are_told_by_name() -> None:
    told = replay(HEADER, REST, '{"t": 1, "pegs": [[], ["S1", "S2"]]}', '{"t": 9, "pegs": [[], []]}').stdout
    assert [json.loads(line) for line in told.splitlines()][0] == {"t": 2.63, "track": 0, "fault": "both_out"}


def test_people_get_sentences() -> None:
    out = replay(HEADER, *LEAP, args=()).stdout
    assert out.split() == ["1.800", "s", "track", "0:", "leaps", "6", "to", "6"]


def test_a_recorded_trace_is_replayed_from_its_file() -> None:
    result = CliRunner().invoke(main, ["replay", str(TRACES / "clean-121.trace.jsonl"), "--json"])
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(told) == 37
    assert {record["kind"] for record in told} == {"leap"}
    assert [record["t"] for record in told] == sorted(record["t"] for record in told)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", "expected a header"),
        ("{", "expected a JSON object"),
        ("[]", "expected a JSON object"),
        ('{"board": "oak", "tracks": 2, "target": 121}', "expected a board"),
        ('{"board": ["oak\\n"], "tracks": 2, "target": 121}', "expected a board"),
        ('{"board": "classic-61", "tracks": 3, "target": 121}', "expected a board and its tracks"),
        ('{"board": "continuous-121", "tracks": true, "target": 121}', "expected tracks"),
        ('{"board": "continuous-121", "tracks": 2, "target": 181}', "expected a target"),
    ],
)
def test_a_broken_header_is_told_in_one_line(header: str, expected: str) -> None:
    result = replay(header)
    assert result.exit_code == 1
    assert expected in result.stderr
    assert "line 1:" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("nonsense", "a JSON object"),
        ('{"pegs": [[], []]}', "got nothing"),
        ('{"t": "2", "pegs": [[], []]}', "a time in seconds"),
        ('{"t": NaN, "pegs": [[], []]}', "a time in seconds"),
        ('{"t": 1.2, "pegs": [[], []]}', "a time not before 1.5"),
        ('{"t": 2, "pegs": [[]]}', "a list of 2 tracks"),
        ('{"t": 2, "pegs": [[], 6]}', "a list of holes"),
        ('{"t": 2, "pegs": [[], [0]]}', "a hole from 1 to 121"),
        ('{"t": 2, "pegs": [[], [122]]}', "a hole from 1 to 121"),
        ('{"t": 2, "pegs": [[], ["S3"]]}', "a hole from 1 to 121"),
        ('{"t": 2, "pegs": [[], [[1]]]}', "a hole from 1 to 121"),
        ("[" * 100_000, "a JSON object"),
    ],
)
def test_a_broken_line_is_told_and_what_came_before_is_kept(line: str, expected: str) -> None:
    wait = '{"t": 1.5, "pegs": [["S1", 6], ["S1", "S2"]]}'
    result = replay(HEADER, REST, '{"t": 1, "pegs": [["S1"], ["S1", "S2"]]}', wait, line)
    assert result.exit_code == 1
    assert "line 5:" in result.stderr
    assert expected in result.stderr
    assert "Mend:" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_readings_before_a_broken_line_are_kept() -> None:
    result = replay(HEADER, *LEAP, '{"t": 3, "pegs": [["S1", 6], ["S1", "S2"]]}', "nonsense")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["score"] == 6


def test_bytes_that_are_no_text_are_told() -> None:
    result = CliRunner().invoke(main, ["replay", "-"], input=HEADER.encode() + b"\n\xff\n")
    assert result.exit_code == 1
    assert "expected UTF-8, got byte 0xff" in result.stderr


def test_a_file_that_is_not_there_is_a_wrong_command() -> None:
    assert CliRunner().invoke(main, ["replay", "no-such-file"]).exit_code == 2


def test_a_leap_is_told_while_the_trace_still_comes() -> None:
    program = [sys.executable, "-m", "firmware_host", "replay", "-", "--json"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("\n".join([HEADER, *LEAP, '{"t": 2, "pegs": [["S1", 6], ["S1", "S2"]]}', ""]))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["score"] == 6
        process.stdin.close()


def test_a_reader_who_leaves_ends_the_program_quietly() -> None:
    program = [sys.executable, "-m", "firmware_host", "replay", str(TRACES / "messy-121.trace.jsonl"), "--json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_trace_is_replayed_on_a_board_that_goes_wrong(tmp_path: Path) -> None:
    """With bouncing switches or over a noisy cable the same turns; with a chain that is down for good, none after."""
    trace = TRACES / "clean-121.trace.jsonl"

    def told(troubles: str) -> list[dict[str, object]]:
        plan = tmp_path / "troubles.toml"
        plan.write_text(troubles, encoding="utf-8")
        result = CliRunner().invoke(main, ["replay", str(trace), "--json", "--faults", str(plan)])
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in result.stdout.splitlines()]

    sound = CliRunner().invoke(main, ["replay", str(trace), "--json"]).stdout.splitlines()
    turns = [(record["track"], record["score"]) for record in map(json.loads, sound)]
    bouncing = told('[[trouble]]\nkind = "bouncing_holes"\nbounce_s = 0.05')
    assert [(record["track"], record["score"]) for record in bouncing] == turns
    noisy = told('[[trouble]]\nkind = "serial_noise"\n[[trouble]]\nkind = "pulled_cable"\nfrom_s = 9999')
    assert [(record["track"], record["score"]) for record in noisy] == turns
    broken = told('[[trouble]]\nkind = "broken_chain"\nstrip = 1\nfrom_s = 60')
    assert [(record["track"], record["score"]) for record in broken] == turns[: len(broken)] and 0 < len(broken) < 37


def test_a_plan_of_troubles_that_makes_no_sense_says_where(tmp_path: Path) -> None:
    plan = tmp_path / "troubles.toml"
    plan.write_text('[[trouble]]\nkind = "rain"', encoding="utf-8")
    result = replay(HEADER, *LEAP, args=("--faults", str(plan)))
    assert result.exit_code == 1 and "trouble[0].kind: expected" in result.stderr and "Traceback" not in result.stderr
