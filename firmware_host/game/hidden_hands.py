"""The cards of a game that nobody has shown, and the game without them.

A deal can end while hands are held: by a misdeal, a correction to the game hole, a new game, or an undo. Nobody has
seen these cards, and the same players may go on with them. So whatever others can read of such a deal (backups,
reviews, proofs of packs) is made from `without_hidden_cards`.

| cards                    | shown as soon as                                                           |
|--------------------------|----------------------------------------------------------------------------|
| of a hand                | all of it was played, or it was counted                                    |
| of a discard             | the crib was counted, or every hand of the deal was shown                  |
| of a pack of the program | it shuffled another pack in this game, or every hand of the deal was shown |

What was undone later has been shown all the same, and what was entered and undone is hidden like the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from firmware_host.cribbage.cards import Card, without
from firmware_host.cribbage.rules import Seat
from firmware_host.game import events as e

Turns = Sequence[tuple[e.Event, ...]]


class ShownCards(Struct):
    """What was laid on the table in one deal."""

    hand_size: int
    seats: tuple[Seat, ...]
    played: defaultdict[Seat, set[Card]] = field(default_factory=lambda: defaultdict(set))
    counted: defaultdict[Seat, list[tuple[Card, ...]]] = field(default_factory=lambda: defaultdict(list))
    """The hands that were counted for a seat: more than one where a count was undone."""
    crib: tuple[Card, ...] = ()
    """As it was counted."""
    entered: list[e.HandDealt] = field(default_factory=list)
    is_dealt_again: bool = False
    """Whether the program shuffled another pack afterwards: then nobody holds these cards any more."""

    def read(self, event: e.Event) -> None:
        """Take one event of the deal."""
        match event:
            case e.CardPlayed():
                self.played[event.seat].add(event.card)
            case e.HandCounted(is_crib=True):
                self.crib = event.cards
            case e.HandCounted():
                self.counted[event.seat].append(event.cards)
            case e.HandDealt():
                self.entered.append(event)

    def shown(self, event: e.Event) -> e.Event:
        """The event without cards that were not shown."""
        if self.is_dealt_again or self.is_crib_alone_hidden:
            return event
        match event:
            case e.HandDealt():
                return replace(event, cards=self.shown_hand(event))
            case e.CardsDiscarded() | e.CribFilled() if without(event.cards, self.crib):
                return replace(event, cards=())
            case e.PackShuffled() if not self.is_whole:
                return replace(event, order=(), nonce="")
            case e.PackDealt() if not self.is_whole:
                return replace(event, shown_to=())
            case _:
                return event

    def shown_hand(self, dealt: e.HandDealt) -> tuple[Card, ...]:
        """All cards that were entered, if all were shown; else those that the seat kept, if these were; else none."""
        if self.is_shown(dealt.seat, without(dealt.cards, self.crib)):
            return dealt.cards
        for hand in (*self.counted[dealt.seat], tuple(self.played[dealt.seat])):
            kept = tuple(card for card in dealt.cards if card in hand)
            if self.is_shown(dealt.seat, kept):
                return kept
        return ()

    def is_shown(self, seat: Seat, kept: tuple[Card, ...]) -> bool:
        """Whether these cards are a whole hand of the seat that was played or counted. Of two equal cards, known by
        their rank alone, one may still be held: such a hand has to be counted."""
        if len(kept) != self.hand_size:
            return False
        is_played = len(set(kept)) == len(kept) and self.played[seat].issuperset(kept)
        return is_played or any(not without(kept, hand) for hand in self.counted[seat])

    @property
    def is_whole(self) -> bool:
        """Whether every hand of the deal was shown; a pack that was never dealt has none."""
        return all(self.shown_hand(each) for each in self.entered)

    @property
    def is_crib_alone_hidden(self) -> bool:
        """Whether every seat has shown its hand: then nobody holds a card, and the discards decide nothing more."""
        shown = {each.seat for each in self.entered} | {seat for seat, hands in self.counted.items() if hands}
        return self.is_whole and shown.issuperset(self.seats)


def without_hidden_cards(turns: Turns) -> list[tuple[e.Event, ...]]:
    """The turns of one game, undone ones too, without the cards that nobody has shown. Each event stays, and leads to
    the same scores; a pack that is hidden keeps its commitment alone."""
    deals = list(_deals_of(turns))
    packs = [deal for turn, of_turn in zip(turns, deals, strict=True) for deal in _with_new_pack(turn, of_turn)]
    for deal in packs[:-1]:
        deal.is_dealt_again = True
    return [
        tuple(deal.shown(event) for event, deal in zip(turn, of_turn, strict=True))
        for turn, of_turn in zip(turns, deals, strict=True)
    ]


def _with_new_pack(turn: tuple[e.Event, ...], of_turn: Sequence[ShownCards]) -> Iterator[ShownCards]:
    return (deal for event, deal in zip(turn, of_turn, strict=True) if isinstance(event, e.PackShuffled))


def _deals_of(turns: Turns) -> Iterator[list[ShownCards]]:
    """For each turn, the deal of each of its events: after an undo that of the turn before."""
    now = ShownCards(*_hands_of(turns))
    standing = [now]
    undone = list[ShownCards]()
    for turn in turns:
        of_turn = list[ShownCards]()
        now = standing[-1]
        for event in turn:
            if isinstance(event, e.DealBegan):
                now = ShownCards(now.hand_size, now.seats)
            now.read(event)
            of_turn.append(now)
        match turn:
            case (e.TurnUndone(),):
                undone.append(standing.pop())
            case (e.TurnRedone(),):
                standing.append(undone.pop())
            case _:
                standing.append(now)
                undone.clear()
        yield of_turn


def _hands_of(turns: Turns) -> tuple[int, tuple[Seat, ...]]:
    """The cards of a hand, and the seats."""
    started = (event.rules for turn in turns for event in turn if isinstance(event, e.GameStarted))
    return next(((rules.hand_size, tuple(rules.seats)) for rules in started), (0, ()))
