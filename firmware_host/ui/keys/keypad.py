"""The sixteen keys: what each key press means in the current state of game and input. Keys in, commands out.

Thirteen keys carry a rank, and ENTER, UNDO and FN make sixteen. So one key is a rank, a digit and perhaps a suit:

| key    | rank        | digit       | suit     |
|--------|-------------|-------------|----------|
| A      | ace         | 1           |          |
| 2 to 9 | two to nine | 2 to 9      |          |
| 10     | ten         | 0           |          |
| J      | jack        |             | spades   |
| Q      | queen       |             | hearts   |
| K      | king        |             | diamonds |
| ENTER  |             |             | clubs    |

ENTER is clubs only where the display asks for a suit; a question for a yes or no takes it as yes.

The question on the display decides which one is meant: a card to play asks for a rank, a menu or a number of points for
digits, the question about a flush for a suit. The InputState is that question, so each type of InputState has a handler
in KEY_HANDLERS; Idle, which has nothing typed, has one for each phase of the game in PHASE_KEY_HANDLERS.

Before it calls a handler, `press` goes through these cases, in this order:

1. FN is down: the voice is asked, or says what the key is called; nothing else happens.
2. A phone has requested pairing: ENTER accepts it, UNDO rejects it, and no other key does anything.
3. The pairing code is on the display: any key withdraws it.
4. FN is held: the menu opens, whatever was typed.
5. UNDO: takes back the last thing typed, or, with nothing typed, the last turn.

On a board whose pegs nobody reads, a deal without cards is scored by two keys: A, 2, 3 ... for the side, then A to 10,
J or Q for 1 to 12 points; K leads to higher ones. FN twice begins the starter: then ranks are cards, and score by
themselves.

The functions are pure. Each returns the next InputState and one command at most; the host carries the command out, and
clears the input if the command is refused. A key without a meaning leaves what is typed as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from firmware_host.cribbage.cards import Suit, card_of
from firmware_host.cribbage.options import PegPolicy
from firmware_host.game import commands as c
from firmware_host.game.known_scores import known_cards
from firmware_host.game.rematch import next_game
from firmware_host.game.state import Phase, Table
from firmware_host.mqtt_messages.topics import CODE_DIGITS
from firmware_host.ui.club_night import DeclineSeat, JoinClub
from firmware_host.ui.keys.advice_page import cards_dealt
from firmware_host.ui.keys.count_questions import asked_first, while_asking_count
from firmware_host.ui.keys.dealt_hand import (
    key_in_dealt_deal,
    seat_to_ask_for,
    while_showing_hand,
    while_typing_discard,
)
from firmware_host.ui.keys.hand_input import advance_hand, while_typing_hand
from firmware_host.ui.keys.hand_reading import while_reading_hand
from firmware_host.ui.keys.input_state import (
    DIGIT_OF_KEY,
    ENTER,
    FN,
    FN_HELD,
    RANK_OF_KEY,
    SUIT_OF_KEY,
    UNDO,
    WITH_FN,
    AskingCount,
    AskingStarter,
    Choosing,
    ConfirmingNextDeal,
    HandQuestion,
    Idle,
    InputContext,
    InputState,
    KeyResult,
    MenuQuestion,
    ReadingHand,
    RemovingPhone,
    Scoring,
    SeatOffered,
    SettleNow,
    ShowingHand,
    TypingBid,
    TypingClaim,
    TypingDeal,
    TypingDiscard,
    TypingHand,
    TypingJoinCode,
    TypingPoints,
    TypingStarter,
)
from firmware_host.ui.keys.menus import penalty_given, while_choosing
from firmware_host.ui.keys.next_deal import begin_next_deal
from firmware_host.ui.pairing_prompt import AcceptPhone, ClosePairing, PairingCommand, RejectPhone, RemovePhone
from firmware_host.ui.voice import VOICE_KEYS, AskVoice, NameKey

RULING_KEY = "10"
"""After FN: gives the penalty that the board offers, or asks which. No claim begins with this digit, the nought."""

MOST_BY_ONE_KEY = 12
"""Points that one key enters; the usual hands are not higher."""

PAIRING_ANSWERS: Mapping[str, PairingCommand] = {ENTER: AcceptPhone(), UNDO: RejectPhone()}
"""Key -> the answer to a phone that requests pairing."""


def press(input_state: InputState, key: str, context: InputContext) -> KeyResult:
    """What one key press leads to.

    `key` is a legend: A, 2 to 10, J, Q, K, ENTER, UNDO, FN, or FN_HELD. Commands are not checked against the rules
    here.
    """
    if key.startswith(WITH_FN):
        return KeyResult(input_state, asked_of(key.removeprefix(WITH_FN)))
    if context.pairing_state.requested_by:
        return KeyResult(input_state, PAIRING_ANSWERS.get(key))
    if context.pairing_state.code:
        return KeyResult(input_state, ClosePairing())
    if key == FN_HELD:
        return KeyResult(Choosing(MenuQuestion.MENU))
    if key == UNDO:
        return undo_input(input_state)
    result = KEY_HANDLERS[type(input_state)](input_state, key, context)
    if isinstance(result.command, c.CountHand) and not isinstance(input_state, AskingCount):
        return asked_first(result.command, context)
    return result


def asked_of(key: str) -> AskVoice | NameKey:
    """What a key means while FN is down."""
    return AskVoice(VOICE_KEYS[key]) if key in VOICE_KEYS else NameKey(key)


def undo_input(input_state: InputState) -> KeyResult:
    """UNDO takes back what is typed; with nothing typed, the last turn. After FN it redoes the turn last undone."""
    match input_state:
        case Idle(is_shifted=True):
            return KeyResult(command=c.Redo())
        case Idle():
            return KeyResult(command=c.Undo())
        case AskingCount(cards=cards):
            return KeyResult(TypingHand(cards[:-1]))
        case TypingHand(cards=(*first, _), question=HandQuestion.CARDS) if first:
            return KeyResult(TypingHand(tuple(first)))
        case TypingDeal(cards=(*first, _)) if first:
            return KeyResult(replace(input_state, cards=tuple(first)))
        case TypingDiscard(cards=(*first, _)) if first:
            return KeyResult(replace(input_state, cards=tuple(first)))
        case ReadingHand(cards=(*first, _)) if first:
            return KeyResult(replace(input_state, cards=tuple(first)))
        case TypingJoinCode(code) if code:
            return KeyResult(TypingJoinCode(code[:-1]))
        case SeatOffered():
            return KeyResult(command=DeclineSeat())
        case _:
            return KeyResult()


def while_idle(state: Idle, key: str, context: InputContext) -> KeyResult:
    """What a key means with nothing typed, or after FN.

    ENTER settles a pending leap first, then accepts pegs that were moved too far. A price or penalty is not dropped:
    there ENTER confirms that the pegs are back, if one of them is in a hole that does not read. FN twice types points
    for a side, FN and a digit begins a muggins claim, FN and ENTER ends the play. FN and 10 gives a penalty that is
    offered, or asks which. FN and a picture card asks the voice.
    """
    if key == FN:
        return KeyResult(after_fn_twice(context.table) if state.is_shifted and context.table else Idle(is_shifted=True))
    if state.is_shifted and key == RULING_KEY and context.rulings:
        return penalty_given(context)
    if state.is_shifted and key in VOICE_KEYS:
        return KeyResult(command=asked_of(key))
    if key == ENTER and context.has_pending:
        return KeyResult(command=SettleNow())
    table = context.table
    if table is None:
        return KeyResult(Choosing(MenuQuestion.GAME)) if key == ENTER else KeyResult()
    if key == ENTER and table.phase is not Phase.OVER:
        if any(table.sides[side].is_to_go_back for side in range(len(table.sides))):
            return KeyResult(command=SettleNow())
        if is_excess_to_accept(table):
            return KeyResult(command=c.AcceptPegs())
    if state.is_shifted:
        return KeyResult(command=c.EndPlay()) if key == ENTER else while_typing_claim(TypingClaim(), key, context)
    return PHASE_KEY_HANDLERS[table.phase](key, table, context)


def after_fn_twice(table: Table) -> InputState:
    """The other way to enter what happens: points where keys are cards, and the starter where keys are points."""
    return AskingStarter() if takes_points(table) else Choosing(MenuQuestion.MOVER)


def takes_points(table: Table) -> bool:
    """Whether a key says who scores: nobody reads the pegs, and no card of this deal is entered."""
    has_cards = table.is_dealt or (table.deal is not None and bool(table.deal.seen))
    return table.is_by_hand and table.phase is Phase.DEAL and not has_cards


def is_excess_to_accept(table: Table) -> bool:
    """Whether ENTER accepts pegs that moved too far. By ACC rules an excess may cost a penalty: until the players gave
    it, ENTER goes on."""
    has_no_ruling = table.rules.peg_policy is not PegPolicy.ACC
    return any(side.excess and (has_no_ruling or side.fined_excess >= side.excess) for side in table.sides)


def key_in_cut(key: str, table: Table, context: InputContext) -> KeyResult:
    """A digit chooses the dealer."""
    return KeyResult() if key == ENTER else while_choosing(Choosing(MenuQuestion.DEALER), key, context)


def key_in_deal(key: str, table: Table, context: InputContext) -> KeyResult:
    """A rank begins the starter, or says who scores. ENTER begins the next deal without the cards of this one being
    entered."""
    if table.is_dealt:
        return key_in_dealt_deal(key, table)
    if key == ENTER:
        return begin_next_deal(table, context.referee_mode)
    if takes_points(table):
        side = DIGIT_OF_KEY.get(key, 0) - 1
        return KeyResult(Scoring(side) if 0 <= side < len(table.sides) else Idle())
    return KeyResult(TypingStarter(RANK_OF_KEY[key]))


def key_in_bid(key: str, table: Table, context: InputContext) -> KeyResult:
    """A digit begins a bid; ENTER without one passes."""
    return KeyResult(command=c.Bid(None)) if key == ENTER else while_typing_bid(TypingBid(0), key, context)


def key_in_play(key: str, table: Table, context: InputContext) -> KeyResult:
    """A rank plays a card. ENTER says go, or ends the play if no cards are entered, or shows a covered hand: its goes
    are known."""
    if key == ENTER and (seat := seat_to_ask_for(table)) is not None:
        return KeyResult(ShowingHand(seat))
    if key == ENTER:
        return KeyResult(command=c.SayGo() if table.is_followed or table.is_dealt else c.EndPlay())
    return KeyResult(command=c.PlayCard(card_of(RANK_OF_KEY[key])))


def key_in_show(key: str, table: Table, context: InputContext) -> KeyResult:
    """A rank begins the hand. ENTER counts the cards known from the play, or skips a hand that is not known."""
    assert table.to_count is not None and table.deal is not None
    if key == ENTER:
        known = known_cards(table, *table.to_count)
        return advance_hand(TypingHand(known), table) if known else KeyResult(command=c.SkipHand())
    played = () if table.to_count.is_crib else table.deal.played(table.to_count.seat)
    return while_typing_hand(TypingHand(played), key, context)


def key_in_gather(key: str, table: Table, context: InputContext) -> KeyResult:
    """ENTER begins the next deal."""
    return begin_next_deal(table, context.referee_mode) if key == ENTER else KeyResult()


def key_in_over(key: str, table: Table, context: InputContext) -> KeyResult:
    """ENTER starts the next game of the same players. In a club night it confirms the result, for one side after the
    other, and the club says who plays next."""
    if key != ENTER:
        return KeyResult()
    if table.to_confirm is not None:
        return KeyResult(command=c.ConfirmResult(table.to_confirm))
    return KeyResult(command=next_game(table) if table.club_game is None else None)


PHASE_KEY_HANDLERS: dict[Phase, Callable[[str, Table, InputContext], KeyResult]] = {
    Phase.CUT: key_in_cut,
    Phase.DEAL: key_in_deal,
    Phase.BID: key_in_bid,
    Phase.PLAY: key_in_play,
    Phase.SHOW: key_in_show,
    Phase.GATHER: key_in_gather,
    Phase.OVER: key_in_over,
}


def while_typing_starter(state: TypingStarter, key: str, context: InputContext) -> KeyResult:
    """A suit key cuts the starter; a digit key cuts it without a suit."""
    if key in SUIT_OF_KEY or key in DIGIT_OF_KEY:
        return KeyResult(command=c.CutStarter(card_of(state.rank, SUIT_OF_KEY.get(key))))
    return KeyResult(state)


def while_scoring(state: Scoring, key: str, context: InputContext) -> KeyResult:
    """The rank of the key is the number of points; K asks for a higher number."""
    if key not in RANK_OF_KEY:
        return KeyResult(state)
    points = RANK_OF_KEY[key]
    if points > MOST_BY_ONE_KEY:
        return KeyResult(TypingPoints(state.side))
    return KeyResult(command=c.EnterPoints(state.side, points))


def while_asking_starter(state: AskingStarter, key: str, context: InputContext) -> KeyResult:
    """The rank of the starter; its suit is next."""
    return KeyResult(TypingStarter(RANK_OF_KEY[key]) if key in RANK_OF_KEY else state)


def while_typing_points(state: TypingPoints, key: str, context: InputContext) -> KeyResult:
    """One or two digits, then ENTER."""
    if key == ENTER and state.points:
        return KeyResult(command=c.EnterPoints(state.side, state.points))
    return KeyResult(replace(state, points=with_digit(state.points, key)))


def while_typing_claim(state: TypingClaim, key: str, context: InputContext) -> KeyResult:
    """One or two digits, then ENTER.

    The claim is for the side on the left of the one that missed points, or that moved last if no miss is known.
    """
    table = context.table
    if key == ENTER and state.points and table:
        missed_by = table.misses[0].side if table.misses else table.last_to_move or 0
        return KeyResult(command=c.ClaimMuggins(table.left_of(missed_by), state.points))
    return KeyResult(TypingClaim(with_digit(state.points, key)))


def while_typing_bid(state: TypingBid, key: str, context: InputContext) -> KeyResult:
    """One or two digits, then ENTER."""
    if key == ENTER and state.points:
        return KeyResult(command=c.Bid(state.points))
    return KeyResult(TypingBid(with_digit(state.points, key)))


def while_typing_deal(state: TypingDeal, key: str, context: InputContext) -> KeyResult:
    """When all cards are typed, the advice stays on the display until the next key press."""
    if len(state.cards) == cards_dealt(context):
        return KeyResult()
    if key in RANK_OF_KEY:
        return KeyResult(replace(state, cards=(*state.cards, card_of(RANK_OF_KEY[key]))))
    return KeyResult(state)


def while_removing_phone(state: RemovingPhone, key: str, context: InputContext) -> KeyResult:
    """ENTER removes the phone."""
    return KeyResult(command=RemovePhone(state.phone.phone)) if key == ENTER else KeyResult(state)


def while_confirming_next_deal(state: ConfirmingNextDeal, key: str, context: InputContext) -> KeyResult:
    """ENTER ends the deal."""
    return KeyResult(command=c.NextDeal(state.deal)) if key == ENTER else KeyResult(state)


def while_typing_join_code(state: TypingJoinCode, key: str, context: InputContext) -> KeyResult:
    """Six digits, then ENTER."""
    if key == ENTER and len(state.code) == CODE_DIGITS:
        return KeyResult(command=JoinClub(state.code))
    has_room = key in DIGIT_OF_KEY and len(state.code) < CODE_DIGITS
    return KeyResult(TypingJoinCode(f"{state.code}{DIGIT_OF_KEY[key]}") if has_room else state)


def while_seat_offered(state: SeatOffered, key: str, context: InputContext) -> KeyResult:
    """ENTER begins the game."""
    return KeyResult(command=state.start) if key == ENTER else KeyResult(state)


def suit_keys(input_state: InputState) -> Mapping[Suit, str]:
    """Suit -> the key that names it in the present question, for a keyboard that has letters; empty for no suit."""
    match input_state:
        case TypingStarter() | TypingHand(question=HandQuestion.FLUSH_SUIT):
            return {suit: key for key, suit in SUIT_OF_KEY.items()}
        case TypingHand(question=HandQuestion.FLUSH | HandQuestion.NOBS):
            return {suit: key for key, suit in SUIT_OF_KEY.items() if key != ENTER}
        case _:
            return {}


def with_digit(points: int, key: str) -> int:
    """The number with one more digit, two at most: a third pushes the first out. Other keys change nothing."""
    return (points * 10 + DIGIT_OF_KEY[key]) % 100 if key in DIGIT_OF_KEY else points


KEY_HANDLERS: dict[type, Callable[[Any, str, InputContext], KeyResult]] = {
    Idle: while_idle,
    TypingStarter: while_typing_starter,
    TypingHand: while_typing_hand,
    AskingCount: while_asking_count,
    Choosing: while_choosing,
    TypingDeal: while_typing_deal,
    Scoring: while_scoring,
    AskingStarter: while_asking_starter,
    TypingDiscard: while_typing_discard,
    ReadingHand: while_reading_hand,
    ShowingHand: while_showing_hand,
    TypingPoints: while_typing_points,
    TypingClaim: while_typing_claim,
    TypingBid: while_typing_bid,
    RemovingPhone: while_removing_phone,
    ConfirmingNextDeal: while_confirming_next_deal,
    TypingJoinCode: while_typing_join_code,
    SeatOffered: while_seat_offered,
}
