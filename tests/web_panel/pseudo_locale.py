"""A locale for tests: each translated sentence is in brackets, accented and a third longer.

Text without brackets on a page was not marked for translation. Text that does not fit in this locale may not fit in a
language with long words either.
"""

from __future__ import annotations

import re

OPEN, CLOSE = "⟦", "⟧"
LONGER = 0.35
"""How much longer a sentence becomes. German and Russian interface texts are about a third longer than English."""

FILL = "ñandú "
"""What sentences are lengthened with: short words, because no language has a third more letters in each word."""

ACCENTS = str.maketrans("aceinouyzACEINOUYZ", "áčéíñóúýžÁČÉÍÑÓÚÝŽ")
PLACEHOLDER = re.compile(r"(\{[^{}]*\})")


class PseudoTranslator:
    """A Translator into the pseudo-locale."""

    def __call__(self, sentence: str, /) -> str:
        return pseudo(sentence)

    def counted(self, one: str, many: str, number: int, /) -> str:
        return pseudo(one if number == 1 else many)


def pseudo(sentence: str) -> str:
    """The sentence in the pseudo-locale. Placeholders stay."""
    if not sentence:
        return sentence
    parts = PLACEHOLDER.split(sentence)
    accented = "".join(part if index % 2 else part.translate(ACCENTS) for index, part in enumerate(parts))
    longer_by = round(len(sentence) * LONGER)
    filler = (FILL * (longer_by // len(FILL) + 1))[:longer_by].rstrip()
    return f"{OPEN}{accented}{' ' if len(filler) > 1 else ''}{filler}{CLOSE}"
