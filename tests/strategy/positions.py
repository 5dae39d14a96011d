"""Random positions of all variants and options, reached by legal play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.series import playable_cards
from firmware_host.cribbage.variants import VARIANTS, recorded_rules
from firmware_host.strategy.view import Act, PlayerView

HOUSE_RULES: dict[str, tuple[object, ...]] = {
    "target": (61, 121, 181),
    "direction": ("clockwise", "counterclockwise"),
    "play_extent": ("all_cards", "one_series"),
    "must_play": ("always", "after_go_optional"),
    "go_points": ("last_card", "per_pass", "per_card_after_go"),
    "go_three_plus": ("continue", "stop"),
    "crib_flush": ("five_only", "four_ok"),
    "play_flush": ("off", "three_up"),
    "lowball": (False, True),
}


def any_rules(random: Random) -> RuleSet:
    """A variant, half of the time with house rules."""
    variant = random.choice([*VARIANTS])
    if random.random() < 0.5:
        return VARIANTS[variant]
    options = {name: random.choice(values) for name, values in HOUSE_RULES.items() if random.random() < 0.3}
    if variant == "auction":
        options["players"] = random.choice((2, 3, 4))
    if variant == "three_hand" and random.random() < 0.2:
        options = {"captain": True}
    return recorded_rules(variant, options)


def positions(random: Random) -> Iterator[PlayerView]:
    """The positions of one deal by any rules."""
    yield from positions_of(any_rules(random), random)


def positions_of(rules: RuleSet, random: Random) -> Iterator[PlayerView]:
    """The discards and the turns of one deal, each as its player sees it. Everybody plays at random."""
    dealer = Seat(random.randrange(rules.players))
    buyer = random.choice((None, *rules.seats)) if rules.bidding else None
    scores = tuple(random.randrange(rules.target_of(side)) for side in range(len(rules.sides)))
    pack = random.sample(PACK, len(PACK))
    hands, gone = dict[Seat, list[Card]](), dict[Seat, tuple[Card, ...]]()

    def view(seat: Seat, starter: Card | None = None, acts: tuple[Act, ...] = ()) -> PlayerView:
        return PlayerView(
            rules=rules,
            seat=seat,
            dealer=dealer,
            buyer=buyer,
            scores=scores,
            hand=tuple(hands[seat]),
            discarded=gone.get(seat, ()),
            starter=starter,
            acts=acts,
        )

    for seat in rules.seats:
        hands[seat] = [pack.pop() for _ in range(rules.cards_dealt(seat, dealer))]
        yield view(seat)
        gone[seat] = tuple(random.sample(hands[seat], rules.cards_discarded(seat, dealer)))
        hands[seat] = [card for card in hands[seat] if card not in gone[seat]]
    starter, acts = pack.pop(), list[Act]()
    play = Play.begin(rules, rules.leader(dealer, buyer), [rules.hand_size] * rules.players)
    while play.turn is not None:
        seat = play.turn
        yield view(seat, starter, tuple(acts))
        options: list[Card | None] = [*playable_cards(hands[seat], play.count)]
        if play.may_go(hands[seat]):
            options.append(None)
        card = random.choice(options)
        if card is None:
            play, _ = play.go()
        else:
            play, _ = play.lay(card)
            hands[seat].remove(card)
        acts.append((seat, card))
