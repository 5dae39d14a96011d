"""The organiser of the load test: the broker of the club, the program that takes the results, and somebody who draws
rounds.

python -m tests.club.load.organiser STATE_FOLDER BROKER_PORT
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from threading import Event

from firmware_host.cli.club_serve import end_on_sigterm
from firmware_host.club_server.broker import running
from firmware_host.club_server.collector import collecting_in_background
from firmware_host.club_server.output import Output
from firmware_host.config.languages import translator
from firmware_host.config.settings import Settings
from firmware_host.startup.club_demo import organising
from firmware_host.telemetry.local_broker import LocalBroker


def main(state_folder: Path, broker_port: int) -> None:
    """Run until SIGTERM or SIGKILL."""
    end_on_sigterm()
    settings = Settings(state_folder=state_folder)
    broker = LocalBroker(settings.club_broker, port=broker_port)
    with (
        suppress(KeyboardInterrupt),
        running(broker),
        collecting_in_background(settings.club, broker.club_access(), Output(translator("en"), print, print)),
    ):
        organising(settings.club, Event())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
