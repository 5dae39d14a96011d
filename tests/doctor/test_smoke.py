"""The smoke finds what is wrong with a program: tried here with small programs that pretend to be cribboard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.doctor import smoke as tried
from firmware_host.doctor.smoke import listed_commands, smoke

PRETENDER = f"""#!{sys.executable} -IS
import sys

FAULT = ""
arguments = sys.argv[1:]
said = " ".join(arguments)

if said.removesuffix(" --help") == FAULT:
    LINE
if arguments in ([], ["--help"]):
    print("Usage: cribboard\\n\\nCommands:\\n  count  Count.\\n  club   Run a night.\\n         And more.")
elif said == "club --help":
    print("Usage: cribboard club\\n\\nOptions:\\n  -h  Help.\\n\\nCommands:\\n  board-list  List.")
elif said.endswith("--help"):
    print("Usage: cribboard", said)
elif arguments[0] == "run":
    import signal
    import socket
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    address = ("127.0.0.1", int(arguments[-1]))
    listening = socket.create_server(address)
    print(f"at http://127.0.0.1:{{address[1]}}/", flush=True)
    while True:
        connection, _ = listening.accept()
        connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\\r\\n\\r\\n<html></html>")
        connection.close()
else:
    print("(29) a run of three discard classic-61 kit page")
"""


def pretender(folder: Path, fault: str = "none", line: str = "pass") -> Path:
    """A program that does at `fault` (its arguments, without --help) what `line` says."""
    program = folder / "cribboard"
    program.write_text(PRETENDER.replace('FAULT = ""', f"FAULT = {fault!r}").replace("    LINE", f"    {line}"))
    program.chmod(0o755)
    return program


def test_a_program_that_works_has_no_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert smoke(pretender(tmp_path)) == []
    *lines, last = capsys.readouterr().out.splitlines()
    assert "ok    cribboard club board-list --help" in lines, "lists are read as deep as they go"
    assert last.startswith("11 of 11 commands work: ") and len(lines) == 11


@pytest.mark.parametrize(
    ("fault", "line", "said"),
    [
        ("", "sys.exit(2)", "cribboard: expected exit code 0, got 2"),
        ("club", "sys.exit('No module named numpy')", "cribboard club --help: expected exit code 0, got 1"),
        ("club board-list", "1 / 0", "cribboard club board-list --help: expected exit code 0, got 1"),
        ("play 7 8 9", "print('Traceback')", "cribboard play 7 8 9: expected no traceback, got one"),
        ("count 5H 5S 5D JC 5C", "sys.exit(print('28'))", "expected '(29)' in the output, got none"),
        ("doctor --settings cribboard.toml", "sys.exit(3)", "cribboard doctor --settings cribboard.toml: expected"),
    ],
)
def test_a_fault_is_named_and_the_rest_is_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str, line: str, said: str
) -> None:
    failures = smoke(pretender(tmp_path, fault, line))
    assert failures and said in failures[0]
    output = capsys.readouterr().out
    assert f"FAULT {failures[0]}" in output and "ok    cribboard run --port" in output


def test_a_board_that_ends_at_its_start_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tried, "free_port", lambda: 9)
    (failure,) = smoke(pretender(tmp_path, "run --settings cribboard.toml --port 9", "sys.exit('no such board')"))
    assert "got exit code 1" in failure and failure.endswith("\n    no such board")


def test_a_fault_of_the_computer_is_none_of_the_program(tmp_path: Path) -> None:
    line = "sys.exit(print('kit page: 1 fault to fix') or 1)"
    assert smoke(pretender(tmp_path, "doctor --settings cribboard.toml", line)) == []


def test_a_missing_program_is_a_failure(tmp_path: Path) -> None:
    failures = smoke(tmp_path / "cribboard")
    assert "expected a program, got" in failures[0]


def test_commands_are_read_from_the_list_alone() -> None:
    about = "Usage: x\n\n  about\n\nOptions:\n  --json  One.\n"
    text = f"{about}\nCommands:\n  add-all  Add.\n           more\n  list     List.\n"
    assert listed_commands(text) == ["add-all", "list"]
    assert listed_commands("Usage: x\n\n  about\n") == []


def test_any_python_runs_the_file_without_our_packages(tmp_path: Path) -> None:
    file = Path(tried.__file__)
    command = [sys.executable, "-IS", str(file), str(pretender(tmp_path))]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = subprocess.run([sys.executable, "-IS", str(file), "--help"], capture_output=True, text=True)
    assert wrong.returncode == 2 and wrong.stderr.startswith("Usage: ")
