"""A board at a club night: it joins by the code, and begins the games of its table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club.bracket import Match
from firmware_host.club.by_hand import swap_match_tables
from firmware_host.club.game import Game
from firmware_host.club.members import NightSettings
from firmware_host.club.seating import join_board, release_board, set_join_code
from firmware_host.club_server.collector import MOST_OF_ONE_BOARD, MOST_WRONG_CODES, Collector, collecting, seat_message
from firmware_host.club_server.output import Output
from firmware_host.club_server.store import ClubFile
from firmware_host.config.languages import translator
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.events import ClubGame
from firmware_host.host.loop import Host
from firmware_host.host.parts import journal_maintenance, keypad_session
from firmware_host.mqtt_messages.reading import MalformedMessage
from firmware_host.mqtt_messages.seat import read_seat
from firmware_host.storage.journal import Journal
from firmware_host.telemetry import club_seat, outbox
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.club_seat import ClubSeat, night_of
from firmware_host.telemetry.telemetry import Options, Telemetry
from firmware_host.ui.club_night import ClubNight, ClubState
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import PATIENCE_S, Mosquitto, Observer, needs_mosquitto
from tests.telemetry.schemas import check
from tests.telemetry.test_club_collector import collect_until

ENGLISH = Output(translator("en"), print, print)
CODE = "123456"
SEAT = {"version": 1, "state": "seated", "night": 1, "round": 1, "table": 1, "players": ["Ann", "Ben"]}
SEAT |= {"scores": [0, 0], "variant": "six_card", "target": 121}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "FIRST_RESEND_S", 0.1)
    monkeypatch.setattr(journal_maintenance, "RECEIPTS_S", 0.0)


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


@needs_mosquitto
def test_a_board_plays_the_games_of_a_match_of_the_play_offs(
    host: Host, broker: Mosquitto, observer: Observer, file: ClubFile
) -> None:
    file.change(lambda club: d.correct_result(club.nights[0], 1, 1, (121, 100), "on paper"))
    everybody = [*file.club.members]
    file.change(lambda club: d.draw_bracket(club, club.nights[0], members=everybody))

    def match() -> Match:
        return file.club.nights[0].brackets[e.BracketKind.MAIN].rounds[0][0]

    with (
        collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector,
        board(host, broker.port),
    ):
        for number in (1, 2):
            collect_until(collector, lambda: names(host) and not scored(host))
            game = match().open_games[0]
            host.submit(c.CorrectScore(0, 121, "the end"))
            collect_until(collector, lambda game=game: match().games[-1].scores)  # type: ignore[misc]
            for player in game.players:
                at = (game.round, game.table, player)
                file.change(lambda club, at=at: d.confirm_result(club, club.nights[0], *at))  # type: ignore[misc]
            assert match().score == (number, 0)
        collect_until(collector, lambda: observer.on("/seat")[-1]["state"] == "waiting")
    assert match().wins == (2, 0) and match().winner == file.club.nights[0].brackets[e.BracketKind.MAIN].champion
    seats = [message for message in observer.on("/seat") if message["state"] == "seated"]
    assert {(message["round"], message["bracket"]) for message in seats} == {(4, "main"), (5, "main")}
    for message in observer.on("/seat"):
        check("seat", message)


@needs_mosquitto
def test_a_match_that_gets_another_table_is_seated_there(
    host: Host, broker: Mosquitto, observer: Observer, file: ClubFile
) -> None:
    file.change(lambda club: d.correct_result(club.nights[0], 1, 1, (121, 100), "on paper"))
    file.change(lambda club: d.draw_bracket(club, club.nights[0], members=[*club.members]))
    file.change(lambda club: swap_match_tables(club.nights[0], 1, 2))
    with (
        collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector,
        board(host, broker.port),
    ):
        collect_until(collector, lambda: any(each["state"] == "waiting" for each in observer.on("/seat")))
        assert not names(host)
        file.change(lambda club: swap_match_tables(club.nights[0], 2, 1))
        collect_until(collector, lambda: names(host))
        host.submit(c.CorrectScore(0, 121, "the end"))
        collect_until(collector, lambda: file.club.nights[0].match_games_at(1)[0].scores)


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


def test_five_wrong_codes_of_one_board_shut_out_that_board_alone(file: ClubFile) -> None:
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    for number in range(MOST_OF_ONE_BOARD):
        collector._join("board-1", f"{number:06}")
    collector._join("board-1", CODE)
    assert not file.club.nights[0].boards
    collector._join("board-2", CODE)
    assert file.club.nights[0].boards == {"board-2": 1}
    collector.link.stop()


def test_after_many_wrong_codes_not_even_the_right_one_is_looked_at(file: ClubFile) -> None:
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    for number in range(MOST_WRONG_CODES):
        collector._join(f"board-{number}", f"{number:06}")
    collector._join("board-x", CODE)
    assert not file.club.nights[0].boards
    collector.link.stop()


@pytest.mark.parametrize(
    ("payload", "wrong_codes"),
    [
        (b'{"version": 1, "code": "123456", "a_later_field": 1}', 0),
        (b'{"version": 1, "code": 123456}', 1),
        (b"{", 1),
        (b'{"version": 2, "code": "123456"}', 0),
    ],
)
def test_a_malformed_join_counts_as_a_wrong_code_and_one_of_another_version_does_not(
    file: ClubFile, payload: bytes, wrong_codes: int
) -> None:
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    collector._keep("cribboard/1/from/table-3/join", payload, False)
    collector.step(0.0)
    collector.link.stop()
    assert len(collector._wrong_codes) == wrong_codes
    assert bool(file.club.nights[0].boards) == (b"a_later_field" in payload)


def test_a_head_start_is_in_the_message(file: ClubFile) -> None:
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    collector._join("table-3", CODE)
    collector.link.stop()
    night = file.club.nights[0]
    game = replace(night.rounds[0].games[0], head_start=-4)
    night = replace(night, rounds=(replace(night.rounds[0], games=(game,)),))
    message = to_builtins(seat_message(file.club, night, "table-3"))
    check("seat", message)
    seat = night_of(read_seat(json.dumps(message).encode()))
    assert list(message["scores"]) == [0, 4] and seat and seat.start and seat.start.scores == (0, 4)


def test_the_house_rules_of_the_night_are_in_the_message(file: ClubFile) -> None:
    rules = rules_for("five_card", {"target": 121, "muggins_mode": "claim", "renege": "two_flat"})
    file.change(lambda club: d.create_night(club, "2026-03-15", NightSettings(games=3, rules=rules), closes=True))
    for member in file.club.current_members:
        file.change(lambda club, id=member.id: d.enter_player(club, club.nights[-1], id))  # type: ignore[misc]
    file.change(lambda club: d.pair_round(club, club.nights[-1]))
    file.change(lambda club: set_join_code(club.nights[-1], CODE))
    file.change(lambda club: join_board(club, "table-3", CODE))  # type: ignore[arg-type, return-value]
    message = to_builtins(seat_message(file.club, file.club.nights[-1], "table-3"))
    check("seat", message)
    seat = night_of(read_seat(json.dumps(message | {"a_later_field": 1}).encode()))
    assert seat and seat.start and seat.start.rules == rules and seat.start.club_game == ClubGame(2, 1, 1)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"variant": "chess"}, "chess"),
        ({"options": {"double_go": True}}, "double_go"),
        ({"options": {"muggins_mode": "louder"}}, "muggins_mode"),
        ({"options": {"target": "many"}}, "target"),
        ({"options": {"x\n" * 50: 1}}, "x"),
    ],
)
def test_a_rule_that_the_board_does_not_know_begins_no_game(
    host: Host, changes: dict[str, object], problem: str
) -> None:
    night = night_of(read_seat(json.dumps(SEAT | changes).encode()))
    assert night and night.state is ClubState.REFUSED and night.start is None and night.problem.startswith(problem)
    club = seated(**changes)
    assert club.game_to_begin(host.snapshot) is None and night.problem in club.fault


def seated(**changes: object) -> ClubSeat:
    club = ClubSeat(CODE)
    club.join_payload(0.0)
    club.receive(json.dumps(SEAT | changes).encode())
    return club


def start_of(club: ClubSeat) -> c.StartGame:
    assert club.night.start
    return club.night.start


def test_a_game_that_is_on_is_never_ended_and_the_seat_waits(host: Host) -> None:
    club = seated(players=["Cat", "Dan"])
    host.submit(START)
    assert club.game_to_begin(host.snapshot) is None
    host.submit(c.CorrectScore(0, 121, "the end"))
    start = club.game_to_begin(host.snapshot)
    assert start and start.names == ("Cat", "Dan")
    assert club.game_to_begin(host.snapshot) is None  # once


def test_a_game_that_was_begun_before_a_restart_is_not_begun_again(host: Host) -> None:
    host.submit(start_of(seated()))
    assert seated().game_to_begin(host.snapshot) is None
    host.submit(c.CorrectScore(0, 121, "the end"))
    club = seated()
    assert club.game_to_begin(host.snapshot) is None
    club.receive(json.dumps(SEAT | {"round": 2}).encode())
    assert club.game_to_begin(host.snapshot)  # the same two again


def test_a_game_of_others_at_the_same_table_of_a_round_begins(host: Host) -> None:
    club = seated()
    assert club.game_to_begin(host.snapshot)
    club.receive(json.dumps(SEAT | {"players": ["Cat", "Dan"]}).encode())
    start = club.game_to_begin(host.snapshot)
    assert start and start.names == ("Cat", "Dan"), "the organiser exchanged the tables before the game began"


def test_a_game_of_the_same_two_before_the_night_is_not_taken_for_theirs(host: Host) -> None:
    host.submit(START)
    host.submit(c.CorrectScore(0, 121, "the end"))
    assert seated().game_to_begin(host.snapshot)


def test_with_a_code_from_the_keys_no_game_begins_by_itself(host: Host) -> None:
    club = ClubSeat()
    club.follow(ClubNight(ClubState.JOINING, code=CODE, joins=1), 0.0)
    assert json.loads(club.join_payload(0.0)) == {"version": 1, "code": CODE}
    club.receive(json.dumps(SEAT).encode())
    assert start_of(club).names == ("Ann", "Ben") and club.game_to_begin(host.snapshot) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "elsewhere"},
        {"state": ["seated"]},
        {"players": ["Ann"]},
        {"players": ["Ann", ""]},
        {"players": ["Ann", "B\n"]},
        {"players": ["Ann", "x" * 41]},
        {"options": ["target"]},
        {"options": {str(number): 1 for number in range(61)}},
        {"scores": "00"},
        {"night": "1"},
        {"version": 2},
        {"round": None},
        *({field: True} for field in ("night", "round", "table")),
        {"scores": [0, False]},
    ],
)
def test_a_malformed_seat_is_ignored(changes: dict[str, object]) -> None:
    payload = json.dumps(SEAT | changes).encode()
    with pytest.raises(MalformedMessage, match=f"^seat.{next(iter(changes))}"):
        read_seat(payload)
    club = seated()
    before = club.night
    club.receive(payload)
    assert club.night is before


def test_a_board_asks_every_ten_seconds_until_an_answer() -> None:
    club = ClubSeat(CODE)
    payload = club.join_payload(0.0)
    check("join", json.loads(payload))
    assert not club.join_payload(9.0) and club.join_payload(10.0)
    club.receive(b'{"version": 1, "state": "waiting"}')
    assert not club.join_payload(30.0)
    club.connected()
    assert club.join_payload(31.0)


def test_what_the_broker_kept_from_another_night_is_no_answer_to_the_code() -> None:
    club = ClubSeat(CODE)
    club.receive(json.dumps(SEAT).encode())  # before anything was asked
    assert club.night.start is None and club.join_payload(0.0)
    club.receive(b'{"version": 1, "state": "not_joined"}')
    assert club.join_payload(10.0)
    club.receive(b'{"version": 1, "state": "waiting", "table": 4}')
    assert (club.night.state, club.night.table) == (ClubState.JOINED, 4) and not club.join_payload(99.0)


def test_a_board_with_a_code_in_its_settings_joins_the_next_night_but_stays_released() -> None:
    club = seated()
    club.receive(b'{"version": 1, "state": "released"}')
    assert not club.join_payload(20.0)
    club.receive(b'{"version": 1, "state": "not_joined"}')
    assert club.join_payload(20.0)


def test_a_typed_code_without_an_answer_is_said_and_asked_again() -> None:
    club = ClubSeat()
    assert not club.join_payload(0.0)
    club.follow(ClubNight(ClubState.JOINING, code=CODE, joins=1), 100.0)
    assert club.join_payload(100.0)
    states = []
    for at_s in (109.0, 111.0):
        club.check_answer(at_s)
        states.append(club.night.state)
    assert states == [ClubState.JOINING, ClubState.NO_ANSWER] and club.join_payload(111.0)
    club.receive(b'{"version": 1, "state": "wrong_code"}')
    club.connected()
    assert club.night.state is ClubState.WRONG_CODE and not club.join_payload(200.0)


class Keys:
    """The people at the board of a running host: the keys as the host sees them."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def press(self, *keys: str) -> None:
        for key in keys:
            self._host._calls.call(partial(self._host._parts.keypad._press, key, self._host._commands, monotonic()))

    def enter_on(self, line: str, collector: Collector) -> None:
        """ENTER once the display shows a line, as people press it."""
        collect_until(collector, lambda: self._host.snapshot.prompt == line)
        sleep(keypad_session.CONFIRM_AFTER_S)
        self.press("ENTER")


