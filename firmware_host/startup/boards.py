"""The boards that can be opened, real and simulated, and the setup of the host on them.

Only this module and the command line name concrete drivers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from board_drivers.ports import Board, DriverError, SensorFrame
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.languages import translator
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
    from board_drivers.cable_faults import OpenCable
    from board_drivers.card_reader import SerialCardReader
    from board_drivers.serial_scanner import SerialScanner
    from firmware_host.simulation.fault_plan import FaultPlan


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
    """A board on a scanner has no lights to try; one without GPIO has no keys or sounder either."""
    on_pins = () if settings.gpio else (Step.LIGHTS, Step.KEYS, Step.SOUND)
    in_the_plug = () if settings.scanner == NONE else (Step.LIGHTS,)
    return tuple(step for step in Step if step not in (*on_pins, *in_the_plug))


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
        asks_counts=settings.asks_counts,
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

    wiring = Wiring(
        plan.strip_count,
        plan.led_count,
        settings.lights_ma,
        settings.oled,
        settings.oled_offset,
        settings.oled_turned,
    )
    try:
        return open_pi_board(wiring, scanner)
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


def reader_of(settings: Settings) -> SerialCardReader | None:
    """None: no card reader is set. Its port is opened by the first poll, and again after an error."""
    if settings.card_reader == NONE:
        return None
    from board_drivers.card_reader import SerialCardReader

    return SerialCardReader(settings.card_reader, settings.card_reader_baud)


def place_pegs(board: Board, frame: SensorFrame) -> None:
    """Sets the simulated pegs to where the game has them; on a real board people do that."""
    if isinstance(board, SimulatedBoard):
        board.set_pegs(frame)
