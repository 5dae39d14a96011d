"""A snapshot as JSON for the page. Pure: what goes in decides what comes out.

Rule: a card is here only if it lies face up on the table: the starter, the series being played, a hand that was
counted. What a seat was dealt, keeps or laid away never is.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import islice

from firmware_host.board.course import START_HOLES, Course, Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.rules import Seat, Side
from firmware_host.cribbage.show import count_show
from firmware_host.snapshot import Snapshot
from firmware_host.table.cadence import count_in_words
from firmware_host.table.door import Door, asked_at_door
from firmware_host.table.entries import TypingDeal
from firmware_host.table.events import HandCounted
from firmware_host.table.manner import Manner
from firmware_host.table.state import Table
from firmware_host.table.wording import capital, pretty, say_turn, waiting_for
from firmware_host.table.words import Words, as_written
from web_panel.asks import Ask, asks
from web_panel.captions import standing, step, way
from web_panel.offers import offers

Json = dict[str, object]

TURNS_TOLD = 60
STREET = 30
"""Holes to a street: a third of the way out, or home, on the usual board."""


def present(snapshot: Snapshot, _: Words = as_written) -> Json:
    """The whole state of the page but for what only a simulated board has; every sentence in the language of `_`."""
    table = snapshot.table
    return {
        "version": snapshot.version,
        "prompt": prompt(snapshot, _),
        "trouble": snapshot.trouble,
        "board": board(snapshot.plan, table, _),
        "game": None if table is None else game(table),
        "sides": [] if table is None else [side(snapshot, table, number, _) for number in range(len(table.pegs))],
        "deal": None if table is None or table.deal is None else deal(table, snapshot.manner, _),
        "pegs": pegs(snapshot),
        "lights": lights(snapshot),
        "offers": [asdict(offer) for offer in offers(snapshot, _)],
        "asks": [asked(ask) for ask in asks(table, _)],
        "display": display(snapshot, _),
        "log": log(snapshot, _),
        "turns": sum(1 for turn in snapshot.chronicle.turns_back()),
        "seats": seats(table, snapshot.door),
        "phones": len(snapshot.door.guests),
        "phone_changes": snapshot.door.changes,
    }


def prompt(snapshot: Snapshot, _: Words) -> str:
    """What the board waits for, or what the keys were just refused. Cards that somebody types for advice stay on the
    board's own display."""
    odd, entry = snapshot.hindrance(_) or (snapshot.notice(_) if snapshot.notice else ""), snapshot.entry
    entry = replace(entry, cards=()) if isinstance(entry, TypingDeal) else entry
    asked = asked_at_door(snapshot.door, _)
    return asked or waiting_for(snapshot.table, entry, snapshot.pending, snapshot.astray, odd, _, snapshot.manner)


def display(snapshot: Snapshot, _: Words) -> list[str]:
    """The lines of the OLED; while somebody types cards for advice, neither the cards nor the advice."""
    is_private = isinstance(snapshot.entry, TypingDeal)
    return [prompt(snapshot, _)] if is_private else [line for line, scale in snapshot.page]


def asked(ask: Ask) -> Json:
    return asdict(ask) | {"kind": ask.kind.value}


def board(plan: BoardPlan, table: Table | None, _: Words) -> Json:
    """Which drawing to show. Without a game the board carries the lines of its longest usual game."""
    target = table.rules.target if table else 121 if 121 in plan.targets else plan.targets[0]
    tracks = [{"name": _(track.name), "colour": track.colour} for track in plan.inlays]
    return {"id": plan.id, "title": plan.title, "target": target, "tracks": tracks}


def game(table: Table) -> Json:
    rules = table.rules
    return {
        "variant": rules.variant,
        "target": rules.target,
        "streets": list(range(STREET, rules.target - 1, STREET)),
        "skunk_lines": list(rules.skunk_lines),
        "phase": table.phase.value,
        "winner": table.winner,
        "is_demo": table.is_demo,
    }


def side(snapshot: Snapshot, table: Table, number: int, _: Words) -> Json:
    """One side's score. `owed` points are still to be moved; `pending` ones were moved and have not yet held still."""
    pegs, tracks = table.pegs[number], snapshot.plan.inlays
    owed, pending = (
        table.owed[number] if snapshot.manner.tells_counts else 0,
        sum(leap.points for leap in snapshot.pending if leap.side == number),
    )
    return {
        "name": table.side_name(number),
        "colour": tracks[number].colour if number < len(tracks) else None,
        "score": pegs.front,
        "back": pegs.back,
        "target": table.rules.target_of(Side(number)),
        "owed": owed,
        "pending": pending,
        "is_dealer": table.dealer is not None and table.rules.side_of(table.dealer) == number,
        "is_moved_by_hand": table.is_moved_by_hand(number),
        "step": step(owed, pending, _),
        "standing": standing(table, number, _),
        "way": way(table, number, _),
    }


