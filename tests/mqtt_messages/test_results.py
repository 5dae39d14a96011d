"""Results: the receivers agree on every message, and say what is wrong with it and where."""

from __future__ import annotations

import json

import pytest

from firmware_host.club.board_results import board_result
from firmware_host.league.result_message import ledger_result
from firmware_host.mqtt_messages.reading import LONGEST_MESSAGE, MalformedMessage, UnknownVersion, as_payload
from firmware_host.mqtt_messages.result import key_of, read_receipt, read_result
from tests.league.messages import message

SIDE = {"players": ["Ann"], "score": 121}
OTHER = {"players": ["Bob"], "score": 85}
WITHOUT = "(left out)"


def payload(**changes: object) -> bytes:
    body = message(**changes).body  # type: ignore[arg-type]
    return json.dumps({name: value for name, value in body.items() if value != WITHOUT}).encode()


def is_read_by_the_club(sent: bytes) -> bool:
    try:
        return bool(board_result("table-1", read_result("table-1", sent)).names)
    except MalformedMessage:
        return False


def is_read_by_the_league(sent: bytes) -> bool:
    try:
        return bool(ledger_result("table-1", read_result("table-1", sent)).players)
    except MalformedMessage:
        return False


MALFORMED = [
    ({"id": ""}, "result.id: expected `str` of length >= 32"),
    ({"id": "a" * 32 + "\n"}, "result.id"),
    ({"revision": True}, "result.revision: expected `int`, got `bool`"),
    ({"revision": 0}, "result.revision: expected `int` >= 1"),
    ({"revision": 10**30}, "result.revision"),
    ({"is_final": 1}, "result.is_final: expected `bool`, got `int`"),
    ({"ended_at": "yesterday"}, "result.ended_at: expected a time in ISO 8601"),
    ({"ended_at": "2026-02-30T12:00:00Z"}, "result.ended_at: expected a time in ISO 8601"),
    ({"ended_at": "2026-02-03T12:00:00"}, "result.ended_at: expected a time in ISO 8601"),
    ({"started_at": "0001-01-01T00:00:00+14:00"}, "result.started_at: expected a time in ISO 8601"),
    ({"sides": []}, "result.sides: expected `array` of length >= 2"),
    ({"sides": [SIDE]}, "result.sides: expected `array` of length >= 2"),
    ({"sides": [SIDE] * 7}, "result.sides"),
    ({"sides": [SIDE, {"players": ["Bob"] * 7, "score": 1}]}, "result.sides[1].players"),
    ({"sides": [SIDE, {"players": [], "score": 1}]}, "result.sides[1].players"),
    ({"sides": [SIDE, {"players": ["Bob\t"], "score": 1}]}, "result.sides[1].players[0]: expected 1 to 100 printable"),
    ({"sides": [SIDE, {"players": ["\u3164"], "score": 1}]}, "result.sides[1].players[0]"),
    ({"sides": [SIDE, {"players": ["x" * 101], "score": 1}]}, "result.sides[1].players[0]"),
    ({"sides": [SIDE, {"players": ["Bob"], "score": True}]}, "result.sides[1].score: expected `int`, got `bool`"),
    ({"variant": WITHOUT}, "result.variant: expected a value, got nothing"),
    ({"winner": None}, "result.winner: expected the number of a side, got nothing"),
    ({"winner": 2}, "result.winner: expected the number of a side, got 2"),
    ({"match_points": [3]}, "result.match_points: expected one number for each side"),
    ({"confirmed": [2]}, "result.confirmed[0]: expected the number of a side, got 2"),
    ({"confirmed": [False]}, "result.confirmed[0]: expected `int`, got `bool`"),
    ({"club_game": {"night": True, "round": 1, "table": 1}}, "result.club_game.night: expected `int`, got `bool`"),
    ({"version": WITHOUT}, "result.version: expected a value, got nothing"),
]


@pytest.mark.parametrize(("changes", "words"), MALFORMED, ids=lambda value: str(value)[:60])
def test_the_receivers_refuse_the_same_messages(changes: dict[str, object], words: str) -> None:
    sent = payload(**changes)
    assert not is_read_by_the_club(sent) and not is_read_by_the_league(sent)
    with pytest.raises(MalformedMessage) as refused:
        read_result("table-1", sent)
    assert str(refused.value).startswith(words) and str(refused.value).endswith("schemas/result.json describes")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"a_later_field": [1]},
        {"sides": [SIDE, OTHER | {"a_later_field": 1}]},
        {"sides": [{"players": ["x" * 60, "y" * 60], "score": 121}, OTHER]},
        {"sides": [{"players": ["Bob"] * 6, "score": 121}, OTHER]},
        {"confirmed": WITHOUT, "club_game": WITHOUT},
        {"is_final": False, "winner": None, "margin": None, "match_points": None, "spread": None},
        {"margin": "of_a_later_version"},
        {"ended_at": "2026-11-25T19:20:00Z"},
    ],
    ids=lambda value: str(value)[:60],
)
def test_the_receivers_read_the_same_messages(changes: dict[str, object]) -> None:
    sent = payload(**changes)
    assert is_read_by_the_club(sent) and is_read_by_the_league(sent)
    read = read_result("table-1", sent)
    assert read_result("table-1", as_payload(read).encode()) == read


@pytest.mark.parametrize("changes", [{}, {"sides": "of another kind"}, {"revision": True}])
def test_another_version_is_refused_by_name_whatever_else_it_has(changes: dict[str, object]) -> None:
    with pytest.raises(UnknownVersion, match="^result.version: expected version 1, got version 2; update the older"):
        read_result("table-1", payload(version=2, **changes))


@pytest.mark.parametrize("sent", [b"", b"{", b"\xff", b"[" * 5_000, b"[]", b" " * (LONGEST_MESSAGE + 1)])
def test_what_is_no_message_is_refused_and_has_no_key(sent: bytes) -> None:
    with pytest.raises(MalformedMessage, match="^result: expected"):
        read_result("table-1", sent)
    assert key_of(sent) is None


def test_the_key_of_a_malformed_result_is_read() -> None:
    key = key_of(payload(sides=[], revision=7))
    assert key and (key.id, key.revision) == (message().body["id"], 7)
    assert key_of(payload(revision=True)) is None


def test_a_topic_without_a_name_of_a_board_is_refused() -> None:
    with pytest.raises(MalformedMessage, match=r"^result\.board: expected a name in the topic"):
        read_result("table\n1", payload())


def test_a_long_reason_is_cut_so_that_the_answer_counts() -> None:
    receipt = {"version": 1, "id": "ab", "revision": 1, "is_accepted": False, "reason": "x\n" * 300}
    assert read_receipt(json.dumps(receipt).encode()).reason == "x" * 200
