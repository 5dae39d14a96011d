"""Calculates the chance to win from every score: `python -m tests.tools.make_win_tables` writes `win_tables.py`.

Deals are played by players who discard as `choice_tables` says and play as `simple_player`. The points of each deal are
kept in the order in which they are pegged, so it is known who reaches a hole first. From these deals the chances follow
backwards from the end of the game: for each pair of scores, the share of deals in which the dealer wins at once, plus
the chance of the scores after every other deal, with the other side as dealer.

The seed is fixed. With 40,000 deals the standard error of a chance is below 0.003 (a test measures it by halves).
"""

from __future__ import annotations

import argparse
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware_host.cribbage.cards import JACK, PACK, RANK_OF, Card
from firmware_host.cribbage.last_holes import GO_KINDS
from firmware_host.cribbage.options import GoLimit, Stinkhole
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.totals import show_total
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.strategy import win_tables
from firmware_host.strategy.hidden_deals import Kind, Ranks, chosen_discards
from firmware_host.strategy.series_tree import node_after
from firmware_host.strategy.simple_player import quick_choice
from firmware_host.strategy.win_chance import CHANGE_SCALE, FULL_SCALE, USUAL_ENDING, Ending, ending_of
from tests.tools.make_choice_tables import packed

SEED = 20_261_127
DEALS = 40_000
NAMES = ("six_card", "five_card", "seven_card", "four_partners")
MOST = 90
"""More points than a side has in one deal."""
LONGEST_PLAY = 24
"""A side that needs more than so many points wins by the play in one deal of a thousand."""
NEVER = 255
GAME_WITH_GO_LIMIT = 121
"""The target of games with a limit for the go."""

Points = list[tuple[bool, int, str]]
"""The points of one deal, in order: whether they are the dealer's side's, how many, and what for."""


class Discards:
    """The discards of sensible players, by the ranks of the deal."""

    def __init__(self, rules: RuleSet) -> None:
        dealt, discarded = max(rules.dealt), max(rules.discards)
        self.choices = {own: chosen_discards(Kind(dealt, discarded, own)) for own in (True, False)}

    def of(self, dealt: tuple[Card, ...], own_crib: bool) -> tuple[Card, ...]:
        ranks: Ranks = tuple(sorted(RANK_OF[card] for card in dealt))
        wanted = list(self.choices[own_crib][ranks])
        gone = list[Card]()
        for card in dealt:
            if RANK_OF[card] in wanted:
                wanted.remove(RANK_OF[card])
                gone.append(card)
        return tuple(gone)


def points_of_deal(rules: RuleSet, discards: Discards, random: Random) -> Points:
    """One deal, dealt by seat 0."""
    dealer = Seat(0)
    pack = random.sample(PACK, sum(rules.dealt) + rules.from_stock + 1)
    starter, crib = pack.pop(), list[Card]()
    hands = dict[Seat, list[Card]]()
    for seat in rules.seats:
        dealt = tuple(pack.pop() for _ in range(rules.cards_dealt(seat, dealer)))
        gone = discards.of(dealt, not rules.are_opponents(seat, dealer))
        crib += gone
        hands[seat] = [card for card in dealt if card not in gone]
    points: Points = [(True, 2, "heels")] if starter.rank == JACK else []
    shown = {seat: tuple(cards) for seat, cards in hands.items()}
    play = Play.begin(rules, rules.leader(dealer), [rules.hand_size] * rules.players)
    while play.turn is not None:
        seat = play.turn
        following = next((each for each in rules.round_after(seat) if play.left[each]), seat)
        node = node_after([RANK_OF[card] for card in play.cards])
        rank = quick_choice(node, tuple(sorted(RANK_OF[card] for card in hands[seat])), min(5, play.left[following]))
        if rank:
            card = next(card for card in hands[seat] if RANK_OF[card] == rank)
            hands[seat].remove(card)
            play, tallies = play.lay(card)
        else:
            play, tallies = play.go()
        for tally in tallies:
            is_go = tally.scores[0].kind in GO_KINDS
            points.append((not rules.are_opponents(tally.seat, dealer), tally.points, "go" if is_go else "play"))
    for showing in rules.show_order(dealer):
        if showing.is_crib:
            points.append((True, show_total(crib, starter, True), "crib"))
        else:
            points.append(
                (not rules.are_opponents(showing.seat, dealer), show_total(shown[showing.seat], starter), "hand")
            )
    return points


