"""The catalogues are whole, fresh, and fit for the scoreboard. What is wrong here is mended with `make words`."""

from __future__ import annotations

import ast
import re
from string import Formatter

import pytest
from babel.messages.mofile import read_mo

from board_drivers.lettering import TWINS, alphabet
from firmware_host.languages import LANGUAGES
from tests.translations.catalogue import (
    ROOMS,
    ROOT,
    SAID_BY,
    TRANSLATED,
    TRANSLATIONS,
    po_file,
    read,
    template,
    translations,
)

LEGENDS = r"\{\w+\}|\b(ENTER|UNDO|FN_?|OLED|[AJQKF]|Tab|Enter|Shift|Esc|Backspace|JavaScript|false)\b"
"""What is written alike in all languages: places, the legends of keys, and the names of things."""

LOOSE = r"[^\u00a0]:|[^\u202f«\u00a0][;?!]|[^«]\u00a0[;?!]|« |[^\u00a0]»"
"""A double sign that may be parted from its French word at the end of a line."""

in_every_language = pytest.mark.parametrize("language", TRANSLATED)


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_every_language_has_its_catalogue_and_no_other_has() -> None:
    assert {path.name for path in TRANSLATIONS.iterdir()} == set(LANGUAGES) - {"en"}


@in_every_language
def test_nothing_is_missing_and_nothing_is_stale(language: str) -> None:
    said, written = translations(template()), translations(read(language))
    assert said.keys() - written.keys() == set(), "said, and not in the catalogue: make words"
    assert written.keys() - said.keys() == set(), "in the catalogue, and no longer said: make words"


def test_no_sentence_hides_within_an_f_string() -> None:
    """There the reader of sentences does not see it."""
    files = [file for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    inside = [
        f"{file}:{call.lineno}"
        for file in files
        for text in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in SAID_BY
        if call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert inside == [], "give it a line of its own"


@in_every_language
def test_everything_is_translated_for_certain(language: str) -> None:
    catalog = read(language)
    assert [sentence for sentence, translated in translations(catalog).items() if not all(translated)] == []
    assert [message.id for message in catalog if message.fuzzy] == []
    assert list(catalog.check()) == []


@in_every_language
def test_a_translation_has_the_places_of_its_sentence(language: str) -> None:
    for sentence, translated in translations(read(language)).items():
        for form in translated:
            assert places(form) == places(sentence[0]), form


@in_every_language
def test_the_compiled_catalogue_is_fresh(language: str) -> None:
    with po_file(language).with_suffix(".mo").open("rb") as file:
        assert translations(read_mo(file)) == translations(read(language)), "make words"


@in_every_language
def test_the_scoreboard_can_draw_every_letter(language: str) -> None:
    for sentence, translated in translations(read(language)).items():
        for form in (*sentence, *translated):
            assert {letter for letter in form if letter.translate(TWINS) not in alphabet()} == set(), form


def test_nothing_in_russian_was_left_in_latin_letters() -> None:
    """But for legends and names."""
    for translated in translations(read("ru")).values():
        for form in translated:
            assert not re.search("[A-Za-z]", re.sub(LEGENDS, "", form)), form


def test_french_keeps_its_double_signs_with_their_word() -> None:
    """A no-break space before a colon and within quotation marks, a narrow one before ; ? and !"""
    for translated in translations(read("fr")).values():
        for form in translated:
            assert not re.search(LOOSE, form), form
