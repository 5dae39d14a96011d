"""A translator that records which sentences were looked up, so that a test can compare them with the catalogue."""

from __future__ import annotations

from firmware_host.ui.translator import Translator


class RecordingTranslator:
    """Translates as `translator` does. `requested`: the English sentences looked up, each with all its plural forms."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self.requested = set[tuple[str, ...]]()

    def __call__(self, sentence: str, /) -> str:
        self.requested.add((sentence,))
        return self._translator(sentence)

    def counted(self, one: str, many: str, number: int, /) -> str:
        self.requested.add((one, many))
        return self._translator.counted(one, many, number)
