"""What the game waits for, as spoken sentences. `situation.py` decides what comes first; this module finds the words.
Those of the phases are in `ui/phases/`.

A player who cannot see finds a hole by counting, so a move is said with its number of holes and the score it leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.board.course import Course, Hole
from firmware_host.game.state import Table
from firmware_host.tracking.readings import Fault, TrackFault
from firmware_host.ui.keys.input_state import HandQuestion, Idle, InputContext, InputState, TypingHand
from firmware_host.ui.phases.show import hand_to_count
from firmware_host.ui.phases.wordings import WORDINGS, spoken_without_keys
from firmware_host.ui.shown import Shown, ShownSide
from firmware_host.ui.situation import Situation, Topic
from firmware_host.ui.spoken.input import spoken_input
from firmware_host.ui.texts.fault_messages import owner_of_foreign_peg
from firmware_host.ui.texts.messages import capitalized
from firmware_host.ui.texts.side_names import side_in_words
from firmware_host.ui.texts.spoken_words import Spoken, ended, number_in_words, rank_in_words, together
from firmware_host.ui.translator import Translator


def spoken_prompt(
    situation: Situation,
    shown: Shown | None,
    context: InputContext,
    input_state: InputState,
    course: Course,
    tr: Translator,
    *,
    in_full: bool = False,
    has_keys: bool = True,
) -> Spoken | None:
    """The next thing to do. None: nothing to say now, because a key or a peg is half way. `situation` is what
    `game_situation` decided on; `course` is that of the game, or any without one. `in_full`: of a hand that is being
    typed all cards, not only the last one. `has_keys`: keys of the board are named, where a page has buttons."""
    table = None if shown is None else shown.whole
    match situation:
        case Situation(Topic.PENDING):
            return None
        case Situation(Topic.TYPING) if in_full and table is not None and is_typing_cards(input_state):
            assert isinstance(input_state, TypingHand)
            cards = ", ".join(rank_in_words(card.rank, tr) for card in input_state.cards)
            return Spoken("hand", together(hand_to_count(table, tr), f"{cards}." if cards else ""))
        case Situation(Topic.TYPING):
            return spoken_input(input_state, context, tr)
        case Situation(Topic.PEGS_ASTRAY, astray=TrackFault() as fault) if table is not None:
            return spoken_fault(table, fault, course, tr)
        case Situation(Topic.POINTS, side=int(side)) if shown is not None:
            return spoken_points(shown, side, tr, has_keys=has_keys)
    if table is None:
        more = tr("FN held: menu.") if in_full else ""
        start = ended(tr("ENTER: new game")) if has_keys else ""
        return Spoken("no-game", together(tr("No game is on."), start, more))
    assert input_state == Idle()
    said = WORDINGS[table.phase].spoken if has_keys else spoken_without_keys
    return Spoken(f"phase.{table.phase.value}", said(table, tr))


def is_typing_cards(input_state: InputState) -> bool:
    """Whether the cards of a hand are being typed."""
    return isinstance(input_state, TypingHand) and input_state.question is HandQuestion.CARDS


# Points.


def spoken_points(shown: Shown, side: int, tr: Translator, *, has_keys: bool = True) -> Spoken:
    """The move that a side has to make, and the key that accepts pegs which the table cannot explain."""
    said = _points(shown.table, side, shown.sides[side], tr)
    accepts = tr("ENTER accepts it.") if has_keys and shown.sides[side].is_questioned else ""
    return Spoken(f"points.{side}", together(said, accepts))


def _points(table: Table, side: int, shown: ShownSide, tr: Translator) -> str:
    owed = shown.owed
    goal = shown.goal
    pegs = shown.pegs
    name = side_in_words(table, side, tr)
    points = number_in_words(abs(owed), tr)
    texts = {"name": name, "points": points, "score": number_in_words(max(0, goal.front), tr)}
    if shown.is_questioned:
        texts["points"] = number_in_words(table.sides[side].excess, tr)
        return tr("{name}: {points} too far, in the game hole.").format(**texts)
    if not table.is_moved_by_hand(side):
        return tr("{name}, take your points.").format(**texts)
    if owed > 0 and shown.is_astray:
        return tr("{name}, put the front peg forward again, {points}, to {score}.").format(**texts)
    if owed > 0:
        return _forward(table, side, texts, tr)
    if goal.front <= 0:
        return tr("{name}, both pegs back to the start.").format(**texts)
    back = tr("{name}, front peg back {points}, to {score}.").format(**texts)
    if goal.back == pegs.back:
        return back
    return together(back, tr("Back peg to {score}.").format(score=number_in_words(goal.back, tr)))


def _forward(table: Table, side: int, texts: Mapping[str, str], tr: Translator) -> str:
    goal = table.sides[side].goal
    pegs = table.sides[side].pegs
    if table.is_programs(side):
        return _for_program(table, side, texts, tr)
    if goal.front >= table.sides[side].target:
        return tr("{name}, peg {points}, into the game hole.").format(**texts)
    if goal.back != pegs.front:  # the rest of a short move
        return tr("{name}, front peg on by {points}, to {score}.").format(**texts)
    return tr("{name}, peg {points}, to {score}.").format(**texts)


def _for_program(table: Table, side: int, texts: Mapping[str, str], tr: Translator) -> str:
    """The program has no hands: people move its pegs."""
    if table.sides[side].goal.front >= table.sides[side].target:
        return tr("Peg for {name}: {points}, into the game hole.").format(**texts)
    return tr("Peg for {name}: {points}, to {score}.").format(**texts)


# Pegs that stand wrong.


def spoken_fault(table: Table, fault: TrackFault, course: Course, tr: Translator) -> Spoken:
    """What is wrong with the pegs of a track, and the way back by counting holes."""
    name = side_in_words(table, fault.track, tr)
    way = _way_back(fault, course, tr)
    sentence = FAULT_SENTENCES[fault.fault](tr).format(name=name)
    if (owner := owner_of_foreign_peg(fault)) is not None:
        sentence = tr("{owner}’s peg is on {name}’s track.").format(owner=side_in_words(table, owner, tr), name=name)
    return Spoken(f"fault.{fault.track}", together(sentence, way))


def _way_back(fault: TrackFault, course: Course, tr: Translator) -> str:
    if len(fault.holes) == 1 and len(fault.missing) == 1:
        (wrong,) = fault.holes
        (right,) = fault.missing
        steps = holes_between(wrong, right, course)
        forward = tr("From {wrong} forward {points}, to {hole}.")
        back = tr("From {wrong} back {points}, to {hole}.")
        start, end = (hole_in_words(hole, course, tr) for hole in (wrong, right))
        return (forward if steps > 0 else back).format(points=number_in_words(abs(steps), tr), wrong=start, hole=end)
    if fault.missing:
        holes = ", ".join(hole_in_words(hole, course, tr) for hole in fault.missing)
        return tr("Pegs belong in: {holes}.").format(holes=holes)
    if fault.holes:
        holes = ", ".join(hole_in_words(hole, course, tr) for hole in fault.holes)
        return tr("Take the peg out of: {holes}.").format(holes=holes)
    return ""


def holes_between(wrong: Hole, right: Hole, course: Course) -> int:
    """Holes from `wrong` to `right`, the shorter way round a lap: above zero forward, below zero back."""
    straight = int(right) - int(wrong)
    if min(wrong, right) <= 0 or max(wrong, right) > course.lap or abs(straight) <= course.lap // 2:
        return straight
    return straight - course.lap if straight > 0 else straight + course.lap


def hole_in_words(hole: Hole, course: Course, tr: Translator) -> str:
    """The number of a hole, or the word for the start and the game hole."""
    if hole == course.game_hole:
        return tr("the game hole")
    return tr("the start") if hole <= 0 else number_in_words(int(hole), tr)


FAULT_SENTENCES: Mapping[Fault, Callable[[Translator], str]] = {
    Fault.BOTH_OUT: lambda tr: tr("Both pegs are out: {name}."),
    Fault.FRONT_OUT: lambda tr: tr("The front peg is out: {name}."),
    Fault.PEG_UNSEEN: lambda tr: tr("A peg is not seen: {name}."),
    Fault.THIRD_PEG: lambda tr: tr("Three pegs on one track: {name}."),
    Fault.FOREIGN_LANE: lambda tr: tr("Another player’s peg is on this track: {name}."),
    Fault.OFF_LAP: lambda tr: tr("A peg is in a wrong hole: {name}."),
    Fault.MISPLACED: lambda tr: tr("The pegs do not show the score: {name}."),
    Fault.DEAD_HOLE: lambda tr: tr("A hole does not react: {name}."),
    Fault.STUCK_HOLE: lambda tr: tr("A hole always shows a peg: {name}."),
    Fault.WEAK_HOLE: lambda tr: tr("A hole is weak: {name}."),
}


def spoken_positions(table: Table, course: Course, tr: Translator) -> str:
    """Where every peg is, and how far each side is behind: "Ann: front peg forty-seven, back peg forty-one."."""
    best = max(table.scores)
    return " ".join(_position(table, side, best, course, tr) for side in range(len(table.sides)))


def _position(table: Table, side: int, best: int, course: Course, tr: Translator) -> str:
    name = side_in_words(table, side, tr)
    pegs = table.sides[side].pegs
    score = table.scores[side]
    texts = {"name": name, "front": number_in_words(pegs.front, tr), "back": number_in_words(pegs.back, tr)}
    if not table.is_moved_by_hand(side) or pegs.front == pegs.back == 0:
        sentence = tr("{name}: {cards}.").format(name=name, cards=number_in_words(score, tr))
    else:
        sentence = tr("{name}: front peg {front}, back peg {back}.").format(**texts)
    if score == best:
        return sentence
    return together(sentence, capitalized(tr("{points} behind.").format(points=number_in_words(best - score, tr))))
