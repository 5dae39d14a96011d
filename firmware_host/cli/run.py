"""`cribboard run`: the board, the host and the panel, until it is told to stop."""

from __future__ import annotations

import logging
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from firmware_host.cli.game_options import house_rules_option, variant_option
from firmware_host.faults import HostFault
from firmware_host.plans import load_plan
from firmware_host.settings import sources_of
from firmware_host.supervisor import Supervisor


@click.command("run", short_help="Run the board and its panel.")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="A settings file, cribboard.toml.")
@click.option("--board", help="The board: the id of a plan, or the path of a plan file.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port of the phone panel. [8080, or the next free]")
@click.option("--state-folder", help="Where the journal of all games is kept.")
@click.option("--preset", help="The house rules of new games, such as family or acc.")
@variant_option
@house_rules_option
@click.option("--demo", is_flag=True, help="Let two simulated people play.")
@click.option("--faults", "troubles", type=click.Path(path_type=Path), help="A plan of what shall go wrong (TOML).")
def command(file: Path | None, port: int | None, demo: bool, troubles: Path | None, **said: object) -> None:
    """Run the board: follow the pegs, keep the score, serve the panel.

    Without settings the board is a simulated one, and the panel listens on this computer alone.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("waitress").setLevel(logging.ERROR)
    supervisor = Supervisor(os.environ)
    try:
        sources = sources_of(file, os.environ, {"port": port, **said})
        settings = sources.load()
        if demo and not settings.simulate:
            raise HostFault("a simulated board", "simulate = false", "--demo", "leave it out: hands move real pegs")
        from firmware_host.assemble import (
            assemble,
            must_suit_real_parts,
        )  # the whole house; nobody should wait for it to read --help
        from firmware_host.mischief import read_mischief

        mischief = read_mischief(troubles, load_plan(settings.board)) if troubles else None
        if mischief and not settings.simulate:
            must_suit_real_parts(mischief, settings)
        running = assemble(
            settings, sources=sources, insist_on_port=port is not None, mischief=mischief, beat=supervisor.beat
        )
    except HostFault as fault:
        click.echo(str(fault), err=True)
        sys.exit(1)
    signal.signal(signal.SIGTERM, _stop)
    click.echo(f"cribboard is at {running.address}  (journal: {settings.journal}; stop with Ctrl-C)")
    sys.stdout.flush()
    supervisor.tell("READY=1", f"STATUS=The panel is at {running.address}")
    try:
        if demo and running.demo:
            running.demo.start()
        running.serve()
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        supervisor.tell("STOPPING=1")
        running.stop()


def _stop(signum: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
