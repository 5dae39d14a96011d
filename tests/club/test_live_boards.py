"""How the boards of a night are now: only those that have joined, only the newest message, and nothing malformed."""

from __future__ import annotations

from datetime import datetime

import pytest
from msgspec.structs import replace

from firmware_host.club_server.live_boards import LiveBoard, LiveBoards, live_topics
from firmware_host.mqtt_messages.board import StateMessage, StateSide
from firmware_host.mqtt_messages.reading import LONGEST_MESSAGE, as_payload
from firmware_host.mqtt_messages.topics import VERSION
from firmware_host.telemetry.payloads import EMPTY

NOON = datetime(2026, 3, 14, 12, 0)
STATUS, STATE = live_topics("table-3")


def table(first: int, second: int, name: str = "Ben", starter: str | None = "5H") -> StateMessage:
    sides = tuple(
        StateSide(name=each, players=(each,), score=score, target=121, to_go=121 - score, owed=0)
        for each, score in (("Ann", first), (name, second))
    )
    return StateMessage(VERSION, True, "play", "six_card", 121, 3, "Ann", "Ben", starter, sides, None, False)


def payload(message: StateMessage) -> bytes:
    return as_payload(message).encode()


GOOD = payload(table(45, 52))


@pytest.fixture
def live() -> LiveBoards:
    """`table-3` has joined."""
    live = LiveBoards(lambda: NOON)
    live.follow(["table-3"])
    return live


def board(live: LiveBoards) -> LiveBoard:
    assert live.boards
    return live.boards["table-3"]


def test_no_board_is_heard_before_a_broker_is_connected() -> None:
    live = LiveBoards()
    live.receive(STATUS, b"online", False)
    assert live.boards is None


def test_a_board_comes_plays_and_goes(live: LiveBoards) -> None:
    assert board(live) == LiveBoard()
    live.receive(STATUS, b"online", False)
    live.receive(STATE, GOOD, False)
    assert board(live) == LiveBoard(True, NOON, {"Ann": 45, "Ben": 52})
    live.receive(STATUS, b"offline", False)
    assert board(live) == LiveBoard(False, NOON, {"Ann": 45, "Ben": 52})


def test_a_message_that_the_broker_kept_does_not_say_since_when(live: LiveBoards) -> None:
    live.receive(STATUS, b"online", True)
    assert board(live) == LiveBoard(is_online=True)


def test_the_time_is_that_of_the_change(live: LiveBoards) -> None:
    live.receive(STATUS, b"online", False)
    live.receive(STATUS, b"online", True)
    assert board(live).since == NOON


def test_a_game_that_is_over_or_left_has_no_score(live: LiveBoards) -> None:
    for ended in (payload(replace(table(121, 90), is_on=False, phase="over")), payload(EMPTY), b""):
        live.receive(STATE, GOOD, False)
        assert board(live).scores
        live.receive(STATE, ended, False)
        assert not board(live).scores


@pytest.mark.parametrize(
    "bad",
    [
        b"{",
        b"\xff",
        b"[]",
        payload(table(45, 52)).replace(b'"version":1', b'"version":2'),
        payload(table(45, 52)).replace(b'"score":45', b'"score":-45'),
        payload(table(45, 10**7)),
        payload(table(45, 60, name="\n")),
        payload(table(45, 60)).replace(b"5H", b"5H 6H"),
        payload(table(45, 60)) + b" " * LONGEST_MESSAGE,
    ],
)
def test_a_malformed_message_changes_nothing(live: LiveBoards, bad: bytes) -> None:
    live.receive(STATUS, b"online", False)
    live.receive(STATE, GOOD, False)
    before = board(live)
    live.receive(STATE, bad, False)
    live.receive(STATUS, bad, False)
    assert board(live) == before


def test_only_boards_that_have_joined_are_kept(live: LiveBoards) -> None:
    for number in range(50):
        for topic, text in zip(live_topics(f"stranger-{number}"), (b"online", GOOD), strict=True):
            live.receive(topic, text, False)
    assert list(live.boards or ()) == ["table-3"]


def test_of_many_messages_the_newest_is_kept(live: LiveBoards) -> None:
    for score in range(100):
        live.receive(STATE, payload(table(score, 7)), False)
    assert board(live).scores == {"Ann": 99, "Ben": 7}


def test_a_board_that_leaves_or_is_released_disappears(live: LiveBoards) -> None:
    live.receive(STATUS, b"online", False)
    live.follow(["table-4"])
    assert live.boards == {"table-4": LiveBoard()}
    live.follow(["table-3"])
    assert board(live) == LiveBoard()
    live.follow(None)
    assert live.boards is None


def test_an_expelled_board_whose_topics_are_emptied_is_offline(live: LiveBoards) -> None:
    live.receive(STATUS, b"online", False)
    live.receive(STATUS, b"", False)
    assert not board(live).is_online


def test_a_reader_keeps_what_it_has_read(live: LiveBoards) -> None:
    read = live.boards
    live.receive(STATUS, b"online", False)
    assert read == {"table-3": LiveBoard()}
