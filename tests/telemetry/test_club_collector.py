"""Boards and the program of the club at a real Mosquitto: every game is written once, whatever fails between."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.club import decide as d
from firmware_host.club.board_results import BoardResult
from firmware_host.club.events import ResultReceived, ResultUnmatched, Unmatched
from firmware_host.club.history import event_in_words
from firmware_host.club.members import NightSettings
from firmware_host.club.seating import release_board, set_join_code
from firmware_host.club_server import collector as club_collector
from firmware_host.club_server.collector import Collector, collecting, is_recent, receive
from firmware_host.club_server.live_boards import LiveBoard, LiveBoards, live_topics
from firmware_host.club_server.output import Output
from firmware_host.club_server.store import ClubFile, ClubFileError
from firmware_host.config.languages import translator
from firmware_host.game import commands as c
from firmware_host.host.loop import Host
from firmware_host.host.parts import journal_maintenance
from firmware_host.telemetry import link, outbox
from firmware_host.telemetry.broker import Broker
from tests.league.messages import message as league_message
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import Mosquitto, Observer, needs_mosquitto, wait_until
from tests.telemetry.schemas import check
from tests.telemetry.test_outbox import sending, stored, win

ENGLISH = Output(translator("en"), print, lambda text: print(text, file=sys.stderr))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "FIRST_RESEND_S", 0.1)
    monkeypatch.setattr(journal_maintenance, "RECEIPTS_S", 0.0)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[ClubFile]:
    """A night of today, with Ann and Ben at table 1."""
    with closing(ClubFile.open(tmp_path / "club" / "club.sqlite3")) as file:
        for name in ("Ann", "Ben"):
            file.change(lambda club, name=name: d.add_member(club, name))  # type: ignore[misc]
        today = datetime.now(UTC).date().isoformat()
        file.change(lambda club: d.create_night(club, today, NightSettings()))
        for name in ("Ann", "Ben"):
            file.change(lambda club, name=name: d.enter_player(club, club.nights[0], d.find_member(club, name).id))  # type: ignore[misc]
        file.change(lambda club: d.pair_round(club, club.nights[0]))
        yield file


def scores(file: ClubFile) -> tuple[int, ...]:
    game = file.club.nights[0].rounds[0].game_at(1)
    assert game
    return game.scores


def events(file: ClubFile) -> int:
    return sum(1 for _ in file.records())


def collect_until(collector: Collector, condition: Callable[[], object]) -> None:
    """Handles messages until the condition is true."""

    def is_reached() -> bool:
        collector.step(0.01)
        return bool(condition())

    wait_until(is_reached)


@needs_mosquitto
def test_a_game_on_a_board_becomes_a_result_and_its_undo_withdraws_it(
    host: Host, broker: Mosquitto, file: ClubFile, capsys: pytest.CaptureFixture[str]
) -> None:
    with sending(host, broker.port), collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector:
        win(host)
        collect_until(collector, lambda: scores(file))
        assert scores(file) == (121, 85)
        assert capsys.readouterr().out == "table-3: Round 1, table 1: Ann 121, Ben 85.\n"
        collect_until(collector, lambda: stored(host))  # the board has the receipt, and keeps it
        host.submit(c.Undo())
        collect_until(collector, lambda: not scores(file))
        assert capsys.readouterr().out == "table-3: Round 1, table 1: the result is undone.\n"
        host.submit(c.Redo())
        collect_until(collector, lambda: scores(file))
        collect_until(collector, lambda: any(each.revision == 3 for each in stored(host)))


@needs_mosquitto
def test_a_result_that_could_not_be_written_is_sent_again(
    host: Host, broker: Mosquitto, file: ClubFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = list[int]()
    write = file.change_if_needed

    def fail(decide: object) -> object:
        refusals.append(1)
        raise ClubFileError("a file that can be written", "a full disk", "club.sqlite3", "free some space")

    with sending(host, broker.port), collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector:
        monkeypatch.setattr(file, "change_if_needed", fail)
        win(host)
        collect_until(collector, lambda: len(refusals) > 1)
        assert not scores(file) and not stored(host)
        monkeypatch.setattr(file, "change_if_needed", write)
        collect_until(collector, lambda: stored(host))
    assert scores(file) == (121, 85)


@needs_mosquitto
def test_a_message_that_comes_twice_is_written_once_and_answered_twice(
    broker: Mosquitto, observer: Observer, file: ClubFile
) -> None:
    ended_at = datetime.now(UTC).isoformat()
    sides = [{"players": ["Ben"], "score": 121}, {"players": ["Ann"], "score": 60}]
    changes: dict[str, Any] = {"sides": sides, "winner": 0, "match_points": [3, 0], "spread": [61, -61]}
    message = league_message(board="table-9", ended_at=ended_at, **changes).body
    with collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector:
        collect_until(collector, lambda: collector.link.is_settled)  # so the broker has its subscriptions
        observer.wait_for("/club/status", lambda status: status == "online")
        before = events(file)
        for payload in (message, "{", message):
            observer.publish("cribboard/1/from/table-9/result", payload)
        collect_until(collector, lambda: len(observer.on("/table-9/receipt")) == 2)
    assert events(file) == before + 1 and scores(file) == (60, 121)
    for receipt in observer.on("/table-9/receipt"):
        check("receipt", receipt)
        assert (receipt["id"], receipt["is_accepted"]) == (message["id"], True)


def test_a_result_that_can_never_be_written_is_refused(
    file: ClubFile, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    receipts, good = list[dict[str, object]](), replace(result(datetime.now(UTC).isoformat()), revision=2)
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    monkeypatch.setattr(collector.link, "send", lambda _key, _topic, payload: receipts.append(json.loads(payload)))
    for read in (replace(good, revision=True), good):
        monkeypatch.setattr(club_collector, "read_result", lambda _board, _payload: None)
        monkeypatch.setattr(club_collector, "board_result", lambda _board, _message, read=read: read)
        collector._keep("cribboard/1/from/table-3/result", b"", False)
        collector.step(0.0)
    collector.link.stop()
    assert "message refused" in capsys.readouterr().err and scores(file) == (121, 85)
    refused, accepted = receipts
    check("receipt", accepted)
    assert refused["is_accepted"] is False and refused["reason"] and accepted["is_accepted"] is True


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"revision": True}, None),
        ({"ended_at": "yesterday"}, "result.ended_at"),
        ({"sides": []}, "result.sides"),
        ({"version": 2}, None),
    ],
)
def test_a_malformed_result_is_refused_and_one_of_another_version_waits(
    file: ClubFile,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    changes: dict[str, object],
    reason: str | None,
) -> None:
    receipts = list[dict[str, object]]()
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    monkeypatch.setattr(collector.link, "send", lambda _key, _topic, payload: receipts.append(json.loads(payload)))
    sent = league_message(board="table-3", **changes)  # type: ignore[arg-type]
    collector._keep("cribboard/1/from/table-3/result", sent.payload, False)
    collector.step(0.0)
    collector.link.stop()
    assert next(iter(changes)) in capsys.readouterr().err
    assert [receipt["is_accepted"] for receipt in receipts] == ([False] if reason else [])
    for receipt in receipts:
        check("receipt", receipt)
        assert str(receipt["reason"]).startswith(str(reason))


@needs_mosquitto
def test_a_board_that_has_not_joined_takes_no_table_until_it_does(
    broker: Mosquitto, observer: Observer, file: ClubFile, capsys: pytest.CaptureFixture[str]
) -> None:
    file.change(lambda club: set_join_code(club.nights[0], "123456"))
    ended_at = datetime.now(UTC).isoformat()
    sides = [{"players": ["Ben"], "score": 121}, {"players": ["Ann"], "score": 60}]
    sent = league_message(board="table-9", ended_at=ended_at, sides=sides, match_points=[3, 0], spread=[61, -61]).body
    with collecting(file, Broker("127.0.0.1", broker.port, "club"), ENGLISH) as collector:
        collect_until(collector, lambda: collector.link.is_settled)  # so the broker has its subscriptions
        for _ in range(2):
            observer.publish("cribboard/1/from/table-9/result", sent)
        said = "table-9 has a result of tonight. Type the code of the room on it: then it counts."
        collect_until(collector, lambda: collector._told_to_join)
        collector.step(0.2)
        assert (capsys.readouterr().err.count(said), scores(file), observer.on("/table-9/receipt")) == (1, (), [])
        observer.publish("cribboard/1/from/table-9/join", {"version": 1, "code": "123456"})
        observer.publish("cribboard/1/from/table-9/result", sent)
        collect_until(collector, lambda: observer.on("/table-9/receipt"))
    assert scores(file) == (60, 121)


@needs_mosquitto
def test_the_club_hears_boards_that_have_joined_until_they_are_released(
    host: Host, broker: Mosquitto, observer: Observer, file: ClubFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "FIRST_RETRY_S", 0.1)
    live = LiveBoards()

    def heard() -> LiveBoard:
        return (live.boards or {}).get("table-3", LiveBoard())

    club = Broker("127.0.0.1", broker.port, "club")
    before = events(file)
    with collecting(file, club, ENGLISH, live=live) as collector:
        with sending(host, broker.port):
            host.submit(START)
            host.submit(c.CorrectScore(0, 5, "so far"))
            observer.wait_for("/table-3/state", lambda state: state["sides"] and state["sides"][0]["score"] == 5)
            collect_until(collector, lambda: live.boards is not None)
            assert live.boards == {} and events(file) == before, "it has not joined"
            file.change(lambda club: set_join_code(club.nights[0], "123456"))
            observer.publish("cribboard/1/from/table-3/join", {"version": 1, "code": "123456"})
            collect_until(collector, lambda: heard() == LiveBoard(True, None, {"Ann": 5, "Ben": 0}))
            observer.publish("cribboard/1/from/table-3/state", "{")
            observer.publish("cribboard/1/from/table-3/status", "asleep")
            host.submit(c.CorrectScore(1, 7, "so far"))
            collect_until(collector, lambda: heard().scores == {"Ann": 5, "Ben": 7})
            assert heard().is_online
        collect_until(collector, lambda: not heard().is_online)
        assert heard().since and heard().scores
        broker.kill()
        collect_until(collector, lambda: live.boards is None)
        broker.start()
        collect_until(collector, lambda: live.boards == {"table-3": LiveBoard()})
        file.change(lambda club: release_board(club.nights[0], "table-3"))
        collect_until(collector, lambda: live.boards == {})
    assert live.boards is None


def test_a_collector_without_pages_ignores_how_boards_are(file: ClubFile) -> None:
    """The broker remembers the subscriptions of the program that ran with pages before."""
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    for topic in live_topics("table-3"):
        collector._keep(topic, b"online", True)
    assert collector._messages.empty()
    collector.link.stop()


def test_only_so_many_messages_wait(file: ClubFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club_collector, "MAX_MESSAGES", 3)
    collector = Collector(file, Broker("127.0.0.1"), ENGLISH)
    for _ in range(9):
        collector._keep("cribboard/1/from/table-9/result", b"{", False)
    assert collector._messages.qsize() == 3
    collector.link.stop()


def result(ended_at: str) -> BoardResult:
    return BoardResult("table-3", "ab", 1, True, ended_at, ("Ann", "Ben"), (121, 85))


def test_games_of_earlier_days_are_not_of_this_night(file: ClubFile) -> None:
    today = file.club.nights[0].date
    assert is_recent(file.club, result(f"{today}T20:00:00+00:00"))
    assert is_recent(file.club, result("soon"))
    assert not is_recent(file.club, result("2020-01-01T20:00:00+00:00"))


def test_the_organiser_hears_of_a_result_from_a_board_with_a_wrong_clock(file: ClubFile) -> None:
    """A Raspberry Pi without a network has the time of its last stop."""
    last_week = (datetime.fromisoformat(file.club.nights[0].date) - timedelta(days=7)).isoformat()
    event = file.change_if_needed(partial(receive, result(last_week)))
    assert isinstance(event, ResultUnmatched) and event.why is Unmatched.OTHER_DATE
    assert file.change_if_needed(partial(receive, result(last_week))) is None, "it comes again"
    others = BoardResult("table-3", "cd", 1, True, last_week, ("Ann", "Zoe"), (121, 85))
    assert receive(others, file.club) is None, "a game of another evening"
    withdrawn = BoardResult("table-3", "ef", 2, False, last_week, ("Ann", "Ben"), (110, 85))
    assert receive(withdrawn, file.club) is None
    file.change(lambda club: d.correct_result(club.nights[0], 1, 1, (121, 85), "its clock was wrong"))
    assert receive(BoardResult("table-3", "gh", 1, True, last_week, ("Ann", "Ben"), (121, 60)), file.club) is None


@pytest.mark.parametrize(
    ("why", "sentence"),
    [
        (Unmatched.NO_GAME, "They do not play each other tonight."),
        (Unmatched.NO_RESULT, "This is not a game of tonight."),
        (Unmatched.COUNTS_ALREADY, "Another result counts already."),
        (Unmatched.OTHER_BOARD, "Another board is at the table of that game."),
        (Unmatched.OTHER_DATE, "By the clock of the board it was played on another day."),
    ],
)
def test_the_organiser_reads_why_a_result_is_not_used(file: ClubFile, why: Unmatched, sentence: str) -> None:
    event = ResultUnmatched(1, why, ("Ann", "Zoe"), (121, 85), "table-3", "ab", 1)
    assert event_in_words(file.club, event, ENGLISH.tr) == f"table-3: Ann 121, Zoe 85 is not used. {sentence}"
    assert "table-3" in event_in_words(file.club, ResultReceived(1, 1, 1, (121, 85), "table-3", "ab", 1), ENGLISH.tr)
