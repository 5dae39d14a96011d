"""What is refused, in the words of people: every kind, whole in every language, and short enough for the display."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host import deck, demo, house, phones, porch
from firmware_host.cribbage import refusals as paper
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.languages import LANGUAGES, words
from firmware_host.table import refusals as table
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.orders import StartGame
from firmware_host.table.refusing import say_refused
from firmware_host.table.scoreboard import COLUMNS, FIRST_LINES, page, wrapped
from firmware_host.table.state import Phase
from tests.translations.catalogue import ROOMS, ROOT, forms, refusals, template
from tests.translations.hearing import Hearing
from tests.translations.test_catalogue import places
from web_panel import api, copies, my, seats, wishes

LONG = "Maximilian Christopherus"
"""As long as the page lets a name be; a phone's is shorter."""
TEN = parse_card("TH")


def refused(kind: type[Refusal], **evidence: object) -> Refusal:
    return kind("this", "that", "", "mend it", **evidence)


AT_THE_BOARD = (
    refused(paper.DuplicateCard),
    *(refused(paper.WrongNumberOfCards, number=number) for number in (1, 2, 6)),
    refused(paper.OptionsClash),
    refused(paper.OverThirtyOne),
    refused(paper.FalseGo),
    refused(paper.PlayIsOver),
    refused(table.NoGame),
    refused(table.GameIsOver, name=LONG),
    refused(table.GameHoleFirst, name=LONG),
    *(table.WrongPhase("this", phase) for phase in Phase),
    refused(table.OutOfTurn, name=LONG),
    *(refused(table.WrongDeal, name=LONG, number=number) for number in (1, 5, 6)),
    *(refused(table.WrongDiscard, name=LONG, number=number) for number in (1, 2)),
    refused(table.CardNotHeld, name=LONG, card=TEN),
    refused(table.CardMissing, name=LONG, card=TEN),
    refused(table.CardsUntold),
    refused(table.CardSeenElsewhere, card=TEN),
    refused(table.WrongShowOrder, name=LONG),
    refused(table.NothingToUndo),
    refused(table.NothingToRedo),
    refused(table.BidTooLow, number=99),
    refused(table.ExceedsScore, name=LONG, number=99),
    refused(table.NoMuggins),
    refused(table.NoMugginsNow),
    refused(table.NoMugginsYet),
    refused(table.PegsMoveThemselves),
    refused(table.NotASeat),
    refused(table.NotAScore, number=121),
    refused(house.BoardCannot),
    refused(deck.TagUnknown),
    refused(phones.NoSuchPhone),
    porch.DoorLocked(porch.LOCKED_S),
)
AT_A_PHONE = (
    refused(paper.NotACard),
    refused(demo.GameUnderWay),
    refused(phones.SeatTaken, name=LONG),
    refused(my.SeatInPlay, name=LONG),
    refused(porch.WrongCode),
    refused(porch.DoorClosed),
    refused(porch.OneAtATime),
    refused(porch.NotLetIn),
    refused(porch.TurnedAway),
    refused(wishes.NoSeat),
    refused(my.NoPhone),
    refused(seats.NotYourSeat, name=LONG),
    refused(seats.StillInHand, name=LONG),
    refused(seats.TooManyClashes),
    refused(copies.OutOfStep),
    refused(copies.NoFile),
    refused(api.OutOfReach),
)
"""The keys and the reader of cards cannot provoke them; a page has room."""

TECHNICAL = {
    *("unknown_variant", "unknown_option", "unknown_choice", "not_a_record"),
    *("not_json", "missing_field", "wrong_type", "wrong_value", "tag_taken"),
}
"""Only a program, a file or a command line can provoke them: they have no other words than their line in English."""

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def test_every_kind_has_a_sentence_for_people_or_is_technical() -> None:
    assert {kind for kind in refusals() if not kind.sentence and kind is not table.WrongPhase} == {
        kind for kind in refusals() if kind.kind in TECHNICAL
    }
    assert {type(refusal) for refusal in (*AT_THE_BOARD, *AT_A_PHONE)} == {
        kind for kind in refusals() if kind.kind not in TECHNICAL
    }


@in_every_language
def test_it_is_whole_and_in_the_catalogue(language: str) -> None:
    hearing = Hearing(words(language))
    said = [say_refused(refusal, hearing) for refusal in (*AT_THE_BOARD, *AT_A_PHONE)]
    assert all(said) and not any("{" in sentence or "expected" in sentence for sentence in said)
    assert hearing.heard <= {forms(message.id) for message in template()}


@in_every_language
@pytest.mark.parametrize("refusal", AT_THE_BOARD, ids=lambda refusal: str(type(refusal).__name__))
def test_it_fits_the_display_with_the_longest_names(refusal: Refusal, language: str) -> None:
    lines = [text for text, _ in wrapped(say_refused(refusal, words(language)), FIRST_LINES + 1)]
    assert len(lines) <= FIRST_LINES and max(map(len, lines)) <= COLUMNS, lines


@pytest.mark.parametrize("variant", ["six_card", "three_hand", "auction"])
def test_the_page_has_room_for_it_and_for_the_scores(variant: str) -> None:
    rules = VARIANTS[variant]
    game = Chronicle()
    game = game.after(game.decide(StartGame(rules, (LONG,) * rules.players)))
    for at in (None, game.table):
        shown = page("Long " * 40, at, "Said " * 40)
        assert sum(scale for _, scale in shown) == 8 and [scale for _, scale in shown].count(1) >= FIRST_LINES


def test_it_tells_cards_by_their_signs_and_counts_in_every_language() -> None:
    assert say_refused(refused(table.CardNotHeld, name="Ann", card=TEN)) == "Ann does not hold T♥"
    one, two = (refused(table.WrongDiscard, name="Аня", number=number) for number in (1, 2))
    assert say_refused(one, words("ru")) == "Аня откладывает 1 карту"
    assert say_refused(two, words("ru")) == "Аня откладывает 2 карты"


def test_what_only_a_program_provokes_keeps_its_line() -> None:
    refusal = refused(paper.UnknownVariant)
    assert say_refused(refusal, words("fr")) == str(refusal) == "expected this, got that; mend it"


def test_whoever_refuses_tells_the_evidence_that_the_sentence_needs() -> None:
    kinds = {kind.__name__: kind for kind in refusals()}
    lacking = []
    for file, call in calls():
        kind = kinds.get(getattr(call.func, "id", ""))
        if kind and "__init__" not in vars(kind):
            told = {keyword.arg for keyword in call.keywords} | {"got"}
            lacking += [f"{file}:{call.lineno}: {place}" for place in needed(kind) - told]
    assert lacking == []


def needed(kind: type[Refusal]) -> set[str]:
    return places(kind.sentence + kind.sentence_of_many)


def calls() -> Iterator[tuple[Path, ast.Call]]:
    for room in ROOMS:
        for file in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield file, node
