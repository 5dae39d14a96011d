"""The interface of a translator. Sentences in the code are English; `config/languages.py` reads the catalogues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Translator(Protocol):
    """Called with an English sentence, returns it in its language. Placeholders such as {name} stay for the caller."""

    def __call__(self, sentence: str, /) -> str: ...

    def counted(self, one: str, many: str, number: int, /) -> str:
        """The plural form that goes with `number`; `one` and `many` are the English forms."""
        ...


class Untranslated:
    """The translator for English: returns sentences as they are."""

    def __call__(self, sentence: str, /) -> str:
        return sentence

    def counted(self, one: str, many: str, number: int, /) -> str:
        return one if number == 1 else many


untranslated: Translator = Untranslated()


Message = Callable[[Translator], str]
"""A message whose language is chosen when it is shown: call it with a translator."""


def labelled(label: str, text: str, tr: Translator) -> str:
    """A text behind what it is about: "Runs: 3 points". French has a space before the colon."""
    return tr("{label}: {text}").format(label=label, text=text)
