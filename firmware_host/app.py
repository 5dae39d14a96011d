"""The composition root: builds board, host, panel and server from the settings.

The display comes first: the panel with its libraries is imported when the display shows its first page, and whatever a
setting may leave out is imported where it is used.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.config.card_tags import CardTags, prepare_card_tags
from firmware_host.config.kits import Where
from firmware_host.config.settings import Settings
from firmware_host.config.settings_sources import Sources
from firmware_host.host.loop import Host
from firmware_host.host.setup import SettingsFault
from firmware_host.host.trace_log import TraceLog
from firmware_host.pairing.registry import PhoneRegistry, prepare_phones
from firmware_host.startup.board_screen import DisplayMirror, ScreenInput
from firmware_host.startup.boards import host_setup_of, reader_of
from firmware_host.startup.games_and_people import archive_of, keep_count, learners_file_of, people_file_of
from firmware_host.startup.network import access_policy_of, address_of, encrypted, listen
from firmware_host.startup.services import (
    DemoOnRequest,
    OpponentOnRequest,
    renewal_of,
    settings_editor_of,
    telemetry_of,
    voice_of,
    withdrawal_of,
)
from firmware_host.storage.deferred_game import DeferredGame, deferred_game
from firmware_host.storage.journal import Clock, JournalError, now
from firmware_host.storage.recovery import OpenedJournal, open_or_recover

if TYPE_CHECKING:
    from flask import Flask

    from board_drivers.card_reader import SerialCardReader
    from firmware_host.https.renewal import Renewal
    from firmware_host.simulation.fault_plan import FaultPlan
    from firmware_host.speech.board_voice import BoardVoice
    from firmware_host.telemetry.telemetry import Telemetry
    from firmware_host.telemetry.withdrawal import Withdrawal
    from web_panel.server.loop import PanelServer

log = logging.getLogger(__name__)

PORTS_TRIED = 20

FIRST_PAGE_S = 2.0
"""The longest that a start waits for the first page of the display; a board with a fault may have none."""


class RunningApp(Struct):
    """Everything that was started. `address` is the URL of the panel."""

    host: Host
    demo: DemoOnRequest | None
    panel: Flask
    server: PanelServer
    address: str
    reader: SerialCardReader | None = None
    voice: BoardVoice | None = None
    renewal: Renewal | None = None
    """Of the certificate; None: the pages are not encrypted."""
    telemetry: Telemetry | None = None
    """To an MQTT broker; None: off."""
    withdrawal: Withdrawal | None = None
    """From the MQTT brokers that the board has left; None: from none."""

    opponent: OpponentOnRequest | None = None
    """The player of the program."""

    def serve(self) -> None:
        """Serves the panel until the process is asked to stop."""
        self.server.run()

    def stop(self) -> None:
        """Ends all threads. Nothing needs saving: every turn is durable."""
        if self.demo:
            self.demo.stop()
        if self.opponent:
            self.opponent.stop()
        if self.voice:
            self.voice.stop()
        if self.renewal:
            self.renewal.stop()
        if self.telemetry:
            self.telemetry.stop()
        if self.withdrawal:
            self.withdrawal.stop()
        self.host.stop()
        if self.reader:
            self.reader.close()


def build_app(
    settings: Settings,
    *,
    sources: Sources | None = None,
    insist_on_port: bool = False,
    fault_plan: FaultPlan | None = None,
    on_step: Callable[[], None] = lambda: None,
    find_settings_fault: Callable[[], SettingsFault | None] | None = None,
) -> RunningApp:
    """Opens everything and starts the host. Raises HostError, PlanError or NoSuchPlan, and then closes what was open.

    If the port is taken the next free one is used, unless `insist_on_port`. `sources` are the files and variables that
    the settings came from; without them the panel has no settings page. `fault_plan` injects faults. `on_step` is
    called after every step of the host that did not fail. `find_settings_fault`: see `HostSetup`.
    """
    listening = listen(settings.address, settings.port, 1 if insist_on_port else PORTS_TRIED)
    address = address_of(listening)
    with ExitStack() as on_failure:
        on_failure.callback(listening.close)
        reader = reader_of(settings)
        prepare_card_tags(settings.card_tags)
        card_tags = CardTags(settings.card_tags)
        prepare_phones(settings.phones)
        phones = PhoneRegistry(settings.phones)
        if reader:
            on_failure.callback(reader.close)
        setup = host_setup_of(settings, fault_plan)
        setup = replace(setup, address=address, on_step=on_step, card_reader=reader, card_of=card_tags.card_of)
        opponent = OpponentOnRequest()
        setup = replace(setup, call_opponent=opponent.call, find_settings_fault=find_settings_fault)
        setup = replace(setup, on_count=partial(keep_count, settings.learners))
        opened, deferred = open_or_defer(settings.journal, fault_plan.time_of_day if fault_plan else now)
        on_failure.callback(opened.journal.close)
        if fault_plan:
            opened.journal.before_writing = fault_plan.apply_disk_faults
        trace = TraceLog(settings.state_folder)
        host = Host(setup, opened.journal, monotonic, phones, trace, opened.loss, deferred)
        on_failure.pop_all()
    opponent.sit_at(host)
    before = host.snapshot.version
    host.start()
    host.wait_for_change(before, FIRST_PAGE_S)
    log.info("the display shows its first page")
    running = open_panel(host, settings, sources, listening, reader)
    running.opponent = opponent
    return running


def open_panel(
    host: Host, settings: Settings, sources: Sources | None, listening: socket.socket, reader: SerialCardReader | None
) -> RunningApp:
    """Starts everything else around a host that runs: voice, demo and panel."""
    from web_panel.app import create_panel, open_server

    demo = DemoOnRequest(host) if settings.parts.is_on_page else None
    settings_editor = settings_editor_of(sources, settings, host) if sources else None
    voice = voice_of(host, settings_editor)
    mirror = DisplayMirror(host)
    has_display_on_page = settings.parts.display is Where.PAGE
    board_input = ScreenInput(host, None if has_display_on_page else mirror) if settings.parts.has_screen else None
    renewal = renewal_of(settings)
    access_policy = access_policy_of(settings, host, settings_editor)
    if renewal:
        access_policy = replace(access_policy, authority=lambda: renewal.files.authority_certificate)
        renewal.start()
    address = encrypted(host.setup.address) if renewal else host.setup.address
    withdrawal = withdrawal_of(settings)
    if withdrawal:
        withdrawal.start()
    telemetry = telemetry_of(settings, host, address if host.setup.is_reachable else "")
    if telemetry:
        telemetry.start()
    panel = create_panel(
        host,
        archive=cache(partial(archive_of, settings)),
        people_file=cache(partial(people_file_of, settings)),
        learners_file=cache(partial(learners_file_of, settings)),
        settings_editor=settings_editor,
        board_input=board_input,
        picture=board_input.oled_png if board_input else mirror.picture,
        demo=demo,
        access_policy=access_policy,
        voice_fault=lambda: voice.fault,
        telemetry_fault=(lambda: telemetry.fault) if telemetry else None,
        template_folder=settings.state_folder / "templates",
    )
    server = open_server(panel, listening, tls=renewal.context if renewal else None)
    return RunningApp(host, demo, panel, server, address, reader, voice, renewal, telemetry, withdrawal)


def open_or_defer(path: Path, clock: Clock) -> tuple[OpenedJournal, DeferredGame | None]:
    """The journal. Where the disk is full or read-only: one in memory, and the game that waits for the disk. Raises
    JournalError for anything else."""
    try:
        return open_or_recover(path, clock), None
    except JournalError as fault:
        deferred = deferred_game(path, clock)
        if deferred is None:
            raise
        log.error("%s; the game is kept in memory until the disk can be written", fault)
        return OpenedJournal(deferred.in_memory()), deferred
