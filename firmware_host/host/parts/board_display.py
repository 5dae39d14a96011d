"""What the display of the board says: the first line, the page below it, and the fault that comes first."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from firmware_host.game.state import Table
from firmware_host.host.health import DISK, INSIDE, MAGNET, SENSORS, STORAGE
from firmware_host.host.parts.active_faults import ActiveFaults
from firmware_host.host.parts.wiring_calibration import WiringCalibration
from firmware_host.host.setup import HostSetup
from firmware_host.host.snapshot import Snapshot, first_line
from firmware_host.ui.display.oled_page import Page, page, question_lines, with_scores, wrap_text
from firmware_host.ui.display.tall_page import tall_page
from firmware_host.ui.keys.dealt_hand import hand_line
from firmware_host.ui.keys.input_state import Idle, ShowingHand, TypingDiscard
from firmware_host.ui.situation import Topic
from firmware_host.ui.texts.fault_messages import (
    board_not_read,
    cannot_save,
    internal_error,
    magnet_too_close,
    no_fault,
    only_in_memory,
)
from firmware_host.ui.texts.messages import turn_message
from firmware_host.ui.texts.peg_news import peg_news
from firmware_host.ui.texts.ruling_labels import penalty_hint
from firmware_host.ui.translator import Message, Translator
from firmware_host.ui.wizard.display import wizard_page

HAND_PROMPT_LINES = 2
"""The most lines for the prompt above a dealt hand."""
BY_SERIOUSNESS = (INSIDE, SENSORS, MAGNET, DISK, STORAGE)
"""The parts without which the board cannot follow the game as it should."""


def first_fault(faults: ActiveFaults) -> str:
    """The most serious fault, in one sentence for makers; empty without one."""
    part = faults.first_of(BY_SERIOUSNESS)
    return faults.sentence(part) if part else ""


def fault_message(faults: ActiveFaults, unread_device: str) -> Message:
    """The most serious fault, in one short sentence for players. `unread_device`: which device the sensors are on."""
    part = faults.first_of(BY_SERIOUSNESS)
    if part is None:
        return no_fault
    messages: dict[str, Message] = {
        INSIDE: internal_error,
        SENSORS: partial(board_not_read, unread_device, faults.sentence(SENSORS)),
        MAGNET: magnet_too_close,
        DISK: cannot_save,
        STORAGE: only_in_memory,
    }
    return messages[part]


def with_display(snapshot: Snapshot, setup: HostSetup, calibration: WiringCalibration | None) -> Snapshot:
    """The snapshot with the first line and the pages of the display."""
    prompt = first_line(snapshot, setup.translator)
    shown = _page(snapshot, prompt, setup, calibration)
    own_page: Page = ()
    if snapshot.table and isinstance(snapshot.input_state, Idle | ShowingHand | TypingDiscard):
        own_page = hand_page(snapshot, snapshot.table, prompt, setup.translator)
    return replace(snapshot, prompt=prompt, oled_page=shown, own_page=own_page, look=setup.look)


def hand_page(snapshot: Snapshot, table: Table, prompt: str, tr: Translator) -> Page:
    """The page for the person at the board, with the hand that the program dealt; empty where there is none, or where
    something else comes first. Phones never get it."""
    if snapshot.situation.topic not in (Topic.PHASE, Topic.TYPING, Topic.POINTS):
        return ()
    hand = hand_line(table, snapshot.input_state)
    if not hand:
        return ()
    last = snapshot.history.last
    last_turn = turn_message(last, tr, snapshot.referee_mode) if last else ""
    return with_scores((*wrap_text(prompt, HAND_PROMPT_LINES), (hand, 1)), table, last_turn)


def _page(snapshot: Snapshot, prompt: str, setup: HostSetup, calibration: WiringCalibration | None) -> Page:
    translator = setup.translator
    last = snapshot.history.last
    if calibration and not snapshot.fault:
        return calibration.page(translator)
    if snapshot.wizard and snapshot.situation.topic is Topic.SETUP:
        return wizard_page(snapshot.wizard, snapshot.plan, setup.address, translator)
    last_turn = turn_message(last, translator, snapshot.referee_mode) if last else ""
    if news := peg_news(snapshot.history, translator):
        last_turn = " ".join(each.text for each in news)
    if snapshot.table:
        last_turn = penalty_hint(snapshot.input_context.rulings, snapshot.table, translator) or last_turn
    choices = question_lines(snapshot.input_state, snapshot.input_context, translator)
    draw = tall_page if setup.look.is_tall else page
    return draw(prompt, snapshot.table, last_turn, choices)
