"""A snapshot in spoken sentences: what the game waits for, and the board's own messages.

Board, phones and screen readers say these same texts (`ui/spoken/`), each in its own language.
"""

from __future__ import annotations

from firmware_host.game.events import HandCounted
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.situation import Topic
from firmware_host.ui.spoken.prompts import spoken_prompt
from firmware_host.ui.spoken.turns import spoken_count, spoken_turn
from firmware_host.ui.spoken.wizard import spoken_wizard
from firmware_host.ui.texts.peg_news import spoken_peg_news
from firmware_host.ui.texts.spoken_words import Spoken, ended, for_ear, number_in_words, together
from firmware_host.ui.translator import Translator
from firmware_host.ui.voice import Verbosity


def spoken_last_turn(snapshot: Snapshot, tr: Translator, verbosity: Verbosity = Verbosity.FULL) -> str:
    """What happened in the latest turn; empty without one."""
    last = snapshot.history.last
    sentences = spoken_turn(last, tr, snapshot.referee_mode, snapshot.table, verbosity) if last else ()
    return together(*sentences)


def spoken_last_count(snapshot: Snapshot, tr: Translator) -> str:
    """The part of `spoken_last_turn` that counts a hand in cadence; empty if no hand was counted."""
    last = snapshot.history.last
    counted = (event for event in last.events if isinstance(event, HandCounted)) if last else ()
    return next((spoken_count(event, last.table, tr) for event in counted if last), "")


def spoken_game(snapshot: Snapshot, tr: Translator, *, in_full: bool = False, has_keys: bool = True) -> Spoken | None:
    """What the game and the keys wait for; None: nothing to say now. `in_full`, `has_keys`: see
    `spoken_prompt`."""
    table = snapshot.table
    found = snapshot.situation_of_game
    if table and found.side is not None and snapshot.has_drawn_pegs and table.is_programs(found.side):
        sentence = tr.counted("{name} pegs.", "{name} peg.", table.rules.people(found.side))
        return Spoken(f"points.{found.side}", sentence.format(name=table.side_name(found.side)))
    plan = snapshot.plan
    course = plan.course(table.rules.target if table else plan.targets[0])
    prompt = spoken_prompt(
        found,
        snapshot.shown,
        snapshot.input_context,
        snapshot.input_state,
        course,
        tr,
        in_full=in_full,
        has_keys=has_keys,
    )
    history = snapshot.history
    is_phase = found.topic is Topic.PHASE
    pegs = spoken_peg_news(history, tr) if is_phase and history.latest_is_undo_or_redo else ()
    if prompt and pegs:  # no turn says it, and people must hear where the pegs of their own board go back to
        return Spoken(f"pegs.{history.count}", together(*(news.text for news in pegs), prompt.text))
    return prompt


def spoken_notice(snapshot: Snapshot, tr: Translator, *, is_public: bool = False) -> Spoken | None:
    """The board's own message, which comes before anything about the game; None: there is none.

    `is_public` leaves out the pairing code, which is for the people at the board.
    """
    code = snapshot.pairing_state.code
    code_sentence = (
        "" if is_public else tr("A phone can be added. Its code: {letters}.").format(letters=", ".join(code))
    )
    match snapshot.situation.topic:
        case Topic.CALIBRATION if snapshot.calibration:
            message = snapshot.fault_message(tr) or snapshot.calibration(tr)
            return Spoken("calibration", ended(for_ear(message, tr)))
        case Topic.PAIRING:
            request = tr("{name} asks to join. Number: {number}.").format(
                name=snapshot.pairing_state.requested_by,
                number=", ".join(number_in_words(int(digit), tr) for digit in snapshot.pairing_state.number),
            )
            return Spoken("pairing", together(request, tr("ENTER: yes. UNDO: no.")))
        case Topic.FAULT:
            return Spoken("fault", ended(for_ear(snapshot.fault_message(tr), tr)))
        case Topic.SETUP if snapshot.wizard:
            setup = spoken_wizard(snapshot.wizard, snapshot.plan, tr)
            return setup._replace(text=together(setup.text, code_sentence)) if code else setup
        case Topic.NOTICE if snapshot.notice:
            return Spoken("notice", ended(for_ear(snapshot.notice(tr), tr)))
    return Spoken("pairing-code", code_sentence) if code else None
