"""The menus on the display: the main menu, who deals, a new game with its house rules, phones.

Each MenuQuestion has a function in CHOICES that yields its choices. A choice has a label and a KeyResult: the next
InputState, often another menu, or a command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.options import OPTIONS, Misdeal, Option
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import PRESETS, VARIANTS, consistent_rules, options_of
from firmware_host.game import commands as c
from firmware_host.game.state import Phase, Table
from firmware_host.ui.club_night import ClubState, seat_to_begin
from firmware_host.ui.keys.input_state import (
    DIGIT_OF_KEY,
    ENTER,
    FN,
    BeginLesson,
    CalibrateWiring,
    CheckScore,
    Choosing,
    InputContext,
    KeyResult,
    MenuQuestion,
    NewGame,
    OfferedBoard,
    RemovingPhone,
    SeatOffered,
    SetAsksCounts,
    SetRefereeMode,
    TypingDeal,
    TypingJoinCode,
    TypingPoints,
)
from firmware_host.ui.keys.next_deal import begin_next_deal
from firmware_host.ui.pairing_prompt import OpenPairing
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.ruling_labels import penalty_text
from firmware_host.ui.translator import Translator, untranslated
from firmware_host.ui.voice import (
    FASTEST,
    LOUDEST,
    RATE_STEP,
    SLOWEST,
    SOFTEST,
    VOLUME_STEP,
    SetVoice,
    Verbosity,
    VoiceSettings,
)

PLAYERS_WITH_PROGRAM = 2
"""Players of a game against the program that the keys begin. The page begins it with more."""
PAGE_SIZE = 6
"""Choices on one page: the display has eight lines, of which the question and the line for the next page take two."""


class Choice(NamedTuple):
    """One line of a menu, and what choosing it leads to."""

    label: str
    result: KeyResult


def while_choosing(input_state: Choosing, key: str, context: InputContext) -> KeyResult:
    """What a key press in a menu leads to. A key without a choice changes nothing."""
    choices = tuple(CHOICES[input_state.question](input_state.game, context, untranslated))
    if key == FN:
        pages = max(1, -(-len(choices) // PAGE_SIZE))
        return KeyResult(replace(input_state, page=(input_state.page + 1) % pages))
    number = 1 if key == ENTER else DIGIT_OF_KEY.get(key, 0)
    shown = choices[input_state.page * PAGE_SIZE : (input_state.page + 1) * PAGE_SIZE]
    return shown[number - 1].result if 1 <= number <= len(shown) else KeyResult(input_state)


def menu_lines(input_state: Choosing, context: InputContext, tr: Translator = untranslated) -> tuple[str, ...]:
    """The current page of the menu, a line for each choice, numbered by the keys that choose them."""
    choices = tuple(CHOICES[input_state.question](input_state.game, context, tr))
    shown = choices[input_state.page * PAGE_SIZE : (input_state.page + 1) * PAGE_SIZE]
    lines = tuple(f"{'A' if number == 1 else number} {choice.label}" for number, choice in enumerate(shown, start=1))
    return (*lines, tr("FN: more")) if len(choices) > PAGE_SIZE else lines


def menu(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The main menu, which FN held opens. No advice while the referee is silent."""
    if context.rulings:
        yield Choice(tr("Give the penalty"), penalty_given(context))
    yield Choice(tr("New game"), KeyResult(Choosing(MenuQuestion.GAME)))
    yield Choice(tr("Choose dealer"), KeyResult(Choosing(MenuQuestion.DEALER)))
    yield Choice(tr("Next deal"), begin_next_deal(context.table, context.referee_mode))
    yield Choice(tr("Count hands"), KeyResult(command=c.EndPlay()))
    yield Choice(tr("Enter points"), KeyResult(Choosing(MenuQuestion.MOVER)))
    if context.referee_mode is not RefereeMode.SILENT:
        yield Choice(tr("Discard advice"), KeyResult(Choosing(MenuQuestion.CRIB)))
    yield Choice(tr("Check the score"), KeyResult(command=CheckScore()))
    yield from misdeals(context.table, tr)
    yield Choice(tr("Referee"), KeyResult(Choosing(MenuQuestion.REFEREE_MODE)))
    yield Choice(tr("Redo"), KeyResult(command=c.Redo()))
    yield Choice(tr("Phones"), KeyResult(Choosing(MenuQuestion.PHONES)))
    if context.club.state is not ClubState.NO_CLUB:
        start = seat_to_begin(context.club, context.table)
        yield Choice(
            tr("Club night"), KeyResult(SeatOffered(start, context.club.bracket) if start else TypingJoinCode())
        )
    if context.can_calibrate_wiring:
        yield Choice(tr("Calibrate wiring"), KeyResult(command=CalibrateWiring()))
    yield Choice(tr("Voice"), KeyResult(Choosing(MenuQuestion.VOICE)))
    if context.table is None or context.table.phase is Phase.OVER:  # it moves the pegs
        yield Choice(tr("Lesson by ear"), KeyResult(command=BeginLesson()))


