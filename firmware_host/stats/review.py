"""The review of a finished game: each discard and each card of the play beside the best one, and each point missed.

The engine (`strategy`) judges with what the player saw, and by the score at that moment: by the chance to win the game
where a table has it, by expected points elsewhere. Points of a discard are those of the hand, of the play, and of the
crib if the others discard as sensible players do; points of a card are those of the rest of the play. What a choice
lost is the difference to the engine's first choice.

| verdict    | chance to win lost | points lost, where no table has the chance |
|------------|--------------------|--------------------------------------------|
| BEST       | 0                  | 0                                          |
| GOOD       | 0.5 % at most      | 0.2 at most                                |
| INACCURATE | 3 % at most        | 1.2 at most                                |
| MISTAKE    | more               | more                                       |

The accuracy of a player is the share of choices that are BEST or GOOD.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from random import Random

from msgspec import Struct
from msgspec.json import Decoder, Encoder

from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.stats.choices import Choice, Loss, choices_of
from firmware_host.storage.game_summary import Events
from firmware_host.strategy.engine import judged_discards
from firmware_host.strategy.play_judge import judge_cards
from firmware_host.strategy.view import PlayerView
from firmware_host.strategy.win_chance import chances_for

GOOD_WIN = 0.005
INACCURATE_WIN = 0.03
"""The chance to win that a good, or an inaccurate choice may lose."""
GOOD_POINTS = 0.2
INACCURATE_POINTS = 1.2
"""The same in points: far from the end a point is worth some 2.5 %."""
DIGITS = 4

Pause = Callable[[], object]
"""Called after each choice that was judged, so that a long review leaves time to others."""


class Verdict(Enum):
    """How good a choice was."""

    BEST = "best"
    GOOD = "good"
    INACCURATE = "inaccurate"
    MISTAKE = "mistake"


class Worth(Struct, frozen=True, array_like=True):
    """Some cards, and what they are worth."""

    cards: tuple[Card, ...]
    """A discard of one card or two, or a card of the play; empty: a go."""
    points: float
    win: float | None
    """The chance to win, 0 to 1; None where no table has it."""


class ReviewedChoice(Struct, frozen=True, kw_only=True):
    """One discard or card of the play, beside the best one."""

    deal: int
    """Number of the deal, from 1."""
    seat: Seat
    is_discard: bool
    owns_crib: bool | None
    """Whether the crib belongs to the player's side; None before an auction."""
    scores: tuple[int, ...]
    """The score of each side before."""
    held: tuple[Card, ...]
    """The cards that the player could choose from."""
    series: tuple[Card, ...] = ()
    """The cards that count, before a card of the play."""
    chosen: Worth
    best: Worth
    is_lowball: bool = False

    @property
    def lost(self) -> float:
        """Points lost on average, from 0."""
        lost = self.chosen.points - self.best.points if self.is_lowball else self.best.points - self.chosen.points
        return max(0.0, round(lost, DIGITS))

    @property
    def lost_win(self) -> float | None:
        """The chance to win that was lost, from 0; None where no table has it."""
        if self.best.win is None or self.chosen.win is None:
            return None
        return max(0.0, round(self.best.win - self.chosen.win, DIGITS))

    @property
    def verdict(self) -> Verdict:
        """By the table above."""
        win = self.lost_win
        if not self.lost and not win:
            return Verdict.BEST
        if win is None:
            return _verdict(self.lost, GOOD_POINTS, INACCURATE_POINTS)
        return _verdict(win, GOOD_WIN, INACCURATE_WIN)

    @property
    def is_accurate(self) -> bool:
        """Whether it was the best choice, or hardly worse."""
        return self.verdict in (Verdict.BEST, Verdict.GOOD)


def _verdict(lost: float, good: float, inaccurate: float) -> Verdict:
    if lost <= good:
        return Verdict.GOOD
    return Verdict.INACCURATE if lost <= inaccurate else Verdict.MISTAKE


class ReviewedLoss(Struct, frozen=True):
    """Points that were missed, in the order in which they were lost."""

    deal: int
    seat: Seat
    points: int
    scores: tuple[int, ...]
    """The score of each side without them."""
    win_with: float | None
    """The chance to win with them, 0 to 1; None where no table has it."""
    win_without: float | None

    @property
    def lost_win(self) -> float | None:
        """The chance to win that was lost, from 0; None where no table has it."""
        if self.win_with is None or self.win_without is None:
            return None
        return max(0.0, round(self.win_with - self.win_without, DIGITS))


class GameReview(Struct, frozen=True):
    """All choices of a game that can be judged, and all points missed, each in order."""

    choices: tuple[ReviewedChoice, ...]
    losses: tuple[ReviewedLoss, ...]


class SeatReview(Struct, frozen=True, array_like=True):
    """The choices of one player, summed up."""

    choices: int = 0
    accurate: int = 0
    """How many were the best, or hardly worse."""
    lost_by_discards: float = 0.0
    """Points lost on average, all discards together."""
    lost_by_cards: float = 0.0
    """The same for the cards of the play."""
    missed: int = 0
    """Points that were due, and not pegged."""

    @property
    def accuracy(self) -> float | None:
        """The share of accurate choices, 0 to 1; None without choices."""
        return self.accurate / self.choices if self.choices else None


