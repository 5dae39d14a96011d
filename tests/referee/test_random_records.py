"""Whole random records: legal ones come to their end; nonsense between the lines changes nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.cli.referee import hear
from firmware_host.cribbage import refusals
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.record import Referee
from firmware_host.table.state import Mover
from tests.referee.random_record import Line, record_of
from tests.table.random_player import GAMES

every_game = pytest.mark.parametrize("name", GAMES)


def kinds(family: type[Refusal] = refusals.Refusal) -> Iterator[str]:
    for refusal in family.__subclasses__():
        yield refusal.kind
        yield from kinds(refusal)


KNOWN_KINDS = frozenset(kinds())


@every_game
@pytest.mark.parametrize("mover", [Mover.TABLE, Mover.WORD], ids=["by table", "by word"])
def test_a_legal_record_comes_to_its_end(name: str, mover: Mover) -> None:
    referee, answer = Referee(), None
    for line in record_of(GAMES[name], 4, mover):
        answer = referee.hear(line)
        assert answer.refused is None, (line, answer.refused)
        assert not answer.as_json(1)["missed"]
    assert answer and answer.table and answer.table.winner is not None


@pytest.mark.parametrize("variant", VARIANTS)
def test_both_manners_of_pegging_come_to_the_same_scores(variant: str) -> None:
    """What is written by hand, each point told at once, is what the table would have moved by itself."""
    by_word = list(record_of(VARIANTS[variant], 6, Mover.WORD))
    told, alone = Referee(), Referee()
    for line in by_word:
        told_answer = told.hear(line)
        if "record" in line:
            alone.hear({**line, "pegging": "automatic"})
        elif not {"peg", "count"} & line.keys():
            alone_answer = alone.hear(line)
    assert told_answer.table and alone_answer.table
    assert told_answer.table.scores == alone_answer.table.scores


def nonsense(random: Random) -> Line:
    """A line in the right form that is seldom right."""
    seat, card, number = random.randrange(-1, 7), str(random.choice(PACK)), random.randrange(-1, 140)
    return random.choice(
        [
            {"play": [seat, card]},
            {"go": seat},
            {"starter": card},
            {"lay_away": [seat, [card, str(random.choice(PACK))]]},
            {"from_stock": [card]},
            {"bid": [seat, number]},
            {"count": [seat, random.choice(["hand", "crib"])]},
            {"claim": [seat, number]},
            {"deal": [[card] * 5, []]},
            {"redo": True},
            {"undo": False},
            {"play": [seat, card], "go": seat},
            {"record": 2},
            {"record": 1, "variant": "six_card", "seats": ["A"], "dealer": 0},
        ]
    )


@every_game
def test_a_refused_line_changes_nothing_and_is_refused_by_name(name: str) -> None:
    random, referee, refused = Random(8), Referee(), Counter[str]()
    for line in islice(record_of(GAMES[name], 8, Mover.WORD, care=0.8), 120):
        answer = referee.hear(line)
        assert answer.refused is None, (line, answer.refused)
        for _ in range(3):
            tried = referee.hear(nonsense(random))
            if tried.refused:
                refused[tried.refused.kind] += 1
                assert tried.table == answer.table and not tried.events
            elif tried.events:
                assert referee.hear({"undo": True}).table == answer.table
    assert refused.keys() <= KNOWN_KINDS and len(refused) >= 7


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 200),
    st.floats(),
    st.sampled_from([*map(str, PACK[::5]), "pass", "hand", "crib", "x", ""]),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)
names = st.sampled_from(
    [
        "record",
        "deal",
        "lay_away",
        "from_stock",
        "bid",
        "starter",
        "play",
        "go",
        "count",
        "peg",
        "claim",
        "undo",
        "redo",
        "x",
    ]
)
pairs = st.tuples(st.integers(-1, 3), values).map(list)
lines = st.dictionaries(names, values | pairs, max_size=2)


@settings(max_examples=80)
@given(st.sampled_from(sorted(GAMES)), st.integers(1, 40), st.lists(lines, min_size=1, max_size=6))
def test_whatever_comes_is_answered(name: str, played: int, told: list[Any]) -> None:
    referee = Referee()
    for _, line in zip(range(played), LEGAL[name], strict=False):
        referee.hear(line)
    for line in told:
        answer = hear(referee, json.dumps(line).encode())
        assert answer.refused is None or answer.refused.kind in KNOWN_KINDS
        json.dumps(answer.as_json(1))


headers = st.fixed_dictionaries(
    {
        "record": st.just(1),
        "variant": st.sampled_from(sorted(VARIANTS)) | scalars,
        "seats": st.lists(st.just("A"), max_size=6) | scalars,
        "dealer": st.integers(-1, 6) | scalars,
    },
    optional={
        "sides": values,
        "options": st.dictionaries(st.sampled_from(["sides", "players", "target", "captain"]), values) | scalars,
        "pegging": st.sampled_from(["manual", "automatic"]) | scalars,
        "scores": st.lists(st.integers(-1, 200)) | scalars,
    },
)


@settings(max_examples=150)
@given(headers)
def test_whatever_the_first_line_says_it_is_answered(line: Line) -> None:
    answer = hear(Referee(), json.dumps(line).encode())
    assert answer.refused is None or answer.refused.kind in KNOWN_KINDS
    json.dumps(answer.as_json(1))


@settings(max_examples=100)
@given(st.binary(max_size=60))
def test_whatever_bytes_come_are_answered(line: bytes) -> None:
    answer = hear(Referee(), line)
    assert answer.refused is not None and answer.refused.kind in KNOWN_KINDS


LEGAL = {name: list(islice(record_of(rules, 2, Mover.WORD), 40)) for name, rules in GAMES.items()}
