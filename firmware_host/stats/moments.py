"""The moments that decided a game: the choices and the missed points that cost most."""

from __future__ import annotations

from msgspec import Struct

from firmware_host.stats.review import GOOD_POINTS, GOOD_WIN, GameReview, ReviewedChoice, ReviewedLoss

MOMENTS = 3


class Moment(Struct, frozen=True):
    """One of them: a choice, or points that were missed."""

    what: ReviewedChoice | ReviewedLoss
    place: int
    """The place among all choices of the game, or among all points that were missed, from 0."""

    @property
    def cost(self) -> float:
        """The chance to win that it cost; points where no table has the chance."""
        win = self.what.lost_win
        if win is not None:
            return win
        return self.what.lost if isinstance(self.what, ReviewedChoice) else self.what.points


def moments_of(review: GameReview) -> tuple[Moment, ...]:
    """Up to three moments, in the order of the game. What cost hardly anything decided nothing."""
    found = [Moment(choice, place) for place, choice in enumerate(review.choices)]
    found += [Moment(loss, place) for place, loss in enumerate(review.losses)]
    dear = [moment for moment in found if moment.cost > _hardly_anything(moment)]
    most = sorted(dear, key=lambda moment: -moment.cost)[:MOMENTS]
    return tuple(
        sorted(most, key=lambda moment: (moment.what.deal, isinstance(moment.what, ReviewedLoss), moment.place))
    )


def _hardly_anything(moment: Moment) -> float:
    return GOOD_POINTS if moment.what.lost_win is None else GOOD_WIN
