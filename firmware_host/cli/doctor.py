"""`cribboard doctor`: the computer, the wires, the parts and the journal, each with its mend."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from firmware_host.board.plan import PlanError
from firmware_host.cli.lines import tell
from firmware_host.doctor.findings import Finding, Patient, Verdict
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.rounds import examine
from firmware_host.faults import HostFault
from firmware_host.plans import NoSuchPlan, load_plan
from firmware_host.settings import SENTENCES, load_settings

COLUMNS = 80
INDENT = " " * 24


@click.command("doctor", short_help="Say what is wrong with the board, and how to mend it.")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="A settings file, cribboard.toml.")
@click.option("--board", help=SENTENCES["board"])
@click.option("--state-folder", help=SENTENCES["state_folder"])
@click.option("--sound", "may_sound", is_flag=True, help="Let the piezo be heard.")
@click.option("--json", "as_objects", is_flag=True, help="One JSON object a line.")
def command(file: Path | None, may_sound: bool, as_objects: bool, **said: object) -> None:
    """Look at the computer, the buses, the parts and the journal: what was expected, what is there, and the mend.

    Nothing is changed, and a board that is running is not disturbed. Ends with 1 if something must be mended.
    """
    try:
        settings = load_settings(file, os.environ, said)
        plan = load_plan(settings.board)
    except (HostFault, NoSuchPlan, PlanError) as fault:
        raise click.ClickException(str(fault)) from fault
    found = list[Finding]()
    rounds = noted(examine(Patient(ThisMachine(), settings, plan, may_sound)), found)
    is_real = "a simulated board: no wires to look at" if settings.simulate else "a real board"
    for line in as_json(rounds) if as_objects else in_words(f"{plan.id}, {is_real}", rounds):
        tell(line)
    if any(finding.verdict is Verdict.MEND for finding in found):
        raise click.exceptions.Exit(1)


Rounds = Iterable[tuple[str, Finding]]


def noted(rounds: Rounds, found: list[Finding]) -> Rounds:
    """The same, while each is put down in `found`."""
    for title, finding in rounds:
        found.append(finding)
        yield title, finding


def as_json(rounds: Rounds) -> Iterator[str]:
    for title, finding in rounds:
        told = {"part": title, "check": finding.about, "verdict": finding.verdict.value.lower()}
        yield json.dumps({**told, "expected": finding.expected, "got": finding.got, "mend": finding.mend})


def in_words(patient: str, rounds: Rounds) -> Iterator[str]:
    """What is well takes one line; what is not says what was expected, what was found, and the mend."""
    yield f"cribboard doctor: {patient}"
    before, count = "", dict.fromkeys(Verdict, 0)
    for title, finding in rounds:
        if title != before:
            yield from ("", title)
        before = title
        count[finding.verdict] += 1
        yield from _paragraph(finding)
    yield from ("", _summary(count))


def _paragraph(finding: Finding) -> Iterator[str]:
    head = f"  {finding.verdict.value:6}{finding.about:15} "
    in_full = (f"expected {finding.expected}", f"got {finding.got}", f"mend: {finding.mend}")
    for sentence in in_full if finding.mend else (finding.got,):
        yield from textwrap.wrap(
            sentence, COLUMNS, initial_indent=head, subsequent_indent=INDENT, break_on_hyphens=False
        )
        head = INDENT


def _summary(count: dict[Verdict, int]) -> str:
    if count[Verdict.MEND]:
        return f"{count[Verdict.MEND]} to mend before a game."
    if count[Verdict.LOOK]:
        return f"A game can be played; {count[Verdict.LOOK]} worth a look."
    return "All is well."
