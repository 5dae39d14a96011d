"""The review of a game in sentences: accuracy, the moments that decided it, and every choice. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from firmware_host.cribbage.cards import PIPS_OF, Card
from firmware_host.stats.moments import moments_of
from firmware_host.stats.result import GameResult, MissedPoints
from firmware_host.stats.review import GameReview, ReviewedChoice, ReviewedLoss, SeatReview, Verdict, seat_review
from firmware_host.ui.texts.messages import capitalized, with_suit_symbol
from firmware_host.ui.translator import Translator
from web_panel.json_type import Json
from web_panel.views.result import missed_what

WriteNumber = Callable[[float], str]
"""Writes points in the way of a language."""

ENOUGH_CHOICES = 10
CLEARLY_BETTER = 0.03
"""A player who chose so much more accurately, with so many choices, is named."""


class ReviewView:
    """Writes the review of one finished game. `number` writes points in the way of the language of `tr`."""

    def __init__(self, result: GameResult, review: GameReview, tr: Translator, number: WriteNumber) -> None:
        self.result = result
        self.review = review
        self.tr = tr
        self.number = number
        self.sums = [seat_review(review, seat) for seat in result.rules.seats]

    def better_player(self) -> str:
        """Who chose better, if that is clear; else empty."""
        known = [
            (sums.accuracy, name)
            for sums, name in zip(self.sums, self.result.names, strict=True)
            if sums.accuracy is not None and sums.choices >= ENOUGH_CHOICES
        ]
        best, *others = sorted(known, reverse=True) or [(0.0, "")]
        if not others or best[0] - others[0][0] < CLEARLY_BETTER:
            return ""
        return self.tr("{name} made the better choices.").format(name=best[1])

    def players(self) -> Iterator[Json]:
        """The players of whom anything is known."""
        for seat, sums in enumerate(self.sums):
            if sums.choices or sums.missed:
                yield {
                    "seat": seat,
                    "name": self.result.names[seat],
                    "accuracy": percent(sums.accuracy),
                    "lost": [*self._lost(sums)],
                }

    def _lost(self, sums: SeatReview) -> Iterator[tuple[str, str]]:
        if sums.choices:
            yield self.tr("Discards"), self._minus(sums.lost_by_discards)
            yield self.tr("Cards played"), self._minus(sums.lost_by_cards)
        yield self.tr("Points missed"), self._minus(sums.missed, str)

    def _minus(self, points: float, write: Callable[[int], str] | None = None) -> str:
        text = write(int(points)) if write else self.number(points)
        return f"−{text}" if round(points, 1) else text

    def moments(self) -> Iterator[Json]:
        """The moments that decided the game, in order."""
        for moment in moments_of(self.review):
            what = moment.what
            if isinstance(what, ReviewedChoice):
                whose = {True: self.tr("own crib"), False: self.tr("opponent’s crib"), None: ""}[what.owns_crib]
                yield {**self.choice(what), "where": self._place(what, whose if what.is_discard else "")}
            else:
                yield {**self.missed(self.result.missed[moment.place], what), "where": self._place(what)}

    def _place(self, what: ReviewedChoice | ReviewedLoss, whose: str = "") -> str:
        """The deal, whose crib it is, and the scores, the player's first."""
        deal = self.tr("Deal {number}").format(number=what.deal)
        side = self.result.rules.side_of(what.seat)
        others = [str(score) for each, score in enumerate(what.scores) if each != side]
        scores = f"{what.scores[side]} : {' : '.join(others)}"
        return " · ".join(part for part in (deal, whose, scores) if part)

    def deals(self) -> Iterator[Json]:
        """The deals in which something can be said."""
        for number in range(1, self.result.deals + 1):
            choices = [self.choice(choice) for choice in self.review.choices if choice.deal == number]
            missed = [self.missed(each) for each in self.result.missed if each.deal == number]
            if choices or missed:
                yield {"number": number, "choices": choices, "missed": missed}

    def choice(self, choice: ReviewedChoice) -> Json:
        """One discard or card, beside the best one."""
        is_best = choice.verdict is Verdict.BEST
        return {
            "seat": choice.seat,
            "name": self.result.names[choice.seat],
            "title": self._title(choice),
            "verdict": choice.verdict.value,
            "label": self._verdict(choice.verdict),
            "held": [(with_suit_symbol(card), _mark(card, choice)) for card in choice.held],
            "series": [with_suit_symbol(card) for card in choice.series],
            "chosen": self._cards(choice.chosen.cards),
            "best": "" if is_best else self._cards(choice.best.cards),
            "lost": "" if is_best else self._minus(choice.lost),
            "lost_win": "" if is_best or choice.lost_win is None else self._minus(100 * choice.lost_win),
            "text": "" if is_best else self._better(choice),
            **self._swing(choice.best.win, choice.chosen.win),
        }

    def _title(self, choice: ReviewedChoice) -> str:
        name = self.result.names[choice.seat]
        cards = self._cards(choice.chosen.cards)
        count = sum(PIPS_OF[card] for card in choice.series)
        if choice.is_discard:
            return self.tr("{name} discards {cards}").format(name=name, cards=cards)
        if not choice.chosen.cards:
            return self.tr("{name} says go at {count}").format(name=name, count=count)
        text = self.tr("{name} plays {card} on {count}") if count else self.tr("{name} leads {card}")
        return text.format(name=name, card=cards, count=count)

    def _better(self, choice: ReviewedChoice) -> str:
        cards = self._cards(choice.best.cards)
        if round(choice.lost, 1) == 0:
            return self.tr("Better: {cards}.").format(cards=cards)
        points = self.number(choice.lost)
        return self.tr("{cards} is better by {points} points on average.").format(cards=cards, points=points)

    def _cards(self, cards: Sequence[Card]) -> str:
        return " ".join(map(with_suit_symbol, cards)) or self.tr("Go")

    def _verdict(self, verdict: Verdict) -> str:
        labels = {
            Verdict.BEST: self.tr("best"),
            Verdict.GOOD: self.tr("good"),
            Verdict.INACCURATE: self.tr("inaccurate"),
            Verdict.MISTAKE: self.tr("mistake"),
        }
        return labels[verdict]

    def missed(self, missed: MissedPoints, loss: ReviewedLoss | None = None) -> Json:
        """Points that one player missed, and whether another side took them. `loss`: the chance to win that it cost."""
        tr = self.tr
        sentence = tr.counted("{name} missed {points} point.", "{name} missed {points} points.", missed.points)
        taken = tr.counted(
            "{points} point was taken by muggins.", "{points} points were taken by muggins.", missed.taken
        )
        cards = dict.fromkeys(card for score in missed.scores for card in score.cards)
        what = f"{capitalized(missed_what(missed, tr))}."
        return {
            "seat": missed.seat,
            "name": self.result.names[missed.seat],
            "title": sentence.format(name=self.result.names[missed.seat], points=missed.points),
            "held": [(with_suit_symbol(card), "") for card in cards],
            "text": f"{what} {taken.format(points=missed.taken)}" if missed.taken else what,
            **(self._swing(loss.win_with, loss.win_without) if loss else {}),
        }

    def _swing(self, before: float | None, after: float | None) -> Json:
        """The chance to win before and after, in whole percent; none where no table has it."""
        if before is None or after is None:
            return {"before": None, "after": None}
        return {"before": percent(before), "after": percent(after)}


def _mark(card: Card, choice: ReviewedChoice) -> str:
    """The class of a card that was chosen, or of one that is better."""
    if card in choice.chosen.cards:
        return "is-chosen"
    return "is-better" if card in choice.best.cards else ""


def percent(share: float | None) -> int | None:
    """The share in whole percent."""
    return None if share is None else round(100 * share)
