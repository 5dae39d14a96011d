"""`cribboard report`: packs a diagnostic report into one file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import click

from firmware_host.board.plan import PlanError
from firmware_host.config.board_plans import NoSuchPlan, load_plan
from firmware_host.config.settings import Settings
from firmware_host.doctor.checks import checks_for_report
from firmware_host.doctor.findings import DoctorContext
from firmware_host.doctor.machine import ThisMachine
from firmware_host.doctor.report import pack_report, write_report
from firmware_host.errors import HostError
from firmware_host.startup.own_user import load_settings


@click.command("report")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="A settings file, cribboard.toml.")
@click.option("--state-folder", help="The folder of the journal.")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write. [cribboard-report-DATE.zip]")
def command(file: Path | None, state_folder: str | None, out: Path | None) -> None:
    """Pack the latest turns, the peg trace, versions and settings into one file, without cards and names."""
    out = out or Path(f"cribboard-report-{datetime.now():%Y-%m-%d-%H%M%S}.zip")
    try:
        settings = load_settings(file, os.environ, {"state_folder": state_folder})
        write_report(out, pack_report(settings, doctor_findings(settings)))
    except HostError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{out}: look through it before you send it.")


def doctor_findings(settings: Settings) -> Iterable[Mapping[str, str]]:
    """Empty for a board without a plan, which cannot be checked."""
    with suppress(NoSuchPlan, PlanError):
        return checks_for_report(DoctorContext(ThisMachine(), settings, load_plan(settings.board)))
    return ()
