"""The names of sides in words, and those of players whom nobody has named: the colours of the pegs, in the language of
the settings.

A game keeps the names that it began with: another language changes them for new games only.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.game.state import Table
from firmware_host.ui.translator import Translator


def default_names(tr: Translator) -> tuple[str, ...]:
    """One name for each seat, in playing order: first those of the tracks of the boards, in their order."""
    return tr("Red"), tr("Blue"), tr("Yellow"), tr("Green"), tr("Violet"), tr("Black")


def in_other_language(names: Sequence[str], language: Translator, other: Translator) -> tuple[str, ...]:
    """The names with the default ones of `language` in the `other` one."""
    translated = zip(default_names(language), default_names(other), strict=True)
    return tuple(new if name == old else name for name, (old, new) in zip(names, translated, strict=False))


def side_in_words(table: Table, side: int, tr: Translator) -> str:
    """The players of a side: "Ann and Cora"."""
    *first, last = (table.names[seat] for seat in table.rules.sides[side])
    return tr("{list} and {last}").format(list=", ".join(first), last=last) if first else last
