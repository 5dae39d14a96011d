"""What a person may tell the table now: cards, prices, claims and corrections, each with what the page must ask for.

Rule: as with offers, an ask is advice. A card appears here only if it lies face up already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from firmware_host.cribbage.cards import Suit, card_of
from firmware_host.cribbage.options import MugginsMode, PlayFlush
from firmware_host.cribbage.rules import CRIB_SIZE
from firmware_host.table.auction import highest, next_bidder
from firmware_host.table.auction import is_on as is_auction_on
from firmware_host.table.entries import Asking, TypingHand
from firmware_host.table.hand_entry import ask_on, suit_a_jack
from firmware_host.table.showing import known_cards, the_show
from firmware_host.table.state import Phase, Table
from firmware_host.table.wording import pretty, whose_turn
from firmware_host.table.words import Words, as_written


class Kind(Enum):
    """What is typed."""

    RANK = "rank"
    """One card; its suit does not matter."""
    CARD = "card"
    """One card, and its suit if somebody saw it."""
    HAND = "hand"
    """Ranks, and then suits where they can matter."""
    POINTS = "points"
    SCORE = "score"
    """A side, its score, and the reason."""


@dataclass(frozen=True, slots=True)
class Ask:
    """`order` is its name on the wire, `body` what it says besides what is typed; `is_next`: the game waits for it."""

    order: str
    label: str
    kind: Kind
    is_next: bool = False
    body: Mapping[str, object] = field(default_factory=dict)
    cards: tuple[str, ...] = ()
    """A hand: those of its cards that were played already."""
    size: int = 1
    """How many cards make it whole."""
    least: int = 1
    """The lowest number that makes sense."""
    seats: tuple[int, ...] = ()
    """Whose word it is; anybody's where there are none."""


def asks(table: Table | None, _: Words = as_written) -> tuple[Ask, ...]:
    """What the game waits for comes first."""
    if table is None:
        return ()
    told = [] if table.phase is Phase.OVER else [*IN_PHASE[table.phase](table, _), *_claims(table, _)]
    return (*told, Ask("correct", _("Correct a score"), Kind.SCORE, least=0))


def _in_deal(table: Table, _: Words) -> Iterator[Ask]:
    assert table.deal is not None
    if is_auction_on(table, table.deal):
        yield from _in_bid(table, _)
    yield Ask("starter", _("The starter"), Kind.CARD, is_next=True)


def _in_bid(table: Table, _: Words) -> Iterator[Ask]:
    assert table.deal is not None
    best, seat = highest(table.deal), next_bidder(table, table.deal)
    label, least = _("{name} bids").format(name=table.names[seat]), best[1] + 1 if best else 1
    yield Ask("bid", label, Kind.POINTS, is_next=True, least=least, seats=(seat,))


def _in_play(table: Table, _: Words) -> Iterator[Ask]:
    if table.to_play is not None:
        kind = Kind.RANK if table.rules.play_flush is PlayFlush.OFF else Kind.CARD
        label = _("{name} plays").format(name=table.names[table.to_play])
        yield Ask("play", label, kind, is_next=True, seats=(table.to_play,))


def _in_show(table: Table, _: Words) -> Iterator[Ask]:
    assert table.deal is not None and table.to_count is not None
    seat, is_crib = table.to_count
    if table.deal.starter and not (is_crib and known_cards(table, seat, is_crib)):
        played = () if is_crib else tuple(map(str, table.deal.played(seat)))
        size = CRIB_SIZE if is_crib else table.rules.hand_size
        label = _("{whose}: the cards").format(whose=whose_turn(table, _))
        yield Ask("count", label, Kind.HAND, is_next=True, cards=played, size=size, seats=(seat,))


def _claims(table: Table, _: Words) -> Iterator[Ask]:
    if table.rules.muggins_mode is MugginsMode.CLAIM and table.deal is not None:
        for side in range(len(table.pegs)):
            label = _("{name} claims muggins").format(name=table.side_name(side))
            yield Ask("claim", label, Kind.POINTS, body={"side": side}, seats=table.rules.sides[side])


def _nothing(table: Table, _: Words) -> Iterator[Ask]:
    return iter(())


IN_PHASE: Mapping[Phase, Callable[[Table, Words], Iterator[Ask]]] = {
    Phase.CUT: _nothing,
    Phase.DEAL: _in_deal,
    Phase.BID: _in_bid,
    Phase.PLAY: _in_play,
    Phase.SHOW: _in_show,
    Phase.GATHER: _nothing,
}


def told_more(hand: TypingHand, suit: Suit | None, table: Table) -> TypingHand:
    """The hand to be counted next with one answer more, and the next question about it. Raises WrongPhase.

    `suit` answers a question about suits; None: not so, or not known.
    """
    the_show(table)
    cards = hand.cards
    if suit is not None and hand.asking is Asking.FLUSH:
        cards = tuple(card_of(card.rank, suit) for card in cards)
    if suit is not None and hand.asking is Asking.NOBS:
        cards = suit_a_jack(cards, suit)
    pressed = ask_on(TypingHand(cards, hand.asking), table)
    return pressed.entry if isinstance(pressed.entry, TypingHand) else TypingHand(cards, Asking.NOTHING)


def question(asking: Asking, table: Table, _: Words) -> str:
    """What is asked about the suits of a hand; empty when nothing is."""
    assert table.deal is not None
    if asking is Asking.FLUSH:
        return _("All of one suit?")
    if asking is Asking.NOBS and table.deal.starter:
        return _("Is the jack of {suit} among them?").format(suit=pretty(table.deal.starter)[-1])
    return ""
