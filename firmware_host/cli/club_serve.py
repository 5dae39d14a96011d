"""`cribboard club serve`: the pages of the club night."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import click

from firmware_host.cli.club_accounts import say_password
from firmware_host.cli.club_backup import CHECKS
from firmware_host.cli.club_broker import own_broker
from firmware_host.cli.club_collect import NAME
from firmware_host.cli.club_session import Session, as_session
from firmware_host.cli.games import settings_now
from firmware_host.cli.jsonl import write_line
from firmware_host.club_server.accounts import Accounts
from firmware_host.club_server.backup import restore_club
from firmware_host.club_server.broker import PORT as BROKER_PORT
from firmware_host.club_server.broker import running
from firmware_host.club_server.live_boards import LiveBoards
from firmware_host.club_server.recovery import open_or_recover
from firmware_host.config.settings import Settings
from firmware_host.telemetry.local_broker import find_mosquitto

if TYPE_CHECKING:
    from web_panel.club.shared_club import SharedClub

PORT = 8090
PORTS_TRIED = 20


@click.command("serve")
@click.option("--address", default="127.0.0.1", show_default=True, help="0.0.0.0: the room's network too.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port.  [default: 8090, or the next free]")
@click.option("--broker", "has_broker", is_flag=True, help="Start a Mosquitto for the boards of `club board add`.")
@click.option("--broker-port", type=click.IntRange(1, 65535), default=BROKER_PORT, show_default=True)
@as_session
def serve(session: Session, address: str, port: int | None, has_broker: bool, broker_port: int) -> None:
    """Serve the pages of the night until Ctrl-C: the screen of the room, and the pages of the organiser.

    The screen needs no account. The first start makes an account and prints its password. With `https = true` in the
    settings accounts are used over HTTPS alone. With --broker, or if mqtt_host is set, the results of the boards are
    taken too, as by `cribboard club collect`.
    """
    from firmware_host.startup.network import address_of, encrypted, listen
    from firmware_host.startup.services import renewal_of
    from web_panel.club.app import close_club, create_club, open_club_server
    from web_panel.club.computer import Computer
    from web_panel.security.allowed_hosts import LOOPBACK, LanHostNames, is_loopback

    if has_broker:
        find_mosquitto()  # before an account is made and addresses are printed
    settings = settings_now()
    tr = session.translate
    accounts = Accounts(settings.club_accounts)
    accounts.prepare()
    password = accounts.first_password()
    listening = listen(address, port or PORT, 1 if port else PORTS_TRIED)
    url = address_of(listening)
    hosts = LOOPBACK | set(settings.names_on_lan) if is_loopback(address) else LanHostNames(settings.names_on_lan)
    renewal = renewal_of(settings)
    authority = (lambda: renewal.files.authority_certificate) if renewal else None
    live = LiveBoards()
    services = _background_services(session, address, broker_port, has_broker, live)
    computer = Computer(settings.state_folder, services.restore)
    pages = create_club(session.file, accounts, url, hosts, authority, computer, live)
    server = open_club_server(pages, listening, renewal.context if renewal else None)
    write_line(tr("The screen of the room: {address}").format(address=url))
    say_if_local(session, address)
    organiser = encrypted(url) if renewal else url
    write_line(tr("The organiser: {address}").format(address=f"{organiser}organiser"))
    if password:
        say_password(session, password)
    else:
        write_line(tr("Password forgotten? {command}").format(command="cribboard club account reset"))
    sys.stdout.flush()
    end_on_sigterm()
    try:
        with ExitStack() as stack:
            if renewal:
                renewal.start()
                stack.callback(renewal.stop)
            stack.callback(services.stop)
            services.start()
            server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
        close_club(pages)


def _background_services(
    session: Session, address: str, broker_port: int, has_broker: bool, live: LiveBoards
) -> BackgroundServices:
    """The broker and the collector, if boards are listened to; then `live` has how they are."""
    from firmware_host.club_server.collector import collecting_in_background
    from firmware_host.startup.services import broker_of

    settings = settings_now()
    output = session.output

    def start(stack: ExitStack) -> None:
        if has_broker:
            own = own_broker(settings, address, broker_port)
            stack.enter_context(running(own))
            stack.enter_context(
                collecting_in_background(settings.club, own.club_access(), output, lambda: own.expelled, live)
            )
        elif settings.mqtt_host:
            stack.enter_context(collecting_in_background(settings.club, broker_of(settings, NAME), output, live=live))

    return BackgroundServices(settings, start)


class BackgroundServices:
    """The broker and the collector. They stop while a backup is restored: nobody may use the files then. `start` adds
    what it starts to the stack that it gets, which ends it."""

    def __init__(self, settings: Settings, start: Callable[[ExitStack], None]) -> None:
        self._settings = settings
        self._start = start
        self._stack = ExitStack()

    def start(self) -> None:
        """Start them."""
        self._start(self._stack)

    def stop(self) -> None:
        """Stop them, and wait until they have ended."""
        self._stack.close()

    def restore(self, shared: SharedClub, backup: Path) -> None:
        """Replace the files of the club by those of a backup. Raises HostError, and then nothing has changed."""
        self.stop()
        try:
            shared.exchange(
                lambda: restore_club(self._settings.state_folder, backup, CHECKS),
                lambda: open_or_recover(self._settings.club),
            )
        finally:
            self.start()


def end_on_sigterm() -> None:
    """SIGTERM ends the program as Ctrl-C does, so that the broker ends with it."""
    signal.signal(signal.SIGTERM, _stop)


def _stop(signum: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def say_if_local(session: Session, address: str) -> None:
    """Say of pages on a loopback address that no phone can open them, and how one could."""
    from web_panel.security.allowed_hosts import is_loopback

    if is_loopback(address):
        tr = session.translate
        write_line(tr("Only this computer can open it. For phones: {option}").format(option="--address 0.0.0.0"))
