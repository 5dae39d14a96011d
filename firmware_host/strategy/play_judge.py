"""What each card of the play is worth, and the best one first: in points, and in chances to win."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from firmware_host.cribbage.cards import JACK, RANK_OF, Card
from firmware_host.cribbage.last_holes import highest_score_for
from firmware_host.cribbage.options import GoLimit, GoPoints, PlayExtent, PlayFlush, Stinkhole
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.ranks import rank_points
from firmware_host.cribbage.rules import RuleSet, Seat, Side
from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.series import playable_cards, scores_for
from firmware_host.cribbage.show import NOBS_OF
from firmware_host.cribbage.totals import show_total
from firmware_host.strategy.hidden_deals import Kind, discard_weights, rank_sets
from firmware_host.strategy.opponents_hand import full_hand, imagined_hands, unseen_ranks
from firmware_host.strategy.series_tree import node_after
from firmware_host.strategy.show_chances import Show, ShowChances
from firmware_host.strategy.table_search import Hands, Table, imagined_deals, lead_of
from firmware_host.strategy.two_player_search import NO_LIMITS, Imagined, Moment, PlayRules, PointLimits, Search
from firmware_host.strategy.view import PlayerView, RandomSource
from firmware_host.strategy.win_chance import WinChances, chances_for

HANDS = 150
"""Imagined hands of one opponent at most: a card takes some 20 ms with so many."""
LARGEST_HAND = 4
"""With more cards a quarter of the hands is imagined: five cards can be played in five times as many orders as four."""
DEALS = 60
"""Imagined deals to several others."""
NEAR = 45
"""A side that needs no more may win in this deal: then the chances after every end of the play are compared. Farther
from the end a point is worth the same all through the play."""
WIN_DIGITS = 6
"""Places of a chance to win: what differs by less is equal, and more points are better then."""
MEAN_CRIB = 5
"""Points of a crib of several players."""


Worth = dict[int, float]
"""By rank; 0 is a go."""


class JudgedCard(msgspec.Struct, frozen=True):
    """One card that may be played now, or a go."""

    card: Card | None
    """None: go."""
    points: float
    """The expected points of the rest of the play: own minus the opponents' (the mean of several sides)."""
    win: float | None
    """The chance to win the game, 0 to 1; None where no table has it."""


