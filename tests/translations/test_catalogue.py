"""The catalogues are complete and current, and the OLED can draw them. `make translations` fixes what fails here."""

from __future__ import annotations

import ast
import re
from string import Formatter

import pytest
from babel.messages.mofile import read_mo

from board_drivers.font import TWINS, alphabet
from firmware_host.config.languages import LANGUAGES
from tests.translations.catalogue import (
    KEYWORDS,
    PACKAGES,
    ROOT,
    TRANSLATED,
    TRANSLATIONS,
    has_keywords,
    po_file,
    read,
    template,
    translations,
)
from web_panel.pages import house_rules

LEGENDS = (
    r"\{\w+\}|\b(ENTER|UNDO|FN_?|OLED|[AJQKF]|Tab|Enter|Shift|Esc|Backspace|JavaScript|false|Wi-Fi|QR|CSV|JSON|UTF|Windows|ACC|Pi"
    r"|none|auto|http|aplay -L|cards\.local|cribboard(\.sqlite3|\.crt| restore| https)?"
    r"|SHA|HTTPS|TLS|MQTT|broker\.local|Home Assistant|discovery|VPN|iPhone|Safari|Chrome|Firefox|Piper"
    r"|espeak-ng|sh1106)\b|\.toml|/dev|/trust"
)
"""What is the same in all languages: placeholders, the legends of keys, and names."""

BREAKABLE = r"[^\u00a0]:|[^\u202f«\u00a0][;?!]|[^«]\u00a0[;?!]|« |[^\u00a0]»"
"""French punctuation that a line break may separate from its word."""

in_every_language = pytest.mark.parametrize("language", TRANSLATED)


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_each_translated_language_and_no_other_has_a_catalogue() -> None:
    assert {path.name for path in TRANSLATIONS.iterdir()} == set(LANGUAGES) - {"en"}


@in_every_language
def test_no_sentence_is_missing_and_none_is_stale(language: str) -> None:
    program, catalog = translations(template()), translations(read(language))
    assert program.keys() - catalog.keys() == set(), "in the program, not in the catalogue: make translations"
    assert catalog.keys() - program.keys() == set(), "in the catalogue, not in the program: make translations"


def test_no_sentence_is_inside_an_f_string() -> None:
    """The extractor does not see it there."""
    files = [
        file
        for package in PACKAGES
        for file in (ROOT / package).rglob("*.py")
        if has_keywords(file.read_text(encoding="utf-8"))
    ]
    inside = [
        f"{file}:{call.lineno}"
        for file in files
        for text in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in KEYWORDS
        if call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert inside == [], "move the call out of the f-string"


@in_every_language
def test_everything_is_translated_and_nothing_is_fuzzy(language: str) -> None:
    catalog = read(language)
    assert [sentence for sentence, translated in translations(catalog).items() if not all(translated)] == []
    assert [message.id for message in catalog if message.fuzzy] == []
    assert list(catalog.check()) == []


@in_every_language
def test_a_translation_has_the_placeholders_of_its_sentence(language: str) -> None:
    for sentence, translated in translations(read(language)).items():
        for form in translated:
            assert placeholders(form) == placeholders(sentence[0]), form


@in_every_language
def test_the_compiled_catalogue_is_current(language: str) -> None:
    with po_file(language).with_suffix(".mo").open("rb") as file:
        assert translations(read_mo(file)) == translations(read(language)), "make translations"


@in_every_language
def test_the_oled_can_draw_every_letter(language: str) -> None:
    for sentence, translated in translations(read(language)).items():
        for form in (*sentence, *translated):
            assert {letter for letter in form if letter.translate(TWINS) not in alphabet()} == set(), form


def test_russian_is_in_cyrillic_letters() -> None:
    """Except for the legends of keys, and names."""
    for translated in translations(read("ru")).values():
        for form in translated:
            assert not re.search("[A-Za-z]", re.sub(LEGENDS, "", form)), form


def test_short_answers_of_house_rules_that_have_words_are_translated() -> None:
    short = {text for _title, answers in house_rules.ANSWERS.values() for text in answers.values()}
    assert {text for text in short if any(letter.isalpha() for letter in text)} <= set(house_rules.texts())


def test_french_punctuation_stays_with_its_word() -> None:
    """A no-break space before a colon and inside quotation marks, a narrow one before ; ? and !"""
    for translated in translations(read("fr")).values():
        for form in translated:
            assert not re.search(BREAKABLE, form), form
