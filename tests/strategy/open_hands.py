"""The play with both hands open, by plain recursion: nothing here is taken from the program but the cards' ranks.

The opponent is the quick player of the engine, written down again: it takes the card with the most points less the mean
of the best reply, and likes to keep small cards and fives.
"""

from __future__ import annotations

from functools import cache

Ranks = tuple[int, ...]
LIKING = (0.0, -0.30, -0.25, -0.22, -0.18, -0.45, 0.0, 0.02, 0.04, 0.04, 0.10, 0.08, 0.10, 0.10)
"""What a card of each rank, ace to king, is worth on the table rather than in the hand."""
ME = 0
THEM = 1


def pips(rank: int) -> int:
    return min(rank, 10)


def count(series: Ranks) -> int:
    return sum(map(pips, series))


@cache
def points(series: Ranks) -> int:
    """What the last card of a series scores, without go and last card."""
    total = 2 * (count(series) in (15, 31))
    alike = 1
    while alike < len(series) and series[-alike - 1] == series[-1]:
        alike += 1
    total += alike * (alike - 1)
    for length in range(len(series), 2, -1):
        last = sorted(series[-length:])
        if last == list(range(last[0], last[0] + length)):
            return total + length
    return total


@cache
def mean_reply(series: Ranks, cards: int) -> float:
    """The mean of the best reply of a player with so many cards of the pack; -1 where none fits."""
    if not cards:
        return 0.0
    by_points = sorted((points((*series, rank)) for rank in range(1, 14) if count((*series, rank)) <= 31), reverse=True)
    mean = 0.0
    none_before = 1.0
    for better, worth in enumerate(by_points, 1):
        none = 1.0
        for place in range(cards):
            none *= max(0, 52 - 4 * better - place) / (52 - place)
        mean += worth * (none_before - none)
        none_before = none
    return mean - none_before


def quick_answer(series: Ranks, hand: Ranks, others_cards: int) -> int:
    """The rank that the quick player plays; 0: go."""
    fits = sorted({rank for rank in hand if count((*series, rank)) <= 31})
    worth = {rank: points((*series, rank)) - mean_reply((*series, rank), others_cards) + LIKING[rank] for rank in fits}
    return max(fits, key=lambda rank: worth[rank], default=0)


def less(hand: Ranks, rank: int) -> Ranks:
    left = list(hand)
    left.remove(rank)
    return tuple(left)


def lead(
    series: Ranks, hands: tuple[Ranks, Ranks], turn: int, last: int, gone: tuple[bool, bool], first: int | None = None
) -> int:
    """The points of ME less those of THEM until the end of the play: ME plays the best cards, THEM as a quick player.

    `first`: the rank that ME plays now, 0 for a go. `gone`: who said go in this series. `last`: who played last.
    """
    if not (hands[ME] or hands[THEM]) or gone == (True, True):
        paid = (1 if last == ME else -1) if series else 0
        if not (hands[ME] or hands[THEM]):
            return paid
        return paid + lead((), hands, 1 - last, last, (False, False))
    if gone[turn]:
        return lead(series, hands, 1 - turn, last, gone)
    if not hands[turn] and not series:
        return lead(series, hands, 1 - turn, last, gone)
    fits = sorted({rank for rank in hands[turn] if count((*series, rank)) <= 31})
    if not fits:
        passed = (gone[0] or turn == ME, gone[1] or turn == THEM)
        return lead(series, hands, 1 - turn, last, passed)
    if turn == THEM:
        return after(series, hands, turn, quick_answer(series, hands[THEM], len(hands[ME])), gone)
    if first is not None:
        return after(series, hands, turn, first, gone)
    return max(after(series, hands, turn, rank, gone) for rank in fits)


def after(series: Ranks, hands: tuple[Ranks, Ranks], turn: int, rank: int, gone: tuple[bool, bool]) -> int:
    """The lead after a card, with its points."""
    made = (*series, rank)
    left = (less(hands[ME], rank), hands[THEM]) if turn == ME else (hands[ME], less(hands[THEM], rank))
    scored = points(made) if turn == ME else -points(made)
    if count(made) == 31:
        return scored + (lead((), left, 1 - turn, turn, (False, False)) if left[ME] or left[THEM] else 0)
    return scored + lead(made, left, 1 - turn, turn, gone)
