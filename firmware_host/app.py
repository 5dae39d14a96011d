"""The composition root: builds board, host, panel and server from the settings.

Only this module and the command line name concrete drivers.

The display comes first: the panel with its libraries is imported when the display shows its first page, and whatever a
setting may leave out is imported where it is used.
"""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from board_drivers.ports import Board, DriverError, SensorFrame
from board_drivers.simulated import SimulatedBoard, SimulatedOled
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.card_tags import CardTags
from firmware_host.config.languages import translator
from firmware_host.config.settings import NONE, Settings, Sources
from firmware_host.config.wiring_store import save_wiring, with_saved_wiring
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import rules_for
from firmware_host.errors import HostError
from firmware_host.game.state import Table
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.host.trace_log import TraceLog
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.storage.deferred_game import DeferredGame, deferred_game
from firmware_host.storage.journal import Clock, Journal, JournalError, now
from firmware_host.storage.recovery import OpenedJournal, open_or_recover
from firmware_host.tracking.timing import Timing
from firmware_host.ui.input_state import TypingDeal
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.side_names import default_names
from firmware_host.ui.wizard_commands import Step
from web_panel.security.allowed_hosts import LOOPBACK, LanHostNames, own_addresses, own_names
from web_panel.security.local_sockets import is_own_user

if TYPE_CHECKING:
    from flask import Flask

    from board_drivers.cable_faults import OpenCable
    from board_drivers.card_reader import SerialCardReader
    from board_drivers.serial_scanner import SerialScanner
    from firmware_host.config.settings_editor import SettingsEditor
    from firmware_host.https.renewal import Renewal
    from firmware_host.simulation.autoplay import Demo
    from firmware_host.simulation.fault_plan import FaultPlan
    from firmware_host.speech.board_voice import BoardVoice
    from firmware_host.telemetry.telemetry import Telemetry
    from web_panel.app import AccessPolicy
    from web_panel.server.loop import PanelServer

log = logging.getLogger(__name__)

PORTS_TRIED = 20

FIRST_PAGE_S = 2.0
"""The longest that a start waits for the first page of the display; a board with a fault may have none."""


class StartupError(HostError):
    """The panel has no port to listen on, or the board cannot be opened."""


@dataclass
class RunningApp:
    """Everything that was started. `address` is the URL of the panel."""

    host: Host
    demo: Demo | None
    panel: Flask
    server: PanelServer
    address: str
    reader: SerialCardReader | None = None
    voice: BoardVoice | None = None
    renewal: Renewal | None = None
    """Of the certificate; None: the pages are not encrypted."""
    telemetry: Telemetry | None = None
    """To an MQTT broker; None: off."""

    def serve(self) -> None:
        """Serves the panel until the process is asked to stop."""
        self.server.run()

    def stop(self) -> None:
        """Ends all threads. Nothing needs saving: every turn is durable."""
        if self.demo:
            self.demo.stop()
        if self.voice:
            self.voice.stop()
        if self.renewal:
            self.renewal.stop()
        if self.telemetry:
            self.telemetry.stop()
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
) -> RunningApp:
    """Opens everything and starts the host. Raises HostError, after closing whatever was open by then.

    If the port is taken the next free one is used, unless `insist_on_port`. `sources` are the files and variables that
    the settings came from; without them the panel has no settings page. `fault_plan` injects faults. `on_step` is
    called after every step of the host that did not fail.
    """
    listening = listen(settings.address, settings.port, 1 if insist_on_port else PORTS_TRIED)
    address = address_of(listening)
    try:
        reader, card_tags, phones = reader_of(settings), CardTags(settings.card_tags), PhoneRegistry(settings.phones)
        setup = host_setup_of(settings, fault_plan)
        setup = replace(setup, address=address, on_step=on_step, card_reader=reader, card_of=card_tags.card_of)
        opened, deferred = open_or_defer(settings.journal, fault_plan.time_of_day if fault_plan else now)
        if fault_plan:
            opened.journal.before_writing = fault_plan.apply_disk_faults
        trace = TraceLog(settings.state_folder)
        host = Host(setup, opened.journal, monotonic, phones, trace, opened.loss, deferred)
    except HostError:
        listening.close()
        raise
    before = host.snapshot.version
    host.start()
    host.wait_for_change(before, FIRST_PAGE_S)
    log.info("the display shows its first page")
    return open_panel(host, settings, sources, listening, reader)