def review_of(turns: Iterable[Events], pause: Pause = lambda: None) -> GameReview:
    """The review of a game from its turns, in order. It takes a second or more: the engine judges each choice."""
    found = choices_of(turns)
    return GameReview(tuple(_reviewed(found.choices, pause)), tuple(map(_reviewed_loss, found.losses)))


def _reviewed(choices: Iterable[Choice], pause: Pause) -> Iterator[ReviewedChoice]:
    for number, choice in enumerate(choices):
        try:
            judged = _judged(choice.view, Random(number))
        except Refusal:
            continue  # a play that was corrected by hand may be none that the rules know
        wanted = set(choice.chosen)
        chosen = next((worth for worth in judged if set(worth.cards) == wanted), None)
        if chosen is not None:
            yield _beside_the_best(choice, chosen, judged[0])
        pause()


def _judged(view: PlayerView, random: Random) -> list[Worth]:
    """Every choice, best first."""
    if view.starter is None:
        return [_worth(each.discarded, each.points, each.win) for each in judged_discards(view)]
    judged = judge_cards(view, random)
    return [_worth(() if each.card is None else (each.card,), each.points, each.win) for each in judged]


def _worth(cards: tuple[Card, ...], points: float, win: float | None) -> Worth:
    return Worth(cards, round(points, DIGITS), None if win is None else round(win, DIGITS))


def _beside_the_best(choice: Choice, chosen: Worth, best: Worth) -> ReviewedChoice:
    """Where the chance to win is the same, as in a game that is decided, points lose nothing."""
    view = choice.view
    is_as_good = chosen.points == best.points if best.win is None else chosen.win == best.win
    return ReviewedChoice(
        deal=choice.deal,
        seat=view.seat,
        is_discard=choice.is_discard,
        owns_crib=None if choice.is_discard and view.rules.bidding else view.own_crib,
        scores=view.scores,
        held=tuple(sorted(view.hand)),
        series=() if choice.is_discard else tuple(view.play().cards),
        chosen=chosen,
        best=chosen if is_as_good else best,
        is_lowball=view.rules.lowball,
    )


def _reviewed_loss(loss: Loss) -> ReviewedLoss:
    table = loss.table
    side = table.rules.side_of(loss.seat)
    kept = tuple(score + loss.points * (each == side) for each, score in enumerate(table.scores))
    lost = tuple(score + loss.taken * (each != side) for each, score in enumerate(table.scores))
    return ReviewedLoss(loss.deal, loss.seat, loss.points, lost, _chance_after(loss, kept), _chance_after(loss, lost))


def _chance_after(loss: Loss, scores: Sequence[int]) -> float | None:
    """The chance of the seat's side with these scores at the end of the deal."""
    rules = loss.table.rules
    chances = chances_for(rules)
    if chances is None or loss.table.dealer is None:
        return None
    side = rules.side_of(loss.seat)
    own, other = (rules.target_of(each) - scores[each] for each in (side, 1 - side))
    deals_next = rules.side_of(rules.next_dealer(loss.table.dealer)) == side
    chance = chances.of_dealer if deals_next else chances.of_pone
    return round(chance(own, other), DIGITS)


def seat_review(review: GameReview, seat: Seat) -> SeatReview:
    """The choices of one player, summed up."""
    own = [choice for choice in review.choices if choice.seat == seat]
    return SeatReview(
        len(own),
        sum(choice.is_accurate for choice in own),
        sum(choice.lost for choice in own if choice.is_discard),
        sum(choice.lost for choice in own if not choice.is_discard),
        sum(loss.points for loss in review.losses if loss.seat == seat),
    )


def seat_reviews(review: GameReview) -> tuple[SeatReview, ...]:
    """The sums by seat, up to the last seat of which anything is known."""
    seats = [*(choice.seat for choice in review.choices), *(loss.seat for loss in review.losses)]
    return tuple(seat_review(review, Seat(seat)) for seat in range(max(seats, default=-1) + 1))


def encode(review: GameReview | tuple[SeatReview, ...]) -> str:
    """The review, or its sums by seat, as JSON."""
    return _ENCODER.encode(review).decode()


def decode(text: str) -> GameReview:
    """The inverse of `encode`. Raises msgspec.MsgspecError for any other text."""
    return _DECODER.decode(text)


def decode_seats(text: str) -> tuple[SeatReview, ...]:
    """The inverse of `encode` for sums by seat. Raises msgspec.MsgspecError for any other text."""
    return _SEATS_DECODER.decode(text)


def _read_card(kind: type, value: object) -> Card:
    if kind is not Card or not isinstance(value, str):
        raise NotImplementedError(kind)
    return parse_card(value)


_ENCODER = Encoder(enc_hook=str)
_DECODER = Decoder(GameReview, dec_hook=_read_card)
_SEATS_DECODER = Decoder(tuple[SeatReview, ...])
