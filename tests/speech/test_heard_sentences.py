"""The page of everything that the voice says in a game: `make heard`."""

from __future__ import annotations

from firmware_host.config.languages import LANGUAGES
from tests.speech.heard_sentences import page


def test_each_sentence_is_there_in_every_language() -> None:
    rows = [line.strip("| ").split(" | ") for line in page().splitlines() if "|" in line]
    assert rows[0] == list(LANGUAGES)
    sentences = rows[2:]
    assert len(sentences) > 50
    assert all(len(row) == len(LANGUAGES) and all(row) for row in sentences)
    assert sum(english in others for english, *others in sentences) < len(sentences) / 10  # names and scores alone