def deal(table: Table, manner: Manner, _: Words) -> Json:
    assert table.deal is not None
    told = table.deal
    return {
        "number": told.number,
        "dealer": table.names[told.dealer],
        "starter": pretty(told.starter) if told.starter else None,
        "play": play(table) if table.is_followed else None,
        "count": None if table.last_count is None else count(table.last_count, table, manner, _),
    }


def count(counted: HandCounted, table: Table, manner: Manner, _: Words) -> Json:
    """The hand that was counted last, `said` in cadence where the referee tells counts."""
    whose = _("{name}'s crib") if counted.is_crib else _("{name}'s hand")
    parts = count_show(counted.cards, counted.starter, table.rules, is_crib=counted.is_crib)
    return {
        "name": table.names[counted.seat],
        "is_crib": counted.is_crib,
        "title": whose.format(name=table.names[counted.seat]),
        "cards": [pretty(card) for card in counted.cards],
        "points": counted.points if manner.tells_counts else None,
        "said": f"{capital(count_in_words(parts, _))}." if manner.tells_counts else "",
    }


def play(table: Table) -> Json:
    """The series as it lies on the table."""
    assert table.deal is not None and table.deal.play is not None
    told = table.deal.play
    return {
        "count": told.count,
        "to_play": None if table.to_play is None else table.names[table.to_play],
        "cards": [{"card": pretty(laid.card), "side": table.rules.side_of(laid.seat)} for laid in told.series],
    }


def seats(table: Table | None, door: Door) -> list[Json]:
    """Who sits where, and by which phone each seat is held."""
    holders = {guest.seat: guest.name for guest in door.guests}
    return [
        {"name": name, "held_by": holders.get(Seat(seat))} for seat, name in enumerate(table.names if table else ())
    ]


def pegs(snapshot: Snapshot) -> list[Json]:
    """Every peg that a sensor sees: which sensor, whose track, and whether it is the `front` or the `back` one."""
    return [
        {"sensor": snapshot.plan.at(track, hole).sensor, "track": track, "rank": rank(snapshot, track, hole)}
        for track, holes in enumerate(told_apart(snapshot))
        for hole in sorted(holes)
    ]


def told_apart(snapshot: Snapshot) -> list[set[Hole]]:
    """The holes with pegs by track. A peg in the shared game hole is seen in every track: it is the leader's."""
    seen, game_hole, table = [set(holes) for holes in snapshot.seen], snapshot.plan.game_hole, snapshot.table
    if any(game_hole in holes for holes in seen):
        fronts = [front_score(snapshot, table, side) for side in range(len(table.pegs))] if table else [0]
        leader = fronts.index(max(fronts))
        for track, holes in enumerate(seen):
            if track != leader:
                holes.discard(game_hole)
    return seen


def rank(snapshot: Snapshot, track: int, hole: Hole) -> str:
    """`front`, `back`, or nothing for a peg that stands where none is believed."""
    table = snapshot.table
    if table is None or not table.is_moved_by_hand(track):
        return {START_HOLES[0]: "back", START_HOLES[1]: "front"}.get(hole, "")
    course: Course = snapshot.plan.course(table.rules.target)
    front = front_score(snapshot, table, track)
    if hole == course.hole_of(front):
        return "front"
    back = table.pegs[track].back if front == table.pegs[track].front else table.pegs[track].front
    is_back = hole == course.hole_of(back) or (back == 0 and hole in START_HOLES)
    return "back" if is_back else ""


def front_score(snapshot: Snapshot, table: Table, side: int) -> int:
    """The score by the pegs as they stand, settled or not."""
    return next((leap.score for leap in snapshot.pending if leap.side == side), table.pegs[side].front)


def lights(snapshot: Snapshot) -> list[Json]:
    """The signals of the board, by sensor, in the grammar that the board itself blinks."""
    return [
        {
            "sensor": snapshot.plan.at(shown.track, shown.hole).sensor,
            "track": shown.track,
            "signal": shown.signal.name.lower(),
        }
        for shown in snapshot.signals
    ]


def log(snapshot: Snapshot, _: Words) -> list[Json]:
    """The latest turns, newest first, each with its number; turns without words are passed over."""
    turns = list(snapshot.chronicle.turns_back())
    told = ((len(turns) - at, say_turn(turn, _, snapshot.manner)) for at, turn in enumerate(islice(turns, TURNS_TOLD)))
    return [{"turn": number, "said": said} for number, said in told if said]
