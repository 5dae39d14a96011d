"""A language, as the table needs it. The table itself speaks English; a catalogue speaks for it in other languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Words(Protocol):
    """Called with an English sentence, gives it in the language; places such as {name} stay to be filled in."""

    def __call__(self, sentence: str, /) -> str: ...

    def counted(self, one: str, many: str, number: int, /) -> str:
        """The sentence in the form that goes with `number`; `one` and `many` are the English forms."""
        ...


class AsWritten:
    """English."""

    def __call__(self, sentence: str, /) -> str:
        return sentence

    def counted(self, one: str, many: str, number: int, /) -> str:
        return one if number == 1 else many


as_written: Words = AsWritten()


Saying = Callable[[Words], str]
"""Says one thing in any language."""