Chances = NDArray[np.float64]


class Course(NamedTuple):
    """What one side scores in each deal, by what it needs: [need, deal], needs from 0 to MOST."""

    place: NDArray[np.uint8]
    """The place among the points of the deal at which the side wins, or NEVER."""
    points: NDArray[np.int16]
    """The points that count, until the side wins."""


def course_of(deals: Sequence[Points], ending: Ending, *, is_dealer: bool) -> Course:
    """The course of the dealer's or the other side. `ending`: points of a kind do not count for who needs less."""
    least = dict(zip(("heels", "play", "go"), ending, strict=True))
    shape = max(map(len, deals)), len(deals)
    pegged = np.zeros(shape, np.int16)
    least_need = np.ones(shape, np.int16)
    for number, points in enumerate(deals):
        for place, (is_dealers, made, what) in enumerate(points):
            if is_dealers is is_dealer:
                pegged[place, number] = made
                least_need[place, number] = least.get(what, 1)
    needs = np.arange(MOST + 1, dtype=np.int16)[:, None]
    won = np.full((MOST + 1, len(deals)), NEVER, np.uint8)
    sums = np.zeros((MOST + 1, len(deals)), np.int16)
    for place in range(shape[0]):
        sums += (needs - sums >= least_need[place]) * pegged[place]
        won[(won == NEVER) & (sums >= needs)] = place
    return Course(won, sums)


def chances_of(deals: Sequence[Points], size: int, ending: Ending = USUAL_ENDING) -> Chances:
    """[need of the dealer's side, need of the other side] -> the chance of the dealer's side; needs from 0 on."""
    own, other = (course_of(deals, ending, is_dealer=is_dealer) for is_dealer in (True, False))
    totals = [course.points[MOST] for course in (own, other)]
    both, times = np.unique(np.stack(totals), axis=1, return_counts=True)
    share = times / len(deals)
    chances = np.zeros((size + 1, size + 1))
    far_own, far_other = (int(total.max()) + max(ending) for total in totals)
    for need in range(2, 2 * size + 1):  # both needs together: the scores after a deal are known
        for mine in range(max(1, need - size), min(size, need - 1) + 1):
            theirs = need - mine
            if mine >= far_own and theirs >= far_other:
                chances[mine, theirs] = (share * (1 - chances[theirs - both[1], mine - both[0]])).sum()
                continue
            mine_or_most, theirs_or_most = min(mine, MOST), min(theirs, MOST)
            won = own.place[mine_or_most]
            lost = other.place[theirs_or_most]
            on = np.flatnonzero((won == NEVER) & (lost == NEVER))
            own_points, other_points = own.points[mine_or_most][on], other.points[theirs_or_most][on]
            rest = 1 - chances[theirs - other_points, mine - own_points]
            chances[mine, theirs] = (np.count_nonzero(won < lost) + rest.sum()) / len(deals)
    # A deal without points leads back to the same scores with the other dealer; it is rarer than the error.
    return chances


def wins_by_play(deals: Sequence[Points], ending: Ending, *, is_dealer: bool) -> list[float]:
    """The chance to win by heels and the play, by need from 1 to LONGEST_PLAY."""
    plays = [[each for each in points if each[2] not in ("hand", "crib")] for points in deals]
    course = course_of(plays, ending, is_dealer=is_dealer)
    return [float(share) for share in (course.place != NEVER).mean(axis=1)[1 : LONGEST_PLAY + 1]]


def spreads_of(deals: Sequence[Points]) -> dict[str, list[float]]:
    """How often each number of points is made: by `who` and what for."""
    counted: dict[str, Counter[int]] = {}
    for points in deals:
        sums = Counter[str](
            {f"{who} {what}": 0 for who in ("dealer", "pone") for what in ("play", "hand")} | {"dealer crib": 0}
        )
        for is_dealer, pegged, what in points:
            sums[f"{'dealer' if is_dealer else 'pone'} {'play' if what in ('heels', 'go') else what}"] += pegged
        for name, total in sums.items():
            counted.setdefault(name, Counter())[total] += 1
        for _, pegged, what in points:
            if what == "hand":
                counted.setdefault("one hand", Counter())[pegged] += 1
    return {
        name: [round(times[n] / times.total(), 5) for n in range(max(times) + 1)] for name, times in counted.items()
    }