def judge_cards(
    view: PlayerView, random: RandomSource, *, hands: int = HANDS, with_points: bool = True
) -> tuple[JudgedCard, ...]:
    """Every card that may be played now, best first; a go if nothing fits, or if the rules leave it open.

    `random` deals the hands of several opponents. `hands`: imagined hands at most; the time grows with them. Without
    `with_points` the points are 0 where the chance to win decides; the order is the same. Raises what
    `PlayerView.play` raises.
    """
    play = view.play()
    options: list[Card | None] = [*playable_cards(view.hand, play.count)]
    if not options or play.may_go(view.hand):
        options.append(None)
    ranks = sorted({_rank(card) for card in options})
    if len(view.hand) > LARGEST_HAND:
        hands = max(1, hands // 4)
    if view.rules.players == 2:
        points, wins = _by_search(view, play, ranks, hands, with_points)
    else:
        points, wins = _by_deals(view, play, ranks, max(1, hands * DEALS // HANDS), random)
    judged = [JudgedCard(card, points[_rank(card)], _chance(wins, _rank(card))) for card in options]
    if view.rules.play_flush is not PlayFlush.OFF:
        return _ranked([_with_flush(view, play, each) for each in judged], view)
    return _ranked(judged, view)


def _ranked(judged: Sequence[JudgedCard], view: PlayerView) -> tuple[JudgedCard, ...]:
    sign = -1 if view.rules.lowball else 1
    return tuple(sorted(judged, key=lambda each: (each.win or 0, sign * each.points), reverse=True))


def _with_flush(view: PlayerView, play: Play, judged: JudgedCard) -> JudgedCard:
    """The same with the points of a flush that the card makes now; later ones are left to luck."""
    if judged.card is None:
        return judged
    scores = scores_for((*play.cards, judged.card), view.rules)
    more = sum(score.points for score in scores if score.kind is ScoreKind.FLUSH)
    win = judged.win
    chances = chances_for(view.rules)
    if win is not None and chances is not None:
        own, _ = chances.slopes(*_needs(view), is_dealer=_deals_next(view))
        win = min(1.0, win + more * own)
    return JudgedCard(judged.card, judged.points + more, win)


def _rank(card: Card | None) -> int:
    return 0 if card is None else RANK_OF[card]


def _chance(wins: Worth | None, rank: int) -> float | None:
    """The chance without what rounding added or took."""
    return None if wins is None else min(1.0, max(0.0, round(wins[rank], WIN_DIGITS)))


def _by_search(
    view: PlayerView, play: Play, ranks: Sequence[int], hands: int, with_points: bool
) -> tuple[Worth, Worth | None]:
    imagined = imagined_hands(view, hands)
    moment = moment_of(view, play)
    rules = play_rules(view.rules)
    limits = limits_of(view, view.side), limits_of(view, Side(1 - view.side))
    search = _search_for_wins(view, rules, imagined, limits)
    wins = search and {rank: search[1] + search[0].worth_of(moment, rank, imagined) for rank in ranks}
    if wins and not with_points and not _is_tied(wins):
        return dict.fromkeys(ranks, 0.0), wins
    sign = -1.0 if rules.is_lowball else 1.0
    by_points = Search(rules, weights=(sign, sign), limits=limits)
    return {rank: sign * by_points.worth_of(moment, rank, imagined) for rank in ranks}, wins


def _search_for_wins(
    view: PlayerView, rules: PlayRules, imagined: Sequence[Imagined], limits: tuple[PointLimits, PointLimits]
) -> tuple[Search, float] | None:
    """The search for the chance to win, and what it has to be added to; None where no table has chances."""
    chances = chances_for(view.rules)
    if chances is None:
        return None
    needs = _needs(view)
    show = _show_chances(view, chances, needs, imagined)
    if min(needs) <= NEAR:
        return Search(rules, show.judge, needs, limits=limits), 0.0
    slopes = chances.slopes(*needs, is_dealer=_deals_next(view))
    return Search(rules, weights=slopes), show.judge(0, 0, imagined)


def _is_tied(wins: Worth) -> bool:
    """Whether several ranks are the best: where a game is as good as won or lost all of them are."""
    best, *others = sorted((_chance(wins, rank) or 0.0 for rank in wins), reverse=True)
    return best in others


def _show_chances(
    view: PlayerView, chances: WinChances, needs: tuple[int, int], imagined: Sequence[Imagined]
) -> ShowChances:
    assert view.starter is not None
    starter = RANK_OF[view.starter]
    played = view.played_by(_other(view))
    show = Show(
        own_hand=show_total((*view.hand, *view.played_by(view.seat)), view.starter),
        their_hands=tuple(rank_points((*full_hand(hand, played), starter)) for hand, _, _ in imagined),
        crib=tuple(_crib_spread(view)),
        own_crib=view.own_crib,
        is_owner_first=view.buyer is not None,
        deals_next=_deals_next(view),
    )
    return ShowChances(chances, needs, show)


def _other(view: PlayerView) -> Seat:
    """The other seat of two."""
    return next(seat for seat in view.rules.seats if seat != view.seat)


def _deals_next(view: PlayerView) -> bool:
    """Whether the player's side deals next."""
    return not view.rules.are_opponents(view.seat, view.rules.next_dealer(view.dealer))


def _crib_spread(view: PlayerView) -> list[float]:
    """The chance of each number of points of the crib, by ranks, with the own nobs."""
    assert view.starter is not None
    starter = RANK_OF[view.starter]
    own = tuple(RANK_OF[card] for card in view.discarded)
    nobs = NOBS_OF[view.starter] in view.discarded and starter != JACK
    kind = Kind(max(view.rules.dealt), max(view.rules.discards), not view.own_crib)
    weights = discard_weights(kind, unseen_ranks(view))
    total = sum(weights)
    spread = [0.0] * 31
    for pair, weight in zip(rank_sets(2), weights, strict=True):
        if weight:
            spread[rank_points((*own, *pair, starter)) + nobs] += weight / total
    return spread


def _needs(view: PlayerView) -> tuple[int, int]:
    """What the own side and the other side still need."""
    own, other = (max(1, view.rules.target_of(side) - view.scores[side]) for side in (view.side, 1 - view.side))
    return own, other


def _by_deals(
    view: PlayerView, play: Play, ranks: Sequence[int], deals: int, random: RandomSource
) -> tuple[Worth, Worth | None]:
    rules = view.rules
    chances = chances_for(rules)
    imagined = imagined_deals(view, play, deals, random)
    limits = tuple(limits_of(view, Side(side)) for side in range(len(rules.sides)))
    points: Worth = {}
    wins: Worth = {}
    for rank in ranks:
        ends = [(hands, Table(rules, play, hands, limits).play_out(rank)) for hands in imagined]
        points[rank] = sum(lead_of(each, rules, view.seat) for _, each in ends) / deals
        if chances:
            wins[rank] = sum(_win_of_sides(view, chances, hands, each) for hands, each in ends) / deals
    return points, wins if chances else None


def _win_of_sides(view: PlayerView, chances: WinChances, hands: Hands, points: Sequence[int]) -> float:
    """The chance to win after these points of the play, for partners: the hands count in turn, then the crib."""
    rules = view.rules
    assert view.starter is not None
    needs = [rules.target_of(side) - score for side, score in enumerate(view.scores)]
    for seat in rules.seats:
        needs[rules.side_of(seat)] -= points[seat]
    own = view.side
    other = 1 - view.side
    if min(needs) <= 0:
        return float(needs[own] <= needs[other])
    for showing in rules.show_order(view.dealer):
        side = rules.side_of(showing.seat)
        if showing.is_crib:
            needs[side] -= MEAN_CRIB
        else:
            shown = full_hand(hands[showing.seat], view.played_by(showing.seat))
            needs[side] -= rank_points((*shown, RANK_OF[view.starter]))
        if needs[side] <= 0:
            return float(side == own)
    if _deals_next(view):
        return chances.of_dealer(needs[own], needs[other])
    return chances.of_pone(needs[own], needs[other])


def limits_of(view: PlayerView, side: Side) -> PointLimits:
    """Up to how many points of the rest of the play the side still scores, by the rules for the last holes."""
    rules = view.rules
    if rules.stinkhole is Stinkhole.OFF and rules.go_limit is GoLimit.NONE:
        return NO_LIMITS
    score = view.scores[side]
    # A pair stands for every card that scores: no rule tells them apart.
    kinds = ScoreKind.PAIR, ScoreKind.LAST_CARD
    cards, go = (highest_score_for(rules, side, kind) - score for kind in kinds)
    return PointLimits(cards, go)


def play_rules(rules: RuleSet) -> PlayRules:
    """The options of the rules that matter for the search."""
    return PlayRules(
        rules.play_extent is PlayExtent.ONE_SERIES,
        rules.go_points is GoPoints.PER_PASS,
        rules.go_points is GoPoints.PER_CARD_AFTER_GO,
        rules.lowball,
    )


def moment_of(view: PlayerView, play: Play) -> Moment:
    """The moment of the play for the search."""
    other = _other(view)
    return Moment(
        node_after([RANK_OF[card] for card in play.cards]),
        tuple(sorted(RANK_OF[card] for card in view.hand)),
        view.seat in play.passed,
        other in play.passed,
        play.last_player == view.seat,
        play.go_was_paid,
    )
