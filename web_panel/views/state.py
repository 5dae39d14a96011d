"""A snapshot as JSON for the page. Pure.

A card is included only if it lies face up on the table: the starter, the series being played, a hand that was counted.
Cards that a seat was dealt, kept or discarded are never included.
"""

from __future__ import annotations

from msgspec import to_builtins

from firmware_host.board.course import Course
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.rules import Seat, Side
from firmware_host.cribbage.show import count_show, places_of_scores
from firmware_host.game.disclosure import is_shown
from firmware_host.game.events import HandCounted
from firmware_host.game.state import Phase, Table
from firmware_host.host.snapshot import Snapshot, first_line
from firmware_host.host.spoken_situation import spoken_game, spoken_last_count, spoken_last_turn, spoken_notice
from firmware_host.ui.keys.input_state import TypingDeal
from firmware_host.ui.keys.keypad import suit_keys
from firmware_host.ui.pairing_prompt import PairingState
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import Shown
from firmware_host.ui.texts.cadence import count_steps
from firmware_host.ui.texts.messages import capitalized, hand_count, with_suit_symbol
from firmware_host.ui.translator import Translator, untranslated
from web_panel.json_type import Json
from web_panel.views.actions import actions
from web_panel.views.felt import cards_of, finished_series, hand_to_count
from web_panel.views.guidance import guidance
from web_panel.views.log import Log
from web_panel.views.own_pegs import own_pegs
from web_panel.views.pegs import course_shown, lights, pegs
from web_panel.views.score_labels import go_on_label, peg_label, progress_label, skunk_word, status_label
from web_panel.views.setup_wizard import setup_progress
from web_panel.views.side_colours import side_colour

STREET = 30
"""Holes of a street, the usual division of a track."""


def state_view(snapshot: Snapshot, tr: Translator = untranslated, log: Log | None = None) -> Json:
    """The state of the page, without the keys that StateCache adds. Every text is in the language of `tr`. `log` is one
    that earlier states in this language were made with."""
    table = snapshot.table
    return {
        "version": snapshot.version,
        "prompt": first_line(snapshot, tr, is_public=True),
        "guidance": to_builtins(guidance(snapshot, tr)),
        "fault": snapshot.fault,
        "board": board(snapshot.plan, course_shown(snapshot.plan, table), tr),
        "game": None if table is None else game(table, tr, is_stored=snapshot.is_stored),
        "sides": [] if snapshot.shown is None else sides(snapshot, snapshot.shown, tr),
        "deal": None if table is None or table.deal is None else deal(snapshot, table, tr),
        "pegs": pegs(snapshot),
        "own_pegs": own_pegs(snapshot, tr),
        "lights": lights(snapshot),
        "actions": [to_builtins(action) for action in actions(snapshot, tr)],
        "display": display(snapshot, tr),
        "suit_keys": {suit.value: key for suit, key in suit_keys(snapshot.input_state).items()},
        "log": (log or Log()).lines(snapshot, tr),
        "speech": speech(snapshot, tr),
        "turns": len(snapshot.turns),
        "moment": snapshot.history.count,
        "seats": seats(table, snapshot.pairing_state),
        "asks_to_join": asks_to_join(snapshot.pairing_state),
        "phones": len(snapshot.pairing_state.phones),
        "setup": setup_progress(snapshot.wizard),
        "phone_changes": snapshot.pairing_state.changes,
    }


def display(snapshot: Snapshot, tr: Translator) -> list[str]:
    """The lines of the OLED. While somebody types cards for advice, only the first line, without the cards."""
    is_private = isinstance(snapshot.input_state, TypingDeal)
    return [first_line(snapshot, tr, is_public=True)] if is_private else [line for line, scale in snapshot.oled_page]


def board(plan: BoardPlan, course: Course, tr: Translator) -> Json:
    """Which drawing to show, and its numbers: `lap` holes are used again on each round, `game_hole` is the last."""
    tracks = [{"name": tr(track.name), "colour": track.colour} for track in plan.track_info]
    numbers = {"target": course.target, "lap": course.lap, "game_hole": course.game_hole}
    return {"id": plan.id, "title": plan.title, "tracks": tracks, **numbers}


def game(table: Table, tr: Translator, *, is_stored: bool = False) -> Json:
    """The rules of the game that the page draws, its phase, and the winning side or null. `go_on` is the label of the
    button that goes on with a stored game, else empty."""
    rules = table.rules
    title = tr("Game to {target}, deal {number}") if table.deal else tr("Game to {target}")
    return {
        "title": title.format(target=rules.target, number=table.deal.number if table.deal else 0),
        "variant": rules.variant,
        "target": rules.target,
        "streets": list(range(STREET, rules.target - 1, STREET)),
        "skunk_lines": list(rules.skunk_lines),
        "skunk_word": skunk_word(rules, tr),
        "phase": table.phase.value,
        "winner": table.winner,
        "is_demo": table.is_demo,
        "is_dealt": table.is_dealt,
        "opponents": list(table.opponents),
        "go_on": go_on_label(table, tr) if is_stored else "",
    }


def sides(snapshot: Snapshot, shown: Shown, tr: Translator) -> list[Json]:
    """The score of each side."""
    return [side(snapshot, shown, number, tr) for number in range(len(shown.sides))]


