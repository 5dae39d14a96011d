"""The sixteen keys: what each press means where the game stands. Keys in, wishes out.

One key is a rank, a digit and perhaps a suit at once; the question that the OLED asks decides which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from firmware_host.cribbage.cards import card_of
from firmware_host.table import orders as o
from firmware_host.table.advice_entry import cards_dealt
from firmware_host.table.choosing import while_choosing
from firmware_host.table.door import CloseDoor, DoorWish, LetIn, SendAway, TurnAway
from firmware_host.table.entries import (
    DIGIT_OF_KEY,
    ENTER,
    FN,
    FN_HELD,
    RANK_OF_KEY,
    SUIT_OF_KEY,
    UNDO,
    Asking,
    Choosing,
    Entry,
    Idle,
    Pressed,
    Question,
    SendingAway,
    SettleNow,
    Surroundings,
    TypingBid,
    TypingClaim,
    TypingDeal,
    TypingHand,
    TypingPoints,
    TypingStarter,
)
from firmware_host.table.game_entry import next_game
from firmware_host.table.hand_entry import ask_on, while_typing_hand
from firmware_host.table.showing import known_cards
from firmware_host.table.state import Phase, Table

ANSWERS: Mapping[str, DoorWish] = {ENTER: LetIn(), UNDO: TurnAway()}
"""To a knock; nothing else may be done before it is answered."""


def press(entry: Entry, key: str, around: Surroundings) -> Pressed:
    """One key press. A key without a meaning here leaves everything as it was."""
    if around.door.knocking:
        return Pressed(entry, ANSWERS.get(key))
    if around.door.code:
        return Pressed(entry, CloseDoor())
    if key == FN_HELD:
        return Pressed(Choosing(Question.MENU))
    if key == UNDO:
        return take_back(entry)
    return PRESSED_WHILE[type(entry)](entry, key, around)


def take_back(entry: Entry) -> Pressed:
    """UNDO takes what is half typed first, then the last turn; with FN it brings the last turn back."""
    match entry:
        case Idle(is_shifted=True):
            return Pressed(wish=o.Redo())
        case Idle():
            return Pressed(wish=o.Undo())
        case TypingHand(cards=(*first, _), asking=Asking.CARDS) if first:
            return Pressed(TypingHand(tuple(first)))
        case TypingDeal(cards=(*first, _)) if first:
            return Pressed(replace(entry, cards=tuple(first)))
        case _:
            return Pressed()


def while_idle(entry: Idle, key: str, around: Surroundings) -> Pressed:
    if key == FN:
        return Pressed(Choosing(Question.MOVER) if entry.is_shifted and around.table else Idle(is_shifted=True))
    if key == ENTER and around.has_pending:
        return Pressed(wish=SettleNow())
    table = around.table
    if table is None:
        return Pressed(Choosing(Question.GAME)) if key == ENTER else Pressed()
    if key == ENTER and table.phase is not Phase.OVER and any(owed < 0 for owed in table.owed):
        return Pressed(wish=o.LetItStand())
    if entry.is_shifted:
        return Pressed(wish=o.EndPlay()) if key == ENTER else while_typing_claim(TypingClaim(), key, around)
    return IN_PHASE[table.phase](key, table, around)


def in_cut(key: str, table: Table, around: Surroundings) -> Pressed:
    return Pressed() if key == ENTER else while_choosing(Choosing(Question.DEALER), key, around)


def in_deal(key: str, table: Table, around: Surroundings) -> Pressed:
    return Pressed(wish=o.GatherCards()) if key == ENTER else Pressed(TypingStarter(RANK_OF_KEY[key]))


def in_bid(key: str, table: Table, around: Surroundings) -> Pressed:
    """ENTER alone passes."""
    return Pressed(wish=o.Bid(None)) if key == ENTER else while_typing_bid(TypingBid(0), key, around)


def in_play(key: str, table: Table, around: Surroundings) -> Pressed:
    if key == ENTER:
        return Pressed(wish=o.SayGo() if table.is_followed else o.EndPlay())
    return Pressed(wish=o.PlayCard(card_of(RANK_OF_KEY[key])))


def in_show(key: str, table: Table, around: Surroundings) -> Pressed:
    """A hand that the table knows from the play is counted with ENTER alone."""
    assert table.to_count is not None and table.deal is not None
    if key == ENTER:
        known = known_cards(table, *table.to_count)
        return ask_on(TypingHand(known), table) if known else Pressed(wish=o.SkipCount())
    played = () if table.to_count.is_crib else table.deal.played(table.to_count.seat)
    return while_typing_hand(TypingHand(played), key, around)


def in_gather(key: str, table: Table, around: Surroundings) -> Pressed:
    return Pressed(wish=o.GatherCards()) if key == ENTER else Pressed()


def in_over(key: str, table: Table, around: Surroundings) -> Pressed:
    return Pressed(wish=next_game(table)) if key == ENTER else Pressed()


IN_PHASE: dict[Phase, Callable[[str, Table, Surroundings], Pressed]] = {
    Phase.CUT: in_cut,
    Phase.DEAL: in_deal,
    Phase.BID: in_bid,
    Phase.PLAY: in_play,
    Phase.SHOW: in_show,
    Phase.GATHER: in_gather,
    Phase.OVER: in_over,
}


def while_typing_starter(entry: TypingStarter, key: str, around: Surroundings) -> Pressed:
    if key in SUIT_OF_KEY or key in DIGIT_OF_KEY:
        return Pressed(wish=o.CutStarter(card_of(entry.rank, SUIT_OF_KEY.get(key))))
    return Pressed(entry)


def while_typing_points(entry: TypingPoints, key: str, around: Surroundings) -> Pressed:
    """One or two digits, then ENTER."""
    if key == ENTER and entry.points:
        return Pressed(wish=o.MovePoints(entry.side, entry.points))
    return Pressed(replace(entry, points=with_digit(entry.points, key)))


def while_typing_claim(entry: TypingClaim, key: str, around: Surroundings) -> Pressed:
    """One or two digits, then ENTER. The claim is the other side's than the one that overlooked something."""
    table = around.table
    if key == ENTER and entry.points and table:
        missed_by = table.misses[0].side if table.misses else table.last_to_move or 0
        return Pressed(wish=o.ClaimMuggins(table.left_of(missed_by), entry.points))
    return Pressed(TypingClaim(with_digit(entry.points, key)))


