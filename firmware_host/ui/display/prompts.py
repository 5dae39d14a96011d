"""What the board waits for, as a prompt of one line (`game_prompt`). The lines of the phases are in `ui/phases/`.

Every sentence passes through the translator `tr`. A prompt fits one line of 21 columns on the OLED in every language;
`tests/ui/test_messages_in_languages.py` checks it.
"""

from __future__ import annotations

from firmware_host.cribbage.cards import LETTERS
from firmware_host.game.state import Table
from firmware_host.mqtt_messages.topics import CODE_DIGITS
from firmware_host.tracking.readings import TrackFault
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.keys.count_questions import count_prompt
from firmware_host.ui.keys.dealt_hand import seat_to_ask_for
from firmware_host.ui.keys.hand_reading import cards_to_read
from firmware_host.ui.keys.next_deal import next_deal_prompt
from firmware_host.ui.lights.lights import PendingLeap
from firmware_host.ui.phases.show import hand_label
from firmware_host.ui.phases.wordings import WORDINGS
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import Shown, ShownSide
from firmware_host.ui.situation import Situation, Topic
from firmware_host.ui.texts.fault_messages import PEG_FAULTS, owner_of_foreign_peg
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.translator import Translator, untranslated

QUESTIONS = {
    k.MenuQuestion.MENU: "Choose. UNDO: back",
    k.MenuQuestion.DEALER: "Who deals?",
    k.MenuQuestion.GAME: "Which game?",
    k.MenuQuestion.BOARD: "Which board?",
    k.MenuQuestion.TARGET: "Play to how many?",
    k.MenuQuestion.READY: "Start?",
    k.MenuQuestion.CARDS: "Which cards?",
    k.MenuQuestion.LEVEL: "How strong?",
    k.MenuQuestion.OPTION: "Which house rule?",
    k.MenuQuestion.MOVER: "Whose points?",
    k.MenuQuestion.CRIB: "Whose crib?",
    k.MenuQuestion.REFEREE_MODE: "Referee mode?",
    k.MenuQuestion.VOICE: "Voice?",
    k.MenuQuestion.PHONES: "Add or remove?",
    k.MenuQuestion.PENALTY: "Which penalty?",
}


def game_prompt(
    situation: Situation,
    shown: Shown | None,
    input_state: k.InputState,
    tr: Translator = untranslated,
    referee_mode: RefereeMode = RefereeMode.TEACHER,
    *,
    has_drawn_pegs: bool = False,
) -> str:
    """The next thing to do, in one line, or two with long names. `situation` is what `game_situation` decided on.
    `has_drawn_pegs`: the program moves its own pegs."""
    table = None if shown is None else shown.whole
    match situation:
        case Situation(Topic.PEGS_ASTRAY, astray=TrackFault() as pegs) if table is not None:
            if (owner := owner_of_foreign_peg(pegs)) is not None:
                return tr("{owner}: wrong track").format(owner=table.side_name(owner))
            return tr(PEG_FAULTS[pegs.fault]).format(name=table.side_name(pegs.track))
        case Situation(Topic.TYPING):
            return input_prompt(input_state, table, tr, referee_mode)
        case Situation(Topic.PENDING, leap=PendingLeap() as leap) if table is not None:
            sentence = tr("{name} +{points}? ENTER") if leap.points > 0 else tr("{name} -{points}? ENTER")
            return sentence.format(name=table.side_name(leap.side), points=abs(leap.points))
        case Situation(Topic.POINTS, side=int(side)) if shown is not None:
            is_for_program = shown.whole.is_programs(side) and not has_drawn_pegs
            return points_to_move(shown.sides[side], tr, is_for_program=is_for_program)
    if table is None:
        return tr("ENTER: new game")
    return hand_to_ask_for(table, tr) or WORDINGS[table.phase].line(table, tr)


def hand_to_ask_for(table: Table, tr: Translator) -> str:
    """Whose covered hand ENTER shows; empty where none is covered."""
    seat = seat_to_ask_for(table)
    if seat is None:
        return ""
    name = table.names[seat]
    count = table.deal.play.count if table.deal and table.deal.play else 0
    if count:
        return tr("{name} on {count}: ENTER").format(name=name, count=count)
    return tr("{name} only: ENTER").format(name=name)


def points_to_move(side: ShownSide, tr: Translator, *, is_for_program: bool) -> str:
    """The points that a side owes, forward or back, and the score that they lead to. `is_for_program`: people move
    pegs that are not theirs."""
    owed = side.owed
    goal = side.goal
    if side.is_questioned:
        sentence = tr("{name} +{points}? ENTER")
    elif owed > 0 and goal.back != side.pegs.front:  # the front peg moves: nothing is earned by that
        sentence = tr("{name}: peg to {score}")
    elif owed > 0 and is_for_program:
        sentence = tr("Peg for {name} +{points} → {score}")
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
        case k.Scoring(side=side) if table is not None:
            return tr("{name}: how many?").format(name=table.side_name(side))
        case k.AskingStarter():
            return tr("Starter card?")
        case k.ShowingHand(seat=seat) if table is not None and table.deal is not None:
            if table.to_play == seat:
                return WORDINGS[table.phase].line(table, tr)
            number = table.rules.cards_discarded(seat, table.deal.dealer)
            return tr("Crib: {number} of {all}").format(number=0, all=number)
        case k.TypingDiscard(cards=cards, needed=needed):  # the cards themselves are on the line of the hand
            if len(cards) == needed:
                return tr("Discard? ENTER")
            return tr("Crib: {number} of {all}").format(number=len(cards), all=needed)
        case k.ReadingHand(cards=cards) if table is not None:
            return tr("Read: {number} of {all}").format(number=len(cards), all=cards_to_read(table))
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