def side(snapshot: Snapshot, shown: Shown, number: int, tr: Translator) -> Json:
    """One side's score. `owed` points must still be moved; `pending` ones were moved and have not settled.

    `is_peg_wrong`: the peg stands where it was moved without need.
    """
    table = shown.table
    now = shown.sides[number]
    dealer = table.dealer
    is_announced = snapshot.referee_mode.announces_counts
    pending = sum([leap.points for leap in snapshot.pending if leap.side == number])
    return {
        "name": now.name,
        "colour": side_colour(snapshot.plan, number),
        "score": now.score,
        "back": now.pegs.back,
        "target": table.rules.target_of(Side(number)),
        "owed": now.owed if is_announced and table.phase is not Phase.OVER else 0,
        "pending": pending,
        "is_dealer": dealer is not None and table.rules.side_of(dealer) == number,
        "is_moved_by_hand": table.is_moved_by_hand(number),
        "peg_label": peg_label(shown, number, pending, tr) if is_announced or pending else "",
        "is_peg_wrong": is_announced and not pending and now.is_astray,
        "status_label": status_label(table, number, tr),
        "progress_label": progress_label(table, number, tr),
    }


def deal(snapshot: Snapshot, table: Table, tr: Translator) -> Json:
    """The starter, the series in the play, the one that is over, the hand that is counted next, and the one that was
    counted last, each null while there is none."""
    referee_mode = snapshot.referee_mode
    assert table.deal is not None
    return {
        "number": table.deal.number,
        "dealer": table.names[table.deal.dealer],
        "commitment": table.deal.pack.commitment if table.deal.pack else None,
        "to_act": to_act(table),
        "starter": with_suit_symbol(table.deal.starter) if table.deal.starter else None,
        "play": play(table) if table.is_followed else None,
        "finished": finished_series(snapshot, table, tr),
        "to_count": hand_to_count(table, tr),
        "offers_flush": referee_mode.announces_counts,
        "count": None if table.last_count is None else count(table.last_count, table, referee_mode, tr),
    }


def to_act(table: Table) -> list[Seat]:
    """The seats that have to discard or to play a card now, of hands that the board dealt; everybody at a table sees
    who has not done so yet."""
    deal = table.deal
    if deal is None or not deal.shown_to:
        return []
    if table.phase is Phase.DEAL:
        return [Seat(seat) for seat, kept in enumerate(deal.kept) if not kept]
    return [] if table.to_play is None else [table.to_play]


def count(counted: HandCounted, table: Table, referee_mode: RefereeMode, tr: Translator) -> Json:
    """The hand that was counted last, with the count in cadence as `text` where it may be announced.

    `is_minimum`: a suit that nobody entered could add points.
    """
    is_announced = referee_mode.announces_counts and is_shown(counted, table)
    whose = tr("{name}’s crib") if counted.is_crib else tr("{name}’s hand")
    return {
        "name": table.names[counted.seat],
        "is_crib": counted.is_crib,
        "title": whose.format(name=table.names[counted.seat]),
        "cards": [with_suit_symbol(card) for card in counted.cards],
        "points": counted.points if is_announced else None,
        "is_minimum": is_announced and counted.is_minimum,
        "text": hand_count(counted, table, tr) if is_announced else "",
        "side": table.rules.side_of(counted.seat),
        "steps": steps(counted, table, tr) if is_announced else [],
    }


def steps(counted: HandCounted, table: Table, tr: Translator) -> list[Json]:
    """The count as it is said aloud. `combinations`: the places of their cards in the hand, where the starter is last;
    `total`: the points so far."""
    found = count_show(counted.cards, counted.starter, table.rules, is_crib=counted.is_crib)
    places = places_of_scores(found, counted.cards, counted.starter)
    return [
        {"text": capitalized(step.words), "total": step.total, "combinations": [places[at] for at in step.scores]}
        for step in count_steps(found, tr)
    ]


def play(table: Table) -> Json:
    """The series on the table."""
    assert table.deal is not None and table.deal.play is not None
    series = table.deal.play
    return {
        "count": series.count,
        "to_play": None if table.to_play is None else table.names[table.to_play],
        "cards": cards_of(series.series, table),
    }


def seats(table: Table | None, pairing_state: PairingState) -> list[Json]:
    """The seats in order, each with its side and the name of the phone that holds it."""
    holders = {phone.seat: phone.name for phone in pairing_state.phones}
    if table is None:
        return []
    return [
        {"name": name, "side": table.rules.side_of(Seat(seat)), "held_by": holders.get(Seat(seat))}
        for seat, name in enumerate(table.names)
    ]


def asks_to_join(pairing_state: PairingState) -> Json | None:
    """The phone that asks to be added, with the number that it shows; None while none does."""
    if not pairing_state.requested_by:
        return None
    return {"name": pairing_state.requested_by, "number": pairing_state.number}


def speech(snapshot: Snapshot, tr: Translator) -> Json:
    """What the board says, for the voice of a phone and for screen readers: what happened in the latest turn, undo or
    redo, by its number, and what is awaited now; null while a key or a peg is half way. `count`: the part of `said`
    that is the count of a hand in cadence, else empty."""
    prompt = spoken_notice(snapshot, tr, is_public=True) or spoken_game(snapshot, tr, has_keys=False)
    is_undo = snapshot.history.latest_is_undo
    said = tr("Undone.") if is_undo else spoken_last_turn(snapshot, tr)
    count = "" if is_undo else spoken_last_count(snapshot, tr)
    return {"turn": snapshot.history.count, "said": said, "count": count, "prompt": prompt and prompt.text}
