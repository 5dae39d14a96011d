"""What the table knows of a side's points: all of them, or only what its pegs say.

The table checks a move only where it knows every score that the side can have at this moment. Otherwise it accepts the
pegs, because a score that nobody entered may explain them; but it asks before a total that no cards are worth wins.

| phase        | every score of a side is known when                                                     |
|--------------|-----------------------------------------------------------------------------------------|
| cut          | never                                                                                   |
| deal, bid    | any hand was entered; for moves that only sensors report, also before, where every card |
|              | of the deal before was: then they are expected, and no score comes before them          |
| play         | cards of this play are entered, or all hands are known                                  |
| show, gather | each of its hands and its crib was counted, or can be, with every suit that matters; and |
|              | the play was entered to its end, or the side has counted a hand since                    |
"""

from __future__ import annotations

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.possible_points import is_possible_at_once
from firmware_host.cribbage.rules import CRIB_SIZE, Seat, Showing
from firmware_host.cribbage.unknown_suits import count_is_minimum
from firmware_host.game.deal import Deal
from firmware_host.game.state import Phase, Table

MOST_FOR_SUITS = 2
"""Suits add at most a point for each held card, and these: one for the starter in a flush, one for nobs."""


def sees_every_score(table: Table, side: int) -> bool:
    """Whether the table knows every score that the side can have now; then its moves are checked."""
    match table.phase, table.deal:
        case Phase.DEAL | Phase.BID, Deal(dealt=dealt):
            return any(dealt)
        case Phase.PLAY, Deal(kept=kept):
            # One card is enough: they are entered in turn, so none before it is missing.
            return table.is_followed or all(kept)
        case Phase.SHOW | Phase.GATHER, Deal() as deal:
            # Who counts a hand has had the time to peg the play (ACC rule 10.4), whether or not its cards were entered.
            is_play_over = is_play_known(deal) or has_counted(table, deal, side)
            return is_play_over and not unknown_hands(table, deal, side) and not has_minimum(table, deal, side)
        case _:
            return False


def knows_whole_deal(table: Table) -> bool:
    """Whether the deal is over, and every card of its play and each hand was entered."""
    if table.phase is not Phase.GATHER or table.deal is None or not is_play_known(table.deal):
        return False
    return all(sees_every_score(table, side) for side in range(len(table.sides)))


def expects_cards(table: Table) -> bool:
    """Whether nobody can have scored since the deal began: no card of it is entered, in a game whose cards are."""
    # In the first deal nobody knows yet whether cards will be entered.
    deal = table.deal
    if table.phase is not Phase.DEAL or deal is None or any(deal.dealt):
        return False
    return table.is_dealt or deal.follows_known


def is_believable(table: Table, side: int, points: int) -> bool:
    """Whether `points` moved at once, unchecked, may be right: one card or hand, or the hand and the crib of a seat."""
    # Before the show hands may be pegged ahead of their count, by people who enter nothing.
    has_hand = True
    has_crib = True
    in_play = True
    match table.phase, table.deal:
        case Phase.SHOW | Phase.GATHER, Deal() as deal:
            # The count is behind, but the suits that nobody entered may have added this much.
            if has_minimum(table, deal, side) and points <= table.rules.hand_size + MOST_FOR_SUITS:
                return True
            unknown = unknown_hands(table, deal, side)
            has_hand, has_crib = (any(hand.is_crib is is_crib for hand in unknown) for is_crib in (False, True))
            in_play = not is_play_known(deal) and not has_counted(table, deal, side)
        case Phase.PLAY, Deal() as deal:
            owner = deal.dealer if deal.owner is None else deal.owner
            has_crib = table.rules.side_of(owner) == side
    return is_possible_at_once(points, table.rules, has_hand=has_hand, has_crib=has_crib, in_play=in_play)


def is_questioned(table: Table, side: int) -> bool:
    """Whether the side's peg is in the game hole with more points than the table can believe: a person must confirm."""
    # Short of the game hole an excess can be put back later. Where every score is known it has had its ruling.
    in_game_hole = table.sides[side].pegs.front >= table.sides[side].target
    return in_game_hole and bool(table.sides[side].excess) and not sees_every_score(table, side)


def questioned_sides(table: Table | None) -> set[int]:
    """The sides whose leap into the game hole a person must confirm."""
    return set() if table is None else {side for side in range(len(table.sides)) if is_questioned(table, side)}


def unknown_hands(table: Table, deal: Deal, side: int) -> tuple[Showing, ...]:
    """The hands and the crib of the side in this show whose points the table cannot tell."""
    order = table.rules.show_order(deal.dealer, deal.owner)
    return tuple(
        hand
        for place, hand in enumerate(order)
        if table.rules.side_of(hand.seat) == side
        and (place in deal.skipped if place < deal.counted else not is_count_known(table, deal, hand))
    )


def has_minimum(table: Table, deal: Deal, side: int) -> bool:
    """Whether a hand of the side was counted without a suit that could add points."""
    order = table.rules.show_order(deal.dealer, deal.owner)
    return any(table.rules.side_of(order[place].seat) == side for place in deal.minimums)


def has_counted(table: Table, deal: Deal, side: int) -> bool:
    """Whether a hand of the side was counted or skipped: the time to peg its points of the play is over."""
    order = table.rules.show_order(deal.dealer, deal.owner)
    return any(table.rules.side_of(hand.seat) == side for hand in order[: deal.counted])


def is_play_known(deal: Deal) -> bool:
    """Whether the cards of the play were entered to the last one."""
    return deal.play is not None and deal.play.turn is None


def is_count_known(table: Table, deal: Deal, hand: Showing) -> bool:
    """Whether the table can count this hand: all cards are known, and no unknown suit matters."""
    cards = known_cards(table, *hand)
    if not cards or deal.starter is None:
        return False
    return not count_is_minimum(cards, deal.starter, table.rules, is_crib=hand.is_crib, suits_were_asked=False)


def known_cards(table: Table, seat: Seat, is_crib: bool) -> tuple[Card, ...]:
    """All cards of the hand or crib, or none if any of them is unknown."""
    deal = table.deal
    if deal is None:
        return ()
    if is_crib:
        return deal.crib if len(deal.crib) == CRIB_SIZE else ()
    if kept := deal.kept[seat]:
        return kept
    # A hand that nobody entered is known once the play has shown it whole.
    played = deal.played(seat)
    return played if len(played) == table.rules.hand_size else ()