def packed_numbers(numbers: NDArray[np.float64]) -> str:
    """Rows of whole numbers of 16 bits: the differences along each row, high bytes first, then low bytes."""
    differences = np.diff(np.rint(numbers).astype(int), axis=1, prepend=0).ravel() & 0xFFFF
    data = struct.pack(f"<{differences.size}H", *differences.tolist())
    return packed(data[1::2] + data[::2])


def deals_of_variant(name: str, deals: int, seed: int = SEED) -> list[Points]:
    rules, random = VARIANTS[name], Random(seed)
    discards = Discards(rules)
    return [points_of_deal(rules, discards, random) for _ in range(deals)]


def endings_of(name: str) -> list[Ending]:
    """The house rules for the last holes of a variant, but for the usual ones."""
    target = VARIANTS[name].target
    limits = [limit for limit in GoLimit if limit is GoLimit.NONE or target == GAME_WITH_GO_LIMIT]
    options = [{"stinkhole": stinkhole.value, "go_limit": limit.value} for stinkhole in Stinkhole for limit in limits]
    return sorted({ending_of(rules_for(name, each)) for each in options} - {USUAL_ENDING})


class Tables:
    """The texts of both modules, filled one variant after the other."""

    def __init__(self) -> None:
        self._chances = dict[str, str]()
        self._spreads = dict[str, Mapping[str, list[float]]]()
        self._changes = dict[tuple[str, Ending], str]()
        self._wins = dict[tuple[str, Ending], str]()

    def add(self, name: str, deals: Sequence[Points]) -> None:
        size = VARIANTS[name].target
        usual = chances_of(deals, size)
        print(f"{name}: the first dealer wins {usual[-1, -1]:.4f}", flush=True)
        self._chances[name] = packed_numbers(usual[1:, 1:] * FULL_SCALE)
        self._spreads[name] = spreads_of(deals)
        for ending in endings_of(name):
            changes = chances_of(deals, size, ending) - usual
            print(f"{name} {ending}: chances differ by {abs(changes).max():.2f} at most", flush=True)
            self._changes[name, ending] = packed_numbers(changes[1:, 1:] * CHANGE_SCALE)
            wins = [wins_by_play(deals, ending, is_dealer=is_dealer) for is_dealer in (True, False)]
            numbers = np.rint(np.array(wins) * FULL_SCALE).astype(int).ravel()
            self._wins[name, ending] = packed(struct.pack(f"<{numbers.size}H", *numbers.tolist()))

    def win_tables(self) -> str:
        return f"{_HEADING}\nCHANCES = {_entries(self._chances)}\n\nSPREADS = {self._spreads!r}\n"

    def last_holes_tables(self) -> str:
        wins = f"WINS_BY_PLAY = {_entries(self._wins)}"
        return f"{_LAST_HOLES_HEADING}\nCHANGES = {_entries(self._changes)}\n\n{wins}\n"


def _quoted(key: object) -> str:
    return repr(key).replace("'", '"')


def _entries(texts: Mapping[str, str] | Mapping[tuple[str, Ending], str]) -> str:
    entries = "".join(f'    {_quoted(key)}: """\n{text}\n""",\n' for key, text in texts.items())
    return f"{{\n{entries}}}"


_HEADING = '''"""The chance to win from every score, and how many points a deal brings.

Generated by tests/tools/make_win_tables.py; do not edit. See `win_chance`.
"""
'''


_LAST_HOLES_HEADING = '''"""House rules for the last holes: what they change in the chance to win, and wins by the play.

Generated by tests/tools/make_win_tables.py; do not edit. The keys are those of `win_chance`: table and ending.
"""
'''


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    chosen = parser.parse_args()
    tables = Tables()
    for name in NAMES:
        tables.add(name, deals_of_variant(name, chosen.deals))
    Path(win_tables.__file__).write_text(tables.win_tables(), encoding="utf-8")
    Path(win_tables.__file__).with_name("last_holes_tables.py").write_text(tables.last_holes_tables(), encoding="utf-8")


if __name__ == "__main__":
    main()
