"""The one place where concrete things meet: plans, drivers, journal, host, panel and server."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import ip_address
from random import Random
from threading import Lock
from time import monotonic
from typing import Any

from board_drivers.card_reader import SerialCardReader
from board_drivers.misbehaving import MisbehavingBoard
from board_drivers.misbehaving_cable import with_troubles
from board_drivers.pi import Wiring, open_pi_board
from board_drivers.ports import Board, DriverFault, SensorFrame
from board_drivers.scanner_board import ScannerBoard
from board_drivers.serial_port import SerialCable
from board_drivers.serial_scanner import SerialScanner, finder
from board_drivers.simulated import SimulatedBoard, SimulatedOled
from firmware_host.archive import Archive
from firmware_host.board.plan import BoardPlan
from firmware_host.board.timing import Timing
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import rules_for
from firmware_host.deck import Deck
from firmware_host.demo import Demo
from firmware_host.faults import HostFault
from firmware_host.host import Host
from firmware_host.house import House
from firmware_host.journal import Journal, now
from firmware_host.languages import words
from firmware_host.mischief import Mischief
from firmware_host.phones import PhoneBook
from firmware_host.plans import load_plan, plan_ids
from firmware_host.rescue import open_journal
from firmware_host.settings import NONE, Settings, Sources
from firmware_host.settings_desk import SettingsDesk
from firmware_host.table.entries import TypingDeal
from firmware_host.table.manner import Manner
from firmware_host.table.state import Table
from firmware_host.trace_log import TraceLog
from firmware_host.wiring_file import as_wired, keep_wiring
from web_panel import create_panel
from web_panel.names import LOOPBACK, NamesOnLan, own_addresses
from web_panel.panel import Openness
from web_panel.serving import open_server
from web_panel.stream import Pace

PORTS_TRIED = 20
USUAL_NAMES = ("Red", "Blue", "Green", "Gold", "White", "Black")


class CannotServe(HostFault):
    """The panel has nowhere to listen, or the board cannot be driven."""


@dataclass
class Running:
    """Everything that was started, and the address to open."""

    host: Host
    demo: Demo | None
    server: Any
    address: str
    reader: SerialCardReader | None = None

    def serve(self) -> None:
        """Until the process is told to end."""
        self.server.run()

    def stop(self) -> None:
        """What runs in threads of its own comes to rest; the journal is whole at every moment."""
        if self.demo:
            self.demo.stop()
        self.host.stop()
        if self.reader:
            self.reader.close()


def assemble(
    settings: Settings,
    *,
    sources: Sources | None = None,
    insist_on_port: bool = False,
    mischief: Mischief | None = None,
    beat: Callable[[], None] = lambda: None,
) -> Running:
    """Open everything and start the host. Raises HostFault; whatever was opened by then is closed again.

    A port that is taken gives way to the next free one, unless it was asked for by name. `sources` are where the
    settings were told; without them the panel shows no settings to change. `mischief` is what shall go wrong with
    the board; `beat` is called as long as the host turns.
    """
    listening = listen(settings.address, settings.port, 1 if insist_on_port else PORTS_TRIED)
    address = address_of(listening)
    try:
        reader, deck, phones = reader_of(settings), Deck(settings.deck), PhoneBook(settings.phones)
        house = house_of(settings, mischief)
        house = replace(house, address=address, beat=beat, reader=reader, card_of=deck.card_of)
        opened = open_journal(settings.journal, mischief.time_of_day if mischief else now)
        if mischief:
            opened.journal.before_writing = mischief.trouble_disk
        trace = TraceLog(settings.state_folder)
        host = Host(house, opened.journal, monotonic, phones, trace, opened.loss)
    except HostFault:
        listening.close()
        raise
    host.start()
    demo = Demo(host, rules_for("six_card", {"muggins_mode": "automatic"}), Random()) if settings.simulate else None
    desk = desk_of(sources, settings, host) if sources else None
    hands = HandsOnScreen(host) if settings.simulate or not settings.header else None
    pace, openness = Pace(), openness_of(settings, host, desk)
    archive = Archive(lambda: closing(Journal.open_to_read(settings.journal)))
    panel = create_panel(
        host,
        archive=archive,
        desk=desk,
        hands=hands,
        picture=hands.oled_png if hands else Mirror(host).picture,
        demo=demo,
        pace=pace,
        openness=openness,
    )
    return Running(host, demo, open_server(panel, listening, pace.streams), address, reader)


def reader_of(settings: Settings) -> SerialCardReader | None:
    if settings.card_reader == NONE:
        return None
    return SerialCardReader(settings.card_reader, settings.card_reader_baud)


def desk_of(sources: Sources, settings: Settings, host: Host) -> SettingsDesk:
    """What may change at once is taken up by the host, or asked for anew each time."""
    return SettingsDesk(sources, settings, lambda now: host.refurnish(furnished(host.house, now)))


def openness_of(settings: Settings, host: Host, desk: SettingsDesk | None) -> Openness:
    """On this computer alone its usual names will do; on the LAN it answers to all it has."""
    is_local = settings.address == "localhost" or ip_address(settings.address).is_loopback
    names = LOOPBACK | set(settings.names_on_lan) if is_local else NamesOnLan(settings.names_on_lan)

    def now() -> Settings:
        return desk.running if desk else settings

    def gives_advice(table: Table | None) -> bool:
        return now().advice and host.snapshot.manner is not Manner.SILENT

    return Openness(names, lambda: now().open_watching, gives_advice)


def address_of(listening: socket.socket) -> str:
    """What a phone opens. Of a socket that listens everywhere, the address by which others reach this machine."""
    name, port = listening.getsockname()[:2]
    if ip_address(name).is_unspecified:
        name = next(iter(own_addresses()), "127.0.0.1")
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def house_of(settings: Settings, mischief: Mischief | None = None) -> House:
    """The boards that are here: the real one, or simulated every one there is a plan for, the chosen one first."""
    chosen = load_plan(settings.board)
    if settings.simulate:
        others = (load_plan(plan) for plan in plan_ids() if plan != settings.board)
        house = House((chosen, *others), partial(open_simulated, chosen, mischief), set_out_pegs)
    else:
        keep = partial(keep_wiring, settings.state_folder, chosen)
        wired = as_wired(chosen, settings.state_folder)
        house = House((wired,), partial(open_real, settings, mischief or Mischief()), set_out_pegs, keep_wiring=keep)
    return furnished(replace(house, timing=Timing(settle_s=settings.settle_s)), settings)


def furnished(house: House, settings: Settings) -> House:
    """The house with everything that may change while the board runs."""
    return replace(
        house,
        games=games_after(settings.rules),
        names=(*settings.names, *USUAL_NAMES[len(settings.names) :]),
        scan_s=1 / settings.scan_hz,
        manner=Manner(settings.manner),
        words=words(settings.language),
        has_sound=settings.sound,
    )


def games_after(usual: RuleSet) -> tuple[RuleSet, ...]:
    """The games that the keys offer, the household's own first."""
    others = (rules_for(variant, {}) for variant in ("six_card", "five_card") if variant != usual.variant)
    return (usual, *others)


