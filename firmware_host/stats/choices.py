"""The choices of a game that can be judged: each discard and each card of the play, with what its player saw.

The board has to know the cards of the player with their suits. Those of a discard are known where they were held on a
phone, or dealt by the program; those of the play also where the hand was entered later, at the show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from firmware_host.cribbage.cards import RANK_OF, Card, without
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.series import playable_cards
from firmware_host.game import events as e
from firmware_host.game.deal import Deal
from firmware_host.game.decision import Decision
from firmware_host.game.state import Table
from firmware_host.storage.game_summary import Events, effective_turns
from firmware_host.strategy.table_view import view_of
from firmware_host.strategy.view import PlayerView


class Choice(Struct, frozen=True):
    """One discard or card of a player who had a choice."""

    deal: int
    """Number of the deal, from 1."""
    view: PlayerView
    """What the player saw. The scores are what each side had earned, whether or not its peg had moved."""
    chosen: tuple[Card, ...]
    """The cards given to the crib, or the card played; empty: a go."""

    @property
    def is_discard(self) -> bool:
        """Whether it is a discard."""
        return self.view.starter is None


class Loss(Struct, frozen=True):
    """Points that a side missed and lost."""

    deal: int
    seat: Seat
    points: int
    table: Table
    """After the loss."""
    taken: int = 0
    """How many of them another side took by muggins."""


class ChoicesOfGame(Struct, frozen=True):
    """What can be judged of a game, in order."""

    choices: tuple[Choice, ...]
    losses: tuple[Loss, ...]


class _Fold(Struct):
    decision: Decision
    choices: list[Choice] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    of_deal: list[Choice] = field(default_factory=list)
    """The choices of this deal; those of the play still without cards in hand."""

    def read(self, event: e.Event) -> None:
        table = self.decision.table
        match event:
            case e.DealBegan():
                self.end_deal()
            case e.StarterCut():
                self.of_deal += _discards(table)
            case e.CardPlayed():
                self.take(event.seat, (event.card,))
            case e.GoSaid():
                self.take(event.seat, ())
        self.decision.apply(event)
        if isinstance(event, e.PointsMissed) and event.is_lost:
            number = table.deal.number if table.deal else 0
            self.losses.append(Loss(number, event.seat, event.points, self.decision.table))
        if isinstance(event, e.MugginsTaken) and self.losses:
            self.losses[-1] = replace(self.losses[-1], taken=self.losses[-1].taken + event.points)

    def take(self, seat: Seat, chosen: tuple[Card, ...]) -> None:
        table = self.decision.table
        if table.deal and table.deal.starter and table.going_out is None:
            view = replace(view_of(table, seat), scores=_earned(table))
            self.of_deal.append(Choice(table.deal.number, view, chosen))

    def end_deal(self) -> None:
        """Give each choice of the play the hand, which may have been entered at the show only."""
        deal = self.decision.table.deal
        for choice in self.of_deal:
            if choice.is_discard:
                self.choices.append(choice)
            elif deal and (hand := _held(choice.view, deal)):
                self.choices.append(replace(choice, view=replace(choice.view, hand=hand)))
        self.of_deal = []


def choices_of(turns: Iterable[Events]) -> ChoicesOfGame:
    """The choices and losses of a game from its turns, in order; undone turns do not count. The first event is
    GameStarted."""
    (first, *rest), *later = effective_turns(turns)
    decision = Decision(None)
    decision.apply(first)
    fold = _Fold(decision)
    for event in chain(rest, *later):
        fold.read(event)
    fold.end_deal()
    return ChoicesOfGame(tuple(filter(_is_choice, fold.choices)), tuple(fold.losses))


def _earned(table: Table) -> tuple[int, ...]:
    return tuple(min(side.goal_hole, side.target - 1) for side in table.sides)


def _discards(table: Table) -> Iterable[Choice]:
    """The discards of the seats whose dealt cards are known."""
    deal = table.deal
    rules = table.rules
    if deal is None or table.going_out is not None:
        return
    for seat in rules.seats:
        dealt = deal.dealt[seat]
        discarded = deal.discarded[seat]
        if _are_known(dealt, rules.cards_dealt(seat, deal.dealer)) and _are_known(
            discarded, rules.cards_discarded(seat, deal.dealer)
        ):
            view = replace(view_of(table, seat), hand=dealt, discarded=(), starter=None, acts=(), scores=_earned(table))
            yield Choice(deal.number, view, discarded)


def _held(view: PlayerView, deal: Deal) -> tuple[Card, ...]:
    """The cards that the player of the view held; empty where a card that the engine needs is unknown."""
    kept = deal.kept[view.seat]
    played = view.played_by(view.seat)
    open_cards = [view.starter, *(card for _, card in view.acts)]
    if not _are_known(kept, view.rules.hand_size) or not set(played) <= set(kept):
        return ()
    if any(card is not None and card.suit is None for card in open_cards):
        return ()
    return without(kept, played)


def _are_known(cards: Sequence[Card], number: int) -> bool:
    return number > 0 and len(cards) == number and all(card.suit is not None for card in cards)


def _is_choice(choice: Choice) -> bool:
    """Whether there was something to choose: cards of two ranks that fit, or a go that was left open."""
    if choice.is_discard:
        return True
    play = choice.view.play()
    fits = playable_cards(choice.view.hand, play.count)
    ways = {RANK_OF[card] for card in fits}
    return len(ways) + (bool(fits) and play.may_go(choice.view.hand)) > 1
