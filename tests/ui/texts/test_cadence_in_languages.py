"""Counts in words, in every language. Players of each language can review the golden sheets `cadence_*.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NoReturn

import pytest

from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.cards import RANKS, parse_card, parse_cards
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.show import Count, count_show
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.ui.texts.cadence import COUNTED, COUNTED_RUNS, NUMBERS, PHRASES, count_in_words, scores_in_words
from tests.translations.recording_translator import RecordingTranslator

GOLDEN = Path(__file__).parents[2] / "golden"
GAME_OF_SIZE = {3: VARIANTS["five_card"], 4: VARIANTS["six_card"], 5: VARIANTS["seven_card"]}

HANDS = (
    *("2S 4H 6D 8C / KH", "5H 5S 5D JC / 5C", "7S 8S 8H 9D / KD", "5H 5S 5D 4C / 6C", "TS TH JH QD / QS"),
    *("9H TH JS QD / KS", "2H 6H 8H KH / AH", "2D 7D 9D / KD", "AS AH QS QH / QD", "2S 2H 2D 2C 3S / 4H"),
    *("9S 9H TD TC TS / JC", "4S 4H 5D 5C 6S / 6H", "AS 2H 3D JC QS / KH", "3S 3H 6D 6C / 6S"),
)
SUITED = ("2H 6H 8H / KS", "2H 6H 8H / KH", "2H 6H 8H TH / KH", "2H 6H 8H TH QH / KH", "JH 8S 6S / 2H")

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def count_of(hand: str) -> Count:
    held, starter = hand.split(" / ")
    cards = parse_cards(held)
    return count_show(cards, parse_card(starter), GAME_OF_SIZE[len(cards)])


@cache
def every_kind_of_count() -> tuple[Count, ...]:
    """One count for each different sentence: hands of three, four or five cards, with low and court cards."""
    ranks = [*RANKS[:6], *RANKS[10:]]
    counts = [count_of(hand) for hand in SUITED]
    for size, rules in GAME_OF_SIZE.items():
        for cards in combinations_with_replacement(ranks, size + 1):
            if max(map(cards.count, cards)) <= 4:
                counts.append(count_show(cards[1:], cards[0], rules))
    return tuple({count_in_words(count): count for count in counts}.values())


def every_score() -> Iterator[Score]:
    for kind in ScoreKind:
        for length in range(3, 8) if kind in (ScoreKind.RUN, ScoreKind.FLUSH) else (0,):
            yield Score(kind, length, RANKS[:length])


@in_every_language
def test_every_kind_of_count_is_in_the_catalogue(language: str) -> None:
    recorder = RecordingTranslator(translator(language))
    for count in every_kind_of_count():
        sentence = count_in_words(count, recorder)
        assert "{" not in sentence
        assert count.total == 0 or sentence.endswith(translator(language)(NUMBERS[count.total])), sentence
    assert recorder.requested <= {(phrase,) for phrase in PHRASES}
    assert {(phrase,) for phrase in (*COUNTED.values(), *COUNTED_RUNS.values())} <= recorder.requested


@in_every_language
def test_every_score_of_the_play_is_in_the_catalogue(language: str) -> None:
    recorder = RecordingTranslator(translator(language))
    sentences = [scores_in_words([score], recorder) for score in every_score()]
    assert len(set(sentences)) == len(sentences)
    assert not any("{" in sentence or sentence.endswith(" ") for sentence in sentences)
    assert recorder.requested <= {(phrase,) for phrase in PHRASES}


@in_every_language
def test_numbers_in_words_are_distinct(language: str) -> None:
    assert len({translator(language)(number) for number in NUMBERS}) == 60


def sheet(language: str) -> str:
    """Examples of every phrase, for a player who speaks the language to review."""
    translate = translator(language)
    hands = [f"{hand}\n    {count_in_words(count_of(hand), translate)}" for hand in HANDS]
    scores = [f"{score.kind.value}\n    {scores_in_words([score], translate)}" for score in every_score()]
    both = [Score(ScoreKind.FIFTEEN, 2), Score(ScoreKind.RUN, 3, RANKS[:3]), Score(ScoreKind.LAST_CARD, 1)]
    return "\n".join([*hands, *scores, "fifteen, run, last_card", f"    {scores_in_words(both, translate)}", ""])


def rewrite_golden(language: str) -> NoReturn:
    """Call this instead of the comparison to rewrite a sheet. It always fails, so that it cannot be committed."""
    (GOLDEN / f"cadence_{language}.txt").write_text(sheet(language), encoding="utf-8")
    pytest.fail("golden sheet rewritten: review the diff, then remove this call")


@in_every_language
def test_the_cadence_matches_the_golden_sheet(language: str) -> None:
    assert sheet(language) == (GOLDEN / f"cadence_{language}.txt").read_text(encoding="utf-8")
