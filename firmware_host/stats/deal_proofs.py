"""The proofs of the packs that the program dealt in a game: what was committed to, and whether the cards follow.

A pack is secret as long as its deal is on or undo can go back into it: until the next pack is shuffled, or the game is
won and another one was begun. The last deal of a game is never shown if the game was given up, or ended while somebody
held cards (hidden_hands.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.game import events as e
from firmware_host.game.hidden_hands import without_hidden_cards
from firmware_host.game.pack import Pack, deal_from
from firmware_host.storage.game_summary import Events, effective_turns


class DealProof(Struct, frozen=True):
    """One pack of a game."""

    deal: int
    """Number of the deal among those that the program dealt, from 1."""
    dealer: Seat
    pack: Pack
    commitment: str
    """What everybody saw before the deal."""
    is_kept: bool
    """Whether `commitment` is that of the pack."""
    is_followed: bool
    """Whether every hand, the cards of the stock and the starter are those that the pack deals."""

    @property
    def holds(self) -> bool:
        """Whether the deal was as it was committed to."""
        return self.is_kept and self.is_followed


class _Dealt(Struct):
    """What a game says about one pack."""

    dealer: Seat
    shuffled: e.PackShuffled
    hands: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    stock: tuple[Card, ...] = ()
    starter: Card | None = None


def proofs_of(turns: Iterable[Events], *, is_past: bool) -> tuple[DealProof, ...]:
    """The proofs that may be shown, oldest first. `turns`: of one game, undone ones too; `is_past`: another game was
    begun after it, so that nothing of it can be undone. Before that the last pack of a game that is over is proved only
    if it was dealt and every hand was shown."""
    events = [event for turn in effective_turns(without_hidden_cards(tuple(turns))) for event in turn]
    rules = next((event.rules for event in events if isinstance(event, e.GameStarted)), None)
    if rules is None:
        return ()
    dealt = _dealt_in(events)
    is_over = any(isinstance(event, e.GameWon) for event in events)
    shown = dealt if is_over and (is_past or (dealt and dealt[-1].hands)) else dealt[:-1]
    return tuple(_proof_of(number, each, rules) for number, each in enumerate(shown, 1) if each.shuffled.order)


def _dealt_in(events: Iterable[e.Event]) -> list[_Dealt]:
    found = list[_Dealt]()
    dealer = Seat(0)
    for event in events:
        match event:
            case e.DealBegan():
                dealer = event.dealer
            case e.PackShuffled():
                found.append(_Dealt(dealer, event))
            case e.HandDealt() if found:
                found[-1].hands[event.seat] = event.cards
            case e.CribFilled() if found:
                found[-1].stock = event.cards
            case e.StarterCut() if found:
                found[-1].starter = event.card
    return found


def _proof_of(number: int, dealt: _Dealt, rules: RuleSet) -> DealProof:
    pack = Pack(dealt.shuffled.order, dealt.shuffled.nonce)
    is_kept = pack.commitment == dealt.shuffled.commitment
    return DealProof(number, dealt.dealer, pack, dealt.shuffled.commitment, is_kept, _follows(dealt, rules))


def _follows(dealt: _Dealt, rules: RuleSet) -> bool:
    """Whether what was dealt is what the order deals; a pack that was never dealt follows, too."""
    due = deal_from(dealt.shuffled.order, rules, dealt.dealer)
    if not dealt.hands:
        return True
    hands = tuple(dealt.hands.get(seat, ()) for seat in rules.seats)
    return (hands, dealt.stock) == (due.hands, due.stock) and dealt.starter in (None, due.starter)
