"""`cribboard run`: runs the board, the host and the panel until it is stopped."""

from __future__ import annotations

import logging
import os
import signal
import sys
from functools import partial
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from firmware_host.cli.game_options import house_rules_option, variant_option
from firmware_host.config.board_plans import load_plan
from firmware_host.config.kits import Kit
from firmware_host.config.settings_record import keep_record
from firmware_host.config.settings_sources import rule_warnings, sources_of
from firmware_host.errors import HostError
from firmware_host.host.systemd import SystemdNotifier
from firmware_host.startup.former_settings import settings_fault, start_in_terminal, start_of_service


@click.command("run")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="A settings file, cribboard.toml.")
@click.option("--kit", help=f"What you play on: {', '.join(Kit)}.")
@click.option("--board", help="The board: the id of a plan, or the path of a plan file.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port of the phone panel. [8080, or the next free]")
@click.option("--state-folder", help="Where the journal of all games is kept.")
@click.option("--preset", help="The house rules of new games, such as family or acc.")
@variant_option
@house_rules_option
@click.option("--demo", is_flag=True, help="Let two simulated players play six cards to 121.")
@click.option("--faults", "faults", type=click.Path(path_type=Path), help="A fault plan (TOML): faults to inject.")
def command(file: Path | None, port: int | None, demo: bool, faults: Path | None, **overrides: object) -> None:
    """Run the board: follow the pegs, keep the score, serve the panel.

    Without settings the board is simulated, and the panel listens on this computer only. With a settings file that has
    a fault, the command ends and names the line; the service of an installed board starts with its former settings.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    systemd = SystemdNotifier(os.environ)
    try:
        sources = sources_of(file, os.environ, {"port": port, **overrides})
        start = start_of_service(sources) if systemd.is_service else start_in_terminal(sources)
        settings = start.settings
        for warning in () if start.has_fault else rule_warnings(settings, sources):
            click.echo(warning, err=True)
        if demo and not settings.parts.is_on_page:
            raise HostError(
                "a board on the page", f"kit {settings.kit_in_use}", "--demo", "leave out --demo: people move real pegs"
            )
        # Imported here so that --help does not wait for the whole program.
        from firmware_host.app import build_app
        from firmware_host.startup.boards import check_plan_fits_hardware

        fault_plan = None
        if faults:
            from firmware_host.simulation.fault_plan import read_fault_plan

            fault_plan = read_fault_plan(faults, load_plan(settings.board))
        if fault_plan and not settings.parts.is_on_page:
            check_plan_fits_hardware(fault_plan, settings)
        running = build_app(
            settings,
            sources=sources,
            insist_on_port=port is not None,
            fault_plan=fault_plan,
            on_step=systemd.ping_watchdog,
            find_settings_fault=partial(settings_fault, sources) if start.has_fault else None,
        )
        if not start.has_fault:
            keep_record(settings, start.texts)
    except HostError as error:
        click.echo(str(error), err=True)
        sys.exit(1)
    signal.signal(signal.SIGTERM, _stop)
    click.echo(f"cribboard is at {running.address}  (journal: {settings.journal}; stop with Ctrl-C)")
    sys.stdout.flush()
    systemd.notify("READY=1", f"STATUS=The panel is at {running.address}")
    try:
        if demo and running.demo:
            running.demo.start()
        running.serve()
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        systemd.notify("STOPPING=1")
        running.stop()


def _stop(signum: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