def open_panel(
    host: Host, settings: Settings, sources: Sources | None, listening: socket.socket, reader: SerialCardReader | None
) -> RunningApp:
    """Starts everything else around a host that runs: voice, demo and panel."""
    from firmware_host.stats.archive import Archive
    from firmware_host.stats.learners_file import LearnersFile
    from firmware_host.stats.people_file import PeopleFile
    from web_panel.app import create_panel, open_server

    voice = voice_of(host)
    demo = demo_of(host) if settings.simulate else None
    settings_editor = settings_editor_of(sources, settings, host) if sources else None
    board_input = ScreenInput(host) if settings.simulate or not settings.gpio else None
    renewal = renewal_of(settings)
    access_policy = access_policy_of(settings, host, settings_editor)
    if renewal:
        access_policy = replace(access_policy, authority=lambda: renewal.files.authority_certificate)
        renewal.start()
    telemetry = telemetry_of(settings, host)
    if telemetry:
        telemetry.start()
    archive = Archive(lambda: closing(Journal.open_readonly(settings.journal)))
    panel = create_panel(
        host,
        archive=archive,
        settings_editor=settings_editor,
        board_input=board_input,
        picture=board_input.oled_png if board_input else DisplayMirror(host).picture,
        demo=demo,
        access_policy=access_policy,
        people_file=PeopleFile(settings.people),
        voice_fault=lambda: voice.fault,
        telemetry_fault=(lambda: telemetry.fault) if telemetry else None,
        learners_file=LearnersFile(settings.learners),
        template_folder=settings.state_folder / "templates",
    )
    server = open_server(panel, listening, tls=renewal.context if renewal else None)
    return RunningApp(host, demo, panel, server, host.setup.address, reader, voice, renewal, telemetry)


def voice_of(host: Host) -> BoardVoice:
    """The voice of the board. It is silent until the settings turn it on."""
    from firmware_host.speech.board_voice import BoardVoice
    from firmware_host.speech.engine import EspeakEngine
    from firmware_host.speech.player import AplayPlayer
    from firmware_host.speech.talker import Talker

    return BoardVoice(host, Talker(EspeakEngine(), AplayPlayer()), translator)


def demo_of(host: Host) -> Demo:
    """The simulated players, who wait until they are started."""
    from random import Random

    from firmware_host.simulation.autoplay import Demo

    return Demo(host, rules_for("six_card", {"muggins_mode": "automatic"}), Random())


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


def telemetry_of(settings: Settings, host: Host) -> Telemetry | None:
    """The publisher to the MQTT broker, not started; None where no broker is set."""
    if not settings.mqtt_host:
        return None
    from firmware_host.telemetry.link import Broker
    from firmware_host.telemetry.telemetry import Options, Telemetry
    from firmware_host.telemetry.topics import usual_board_name

    broker = Broker(
        settings.mqtt_host,
        settings.mqtt_port,
        settings.mqtt_board or usual_board_name(),
        settings.mqtt_tls,
        settings.mqtt_ca,
        settings.mqtt_certificate,
        settings.mqtt_key,
        settings.mqtt_user,
        settings.mqtt_password_file,
    )
    results = (lambda: closing(Journal.open_readonly(settings.journal))) if settings.mqtt_results else None
    options = Options(settings.mqtt_home_assistant, settings.mqtt_commands)
    return Telemetry(host, broker, program_version(), results, options)


