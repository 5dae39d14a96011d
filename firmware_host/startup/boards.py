"""The boards that can be opened, real and simulated, and the setup of the host on them.

Only this module and the command line name concrete drivers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from board_drivers.ports import Board, DriverError, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.peg_source import PegSource
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.kits import LightSource, Parts, Where
from firmware_host.config.languages import translator
from firmware_host.config.matrix_wiring import matrix_wiring
from firmware_host.config.settings import NONE, Settings
from firmware_host.config.wiring_store import save_wiring, with_saved_wiring
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import rules_for
from firmware_host.host.setup import HostSetup
from firmware_host.startup.errors import StartupError
from firmware_host.tracking.timing import Timing
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.side_names import default_names
from firmware_host.ui.wizard_commands import Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from board_drivers.cable_faults import OpenCable
    from board_drivers.card_reader import SerialCardReader
    from board_drivers.oled import DisplayBus, OledDisplay
    from board_drivers.scanner_board import ScannerBoard
    from board_drivers.serial_scanner import SerialScanner
    from firmware_host.simulation.fault_plan import FaultPlan


def host_setup_of(settings: Settings, fault_plan: FaultPlan | None = None) -> HostSetup:
    """The boards that can be opened: the one with wires, or without any wires every board with a plan, the chosen one
    first."""
    chosen = load_plan(settings.board)
    parts = settings.parts
    if parts.is_on_page:
        setup = HostSetup(with_other_plans(chosen), partial(open_simulated, chosen, fault_plan), place_pegs)
    else:
        setup = setup_with_hardware(settings, chosen, fault_plan)
    keeps_pegs = parts.pegs is PegSource.DRAWN
    steps = wizard_steps_of(parts)
    setup = replace(setup, keeps_pegs=keeps_pegs, wizard_file=settings.wizard, wizard_steps=steps)
    return with_settings(replace(setup, timing=Timing(settle_s=settings.settle_s)), settings)


def setup_with_hardware(settings: Settings, chosen: BoardPlan, fault_plan: FaultPlan | None) -> HostSetup:
    """The board with wires. Where none of them leads to a hole, it may stand for every board with a plan."""
    parts = settings.parts
    open_board = partial(open_real, settings, fault_plan)
    if not parts.has_sensors and not parts.has_lights:
        return HostSetup(with_other_plans(chosen), open_board, place_pegs, wizard_opens_by_itself=True)
    wired = with_saved_wiring(chosen, settings.state_folder)
    keep = partial(save_wiring, settings.state_folder, chosen) if parts.has_sensors else None
    return HostSetup((wired,), open_board, place_pegs, save_wiring=keep, wizard_opens_by_itself=True)


def with_other_plans(chosen: BoardPlan) -> tuple[BoardPlan, ...]:
    """Every board with a plan, the chosen one first."""
    return (chosen, *(load_plan(plan) for plan in plan_ids() if plan != chosen.id))


def wizard_steps_of(parts: Parts) -> tuple[Step, ...]:
    """A step for each part that the board has. A board on the page has them all, to be tried there."""
    if parts.is_on_page and parts.pegs is PegSource.DRAWN:
        return tuple(Step)
    missing = {
        Step.SENSORS: not parts.has_sensors,
        Step.LIGHTS: not parts.has_lights,
        Step.KEYS: parts.keys is Where.PAGE,
        Step.SOUND: not parts.on_pins,
    }
    return tuple(step for step in Step if not missing.get(step))


def with_settings(setup: HostSetup, settings: Settings) -> HostSetup:
    """The setup with every setting that may change while the board runs."""
    language = translator(settings.language)
    return replace(
        setup,
        peg_sources=settings.parts.peg_sources,
        has_lights=settings.parts.lights is not LightSource.NONE,
        games=offered_games(settings.rules),
        names=(*settings.names, *default_names(language)[len(settings.names) :]),
        scan_s=1 / settings.scan_hz,
        referee_mode=RefereeMode(settings.referee_mode),
        translator=language,
        voice=settings.voice_settings,
        asks_counts=settings.asks_counts,
        opponent_pace_s=settings.opponent_pace_s,
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
        raise StartupError("a board on the page", f"kit {settings.kit_in_use}", "--faults", fix)
    if fault_plan.on_cable and not settings.parts.has_scanner:
        fix = "name its port in the settings, or remove the cable from the plan"
        raise StartupError("a scanner on a cable", "scanner = none", "--faults", fix)


def open_real(settings: Settings, fault_plan: FaultPlan | None, plan: BoardPlan) -> Board:
    """Raises StartupError, which says how to fix it, if a device of the computer cannot be opened."""
    on_cable = board_on_cable(settings, fault_plan, plan)
    on_pins = settings.parts.on_pins
    if on_cable and not on_pins:
        return on_cable
    from board_drivers.pi import Wiring, open_pi_board

    wiring = Wiring(
        plan.strip_count,
        plan.led_count,
        settings.lights_ma,
        settings.oled,
        settings.oled_offset,
        settings.oled_turned,
        on_pins,
    )
    try:
        return open_pi_board(wiring, on_cable)
    except DriverError as fault:
        raise StartupError(fault.expected, fault.got, fault.device, fault.fix) from fault


def board_on_cable(settings: Settings, fault_plan: FaultPlan | None, plan: BoardPlan) -> ScannerBoard | None:
    """None: there is no scanner; pins of the Pi read the pegs, or nothing does."""
    parts = settings.parts
    if not parts.has_scanner:
        return None
    from board_drivers.scanner_board import ScannerBoard

    scanner = scanner_of(settings, fault_plan, plan)
    screen = SimulatedBoard(plan.bit_count, plan.led_count)
    lights_ma = settings.lights_ma if parts.lights is LightSource.USB else None
    return ScannerBoard(
        scanner, screen, lights_ma, has_sensors=parts.has_sensors, open_display=display_at_scanner(settings)
    )


def display_at_scanner(settings: Settings) -> Callable[[DisplayBus], OledDisplay] | None:
    """Opens the display of a sensing board, which shows what the page shows; None: the display is on the Pi."""
    if settings.parts.display is Where.PINS:
        return None
    from board_drivers.oled import OledDisplay

    return lambda bus: OledDisplay(settings.oled, settings.oled_offset, is_turned=settings.oled_turned, bus=bus)


def scanner_of(settings: Settings, fault_plan: FaultPlan | None, plan: BoardPlan) -> SerialScanner:
    """The scanner of the settings, of strips or the sensing board. Its port is opened by the first scan."""
    from board_drivers.serial_port import SerialCable
    from board_drivers.serial_scanner import SerialScanner, port_finder

    open_cable: OpenCable = SerialCable
    if fault_plan:
        from board_drivers.cable_faults import with_faults

        open_cable = with_faults(SerialCable, fault_plan.on_cable, fault_plan.since_start)
    find = port_finder(settings.parts.scanner, exclude=settings.card_reader)
    return SerialScanner(
        find, plan.strip_count, matrix=matrix_wiring(load_plan(settings.board), plan), open_cable=open_cable
    )


def reader_of(settings: Settings) -> SerialCardReader | None:
    """None: no card reader is set. Its port is opened by the first poll, and again after an error."""
    if settings.card_reader == NONE:
        return None
    from board_drivers.card_reader import SerialCardReader

    return SerialCardReader(settings.card_reader, settings.card_reader_baud)


def place_pegs(board: Board, frame: SensorFrame) -> None:
    """Sets the pegs on the page to where the game has them; on other boards people do that."""
    if screen := screen_of(board):
        screen.set_pegs(frame)


def screen_of(board: Board) -> SimulatedBoard | None:
    """The pegs, keys and display of a board that are on the page; None: they are all real."""
    return board if isinstance(board, SimulatedBoard) else getattr(board, "screen", None)
