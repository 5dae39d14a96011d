"""The page of everything that is heard in a game."""

from __future__ import annotations

import pytest

from firmware_host.config.languages import LANGUAGES
from tests.speech.heard_sentences import PAGE, page


@pytest.mark.slow
def test_the_page_of_sentences_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.speech.heard_sentences"


def test_each_sentence_is_there_in_every_language() -> None:
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if "|" in line][2:]
    assert len(rows) > 50
    assert all(len(row) == len(LANGUAGES) and all(row) for row in rows)
    assert sum(english in others for english, *others in rows) < len(rows) / 10  # some are names and scores alone
