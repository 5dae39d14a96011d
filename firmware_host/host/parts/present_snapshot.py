"""Makes a snapshot of what the parts of the host are now."""

from __future__ import annotations

from firmware_host.host.parts.assembly import HostParts
from firmware_host.host.parts.board_display import fault_message, first_fault, with_display
from firmware_host.host.snapshot import Snapshot
from firmware_host.pairing.qr_code import Picture, pairing_picture
from firmware_host.ui.keys.input_state import InputContext
from firmware_host.ui.lights.by_hand import signals_by_hand
from firmware_host.ui.lights.lights import HoleSignal, signals
from firmware_host.ui.pairing_prompt import PairingState
from firmware_host.ui.referee_mode import RefereeMode


def take_snapshot(parts: HostParts, version: int, input_context: InputContext, pairing_state: PairingState) -> Snapshot:
    """The present state, with the pages of the display."""
    context = parts.context
    watcher = parts.pegs.watcher
    faults = context.faults
    set_up = parts.set_up
    chosen = RefereeMode.TEACHER if parts.lesson.lesson else parts.preferences.referee_mode
    mode = parts.views.referee_mode(chosen)
    in_wizard = set_up.occupied()
    snapshot = Snapshot(
        version=version,
        plan=context.plan,
        history=context.game.history,
        shown=context.shown,
        has_drawn_pegs=hasattr(context.board, "place_peg"),
        is_stored=parts.game.is_stored,
        input_state=parts.keypad.input_state,
        input_context=input_context,
        key_presses=parts.keypad.revision,
        asked=parts.preferences.asked,
        lesson=parts.lesson.lesson,
        occupied=watcher.occupied if in_wizard is None else in_wizard,
        pending=watcher.pending,
        peg_faults=watcher.peg_faults,
        signals=_signals(parts, mode),
        referee_mode=mode,
        display_light=parts.display_rest.light,
        fault=first_fault(faults),
        fault_message=fault_message(faults, parts.pegs.unread_device),
        notice=context.notices.current,
        asked_game=context.asked_game.current,
        brightness=parts.preferences.brightness,
        pairing_state=pairing_state,
        pairing_picture=_pairing_picture(parts, pairing_state),
        calibration=set_up.calibration.message if set_up.calibration else None,
        wizard=set_up.wizard.wizard if set_up.wizard.is_open else None,
    )
    return with_display(snapshot, context.setup, set_up.calibration)


def _pairing_picture(parts: HostParts, state: PairingState) -> Picture:
    """The pairing code as a picture while it is valid and no phone waits for an answer; else empty."""
    is_shown = state.code and not state.requested_by
    if parts.set_up.wizard.is_open and parts.context.notices.current:
        is_shown = False  # somebody pressed a key: the display says for a moment how to leave
    return pairing_picture(parts.context.setup.address, state.code) if is_shown else ()


def _signals(parts: HostParts, mode: RefereeMode) -> tuple[HoleSignal, ...]:
    context = parts.context
    if (test := parts.views.test_signals(context.plan, context.clock())) is not None:
        return test
    if parts.set_up.wizard.is_open:
        return ()
    shown = context.shown
    watcher = parts.pegs.watcher
    if shown is None or shown.table.rules.target not in context.plan.targets:
        return ()
    course = context.plan.course(shown.table.rules.target)
    if shown.table.is_by_hand:
        before = context.game.history.before or shown.table
        return signals_by_hand(shown.table.pegs, before.pegs, course, context.plan.tracks)
    return signals(shown, course, watcher.occupied, watcher.pending, watcher.peg_faults, mode)
