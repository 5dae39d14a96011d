"""Lists of choices on the display: the menu, who deals, a new game with its house rules.

Each question is a function from where things stand to its choices; a choice has a label, and what it leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from firmware_host.cribbage.options import OPTIONS, Option
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import PRESETS, VARIANTS, options_of, rules_for
from firmware_host.table import orders as o
from firmware_host.table.door import OpenDoor
from firmware_host.table.entries import (
    DIGIT_OF_KEY,
    ENTER,
    FN,
    BoardOffer,
    Choosing,
    Judge,
    LearnWiring,
    NewGame,
    Pressed,
    Question,
    SendingAway,
    SetManner,
    Surroundings,
    TypingDeal,
    TypingPoints,
)
from firmware_host.table.manner import Manner
from firmware_host.table.words import Words, as_written

PAGE = 6
"""Choices on one page: the display has eight lines, and the question and the way to the next page need one each."""


class Choice(NamedTuple):
    label: str
    leads_to: Pressed


def while_choosing(entry: Choosing, key: str, around: Surroundings) -> Pressed:
    choices = tuple(CHOICES[entry.question](entry.game, around, as_written))
    if key == FN:
        pages = max(1, -(-len(choices) // PAGE))
        return Pressed(replace(entry, page=(entry.page + 1) % pages))
    number = 1 if key == ENTER else DIGIT_OF_KEY.get(key, 0)
    shown = choices[entry.page * PAGE : (entry.page + 1) * PAGE]
    return shown[number - 1].leads_to if 1 <= number <= len(shown) else Pressed(entry)


def lines_of(entry: Choosing, around: Surroundings, _: Words = as_written) -> tuple[str, ...]:
    """The page of choices as the display shows it."""
    choices = tuple(CHOICES[entry.question](entry.game, around, _))
    shown = choices[entry.page * PAGE : (entry.page + 1) * PAGE]
    lines = tuple(f"{'A' if number == 1 else number} {choice.label}" for number, choice in enumerate(shown, start=1))
    return (*lines, _("FN: more")) if len(choices) > PAGE else lines


def menu(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    yield Choice(_("New game"), Pressed(Choosing(Question.GAME)))
    yield Choice(_("Who deals"), Pressed(Choosing(Question.DEALER)))
    yield Choice(_("Next deal"), Pressed(wish=o.GatherCards()))
    yield Choice(_("To the show"), Pressed(wish=o.EndPlay()))
    yield Choice(_("Move pegs"), Pressed(Choosing(Question.MOVER)))
    if around.manner is not Manner.SILENT:
        yield Choice(_("Advice"), Pressed(Choosing(Question.CRIB)))
    yield Choice(_("Judge"), Pressed(wish=Judge()))
    yield Choice(_("Misdeal"), Pressed(wish=o.Misdeal()))
    yield Choice(_("Referee"), Pressed(Choosing(Question.MANNER)))
    yield Choice(_("Redo"), Pressed(wish=o.Redo()))
    yield Choice(_("Phones"), Pressed(Choosing(Question.PHONES)))
    if around.can_learn:
        yield Choice(_("Learn the wiring"), Pressed(wish=LearnWiring()))


def dealers(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    for seat, name in enumerate(around.table.names if around.table else ()):
        yield Choice(name, Pressed(wish=o.ChooseDealer(Seat(seat))))


def movers(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    if around.table:
        for side in range(len(around.table.pegs)):
            yield Choice(around.table.side_name(side), Pressed(TypingPoints(side)))


def manners(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    yield Choice(_("says the counts"), Pressed(wish=SetManner(Manner.TEACHER)))
    yield Choice(_("lights the holes"), Pressed(wish=SetManner(Manner.POLITE)))
    yield Choice(_("waits to be asked"), Pressed(wish=SetManner(Manner.SILENT)))


def cribs(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    yield Choice(_("my crib"), Pressed(TypingDeal(own_crib=True)))
    yield Choice(_("their crib"), Pressed(TypingDeal(own_crib=False)))


def phones(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    yield Choice(_("Let one in"), Pressed(wish=OpenDoor()))
    for guest in around.door.guests:
        yield Choice(guest.name, Pressed(SendingAway(guest)))


def games(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    """The household's own games, then every preset and every variant that is not among them."""
    offered = [*around.games]
    for rules in (*(preset.rules() for preset in PRESETS.values()), *VARIANTS.values()):
        if rules not in offered:
            offered.append(rules)
    for rules in offered:
        yield Choice(label_of(rules, _), with_rules(rules, around))


