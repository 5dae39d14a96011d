"""`cribboard engine`: answers questions about discards and cards of the play, one JSON object a line.

The engine gets what one player sees, as chess programs do by UCI. Where a question names no seats the turns of the play
say who sits where: everybody plays in turn, and the asker is "me".
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Annotated, Any, Literal

import click
import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from firmware_host.cli.game_options import DEFAULT_VARIANT
from firmware_host.cli.jsonl import Record, WrongValue, answer_raw_lines, read_line
from firmware_host.cribbage.cards import Card, no_duplicates, parse_card, parse_cards
from firmware_host.cribbage.play import ANY_CARD_FITS_TO, Play
from firmware_host.cribbage.rule_errors import WrongNumberOfCards
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.series import can_play
from firmware_host.cribbage.variants import recorded_rules
from firmware_host.strategy.engine import Level, choose_card, choose_discard, judged_discards
from firmware_host.strategy.play_judge import judge_cards
from firmware_host.strategy.view import Act, PlayerView

ME = "me"
THEM = "them"
GO = "go"
EXAMPLE = '{"ask": "discard", "dealt": ["3C", "3D", "4S", "4H", "5C", "9D"], "crib": "own", "scores": [0, 0]}'
"""A right line."""

CardText = Annotated[str, Meta(max_length=8)]
TARGETS = (61, 121, 181)
"""Targets that are options of the rules."""

Score = Annotated[int, Meta(ge=0, le=1000)]
Scores = Annotated[
    tuple[Score, ...],
    Meta(min_length=2, max_length=6, description="a list of 2 to 6 whole numbers from 0 to 1000"),
]
Acts = Annotated[
    tuple[tuple[Literal["me", "them"], CardText], ...],
    Meta(max_length=100, description='a list of 100 acts at most, such as ["me", "7H"] and ["them", "go"]'),
]
Target = Annotated[int, Meta(ge=1, le=1000)]
Crib = Literal["own", "theirs"]


class Question(Struct, frozen=True):
    """What is asked for."""

    ask: Literal["discard", "play"]


class _Question(Question, frozen=True, kw_only=True):
    """What both kinds of questions have."""

    crib: Crib
    scores: Scores = ()
    """The own side first, then the others in turn."""
    target: Target | None = None
    variant: Annotated[str, Meta(max_length=40)] = DEFAULT_VARIANT
    options: Annotated[dict[str, Any], Meta(max_length=40)] = {}
    analysis: bool = False


class DiscardQuestion(_Question, frozen=True, kw_only=True):
    """Which cards to give to the crib."""

    dealt: Annotated[tuple[CardText, ...], Meta(min_length=4, max_length=7, description="a list of 4 to 7 cards")]


class PlayQuestion(_Question, frozen=True, kw_only=True):
    """Which card to play."""

    hand: Annotated[tuple[CardText, ...], Meta(min_length=1, max_length=5, description="a list of 1 to 5 cards")]
    discarded: Annotated[tuple[CardText, ...], Meta(max_length=2, description="a list of 2 cards at most")] = ()
    starter: CardText
    played: Acts = ()


@click.command(name="engine")
@click.option(
    "--level",
    type=click.Choice([level.value for level in Level]),
    default=Level.EXPERT.value,
    show_default=True,
    help="How well it plays.",
)
def command(level: str) -> None:
    """Answer questions about discards and the play, one JSON object a line on standard input.

    Each question holds what one player sees, never a hidden card. With "analysis" the answer has every choice, best
    first. The answer to a question is always the same.

    Example: {"ask": "discard", "dealt": ["3C", "3D", "4S", "4H", "5C", "9D"], "crib": "own", "scores": [0, 0]}
    """
    answer_raw_lines(lambda line, number: answer(line, number, Level(level)))


def answer(line: bytes, number: int, level: Level) -> Record:
    """The answer to one line. Raises Refusal for a line that is no question, or asks about cards that cannot be."""
    question = _read(line, number)
    if isinstance(question, DiscardQuestion):
        return _discard(question, level)
    return _play(question, level)


def _random_of(question: _Question) -> Random:
    """The same for the same question, however its line is written, and with an analysis or without: so the analysis
    imagines the hands for which the answer was chosen."""
    return Random(zlib.crc32(msgspec.json.encode(replace(question, analysis=False))))


def _discard(question: DiscardQuestion, level: Level) -> Record:
    rules = _rules(question)
    dealt = parse_cards(question.dealt)
    no_duplicates(dealt)
    view = _view_of_deal(question, rules, dealt)
    chosen = choose_discard(view, level, _random_of(question))
    reply: dict[str, Any] = {"discard": _texts(chosen)}
    if question.analysis:
        judged = judged_discards(view) if chosen else ()
        reply["all"] = [
            {"discard": _texts(each.discarded), "points": round(each.points, 4), "win": _rounded(each.win)}
            for each in judged
        ]
    return reply


def _view_of_deal(question: DiscardQuestion, rules: RuleSet, dealt: tuple[Card, ...]) -> PlayerView:
    """The view of the player, who is seat 0. The dealer is a seat for which the cards and the crib are right."""
    me = Seat(0)
    own_crib = question.crib == "own"
    sizes = {seat: rules.cards_dealt(me, seat) for seat in rules.seats}
    dealers = [seat for seat in rules.seats if sizes[seat] == len(dealt)]
    if not dealers:
        expected = " or ".join(str(size) for size in sorted(set(sizes.values())))
        where = f"deal of {rules.variant}"
        raise WrongNumberOfCards(f"{expected} cards", f"{len(dealt)}", where, number=sizes[me])
    owners = [seat for seat in rules.seats if rules.are_opponents(me, seat) is not own_crib]
    dealer = next((seat for seat in dealers if seat in owners), dealers[0])
    buyer = None if dealer in owners else owners[0]
    scores = _scores(question, rules)
    return PlayerView(rules=rules, seat=me, dealer=dealer, buyer=buyer, scores=scores, hand=dealt)


def _play(question: PlayQuestion, level: Level) -> Record:
    view = _view_of_play(question, _rules(question))
    card = choose_card(view, level, _random_of(question))
    reply: dict[str, Any] = {"play": GO if card is None else str(card)}
    if question.analysis:
        reply["all"] = [
            {
                "card": GO if each.card is None else str(each.card),
                "points": round(each.points, 4),
                "win": _rounded(each.win),
            }
            for each in judge_cards(view, _random_of(question))
        ]
    return reply


def _view_of_play(question: PlayQuestion, rules: RuleSet) -> PlayerView:
    me = Seat(0)
    hand = parse_cards(question.hand)
    discarded = parse_cards(question.discarded)
    starter = parse_card(question.starter)
    acts = [(who, None if text.lower() == GO else parse_card(text)) for who, text in question.played]
    own = [card for who, card in acts if who == ME and card is not None]
    no_duplicates([*hand, *discarded, starter, *(card for _, card in acts if card is not None)])
    if len(hand) + len(own) != rules.hand_size:
        expected = f"{rules.hand_size - len(own)} cards still held"
        raise WrongNumberOfCards(
            expected, str(len(hand)), f"hand of {rules.variant}", number=rules.hand_size - len(own)
        )
    dealer, buyer = _dealer_and_buyer(question, rules)
    view = PlayerView(
        rules=rules,
        seat=me,
        dealer=dealer,
        buyer=buyer,
        scores=_scores(question, rules),
        hand=hand,
        discarded=discarded,
        starter=starter,
    )
    return replace(view, acts=tuple(_acts(view, acts)))


def _dealer_and_buyer(question: PlayQuestion, rules: RuleSet) -> tuple[Seat, Seat | None]:
    """The seats of the dealer and of the buyer of the crib, if it was sold. The asker is seat 0."""
    me = Seat(0)
    is_own = question.crib == "own"
    if rules.players == 2 and not rules.bidding:
        return me if is_own else Seat(1), None
    before = next((place for place, (who, _) in enumerate(question.played) if who == ME), len(question.played))
    leader = next(seat for seat in rules.seats if rules.round_from(seat)[before % rules.players] == me)
    if rules.bidding and rules.are_opponents(me, leader) is not is_own:
        return leader, leader  # the buyer leads, and it does not matter who dealt
    return next(seat for seat in rules.seats if rules.pone(seat) == leader), None


def _acts(view: PlayerView, acts: Sequence[tuple[str, Card | None]]) -> Iterator[Act]:
    """The acts with their seats. A go that was left out because everybody saw it is put in. Raises WrongValue for a
    play that does not lead to the asker's turn."""
    rules = view.rules
    play = Play.begin(rules, view.leader, [rules.hand_size] * rules.players)
    held = [*view.hand, *(card for who, card in acts if who == ME and card is not None)]
    for place, (who, card) in enumerate(acts):
        if card is None and (play.turn is None or not _is_turn_of(who, play)) and play.count <= ANY_CARD_FITS_TO:
            continue  # a go of somebody without cards
        while not _can_act(who, card, play) and _may_have_passed(play, held):
            assert play.turn is not None
            yield play.turn, None
            play = play.go()[0]
        if not _is_turn_of(who, play):
            turn = "nobody's" if play.turn is None else ME if play.turn == view.seat else THEM
            raise WrongValue(f"an act of {turn}", who, f"played, act {place + 1}")
        assert play.turn is not None
        yield play.turn, card
        if card is not None and play.turn == view.seat:
            held.remove(card)
        play = play.go()[0] if card is None else play.lay(card)[0]
    while not _is_turn_of(ME, play) and _may_have_passed(play, held):
        assert play.turn is not None
        yield play.turn, None
        play = play.go()[0]
    if not _is_turn_of(ME, play):
        raise WrongValue(
            "a play in which it is your turn", "the turn of others" if play.turn else "a play that is over"
        )


