"""What ThisMachine reads from the computer that runs the tests."""

from __future__ import annotations

import errno
import grp
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.doctor.machine import Machine, Program, ThisMachine

machine: Machine = ThisMachine()


@pytest.fixture
def other_program(tmp_path: Path) -> Iterator[tuple[int, str]]:
    """Another program that has a file open: its pid, and the file."""
    held = tmp_path / "node"
    held.touch()
    script = f"import sys; kept = open({str(held)!r}); print(flush=True); sys.stdin.read()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script], **pipes) as program:  # type: ignore[call-overload]
        program.stdout.readline()
        yield program.pid, str(held)
        program.stdin.close()


def test_program_with_an_open_node_is_found_with_its_pid(other_program: tuple[int, str]) -> None:
    pid, held = other_program
    (user,) = machine.users_of(held)
    assert user.pid == pid and not user.runs_cribboard
    assert str(user) == f"{Path(sys.executable).name} (pid {pid})"


def test_own_process_is_not_found(tmp_path: Path) -> None:
    with (tmp_path / "ours").open("w") as ours:
        assert machine.users_of(ours.name) == []


@pytest.mark.parametrize(
    ("command", "runs_cribboard"),
    [
        ("/opt/cribboard/venv/bin/python3 /opt/cribboard/venv/bin/cribboard run --settings /etc/c.toml", True),
        ("python3 -m firmware_host run", True),
        ("cribboard doctor", False),
        ("python3 -m pytest tests/doctor", False),
        ("/usr/bin/run-parts", False),
    ],
)
def test_running_board_is_recognised_by_its_command_line(command: str, runs_cribboard: bool) -> None:
    assert Program(812, command).runs_cribboard == runs_cribboard


def test_missing_things_are_empty_and_raise_nothing(tmp_path: Path) -> None:
    away = str(tmp_path / "away")
    assert (machine.read(away), machine.names(away), machine.run(away), machine.version("no-such")) == ("", (), "", "")
    assert machine.refusal(away) == errno.ENOENT and machine.chip(away, [4]) is None


def test_failing_command_has_no_output() -> None:
    assert machine.run("sh", "-c", "echo lost; exit 3") == ""
    assert machine.run("echo", "throttled=0x0") == "throttled=0x0"


def test_existing_things_are_read(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 5\0")
    assert machine.read(str(tmp_path / "model")) == "Raspberry Pi 5\0"
    assert machine.names(str(tmp_path)) == ["model"] and machine.refusal(str(tmp_path / "model")) == 0
    assert machine.may_write(tmp_path) and machine.free_bytes(tmp_path) > 0 and machine.now().tzinfo
    assert machine.version("click") and grp.getgrgid(os.getegid()).gr_name in machine.groups() and machine.user()
