"""The order of play: turns, gos, series, and who scores for the last card."""

from __future__ import annotations

from typing import NamedTuple

from tests.paper_rules.cards import Card, play_points
from tests.paper_rules.systems import Rules


class Refused(Exception):
    """The rules do not allow this; the argument is the name of the reason."""


class Scored(NamedTuple):
    """Points of the play for a seat."""

    seat: int
    points: int
    kind: str
    """`card`, `card and go`, `go`, or `last`."""


class Play:
    """One deal's play. `hands` are the kept cards by seat, or None where the table does not know them.

    With all hands known a seat that cannot play is passed over; otherwise it has to say go.
    """

    def __init__(self, rules: Rules, leader: int, hands: tuple[tuple[Card, ...], ...] | None) -> None:
        self.rules, self.hands = rules, [list(hand) for hand in hands] if hands else None
        self.left = [rules.hand] * rules.players
        self.series: tuple[Card, ...] = ()
        self.gone: tuple[int, ...] = ()
        self.goes_in_a_row = 0
        self.has_scored_after_go = False
        self.last: int | None = None
        self.turn: int | None = leader
        self.scored: list[Scored] = []
        self.said: list[tuple[int, int, int]] = []
        """Gos that seats said: seat, count, number of cards that it had played."""
        self.cards_played: frozenset[Card] = frozenset()

    def copy(self) -> Play:
        """A copy that shares nothing which changes."""
        twin = object.__new__(Play)
        twin.__dict__ = dict(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands] if self.hands else None
        twin.left, twin.scored, twin.said = list(self.left), list(self.scored), list(self.said)
        return twin

    @property
    def count(self) -> int:
        """The sum of pips of this series."""
        return sum(one.pips for one in self.series)

    @property
    def is_over(self) -> bool:
        """Whether no more cards are played in this deal."""
        return self.turn is None

    def legal(self, seat: int) -> list[Card]:
        """The known cards that the seat could play now."""
        return [one for one in self.hands[seat] if self.count + one.pips <= 31] if self.hands else []

    def card(self, seat: int, played: Card) -> list[Scored]:
        """The seat plays a card. Returns what is scored, in order."""
        if self.turn is None:
            raise Refused("wrong_phase")
        if seat != self.turn:
            raise Refused("out_of_turn")
        if self.hands and played not in self.hands[seat]:
            raise Refused("card_not_in_hand")
        if self.count + played.pips > 31:
            raise Refused("over_31")
        self.scored = []
        self.series = (*self.series, played)
        self.cards_played |= {played}
        self.left[seat] -= 1
        if self.hands:
            self.hands[seat].remove(played)
        self.last, self.goes_in_a_row = seat, 0
        points = play_points(self.series, flush_counts=self.rules.play_flush == "three_up")
        after_go = any(self.rules.side_of(gone) != self.rules.side_of(seat) for gone in self.gone)
        is_for_go = self.rules.go_points == "per_card_after_go" and after_go and self.count < 31
        self.has_scored_after_go = self.has_scored_after_go or is_for_go
        self._score(seat, points + is_for_go, "card and go" if is_for_go else "card")
        if self.count == 31:
            self._close(points=0)
        else:
            self._pass_on(seat)
        return self.scored

    def go(self, seat: int) -> list[Scored]:
        """The seat in turn says go. Raises Refused for a false go."""
        if seat != self.turn:
            raise Refused("out_of_turn")
        if self.legal(seat) and not self.may_pass(seat):
            raise Refused("false_go")
        self.scored = []
        self.said.append((seat, self.count, self.rules.hand - self.left[seat]))
        self._gone(seat)
        self._pass_on(seat)
        return self.scored

    def may_pass(self, seat: int) -> bool:
        """Whether the seat may say go although it could play."""
        opponents = (gone for gone in self.gone if self.rules.side_of(gone) != self.rules.side_of(seat))
        return self.rules.must_play == "after_go_optional" and any(True for _ in opponents)

    def _gone(self, seat: int) -> None:
        self.gone = (*self.gone, seat)
        self.goes_in_a_row += 1
        if self.rules.go_points == "per_pass":
            paid = {self.rules.side_of(seat)}
            for other in (self.rules.left(seat, steps) for steps in range(1, self.rules.players)):
                if self.rules.side_of(other) not in paid:
                    paid.add(self.rules.side_of(other))
                    self._score(other, 1, "go")

    def _score(self, seat: int, points: int, kind: str) -> None:
        if points:
            self.scored.append(Scored(seat, points, kind))

    def _pass_on(self, seat: int) -> None:
        """Finds whose turn it is after `seat` acted; closes the series if it is nobody's."""
        while True:
            able = [other for other in range(self.rules.players) if self.left[other] and other not in self.gone]
            is_stopped = self.rules.go_three_plus == "stop" and self.goes_in_a_row >= 2
            if not able or is_stopped:
                self._close(points=1)
                return
            seat = min(able, key=lambda other: (self.rules.distance(seat, other) - 1) % self.rules.players)
            if not self.hands or self.legal(seat):
                self.turn = seat
                return
            self._gone(seat)

    def _close(self, points: int) -> None:
        assert self.last is not None
        if points and not self.has_scored_after_go:
            self._score(self.last, points, "last")
        self.series, self.gone, self.goes_in_a_row, self.has_scored_after_go = (), (), 0, False
        order = [self.rules.left(self.last, steps) for steps in range(1, self.rules.players + 1)]
        holders = [seat for seat in order if self.left[seat]]
        self.turn = holders[0] if holders and self.rules.play_extent == "all_cards" else None
