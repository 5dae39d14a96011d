"""The game in sentences: what just happened (`turn_message`), and what the board waits for (`game_prompt`).

Every sentence passes through the translator `_`. A prompt fits one line of 21 columns on the OLED in every language, a
fault two lines; `tests/ui/test_messages_in_languages.py` checks both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import singledispatch

from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.cards import LETTERS
from firmware_host.cribbage.show import count_show
from firmware_host.game import events as e
from firmware_host.game.auction import next_bidder
from firmware_host.game.disclosure import ClosedMiss, closed_misses, is_shown, shown_table
from firmware_host.game.history import Turn
from firmware_host.game.known_scores import is_questioned
from firmware_host.game.state import Phase, Table
from firmware_host.tracking.readings import Fault, TrackFault
from firmware_host.ui import input_state as k
from firmware_host.ui.cadence import count_in_words, scores_in_words
from firmware_host.ui.lights import PendingLeap
from firmware_host.ui.next_deal import next_deal_prompt
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.situation import Situation, Topic, game_situation
from firmware_host.ui.translator import Translator, untranslated


def turn_message(
    turn: Turn,
    _: Translator = untranslated,
    referee_mode: RefereeMode = RefereeMode.TEACHER,
    now: Table | None = None,
) -> str:
    """What happened in one turn, as one text: see `turn_sentences`."""
    return " ".join(turn_sentences(turn, _, referee_mode, now))


def turn_sentences(turn: Turn, _: Translator, referee_mode: RefereeMode, now: Table | None = None) -> list[str]:
    """What happened in one turn: a sentence for each event that may be announced.

    A mode that does not announce counts leaves them out; so do the rules of muggins (`game/disclosure.py`) while points
    may be missed. `now` is the game as it is now, if turns came after this one.
    """
    sentences = [
        event_message(event, turn.table, _)
        if is_announced(event, referee_mode, now or turn.table)
        else message_without_count(event, turn.table, _)
        for event in turn.events
    ]
    if referee_mode.announces_counts:
        missed = closed_misses(turn.before.table if turn.before else None, turn.events, turn.table)
        sentences += [closed_miss_message(closed, turn.table, _) for closed in missed]
    return [sentence for sentence in sentences if sentence]


def is_announced(event: e.Event, referee_mode: RefereeMode, now: Table | None = None) -> bool:
    """Whether the event is announced: all modes but TEACHER are silent on points due or missed and counted hands, and
    muggins keeps some of them secret. `now` is the game as it is now; without it no muggins is played."""
    is_count = isinstance(event, e.PointsDue | e.PointsMissed | e.HandCounted)
    return (referee_mode.announces_counts or not is_count) and (now is None or is_shown(event, now))


@singledispatch
def event_message(event: object, table: Table, _: Translator) -> str:
    """A sentence for one event; empty for an event that needs none. `table` is the state after the turn."""
    return ""


@event_message.register
def _started(event: e.GameStarted, table: Table, _: Translator) -> str:
    names = ", ".join(event.names)
    return _("New game to {target}: {names}.").format(target=event.rules.target, names=names)


@event_message.register
def _deal_began(event: e.DealBegan, table: Table, _: Translator) -> str:
    return _("{name} deals.").format(name=table.names[event.dealer])


@event_message.register
def _bid(event: e.BidMade, table: Table, _: Translator) -> str:
    sentence = _("{name} bids {points}.") if event.points else _("{name} passes.")
    return sentence.format(name=table.names[event.seat], points=event.points)


@event_message.register
def _sold(event: e.CribSold, table: Table, _: Translator) -> str:
    sentence = _("{name} buys the crib for {points}.") if event.price else _("{name} keeps the crib.")
    return sentence.format(name=table.names[event.seat], points=event.price)


@event_message.register
def _starter(event: e.StarterCut, table: Table, _: Translator) -> str:
    return _("The starter is {card}.").format(card=with_suit_symbol(event.card))


@event_message.register
def _played(event: e.CardPlayed, table: Table, _: Translator) -> str:
    return _("{name} plays {card}.").format(name=table.names[event.seat], card=with_suit_symbol(event.card))


@event_message.register
def _go(event: e.GoSaid, table: Table, _: Translator) -> str:
    return _("{name} says go.").format(name=table.names[event.seat])


@event_message.register
def _counted(event: e.HandCounted, table: Table, _: Translator) -> str:
    hand = shown_hand(event, table, _)
    return f"{hand} {hand_count(event, table, _)}"


def hand_count(event: e.HandCounted, table: Table, _: Translator) -> str:
    """The count of a hand in words. "At least", where a suit that nobody entered could add points."""
    words = count_in_words(count_show(event.cards, event.starter, table.rules, is_crib=event.is_crib), _)
    if event.is_minimum:
        return _("At least {points}: {count}.").format(points=event.points, count=words)
    return f"{capitalized(words)}."


def shown_hand(event: e.HandCounted, table: Table, _: Translator) -> str:
    """Whose hand or crib it is, and its cards."""
    sentence = _("{name}’s crib: {cards}.") if event.is_crib else _("{name}’s hand: {cards}.")
    return sentence.format(name=table.names[event.seat], cards=" ".join(map(with_suit_symbol, event.cards)))


@event_message.register
def _skipped(event: e.CountSkipped, table: Table, _: Translator) -> str:
    sentence = _("{name}’s crib is skipped.") if event.is_crib else _("{name}’s hand is skipped.")
    return sentence.format(name=table.names[event.seat])


@event_message.register
def _due(event: e.PointsDue, table: Table, _: Translator) -> str:
    if event.source is e.Source.SHOW:
        return ""
    return _("{name}: {scores}.").format(name=table.names[event.seat], scores=scores_in_words(event.scores, _))


@event_message.register
def _leapt(event: e.PegLeapt, table: Table, _: Translator) -> str:
    if not table.is_moved_by_hand(event.side):
        return ""
    if event.pegs == table.pegs[event.side] and table.is_astray(event.side):
        return adjusted_message(event.side, event.pegs.front, table, _)  # nobody earned so many points
    points = event.pegs.front - event.pegs.back
    name, score = table.side_name(event.side), event.pegs.front
    return _("{name} pegs {points}: now {score}.").format(name=name, points=points, score=score)


@event_message.register
def _adjusted(event: e.PegAdjusted, table: Table, _: Translator) -> str:
    return adjusted_message(event.side, event.pegs.front, table, _)


def adjusted_message(side: int, score: int, table: Table, _: Translator) -> str:
    """A peg was moved, and nothing was earned by that."""
    return _("{name} moves the peg to {score}.").format(name=table.side_name(side), score=score)


@event_message.register
def _allowed(event: e.PegsAllowed, table: Table, _: Translator) -> str:
    return _("{name}’s pegs are accepted as they are.").format(name=table.side_name(event.side))


@event_message.register
def _missed(event: e.PointsMissed, table: Table, _: Translator) -> str:
    sentence = _.counted("{name} missed {points} point.", "{name} missed {points} points.", event.points)
    return sentence.format(name=table.names[event.seat], points=event.points)


@event_message.register
def _muggins(event: e.MugginsTaken, table: Table, _: Translator) -> str:
    sentence = _.counted(
        "Muggins: {name} takes {points} point.", "Muggins: {name} takes {points} points.", event.points
    )
    return sentence.format(name=table.side_name(event.side), points=event.points)


@event_message.register
def _overran(event: e.PegsOverran, table: Table, _: Translator) -> str:
    return _("{name} moved {points} too far.").format(name=table.side_name(event.side), points=event.points)


@event_message.register
def _penalty(event: e.PenaltyGiven, table: Table, _: Translator) -> str:
    reason = _(BREACHES[event.breach])
    return _("{why}: {points} to {name}.").format(name=table.side_name(event.side), points=event.points, why=reason)


@event_message.register
def _set_back(event: e.PegsSetBack, table: Table, _: Translator) -> str:
    return _("{name} goes back {points}.").format(name=table.side_name(event.side), points=event.points)


@event_message.register
def _renege(event: e.RenegeFound, table: Table, _: Translator) -> str:
    if table.phase is Phase.PLAY:  # the cards are still in the hand, so only its owner may know them
        return _("False go: {name} could play a card.").format(name=table.names[event.seat])
    cards = ", ".join(map(with_suit_symbol, event.cards))
    return _("False go: {name} could play {cards}.").format(name=table.names[event.seat], cards=cards)


@event_message.register
def _corrected(event: e.ScoreCorrected, table: Table, _: Translator) -> str:
    return _("Corrected: {name} {score} ({reason}).").format(
        name=table.side_name(event.side), score=event.score, reason=event.reason
    )


@event_message.register
def _won(event: e.GameWon, table: Table, _: Translator) -> str:
    return _("{name} wins the game!").format(name=table.side_name(event.side))


def closed_miss_message(closed: ClosedMiss, table: Table, _: Translator) -> str:
    """What was missed, once nobody can claim it any more: for what, how much, and whether somebody took it."""
    miss = closed.miss
    name, points = table.names[miss.seat], miss.points
    missed = _.counted("{name} missed {points} point.", "{name} missed {points} points.", points)
    sentences = [missed.format(name=name, points=points)]
    if miss.source is e.Source.PLAY and miss.scores:
        scores = scores_in_words(miss.scores, _)
        sentences.insert(0, _("{name}: {scores}.").format(name=name, scores=scores))
    if closed.taken_by is None:
        sentences.append(_("Nobody claimed muggins."))
    return " ".join(sentences)


def message_without_count(event: e.Event, table: Table, _: Translator) -> str:
    """The cards of a hand that is shown, without their count; empty for any other event."""
    return shown_hand(event, table, _) if isinstance(event, e.HandCounted) else ""


def capitalized(sentence: str) -> str:
    """The sentence with its first letter in upper case, and the others as they are (`str.capitalize` lowers them)."""
    return sentence[:1].upper() + sentence[1:]


def with_suit_symbol(card: object) -> str:
    """A card as people read it, in every language: 5H is 5♥, TS is 10♠. A card without a suit stays its rank.

    The letters A, J, Q and K are those of the keys and of international packs.
    """
    return str(card).translate(AS_READ)


AS_READ = str.maketrans({"S": "♠", "H": "♥", "D": "♦", "C": "♣", "T": "10"})


QUESTIONS = {
    k.MenuQuestion.MENU: "Choose. UNDO: back",
    k.MenuQuestion.DEALER: "Who deals?",
    k.MenuQuestion.GAME: "Which game?",
    k.MenuQuestion.BOARD: "Which board?",
    k.MenuQuestion.TARGET: "Play to how many?",
    k.MenuQuestion.READY: "Start?",
    k.MenuQuestion.OPTION: "Which house rule?",
    k.MenuQuestion.MOVER: "Whose points?",
    k.MenuQuestion.CRIB: "Whose crib?",
    k.MenuQuestion.REFEREE_MODE: "Referee mode?",
    k.MenuQuestion.VOICE: "Voice?",
    k.MenuQuestion.PHONES: "Add or remove?",
}

BREACHES = {
    e.Breach.OVERRUN: "Pegged too far",
    e.Breach.FALSE_GAME: "Pegged out too soon",
    e.Breach.FALSE_CLAIM: "Wrong claim",
    e.Breach.RENEGE: "False go",
    e.Breach.FOREIGN_PEG: "Other player’s peg moved",
}

FAULTS = {
    Fault.BOTH_OUT: "{name}: both pegs out",
    Fault.FRONT_OUT: "{name}: front peg out",
    Fault.PEG_UNSEEN: "{name}: push the peg in",
    Fault.THIRD_PEG: "{name}: extra peg",
    Fault.FOREIGN_LANE: "{name}: another’s peg",
    Fault.OFF_LAP: "{name}: wrong hole",
    Fault.MISPLACED: "{name}: to the lit holes",
    Fault.DEAD_HOLE: "{name}: hole does not react",
    Fault.STUCK_HOLE: "{name}: hole always shows a peg",
    Fault.WEAK_HOLE: "{name}: hole is weak",
}


def peg_fault_message(plan: BoardPlan, astray: TrackFault, _: Translator = untranslated) -> str:
    """A fault of holes or pegs, with the names of the holes on the board, such as `red 37`."""
    holes = ", ".join(plan.name_of(astray.track, hole) for hole in astray.holes)
    return f"{_(FAULTS[astray.fault]).format(name=plan.track_info[astray.track].name)} ({holes})"


def stuck_key_message(key: str, _: Translator = untranslated) -> str:
    """A key that has been down for too long; `key` is its legend."""
    return _("Key {key} is stuck").format(key=key)


def game_prompt(
    table: Table | None,
    input_state: k.InputState,
    pending: Iterable[PendingLeap],
    astray: Iterable[TrackFault],
    fault: str,
    _: Translator = untranslated,
    referee_mode: RefereeMode = RefereeMode.TEACHER,
) -> str:
    """The next thing to do, in one line: `fault`, a fault in words, or else what `game_situation` decides on."""
    if fault:
        return fault
    situation = game_situation(table, input_state, pending, astray, referee_mode)
    match situation:
        case Situation(Topic.PEGS_ASTRAY, astray=TrackFault() as pegs) if table is not None:
            return _(FAULTS[pegs.fault]).format(name=table.side_name(pegs.track))
        case Situation(Topic.TYPING):
            return input_prompt(input_state, table, _, referee_mode)
        case Situation(Topic.PENDING, leap=PendingLeap() as leap) if table is not None:
            sentence = _("{name} +{points}? ENTER") if leap.points > 0 else _("{name} -{points}? ENTER")
            return sentence.format(name=table.side_name(leap.side), points=abs(leap.points))
        case Situation(Topic.POINTS, side=int(side)) if table is not None:
            return points_to_move(table, side, _)
    return _("ENTER: new game") if table is None else PHASE_PROMPTS[table.phase](table, _)


def points_to_move(table: Table, side: int, _: Translator) -> str:
    """The points that a side owes, forward or back, and the score that they lead to."""
    table = shown_table(table)
    owed, goal = table.owed[side], table.goal(side)
    if is_questioned(table, side):
        sentence = _("{name} +{points}? ENTER")
    elif owed > 0 and goal.back != table.pegs[side].front:  # the front peg moves: nothing is earned by that
        sentence = _("{name}: peg to {score}")
    else:
        sentence = _("{name} +{points} → {score}") if owed > 0 else _("{name}: back {points} → {score}")
    return sentence.format(name=table.side_name(side), points=abs(owed), score=goal.front)


def input_prompt(input_state: k.InputState, table: Table | None, _: Translator, referee_mode: RefereeMode) -> str:
    """The question that the next key answers, with what is typed so far; empty if nothing is typed."""
    match input_state:
        case k.Idle(is_shifted=True):
            return _("FN_")
        case k.TypingStarter(rank=rank):
            return _("Starter {rank}: ♠♥♦♣?").format(rank=LETTERS[rank - 1])
        case k.TypingHand(question=k.HandQuestion.FLUSH):
            return _("All one suit? 0: no")
        case k.TypingHand(question=k.HandQuestion.FLUSH_SUIT):
            return _("Which suit? ♠♥♦♣")
        case k.TypingHand(question=k.HandQuestion.NOBS):
            assert table is not None and table.deal is not None and table.deal.starter is not None
            suit = with_suit_symbol(table.deal.starter)[-1]
            return _("Jack of {suit}? 0: no").format(suit=suit)
        case k.TypingHand(cards=cards):
            return _("{whose} {cards}_").format(whose=hand_label(table, _), cards=" ".join(c.letter for c in cards))
        case k.Choosing(question=question, game=game):
            return game.option.replace("_", " ") if question is k.MenuQuestion.VALUE else _(QUESTIONS[question])
        case k.TypingDeal(cards=cards):
            return _("Dealt: {cards}_").format(cards=" ".join(card.letter for card in cards))
        case k.TypingPoints(points=points):
            return _("Points: {points}_").format(points=points or "")
        case k.TypingClaim(points=points):
            return _("Points missed? {points}_").format(points=points or "")
        case k.TypingBid(points=points):
            return _("Bid: {points}_").format(points=points)
        case k.RemovingPhone(phone=phone):
            return _("Remove {name}? ENTER").format(name=phone.name)
        case k.ConfirmingNextDeal() if table is not None:
            return next_deal_prompt(table, referee_mode, _)
        case _:
            return ""


def hand_label(table: Table | None, _: Translator) -> str:
    """The hand to be counted next: `Ann`, or `Ann's crib`. The table must be in the show."""
    assert table is not None and table.to_count is not None
    name = table.names[table.to_count.seat]
    return _("{name}’s crib").format(name=name) if table.to_count.is_crib else name


def _in_cut(table: Table, _: Translator) -> str:
    return _("Who deals first?")


def _in_deal(table: Table, _: Translator) -> str:
    return _("Starter card?")


def _in_bid(table: Table, _: Translator) -> str:
    assert table.deal is not None
    return _("{name}: your bid?").format(name=table.names[next_bidder(table, table.deal)])


def _in_play(table: Table, _: Translator) -> str:
    if not table.is_followed:
        return _("All played? ENTER")
    assert table.to_play is not None and table.deal is not None and table.deal.play is not None
    name, count = table.names[table.to_play], table.deal.play.count
    return _("{name} plays on {count}").format(name=name, count=count) if count else _("{name} leads").format(name=name)


def _in_show(table: Table, _: Translator) -> str:
    return _("Count: {whose}").format(whose=hand_label(table, _))


def _in_gather(table: Table, _: Translator) -> str:
    return _("ENTER: next deal")


def _in_over(table: Table, _: Translator) -> str:
    assert table.winner is not None
    return _("{name} wins! ENTER").format(name=table.side_name(table.winner))


PHASE_PROMPTS: dict[Phase, Callable[[Table, Translator], str]] = {
    Phase.CUT: _in_cut,
    Phase.DEAL: _in_deal,
    Phase.BID: _in_bid,
    Phase.PLAY: _in_play,
    Phase.SHOW: _in_show,
    Phase.GATHER: _in_gather,
    Phase.OVER: _in_over,
}
