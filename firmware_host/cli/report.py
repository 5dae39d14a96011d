"""`cribboard report`: one file for whoever is to find out what went wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import click

from firmware_host.board.plan import PlanError
from firmware_host.doctor.findings import Patient
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.rounds import for_a_report
from firmware_host.faults import HostFault
from firmware_host.plans import NoSuchPlan, load_plan
from firmware_host.report import pack_report, write_report
from firmware_host.settings import Settings, load_settings


@click.command(short_help="Pack what a fault can be found by into one file.")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="A settings file, cribboard.toml.")
@click.option("--state-folder", help="Where the journal of all games is kept.")
@click.option("--out", type=click.Path(path_type=Path), help="The file to make. [cribboard-report-DATE.zip]")
def command(file: Path | None, state_folder: str | None, out: Path | None) -> None:
    """Pack the latest turns, the trace of the pegs, versions and settings into one file, without cards and names."""
    out = out or Path(f"cribboard-report-{datetime.now():%Y-%m-%d-%H%M%S}.zip")
    try:
        settings = load_settings(file, os.environ, {"state_folder": state_folder})
        write_report(out, pack_report(settings, doctors_word(settings)))
    except HostFault as fault:
        raise click.ClickException(str(fault)) from fault
    click.echo(f"{out}: have a look into it, and send it on.")


def doctors_word(settings: Settings) -> Iterable[Mapping[str, str]]:
    """A board that there is no plan for cannot be examined, and the report is made without."""
    with suppress(NoSuchPlan, PlanError):
        return for_a_report(Patient(ThisMachine(), settings, load_plan(settings.board)))
    return ()
