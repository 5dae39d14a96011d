"""The tagged deck: what is taught, what is refused, and a file that is whole or told as broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_host.cribbage.cards import PACK, parse_card
from firmware_host.deck import Deck, DeckFault, TagTaken, TagUnknown

FIVE, JACK = parse_card("5H"), parse_card("JS")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "deck.json"


def test_what_was_taught_is_known_after_a_restart(file: Path) -> None:
    for number, card in enumerate(PACK):
        Deck(file).teach(f"04A1{number:04X}", card)
    deck = Deck(file)
    assert not deck.missing
    assert [deck.card_of(f"04A1{number:04X}") for number in range(52)] == list(PACK)


def test_a_tag_is_one_card_and_a_card_is_one_tag(file: Path) -> None:
    deck = Deck(file)
    deck.teach("04A1", FIVE)
    deck.teach("04A1", FIVE)
    with pytest.raises(TagTaken, match="expected a new tag for JS, got the tag of 5H"):
        deck.teach("04A1", JACK)
    deck.teach("04B2", FIVE)
    assert dict(Deck(file).cards) == {"04B2": FIVE}, "a card whose tag was replaced"


def test_a_card_that_was_forgotten_is_asked_for_again(file: Path) -> None:
    deck = Deck(file)
    deck.teach("04A1", FIVE)
    assert FIVE not in deck.missing
    deck.forget(FIVE)
    assert FIVE in Deck(file).missing


def test_a_bar_code_that_is_the_cards_name_needs_no_teaching(file: Path) -> None:
    assert Deck(file).card_of("5h") is FIVE


def test_an_unknown_tag_says_how_it_is_taught(file: Path) -> None:
    with pytest.raises(TagUnknown, match="04FF.*cribboard deck teach"):
        Deck(file).card_of("04FF")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"deck": 2, "tags": {}}',
        '{"deck": 1, "tags": []}',
        '{"deck": 1, "tags": {"04": "5X"}}',
        '{"deck": 1, "tags": {"04": 7}}',
        '{"deck": 1, "tags": {"04": "5H", "05": "5H"}}',
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_file_that_is_no_deck_is_told_and_left_as_it_is(file: Path, text: str) -> None:
    told = text.encode("utf-8", "surrogateescape")
    file.parent.mkdir()
    file.write_bytes(told)
    with pytest.raises(DeckFault, match="expected a deck as it was taught, got .*; put it right") as caught:
        Deck(file)
    assert caught.value.where == str(file) and "\n" not in str(caught.value)
    assert file.read_bytes() == told


def test_a_deck_that_cannot_be_written_stays_as_it_was(file: Path) -> None:
    deck = Deck(file)
    deck.teach("04A1", FIVE)
    before = file.read_text()
    file.with_suffix(".new").mkdir()
    with pytest.raises(DeckFault, match="expected to write the deck, got Is a directory"):
        deck.teach("04B2", JACK)
    assert dict(deck.cards) == {"04A1": FIVE} and file.read_text() == before
    assert json.loads(before) == {"deck": 1, "tags": {"04A1": "5H"}}
