"""Runs the coverage-guided fuzzer atheris on every target, and prints what it found. `make fuzz MINUTES=n`.

python -m tests.fuzz.run_fuzzer --minutes 15

Each target has a process of its own and an equal share of the processor time. Interesting inputs are kept in .fuzz/ for
the next run. Inputs that broke a target are kept in .fuzz/found: fix the bug, then move them into the corpus.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from time import process_time
from typing import NamedTuple

WORK_FOLDER = Path(".fuzz")
MAX_INPUT_S = 20
"""An input that takes longer is a finding too. High, because the machine may be busy."""
MAX_INPUT_BYTES = 4096
EXECUTIONS = "number_of_executed_units"
"""How libFuzzer prints the number of inputs when it ends at a finding."""


class Result(NamedTuple):
    """The result for one target. `found`: the new files that broke it."""

    name: str
    executions: int
    took_s: float
    found: tuple[Path, ...]


def fuzz(name: str, seconds: int) -> Result:
    """Fuzz one target for this processor time, in a process of its own. Ends early at a finding."""
    inputs, found = WORK_FOLDER / name, WORK_FOLDER / "found" / name
    for folder in (inputs, found):
        folder.mkdir(parents=True, exist_ok=True)
    known = set(found.iterdir())
    command = [sys.executable, "-m", "tests.fuzz.run_fuzzer", "--only", name, "--seconds", str(seconds)]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        usage = os.wait4(process.pid, 0)[2]
        errors.seek(0)
        output = errors.read().decode(errors="replace")
    counted = re.search(rf"{EXECUTIONS}: *(\d+)", output)
    if counted is None:
        raise SystemExit(f"{name}: the fuzzer printed no count:\n{output[-3000:]}")
    new = tuple(sorted(set(found.iterdir()) - known))
    if new:
        print(output[-6000:])
    return Result(name, int(counted[1]), usage.ru_utime + usage.ru_stime, new)


def run_atheris(name: str, seconds: int) -> None:
    """Run the fuzzer in this process. Does not return: it exits after `seconds` of processor time."""
    import atheris  # here only: the tests do not need it

    with atheris.instrument_imports(include=["firmware_host", "board_drivers", "web_panel", "tomllib", "tomlkit"]):
        from tests.fuzz.target import CORPUS
        from tests.fuzz.targets import TARGETS
    logging.disable(logging.CRITICAL)  # every refusal would be logged
    target, executions = TARGETS[name], count(1)

    def run_until_time_is_up(data: bytes) -> None:
        target.run(data)
        done = next(executions)
        if process_time() > seconds:
            print(f"{EXECUTIONS}: {done}", file=sys.stderr, flush=True)
            os._exit(0)

    with tempfile.NamedTemporaryFile("w", suffix=".dict") as words:
        words.writelines(map(_in_dictionary, target.words))
        words.flush()
        options = [
            f"-artifact_prefix={WORK_FOLDER / 'found' / name}/",
            f"-timeout={MAX_INPUT_S}",
            f"-report_slow_units={MAX_INPUT_S}",
            f"-max_len={MAX_INPUT_BYTES}",
        ]
        options += ["-print_final_stats=1", *([f"-dict={words.name}"] if target.words else [])]
        atheris.Setup([sys.argv[0], *options, str(WORK_FOLDER / name), str(CORPUS / name)], run_until_time_is_up)
        atheris.Fuzz()


def _in_dictionary(word: str) -> str:
    """A line of a libFuzzer dictionary."""
    escaped = "".join(f"\\x{byte:02x}" for byte in word.encode())
    return f'"{escaped}"\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15.0, help="of processor time, for all targets together")
    parser.add_argument("--only", help="this target alone, in this process")
    parser.add_argument("--seconds", type=int)
    args = parser.parse_args()
    if args.only:
        run_atheris(args.only, args.seconds)
    from tests.fuzz.targets import TARGETS
    from tests.reliability.figures import publish

    results = []
    seconds = max(5, round(args.minutes * 60 / len(TARGETS)))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(lambda name: fuzz(name, seconds), TARGETS):
            print(f"{result.name}: {result.executions:,} inputs", flush=True)
            for finding in result.found:
                print(f"FOUND: {finding}", flush=True)
            results.append(result)
    found = sum(len(result.found) for result in results)
    figures: dict[str, object] = {f"inputs_of_{result.name}": result.executions for result in results}
    figures |= {"minutes": round(sum(result.took_s for result in results) / 60, 1), "findings": found}
    publish("fuzz", figures, keep="KEEP_FIGURES" in os.environ)
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