def while_typing_bid(entry: TypingBid, key: str, around: Surroundings) -> Pressed:
    if key == ENTER and entry.points:
        return Pressed(wish=o.Bid(entry.points))
    return Pressed(TypingBid(with_digit(entry.points, key)))


def while_typing_deal(entry: TypingDeal, key: str, around: Surroundings) -> Pressed:
    """Once all cards are typed the advice stays on the display until another key is pressed."""
    if len(entry.cards) == cards_dealt(around):
        return Pressed()
    if key in RANK_OF_KEY:
        return Pressed(replace(entry, cards=(*entry.cards, card_of(RANK_OF_KEY[key]))))
    return Pressed(entry)


def while_sending_away(entry: SendingAway, key: str, around: Surroundings) -> Pressed:
    return Pressed(wish=SendAway(entry.guest.phone)) if key == ENTER else Pressed(entry)


def with_digit(points: int, key: str) -> int:
    """At most two figures; a third one pushes the first out. Other keys change nothing."""
    return (points * 10 + DIGIT_OF_KEY[key]) % 100 if key in DIGIT_OF_KEY else points


PRESSED_WHILE: dict[type, Callable[[Any, str, Surroundings], Pressed]] = {
    Idle: while_idle,
    TypingStarter: while_typing_starter,
    TypingHand: while_typing_hand,
    Choosing: while_choosing,
    TypingDeal: while_typing_deal,
    TypingPoints: while_typing_points,
    TypingClaim: while_typing_claim,
    TypingBid: while_typing_bid,
    SendingAway: while_sending_away,
}