def open_simulated(chosen: BoardPlan, mischief: Mischief | None, plan: BoardPlan) -> Board:
    """Only the chosen board misbehaves: it was for this one that the troubles were planned."""
    if mischief is None or plan is not chosen:
        return SimulatedBoard(plan.bit_count, plan.led_count)
    return MisbehavingBoard(plan.bit_count, plan.led_count, mischief.on_board, mischief.since_start)


def must_suit_real_parts(mischief: Mischief, settings: Settings) -> None:
    """Disk, clock and the cable to a scanner may go wrong for a real board too. Raises CannotServe for the rest."""
    if len(mischief.on_cable) < len(mischief.on_board):
        mend = "leave holes, strips, keys and display out of the plan: real ones need none"
        raise CannotServe("a simulated board", "simulate = false", "--faults", mend)
    if mischief.on_cable and settings.scanner == NONE:
        mend = "name its port in the settings, or leave the cable out of the plan"
        raise CannotServe("a scanner on a cable", "scanner = none", "--faults", mend)


def open_real(settings: Settings, mischief: Mischief, plan: BoardPlan) -> Board:
    """Raises CannotServe with the mend for whatever the computer does not let us have."""
    scanner = scanner_of(settings, mischief, plan)
    if scanner and not settings.header:
        return ScannerBoard(scanner, plan.led_count)
    try:
        return open_pi_board(Wiring(plan.strip_count, plan.led_count, settings.lights_ma, settings.oled), scanner)
    except DriverFault as fault:
        raise CannotServe(fault.expected, fault.got, fault.device, fault.mend) from fault


