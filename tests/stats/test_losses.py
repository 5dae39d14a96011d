"""What the review says was lost, against dealt hands, and against an exhaustive search of known hands."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import fmean

import pytest

from firmware_host.cribbage.cards import PACK, RANK_OF, Card
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.series import playable_cards
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.strategy import play_judge
from firmware_host.strategy.discard_judge import judge_discards
from firmware_host.strategy.play_judge import judge_cards
from firmware_host.strategy.two_player_search import Imagined
from firmware_host.strategy.view import Act, PlayerView
from tests.strategy.dealt_hands import difference
from tests.strategy.open_hands import lead

SIX = VARIANTS["six_card"]
ME, THEM = Seat(0), Seat(1)
Position = tuple[PlayerView, tuple[Card, ...]]
"""What ME sees, and the cards that the other still holds."""


def positions(random: Random) -> Iterator[Position]:
    """The turns of ME in a random play, where there is a choice."""
    pack = random.sample(PACK, 13)
    hands = {ME: pack[:4], THEM: pack[4:8]}
    dealer = random.choice((ME, THEM))
    play = Play.begin(SIX, SIX.pone(dealer), [4, 4])
    acts = list[Act]()
    while play.turn is not None:
        seat = play.turn
        fits = playable_cards(hands[seat], play.count)
        if seat == ME and len({RANK_OF[card] for card in fits}) > 1:
            view = PlayerView(
                rules=SIX,
                seat=ME,
                dealer=dealer,
                scores=(random.randrange(60), random.randrange(60)),
                hand=tuple(hands[ME]),
                discarded=tuple(pack[8:10]),
                starter=pack[10],
                acts=tuple(acts),
            )
            yield view, tuple(hands[THEM])
        card = random.choice(fits) if fits else None
        if card is None:
            play, _ = play.go()
        else:
            play, _ = play.lay(card)
            hands[seat].remove(card)
        acts.append((seat, card))


def check_losses(number: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Compares what a random card loses, if the engine knows the other hand. Returns the number of checks."""
    random = Random(seed)
    checked = 0
    while checked < number:
        for view, theirs in positions(random):
            known: list[Imagined] = [(ranks(theirs), 1.0, 0)]
            monkeypatch.setattr(play_judge, "imagined_hands", lambda view, most, known=known: known)
            play = view.play()
            fits = playable_cards(view.hand, play.count)
            leads = {card: exhaustive(view, play, theirs, card) for card in fits}
            chosen = random.choice(fits)
            points = {judged.card: judged.points for judged in judge_cards(view, random)}
            lost = max(points.values()) - points[chosen]
            assert lost == pytest.approx(max(leads.values()) - leads[chosen]), view
            checked += 1
    return checked


def exhaustive(view: PlayerView, play: Play, theirs: tuple[Card, ...], card: Card) -> int:
    last = 0 if play.last_player == ME else 1
    gone = (ME in play.passed, THEM in play.passed)
    hands = (ranks(view.hand), ranks(theirs))
    return lead(tuple(map(RANK_OF.__getitem__, play.cards)), hands, 0, last, gone, RANK_OF[card])


def ranks(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(sorted(RANK_OF[card] for card in cards))


def test_losses_in_the_play_are_those_of_an_exhaustive_search(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_losses(60, 1, monkeypatch) >= 60


@pytest.mark.slow
def test_none_of_1_000_losses_in_the_play_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_losses(1_000, 2, monkeypatch) >= 1_000


def check_discards(hands: int, deals: int, seed: int) -> float:
    """Compares what random discards lose with dealt hands. Returns the mean difference to what the engine says."""
    random = Random(seed)
    off = list[float]()
    for number in range(hands):
        dealt = sorted(random.sample(PACK, 6))
        own_crib = number % 2 == 0
        judged = judge_discards(dealt, SIX, own_crib=own_crib, scores=(0, 0))
        best, chosen = judged[0], random.choice(judged[1:])
        sign = 1 if own_crib else -1
        said = float(best.hand - chosen.hand) + sign * (best.mean_crib - chosen.mean_crib)
        found = difference(dealt, best.discarded, chosen.discarded, own_crib=own_crib, deals=deals, random=random)
        assert abs(found.mean - said) < 0.05 + 3 * found.error, (dealt, chosen.discarded, said, found)
        assert best.points - chosen.points == pytest.approx(said + best.play - chosen.play)
        off.append(found.mean - said)
    return fmean(off)


def test_what_a_discard_loses_is_what_dealt_hands_lose() -> None:
    assert abs(check_discards(hands=4, deals=250, seed=6)) < 0.4


@pytest.mark.slow
def test_what_discards_lose_is_within_5_hundredths_of_4_000_dealt_hands() -> None:
    assert abs(check_discards(hands=60, deals=4_000, seed=7)) < 0.05
