"""A board at a club night: it joins by the code, and begins the games of its table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from firmware_host.cli.club_collector import MOST_WRONG_CODES, Collector, collecting, seat_message
from firmware_host.club import decide as d
from firmware_host.club.members import NightSettings
from firmware_host.club.seating import set_join_code
from firmware_host.club.store import ClubFile
from firmware_host.config.languages import translator
from firmware_host.game import commands as c
from firmware_host.host import storage_care
from firmware_host.host.loop import Host
from firmware_host.storage.journal import Journal
from firmware_host.telemetry import outbox
from firmware_host.telemetry.club_seat import ClubSeat, read_seat
from firmware_host.telemetry.link import Broker
from firmware_host.telemetry.telemetry import Options, Telemetry
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import Mosquitto, Observer, needs_mosquitto
from tests.telemetry.schemas import check
from tests.telemetry.test_club_collector import collect_until

ENGLISH, CODE = translator("en"), "123456"
SEAT = {"version": 1, "state": "seated", "night": 1, "round": 1, "table": 1, "players": ["Ann", "Ben"]}
SEAT |= {"scores": [0, 0], "variant": "six_card", "target": 121}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "FIRST_RESEND_S", 0.1)
    monkeypatch.setattr(storage_care, "RECEIPTS_S", 0.0)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ClubFile]:
    """A night of today with two players, a code, and one round."""
    with closing(ClubFile.open(tmp_path / "club" / "club.sqlite3")) as file:
        for name in ("Ann", "Ben"):
            file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
        today = datetime.now(UTC).date().isoformat()
        file.change(lambda club: d.create_night(club, today, NightSettings(games=3)))
        for name in ("Ann", "Ben"):
            file.change(lambda club, name=name: d.enter_player(club, club.nights[0], d.find_member(club, name).id))  # type: ignore[misc]
        file.change(lambda club: set_join_code(club.nights[0], CODE))
        file.change(lambda club: d.pair_round(club, club.nights[0]))
        yield file


@contextmanager
def board(host: Host, port: int, code: str = CODE) -> Iterator[Telemetry]:
    path = host.journal_path
    assert path
    journal = lambda: closing(Journal.open_readonly(path))  # noqa: E731
    telemetry = Telemetry(host, Broker("127.0.0.1", port, "table-3"), "", journal, Options(club_code=code))
    telemetry.start()
    try:
        yield telemetry
    finally:
        telemetry.stop()


def names(host: Host) -> tuple[str, ...]:
    return host.snapshot.table.names if host.snapshot.table else ()


@needs_mosquitto
def test_a_board_joins_begins_each_game_of_its_table_and_sends_the_results(
    host: Host, broker: Mosquitto, observer: Observer, file: ClubFile
) -> None:
    with (
        collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector,
        board(host, broker.port),
    ):
        for number in (1, 2, 3):
            pair = [file.club.name(player) for player in file.club.nights[0].rounds[-1].games[0].players]
            collect_until(collector, lambda pair=pair: sorted(names(host)) == sorted(pair) and not scored(host))  # type: ignore[misc]
            host.submit(c.CorrectScore(1, 60 + number, "so far"))
            host.submit(c.CorrectScore(0, 121, "the end"))
            collect_until(collector, lambda: file.club.nights[0].rounds[-1].games[0].scores)
            for player in file.club.nights[0].rounds[-1].games[0].players:
                file.change(
                    lambda club, number=number, by=player: d.confirm_result(club, club.nights[0], number, 1, by)  # type: ignore[misc]
                )
            if number < 3:
                file.change(lambda club: d.pair_round(club, club.nights[0]))
        collect_until(collector, lambda: observer.on("/seat")[-1]["state"] == "waiting")
    assert file.club.nights[0].is_over and file.club.nights[0].boards == {"table-3": 1}
    assert sorted(min(game.scores) for game in file.club.nights[0].games) == [61, 62, 63]
    for message in observer.on("/join"):
        check("join", message)
    assert [message["round"] for message in observer.on("/seat") if "round" in message][-1] == 3
    for message in observer.on("/seat"):
        check("seat", message)


def scored(host: Host) -> bool:
    table = host.snapshot.table
    return table is not None and any(table.scores)


@needs_mosquitto
def test_a_wrong_code_gets_no_table(host: Host, broker: Mosquitto, observer: Observer, file: ClubFile) -> None:
    with (
        collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector,
        board(host, broker.port, "000000"),
    ):
        collect_until(collector, lambda: observer.on("/seat"))
    check("seat", observer.on("/seat")[0])
    assert observer.on("/seat")[0]["state"] == "wrong_code" and not file.club.nights[0].boards and not names(host)


def test_after_many_wrong_codes_not_even_the_right_one_is_looked_at(file: ClubFile) -> None:
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    for number in range(MOST_WRONG_CODES):
        collector._join(f"board-{number}", f"{number:06}")
    collector._join("board-x", CODE)
    assert not file.club.nights[0].boards
    collector.link.stop()


def test_a_head_start_is_in_the_message(file: ClubFile) -> None:
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    collector._join("table-3", CODE)
    collector.link.stop()
    night = file.club.nights[0]
    game = replace(night.rounds[0].games[0], head_start=-4)
    night = replace(night, rounds=(replace(night.rounds[0], games=(game,)),))
    message = seat_message(file.club, night, "table-3")
    check("seat", message)
    seat = read_seat(json.dumps(message).encode())
    assert message["scores"] == [0, 4] and seat and seat.start.scores == (0, 4)


def seated(**changes: object) -> ClubSeat:
    club = ClubSeat(CODE)
    club.receive(json.dumps(SEAT | changes).encode())
    return club


def test_a_game_that_is_on_is_never_ended_and_the_seat_waits(host: Host) -> None:
    club = seated(players=["Cat", "Dan"])
    host.submit(START)
    assert club.game_to_begin(host.snapshot) is None
    host.submit(c.CorrectScore(0, 121, "the end"))
    start = club.game_to_begin(host.snapshot)
    assert start and start.names == ("Cat", "Dan")
    assert club.game_to_begin(host.snapshot) is None  # once


def test_a_game_that_was_begun_before_a_restart_is_not_begun_again(host: Host) -> None:
    host.submit(START)
    assert seated().game_to_begin(host.snapshot) is None
    host.submit(c.CorrectScore(0, 121, "the end"))
    club = seated()
    assert club.game_to_begin(host.snapshot) is None
    club.receive(json.dumps(SEAT | {"round": 2}).encode())
    assert club.game_to_begin(host.snapshot)  # the same two again


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "waiting"},
        {"players": ["Ann"]},
        {"players": ["Ann", ""]},
        {"players": ["Ann", "B\n"]},
        {"players": ["Ann", "x" * 41]},
        {"variant": "chess"},
        {"scores": "00"},
        {"night": "1"},
    ],
)
def test_a_malformed_seat_is_ignored(changes: dict[str, object]) -> None:
    assert read_seat(json.dumps(SEAT | changes).encode()) is None


def test_a_board_asks_every_ten_seconds_until_an_answer() -> None:
    club = ClubSeat(CODE)
    payload = club.join_payload(0.0)
    check("join", json.loads(payload))
    assert not club.join_payload(9.0) and club.join_payload(10.0)
    club.receive(b'{"state": "waiting"}')
    assert not club.join_payload(30.0)
    club.connected()
    assert club.join_payload(31.0)
