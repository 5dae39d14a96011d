"""The nodes of a series, against the points that the rules give."""

from __future__ import annotations

from random import Random

from firmware_host.cribbage.cards import RANKS
from firmware_host.cribbage.series import points_for
from firmware_host.strategy.series_tree import FULL, PIPS, node_after


def test_points_of_random_series_are_those_of_the_rules() -> None:
    """Also of series of small cards, which make the long runs and the four alike."""
    random = Random(1)
    for _ in range(1500):
        highest = random.choice((4, 5, 7, 13, 13))
        series: list[int] = []
        while True:
            node = node_after(series)
            fits = [r for r in range(1, highest + 1) if node.count + PIPS[r] <= FULL and series.count(r) < 4]
            for rank in fits:
                assert node.points[rank] == points_for([RANKS[each - 1] for each in (*series, rank)]), (series, rank)
            if not fits:
                break
            series.append(random.choice(fits))


def test_series_that_go_on_alike_share_a_node() -> None:
    assert node_after([2, 13, 10, 1]) is node_after([13, 2, 10, 1])
    assert node_after([5, 7]) is not node_after([7, 5])


def test_the_mean_reply_to_a_five_is_worse_than_to_a_four() -> None:
    five, four = node_after([5]), node_after([4])
    assert five.reply[4] > four.reply[4] > 0
    assert five.reply[0] == 0


def test_a_reply_that_cannot_be_is_a_go() -> None:
    assert node_after([13, 12, 10]).reply[4] < 0.2
    assert node_after([10, 11, 9]).reply[1] < 0
