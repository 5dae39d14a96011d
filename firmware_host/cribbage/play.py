"""The play of one deal: the turn, the count, and the points of each card and go.

A Play knows how many cards each seat has left, never which ones. Callers who know a hand check a go with `may_go`.
Play is immutable: each card and each go returns a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from firmware_host.cribbage.cards import PIPS_OF, Card, no_duplicates
from firmware_host.cribbage.options import GoPoints, GoThreePlus, MustPlay, PlayExtent
from firmware_host.cribbage.rule_errors import FalseGo, OverThirtyOne, PlayIsOver
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.series import FULL_COUNT, can_play, scores_for

ANY_CARD_FITS_TO = FULL_COUNT - 10
"""Up to this count every card can be played."""


class Laid(NamedTuple):
    """A card that was played, and the seat that played it."""

    seat: Seat
    card: Card


class Tally(Struct, frozen=True):
    """Points that are due together, as one step: the target is tested after each."""

    seat: Seat
    scores: tuple[Score, ...]

    @property
    def points(self) -> int:
        """The sum of the scores, 1 or more."""
        return sum(score.points for score in self.scores)


class Play(Struct, frozen=True):
    """One moment of the play. `Play.begin` makes the first; `lay` and `go` act for the seat in `turn`."""

    rules: RuleSet
    turn: Seat | None
    """None: the play is over."""
    left: tuple[int, ...]
    """The number of cards not played yet, by seat."""
    series: tuple[Laid, ...] = ()
    """The current series; empty before its first card."""
    closed: tuple[tuple[Laid, ...], ...] = ()
    """The earlier series of this deal."""
    passed: frozenset[Seat] = frozenset()
    """The seats that have said go in this series."""
    go_was_last: bool = False
    """No card was played since the last go."""
    go_was_paid: bool = False
    """A card of this series scored for an opponent's go (`per_card_after_go`), so the last card does not score."""
    count: int = 0
    """The count of the current series, 0 to 31."""
    by_seat: tuple[tuple[Card, ...], ...] = ()
    """The cards that each seat has played in this deal, in order."""

    @classmethod
    def begin(cls, rules: RuleSet, leader: Seat, left: Sequence[int]) -> Play:
        """The start of the play. `left`: cards of each seat. A leader without cards is skipped."""
        return cls(rules, _first_able(rules.round_from(leader), left), tuple(left), by_seat=((),) * len(left))

    @property
    def is_over(self) -> bool:
        """Whether no seat is to play: all cards are played, or the only series is closed."""
        return self.turn is None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the current series, in order."""
        return tuple([card for _, card in self.series])

    @property
    def last_player(self) -> Seat | None:
        """The seat that played the latest card of the deal; None before the first."""
        series = self.series or (self.closed[-1] if self.closed else ())
        return series[-1].seat if series else None

    @property
    def laid(self) -> tuple[Laid, ...]:
        """Every card of the deal so far, in order."""
        return tuple(chain(*self.closed, self.series))

    def cards_of(self, seat: Seat) -> tuple[Card, ...]:
        """The cards that the seat has played in this deal, in order."""
        return self.by_seat[seat]

    def may_go(self, held: Iterable[Card]) -> bool:
        """Whether the seat in turn, holding these cards, may say go."""
        return self.may_pass or not can_play(held, self.count)

    @property
    def may_pass(self) -> bool:
        """Whether the seat in turn may say go with any cards: an opponent has, and the rules leave the choice then."""
        return self.rules.must_play is MustPlay.AFTER_GO_OPTIONAL and self._opponent_has_gone()

    def lay(self, card: Card) -> tuple[Play, tuple[Tally, ...]]:
        """The seat in turn plays a card: the play after it, and the points that are due.

        Raises OverThirtyOne, DuplicateCard, PlayIsOver.
        """
        self.check(card)
        play = self.follow(card)
        return play, self.points_of(card, play)

    def check(self, card: Card) -> None:
        """Raises OverThirtyOne, DuplicateCard or PlayIsOver unless the seat in turn may play the card."""
        self._seat_in_turn()
        room = FULL_COUNT - self.count
        if PIPS_OF[card] > room:
            raise OverThirtyOne(f"a card worth {room} or less, or go", str(card), f"count {self.count}", "take it back")
        no_duplicates([*chain(*self.by_seat), card])

    def follow(self, card: Card) -> Play:
        """The play after the seat in turn plays a card that was checked before."""
        rules = self.rules
        seat = self._seat_in_turn()
        left = list(self.left)
        by_seat = list(self.by_seat)
        count = self.count + PIPS_OF[card]
        left[seat] -= 1
        by_seat[seat] += (card,)
        series = (*self.series, Laid(seat, card))
        turn = None
        if count < FULL_COUNT:
            turn = _first_able(rules.round_after(seat), left, self.passed)
        if turn is None:
            return self._closed(series, tuple(left), tuple(by_seat))
        is_paid = self.go_was_paid or self._pays_after_go(card)
        return Play(
            rules,
            turn,
            tuple(left),
            series,
            self.closed,
            self.passed,
            go_was_paid=is_paid,
            count=count,
            by_seat=tuple(by_seat),
        )

    def points_of(self, card: Card, after: Play) -> tuple[Tally, ...]:
        """The points that are due when the seat in turn plays this card. `after` is the play after it."""
        scores = scores_for((*self.cards, card), self.rules)
        pays = self._pays_after_go(card)
        if pays:
            scores = (*scores, Score(ScoreKind.GO, 1, (card,)))
        seat = self._seat_in_turn()
        tallies = (Tally(seat, scores),) if scores else ()
        if after.series or self.count + PIPS_OF[card] == FULL_COUNT or self.go_was_paid or pays:
            return tallies
        return (*tallies, _last_card(Laid(seat, card)))

    def go(self) -> tuple[Play, tuple[Tally, ...]]:
        """The seat in turn says go: the play after it, and the points that are due.

        Raises FalseGo where every card could be played, PlayIsOver.
        """
        play = self.follow_go()
        return play, self.points_of_go(play)

    def follow_go(self) -> Play:
        """The play after the seat in turn says go. Raises FalseGo where every card could be played, PlayIsOver."""
        seat = self._seat_in_turn()
        if self.count <= ANY_CARD_FITS_TO:
            raise FalseGo("a card", "go", f"count {self.count}", f"up to {ANY_CARD_FITS_TO} every card fits")
        stops = self.go_was_last and self.rules.go_three_plus is GoThreePlus.STOP
        passed = self.passed | {seat}
        turn = None if stops else _first_able(self.rules.round_after(seat), self.left, passed)
        if turn is None:
            return self._closed(self.series, self.left, self.by_seat)
        return Play(
            self.rules,
            turn,
            self.left,
            self.series,
            self.closed,
            passed,
            go_was_last=True,
            go_was_paid=self.go_was_paid,
            count=self.count,
            by_seat=self.by_seat,
        )

    def points_of_go(self, after: Play) -> tuple[Tally, ...]:
        """The points that are due when the seat in turn says go. `after` is the play after it."""
        tallies = tuple(self._points_for_the_go_of(self._seat_in_turn()))
        return tallies if after.series or self.go_was_paid else (*tallies, _last_card(self.series[-1]))

    def _seat_in_turn(self) -> Seat:
        if self.turn is None:
            raise PlayIsOver("the show", "a card or a go", "play")
        return self.turn

    def _closed(self, series: tuple[Laid, ...], left: tuple[int, ...], by_seat: tuple[tuple[Card, ...], ...]) -> Play:
        """The play after this series is closed: the seat left of its last player leads the next one."""
        turn = None
        if self.rules.play_extent is PlayExtent.ALL_CARDS:
            turn = _first_able(self.rules.round_after(series[-1].seat), left)
        return Play(self.rules, turn, left, closed=(*self.closed, series), by_seat=by_seat)

    def _pays_after_go(self, card: Card) -> bool:
        if not self.passed or self.rules.go_points is not GoPoints.PER_CARD_AFTER_GO:
            return False
        return self._opponent_has_gone() and self.count + card.pips < FULL_COUNT

    def _opponent_has_gone(self) -> bool:
        return any(self.turn is not None and self.rules.are_opponents(self.turn, seat) for seat in self.passed)

    def _points_for_the_go_of(self, seat: Seat) -> Iterator[Tally]:
        """With `go_points=per_pass`: one point to each opposing side, for its first seat on the left."""
        if self.rules.go_points is not GoPoints.PER_PASS:
            return
        paid = {self.rules.side_of(seat)}
        for other in self.rules.round_from(seat):
            side = self.rules.side_of(other)
            if side not in paid:
                paid.add(side)
                yield Tally(other, (Score(ScoreKind.GO, 1),))


def _last_card(last: Laid) -> Tally:
    """The point for the last card of a series that stops short of 31."""
    return Tally(last.seat, (Score(ScoreKind.LAST_CARD, 1, (last.card,)),))


def _first_able(seats: Iterable[Seat], left: Sequence[int], passed: frozenset[Seat] = frozenset()) -> Seat | None:
    """The first of these seats that holds cards and has not said go."""
    for seat in seats:
        if left[seat] and seat not in passed:
            return seat
    return None