def program_version() -> str:
    """The version of cribboard; empty where it runs without being installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cribboard")
    except PackageNotFoundError:
        return ""


def board_names(settings: Settings) -> frozenset[str]:
    """All names and addresses by which phones can reach the board now."""
    return own_names() | {name.lower() for name in settings.names_on_lan}


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


def reader_of(settings: Settings) -> SerialCardReader | None:
    """None: no card reader is set. Its port is opened by the first poll, and again after an error."""
    if settings.card_reader == NONE:
        return None
    from board_drivers.card_reader import SerialCardReader

    return SerialCardReader(settings.card_reader, settings.card_reader_baud)


def settings_editor_of(sources: Sources, settings: Settings, host: Host) -> SettingsEditor:
    """Settings that take effect at once are passed to the host, or read again each time."""
    from firmware_host.config.settings_editor import SettingsEditor

    return SettingsEditor(sources, settings, lambda now: host.reconfigure(with_settings(host.setup, now)))


def access_policy_of(settings: Settings, host: Host, settings_editor: SettingsEditor | None) -> AccessPolicy:
    """On the loopback interface the panel answers to loopback names, on the LAN to every name of this computer."""
    from web_panel.app import AccessPolicy

    is_local = settings.address == "localhost" or ip_address(settings.address).is_loopback
    names = LOOPBACK | set(settings.names_on_lan) if is_local else LanHostNames(settings.names_on_lan)

    def now() -> Settings:
        return settings_editor.running if settings_editor else settings

    def gives_advice(table: Table | None) -> bool:
        return now().advice and host.snapshot.referee_mode is not RefereeMode.SILENT

    proxies = frozenset(settings.trusted_proxies)
    return AccessPolicy(
        names, lambda: now().open_watching, lambda: now().open_history, gives_advice, proxies, is_own_user
    )


def address_of(listening: socket.socket) -> str:
    """The URL for a phone. A socket that listens on all interfaces is reached by this computer's first LAN address."""
    name, port = listening.getsockname()[:2]
    if ip_address(name).is_unspecified:
        name = next(iter(own_addresses()), "127.0.0.1")
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def host_setup_of(settings: Settings, fault_plan: FaultPlan | None = None) -> HostSetup:
    """The boards that can be opened: the real one, or when simulated every board with a plan, the chosen one first."""
    chosen = load_plan(settings.board)
    if settings.simulate:
        others = (load_plan(plan) for plan in plan_ids() if plan != settings.board)
        setup = HostSetup((chosen, *others), partial(open_simulated, chosen, fault_plan), place_pegs)
    else:
        keep = partial(save_wiring, settings.state_folder, chosen)
        wired = with_saved_wiring(chosen, settings.state_folder)
        setup = HostSetup(
            (wired,),
            partial(open_real, settings, fault_plan),
            place_pegs,
            save_wiring=keep,
            wizard_steps=wizard_steps_of(settings),
            wizard_opens_by_itself=True,
        )
    setup = replace(setup, wizard_file=settings.wizard)
    return with_settings(replace(setup, timing=Timing(settle_s=settings.settle_s)), settings)


def wizard_steps_of(settings: Settings) -> tuple[Step, ...]:
    """A board without GPIO has no lights, keys or sounder of its own to try."""
    on_pins = () if settings.gpio else (Step.LIGHTS, Step.KEYS, Step.SOUND)
    return tuple(step for step in Step if step not in on_pins)


def with_settings(setup: HostSetup, settings: Settings) -> HostSetup:
    """The setup with every setting that may change while the board runs."""
    language = translator(settings.language)
    return replace(
        setup,
        games=offered_games(settings.rules),
        names=(*settings.names, *default_names(language)[len(settings.names) :]),
        scan_s=1 / settings.scan_hz,
        referee_mode=RefereeMode(settings.referee_mode),
        translator=language,
        voice=settings.voice_settings,
        brightness=settings.lights_percent,
        look=settings.look,
        has_sound=settings.sound,
    )


def offered_games(default: RuleSet) -> tuple[RuleSet, ...]:
    """The games that the keypad menu offers, the one of the settings first."""
    others = (rules_for(variant, {}) for variant in ("six_card", "five_card") if variant != default.variant)
    return (default, *others)


def open_simulated(chosen: BoardPlan, fault_plan: FaultPlan | None, plan: BoardPlan) -> Board:
    """Only the chosen board gets the faults: the plan was written for it."""
    if fault_plan is None or plan is not chosen:
        return SimulatedBoard(plan.bit_count, plan.led_count)
    from board_drivers.fault_injection import FaultyBoard

    return FaultyBoard(plan.bit_count, plan.led_count, fault_plan.on_board, fault_plan.since_start)


def check_plan_fits_hardware(fault_plan: FaultPlan, settings: Settings) -> None:
    """On a real board only faults of disk, clock and scanner cable can be injected. Raises StartupError for others."""
    if len(fault_plan.on_cable) < len(fault_plan.on_board):
        fix = "remove faults of holes, strips, keys and display from the plan"
        raise StartupError("a simulated board", "simulate = false", "--faults", fix)
    if fault_plan.on_cable and settings.scanner == NONE:
        fix = "name its port in the settings, or remove the cable from the plan"
        raise StartupError("a scanner on a cable", "scanner = none", "--faults", fix)