def scanner_of(settings: Settings, mischief: Mischief, plan: BoardPlan) -> SerialScanner | None:
    """None: the pegs are read by the Pi's own pins."""
    if settings.scanner == NONE:
        return None
    open_cable = with_troubles(SerialCable, mischief.on_cable, mischief.since_start)
    return SerialScanner(finder(settings.scanner, never=settings.card_reader), plan.strip_count, open_cable=open_cable)


def set_out_pegs(board: Board, standing: SensorFrame) -> None:
    """On a simulated board the pegs wait where the game has them; on a real one people see to that."""
    if isinstance(board, SimulatedBoard):
        board.set_pegs(standing)


class Mirror:
    """What the display shows, drawn once more: the real one cannot be read back. Dark while somebody types cards for
    advice, which are for whoever sits at the board."""

    def __init__(self, host: Host) -> None:
        self._host, self._glass, self._lock = host, SimulatedOled(), Lock()

    def picture(self) -> bytes:
        """A PNG of one bit a pixel."""
        snapshot = self._host.snapshot
        with self._lock:
            if snapshot.doorplate:
                self._glass.show_picture(snapshot.doorplate)
            else:
                self._glass.show(() if isinstance(snapshot.entry, TypingDeal) else snapshot.page)
            return self._glass.png()


class HandsOnScreen:
    """Fingers on whatever board the host has open: a new game may have opened another one.

    On a simulated board they also move pegs; real ones are moved by real hands.
    """

    def __init__(self, host: Host) -> None:
        self._host = host

    @property
    def moves_pegs(self) -> bool:
        return isinstance(self._host.board, SimulatedBoard)

    @property
    def _board(self) -> SimulatedBoard:
        board = self._host.board
        return board.screen if isinstance(board, ScannerBoard) else simulated(board)

    def place_peg(self, sensor: int) -> None:
        self._board.place_peg(sensor)

    def lift_peg(self, sensor: int) -> None:
        self._board.lift_peg(sensor)

    def press(self, legend: str) -> None:
        self._board.press(legend)

    def release(self, legend: str) -> None:
        self._board.release(legend)

    def oled_png(self) -> bytes:
        return self._board.oled_png()

    @property
    def oled_version(self) -> int:
        return self._board.oled_version


def simulated(board: Board) -> SimulatedBoard:
    assert isinstance(board, SimulatedBoard)
    return board


def listen(address: str, port: int, tries: int) -> socket.socket:
    """A socket on the first free port from `port` on. Raises CannotServe."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for candidate in range(port, min(port + tries, 65536)):
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((address, candidate))
            listening.listen()  # until then another board that starts at this moment could have the port too
        except OSError as fault:
            listening.close()
            if fault.errno != errno.EADDRINUSE:
                got = fault.strerror or str(fault)
                raise CannotServe("an address to listen on", got, f"{address}:{candidate}", "choose another") from fault
        else:
            return listening
    last = min(port + tries, 65536) - 1
    where = f"{address}, port {port}" if tries == 1 else f"{address}, ports {port} to {last}"
    raise CannotServe("a free port", "ports in use", where, "name another with --port")
