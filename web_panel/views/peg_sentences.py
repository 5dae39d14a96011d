"""Pegs that have to move, in sentences: why, from which hole to which, and what is wrong with them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct

from firmware_host.board.course import Hole
from firmware_host.game import events as e
from firmware_host.game.known_scores import is_questioned
from firmware_host.game.state import Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.tracking.readings import Fault, TrackFault
from firmware_host.ui.texts.cadence import scores_in_words
from firmware_host.ui.texts.fault_messages import owner_of_foreign_peg
from firmware_host.ui.texts.messages import BREACHES, capitalized, event_message
from firmware_host.ui.translator import Translator
from web_panel.views.turn_points import counted_hand, points_headline_of, points_of_last_turn

BACK_START = Hole(-1)


class PegMoveKind(StrEnum):
    """Why a peg moves."""

    FORWARD = "forward"
    """The back peg passes the front one: points that are due."""
    BACK = "back"
    """The front peg goes back: too many holes, a price or a penalty."""
    REPAIR = "repair"
    """A peg stands where the game has none."""


class PegMove(Struct, frozen=True):
    """One move that one peg has to make. Scores are those of its start and its end, 0 to the target."""

    side: int
    from_score: int
    to_score: int
    points: int
    kind: PegMoveKind
    from_sensor: int | None
    """Where the peg is seen; None: it is in a hand."""
    to_sensor: int
    label: str
    """The move as a button of a simulated board."""
    note: str


class PegSentences(Struct, frozen=True):
    """What happened, what to do, and the move where there is exactly one."""

    headline: str
    detail: str
    is_error: bool
    waits_for: str
    move: PegMove | None = None


def points_sentences(snapshot: Snapshot, table: Table, side: int, tr: Translator) -> PegSentences:
    """The points that a side has to move, forward or back, and why. `table` has only what may be shown."""
    if is_questioned(table, side):
        return _questioned(snapshot, table, side, tr)
    if table.sides[side].owed < 0:
        return _to_go_back(snapshot, table, side, tr)
    if table.sides[side].is_astray:
        return _fell_back(snapshot, table, side, tr)
    name = table.side_name(side)
    headline = news_headline(snapshot, table, side, tr) or points_headline(snapshot, table, side, tr)
    goal = table.sides[side].goal
    if table.is_programs(side) and snapshot.has_drawn_pegs:
        pegs = tr.counted("{name} pegs.", "{name} peg.", table.rules.people(side))
        return PegSentences(headline, pegs.format(name=name), False, tr("One moment …"))
    if table.is_programs(side) and table.is_moved_by_hand(side):
        start = table.sides[side].pegs.front
        for_it = tr("Peg for {name}: {start} to {goal}.").format(name=name, start=start, goal=goal.front)
        return PegSentences(for_it, headline, False, _waits_for(name, tr))
    if not table.is_moved_by_hand(side):
        detail = tr("{name}, take your points.").format(name=name)
        return PegSentences(headline, detail, False, _waits_for(name, tr))
    is_rest = goal.back != table.sides[side].pegs.front  # of a short move: the front peg goes on
    sentence = (
        tr("{name}, move your front peg on to {hole}.") if is_rest else tr("{name}, move your back peg to {hole}.")
    )
    detail = sentence.format(name=name, hole=hole_text(snapshot, table, goal.front, tr))
    start = table.sides[side].pegs.front if is_rest else table.sides[side].pegs.back
    label = tr("Peg {points} for {name}").format(points=table.sides[side].owed, name=name)
    move = _move(snapshot, table, side, (start, goal.front), PegMoveKind.FORWARD, (label, ""), table.sides[side].owed)
    return PegSentences(headline, detail, False, _waits_for(name, tr), move)


def _questioned(snapshot: Snapshot, table: Table, side: int, tr: Translator) -> PegSentences:
    """A peg in the game hole with more points than the table can believe: a person has to say that it is right."""
    name = table.side_name(side)
    points = table.sides[side].excess
    headline = tr.counted(
        "{name}: in the game hole, {points} point too far.",
        "{name}: in the game hole, {points} points too far.",
        points,
    ).format(name=name, points=points)
    detail = tr("Nothing on the table gives so many. Move the peg back, or accept it if it is right.")
    move = _backward(snapshot, table, side, table.sides[side].goal.front, tr)
    return PegSentences(headline, detail, True, _waits_for(name, tr), move)


def news_headline(snapshot: Snapshot, table: Table, side: int, tr: Translator) -> str:
    """What the latest turn earned, while more than that is due, to whomever; else empty. So no points wait behind
    those that were not pegged yet."""
    is_one = len(table.sides[side].outstanding) == 1
    earned = [event for event in points_of_last_turn(snapshot) if event.side != side or not is_one]
    return " ".join(points_headline_of(event, table, tr) for event in earned)


def points_headline(snapshot: Snapshot, table: Table, side: int, tr: Translator) -> str:
    """What the points that are due are for."""
    dues = table.sides[side].outstanding
    points = table.sides[side].owed
    name = table.side_name(side)
    due = dues[0] if len(dues) == 1 else None
    if due and due.moved:
        sentence = tr.counted("{name}: {points} more point to peg.", "{name}: {points} more points to peg.", points)
        return sentence.format(name=name, points=points)
    if due and due.is_reported:
        return tr("{name}, you can still peg {points}.").format(name=name, points=points)
    if due and due.source is e.Source.SHOW:
        return counted_hand(table, due, sum(score.points for score in due.scores) or due.points, tr)
    if due and due.scores:
        scores = scores_in_words(due.scores, tr)
        return capitalized(tr("{scores}, {name}.").format(scores=scores, name=table.names[due.seat]))
    if due and due.source is e.Source.MUGGINS:
        sentence = tr.counted("Muggins: {points} point to {name}.", "Muggins: {points} points to {name}.", points)
    elif due and due.source is e.Source.PENALTY:
        return _penalty(snapshot, table, side, points, tr)
    else:
        sentence = tr.counted("{name}: {points} point to peg.", "{name}: {points} points to peg.", points)
    return sentence.format(name=name, points=points)


def _penalty(snapshot: Snapshot, table: Table, side: int, points: int, tr: Translator) -> str:
    """The penalty, with the breach that it is for."""
    for turn in snapshot.history.turns_back():
        for event in turn.events:
            if isinstance(event, e.PenaltyGiven) and event.side == side and event.points == points:
                return event_message(event, table, tr)
    sentence = tr.counted("A penalty: {points} point to {name}.", "A penalty: {points} points to {name}.", points)
    return sentence.format(name=table.side_name(side), points=points)


def _to_go_back(snapshot: Snapshot, table: Table, side: int, tr: Translator) -> PegSentences:
    """The front peg has to go back: a price, a penalty, or too many holes."""
    name = table.side_name(side)
    points = -table.sides[side].owed
    target = table.sides[side].goal.front
    start, end = (hole_text(snapshot, table, score, tr) for score in (table.sides[side].pegs.front, target))
    move = _backward(snapshot, table, side, target, tr)
    back = tr("{name}, move your front peg back from {start} to {hole}.").format(name=name, start=start, hole=end)
    cause = cause_of_going_back(snapshot, side) if table.sides[side].is_to_go_back else None
    match cause:
        case e.CribSold(seat=seat, price=price):
            headline = tr("{name} buys the crib for {points}.").format(name=table.names[seat], points=price)
            return PegSentences(headline, back, False, _waits_for(name, tr), move)
        case e.PegsSetBack(breach=breach):
            people = table.rules.people(side)
            sentence = tr.counted("{why}: {name} goes back {points}.", "{why}: {name} go back {points}.", people)
            headline = sentence.format(why=tr(BREACHES[breach]), name=name, points=points)
            return PegSentences(headline, back, False, _waits_for(name, tr), move)
    headline = tr.counted("{points} hole too many, {name}.", "{points} holes too many, {name}.", points)
    due = table.sides[side].pegs.front - table.sides[side].pegs.back - points
    why = tr("{due} to peg, {moved} moved.").format(due=due, moved=due + points) if due > 0 else tr("Nothing was due.")
    return PegSentences(headline.format(name=name, points=points), f"{why} {back}", True, _waits_for(name, tr), move)


def cause_of_going_back(snapshot: Snapshot, side: int) -> e.CribSold | e.PegsSetBack | None:
    """The sale or the penalty since the side's last peg move; None: the peg itself went too far."""
    for turn in snapshot.history.turns_back():
        for event in turn.events:
            if isinstance(event, e.CribSold) and event.price and turn.table.rules.side_of(event.seat) == side:
                return event
            if isinstance(event, e.PegsSetBack) and event.side == side:
                return event
        if any(isinstance(event, e.PegLeapt | e.PegAdjusted) and event.side == side for event in turn.events):
            return None
    return None


