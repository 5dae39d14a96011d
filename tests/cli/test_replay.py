"""`cribboard replay`: the readings and their times, errors in traces, and replay with injected faults."""

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


def test_leap_is_reported_at_its_deadline() -> None:
    late = '{"t": 60, "pegs": [["S1", 6], ["S1", "S2"]]}'
    result = replay(HEADER, *LEAP, late)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"t": 1.8, "track": 0, "score": 6, "points": 6, "kind": "leap"}


def test_leap_at_end_of_trace_settles() -> None:
    assert replay(HEADER, *LEAP).stdout.count("leap") == 1


def test_faults_are_reported_by_name() -> None:
    output = replay(HEADER, REST, '{"t": 1, "pegs": [[], ["S1", "S2"]]}', '{"t": 9, "pegs": [[], []]}').stdout
    assert [json.loads(line) for line in output.splitlines()][0] == {"t": 2.63, "track": 0, "fault": "both_out"}


def test_default_output_is_sentences() -> None:
    out = replay(HEADER, *LEAP, args=()).stdout
    assert out.split() == ["1.800", "s", "track", "0:", "leaps", "6", "to", "6"]


def test_trace_file_is_replayed() -> None:
    result = CliRunner().invoke(main, ["replay", str(TRACES / "clean-121.trace.jsonl"), "--json"])
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(records) == 37
    assert {record["kind"] for record in records} == {"leap"}
    assert [record["t"] for record in records] == sorted(record["t"] for record in records)


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
def test_bad_header_gives_one_line(header: str, expected: str) -> None:
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
def test_bad_line_gives_one_line_with_its_number(line: str, expected: str) -> None:
    wait = '{"t": 1.5, "pegs": [["S1", 6], ["S1", "S2"]]}'
    result = replay(HEADER, REST, '{"t": 1, "pegs": [["S1"], ["S1", "S2"]]}', wait, line)
    assert result.exit_code == 1
    assert "line 5:" in result.stderr
    assert expected in result.stderr
    assert "; fix: " in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_readings_before_a_bad_line_are_printed() -> None:
    result = replay(HEADER, *LEAP, '{"t": 3, "pegs": [["S1", 6], ["S1", "S2"]]}', "nonsense")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["score"] == 6


def test_bytes_that_are_not_utf8_are_an_error() -> None:
    result = CliRunner().invoke(main, ["replay", "-"], input=HEADER.encode() + b"\n\xff\n")
    assert result.exit_code == 1
    assert "expected UTF-8, got byte 0xff" in result.stderr


def test_missing_file_is_a_usage_error() -> None:
    assert CliRunner().invoke(main, ["replay", "no-such-file"]).exit_code == 2


def test_leap_is_printed_before_the_trace_ends() -> None:
    program = [sys.executable, "-m", "firmware_host", "replay", "-", "--json"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("\n".join([HEADER, *LEAP, '{"t": 2, "pegs": [["S1", 6], ["S1", "S2"]]}', ""]))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["score"] == 6
        process.stdin.close()


def test_closed_pipe_ends_the_program_quietly() -> None:
    program = [sys.executable, "-m", "firmware_host", "replay", str(TRACES / "messy-121.trace.jsonl"), "--json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""


def test_trace_is_replayed_with_injected_faults(tmp_path: Path) -> None:
    """Bouncing switches and a noisy cable change no turn. After a broken chain there are no more turns."""
    trace = TRACES / "clean-121.trace.jsonl"

    def records_with(faults: str) -> list[dict[str, object]]:
        plan = tmp_path / "faults.toml"
        plan.write_text(faults, encoding="utf-8")
        result = CliRunner().invoke(main, ["replay", str(trace), "--json", "--faults", str(plan)])
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in result.stdout.splitlines()]

    without_faults = CliRunner().invoke(main, ["replay", str(trace), "--json"]).stdout.splitlines()
    turns = [(record["track"], record["score"]) for record in map(json.loads, without_faults)]
    bouncing = records_with('[[fault]]\nkind = "bouncing_holes"\nbounce_s = 0.05')
    assert [(record["track"], record["score"]) for record in bouncing] == turns
    noisy = records_with('[[fault]]\nkind = "serial_noise"\n[[fault]]\nkind = "pulled_cable"\nfrom_s = 9999')
    assert [(record["track"], record["score"]) for record in noisy] == turns
    broken = records_with('[[fault]]\nkind = "broken_chain"\nstrip = 1\nfrom_s = 60')
    assert [(record["track"], record["score"]) for record in broken] == turns[: len(broken)] and 0 < len(broken) < 37


def test_error_in_fault_plan_names_the_place(tmp_path: Path) -> None:
    plan = tmp_path / "faults.toml"
    plan.write_text('[[fault]]\nkind = "rain"', encoding="utf-8")
    result = replay(HEADER, *LEAP, args=("--faults", str(plan)))
    assert result.exit_code == 1 and "fault[0].kind: expected" in result.stderr and "Traceback" not in result.stderr