def penalty_given(context: InputContext) -> KeyResult:
    """Gives the only penalty that is offered, or asks which of several: the board cannot always tell what happened."""
    match context.rulings:
        case [ruling]:
            return KeyResult(command=ruling)
        case _:
            return KeyResult(Choosing(MenuQuestion.PENALTY))


def penalties(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The penalties that are offered, one of which is given."""
    if context.table:
        for ruling in context.rulings:
            yield Choice(penalty_text(ruling, context.table, tr), KeyResult(command=ruling))


def misdeals(table: Table | None, tr: Translator) -> Iterator[Choice]:
    """Deal again. Where the dealer pays for a misdeal, an exposed card is another thing."""
    deal = table.deal.number if table and table.deal else None
    if table is None or table.rules.misdeal is Misdeal.REDEAL:
        yield Choice(tr("Misdeal"), KeyResult(command=c.Misdeal(deal)))
        return
    yield Choice(tr("Misdeal: 2 points"), KeyResult(command=c.Misdeal(deal)))
    yield Choice(tr("Card exposed"), KeyResult(command=c.Misdeal(deal, is_exposed=True)))


def dealers(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The players, one of whom deals first; none without a game."""
    for seat, name in enumerate(context.table.names if context.table else ()):
        yield Choice(name, KeyResult(command=c.ChooseDealer(Seat(seat))))


def movers(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The sides, one of which takes points by the keys; none without a game."""
    if context.table:
        for side in range(len(context.table.sides)):
            yield Choice(context.table.side_name(side), KeyResult(TypingPoints(side)))


def referee_modes(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """How much the referee announces."""
    yield Choice(tr("Says points"), KeyResult(command=SetRefereeMode(RefereeMode.TEACHER)))
    yield Choice(tr("Lights holes"), KeyResult(command=SetRefereeMode(RefereeMode.POLITE)))
    yield Choice(tr("When asked"), KeyResult(command=SetRefereeMode(RefereeMode.SILENT)))
    asks_or_tells = tr("Tell the count") if context.asks_counts else tr("Ask for the count")
    yield Choice(asks_or_tells, KeyResult(command=SetAsksCounts(not context.asks_counts)))


def voices(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The voice: on or off, its speed and volume, and how much it says."""
    now = context.voice
    on_or_off = tr("Turn it off") if now.is_on else tr("Turn it on")
    is_full = now.verbosity.is_full
    yield Choice(on_or_off, _with_voice(replace(now, is_on=not now.is_on)))
    yield Choice(tr("Slower"), _with_voice(replace(now, rate=max(SLOWEST, now.rate - RATE_STEP))))
    yield Choice(tr("Faster"), _with_voice(replace(now, rate=min(FASTEST, now.rate + RATE_STEP))))
    yield Choice(tr("Softer"), _with_voice(replace(now, volume=max(SOFTEST, now.volume - VOLUME_STEP))))
    yield Choice(tr("Louder"), _with_voice(replace(now, volume=min(LOUDEST, now.volume + VOLUME_STEP))))
    other = Verbosity.TERSE if is_full else Verbosity.FULL
    yield Choice(tr("Say less") if is_full else tr("Say more"), _with_voice(replace(now, verbosity=other)))


def _with_voice(voice: VoiceSettings) -> KeyResult:
    """The menu stays open, so that a press can be repeated."""
    return KeyResult(Choosing(MenuQuestion.VOICE), SetVoice(voice))


def cribs(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """Whose crib it is, before the cards for advice are typed."""
    yield Choice(tr("My crib"), KeyResult(TypingDeal(own_crib=True)))
    yield Choice(tr("Other’s crib"), KeyResult(TypingDeal(own_crib=False)))


def phones(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """Pair a new phone, or choose one to remove."""
    yield Choice(tr("Add a phone"), KeyResult(command=OpenPairing()))
    for phone in context.pairing_state.phones:
        yield Choice(phone.name, KeyResult(RemovingPhone(phone)))


def games(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The games from the settings, then each preset and each variant that is not among them."""
    offered = [*context.games]
    for rules in (*(preset.rules() for preset in PRESETS.values()), *VARIANTS.values()):
        if rules not in offered:
            offered.append(rules)
    for rules in offered:
        yield Choice(game_label(rules, tr), ask_board(rules, context))


def game_label(rules: RuleSet, tr: Translator) -> str:
    """The label of the preset, or the name of the variant if no preset has these rules."""
    for preset in PRESETS.values():
        if rules == preset.rules() and preset.options:
            return tr(preset.label)
    return tr(rules.variant.replace("_", " "))


def ask_board(rules: RuleSet, context: InputContext) -> KeyResult:
    """The menu of boards, or the one after it if there is only one board."""
    if len(context.offers) == 1:
        return ask_target(NewGame(rules, context.offers[0]))
    return KeyResult(Choosing(MenuQuestion.BOARD, NewGame(rules)))


def boards(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The boards that a new game can be played on."""
    for offer in context.offers:
        yield Choice(offer.board, ask_target(replace(game, offer=offer)))


def ask_target(game: NewGame) -> KeyResult:
    """The menu of targets; rules and board of the game are chosen."""
    return KeyResult(Choosing(MenuQuestion.TARGET, game))


def targets(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The targets that the board has room for, the usual one of the game first."""
    rules, offer = rules_and_board(game)
    for target in sorted(offer.targets, key=lambda target: target != rules.target):
        with_target = with_option(rules, "target", target)
        yield Choice(str(target), KeyResult(Choosing(MenuQuestion.READY, replace(game, rules=with_target))))


def ready(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """Start the game, change its house rules first, or let the program play the other seat."""
    rules, offer = rules_and_board(game)
    yield Choice(tr("Start"), KeyResult(command=c.StartGame(rules, context.names[: rules.players], offer.board)))
    yield Choice(tr("House rules"), KeyResult(Choosing(MenuQuestion.OPTION, game)))
    if rules.players == PLAYERS_WITH_PROGRAM:
        question = MenuQuestion.CARDS if context.has_card_reader else MenuQuestion.LEVEL
        yield Choice(tr("Against the board"), KeyResult(Choosing(question, game)))


def cards(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The program deals, or people do, and lay its hand on the card reader."""
    yield Choice(tr("The board deals"), KeyResult(Choosing(MenuQuestion.LEVEL, game)))
    yield Choice(tr("Your own pack"), KeyResult(Choosing(MenuQuestion.LEVEL, replace(game, is_dealt=False))))


def levels(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """How well the program plays. Each begins the game."""
    rules, offer = rules_and_board(game)
    labels = {Level.BEGINNER: tr("Beginner"), Level.CLUB: tr("Club player"), Level.EXPERT: tr("Expert")}
    for level, label in labels.items():
        names = (context.names[0], context.program_name)
        start = c.StartGame(rules, names, offer.board, is_dealt=game.is_dealt, levels=(None, level))
        yield Choice(label, KeyResult(command=start))


def house_rules(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """All options but those that the choice of the game has fixed. The way back to READY comes first."""
    yield Choice(tr("Done"), KeyResult(Choosing(MenuQuestion.READY, game)))
    for option in OPTIONS:
        if option.name not in ("target", "players", "sides", "skunk_lines"):
            yield Choice(
                option.name.replace("_", " "),
                KeyResult(Choosing(MenuQuestion.VALUE, replace(game, option=option.name))),
            )


def values(game: NewGame, context: InputContext, tr: Translator) -> Iterator[Choice]:
    """The values of one option, without those that do not go with other options. A dot marks the current one."""
    rules, _offer = rules_and_board(game)
    option = option_named(game.option)
    for value in option.choices:
        try:
            with_value = with_option(rules, option.name, value)
        except Refusal:
            continue
        is_now = getattr(rules, option.field) == getattr(with_value, option.field)
        label = value.replace("_", " ") + (" •" if is_now else "")
        yield Choice(label, KeyResult(Choosing(MenuQuestion.OPTION, replace(game, rules=with_value))))


CHOICES: dict[MenuQuestion, Callable[[NewGame, InputContext, Translator], Iterator[Choice]]] = {
    MenuQuestion.MENU: menu,
    MenuQuestion.DEALER: dealers,
    MenuQuestion.GAME: games,
    MenuQuestion.BOARD: boards,
    MenuQuestion.TARGET: targets,
    MenuQuestion.READY: ready,
    MenuQuestion.CARDS: cards,
    MenuQuestion.LEVEL: levels,
    MenuQuestion.OPTION: house_rules,
    MenuQuestion.VALUE: values,
    MenuQuestion.MOVER: movers,
    MenuQuestion.CRIB: cribs,
    MenuQuestion.REFEREE_MODE: referee_modes,
    MenuQuestion.VOICE: voices,
    MenuQuestion.PHONES: phones,
    MenuQuestion.PENALTY: penalties,
}


def rules_and_board(game: NewGame) -> tuple[RuleSet, OfferedBoard]:
    """Both are chosen by the time a menu after BOARD is open."""
    assert game.rules is not None and game.offer is not None
    return game.rules, game.offer


def with_option(rules: RuleSet, option: str, value: object) -> RuleSet:
    """The rules with one option changed, with the defaults that depend on it, such as skunk lines, and without the
    options that need another value of it. Raises OptionsClash or PointlessOption."""
    return consistent_rules(rules.variant, {**options_of(rules), option: value}, chosen=(option,)).rules


def option_named(name: str) -> Option:
    """The option of this name. Raises StopIteration if there is none."""
    return next(option for option in OPTIONS if option.name == name)
