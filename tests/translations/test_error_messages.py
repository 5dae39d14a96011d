"""Error messages: each kind of refusal has a sentence, complete in every language and short enough for the OLED."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from firmware_host.club import member_list
from firmware_host.club import rule_errors as club_errors
from firmware_host.config import card_tags
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage import rule_errors as cribbage_errors
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.compatibility import NEEDS
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game import rule_errors as game_errors
from firmware_host.game.commands import StartGame
from firmware_host.game.history import History
from firmware_host.game.state import Phase
from firmware_host.host import setup
from firmware_host.pairing import names, pairing, registry
from firmware_host.stats import people
from firmware_host.ui.display.oled_page import COLUMNS, PROMPT_LINES, page, wrap_text
from firmware_host.ui.texts.error_messages import error_message
from firmware_host.ui.wizard import wizard
from tests.translations.catalogue import PACKAGES, ROOT, forms, refusals, template
from tests.translations.recording_translator import RecordingTranslator
from tests.translations.test_catalogue import placeholders
from web_panel.api import commands, me, routes
from web_panel.pages import restores
from web_panel.security import hand_owners, seat_access

LONG = "Maximilian Christopherus"
"""The longest name that the page accepts for a player; the name of a phone is shorter."""
TEN = parse_card("TH")


def refused(kind: type[Refusal], **evidence: object) -> Refusal:
    return kind("this", "that", "", "fix it", **evidence)


AT_THE_BOARD = (
    refused(cribbage_errors.DuplicateCard),
    *(refused(cribbage_errors.WrongNumberOfCards, number=number) for number in (1, 2, 6)),
    refused(cribbage_errors.OptionsClash),
    refused(cribbage_errors.PointlessOption),
    refused(cribbage_errors.OverThirtyOne),
    refused(cribbage_errors.FalseGo),
    refused(cribbage_errors.PlayIsOver),
    refused(game_errors.NoGame),
    refused(game_errors.GameIsOver, name=LONG),
    refused(game_errors.NoBreach),
    refused(game_errors.ClaimedAlready),
    refused(game_errors.MomentIsOver),
    refused(game_errors.NothingToConfirm),
    refused(game_errors.GameHoleFirst, name=LONG),
    *(game_errors.WrongPhase("this", phase) for phase in Phase),
    refused(game_errors.DealIsOver),
    refused(game_errors.OutOfTurn, name=LONG),
    *(refused(game_errors.WrongDeal, name=LONG, number=number) for number in (1, 5, 6)),
    *(refused(game_errors.WrongDiscard, name=LONG, number=number) for number in (1, 2)),
    refused(game_errors.CardNotHeld, name=LONG, card=TEN),
    refused(game_errors.CardMissing, name=LONG, card=TEN),
    refused(game_errors.CardsNotEntered),
    refused(game_errors.CardSeenElsewhere, card=TEN),
    refused(game_errors.WrongShowOrder, name=LONG),
    refused(game_errors.NothingAsked),
    refused(game_errors.NothingToUndo),
    refused(game_errors.NothingToRedo),
    refused(game_errors.CardsWereSeen),
    refused(game_errors.ProgramDealsCards),
    refused(game_errors.CardsAreEntered),
    refused(game_errors.NotForPeople, name=LONG),
    refused(game_errors.OpponentNeedsDealtCards),
    refused(game_errors.OpponentHasNoCards, name="Ann"),
    refused(game_errors.BidTooLow, number=99),
    refused(game_errors.ExceedsScore, name=LONG, number=99),
    refused(game_errors.BidTooHigh, name=LONG, number=242),
    refused(game_errors.NoMuggins),
    refused(game_errors.NoMugginsNow),
    refused(game_errors.NoMugginsYet),
    refused(game_errors.PegsMoveThemselves),
    refused(game_errors.NotASeat),
    refused(game_errors.NotAScore, number=121),
    refused(setup.GameDoesNotFitBoard),
    refused(card_tags.UnknownTag),
    refused(registry.NoSuchPhone),
)
AT_A_PHONE = (
    refused(cribbage_errors.NotACard),
    refused(registry.SeatTaken, name=LONG),
    refused(me.SeatInPlay, name=LONG),
    refused(pairing.WrongCode),
    refused(pairing.PairingClosed),
    refused(pairing.PairingBusy),
    refused(pairing.NotPaired),
    refused(pairing.PairingRejected),
    refused(names.BlankName),
    refused(names.MixedAlphabets),
    refused(names.LookAlikeName, name=LONG),
    refused(registry.LastOwner),
    pairing.PairingLocked(pairing.LOCKED_S),
    refused(commands.NoSeat),
    refused(me.NoPhone),
    refused(hand_owners.NotYourCards),
    refused(seat_access.NotYourSeat, name=LONG),
    refused(seat_access.NotSeated, name=LONG),
    refused(seat_access.StillInHand, name=LONG),
    refused(seat_access.TooManyProbes),
    refused(restores.UnexpectedChunk),
    refused(restores.NoFile),
    refused(restores.RestoreRuns),
    refused(restores.BackupRefused),
    refused(restores.BackupTooNew),
    refused(routes.OutOfReach),
    refused(wizard.WizardClosed),
    refused(wizard.NoSuchStep),
    refused(people.UnknownPerson, name=LONG),
    refused(people.AlreadyOnePerson, name=LONG, other=LONG),
    refused(people.PlayedTogether, name=LONG, other=LONG),
    refused(people.NotMerged, name=LONG),
    *(
        refused(kind, name=LONG, number=2, round=2, other=3)
        for kind in vars(club_errors).values()
        if isinstance(kind, type) and issubclass(kind, Refusal) and kind is not Refusal
    ),
    refused(club_errors.GamesOpen, number=1),
    member_list.ListRefused(()),
)
"""Keys and card reader cannot cause these, so they are shown on a page only, which has room."""

TECHNICAL = {
    *("unknown_variant", "unknown_option", "unknown_choice", "not_a_record"),
    *("not_a_pack", "not_json", "missing_field", "wrong_type", "wrong_value", "tag_taken"),
}
"""Only a program, a file or a command line can cause these: they keep their technical line in English."""

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def test_every_kind_has_a_sentence_or_is_technical() -> None:
    assert {kind for kind in refusals() if not kind.sentence and kind is not game_errors.WrongPhase} == {
        kind for kind in refusals() if kind.kind in TECHNICAL
    }
    assert {type(refusal) for refusal in (*AT_THE_BOARD, *AT_A_PHONE)} == {
        kind for kind in refusals() if kind.kind not in TECHNICAL
    }


@in_every_language
def test_every_message_is_filled_in_and_in_the_catalogue(language: str) -> None:
    recorder = RecordingTranslator(translator(language))
    sentences = [error_message(refusal, recorder) for refusal in (*AT_THE_BOARD, *AT_A_PHONE)]
    assert all(sentences) and not any("{" in sentence or "expected" in sentence for sentence in sentences)
    assert recorder.requested <= {forms(message.id) for message in template()}


@in_every_language
@pytest.mark.parametrize("refusal", AT_THE_BOARD, ids=lambda refusal: str(type(refusal).__name__))
def test_a_message_fits_the_oled_with_the_longest_names(refusal: Refusal, language: str) -> None:
    lines = [text for text, _ in wrap_text(error_message(refusal, translator(language)), PROMPT_LINES + 1)]
    assert len(lines) <= PROMPT_LINES and max(map(len, lines)) <= COLUMNS, lines


@pytest.mark.parametrize("variant", ["six_card", "three_hand", "auction"])
def test_a_page_has_room_for_a_message_and_the_scores(variant: str) -> None:
    rules = VARIANTS[variant]
    game = History()
    game = game.after(game.decide(StartGame(rules, (LONG,) * rules.players)))
    for state in (None, game.table):
        shown = page("Long " * 40, state, "Last " * 40)
        assert sum(scale for _, scale in shown) == 8 and [scale for _, scale in shown].count(1) >= PROMPT_LINES


def test_a_message_shows_suit_symbols_and_plural_forms() -> None:
    assert error_message(refused(game_errors.CardNotHeld, name="Ann", card=TEN)) == "Not in Ann’s hand: 10♥."
    queen = refused(game_errors.CardNotHeld, name="Ann", card=parse_card("Q", rank_only=True))
    assert error_message(queen) == "Not in Ann’s hand: a queen."
    one, two = (refused(game_errors.WrongDiscard, name="Аня", number=number) for number in (1, 2))
    assert error_message(one, translator("ru")) == "Аня сбрасывает 1 карту."
    assert error_message(two, translator("ru")) == "Аня сбрасывает 2 карты."


def test_a_technical_refusal_keeps_its_english_line() -> None:
    refusal = refused(cribbage_errors.UnknownVariant)
    assert error_message(refusal, translator("fr")) == str(refusal) == "expected this, got that; fix it"


def test_every_refusal_is_raised_with_the_evidence_its_sentence_needs() -> None:
    kinds = {kind.__name__: kind for kind in refusals()}
    lacking = []
    for file, call in calls(kinds):
        kind = kinds.get(getattr(call.func, "id", ""))
        if kind and "__init__" not in vars(kind):
            given = {keyword.arg for keyword in call.keywords} | {"got"}
            lacking += [f"{file}:{call.lineno}: {name}" for name in needed(kind) - given]
    assert lacking == []


def needed(kind: type[Refusal]) -> set[str]:
    return placeholders(kind.sentence + kind.sentence_of_many)


def calls(names: Collection[str]) -> Iterator[tuple[Path, ast.Call]]:
    """All calls in the files that have one of the names."""
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if any(f"{name}(" in text for name in names):
                yield from ((file, node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reason_why_house_rules_do_not_go_together_fits(language: str) -> None:
    for need in NEEDS:
        assert len(wrap_text(translator(language)(need.sentence), COLUMNS)) <= PROMPT_LINES, need.sentence
