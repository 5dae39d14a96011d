"""Questions to `cribboard engine` of dealt hands, with the answers that the rules on paper allow, and broken ones.

The rules are those of `tests/paper_rules`: nothing here is asked of the product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import combinations, permutations
from random import Random
from typing import Any

from msgspec import Struct

from tests.paper_rules.cards import PACK, Card
from tests.paper_rules.play import Play
from tests.paper_rules.systems import SYSTEMS, Rules, rules_of

HOUSE_RULES: dict[str, tuple[Any, ...]] = {
    "target": (61, 121, 181),
    "direction": ("clockwise", "counterclockwise"),
    "play_extent": ("all_cards", "one_series"),
    "must_play": ("always", "after_go_optional"),
    "go_points": ("last_card", "per_pass", "per_card_after_go"),
    "go_three_plus": ("continue", "stop"),
    "crib_flush": ("five_only", "four_ok"),
    "play_flush": ("off", "three_up"),
    "stinkhole": ("off", "heels_and_go", "heels", "show_only"),
    "lowball": (False, True),
}
TWO_PLAYERS = ("six_card", "five_card", "seven_card")
GO = "go"


class Asked(Struct, frozen=True):
    """A question, and what the rules allow as its answer."""

    question: dict[str, Any]
    allowed: frozenset[tuple[str, ...]]
    """Every discard as sorted texts, or every card (or go) as a tuple of one; none: the question is wrong."""
    error: str = ""
    """The kind of error that a wrong question gets."""
    points: dict[str, int] = {}
    """Card -> points of the rest of the play, where nothing about it is hidden; else empty."""


def questions_of_deal(random: Random) -> Iterator[Asked]:
    """The questions of each player in one deal that is played at random, with any rules."""
    system = random.choice([*SYSTEMS])
    options: dict[str, Any] = {}
    if random.random() < 0.5:
        options = {name: random.choice(values) for name, values in HOUSE_RULES.items() if random.random() < 0.3}
    if system == "auction":
        options["players"] = random.choice((2, 3, 4))
    rules = rules_of(system, options)
    yield from _questions(rules, {"variant": system, "options": options}, random)


def _questions(rules: Rules, general: dict[str, Any], random: Random) -> Iterator[Asked]:
    dealer = random.randrange(rules.players)
    buyer = random.choice((None, *range(rules.players))) if rules.is_auction else None
    owner = dealer if buyer is None else buyer
    pack = random.sample(PACK, len(PACK))
    hands, gone = list[tuple[Card, ...]](), list[tuple[Card, ...]]()
    for seat in range(rules.players):
        distance = rules.distance(dealer, seat)
        dealt = tuple(pack.pop() for _ in range(rules.dealt[distance]))
        gone.append(tuple(random.sample(dealt, rules.discarded[distance])))
        hands.append(tuple(card for card in dealt if card not in gone[seat]))
        shared = general | _seen(rules, seat, owner, random)
        size = rules.discarded[distance]
        choices = frozenset(tuple(sorted(map(str, some))) for some in combinations(dealt, size))
        yield Asked({"ask": "discard", "dealt": texts(dealt), **shared}, choices)
    yield from _turns(rules, general, hands, gone, pack.pop(), (dealer, buyer), random)


def _seen(rules: Rules, seat: int, owner: int, random: Random) -> dict[str, Any]:
    """What a player knows before the first card: whose crib it is, and the scores, his own side first."""
    is_own = rules.side_of(seat) == rules.side_of(owner)
    scores = [random.randrange(rules.target) for _ in rules.sides]
    return {"crib": "own" if is_own else "theirs", "scores": scores}


def _turns(
    rules: Rules,
    general: dict[str, Any],
    hands: Sequence[tuple[Card, ...]],
    gone: Sequence[tuple[Card, ...]],
    starter: Card,
    seats: tuple[int, int | None],
    random: Random,
) -> Iterator[Asked]:
    dealer, buyer = seats
    owner = dealer if buyer is None else buyer
    held = [list(hand) for hand in hands]
    play = Play(rules, rules.left(dealer) if buyer is None else buyer, None)
    acts: list[tuple[int, str]] = []
    while play.turn is not None:
        seat = play.turn
        fits = [card for card in held[seat] if card.pips + play.count <= 31]
        choices = {(str(card),) for card in fits}
        if not fits or play.may_pass(seat):
            choices.add((GO,))
        question = {
            "ask": "play",
            "hand": texts(held[seat]),
            "discarded": texts(gone[seat]),
            "starter": str(starter),
            "played": [["me" if who == seat else "them", act] for who, act in acts],
            **general,
            **_seen(rules, seat, owner, random),
        }
        known = {} if (GO,) in choices else _rest_of_the_play(play, held, seat)
        yield Asked(question, frozenset(choices), points=known)
        (act,) = random.choice(sorted(choices))
        acts.append((seat, act))
        if act == GO:
            play.go(seat)
        else:
            card = next(card for card in fits if str(card) == act)
            held[seat].remove(card)
            play.card(seat, card)


def _rest_of_the_play(play: Play, held: Sequence[Sequence[Card]], seat: int) -> dict[str, int]:
    """Card -> the most points that its player can still make in the play after it, where nobody else holds any."""
    rules = play.rules
    plain = (rules.go_points, rules.must_play, rules.stinkhole, rules.lowball) == ("last_card", "always", "off", False)
    if not plain or rules.players != 2 or any(cards for other, cards in enumerate(held) if other != seat):
        return {}
    best: dict[str, int] = {}
    for order in permutations(held[seat]):
        if order[0].pips + play.count > 31:
            continue
        if (points := _points_alone(play, seat, order)) is not None:
            best[str(order[0])] = max(points, best.get(str(order[0]), 0))
    return best


def _points_alone(play: Play, seat: int, order: Sequence[Card]) -> int | None:
    """What a player scores who lays the cards in this order, alone; None for a go that is false."""
    play, total, left = play.copy(), 0, list(order)
    for card in order:
        while play.turn is not None and play.turn == seat and play.count + card.pips > 31:
            if any(play.count + other.pips <= 31 for other in left):
                return None
            play.go(seat)
            total += sum(scored.points for scored in play.scored)
        if play.turn is None:
            return total
        total += sum(scored.points for scored in play.card(seat, card))
        left.remove(card)
        while play.turn is not None and play.turn != seat:
            total += sum(scored.points for scored in play.go(play.turn))
    return total


Damage = Callable[[dict[str, Any], Random], str | None]
"""Makes a question wrong. Returns the kind of error, or None if this question cannot be broken so."""


def _double_a_card(question: dict[str, Any], random: Random) -> str | None:
    cards = question["dealt"] if question["ask"] == "discard" else question["hand"]
    if len(cards) < 2:
        return None
    cards[0] = cards[-1]
    return "duplicate_card"


def _cut_a_held_card(question: dict[str, Any], random: Random) -> str | None:
    if question["ask"] == "discard":
        return None
    question["starter"] = random.choice([*question["hand"], *question["discarded"]])
    return "duplicate_card"


def _play_a_held_card(question: dict[str, Any], random: Random) -> str | None:
    if question["ask"] == "discard" or not question["played"]:
        return None
    place = next(place for place, (_, act) in enumerate(question["played"]) if act != GO)
    question["played"][place][1] = random.choice([*question["hand"], question["starter"]])
    return "duplicate_card"


def _take_a_card_away(question: dict[str, Any], random: Random) -> str | None:
    cards = question["dealt"] if question["ask"] == "discard" else question["hand"]
    sizes = {dealt for dealt in (4, 5) if question["variant"] in ("five_hand", "six_hand")}
    cards.pop()
    if len(cards) in sizes:
        return None
    few = 4 if question["ask"] == "discard" else 1
    return "wrong_value" if len(cards) < few else "wrong_number_of_cards"


def _name_no_card(question: dict[str, Any], random: Random) -> str | None:
    cards = question["dealt"] if question["ask"] == "discard" else question["hand"]
    cards[0] = random.choice(("1X", "", "11H", "5", "H", "Joker", "5H5H", "0C", "-5H"))
    return "not_a_card"


def _swap_two_turns(question: dict[str, Any], random: Random) -> str | None:
    """Two players' first cards change owners: the one who does not lead has led."""
    played = question.get("played", ())
    if question.get("variant") == "auction" or len(question["scores"]) != 2 or len(played) < 2 or len(played[0]) != 2:
        return None
    if question["variant"] == "four_partners" or GO in (played[0][1], played[1][1]):
        return None
    played[0][0], played[1][0] = played[1][0], played[0][0]
    return "wrong_value"


