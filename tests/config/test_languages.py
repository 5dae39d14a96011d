"""The compiled catalogues, as the program reads them at run time."""

from __future__ import annotations

import pytest

from firmware_host.config.languages import LANGUAGES, UnknownLanguage, translator
from firmware_host.ui.translator import Translator

MISSED = ("{name} missed {points} point.", "{name} missed {points} points.")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Who deals?"), ("fr", "Qui donne\N{NARROW NO-BREAK SPACE}?"), ("ru", "Кто сдаёт?"), ("pl", "Kto rozdaje?")],
)
def test_a_sentence_is_translated(language: str, sentence: str) -> None:
    translate: Translator = translator(language)
    assert translate("Who deals?") == sentence


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", {"Ann missed 1 point.": (1,), "Ann missed {} points.": (0, 2, 5, 11, 21, 22, 25, 111, 121)}),
        ("fr", {"Ann oublie {} point.": (0, 1), "Ann oublie {} points.": (2, 5, 11, 21, 22, 25, 111, 121)}),
        (
            "ru",
            {
                "Ann: пропущено {} очко.": (1, 21, 121),
                "Ann: пропущено {} очка.": (2, 3, 4, 22, 24),
                "Ann: пропущено {} очков.": (0, 5, 11, 12, 14, 20, 25, 111),
            },
        ),
        (
            "pl",
            {
                "Ann przegapia {} punkt.": (1,),
                "Ann przegapia {} punkty.": (2, 3, 4, 22, 24),
                "Ann przegapia {} punktów.": (0, 5, 11, 12, 14, 20, 21, 25, 111, 121),
            },
        ),
    ],
)
def test_the_plural_form_agrees_with_the_number(language: str, forms: dict[str, tuple[int, ...]]) -> None:
    for form, numbers in forms.items():
        for number in numbers:
            sentence = translator(language).counted(*MISSED, number).format(name="Ann", points=number)
            assert sentence == form.format(number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_without_a_translation_stays_english(language: str) -> None:
    assert translator(language)("Not a sentence of the board.") == "Not a sentence of the board."
    assert translator(language).counted("{n} frog", "{n} frogs", 2) == "{n} frogs"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_read_once(language: str) -> None:
    assert translator(language) is translator(language)


@pytest.mark.parametrize("language", ["de", "FR", "", "../fr"])
def test_an_unknown_language_is_refused_by_name(language: str) -> None:
    with pytest.raises(UnknownLanguage, match=f"expected one of en, fr, ru, pl, got {language!r}"):
        translator(language)