def open_real(settings: Settings, fault_plan: FaultPlan | None, plan: BoardPlan) -> Board:
    """Raises StartupError, which says how to fix it, if a device of the computer cannot be opened."""
    scanner = scanner_of(settings, fault_plan, plan)
    if scanner and not settings.gpio:
        from board_drivers.scanner_board import ScannerBoard

        return ScannerBoard(scanner, plan.led_count)
    from board_drivers.pi import Wiring, open_pi_board

    try:
        return open_pi_board(Wiring(plan.strip_count, plan.led_count, settings.lights_ma, settings.oled), scanner)
    except DriverError as fault:
        raise StartupError(fault.expected, fault.got, fault.device, fault.fix) from fault


def scanner_of(settings: Settings, fault_plan: FaultPlan | None, plan: BoardPlan) -> SerialScanner | None:
    """None: the Pi's own pins read the pegs."""
    if settings.scanner == NONE:
        return None
    from board_drivers.serial_port import SerialCable
    from board_drivers.serial_scanner import SerialScanner, port_finder

    open_cable: OpenCable = SerialCable
    if fault_plan:
        from board_drivers.cable_faults import with_faults

        open_cable = with_faults(SerialCable, fault_plan.on_cable, fault_plan.since_start)
    return SerialScanner(
        port_finder(settings.scanner, exclude=settings.card_reader), plan.strip_count, open_cable=open_cable
    )


def place_pegs(board: Board, frame: SensorFrame) -> None:
    """Sets the simulated pegs to where the game has them; on a real board people do that."""
    if isinstance(board, SimulatedBoard):
        board.set_pegs(frame)


class DisplayMirror:
    """A second copy of what the display shows, because a real display cannot be read back. It is blank while somebody
    types cards for advice: those are for the person at the board only."""

    def __init__(self, host: Host) -> None:
        self._host, self._display, self._lock = host, SimulatedOled(), Lock()

    def picture(self) -> bytes:
        """A PNG of 128 x 64 pixels, one bit each."""
        snapshot = self._host.snapshot
        with self._lock:
            if snapshot.pairing_picture:
                self._display.show_picture(snapshot.pairing_picture)
            else:
                page = () if isinstance(snapshot.input_state, TypingDeal) else snapshot.oled_page
                self._display.show(page, is_inverted=snapshot.look.is_inverted)
            return self._display.png()


class ScreenInput:
    """Keys and pegs moved on the page, for the board that the host has open now: a new game may open another one.

    Pegs can be moved on a simulated board only.
    """

    def __init__(self, host: Host) -> None:
        self._host = host

    @property
    def moves_pegs(self) -> bool:
        """Whether pegs can be moved on the page."""
        return isinstance(self._host.board, SimulatedBoard)

    @property
    def _board(self) -> SimulatedBoard:
        from board_drivers.scanner_board import ScannerBoard

        board = self._host.board
        return board.screen if isinstance(board, ScannerBoard) else simulated(board)

    def place_peg(self, sensor: int) -> None:
        """Places a peg over a sensor, numbered as in a SensorFrame."""
        self._board.place_peg(sensor)

    def lift_peg(self, sensor: int) -> None:
        """Lifts the peg over a sensor. Raises KeyError if there is none."""
        self._board.lift_peg(sensor)

    def press(self, legend: str) -> None:
        """Puts a key down. `legend`: see `KEY_ROWS` in board_drivers/ports.py."""
        self._board.press(legend)

    def release(self, legend: str) -> None:
        """Lets the key come up."""
        self._board.release(legend)

    def oled_png(self) -> bytes:
        """The display as a PNG of 128 x 64 pixels, one bit each."""
        return self._board.oled_png()

    @property
    def oled_version(self) -> int:
        """Grows with every new picture on the display."""
        return self._board.oled_version


def simulated(board: Board) -> SimulatedBoard:
    """The board, which must be a simulated one."""
    assert isinstance(board, SimulatedBoard)
    return board


def listen(address: str, port: int, tries: int) -> socket.socket:
    """A listening socket on the first free port of `tries` from `port` on. Raises StartupError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for candidate in range(port, min(port + tries, 65536)):
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((address, candidate))
            listening.listen()  # before this another program could bind the same port
        except OSError as fault:
            listening.close()
            if fault.errno != errno.EADDRINUSE:
                got = fault.strerror or str(fault)
                raise StartupError(
                    "an address to listen on", got, f"{address}:{candidate}", "choose another"
                ) from fault
        else:
            return listening
    last = min(port + tries, 65536) - 1
    where = f"{address}, port {port}" if tries == 1 else f"{address}, ports {port} to {last}"
    raise StartupError("a free port", "ports in use", where, "choose another with --port")