def _go_without_need(question: dict[str, Any], random: Random) -> str | None:
    """A go before the first card: every card fits."""
    if question["ask"] == "discard" or question["variant"] not in TWO_PLAYERS or not question["played"]:
        return None
    question["played"].insert(0, [question["played"][0][0], GO])
    return "false_go"


def _unknown_option(question: dict[str, Any], random: Random) -> str | None:
    question["options"] = question["options"] | {random.choice(("", "Lowball", "flush", "lowball ")): True}
    return "unknown_option"


def _unknown_choice(question: dict[str, Any], random: Random) -> str | None:
    question["options"] = question["options"] | {"must_play": random.choice(("never", "", 5, None, [], {}))}
    return "unknown_choice"


def _unknown_variant(question: dict[str, Any], random: Random) -> str | None:
    question["variant"] = random.choice(("whist", "", "Six_card", "six card"))
    return "unknown_variant"


def _scores_of_others(question: dict[str, Any], random: Random) -> str | None:
    question["scores"] = question["scores"] + [0] if len(question["scores"]) < 6 else [0]
    return "wrong_value"


def _leave_a_field_out(question: dict[str, Any], random: Random) -> str | None:
    names = {"discard": ("ask", "dealt", "crib"), "play": ("ask", "hand", "crib", "starter")}[question["ask"]]
    del question[random.choice(names)]
    return "missing_field"


def _another_type(question: dict[str, Any], random: Random) -> str | None:
    name = random.choice(("dealt" if question["ask"] == "discard" else "hand", "crib", "scores", "variant", "options"))
    question[name] = random.choice((5, True, 1.5))
    return "wrong_type"


DAMAGES: tuple[Damage, ...] = (
    _double_a_card,
    _cut_a_held_card,
    _play_a_held_card,
    _take_a_card_away,
    _name_no_card,
    _swap_two_turns,
    _go_without_need,
    _unknown_option,
    _unknown_choice,
    _unknown_variant,
    _scores_of_others,
    _leave_a_field_out,
    _another_type,
)


def broken(asked: Asked, random: Random) -> Asked:
    """The same question with one fault."""
    for damage in random.sample(DAMAGES, len(DAMAGES)):
        question = deepcopy(asked.question)
        if error := damage(question, random):
            return Asked(question, frozenset(), error)
    raise AssertionError("a question that nothing breaks")


def texts(cards: Sequence[Card]) -> list[str]:
    """The cards as a question names them."""
    return [str(card) for card in cards]