def _fell_back(snapshot: Snapshot, table: Table, side: int, tr: Translator) -> PegSentences:
    """The front peg was moved back though nothing asked for it."""
    name = table.side_name(side)
    front = table.sides[side].pegs.front
    start = table.sides[side].goal.front
    texts = {"start": hole_text(snapshot, table, front, tr), "hole": hole_text(snapshot, table, start, tr)}
    detail = tr("Put it from {start} back to {hole}, or correct the score under More.").format(**texts)
    label = tr("Put it back to {hole}").format(hole=start)
    move = _move(snapshot, table, side, (front, start), PegMoveKind.REPAIR, (label, ""))
    return PegSentences(tr("{name}’s front peg went back.").format(name=name), detail, True, _waits_for(name, tr), move)


def _backward(snapshot: Snapshot, table: Table, side: int, target: int, tr: Translator) -> PegMove | None:
    label = tr("Move it back to {hole}").format(hole=target)
    note = tr("{name}’s score is {score}").format(name=table.side_name(side), score=table.scores[side])
    return _move(snapshot, table, side, (table.sides[side].pegs.front, target), PegMoveKind.BACK, (label, note))


def _move(
    snapshot: Snapshot,
    table: Table,
    side: int,
    scores: tuple[int, int],
    kind: PegMoveKind,
    texts: tuple[str, str],
    points: int | None = None,
) -> PegMove | None:
    """The move between two scores; None for a side without pegs on the board."""
    if not table.is_moved_by_hand(side):
        return None
    course = snapshot.plan.course(table.rules.target)
    (start, end) = scores
    moved = abs(end - start) if points is None else points
    seen = snapshot.occupied[side]
    hole = course.hole_of(start)
    if start == 0 and BACK_START in seen:
        hole = BACK_START  # the two start holes are equal, and the back peg may stand in either
    sensor = snapshot.plan.at(side, hole).sensor if hole in seen else None
    return PegMove(side, start, end, moved, kind, sensor, snapshot.plan.at(side, course.hole_of(end)).sensor, *texts)


