"""The languages of the board, as they are read at run time."""

from __future__ import annotations

import pytest

from firmware_host.languages import LANGUAGES, UnknownLanguage, words
from firmware_host.table.words import Words

MISSED = ("{name} missed {points} point.", "{name} missed {points} points.")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Who deals?"), ("fr", "Qui donne\N{NARROW NO-BREAK SPACE}?"), ("ru", "Кто сдаёт?"), ("pl", "Kto rozdaje?")],
)
def test_a_sentence_is_said_in_the_language(language: str, sentence: str) -> None:
    spoken: Words = words(language)
    assert spoken("Who deals?") == sentence


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", {"missed 1 point.": (1,), "missed {} points.": (0, 2, 5, 11, 21, 22, 25, 111, 121)}),
        ("fr", {"oublie {} point.": (0, 1), "oublie {} points.": (2, 5, 11, 21, 22, 25, 111, 121)}),
        (
            "ru",
            {
                "упускает {} очко.": (1, 21, 121),
                "упускает {} очка.": (2, 3, 4, 22, 24),
                "упускает {} очков.": (0, 5, 11, 12, 14, 20, 25, 111),
            },
        ),
        (
            "pl",
            {
                "przegapia {} punkt.": (1,),
                "przegapia {} punkty.": (2, 3, 4, 22, 24),
                "przegapia {} punktów.": (0, 5, 11, 12, 14, 20, 21, 25, 111, 121),
            },
        ),
    ],
)
def test_a_noun_agrees_with_its_number(language: str, forms: dict[str, tuple[int, ...]]) -> None:
    for form, numbers in forms.items():
        for number in numbers:
            said = words(language).counted(*MISSED, number).format(name="Ann", points=number)
            assert said == f"Ann {form.format(number)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_no_catalogue_holds_stays_english(language: str) -> None:
    assert words(language)("Not a sentence of the board.") == "Not a sentence of the board."
    assert words(language).counted("{n} frog", "{n} frogs", 2) == "{n} frogs"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_read_once(language: str) -> None:
    assert words(language) is words(language)


@pytest.mark.parametrize("language", ["de", "FR", "", "../fr"])
def test_an_unknown_language_is_refused_by_name(language: str) -> None:
    with pytest.raises(UnknownLanguage, match=f"expected one of en, fr, ru, pl, got {language!r}"):
        words(language)
