"""Messages that are no results."""

from __future__ import annotations

import json

import pytest

from firmware_host.league.collector import take
from firmware_host.league.database import Database
from firmware_host.league.result_message import ledger_result
from firmware_host.league.standings import standings
from firmware_host.mqtt_messages.reading import LONGEST_MESSAGE, MalformedMessage
from firmware_host.mqtt_messages.result import read_result
from tests.league.messages import message
from tests.telemetry.schemas import check

AT_TABLE = {"night": 1, "round": 2, "table": 3}
SIDE = {"players": ["Ann"], "score": 121}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"is_final": 1}, "is_final"),
        ({"ended_at": "yesterday"}, "ended_at"),
        ({"ended_at": None}, "ended_at"),
        ({"variant": ""}, "variant"),
        ({"variant": "six\u0007card"}, "variant"),
        ({"target": -1}, "target"),
        ({"target": True}, "target"),
        ({"sides": []}, "sides"),
        ({"sides": "none"}, "sides"),
        ({"sides": [SIDE] * 7}, "sides"),
        ({"sides": [SIDE, 3]}, "sides"),
        ({"sides": [SIDE, {"players": [], "score": 1}]}, "players"),
        ({"sides": [SIDE, {"players": [1], "score": 1}]}, "player"),
        ({"sides": [SIDE, {"players": ["x" * 101], "score": 1}]}, "player"),
        ({"sides": [SIDE, {"players": ["Bob"], "score": 10**7}]}, "score"),
        ({"winner": 2}, "winner"),
        ({"winner": None}, "winner"),
        ({"match_points": [3]}, "match_points"),
        ({"spread": [1, "2"]}, "spread"),
    ],
)
def test_a_malformed_result_is_refused_with_its_reason(
    database: Database, changes: dict[str, object], words: str
) -> None:
    sent = message(**changes)  # type: ignore[arg-type]
    with pytest.raises(MalformedMessage, match=words):
        read_result(sent.board, sent.payload)
    ((board, text),) = take(database, [(sent.board, sent.payload)]).receipts
    receipt = json.loads(text)
    assert (board, receipt["id"], receipt["is_accepted"]) == ("table-1", sent.body["id"], False)
    assert words in receipt["reason"] and len(receipt["reason"]) <= 200


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"[" * 5_000,
        b" " * (LONGEST_MESSAGE + 1),
        message(id="").payload,
        message(id=7).payload,
        message(revision=0).payload,
        message(revision=10**7).payload,
    ],
)
def test_a_message_without_a_readable_key_gets_no_answer(database: Database, payload: bytes) -> None:
    assert take(database, [("table-1", payload)]).receipts == ()


def test_times_are_stored_in_utc_and_names_with_single_spaces() -> None:
    sides = [{"players": [" Ann  Lee"], "score": 121}, {"players": ["Bob"], "score": 85}]
    sent = message(ended_at="2026-11-25T20:20:00+02:00", sides=sides)
    result = ledger_result(sent.board, read_result(sent.board, sent.payload))
    assert result.ended_at == "2026-11-25T18:20:00.000+00:00"
    assert (result.players[0].name, result.players[0].player) == ("Ann Lee", "ann lee")


@pytest.mark.parametrize(
    ("club_game", "confirmed", "counts"),
    [
        (None, [], True),
        (None, [0], True),
        (AT_TABLE, [], False),
        (AT_TABLE, [0], False),
        (AT_TABLE, [1, 0], True),
    ],
)
def test_a_game_of_a_club_night_counts_when_both_have_confirmed_it(
    database: Database, club_game: object, confirmed: list[int], counts: bool
) -> None:
    sent = message(club_game=club_game, confirmed=confirmed)
    check("result", sent.body)
    ((_, receipt),) = take(database, [(sent.board, sent.payload)]).receipts
    assert json.loads(receipt)["is_accepted"]
    assert [row.name for row in standings(database)] == (["Ann", "Bob"] if counts else [])


def test_a_confirmation_that_is_taken_back_takes_the_game_back(database: Database) -> None:
    for revision, confirmed in enumerate(([0], [0, 1], [0]), start=1):
        sent = message(revision=revision, club_game=AT_TABLE, confirmed=confirmed)
        take(database, [(sent.board, sent.payload)])
        assert bool(standings(database)) == (len(confirmed) == 2)
