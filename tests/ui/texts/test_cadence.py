"""Counts in words, as players count them aloud."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.cribbage.cards import PACK, Card, parse_card, parse_cards
from firmware_host.cribbage.score import Score, ScoreKind
from firmware_host.cribbage.show import count_show
from firmware_host.cribbage.variants import VARIANTS, rules_for
from firmware_host.game import events as e
from firmware_host.ui.texts.cadence import NUMBERS, count_in_words, scores_in_words
from tests.game.random_player import play_game

GAME_OF_SIZE = {3: VARIANTS["five_card"], 4: VARIANTS["six_card"], 5: VARIANTS["seven_card"]}


@pytest.mark.parametrize(
    ("held", "starter", "words"),
    [
        ("2S 4H 6D 8C", "KH", "no points"),
        ("2S 4H 6D 9C", "KH", "fifteen two, and fifteen four"),
        ("2S 2H 6D 8C", "KH", "a pair is two"),
        ("2S 2H 6D 6C", "QH", "a pair is two, and a pair is four"),
        ("QS QH QD 2C", "9H", "a pair royal is six"),
        (
            "5S 5D 5C 5H",
            "9H",
            "fifteen two, fifteen four, fifteen six, fifteen eight, and a double pair royal is twenty",
        ),
        ("2H 6H 8H KH", "TH", "a flush of five is five"),
        ("2H 6H 8H JH", "TS", "a flush of four is four"),
        ("9H TH JS QD", "KS", "a run of five is five, and his nobs is six"),
        ("7S 8S 8H 9D", "KD", "fifteen two, fifteen four, and a double run of three is twelve"),
        ("7S 8S 8H 8D", "9D", "fifteen two, fifteen four, fifteen six, and a triple run of three is twenty-one"),
        ("2S 2H 3H 3D", "4D", "a double double run of three is sixteen"),
        ("TS TH JH QD", "QS", "a double double run of three is sixteen"),
        ("2S 2H 9H TD", "JD", "a pair is two, and a run of three is five"),
        ("9S TH TS QD KD", "JD", "a double run of five is twelve"),
        ("2S 2H 2D 2C 3S", "4H", "fifteen two, and a quadruple run of three is twenty-six"),
        ("9S 9H TD TC TS", "JC", "a double triple run of three is twenty-six"),
        ("9S 9H TD TC JS", "JC", "a double double double run of three is thirty"),
        (
            "AS 2H 3D JC QS",
            "KH",
            "fifteen two, fifteen four, fifteen six, a run of three is nine, and a run of three is twelve",
        ),
    ],
)
def test_a_hand_is_counted_in_cadence(held: str, starter: str, words: str) -> None:
    cards = parse_cards(held)
    assert count_in_words(count_show(cards, parse_card(starter), GAME_OF_SIZE[len(cards)])) == words


def test_numbers_in_words_are_complete_and_distinct() -> None:
    assert len(NUMBERS) == len(set(NUMBERS)) == 60
    assert [NUMBERS[number] for number in (0, 7, 12, 20, 29, 46, 59)] == [
        *("zero", "seven", "twelve", "twenty", "twenty-nine", "forty-six", "fifty-nine")
    ]


@given(
    st.sampled_from((3, 4, 5)).flatmap(
        lambda n: st.lists(st.sampled_from(PACK), min_size=n + 1, max_size=n + 1, unique=True)
    )
)
def test_a_count_ends_with_its_total(cards: list[Card]) -> None:
    *held, starter = cards
    count = count_show(held, starter, GAME_OF_SIZE[len(held)])
    words = count_in_words(count)
    assert words == "no points" if count.total == 0 else words.endswith(f" {NUMBERS[count.total]}")
    assert "{" not in words


def test_every_phrase_is_translated() -> None:
    requested = []

    def translate(phrase: str) -> str:
        requested.append(phrase)
        return {"fifteen {total}": "quinze {total}", "two": "deux", "four": "quatre"}.get(phrase, phrase)

    count = count_show(parse_cards("2S 4H 6D 9C"), parse_card("KH"), VARIANTS["six_card"])
    assert count_in_words(count, translate) == "quinze deux, and quinze quatre"
    assert {"fifteen {total}", "{list}, and {last}", "two", "four"} <= set(requested)


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([(ScoreKind.FIFTEEN, "7S 8H")], "fifteen for two"),
        (
            [(ScoreKind.THIRTY_ONE, "KS KH 6D 5C"), (ScoreKind.RUN, "6D 5C 4S")],
            "thirty-one for two, and a run of three",
        ),
        (
            [(ScoreKind.FIFTEEN, "5S 5H 5D"), (ScoreKind.PAIR_ROYAL, "5S 5H 5D")],
            "fifteen for two, and a pair royal for six",
        ),
        ([(ScoreKind.FLUSH, "AS 3S 5S 9S")], "a flush of four"),
    ],
)
def test_a_card_in_play_is_put_into_words(scores: list[tuple[ScoreKind, str]], words: str) -> None:
    earned = [Score(kind, 2, parse_cards(cards)) for kind, cards in scores]
    assert scores_in_words(earned) == words


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("five_card", {"three_for_last": "every_deal"}),
        ("six_card", {"go_points": "per_pass", "play_flush": "three_up"}),
        ("seven_card", {"go_points": "per_card_after_go", "must_play": "after_go_optional"}),
    ],
)
def test_a_score_in_words_names_its_points(variant: str, options: dict[str, str]) -> None:
    *_, last = play_game(rules_for(variant, options), seed=4)
    scores = [
        score
        for turn in last.turns_back()
        for event in turn.events
        if isinstance(event, e.PointsDue) and event.source is not e.Source.SHOW
        for score in event.scores
    ]
    assert len({score.kind for score in scores}) > 3
    for score in scores:
        assert NUMBERS[score.points] in scores_in_words([score]).replace("-", " ").split()
