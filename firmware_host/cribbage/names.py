"""Names of people: when two spellings are one name, and whether a name shows anything at all.

Every part of the program that compares names uses `name_key`: seats, games, history, clubs, accounts and leagues. So
one person is the same person everywhere. What a person types to find a name is compared by `search_key`.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, normalize

BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Fillers of Hangul and the empty cell of Braille: letters or symbols for Unicode, and a gap for people."""
UNSEEN = "\u034f\u17b4\u17b5" + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))))
"""Marks that show nothing, such as the variation selectors. Characters of the category Cf show nothing either."""

_WITHOUT_STROKE = str.maketrans({"æ": "ae", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "ŧ": "t"})
"""Letters that Unicode does not take apart into a letter and an accent."""

_AS_SEEN = str.maketrans({**dict.fromkeys(BLANKS, " "), **dict.fromkeys(UNSEEN, "")})


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """The form in which two spellings of one name are equal; empty for a name of which nobody sees anything.

    Case, spaces at the ends, repeated spaces, invisible characters and compatibility forms of letters do not matter;
    accents do. This is the caseless matching of the Unicode standard, section 3.13, definition D146.
    """
    folded = normalize("NFKD", normalize("NFKD", normalize("NFD", name).casefold()).casefold()).translate(_AS_SEEN)
    return normalize("NFKC", tidy_name("".join(sign for sign in folded if category(sign) != "Cf")))


def search_key(name: str) -> str:
    """The form in which a name is looked up: as `name_key`, and accents do not matter either.

    A person types `zoe` for `Zoë`. Two people may share a search key, so whoever looks up prefers an equal `name_key`.
    """
    letters = normalize("NFD", name_key(name)).translate(_WITHOUT_STROKE)
    return "".join(sign for sign in letters if category(sign) != "Mn")


def spelling_key(name: str) -> str:
    """As `search_key`, and `ae`, `oe` and `ue` are `a`, `o` and `u`: somebody types `joerg` for `Jörg`.

    Many people share one, so it only helps where nobody has the search key.
    """
    return search_key(name).replace("ae", "a").replace("oe", "o").replace("ue", "u")


def tidy_name(name: str) -> str:
    """The name as it is shown: without spaces at its ends and with single spaces inside."""
    return " ".join(name.split())


def is_name(text: str, longest: int) -> bool:
    """Whether this can be a name: 1 to `longest` characters, all of them printable, and one at least that is seen."""
    return 1 <= len(text) <= longest and text.isprintable() and bool(name_key(text))
