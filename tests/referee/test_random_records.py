"""Whole random records: legal ones are accepted to the end; nonsense between the lines changes nothing."""

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

from firmware_host.cli.referee import answer_to
from firmware_host.cribbage import rule_errors
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game.record import Referee
from firmware_host.game.side import Mover
from tests.conftest import EXAMPLES
from tests.game.random_player import GAME_NAMES, GAMES
from tests.referee.random_record import Line, record_of

every_game = pytest.mark.parametrize("name", GAME_NAMES)


def kinds(family: type[Refusal] = rule_errors.Refusal) -> Iterator[str]:
    for refusal in family.__subclasses__():
        yield refusal.kind
        yield from kinds(refusal)


KNOWN_KINDS = frozenset(kinds())


@every_game
@pytest.mark.parametrize("mover", [Mover.TABLE, Mover.ENTRY], ids=["automatic", "manual"])
def test_a_legal_record_is_accepted_to_the_end(name: str, mover: Mover) -> None:
    referee, answer = Referee(), None
    for line in record_of(GAMES[name], 4, mover):
        answer = referee.read_line(line)
        assert answer.refused is None, (line, answer.refused)
        assert not answer.as_json(1)["missed"]
    assert answer and answer.table and answer.table.winner is not None


@pytest.mark.parametrize("variant", VARIANTS)
def test_manual_and_automatic_pegging_give_the_same_scores(variant: str) -> None:
    """With manual pegging, where each side pegs at once what is due, and with automatic pegging."""
    lines_with_pegs = list(record_of(VARIANTS[variant], 6, Mover.ENTRY))
    manual, automatic = Referee(), Referee()
    for line in lines_with_pegs:
        manual_answer = manual.read_line(line)
        if "record" in line:
            automatic.read_line({**line, "pegging": "automatic"})
        elif not {"peg", "count"} & line.keys():
            automatic_answer = automatic.read_line(line)
    assert manual_answer.table and automatic_answer.table
    assert manual_answer.table.scores == automatic_answer.table.scores


def nonsense(random: Random) -> Line:
    """A line of the right form, most often not allowed."""
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
            {"count": ["P0", "crib", [card, "5H", "6H", "7H"]]},
            {"skip": [f"P{seat}", random.choice(["hand", "crib"])]},
            {"end_play": random.choice([True, 1])},
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
def test_a_refused_line_changes_nothing_and_has_its_kind(name: str) -> None:
    random, referee, refused = Random(8), Referee(), Counter[str]()
    for line in islice(record_of(GAMES[name], 8, Mover.ENTRY, care=0.8), 120):
        answer = referee.read_line(line)
        assert answer.refused is None, (line, answer.refused)
        for _ in range(3):
            tried = referee.read_line(nonsense(random))
            if tried.refused:
                refused[tried.refused.kind] += 1
                assert tried.table == answer.table and not tried.events
            elif tried.events:
                assert referee.read_line({"undo": True}).table == answer.table
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
        "end_play",
        "count",
        "skip",
        "comment",
        "peg",
        "claim",
        "undo",
        "redo",
        "x",
    ]
)
pairs = st.tuples(st.integers(-1, 3), values).map(list)
lines = st.dictionaries(names, values | pairs, max_size=2)


@settings(max_examples=2 * EXAMPLES)
@given(st.sampled_from(sorted(GAMES)), st.integers(1, 40), st.lists(lines, min_size=1, max_size=6))
def test_any_json_object_is_answered(name: str, played: int, lines: list[Any]) -> None:
    referee = Referee()
    for _, line in zip(range(played), LEGAL[name], strict=False):
        referee.read_line(line)
    for line in lines:
        answer = answer_to(referee, json.dumps(line).encode())
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


@settings(max_examples=4 * EXAMPLES)
@given(headers)
def test_any_first_line_is_answered(line: Line) -> None:
    answer = answer_to(Referee(), json.dumps(line).encode())
    assert answer.refused is None or answer.refused.kind in KNOWN_KINDS
    json.dumps(answer.as_json(1))


@settings(max_examples=2 * EXAMPLES)
@given(st.binary(max_size=60))
def test_any_bytes_are_answered(line: bytes) -> None:
    answer = answer_to(Referee(), line)
    assert answer.refused is not None and answer.refused.kind in KNOWN_KINDS


LEGAL = {name: list(islice(record_of(rules, 2, Mover.ENTRY), 40)) for name, rules in GAMES.items()}