@needs_mosquitto
def test_a_night_at_a_board_with_its_keys_alone(
    host: Host, broker: Mosquitto, observer: Observer, file: ClubFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code is typed, the seat confirmed, the result confirmed by both, taken back, and confirmed again."""
    monkeypatch.setattr(keypad_session, "CONFIRM_AFTER_S", 0.05)
    keys = Keys(host)
    with (
        collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector,
        board(host, broker.port, ""),
    ):
        collect_until(collector, lambda: host.snapshot.input_context.club.state is ClubState.NOT_JOINED)
        keys.press(*typed("000000"))
        collect_until(collector, lambda: host.snapshot.prompt == "Wrong code")
        keys.press(*typed(CODE))
        keys.enter_on("Do you sit here?", collector)

        def played() -> Game:
            return file.club.nights[0].rounds[0].games[0]

        assert sorted(names(host)) == ["Ann", "Ben"] and file.club.nights[0].boards == {"table-3": 1}
        host.submit(c.CorrectScore(1, 95, "so far"))
        host.submit(c.CorrectScore(0, 121, "the end"))
        winner, loser = names(host)
        keys.enter_on(f"{winner}: right? ENTER", collector)
        collect_until(collector, lambda: len(played().confirmed_by) == 1)
        keys.enter_on(f"{loser}: right? ENTER", collector)
        collect_until(collector, lambda: played().is_official)
        keys.press("UNDO", "UNDO")
        collect_until(collector, lambda: not played().confirmed_by)
        keys.enter_on(f"{winner}: right? ENTER", collector)
        keys.enter_on(f"{loser}: right? ENTER", collector)
        collect_until(collector, lambda: played().is_official)
    confirmed = [record.event for record in file.records() if isinstance(record.event, e.ResultConfirmed)]
    assert {event.board for event in confirmed} == {"table-3"} and {event.by for event in confirmed[-2:]} == {1, 2}
    for message in observer.on("/result"):
        check("result", message)
    assert {topic.rsplit("/", 1)[1] for topic, text, _ in observer.seen if CODE in text} == {"join"}
    assert observer.on("/result")[-1]["club_game"] == {"night": 1, "round": 1, "table": 1}


def typed(code: str) -> list[str]:
    """The keys of a code, from the menu on."""
    digits = ({"1": "A", "0": "10"}.get(digit, digit) for digit in code)
    return ["FN held", "FN", CLUB_NIGHT_KEY, *digits, "ENTER"]


CLUB_NIGHT_KEY = "6"
"""On the second page of the menu."""


@needs_mosquitto
def test_without_a_broker_the_board_plays_on_and_says_that_the_club_is_silent(
    host: Host, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club_seat, "JOIN_AGAIN_S", 0.5)
    broker.kill()
    keys = Keys(host)
    with board(host, broker.port, ""):
        wait_for(lambda: host.snapshot.input_context.club.state is ClubState.NOT_JOINED)
        keys.press(*typed(CODE))
        wait_for(lambda: host.snapshot.prompt == "Club does not answer")
        host.submit(START)  # raises TimeoutError if it has to wait for the broker
        host.submit(c.CorrectScore(0, 121, "the end"))
        assert host.snapshot.table and host.snapshot.table.winner == 0


def wait_for(condition: Callable[[], bool]) -> None:
    until_s = monotonic() + PATIENCE_S
    while not condition():
        assert monotonic() < until_s
        sleep(0.05)


@needs_mosquitto
def test_a_board_that_was_released_or_is_of_another_night_is_told_so(
    host: Host, broker: Mosquitto, observer: Observer, file: ClubFile
) -> None:
    with (
        collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector,
        board(host, broker.port, ""),
    ):
        file.change(lambda club: join_board(club, "table-3", CODE))  # type: ignore[arg-type, return-value]
        collect_until(collector, lambda: host.snapshot.input_context.club.start is not None)
        file.change(lambda club: release_board(club.nights[-1], "table-3"))
        collect_until(collector, lambda: host.snapshot.input_context.club.state is ClubState.RELEASED)
        file.change(lambda club: d.create_night(club, "2026-03-20", NightSettings(games=3), closes=True))
        collect_until(collector, lambda: host.snapshot.input_context.club.state is ClubState.NOT_JOINED)
    for message in observer.on("/seat"):
        check("seat", message)
