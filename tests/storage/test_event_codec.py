"""Every event survives encoding and decoding, and every body ever written can still be decoded."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.cribbage.cards import PACK, RANKS, Card
from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.variants import PRESETS, VARIANTS, recorded_rules
from firmware_host.game.events import Event, GameStarted, PegLeapt, StarterCut
from firmware_host.storage.event_codec import EVENTS, KINDS, VERSION, CodecError, decode, encode

GOLDEN = Path(__file__).parents[1] / "golden" / "journal-1.jsonl"

FREE_OPTIONS = {
    option.name: st.sampled_from(option.choices)
    for option in OPTIONS
    if option.name not in {"players", "sides", "captain"}
}
ALL_RULES = st.sampled_from([preset.rules() for preset in PRESETS.values()]) | st.builds(
    recorded_rules, st.sampled_from(sorted(VARIANTS)), st.fixed_dictionaries({}, optional=FREE_OPTIONS)
)

st.register_type_strategy(Card, st.sampled_from((*PACK, *RANKS)))
st.register_type_strategy(RuleSet, ALL_RULES)


@pytest.mark.parametrize("event_class", EVENTS.values(), ids=EVENTS)
@given(data=st.data())
def test_every_event_survives_encoding(event_class: type[Event], data: st.DataObject) -> None:
    event = data.draw(st.from_type(event_class))
    assert decode(*encode(event)) == event


def test_every_event_class_has_a_kind() -> None:
    assert set(EVENTS.values()) == set(get_args(Event))
    assert len(KINDS) == len(EVENTS)


GOLDEN_LINES = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("line", GOLDEN_LINES, ids=[line["kind"] for line in GOLDEN_LINES])
def test_bodies_of_format_1_can_be_decoded(line: dict[str, Any]) -> None:
    event = decode(line["kind"], line["version"], json.dumps(line["body"]))
    kind, version, body = encode(event)
    assert kind == line["kind"]
    if version == line["version"]:
        assert json.loads(body) == line["body"]


def test_format_1_sample_has_every_kind() -> None:
    kinds = {line["kind"] for line in GOLDEN_LINES}
    assert kinds == set(EVENTS) if VERSION == 1 else kinds <= set(EVENTS)


def test_bodies_are_short() -> None:
    assert encode(StarterCut(PACK[17])) == ("starter_cut", VERSION, '{"card":"5H"}')
    assert encode(StarterCut(RANKS[4])) == ("starter_cut", VERSION, '{"card":"5"}')


def test_any_typed_text_can_be_stored() -> None:
    """A phone can send half of a surrogate pair, which SQLite does not take as text."""
    rules = PRESETS["family"].rules()
    event = GameStarted(rules, ("\ud83d", "Жанна\n\0"), "classic-61", 2, False, (0, 0), is_demo=False)
    kind, version, body = encode(event)
    with closing(sqlite3.connect(":memory:")) as database:
        (kept,) = database.execute("SELECT ?", (body,)).fetchone()
    assert decode(kind, version, kept) == event


@pytest.mark.parametrize(
    ("kind", "version", "body", "part"),
    [
        pytest.param("card_burnt", 1, "{}", "'card_burnt'", id="unknown kind"),
        pytest.param("go_said", VERSION + 1, '{"seat":0}', "update cribboard", id="newer version"),
        pytest.param("go_said", 1, '{"seat":', "restore", id="truncated text"),
        pytest.param("go_said", 1, "[0]", "restore", id="not a record"),
        pytest.param("go_said", 1, "{}", "seat", id="missing field"),
        pytest.param("go_said", 1, '{"seat":0,"mood":1}', "mood", id="unknown field"),
        pytest.param("go_said", 1, '{"seat":true}', "Expected `int`, got `bool`", id="true is not an int"),
        pytest.param("starter_cut", 1, '{"card":"1H"}', "1H", id="not a card"),
        pytest.param("peg_leapt", 1, '{"side":0,"pegs":[7],"stands":true}', "restore", id="one peg"),
        pytest.param("hand_dealt", 1, '{"seat":0,"cards":"5H"}', "Expected `array`", id="hand is not a list"),
    ],
)
def test_error_names_the_event_and_the_problem(kind: str, version: int, body: str, part: str) -> None:
    with pytest.raises(CodecError) as caught:
        decode(kind, version, body)
    sentence = str(caught.value)
    assert part in sentence
    assert sentence.startswith(f"event {kind!r}: expected ") and "\n" not in sentence


def test_leap_decodes_to_two_pegs() -> None:
    leap = decode("peg_leapt", 1, '{"side":1,"pegs":[4,9],"stands":false}')
    assert isinstance(leap, PegLeapt)
    assert (leap.side, leap.pegs.back, leap.pegs.front, leap.stands) == (1, 4, 9, False)
