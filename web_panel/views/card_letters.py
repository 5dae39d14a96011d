"""The letters on the faces of court cards: J Q K, or those of the packs of a country. Pure.

Only what a browser shows changes: the API, files and the keys of a board have J, Q and K, and names in words stay.
"""

from __future__ import annotations

from collections.abc import Mapping

COURT = "JQK"
"""The letters of jack, queen and king in the text of a card."""

LETTER_SETS: Mapping[str, str] = {"en": COURT, "fr": "VDR", "ru": "ВДК", "pl": "WDK"}
"""Set -> the letters printed for jack, queen and king. Sets are named by a language of their packs."""


def court_letters(chosen: str | None) -> Mapping[str, str]:
    """The letter to show for each of J, Q and K where it is another one; empty for an unknown set, or none."""
    printed = LETTER_SETS.get(chosen or "", COURT)
    return {letter: shown for letter, shown in zip(COURT, printed, strict=True) if shown != letter}