def fault_sentences(snapshot: Snapshot, table: Table, astray: TrackFault, tr: Translator) -> PegSentences:
    """A peg that is where the game has none: what is wrong, and what to do."""
    name = waits_for = table.side_name(astray.track)
    wrong = ", ".join(hole_name(snapshot, hole, tr) for hole in astray.holes)
    missing = ", ".join(hole_name(snapshot, hole, tr) for hole in astray.missing)
    headline, detail = FAULTS[astray.fault](tr)
    if (owner := owner_of_foreign_peg(astray)) is not None:
        waits_for = table.side_name(owner)
        headline = tr("{owner}’s peg is on {name}’s track.")
        detail = tr("Take out the one that blinks fast: {wrong}. Put it back on {owner}’s track.")
    texts = {"name": name, "wrong": wrong, "holes": missing, "owner": waits_for}
    move = _repair(snapshot, table, astray, tr)
    return PegSentences(headline.format(**texts), detail.format(**texts), True, _waits_for(waits_for, tr), move)


def _repair(snapshot: Snapshot, table: Table, astray: TrackFault, tr: Translator) -> PegMove | None:
    """The one peg that stands wrong, to the one hole that lacks it."""
    if len(astray.holes) != 1 or len(astray.missing) != 1 or astray.fault.is_hardware:
        return None
    (wrong,) = astray.holes
    (right,) = astray.missing
    side = astray.track
    plan = snapshot.plan
    pegs = table.sides[side].pegs
    course = snapshot.plan.course(table.rules.target)
    score = next((score for score in (pegs.front, pegs.back) if course.hole_of(score) == right), max(0, int(right)))
    label = tr("Put it back to {hole}").format(hole=hole_name(snapshot, right, tr))
    sensors = plan.at(side, wrong).sensor, plan.at(side, right).sensor
    return PegMove(side, max(0, int(wrong)), score, 0, PegMoveKind.REPAIR, *sensors, label, "")


