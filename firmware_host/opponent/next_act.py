"""What the player of the program does next at a table: which of its seats acts, and how. Pure but for the engine's
randomness, which is an argument.

The engine gets a `PlayerView` of the seat and nothing else, so it cannot use a card that is hidden from the seat.

| phase      | what it does                                                                                   |
|------------|------------------------------------------------------------------------------------------------|
| cut        | cuts for the deal, for everybody                                                               |
| deal       | discards; turns up the starter where its seat cuts; people press Deal, so that they see the    |
|            | commitment before                                                                              |
| bid        | bids up to what a crib is worth, or passes                                                     |
| play       | plays a card or says go                                                                        |
| show       | counts its hand and crib aloud                                                                 |
| gather     | nothing: people begin the next deal                                                            |
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from msgspec import Struct

from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.options import MugginsMode
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands as c
from firmware_host.game.acting_seats import bidder
from firmware_host.game.auction import highest_bid, is_bidding
from firmware_host.game.known_scores import known_cards
from firmware_host.game.side import Mover
from firmware_host.game.state import Phase, Table
from firmware_host.strategy.engine import choose_card, choose_discard, worth_of_crib
from firmware_host.strategy.play_judge import HANDS
from firmware_host.strategy.table_view import view_of
from firmware_host.strategy.view import RandomSource

PAYS = {Level.BEGINNER: 0.5, Level.CLUB: 0.8, Level.EXPERT: 1.0}
"""The share of what the crib is worth up to which a player bids."""
CATCHES = {Level.BEGINNER: 0.0, Level.CLUB: 0.7, Level.EXPERT: 1.0}
"""Probability that a player notices points that somebody else missed."""
MISSES = {Level.BEGINNER: 0.12, Level.CLUB: 0.03, Level.EXPERT: 0.0}
"""Probability that a player takes fewer points than it has, where somebody else may claim the rest."""


class Pace(Enum):
    """How long an act takes, as a multiple of the pace of the settings."""

    CARD = 1.0
    PEG = 0.5
    COUNT = 1.5


class Act(Struct, frozen=True):
    """A command for a seat of the program."""

    command: c.Command
    pace: Pace = Pace.CARD


class NumberSource(RandomSource, Protocol):
    """The randomness of a player of the program: that of the engine, and whole numbers."""

    def randrange(self, start: int, /) -> int:
        """A whole number from 0 to below `start`."""


def next_act(table: Table, random: NumberSource, hands: int = HANDS) -> Act | None:
    """What the program does now; None: it waits for people, or for pegs. `hands`: how many the expert imagines."""
    if table.winner is not None or not table.opponents:
        return None
    if claim := claim_of(table, random):
        return claim
    match table.phase:
        case Phase.CUT:
            return Act(c.ChooseDealer(Seat(random.randrange(len(table.names)))))
        case Phase.DEAL | Phase.BID:
            return in_deal(table, random)
        case Phase.PLAY if table.to_play in table.opponents:
            return played(table, random, hands)
        case Phase.SHOW:
            return counted(table)
        case _:
            return None


def in_deal(table: Table, random: RandomSource) -> Act | None:
    """A discard, a bid or the starter."""
    deal = table.deal
    assert deal is not None
    if table.hand_to_read is not None:
        return None
    for seat in table.opponents:
        if deal.dealt[seat] and not deal.kept[seat]:
            return Act(c.DiscardCards(seat, choose_discard(view_of(table, seat), level_of(table, seat), random)))
    if table.rules.bidding and is_bidding(table, deal):
        seat_to_bid = bidder(table)
        return bid_of(table, seat_to_bid) if seat_to_bid in table.opponents else None
    if table.can_turn_starter and table.rules.pone(deal.dealer) in table.opponents:
        return Act(c.TurnStarter())
    return None


def bid_of(table: Table, seat: Seat | None) -> Act:
    """One point more than the highest bid, while the crib is worth that and the score allows it; else a pass."""
    assert table.deal is not None and seat is not None
    best = highest_bid(table.deal)
    price = best[1] + 1 if best else 1
    score = table.scores[table.rules.side_of(seat)]
    worth = worth_of_crib(view_of(table, seat)) * PAYS[level_of(table, seat)] if price <= score else 0.0
    can_pay = price <= min(worth, score)
    return Act(c.Bid(price if can_pay else None, seat))


def played(table: Table, random: RandomSource, hands: int) -> Act:
    """A card, or go."""
    seat = table.to_play
    assert seat is not None
    card = choose_card(view_of(table, seat), level_of(table, seat), random, hands)
    return Act(c.SayGo(seat) if card is None else c.PlayCard(card, seat))


def counted(table: Table) -> Act | None:
    """A count of its hand or crib, if that is next and all its cards are known: half of a crib comes from people."""
    if table.to_count is None or table.to_count.seat not in table.opponents or not known_cards(table, *table.to_count):
        return None
    return Act(c.CountHand(seat=table.to_count.seat, is_crib=table.to_count.is_crib), Pace.COUNT)


def claim_of(table: Table, random: RandomSource) -> Act | None:
    """A claim of points that another side missed; it saw the cards on the table, as everybody did."""
    if table.rules.muggins_mode is not MugginsMode.CLAIM:
        return None
    for miss in table.misses:
        for seat in table.opponents:
            side = table.rules.side_of(seat)
            if side in miss.claimers and side != miss.side and random.random() < CATCHES[level_of(table, seat)]:
                return Act(c.ClaimMuggins(side, miss.points), Pace.COUNT)
    return None


def points_taken(table: Table, side: int, random: RandomSource) -> int:
    """How many of the points that are due to its side the program moves: all, or fewer where others can claim them."""
    owed = table.owed[side]
    can_be_claimed = table.rules.muggins_mode in (MugginsMode.CLAIM, MugginsMode.AUTOMATIC)
    level = min((level_of(table, seat) for seat in table.opponents), key=list(Level).index)
    if can_be_claimed and owed > 1 and random.random() < MISSES[level]:
        return owed - 1 - int(random.random() * (owed - 1))
    return owed


def side_to_peg(table: Table) -> int | None:
    """The first side of the program alone that has points to move; None: there is none."""
    for side in range(len(table.sides)):
        if table.owed[side] and table.is_programs(side) and table.mover(side) is not Mover.TABLE:
            return side
    return None


def people_owe(table: Table) -> bool:
    """Whether a side with people in it has points to move: the program waits for them, as people do."""
    return any(table.owed[side] > 0 and not table.is_programs(side) for side in range(len(table.sides)))


def level_of(table: Table, seat: Seat) -> Level:
    """The level of a seat of the program."""
    level = table.levels[seat]
    assert level is not None
    return level