def label_of(rules: RuleSet, _: Words) -> str:
    """A preset by its name, a variant by its own."""
    for name, preset in PRESETS.items():
        if rules == preset.rules() and preset.options:
            return name
    return _(rules.variant.replace("_", " "))


def with_rules(rules: RuleSet, around: Surroundings) -> Pressed:
    """A question with one answer is not asked."""
    if len(around.offers) == 1:
        return with_offer(NewGame(rules, around.offers[0]))
    return Pressed(Choosing(Question.BOARD, NewGame(rules)))


def boards(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    for offer in around.offers:
        yield Choice(offer.board, with_offer(replace(game, offer=offer)))


def with_offer(game: NewGame) -> Pressed:
    return Pressed(Choosing(Question.TARGET, game))


def targets(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    """What the board carries, the usual target of the game first."""
    rules, offer = settled(game)
    for target in sorted(offer.targets, key=lambda target: target != rules.target):
        with_target = changed(rules, "target", target)
        yield Choice(str(target), Pressed(Choosing(Question.READY, replace(game, rules=with_target))))


def ready(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    rules, offer = settled(game)
    yield Choice(_("Begin"), Pressed(wish=o.StartGame(rules, around.names[: rules.players], offer.board)))
    yield Choice(_("House rules"), Pressed(Choosing(Question.OPTION, game)))


def house_rules(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    """Every agreement but those that a game is chosen by. The way on comes first."""
    yield Choice(_("Done"), Pressed(Choosing(Question.READY, game)))
    for option in OPTIONS:
        if option.name not in ("target", "players", "sides", "skunk_lines"):
            yield Choice(
                option.name.replace("_", " "), Pressed(Choosing(Question.VALUE, replace(game, option=option.name)))
            )


def values(game: NewGame, around: Surroundings, _: Words) -> Iterator[Choice]:
    """The ways to play one agreement; one that cannot be played with the others is not offered."""
    rules, _offer = settled(game)
    option = option_named(game.option)
    for value in option.choices:
        try:
            with_value = changed(rules, option.name, value)
        except Refusal:
            continue
        is_now = getattr(rules, option.field) == getattr(with_value, option.field)
        label = value.replace("_", " ") + (" •" if is_now else "")
        yield Choice(label, Pressed(Choosing(Question.OPTION, replace(game, rules=with_value))))


CHOICES: dict[Question, Callable[[NewGame, Surroundings, Words], Iterator[Choice]]] = {
    Question.MENU: menu,
    Question.DEALER: dealers,
    Question.GAME: games,
    Question.BOARD: boards,
    Question.TARGET: targets,
    Question.READY: ready,
    Question.OPTION: house_rules,
    Question.VALUE: values,
    Question.MOVER: movers,
    Question.CRIB: cribs,
    Question.MANNER: manners,
    Question.PHONES: phones,
}


def settled(game: NewGame) -> tuple[RuleSet, BoardOffer]:
    assert game.rules is not None and game.offer is not None
    return game.rules, game.offer


def changed(rules: RuleSet, option: str, value: object) -> RuleSet:
    """The same game with one agreement changed; what follows from it, such as skunk lines, follows."""
    return rules_for(rules.variant, {**options_of(rules), option: value})


def option_named(name: str) -> Option:
    return next(option for option in OPTIONS if option.name == name)
