"""A run of ngspice, the circuit simulator, the results of its measurements, and the values of parts."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

TIMEOUT_S = 300
_RESULT = re.compile(r"^(\w+)\s*=\s*([-+]?\d[-+.\de]*)", re.MULTILINE)
_VALUE = re.compile(r"(\d+)([knupR]?)(\d*)")
_UNITS = {"k": 1e3, "n": 1e-9, "u": 1e-6, "p": 1e-12}


class SpiceError(RuntimeError):
    """ngspice could not do what it was asked."""


def value(text: str) -> float:
    """A printed value in ohms or farads: `47k`, `3k9`, `0R47`, `100n`, `2u2`. Raises ValueError for another text."""
    found = _VALUE.fullmatch(text)
    if not found:
        raise ValueError(f"expected a value such as 3k9 or 100n, got {text!r}")
    number, unit, rest = found.groups()
    return float(f"{number}.{rest or 0}") * _UNITS.get(unit, 1.0)


def measure(deck: Iterable[str], wanted: Collection[str]) -> Mapping[str, float]:
    """Runs the lines of a deck, without `.end`, and returns the results of its `.measure` lines:
    seconds, volts, amperes. A deck that ran before in this process is not run again.

    Raises SpiceError if one of `wanted` failed or is missing: ngspice itself exits with 0 then.
    """
    done = _run("\n".join((*deck, ".end", "")))
    found = {name: float(number) for name, number in _RESULT.findall(done.stdout)}
    missing = [name for name in wanted if name not in found]
    if missing or done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if "rror" in line or "failed" in line]
        raise SpiceError(
            f"ngspice: expected results for {', '.join(wanted)}, got none for {', '.join(missing) or 'any'}, "
            f"exit {done.returncode}: {'; '.join(said) or 'no message'}. Fix: look at the deck with ngspice -b"
        )
    return {name: found[name] for name in wanted}


@cache
def _run(deck: str) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as folder:
        file = Path(folder, "deck.cir")
        file.write_text(deck, encoding="utf-8")
        return subprocess.run(
            ["ngspice", "-b", str(file)], capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