def _is_turn_of(who: str, play: Play) -> bool:
    return play.turn is not None and (play.turn == Seat(0)) is (who == ME)


def _can_act(who: str, card: Card | None, play: Play) -> bool:
    """Whether it is the turn of this player, and the card fits."""
    return _is_turn_of(who, play) and (card is None or can_play((card,), play.count))


def _may_have_passed(play: Play, held: Sequence[Card]) -> bool:
    """Whether the seat in turn may have said a go that nobody wrote down."""
    if play.turn is None or play.count <= ANY_CARD_FITS_TO:
        return False
    return play.turn != Seat(0) or not can_play(held, play.count)


def _rules(question: _Question) -> RuleSet:
    """The rules, with the target if it is one of the usual ones; others are left to `_scores`."""
    if question.target in TARGETS:
        return recorded_rules(question.variant, {**question.options, "target": question.target})
    return recorded_rules(question.variant, question.options)


def _scores(question: _Question, rules: RuleSet) -> tuple[int, ...]:
    """The score of each side; the asker's side is that of seat 0. For an unusual target they are moved, so that each
    side needs as much as before."""
    sides = len(rules.sides)
    given = question.scores or (0,) * sides
    if len(given) != sides:
        raise WrongValue(f"{sides} scores, your own first", f"{len(given)}", "scores")
    order = dict.fromkeys(rules.side_of(seat) for seat in rules.round_from(Seat(0)))
    by_side: Mapping[int, int] = dict(zip(order, given, strict=True))
    moved = 0 if question.target is None else rules.target - question.target
    return tuple(by_side[side] + moved for side in range(sides))


def _texts(cards: Sequence[Card]) -> list[str]:
    return [str(card) for card in cards]


def _rounded(win: float | None) -> float | None:
    return None if win is None else round(win, 5)


def _read(line: bytes, number: int) -> DiscardQuestion | PlayQuestion:
    """Raises what `read_line` raises."""
    if read_line(line, Question, EXAMPLE, number).ask == "discard":
        return read_line(line, DiscardQuestion, EXAMPLE, number)
    return read_line(line, PlayQuestion, EXAMPLE, number)
