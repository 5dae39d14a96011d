"""Lets a coverage-guided fuzzer loose on every target, and tells what it tried and found. `make fuzz MINUTES=n`.

python -m tests.fuzz.hunt --minutes 15

One process a target, each with its share of the processor's time. What a target makes of its bytes is kept in .fuzz/
for the next hunt; bytes that broke it are kept there too, under `found`: mend it, and move them into the corpus.
"""

from __future__ import annotations

import argparse
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

KEPT = Path(".fuzz")
ONE_READ_S = 20
"""Longer for one reading is a finding too, on a machine that is busy with other things as well."""
LONGEST = 4096
"""Bytes of one reading."""
DONE = "number_of_executed_units"
"""As libFuzzer says it when it ends at a finding."""


class Hunted(NamedTuple):
    """What became of one target. `found` names the files that broke it."""

    name: str
    executions: int
    took_s: float
    found: tuple[Path, ...]


def hunt(name: str, seconds: int) -> Hunted:
    """So many seconds of processor time on one target; it ends sooner at a finding."""
    own, found = KEPT / name, KEPT / "found" / name
    for folder in (own, found):
        folder.mkdir(parents=True, exist_ok=True)
    known = set(found.iterdir())
    command = [sys.executable, "-m", "tests.fuzz.hunt", "--only", name, "--seconds", str(seconds)]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        usage = os.wait4(process.pid, 0)[2]
        said.seek(0)
        story = said.read().decode(errors="replace")
    counted = re.search(rf"{DONE}: *(\d+)", story)
    if counted is None:
        raise SystemExit(f"{name}: the fuzzer did not tell what it did:\n{story[-3000:]}")
    fresh = tuple(sorted(set(found.iterdir()) - known))
    if fresh:
        print(story[-6000:])
    return Hunted(name, int(counted[1]), usage.ru_utime + usage.ru_stime, fresh)


def let_loose(name: str, seconds: int) -> None:
    """The fuzzer itself, in a process of its own; it never comes back."""
    import atheris  # here alone: the everyday tests do without

    with atheris.instrument_imports(include=["firmware_host", "board_drivers", "web_panel", "tomllib", "tomlkit"]):
        from tests.fuzz.target import CORPUS
        from tests.fuzz.targets import TARGETS
    target, executions = TARGETS[name], count(1)

    def read_until_tired(given: bytes) -> None:
        target.try_out(given)
        done = next(executions)
        if process_time() > seconds:
            print(f"{DONE}: {done}", file=sys.stderr, flush=True)
            os._exit(0)

    with tempfile.NamedTemporaryFile("w", suffix=".dict") as words:
        words.writelines(map(_in_dictionary, target.words))
        words.flush()
        options = [
            f"-artifact_prefix={KEPT / 'found' / name}/",
            f"-timeout={ONE_READ_S}",
            f"-report_slow_units={ONE_READ_S}",
            f"-max_len={LONGEST}",
        ]
        options += ["-print_final_stats=1", *([f"-dict={words.name}"] if target.words else [])]
        atheris.Setup([sys.argv[0], *options, str(KEPT / name), str(CORPUS / name)], read_until_tired)
        atheris.Fuzz()


def _in_dictionary(word: str) -> str:
    """A line of libFuzzer's dictionary."""
    spelt = "".join(f"\\x{byte:02x}" for byte in word.encode())
    return f'"{spelt}"\n'


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=15.0, help="of processor time, for all targets together")
    asked.add_argument("--only", help="this target alone, in this process")
    asked.add_argument("--seconds", type=int)
    args = asked.parse_args()
    if args.only:
        let_loose(args.only, args.seconds)
    from tests.fuzz.targets import TARGETS
    from tests.reliability.figures import publish

    hunts = []
    seconds = max(5, round(args.minutes * 60 / len(TARGETS)))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for hunted in pool.map(lambda name: hunt(name, seconds), TARGETS):
            print(f"{hunted.name}: {hunted.executions:,} readings", flush=True)
            for finding in hunted.found:
                print(f"FOUND: {finding}", flush=True)
            hunts.append(hunted)
    found = sum(len(hunted.found) for hunted in hunts)
    figures: dict[str, object] = {f"readings_of_{hunted.name}": hunted.executions for hunted in hunts}
    figures |= {"minutes": round(sum(hunted.took_s for hunted in hunts) / 60, 1), "findings": found}
    publish("fuzz", figures, keep="KEEP_FIGURES" in os.environ)
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
