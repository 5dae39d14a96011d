"""What runs beside the host: voice, demonstration, certificate renewal, telemetry and the editor of the settings.

Each is imported where it is used: the settings may leave it out.
"""

from __future__ import annotations

import logging
from contextlib import closing
from functools import partial
from threading import Lock, Thread
from typing import TYPE_CHECKING

from firmware_host.config.languages import translator
from firmware_host.config.settings import Settings
from firmware_host.config.settings_sources import Sources
from firmware_host.cribbage.variants import rules_for
from firmware_host.host.loop import Host
from firmware_host.startup.boards import with_settings
from firmware_host.startup.network import board_names
from firmware_host.storage.journal import Journal
from firmware_host.ui.voice import VoiceSettings

if TYPE_CHECKING:
    from firmware_host.config.settings_editor import SettingsEditor
    from firmware_host.https.renewal import Renewal
    from firmware_host.opponent.player import Opponent
    from firmware_host.simulation.autoplay import Demo
    from firmware_host.speech.board_voice import BoardVoice
    from firmware_host.speech.talker import Talker
    from firmware_host.telemetry.broker import Broker
    from firmware_host.telemetry.telemetry import Telemetry
    from firmware_host.telemetry.withdrawal import Withdrawal

log = logging.getLogger(__name__)


def voice_of(host: Host, settings_editor: SettingsEditor | None) -> BoardVoice:
    """The voice of the board. It is silent until the settings turn it on. What is chosen in its menu is kept."""
    from firmware_host.speech.board_voice import BoardVoice

    def make_talker() -> Talker:
        from firmware_host.speech.piper import BestEngine
        from firmware_host.speech.player import AplayPlayer
        from firmware_host.speech.talker import Talker

        return Talker(BestEngine(), AplayPlayer())

    keep = partial(keep_voice, settings_editor) if settings_editor else lambda voice: None
    return BoardVoice(host, make_talker, translator, keep)


def keep_voice(settings_editor: SettingsEditor, voice: VoiceSettings) -> None:
    """Writes what differs from the settings. Where they cannot be written, the voice stays so until the next start."""
    from firmware_host.config.settings_errors import SettingsError

    running = settings_editor.running
    chosen = {
        "voice": voice.is_on,
        "voice_says": voice.verbosity.value,
        "voice_rate": voice.rate,
        "voice_volume": voice.volume,
    }
    changes = {name: value for name, value in chosen.items() if value != getattr(running, name)}
    if not changes:
        return
    try:
        settings_editor.change(changes)
    except SettingsError as error:
        log.warning("the voice is not kept: %s", error)


class DemoOnRequest:
    """The demonstration, which is loaded when it is first started: most evenings have none."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._loading = Lock()
        self._demo: Demo | None = None

    def start(self) -> None:
        """Start it, unless it runs."""
        with self._loading:
            if self._demo is None:
                from random import Random

                from firmware_host.simulation.autoplay import Demo

                self._demo = Demo(self._host, rules_for("six_card", {"muggins_mode": "automatic"}), Random())
        self._demo.start()

    def stop(self) -> None:
        """End it, and return to the game of the players."""
        if self._demo:
            self._demo.stop()


class OpponentOnRequest:
    """The player of the program, which is loaded when a game first has a seat for it."""

    def __init__(self) -> None:
        self._host: Host | None = None
        self._thread: Thread | None = None
        self._opponent: Opponent | None = None
        self._is_stopped = False

    def sit_at(self, host: Host) -> None:
        """The table of this host."""
        self._host = host

    def call(self) -> None:
        """Play, unless it plays already. Returns at once."""
        if self._host is None or self._is_stopped or (self._thread is not None and self._thread.is_alive()):
            return
        self._thread = Thread(target=self._play, args=(self._host,), name="opponent", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread, and wait for it."""
        self._is_stopped = True
        if self._opponent:
            self._opponent.stop()
        if self._thread:
            self._thread.join()

    def _play(self, host: Host) -> None:
        from random import SystemRandom

        from firmware_host.opponent.player import Opponent

        self._opponent = Opponent(host, SystemRandom())
        if not self._is_stopped:
            self._opponent.run()


def renewal_of(settings: Settings) -> Renewal | None:
    """The certificate of the pages, ready for use; None where HTTPS is off or has no certificate. The board then starts
    without: people can play, and nothing that was sent to HTTPS alone is sent in clear."""
    if not settings.https:
        return None
    from firmware_host.https.certificate import CertificateError, CertificateFiles
    from firmware_host.https.renewal import Renewal

    renewal = Renewal(CertificateFiles(settings.https_folder), partial(board_names, settings))
    try:
        renewal.open()
    except CertificateError as fault:
        log.error("%s; the pages are not encrypted", fault)
        return None
    return renewal


def withdrawal_of(settings: Settings) -> Withdrawal | None:
    """Removes what MQTT brokers keep of this board where the settings have left them, not started; None where there is
    nothing to remove."""
    if not settings.mqtt_published.exists():
        return None
    from firmware_host.telemetry.broker import usual_board_name
    from firmware_host.telemetry.withdrawal import PublishedFile, Withdrawal

    file = PublishedFile(settings.mqtt_published)
    present = broker_of(settings, usual_board_name()) if settings.mqtt_host else None
    left = [place for place in file.load() if not place.is_at(present)]
    return Withdrawal(left, file) if left else None


def telemetry_of(settings: Settings, host: Host, page: str = "") -> Telemetry | None:
    """The publisher to the MQTT broker, not started; None where no broker is set. `page`: see `Telemetry`."""
    if not settings.mqtt_host:
        return None
    from firmware_host.telemetry.broker import usual_board_name
    from firmware_host.telemetry.telemetry import Options, Telemetry
    from firmware_host.telemetry.withdrawal import PublishedFile

    results = (lambda: closing(Journal.open_readonly(settings.journal))) if settings.mqtt_results else None
    options = Options(settings.mqtt_home_assistant, settings.mqtt_commands, settings.mqtt_club_code)
    broker = broker_of(settings, usual_board_name())
    published = PublishedFile(settings.mqtt_published)
    return Telemetry(host, broker, program_version(), results, options, page, published)


def broker_of(settings: Settings, usual_name: str) -> Broker:
    """The MQTT broker of the settings. `usual_name` is the name there if the settings have none."""
    from firmware_host.telemetry.broker import Broker

    return Broker(
        settings.mqtt_host,
        settings.mqtt_port,
        settings.mqtt_board or usual_name,
        settings.mqtt_tls,
        settings.mqtt_ca,
        settings.mqtt_certificate,
        settings.mqtt_key,
        settings.mqtt_user,
        settings.mqtt_password_file,
    )


def program_version() -> str:
    """The version of cribboard; empty where it runs without being installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cribboard")
    except PackageNotFoundError:
        return ""


def settings_editor_of(sources: Sources, settings: Settings, host: Host) -> SettingsEditor:
    """Settings that take effect at once are passed to the host, or read again each time."""
    from firmware_host.config.settings_editor import SettingsEditor

    return SettingsEditor(sources, settings, lambda now: host.reconfigure(with_settings(host.setup, now)))
