"""The review of one past game as text or as JSON records."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.cli.game_tables import game_heading
from firmware_host.cli.jsonl import Record
from firmware_host.cli.text_table import text_table
from firmware_host.stats.moments import moments_of
from firmware_host.stats.review import GameReview, ReviewedChoice, ReviewedLoss, SeatReview, seat_review
from firmware_host.storage.game_summary import GameSummary

PLAYERS = ("player", "accuracy", "choices", "lost by discards", "lost by cards", "missed")
CHOICES = ("deal", "player", "held", "chosen", "better", "verdict", "points", "win")


def review_in_words(game: GameSummary, review: GameReview) -> Iterator[str]:
    """A heading, the players, the moments that decided the game, and a row for each choice."""
    yield game_heading(game)
    if not review.choices and not review.losses:
        yield "nothing can be judged: the board did not know the cards"
        return
    yield ""
    yield from text_table([PLAYERS, *(_player(game, seat, sums) for seat, sums in _players(game, review))], 1)
    if moments := moments_of(review):
        yield ""
        yield "Moments that decided it:"
        yield from (f"  {number}. {_moment(game, each.what)}" for number, each in enumerate(moments, start=1))
    if review.choices:
        yield ""
        yield from text_table([CHOICES, *(_choice(game, choice) for choice in review.choices)], 6)
    for loss in review.losses:
        yield f"Deal {loss.deal}: {game.names[loss.seat]} missed {_points(loss.points)}"


def _players(game: GameSummary, review: GameReview) -> Iterator[tuple[int, SeatReview]]:
    for seat in game.rules.seats:
        sums = seat_review(review, seat)
        if sums.choices or sums.missed:
            yield seat, sums


def _player(game: GameSummary, seat: int, sums: SeatReview) -> tuple[str, ...]:
    accuracy = "" if sums.accuracy is None else f"{sums.accuracy:.0%}"
    lost = f"{sums.lost_by_discards:.1f}", f"{sums.lost_by_cards:.1f}"
    return game.names[seat], accuracy, str(sums.choices), *lost, str(sums.missed)


def _choice(game: GameSummary, choice: ReviewedChoice) -> tuple[str, ...]:
    is_best = choice.chosen == choice.best
    win = "" if is_best or choice.lost_win is None else _minus(f"{choice.lost_win:.1%}")
    return (
        str(choice.deal),
        game.names[choice.seat],
        _texts(choice.held),
        _texts(choice.chosen.cards),
        "" if is_best else _texts(choice.best.cards),
        choice.verdict.value,
        "" if is_best else _minus(f"{choice.lost:.2f}"),
        win,
    )


def _minus(loss: str) -> str:
    """The text of a loss with its sign; zero has none."""
    return f"-{loss}" if loss.strip("0.%") else loss


def _moment(game: GameSummary, what: ReviewedChoice | ReviewedLoss) -> str:
    name = game.names[what.seat]
    where = f"deal {what.deal}, {'-'.join(map(str, what.scores))}"
    if isinstance(what, ReviewedLoss):
        return f"{name} missed {_points(what.points)} ({where}){_swing(what.win_with, what.win_without)}"
    verb = "discards" if what.is_discard else "plays"
    after = f" after {_texts(what.series)}" if what.series else ""
    better = f"better {_texts(what.best.cards)}, {what.lost:.1f} points more"
    swing = _swing(what.best.win, what.chosen.win)
    return f"{name} {verb} {_texts(what.chosen.cards)}{after} ({where}); {better}{swing}"


def _swing(before: float | None, after: float | None) -> str:
    return "" if before is None or after is None else f"; chance to win {before:.0%} -> {after:.0%}"


def _points(points: int) -> str:
    return f"{points} point{'s' * (points != 1)}"


def _texts(cards: tuple[object, ...]) -> str:
    return " ".join(map(str, cards)) or "go"


def review_records(game: GameSummary, review: GameReview) -> Iterator[Record]:
    """One object for each choice and each missed points, in order, then one for each player."""
    moments = {id(moment.what): number for number, moment in enumerate(moments_of(review), start=1)}
    for choice in review.choices:
        yield {**_choice_record(game, choice), "moment": moments.get(id(choice))}
    for loss in review.losses:
        yield {**_loss_record(game, loss), "moment": moments.get(id(loss))}
    for seat, sums in _players(game, review):
        yield {
            "kind": "player",
            **_who(game, seat),
            "choices": sums.choices,
            "accuracy": None if sums.accuracy is None else round(sums.accuracy, 4),
            "lost_by_discards": round(sums.lost_by_discards, 4),
            "lost_by_cards": round(sums.lost_by_cards, 4),
            "missed": sums.missed,
        }


def _choice_record(game: GameSummary, choice: ReviewedChoice) -> Record:
    return {
        "kind": "discard" if choice.is_discard else "play",
        **_who(game, choice.seat),
        "deal": choice.deal,
        "scores": list(choice.scores),
        "crib": None if choice.owns_crib is None else "own" if choice.owns_crib else "theirs",
        "held": [str(card) for card in choice.held],
        "series": [str(card) for card in choice.series],
        "chosen": [str(card) for card in choice.chosen.cards],
        "best": [str(card) for card in choice.best.cards],
        "points": choice.chosen.points,
        "best_points": choice.best.points,
        "lost": choice.lost,
        "win": choice.chosen.win,
        "best_win": choice.best.win,
        "lost_win": choice.lost_win,
        "verdict": choice.verdict.value,
    }


def _loss_record(game: GameSummary, loss: ReviewedLoss) -> Record:
    return {
        "kind": "missed",
        **_who(game, loss.seat),
        "deal": loss.deal,
        "scores": list(loss.scores),
        "points": loss.points,
        "win": loss.win_without,
        "best_win": loss.win_with,
        "lost_win": loss.lost_win,
    }


def _who(game: GameSummary, seat: int) -> Record:
    return {"game": game.game, "seat": seat, "name": game.names[seat]}
