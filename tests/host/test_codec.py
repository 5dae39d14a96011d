"""Events as text: whatever was written reads back, and whatever was ever written reads for ever."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.codec import EVENTS, KINDS, VERSION, CodecError, decode, encode
from firmware_host.cribbage.cards import PACK, RANKS, Card
from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, VARIANTS, rules_for
from firmware_host.table.events import Event, GameStarted, PegLeapt, StarterCut

GOLDEN = Path(__file__).parents[1] / "golden" / "journal-1.jsonl"

FREE_OPTIONS = {
    option.name: st.sampled_from(option.choices)
    for option in OPTIONS
    if option.name not in {"players", "sides", "captain"}
}
ALL_RULES = st.sampled_from([preset.rules() for preset in PRESETS.values()]) | st.builds(
    rules_for, st.sampled_from(sorted(VARIANTS)), st.fixed_dictionaries({}, optional=FREE_OPTIONS)
)

st.register_type_strategy(Card, st.sampled_from((*PACK, *RANKS)))
st.register_type_strategy(RuleSet, ALL_RULES)


@pytest.mark.parametrize("event_class", EVENTS.values(), ids=EVENTS)
@given(data=st.data())
def test_every_event_reads_back_as_it_was_written(event_class: type[Event], data: st.DataObject) -> None:
    event = data.draw(st.from_type(event_class))
    assert decode(*encode(event)) == event


def test_every_event_of_the_table_has_a_kind() -> None:
    assert set(EVENTS.values()) == set(get_args(Event))
    assert len(KINDS) == len(EVENTS)


GOLDEN_LINES = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("line", GOLDEN_LINES, ids=[line["kind"] for line in GOLDEN_LINES])
def test_what_the_first_journals_say_reads_for_ever(line: dict[str, Any]) -> None:
    event = decode(line["kind"], line["version"], json.dumps(line["body"]))
    kind, version, body = encode(event)
    assert kind == line["kind"]
    if version == line["version"]:
        assert json.loads(body) == line["body"]


def test_each_kind_of_the_first_journals_is_among_them() -> None:
    told = {line["kind"] for line in GOLDEN_LINES}
    assert told == set(EVENTS) if VERSION == 1 else told < set(EVENTS)


def test_bodies_are_short() -> None:
    assert encode(StarterCut(PACK[17])) == ("starter_cut", 1, '{"card":"5H"}')
    assert encode(StarterCut(RANKS[4])) == ("starter_cut", 1, '{"card":"5"}')


def test_any_text_a_person_types_can_be_kept() -> None:
    """Phones send what they like, even half of a pair of surrogates, which no database takes as text."""
    rules = PRESETS["family"].rules()
    event = GameStarted(rules, ("\ud83d", "Жанна\n\0"), "classic-61", 2, False, (0, 0), is_demo=False)
    kind, version, body = encode(event)
    with closing(sqlite3.connect(":memory:")) as database:
        (kept,) = database.execute("SELECT ?", (body,)).fetchone()
    assert decode(kind, version, kept) == event


@pytest.mark.parametrize(
    ("kind", "version", "body", "told"),
    [
        pytest.param("card_burnt", 1, "{}", "'card_burnt'", id="unknown kind"),
        pytest.param("go_said", VERSION + 1, '{"seat":0}', "update cribboard", id="newer version"),
        pytest.param("go_said", 1, '{"seat":', "restore", id="torn text"),
        pytest.param("go_said", 1, "[0]", "restore", id="not a record"),
        pytest.param("go_said", 1, "{}", "seat", id="missing field"),
        pytest.param("go_said", 1, '{"seat":0,"mood":1}', "mood", id="field too many"),
        pytest.param("go_said", 1, '{"seat":true}', "expected int, got bool", id="true is no seat"),
        pytest.param("starter_cut", 1, '{"card":"1H"}', "1H", id="no card"),
        pytest.param("peg_leapt", 1, '{"side":0,"pegs":[7],"stands":true}', "restore", id="one peg"),
        pytest.param("hand_dealt", 1, '{"seat":0,"cards":"5H"}', "expected list", id="a hand that is no list"),
    ],
)
def test_what_cannot_be_read_says_what_and_where(kind: str, version: int, body: str, told: str) -> None:
    with pytest.raises(CodecError) as caught:
        decode(kind, version, body)
    sentence = str(caught.value)
    assert told in sentence
    assert sentence.startswith(f"event {kind!r}: expected ") and "\n" not in sentence


def test_a_leap_is_two_pegs() -> None:
    leap = decode("peg_leapt", 1, '{"side":1,"pegs":[4,9],"stands":false}')
    assert isinstance(leap, PegLeapt)
    assert (leap.side, leap.pegs.back, leap.pegs.front, leap.stands) == (1, 4, 9, False)
