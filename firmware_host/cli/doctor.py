"""`cribboard doctor`: checks the computer, the wires, the parts and the journal, and says how to fix each fault."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from firmware_host.board.plan import PlanError
from firmware_host.cli.jsonl import counted, write_line
from firmware_host.config.board_plans import NoSuchPlan, load_plan
from firmware_host.config.kits import Kit
from firmware_host.config.settings import SENTENCES, Settings
from firmware_host.config.settings_sources import sources_of
from firmware_host.doctor.checks import run_checks
from firmware_host.doctor.findings import DoctorContext, Finding, Verdict
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.system import MODEL
from firmware_host.errors import HostError
from firmware_host.startup.former_settings import settings_or_former

COLUMNS = 80
INDENT = " " * 24


@click.command("doctor")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="A settings file, cribboard.toml.")
@click.option("--kit", help=f"What you play on: {', '.join(Kit)}.")
@click.option("--board", help=SENTENCES["board"])
@click.option("--state-folder", help=SENTENCES["state_folder"])
@click.option("--sound", "may_sound", is_flag=True, help="Play a short tone on the piezo, and let the voice speak.")
@click.option("--bench", "measures", is_flag=True, help="Measure how fast this computer is instead, in some 20 s.")
@click.option("--json", "as_objects", is_flag=True, help="One JSON object a line.")
def command(file: Path | None, may_sound: bool, measures: bool, as_objects: bool, **overrides: object) -> None:
    """Check the computer, the buses, the parts and the journal: what was expected, what was found, how to fix it.

    Nothing is changed, and a running board is not disturbed. Exits with 1 if there is a fault.
    """
    if measures:
        benchmark(as_objects)
        return
    try:
        settings, error = settings_or_former(sources_of(file, os.environ, overrides))
        plan = load_plan(settings.board)
    except (HostError, NoSuchPlan, PlanError) as fault:
        raise click.ClickException(str(fault)) from fault
    found = list[Finding]()
    context = DoctorContext(ThisMachine(), settings, plan, may_sound, settings_error=error)
    checks = collecting(run_checks(context), found)
    for line in as_json(checks) if as_objects else in_words(board_in_words(settings, plan.id), checks):
        write_line(line)
    if any(finding.verdict is Verdict.FAULT for finding in found):
        raise click.exceptions.Exit(1)


def board_in_words(settings: Settings, plan_id: str) -> str:
    """The board and its kit, with the parts that have wires."""
    parts = settings.parts
    wires = [f"{', '.join(parts.on_pins)} on the pins"] if parts.on_pins else []
    wires += ["a scanner"] if parts.has_scanner else []
    return f"{plan_id}, kit {settings.kit_in_use}: {' and '.join(wires) or 'no wires to check'}"


def benchmark(as_objects: bool) -> None:
    """Starts the program on a simulated board, and prints what its work costs on this computer."""
    from firmware_host.cli import doctor_bench  # rare
    from firmware_host.doctor.benchmark import measure

    model = ThisMachine().read(MODEL).strip("\0\n")
    try:
        measured = measure()
    except HostError as fault:
        raise click.ClickException(str(fault)) from fault
    for line in (doctor_bench.as_json if as_objects else doctor_bench.in_words)(measured, model):
        write_line(line)


Checks = Iterable[tuple[str, Finding]]


def collecting(checks: Checks, found: list[Finding]) -> Checks:
    """Passes the checks on, and appends each finding to `found`."""
    for title, finding in checks:
        found.append(finding)
        yield title, finding


def as_json(checks: Checks) -> Iterator[str]:
    """One JSON object for each check. `fix` is empty where nothing needs fixing."""
    for title, finding in checks:
        fields = {"part": title, "check": finding.about, "verdict": finding.verdict.value.lower()}
        yield json.dumps({**fields, "expected": finding.expected, "got": finding.got, "fix": finding.fix})


def in_words(heading: str, checks: Checks) -> Iterator[str]:
    """One line for what works; for a fault also what was expected and how to fix it."""
    yield f"cribboard doctor: {heading}"
    before = ""
    count = dict.fromkeys(Verdict, 0)
    for title, finding in checks:
        if title != before:
            yield from ("", title)
        before = title
        count[finding.verdict] += 1
        yield from _paragraph(finding)
    yield from ("", _summary(count))


def _paragraph(finding: Finding) -> Iterator[str]:
    head = f"  {finding.verdict.value:6}{finding.about:15} "
    in_full = (f"expected {finding.expected}", f"got {finding.got}", f"fix: {finding.fix}")
    for sentence in in_full if finding.fix else (finding.got,):
        yield from textwrap.wrap(
            sentence, COLUMNS, initial_indent=head, subsequent_indent=INDENT, break_on_hyphens=False
        )
        head = INDENT


def _summary(count: dict[Verdict, int]) -> str:
    if count[Verdict.FAULT]:
        return f"{counted(count[Verdict.FAULT], 'fault')} to fix before a game."
    if count[Verdict.WARNING]:
        return f"You can play; {counted(count[Verdict.WARNING], 'warning')}."
    return "Everything works."
