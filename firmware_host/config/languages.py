"""The interface languages: gettext catalogues that `make translations` compiles and the standard library reads."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations

LANGUAGES = ("en", "fr", "ru", "pl")
"""Sentences are written in English in the code; each other language has a catalogue."""


class UnknownLanguage(ValueError):
    """A language that is not in LANGUAGES; `got` is the requested one."""

    def __init__(self, got: str) -> None:
        super().__init__(f"language: expected one of {', '.join(LANGUAGES)}, got {got!r}")
        self.got = got


class GettextTranslator:
    """A Translator over one gettext catalogue. A sentence without a translation stays English."""

    def __init__(self, translations: NullTranslations) -> None:
        self._translations = translations

    def __call__(self, sentence: str, /) -> str:
        return self._translations.gettext(sentence)

    def counted(self, one: str, many: str, number: int, /) -> str:
        """The plural form that goes with `number`; `one` and `many` are the English forms."""
        return self._translations.ngettext(one, many, number)


@cache
def translator(language: str) -> GettextTranslator:
    """The translator of one of LANGUAGES; its catalogue is read once. Raises UnknownLanguage."""
    if language not in LANGUAGES:
        raise UnknownLanguage(language)
    if language == "en":
        return GettextTranslator(NullTranslations())
    from importlib.resources import files

    compiled = files("firmware_host").joinpath("translations", language, "LC_MESSAGES", "cribboard.mo")
    with compiled.open("rb") as file:
        return GettextTranslator(GNUTranslations(file))
