"""Words that remember what was looked up, to be held against the catalogue."""

from __future__ import annotations

from firmware_host.table.words import Words


class Hearing:
    """Speaks as `words` do; `heard` are the English sentences asked for, each with all its forms."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self.heard = set[tuple[str, ...]]()

    def __call__(self, sentence: str, /) -> str:
        self.heard.add((sentence,))
        return self._words(sentence)

    def counted(self, one: str, many: str, number: int, /) -> str:
        self.heard.add((one, many))
        return self._words.counted(one, many, number)