FAULTS: Mapping[Fault, Callable[[Translator], tuple[str, str]]] = {
    Fault.BOTH_OUT: lambda tr: (tr("Both pegs are out: {name}."), tr("Put them back in the lit holes: {holes}.")),
    Fault.FRONT_OUT: lambda tr: (tr("The front peg is out: {name}."), tr("Put it back in the lit hole: {holes}.")),
    Fault.PEG_UNSEEN: lambda tr: (tr("A peg is not seen: {name}."), tr("Push it firmly into the lit hole: {holes}.")),
    Fault.THIRD_PEG: lambda tr: (
        tr("Three pegs on one track: {name}."),
        tr("Take out the one that blinks fast: {wrong}."),
    ),
    Fault.FOREIGN_LANE: lambda tr: (
        tr("Another player’s peg is on this track: {name}."),
        tr("Take out the one that blinks fast: {wrong}. Put it back on its own track."),
    ),
    Fault.OFF_LAP: lambda tr: (
        tr("A peg is in a wrong hole: {name}."),
        tr("No score leads to {wrong}. Put the peg in the lit hole: {holes}."),
    ),
    Fault.MISPLACED: lambda tr: (
        tr("The pegs do not show the score: {name}."),
        tr("Put them in the lit holes: {holes}."),
    ),
    Fault.DEAD_HOLE: lambda tr: (tr("A hole does not react: {wrong}."), tr("You can play on.")),
    Fault.STUCK_HOLE: lambda tr: (tr("A hole always shows a peg: {wrong}."), tr("It is ignored. You can play on.")),
    Fault.WEAK_HOLE: lambda tr: (tr("A hole is weak: {wrong}."), tr("You can play on.")),
}
"""Fault -> headline and detail."""


def hole_text(snapshot: Snapshot, table: Table, score: int, tr: Translator) -> str:
    """A score as the place of a peg. Where the track is used again, the number at the hole is added."""
    hole = snapshot.plan.course(table.rules.target).hole_of(score)
    name = hole_name(snapshot, hole, tr)
    if hole <= 0 or hole == snapshot.plan.game_hole or int(hole) == score:
        return name
    return tr("{score} (hole {hole})").format(score=score, hole=name)


def hole_name(snapshot: Snapshot, hole: Hole, tr: Translator) -> str:
    """The number of a hole, or the word for the start and the game hole."""
    if hole == snapshot.plan.game_hole:
        return tr("the game hole")
    return tr("the start") if hole <= 0 else str(int(hole))


def _waits_for(name: str, tr: Translator) -> str:
    return tr("Waiting for {name}’s peg").format(name=name)
