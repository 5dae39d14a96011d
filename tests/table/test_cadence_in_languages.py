"""Everything that can be counted aloud, in every language; the golden sheets are for players of each to read over."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NoReturn

import pytest

from firmware_host.cribbage.cards import RANKS, parse_card, parse_cards
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.show import Count, count_show
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.languages import LANGUAGES, words
from firmware_host.table.cadence import COUNTED, COUNTED_RUNS, NUMBERS, PHRASES, count_in_words, scores_in_words
from tests.translations.hearing import Hearing

GOLDEN = Path(__file__).parents[1] / "golden"
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
    """One hand for each different sentence: of three, four or five cards, with neighbours and courts among them."""
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
def test_every_kind_of_count_is_said_in_words_of_the_catalogue(language: str) -> None:
    hearing = Hearing(words(language))
    for count in every_kind_of_count():
        said = count_in_words(count, hearing)
        assert "{" not in said
        assert count.total == 0 or said.endswith(words(language)(NUMBERS[count.total])), said
    assert hearing.heard <= {(phrase,) for phrase in PHRASES}
    assert {(phrase,) for phrase in (*COUNTED.values(), *COUNTED_RUNS.values())} <= hearing.heard


@in_every_language
def test_every_score_of_the_play_is_said_in_words_of_the_catalogue(language: str) -> None:
    hearing = Hearing(words(language))
    said = [scores_in_words([score], hearing) for score in every_score()]
    assert len(set(said)) == len(said)
    assert not any("{" in sentence or sentence.endswith(" ") for sentence in said)
    assert hearing.heard <= {(phrase,) for phrase in PHRASES}


@in_every_language
def test_no_two_numbers_sound_alike(language: str) -> None:
    assert len({words(language)(number) for number in NUMBERS}) == 60


def sheet(language: str) -> str:
    """What is said, for a player who speaks the language to read over."""
    say = words(language)
    hands = [f"{hand}\n    {count_in_words(count_of(hand), say)}" for hand in HANDS]
    scores = [f"{score.kind.value}\n    {scores_in_words([score], say)}" for score in every_score()]
    both = [Score(ScoreKind.FIFTEEN, 2), Score(ScoreKind.RUN, 3, RANKS[:3]), Score(ScoreKind.LAST_CARD, 1)]
    return "\n".join([*hands, *scores, "fifteen, run, last_card", f"    {scores_in_words(both, say)}", ""])


def keep_golden(language: str) -> NoReturn:
    """Call this in place of the comparison to write a sheet anew; it fails so that it cannot stay."""
    (GOLDEN / f"cadence_{language}.txt").write_text(sheet(language), encoding="utf-8")
    pytest.fail("golden sheet rewritten: look at the diff, then take this call out")


@in_every_language
def test_the_cadence_sounds_as_it_did(language: str) -> None:
    assert sheet(language) == (GOLDEN / f"cadence_{language}.txt").read_text(encoding="utf-8")
