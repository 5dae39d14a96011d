"""What is said: numbers, cards and counts in words, in every language, and nothing that is private."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from firmware_host.board.course import Course, Hole
from firmware_host.config.board_plans import load_plan
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.history import History, Turn
from firmware_host.game.state import Table
from firmware_host.tracking.readings import Fault, TrackFault
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.pairing_prompt import PairingState
from firmware_host.ui.phases.wordings import spoken_without_keys
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.shown import shown_of
from firmware_host.ui.situation import game_situation
from firmware_host.ui.spoken.input import spoken_input
from firmware_host.ui.spoken.prompts import holes_between, spoken_fault, spoken_positions, spoken_prompt
from firmware_host.ui.spoken.turns import spoken_turn
from firmware_host.ui.spoken.wizard import spoken_wizard
from firmware_host.ui.texts.cadence import NUMBERS
from firmware_host.ui.texts.messages import event_message
from firmware_host.ui.texts.spoken_words import Spoken, card_in_words, for_ear, number_in_words
from firmware_host.ui.translator import Translator, untranslated
from firmware_host.ui.voice import Verbosity
from firmware_host.ui.wizard.wizard import KEYS, HoleResult, Wizard, name_of
from firmware_host.ui.wizard_commands import Question, Step
from tests.game.random_player import GAMES, play_game
from tests.translations.catalogue import forms, template
from tests.translations.recording_translator import RecordingTranslator
from tests.ui.test_messages_in_languages import EVENTS, HANDS, INPUT_STATES, OFFER, PHONE, TABLES

in_every_language = pytest.mark.parametrize("language", LANGUAGES)
COURSE = Course(60, 61, 121)
PLAN = load_plan("classic-61")
WIZARDS = (
    *(Wizard(step=step) for step in Step),
    *(Wizard(step=step, answers=dict.fromkeys(Question, True)) for step in (Step.LIGHTS, Step.SOUND)),
    *(Wizard(step=Step.KEYS, keys=frozenset(keys)) for keys in (KEYS, KEYS[1:])),
    Wizard(step=Step.SENSORS, holes={name_of(PLAN, hole): HoleResult.WORKS for hole in PLAN.holes}),
)
ONE_OF_EACH_PHASE = tuple({table.phase: table for table in TABLES}.values())


def context_of(table: object) -> k.InputContext:
    names = ("Ann", "Ben")
    state = PairingState(phones=(PHONE,))
    return k.InputContext(table, False, (OFFER,), tuple(VARIANTS.values()), names, state)  # type: ignore[arg-type]


def played(*commands: c.Command, **options: object) -> History:
    """A game of Ann and Ben, in which Ben deals."""
    history = History()
    for command in (
        c.StartGame(rules_for("six_card", options), ("Ann", "Ben"), dealer=Seat(1), sides_on_board=2),
        *commands,
    ):
        history = history.after(history.decide(command))
    return history


def said(history: History, verbosity: Verbosity = Verbosity.FULL, mode: RefereeMode = RefereeMode.TEACHER) -> str:
    assert history.last
    return " ".join(spoken_turn(history.last, untranslated, mode, None, verbosity))


def spoken_now(table: Table | None, entered: k.InputState, tr: Translator) -> Spoken | None:
    """What is said while no peg moves or stands wrong."""
    shown = None if table is None else shown_of(table)
    situation = game_situation(shown, entered, (), ())
    return spoken_prompt(situation, shown, context_of(table), entered, COURSE, tr)


def prompt(history: History) -> str:
    spoken = spoken_now(history.table, k.Idle(), untranslated)
    assert spoken
    return spoken.text


def spoken_in(tr: Translator) -> Iterator[str]:
    """What the board can say, with every event, input and phase."""
    for verbosity in Verbosity:
        for event in EVENTS:
            turn = Turn((event,), TABLES[1], None)
            yield " ".join(spoken_turn(turn, tr, verbosity=verbosity))
    for table in ONE_OF_EACH_PHASE:
        for entered in (*INPUT_STATES, *(HANDS if table.to_count else ())):
            spoken = spoken_now(table, entered, tr)
            if spoken and not (isinstance(entered, k.Choosing) and entered.question is k.MenuQuestion.VALUE):
                yield spoken.text
        yield spoken_positions(table, COURSE, tr)
    for wizard in WIZARDS:
        yield spoken_wizard(wizard, PLAN, tr).text
    for fault in Fault:
        yield spoken_fault(TABLES[1], TrackFault(0, fault, (Hole(37),), (Hole(41),)), COURSE, tr).text
        yield spoken_fault(TABLES[1], TrackFault(0, fault, (), (Hole(37), Hole(0))), COURSE, tr).text


@in_every_language
def test_every_sentence_is_in_the_catalogue_and_has_words_instead_of_digits_and_symbols(language: str) -> None:
    recorder = RecordingTranslator(translator(language))
    sentences = [*spoken_in(recorder)]
    assert [sentence for sentence in sentences if re.search(r"[{}♠♥♦♣_→+]|(?<!ACC )\d", sentence)] == []
    assert recorder.requested <= {forms(message.id) for message in template()}


@in_every_language
def test_whole_games_are_said_in_words(language: str) -> None:
    tr = translator(language)
    for name in ("six_card", "auction", "four_partners"):
        for history in play_game(GAMES[name], seed=5):
            assert history.last
            for sentence in spoken_turn(history.last, tr):
                assert not re.search(r"[{}♠♥♦♣→+]|(?<!P)\d", sentence), sentence


@in_every_language
def test_numbers_up_to_the_highest_score_are_different_words(language: str) -> None:
    words = [number_in_words(number, translator(language)) for number in range(242)]
    assert len(set(words)) == 242 and not any(word.isdecimal() for word in words)
    assert words[:60] == [translator(language)(number) for number in NUMBERS]


@in_every_language
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.phase.value)
def test_a_page_says_no_key_of_the_board(language: str, table: Table) -> None:
    said = spoken_without_keys(table, translator(language))
    assert said and not re.search(r"ENTER|UNDO|FN|[{}♠♥♦♣_→+]|(?<!ACC )\d", said), said


@in_every_language
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_what_the_page_and_the_display_tell_is_said(language: str, event: e.Event) -> None:
    tr = translator(language)
    said = spoken_turn(Turn((event,), TABLES[1], None), tr)
    assert bool(said) is bool(event_message(event, TABLES[1], tr)), said


@pytest.mark.parametrize(
    ("scores", "target", "margin"),
    [
        ((121, 91), 121, ""),
        ((121, 90), 121, " It is a skunk."),
        ((121, 60), 121, " It is a double skunk."),
        ((61, 30), 61, " It is a lurch."),
    ],
)
def test_a_win_tells_its_margin_as_the_page_does(scores: tuple[int, int], target: int, margin: str) -> None:
    history = History()
    for command in (
        c.StartGame(rules_for("six_card", {"target": target}), ("Ann", "Ben"), scores=(scores[0] - 1, scores[1])),
        c.CorrectScore(0, scores[0], "home"),
    ):
        history = history.after(history.decide(command))
    assert history.last
    table = history.last.table
    won = e.GameWon(0)
    assert spoken_turn(Turn((won,), table, None), untranslated) == (f"Ann wins the game!{margin}",)
    assert event_message(won, table, untranslated) == f"Ann wins the game!{margin}"


def test_cards_and_texts_of_the_display_are_put_into_words() -> None:
    assert card_in_words(parse_card("10H"), untranslated) == "ten of hearts"
    assert card_in_words(parse_card("A", rank_only=True), untranslated) == "an ace"
    assert for_ear("Not in Ann’s hand: 5♥.", untranslated) == "Not in Ann’s hand: five of hearts."
    assert for_ear("That makes more than 31.", untranslated) == "That makes more than thirty-one."


def test_a_card_is_said_with_the_count_and_its_points_as_players_call_them() -> None:
    history = played(c.CutStarter(parse_card("2C")), c.PlayCard(parse_card("10H")))
    assert said(history) == "Ann: ten of hearts. Ten."
    assert prompt(history) == "Ben to play."
    history = history.after(history.decide(c.PlayCard(parse_card("5S"))))
    assert said(history) == "Ben: five of spades. Fifteen for two, Ben."
    assert said(history, Verbosity.TERSE) == "Fifteen for two, Ben."
    assert said(history, mode=RefereeMode.POLITE) == "Ben: five of spades. Fifteen."
    assert prompt(history) == "Ben, peg two, to two."


def test_a_hand_is_counted_in_cadence_and_its_points_are_sent_to_their_hole() -> None:
    history = played(c.CutStarter(parse_card("5C")), c.EndPlay(), c.CountHand(parse_cards("5H 5S 5D JC")))
    assert said(history) == (
        "Ann’s hand: a five, a five, a five, a jack. Fifteen two, fifteen four, fifteen six, fifteen eight,"
        " fifteen ten, fifteen twelve, fifteen fourteen,"
        " fifteen sixteen, a double pair royal is twenty-eight, and his nobs is"
        " twenty-nine."
    )
    assert said(history, Verbosity.TERSE) == "Ann’s hand: twenty-nine."
    assert prompt(history) == "Ann, peg twenty-nine, to twenty-nine."


def test_other_languages_end_a_count_with_the_sum() -> None:
    history = played(c.CutStarter(parse_card("2C")), c.EndPlay(), c.CountHand(parse_cards("6H 6S 9D KC")))
    assert history.last
    endings = ("is six.", "Total\N{NO-BREAK SPACE}: six.", "Всего шесть.", "Razem sześć.")
    for language, ending in zip(LANGUAGES, endings, strict=True):
        assert spoken_turn(history.last, translator(language))[-1].endswith(ending)


def test_with_muggins_by_claim_points_are_not_said_before_they_are_pegged() -> None:
    cut, ten, five = (c.CutStarter(parse_card("2C")), c.PlayCard(parse_card("10H")), c.PlayCard(parse_card("5S")))
    history = played(cut, ten, five, muggins_mode="claim")
    assert said(history) == "Ben: five of spades. Fifteen."
    assert prompt(history) == "Ann to play."


def test_the_next_deal_says_what_it_would_lose_and_both_keys() -> None:
    cards = [c.PlayCard(parse_card(card)) for card in ["10H", "5S", "KS", "6D", "7D", "8D", "QC", "4C"]]
    history = played(c.CutStarter(parse_card("9H")), *cards, *[c.SkipHand()] * 3)
    assert prompt(history) == "Ben, peg seven, to seven."
    question = spoken_input(k.ConfirmingNextDeal(1), context_of(history.table), untranslated)
    assert question and question.text == (
        "End this deal? Ben can still peg seven. UNDO: peg them first. ENTER: next deal without them."
    )
    assert said(history.after(history.decide(c.NextDeal(1)))) == "Ben missed seven. Ann deals."


def test_a_hand_that_a_phone_entered_is_not_said() -> None:
    dealt = parse_cards("AH 3D 5S 7C 9H JD")
    assert said(played(c.DealHand(Seat(0), dealt))) == ""
    assert said(played(c.DealHand(Seat(0), dealt), c.DiscardCards(Seat(0), dealt[:2]))) == ""


def test_cards_typed_for_advice_are_counted_and_not_named() -> None:
    typed = k.TypingDeal(own_crib=True, cards=parse_cards("5H 5S"))
    spoken = spoken_input(typed, context_of(TABLES[1]), untranslated)
    assert spoken and spoken.text == "Card three of six."


def test_a_card_typed_twice_is_two_things_to_say() -> None:
    table = next(table for table in TABLES if table.to_count)
    five = parse_card("5", rank_only=True)
    one, two = (spoken_input(k.TypingHand((five,) * number), context_of(table), untranslated) for number in (1, 2))
    assert one and two and one.text == two.text == "a five." and one != two


def test_a_menu_is_said_with_the_key_of_each_choice() -> None:
    table = replace(TABLES[1], names=("Ann", "Ben"))
    spoken = spoken_input(k.Choosing(k.MenuQuestion.DEALER), context_of(table), untranslated)
    assert spoken and spoken.text == "Who deals? Ace: Ann. Two: Ben."


def test_a_wrong_peg_is_sent_back_by_the_shorter_way() -> None:
    assert [holes_between(Hole(a), Hole(b), COURSE) for a, b in ((5, 8), (8, 5), (58, 2), (2, 58), (0, 3))] == [
        *(3, -3, 4, -4, 3)
    ]
    fault = TrackFault(0, Fault.OFF_LAP, (Hole(9),), (Hole(7),))
    spoken = spoken_fault(replace(TABLES[1], names=("Ann", "Ben")), fault, COURSE, untranslated)
    assert spoken.text == "A peg is in a wrong hole: Ann. From nine back two, to seven."


def test_positions_are_said_side_by_side() -> None:
    table = TABLES[1]
    assert spoken_positions(replace(table, names=("Ann", "Ben")), COURSE, untranslated).startswith("Ann: ")


def test_a_correction_is_said() -> None:
    turn = Turn((e.ScoreCorrected(0, 60, "ACC 8.3"),), replace(TABLES[1], names=("Ann", "Ben")), None)
    assert spoken_turn(turn, untranslated) == ("Corrected: Ann sixty (ACC eight.three).",)
