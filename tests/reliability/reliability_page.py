"""Writes RELIABILITY.md: what cribboard guarantees, the tests that prove it, and the figures of the last run.

python -m tests.reliability.reliability_page > firmware_host/RELIABILITY.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from textwrap import fill

from tests.reliability.figures import stored
from tests.reliability.guarantees import GUARANTEES, Claim, Guarantee

ROOT = Path(__file__).parents[2]
DEFINITION = re.compile(r"^(?:def (test_\w+|upgrade_and_return)\(|(Test\w+) = )", re.MULTILINE)
"""A test, a state machine, or the steps of the witness that runs in a container."""
WIDTH = 120

HEADING = """\
# Reliability

What cribboard guarantees: each claim with the tests that prove it, and the figures of the last run. `make reliability`
generates this page; do not edit it. You can run each command yourself. What could not be tested without real hardware
is listed in [hardware/TEST.md](../hardware/TEST.md).
"""


def page() -> str:
    """The text of RELIABILITY.md. Raises KeyError for a test that does not exist."""
    return "\n".join((HEADING, *(_section(guarantee) for guarantee in GUARANTEES)))


@cache
def files_of_tests() -> Mapping[str, tuple[str, ...]]:
    """Test or state machine -> the files that define one of this name."""
    found = dict[str, tuple[str, ...]]()
    for file in sorted((ROOT / "tests").rglob("*.py")):
        for names in DEFINITION.findall(file.read_text(encoding="utf-8")):
            name = "".join(names)
            found[name] = (*found.get(name, ()), str(file.relative_to(ROOT)))
    return found


def _section(guarantee: Guarantee) -> str:
    lines = [f"## {guarantee.title}", "", *(_item(claim) for claim in guarantee.claims), ""]
    if guarantee.about:
        lines += [fill(guarantee.about, WIDTH), ""]
    if guarantee.limits:
        lines += [
            "Not promised:",
            "",
            *(fill(f"- {limit}", WIDTH, subsequent_indent="  ") for limit in guarantee.limits),
            "",
        ]
    return "\n".join((*lines, *_figures(guarantee)))


def _limit(text: str) -> str:
    return fill(f"- {text}", WIDTH, subsequent_indent="  ")


def _item(claim: Claim) -> str:
    proofs = (f"  [`{test}`](../{files_of_tests()[test][0]})" for test in claim.tests)
    return "\n".join((fill(f"- {claim.text}", WIDTH, subsequent_indent="  "), ",\n".join(proofs)))


def _figures(guarantee: Guarantee) -> Iterator[str]:
    for name in guarantee.figures:
        yield f"Last run of `{guarantee.command}`, {name.replace('_', ' ')}:"
        yield ""
        for figure, value in stored(name).items():
            yield f"- {figure.replace('_', ' ')}: {f'{value:,}' if isinstance(value, int) else value}"
        yield ""


if __name__ == "__main__":
    print(page(), end="")
