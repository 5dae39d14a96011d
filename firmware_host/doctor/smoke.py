"""Tries an installed `cribboard` from outside: every help, the small commands, and the page of a simulated board.

    python3 -I firmware_host/doctor/smoke.py PATH_OF_CRIBBOARD
    python -m firmware_host.doctor.smoke

The second form tries the program that is installed beside this Python. Exits with 1 if anything failed. Imports the
standard library alone and nothing of ours: it runs with any Python, and does not depend on what it tries. A board that
runs is not disturbed, because games and settings are in a temporary folder.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from urllib.request import ProxyHandler, build_opener

COMMAND_S = 180.0
"""How long one command may take, on a Raspberry Pi Zero that is busy."""
START_S = 180.0
STOP_S = 60.0
LOOK_S = 0.2
LINES_SHOWN = 20
"""Of the output of a command that failed."""

CARDS_DEALT = ("5H", "5S", "JD", "QC", "2H", "9D")
WORK = (
    (("count", "5H", "5S", "5D", "JC", "5C"), "(29)"),
    (("play", "7", "8", "9"), "a run of three"),
    (("advise", *CARDS_DEALT, "--crib", "own"), "discard"),
    (("draw", "classic-61", "--out", "drawn"), "classic-61"),
    (("doctor", "--settings", "cribboard.toml"), "kit page"),
)
"""Arguments -> what the output must contain."""
FOUND_A_FAULT = 1
"""Exit code of the doctor for a fault of the computer, such as a full disk. The program is not to blame for it."""


class SmokeFailure(Exception):
    """A command did not do what it should; the text says what was expected and shows its output."""


class Smoke:
    """Runs one executable in a folder of its own. `tried` has a line for each command that did what it should."""

    def __init__(self, executable: Path, folder: Path) -> None:
        self._executable = executable
        self._folder = folder
        self.tried: list[str] = []
        (folder / "cribboard.toml").write_text('kit = "page"\naddress = "127.0.0.1"\n', encoding="utf-8")

    def all(self) -> Iterator[str]:
        """Tries everything, and yields the text of each failure. A broken command does not end it."""
        yield from self._help_of_everything()
        for arguments, expected in WORK:
            yield from self._failures(arguments, expected)
        try:
            self._page()
        except SmokeFailure as failure:
            yield str(failure)

    def _help_of_everything(self) -> Iterator[str]:
        """The list of commands, then the help of each, as deep as the lists go."""
        yield from self._failures((), "Commands:")
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            level: Iterable[tuple[str, ...]] = [()]
            while level:
                below = list[tuple[str, ...]]()
                paths = list(level)
                for path, (output, failure) in zip(paths, workers.map(self._help, paths), strict=True):
                    if failure:
                        yield failure
                    below += [(*path, name) for name in listed_commands(output)]
                level = below

    def _help(self, path: Sequence[str]) -> tuple[str, str]:
        """The help of a command, and what is wrong with it."""
        try:
            return self.run((*path, "--help"), "Usage: "), ""
        except SmokeFailure as failure:
            return "", str(failure)

    def _failures(self, arguments: Sequence[str], expected: str) -> Iterator[str]:
        try:
            self.run(arguments, expected)
        except SmokeFailure as failure:
            yield str(failure)

    def run(self, arguments: Sequence[str], expected: str) -> str:
        """The output of a command that ends well, with `expected` in it. Raises SmokeFailure."""
        said = " ".join(("cribboard", *arguments))
        try:
            done = subprocess.run(
                [self._executable, *arguments],
                cwd=self._folder,
                env=self._environ(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=COMMAND_S,
            )
        except subprocess.TimeoutExpired as fault:
            raise SmokeFailure(f"{said}: expected an end within {COMMAND_S:.0f} s, got none") from fault
        except OSError as fault:
            raise SmokeFailure(f"{said}: expected a program, got {fault}") from fault
        output = done.stdout.decode(errors="replace")
        is_found_fault = arguments[:1] == ("doctor",) and done.returncode == FOUND_A_FAULT
        check(said, output, 0 if is_found_fault else done.returncode, expected)
        self.tried.append(said)
        return output

    def _page(self) -> None:
        """Starts a board, waits for its page, and stops it. Raises SmokeFailure."""
        port = free_port()
        said = f"cribboard run --port {port}"
        log = self._folder / "run.log"
        arguments = [str(self._executable), "run", "--settings", "cribboard.toml", "--port", str(port)]
        with log.open("wb") as file:
            try:
                process = subprocess.Popen(
                    arguments,
                    cwd=self._folder,
                    env=self._environ(),
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                )
            except OSError as fault:
                raise SmokeFailure(f"{said}: expected a program, got {fault}") from fault
        try:
            answers = is_answered(f"http://127.0.0.1:{port}/", process)
        finally:
            ended_by_itself = process.poll() is not None
            if not ended_by_itself:
                process.send_signal(signal.SIGTERM)
            try:
                code = process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                code = process.wait()
        output = log.read_text(encoding="utf-8", errors="replace")
        if not answers:
            got = f"exit code {code}" if ended_by_itself else "none"
            raise SmokeFailure(shown(f"{said}: expected a page within {START_S:.0f} s, got {got}", output))
        check(said, output, code, f":{port}/")
        self.tried.append(f"{said}, its page and its end")

    def _environ(self) -> dict[str, str]:
        """Without settings of the caller, and with all files in the folder. Help is as wide as a terminal."""
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("CRIBBOARD_", "PYTHON"))}
        own = {"CRIBBOARD_STATE_FOLDER": str(self._folder / "state"), "XDG_CONFIG_HOME": str(self._folder)}
        return kept | own | {"COLUMNS": "80", "PYTHONUTF8": "1"}


def check(said: str, output: str, code: int, expected: str) -> None:
    """Raises SmokeFailure unless the command ended with 0, without a traceback, and said what is expected."""
    if code:
        raise SmokeFailure(shown(f"{said}: expected exit code 0, got {code}", output))
    if "Traceback" in output:
        raise SmokeFailure(shown(f"{said}: expected no traceback, got one", output))
    if expected not in output:
        raise SmokeFailure(shown(f"{said}: expected {expected!r} in the output, got none", output))


def shown(sentence: str, output: str) -> str:
    """The sentence, and the end of the output below it."""
    return "\n    ".join([sentence, *output.splitlines()[-LINES_SHOWN:]])


def listed_commands(help_text: str) -> list[str]:
    """The names of the subcommands that the help of a command lists."""
    return re.findall(r"^  ([a-z][\w-]*)", help_text.partition("\nCommands:\n")[2], re.MULTILINE)


def free_port() -> int:
    """A port of the loopback address that no program uses now."""
    with socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def is_answered(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Whether the page comes before the program ends or the time is up."""
    opener = build_opener(ProxyHandler({}))  # a proxy of the network knows no loopback address
    end_s = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < end_s:
        try:
            with opener.open(address, timeout=START_S) as page:
                return b"</html>" in page.read()
        except (OSError, HTTPException):  # urllib's own fault is an OSError; the answer may also break off
            time.sleep(LOOK_S)
    return False


def smoke(executable: Path) -> list[str]:
    """Tries this executable and prints what was tried. Returns the text of each failure."""
    with TemporaryDirectory(prefix="cribboard-smoke-") as folder:
        tries = Smoke(executable, Path(folder))
        failures = list(tries.all())
        for line in tries.tried:
            print(f"ok    {line}")
    for failure in failures:
        print(f"FAULT {failure}")
    tried = len(tries.tried) + len(failures)
    print(f"{len(tries.tried)} of {tried} commands work: {executable}")
    return failures


def main(arguments: Sequence[str]) -> None:
    """Tries the executable that is named, or the one beside this Python. Ends with 1 if anything failed, 2 for wrong
    arguments."""
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print("Usage: python3 -I smoke.py [PATH_OF_CRIBBOARD]", file=sys.stderr)
        raise SystemExit(2)
    named = Path(arguments[0]) if arguments else Path(sys.executable).with_name("cribboard")
    raise SystemExit(1 if smoke(named.absolute()) else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
