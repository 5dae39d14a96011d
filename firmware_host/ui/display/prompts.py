"""What the board waits for, as a prompt of one line (`game_prompt`).

Every sentence passes through the translator `tr`. A prompt fits one line of 21 columns on the OLED in every language;
`tests/ui/test_messages_in_languages.py` checks it.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.cribbage.cards import LETTERS
from firmware_host.game.auction import next_bidder
from firmware_host.game.state import Phase, Table
from firmware_host.mqtt_messages.topics import CODE_DIGITS
from firmware_host.tracking.readings import TrackFault
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.keys.count_questions import count_prompt
from firmware_host.ui.keys.next_deal import next_deal_prompt
from firmware_host.ui.lights.lights import PendingLeap
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import Shown, ShownSide
from firmware_host.ui.situation import Situation, Topic
from firmware_host.ui.texts.fault_messages import PEG_FAULTS
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.translator import Translator, untranslated

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


def game_prompt(
    situation: Situation,
    shown: Shown | None,
    input_state: k.InputState,
    tr: Translator = untranslated,
    referee_mode: RefereeMode = RefereeMode.TEACHER,
) -> str:
    """The next thing to do, in one line. `situation` is what `game_situation` decided on."""
    table = None if shown is None else shown.whole
    match situation:
        case Situation(Topic.PEGS_ASTRAY, astray=TrackFault() as pegs) if table is not None:
            return tr(PEG_FAULTS[pegs.fault]).format(name=table.side_name(pegs.track))
        case Situation(Topic.TYPING):
            return input_prompt(input_state, table, tr, referee_mode)
        case Situation(Topic.PENDING, leap=PendingLeap() as leap) if table is not None:
            sentence = tr("{name} +{points}? ENTER") if leap.points > 0 else tr("{name} -{points}? ENTER")
            return sentence.format(name=table.side_name(leap.side), points=abs(leap.points))
        case Situation(Topic.POINTS, side=int(side)) if shown is not None:
            return points_to_move(shown.sides[side], tr)
    return tr("ENTER: new game") if table is None else PHASE_PROMPTS[table.phase](table, tr)


def points_to_move(side: ShownSide, tr: Translator) -> str:
    """The points that a side owes, forward or back, and the score that they lead to."""
    owed = side.owed
    goal = side.goal
    if side.is_questioned:
        sentence = tr("{name} +{points}? ENTER")
    elif owed > 0 and goal.back != side.pegs.front:  # the front peg moves: nothing is earned by that
        sentence = tr("{name}: peg to {score}")
    else:
        sentence = tr("{name} +{points} → {score}") if owed > 0 else tr("{name}: back {points} → {score}")
    return sentence.format(name=side.name, points=abs(owed), score=goal.front)


def input_prompt(input_state: k.InputState, table: Table | None, tr: Translator, referee_mode: RefereeMode) -> str:
    """The question that the next key answers, with what is typed so far; empty if nothing is typed."""
    match input_state:
        case k.Idle(is_shifted=True):
            return tr("FN_")
        case k.TypingStarter(rank=rank):
            return tr("Starter {rank}: ♠♥♦♣?").format(rank=LETTERS[rank - 1])
        case k.TypingHand(question=k.HandQuestion.FLUSH):
            return tr("All one suit? 0: no")
        case k.TypingHand(question=k.HandQuestion.FLUSH_SUIT):
            return tr("Which suit? ♠♥♦♣")
        case k.TypingHand(question=k.HandQuestion.NOBS):
            assert table is not None and table.deal is not None and table.deal.starter is not None
            suit = with_suit_symbol(table.deal.starter)[-1]
            return tr("Jack of {suit}? 0: no").format(suit=suit)
        case k.TypingHand(cards=cards):
            return tr("{whose} {cards}_").format(whose=hand_label(table, tr), cards=" ".join(c.letter for c in cards))
        case k.AskingCount():
            return count_prompt(input_state, tr)
        case k.Choosing(question=question, game=game):
            return game.option.replace("_", " ") if question is k.MenuQuestion.VALUE else tr(QUESTIONS[question])
        case k.TypingDeal(cards=cards):
            return tr("Dealt: {cards}_").format(cards=" ".join(card.letter for card in cards))
        case k.TypingPoints(points=points):
            return tr("Points: {points}_").format(points=points or "")
        case k.TypingClaim(points=points):
            return tr("Points missed? {points}_").format(points=points or "")
        case k.TypingBid(points=points):
            return tr("Bid: {points}_").format(points=points)
        case k.RemovingPhone(phone=phone):
            return tr("Remove {name}? ENTER").format(name=phone.name)
        case k.TypingJoinCode(code=code):
            return (tr("{code}? ENTER") if len(code) == CODE_DIGITS else tr("Code: {code}_")).format(code=code)
        case k.SeatOffered():
            return tr("Do you sit here?")
        case k.ConfirmingNextDeal() if table is not None:
            return next_deal_prompt(table, referee_mode, tr)
        case _:
            return ""


def hand_label(table: Table | None, tr: Translator) -> str:
    """The hand to be counted next: `Ann`, or `Ann's crib`. The table must be in the show."""
    assert table is not None and table.to_count is not None
    name = table.names[table.to_count.seat]
    return tr("{name}’s crib").format(name=name) if table.to_count.is_crib else name


def _in_cut(table: Table, tr: Translator) -> str:
    return tr("Who deals first?")


def _in_deal(table: Table, tr: Translator) -> str:
    return tr("Starter card?")


def _in_bid(table: Table, tr: Translator) -> str:
    assert table.deal is not None
    return tr("{name}: your bid?").format(name=table.names[next_bidder(table, table.deal)])


def _in_play(table: Table, tr: Translator) -> str:
    if not table.is_followed:
        return tr("All played? ENTER")
    assert table.to_play is not None and table.deal is not None and table.deal.play is not None
    name = table.names[table.to_play]
    count = table.deal.play.count
    return (
        tr("{name} plays on {count}").format(name=name, count=count) if count else tr("{name} leads").format(name=name)
    )


def _in_show(table: Table, tr: Translator) -> str:
    return tr("Count: {whose}").format(whose=hand_label(table, tr))


def _in_gather(table: Table, tr: Translator) -> str:
    return tr("ENTER: next deal")


def _in_over(table: Table, tr: Translator) -> str:
    assert table.winner is not None
    if table.to_confirm is not None:
        return tr("{name}: right? ENTER").format(name=table.side_name(table.to_confirm))
    if table.club_game is not None:
        return tr("Result confirmed")
    return tr("{name} wins! ENTER").format(name=table.side_name(table.winner))


PHASE_PROMPTS: dict[Phase, Callable[[Table, Translator], str]] = {
    Phase.CUT: _in_cut,
    Phase.DEAL: _in_deal,
    Phase.BID: _in_bid,
    Phase.PLAY: _in_play,
    Phase.SHOW: _in_show,
    Phase.GATHER: _in_gather,
    Phase.OVER: _in_over,
}
