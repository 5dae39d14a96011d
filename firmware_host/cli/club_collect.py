"""`cribboard club collect`: takes the results that the boards send."""

from __future__ import annotations

from contextlib import suppress

import click

from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.games import settings_now
from firmware_host.cli.jsonl import write_line

NAME = "cribboard-club"
"""Of this program at the broker, where the settings name none."""
SERVE = "cribboard club serve"


@click.command("collect")
@as_session
def collect(session: Session) -> None:
    """Take the results that boards send, until Ctrl-C. The broker is the one of the settings: mqtt_host and others.

    Each board needs `results = true` in its [mqtt] settings, and the names of the members as names of its players. The
    players confirm a result as if it had been typed: `cribboard club confirm 1 Ann Bob`.
    """
    from firmware_host.club_server.collector import collecting  # slow to import
    from firmware_host.startup.services import broker_of

    settings = settings_now()
    tr = session.translate
    if not settings.mqtt_host:
        raise click.ClickException("no broker is set; name one by mqtt_host in the settings")
    session.night()  # refuses to wait without a night
    with suppress(KeyboardInterrupt), collecting(session.file, broker_of(settings, NAME), session.output) as collector:
        write_line(tr("Waiting for the results of the boards."))
        write_line(tr("Live scores: only on the pages of {command}, which takes results too.").format(command=SERVE))
        while True:
            collector.step()
