"""The languages of the board: catalogues that `make words` compiles and the standard library reads."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

LANGUAGES = ("en", "fr", "ru", "pl")
"""Every sentence is written in English; the others have a catalogue."""


class UnknownLanguage(ValueError):
    """A language the board does not speak."""

    def __init__(self, got: str) -> None:
        super().__init__(f"language: expected one of {', '.join(LANGUAGES)}, got {got!r}")
        self.got = got


class Catalogue:
    """Looks a sentence up. What it does not hold stays English."""

    def __init__(self, translations: NullTranslations) -> None:
        self._translations = translations

    def __call__(self, sentence: str, /) -> str:
        return self._translations.gettext(sentence)

    def counted(self, one: str, many: str, number: int, /) -> str:
        """The sentence in the form that goes with `number`; `one` and `many` are the English forms."""
        return self._translations.ngettext(one, many, number)


@cache
def words(language: str) -> Catalogue:
    """The words of a language, read once. Raises UnknownLanguage."""
    if language not in LANGUAGES:
        raise UnknownLanguage(language)
    if language == "en":
        return Catalogue(NullTranslations())
    compiled = files("firmware_host").joinpath("translations", language, "LC_MESSAGES", "cribboard.mo")
    with compiled.open("rb") as file:
        return Catalogue(GNUTranslations(file))
