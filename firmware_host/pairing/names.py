"""Names of phones that people can tell apart on the display: of one alphabet, and none that looks like another phone's.

Letters of other alphabets that look like Latin ones are listed by their Latin twin (compare Unicode Technical Standard
39, whose full table has thousands of characters that a display of a board never shows).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from firmware_host.cribbage.names import name_key
from firmware_host.cribbage.rule_errors import Refusal

ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")
"""First words of the Unicode names of their letters. Letters of all other alphabets count as one more."""

TWINS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХ" + "аеѕіјорсухһԁԛԝвкмнт" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "ανορυχικ",
    "ABESIJKMHOPCTYX" + "aesijopcyxhdqwbkmht" + "ABEZHIKMNOPTYX" + "avopuxik",
)
"""Cyrillic, then Greek letters, and the Latin ones that they look like on a small display."""
LOOKS_THE_SAME = str.maketrans("0I1|", "Olll")


class BlankName(Refusal):
    """The name has nothing that people see."""

    kind = "blank_name"
    sentence = "Use letters or digits in the name."


class MixedAlphabets(Refusal):
    """The name mixes letters of several alphabets."""

    kind = "mixed_alphabets"
    sentence = "Use letters of one alphabet in the name."


class LookAlikeName(Refusal):
    """The name looks like that of another phone."""

    kind = "look_alike_name"
    sentence = "That looks like {name}. Choose another name."


def check_name(name: str, others: Iterable[str]) -> None:
    """Raises BlankName, MixedAlphabets, or LookAlikeName for a name that differs from one of `others` but looks the
    same."""
    if not name_key(name):
        raise BlankName("a name that is seen", ascii(name), fix="type the name anew")
    alphabets = {alphabet_of(letter) for letter in name if letter.isalpha()}
    if len(alphabets) > 1:
        raise MixedAlphabets(
            "letters of one alphabet", " and ".join(sorted(alphabets)).lower(), fix="type the name anew"
        )
    for other in others:
        if looks(name) == looks(other) and name_key(name) != name_key(other):
            raise LookAlikeName("a name that looks different", f"one like {other}", fix="choose another", name=other)


def alphabet_of(letter: str) -> str:
    """The alphabet of a letter: one of ALPHABETS, or OTHER."""
    first = unicodedata.name(letter, "OTHER").split()[0]
    return first if first in ALPHABETS else "OTHER"


def looks(name: str) -> str:
    """Names with the same result look the same on a small display."""
    return name_key(unicodedata.normalize("NFKC", name).translate(TWINS).translate(LOOKS_THE_SAME))
