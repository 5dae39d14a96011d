"""KiCad's report of its design rule check, read whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """What KiCad's design rule check found: sentences, one a finding."""

    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    unconnected: tuple[str, ...]


_FINDING = re.compile(r"^\[(?P<rule>\w+)\]: (?P<what>.*)\n.*Severity: (?P<severity>\w+)(?P<where>(?:\n +@.*)*)", re.M)


def read_report(text: str) -> Verdict:
    """A report of KiCad's design rule check. ValueError: its totals are not those of its findings."""
    found: dict[str, list[str]] = {"error": [], "warning": [], "unconnected": []}
    for match in _FINDING.finditer(text):
        kind = "unconnected" if match["rule"] == "unconnected_items" else match["severity"]
        where = " / ".join(line.strip() for line in match["where"].splitlines() if line.strip())
        found[kind].append(f"{match['rule']}: {match['what']} {where}".strip())
    told = sum(int(count) for count in re.findall(r"^\*\* Found (\d+) ", text, re.M))
    if told != (read := sum(map(len, found.values()))):
        raise ValueError(f"design rule report: expected {told} findings as it says, got {read}; see the .drc file")
    return Verdict(tuple(found["error"]), tuple(found["warning"]), tuple(found["unconnected"]))


_VIA = re.compile(r"@\((?P<x>[\d.]+) mm, (?P<y>[\d.]+) mm\): Via")


def vias_in(findings: Sequence[str]) -> list[tuple[float, float]]:
    """Where the vias are that these findings name."""
    return [(float(via["x"]), float(via["y"])) for finding in findings for via in _VIA.finditer(finding)]
