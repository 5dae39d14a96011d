"""Duplicate games of two sides: each sequence of packs is played twice, with the seats exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple, Protocol

from firmware_host.cribbage.cards import JACK, PACK, Card
from firmware_host.cribbage.last_holes import withheld_by
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.series import can_play
from firmware_host.cribbage.show import flush_needs_starter
from firmware_host.cribbage.totals import show_total
from firmware_host.strategy.view import Act, PlayerView


class Player(Protocol):
    """Somebody who plays by a view. Players have no memory of earlier calls."""

    def discard(self, view: PlayerView) -> Sequence[Card]: ...
    def card(self, view: PlayerView) -> Card | None: ...


class Result(NamedTuple):
    """One game: the winning side, and the final score of each side."""

    winner: int
    scores: tuple[int, ...]


class _Won(Exception):
    """A side reached the target."""


class Game:
    """One game from a sequence of packs. `players`: by seat."""

    def __init__(
        self,
        players: Sequence[Player],
        rules: RuleSet,
        packs: Iterator[list[Card]],
        dealer: Seat,
        scores: Sequence[int] = (),
    ) -> None:
        self.players = players
        self.rules = rules
        self.packs = packs
        self.dealer = dealer
        self.scores = list(scores) or [0] * len(rules.sides)

    def score(self, seat: Seat, points: int) -> None:
        side = self.rules.side_of(seat)
        self.scores[side] += points
        if self.scores[side] >= self.rules.target:
            raise _Won

    def peg(self, seat: Seat, kind: ScoreKind, points: int) -> None:
        """Points of starter or play, which do not always count near the game hole."""
        side = self.rules.side_of(seat)
        if not withheld_by(self.rules, side, self.scores[side], kind):
            self.score(seat, points)

    def play(self) -> Result:
        try:
            while True:
                self.play_deal()
        except _Won:
            return Result(max(range(len(self.scores)), key=self.scores.__getitem__), tuple(self.scores))

    def play_deal(self) -> None:
        rules, dealer, pack = self.rules, self.dealer, next(self.packs)
        hands, gone = dict[Seat, tuple[Card, ...]](), dict[Seat, tuple[Card, ...]]()
        for seat in rules.round_from(rules.pone(dealer)):
            hands[seat] = tuple(pack.pop() for _ in range(rules.cards_dealt(seat, dealer)))
            if rules.cards_discarded(seat, dealer):
                gone[seat] = tuple(self.players[seat].discard(self.view(seat, hands[seat])))
                hands[seat] = tuple(card for card in hands[seat] if card not in gone[seat])
        crib = [*(card for cards in gone.values() for card in cards), *(pack.pop() for _ in range(rules.from_stock))]
        starter = pack.pop()
        crib += [pack.pop() for _ in range(4 - len(crib))]
        if starter.rank == JACK:
            self.peg(dealer, ScoreKind.HIS_HEELS, 2)
        self.play_cards(hands, gone, starter)
        for showing in rules.show_order(dealer):
            if showing.is_crib:
                total = show_total(crib, starter, True, not flush_needs_starter(rules, True))
            else:
                total = show_total(hands[showing.seat], starter)
            self.score(showing.seat, total)
        self.dealer = rules.next_dealer(dealer)

    def play_cards(
        self, hands: dict[Seat, tuple[Card, ...]], gone: dict[Seat, tuple[Card, ...]], starter: Card
    ) -> None:
        rules = self.rules
        left = {seat: list(cards) for seat, cards in hands.items()}
        play, acts = Play.begin(rules, rules.pone(self.dealer), [rules.hand_size] * rules.players), list[Act]()
        while play.turn is not None:
            seat = play.turn
            card = None
            if can_play(left[seat], play.count):
                view = self.view(seat, tuple(left[seat]), gone.get(seat, ()), starter, tuple(acts))
                card = self.players[seat].card(view)
            if card is None:
                play, tallies = play.go()
            else:
                play, tallies = play.lay(card)
                left[seat].remove(card)
            acts.append((seat, card))
            for tally in tallies:
                for score in tally.scores:
                    self.peg(tally.seat, score.kind, score.points)

    def view(
        self,
        seat: Seat,
        hand: tuple[Card, ...],
        discarded: tuple[Card, ...] = (),
        starter: Card | None = None,
        acts: tuple[Act, ...] = (),
    ) -> PlayerView:
        """What the seat sees."""
        return PlayerView(
            rules=self.rules,
            seat=seat,
            dealer=self.dealer,
            scores=tuple(self.scores),
            hand=hand,
            discarded=discarded,
            starter=starter,
            acts=acts,
        )


def packs_of(seed: int) -> Iterator[list[Card]]:
    """Shuffled packs."""
    random = Random(seed)
    while True:
        yield random.sample(PACK, len(PACK))


class Match(NamedTuple):
    """The share of games that the first player won, its standard error, and the mean lead in points."""

    won: float
    error: float
    lead: float
    games: int

    def __str__(self) -> str:
        return f"{100 * self.won:.1f} % +- {100 * self.error:.1f} of {self.games} games, lead {self.lead:+.2f}"


def match(first: Player, second: Player, rules: RuleSet, pairs: int, seed: int = 0) -> Match:
    """`pairs` times two games of two sides, from the same packs with the seats exchanged; the dealers alternate."""
    shares, leads = list[float](), list[float]()
    for number in range(pairs):
        dealer, wins = Seat(number % rules.players), 0
        for side in range(2):
            players = [first if rules.side_of(seat) == side else second for seat in rules.seats]
            result = Game(players, rules, packs_of(1_000_003 * seed + number), dealer).play()
            wins += result.winner == side
            leads.append(result.scores[side] - result.scores[1 - side])
        shares.append(wins / 2)
    mean = sum(shares) / pairs
    spread = sum((share - mean) ** 2 for share in shares) / max(1, pairs - 1)
    return Match(mean, sqrt(spread / pairs), sum(leads) / len(leads), 2 * pairs)
