"""The ledger: each result is in it once, whatever comes and however often."""

from __future__ import annotations

import json
import random
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.cli.league import unnamed_players
from firmware_host.config.languages import translator
from firmware_host.game.events import GameWon, TurnUndone
from firmware_host.league import ledger
from firmware_host.league.check import compare
from firmware_host.league.collector import take
from firmware_host.league.database import Database, LeagueError, migrate
from firmware_host.league.ledger import BOARD_IS_FULL, MOST_ROWS, OTHER_BOARD, OTHER_RESULT, digests, record
from firmware_host.league.result_message import ledger_result
from firmware_host.league.standings import standings
from firmware_host.mqtt_messages.result import read_result
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.results import result_of
from firmware_host.ui.texts.side_names import default_names
from tests.league.messages import CLUBS, Message, message, oracle, random_messages
from tests.stats.small_games import append, small_game
from tests.telemetry.schemas import check


def send(database: Database, *messages: Message) -> list[tuple[str, dict[str, object]]]:
    """The receipts, with their boards; each fulfils its schema."""
    receipts = [(b, json.loads(text)) for b, text in take(database, [(m.board, m.payload) for m in messages]).receipts]
    for _, receipt in receipts:
        check("receipt", receipt)
    return receipts


def counts(database: Database) -> tuple[int, ...]:
    return tuple(database.execute(f"SELECT count(*) FROM {table}")[0][0] for table in ("result", "player_result"))


def test_a_result_that_comes_again_is_stored_once_and_answered_each_time(database: Database) -> None:
    accepted = {"version": 1, "id": message().body["id"], "revision": 1, "is_accepted": True}
    assert send(database, message(), message()) == [("table-1", accepted)] * 2
    assert send(database, message()) == [("table-1", accepted)]
    assert counts(database) == (1, 2)


def test_a_renamed_board_may_send_its_results_again(database: Database) -> None:
    send(database, message())
    ((board, receipt),) = send(database, message(board="table-9"))
    assert (board, receipt["is_accepted"]) == ("table-9", True)
    assert counts(database) == (1, 2)


def test_a_game_belongs_to_the_board_that_sent_it_first(database: Database) -> None:
    """Another board that learns the id neither overwrites nor withdraws it, and the owner's next revision counts."""
    send(database, message())
    withdrawn = message(board="table-2", revision=2, is_final=False)
    ((_, refused),) = send(database, withdrawn)
    assert (refused["is_accepted"], refused["reason"]) == (False, OTHER_BOARD)
    assert [(row.name, row.wins) for row in standings(database)] == [("Ann", 1), ("Bob", 0)]
    ((_, receipt),) = send(database, message(revision=2, is_final=False))
    assert receipt["is_accepted"]
    assert standings(database) == ()


def test_another_result_under_the_same_key_is_refused_and_changes_nothing(database: Database) -> None:
    forged = message(sides=[{"players": ["Ann"], "score": 90}, {"players": ["Bob"], "score": 121}])
    forged.body.update(winner=1, match_points=[0, 2], spread=[-31, 31])
    (first, second, third) = send(database, message(), forged, message(2))
    assert [receipt["is_accepted"] for _, receipt in (first, second, third)] == [True, False, True]
    assert second[1]["reason"] == OTHER_RESULT
    assert [(row.name, row.wins) for row in standings(database)] == [("Ann", 2), ("Bob", 0)]


def test_a_board_that_sends_without_end_is_stopped_and_others_are_not(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "MOST_OF_BOARD", 2)
    send(database, message(1), message(2))
    again, more, other = send(database, message(1), message(3), message(4, board="table-2"))
    assert [receipt["is_accepted"] for _, receipt in (again, more, other)] == [True, False, True]
    assert more[1]["reason"] == BOARD_IS_FULL


def test_games_without_names_have_no_place_in_the_standings(database: Database) -> None:
    russian = default_names(translator("ru"))[0]
    for number, names in enumerate((("Red", "Blue"), ("Rouge", "Ann"), (russian, "Bob")), 1):
        sides = [{"players": [name], "score": score} for name, score in zip(names, (121, 85), strict=True)]
        send(database, message(number, sides=sides))
    send(database, message(9))
    found = standings(database, unnamed=unnamed_players())
    assert [(row.name, row.games) for row in found] == [("Ann", 1), ("Bob", 1)]
    assert counts(database) == (4, 8)


def test_a_failed_transaction_writes_nothing(database: Database) -> None:
    database.execute("DROP TABLE player_result" + (" CASCADE" if "postgresql" in database.address else ""))
    with pytest.raises(LeagueError):
        send(database, message())
    assert database.execute("SELECT count(*) FROM result") == [(0,)]


def test_a_batch_may_be_longer_than_a_statement(database: Database) -> None:
    results = [ledger_result(m.board, read_result(m.board, m.payload)) for m in map(message, range(2 * MOST_ROWS + 1))]
    assert record(database, results) == [""] * len(results)
    assert len(digests(database)) == len(results)


@pytest.mark.parametrize("seed", range(30))
def test_standings_equal_those_of_the_oracle(database: Database, seed: int) -> None:
    chance = random.Random(seed)
    messages = random_messages(chance, games=chance.randrange(1, 60))
    for start in range(0, len(messages), 7):
        send(database, *messages[start : start + 7])
    for board, club in CLUBS.items():
        database.execute("INSERT INTO board (name, club, password_hash) VALUES (%s, %s, '')", (board, club))
    for first, after, club in (("", "", ""), ("2026-03-01", "2026-09-01", ""), ("", "", "Riverside")):
        found = standings(database, first=first, after=after, club=club)
        expected = oracle(messages, first, after, club)
        assert sorted((row[0], row[1].strip().lower(), *row[2:]) for row in found) == expected
        assert [row.place for row in found] == [place for place, *_ in expected]


def test_the_message_of_a_board_is_read_whole(tmp_path: Path, database: Database) -> None:
    path = tmp_path / "journal.sqlite3"
    append(
        path,
        small_game(("Ann", "Bob"), (121, 60)),
        small_game(("A", "B", "C", "D"), (121, 99), variant="four_partners"),
    )
    with closing(Journal.open_readonly(path)) as journal:
        for summary in journal.games():
            sent = result_of(journal.rows_of(summary.game), summary, "table-1")
            assert sent
            assert json.loads(take(database, [("table-1", sent.payload.encode())]).receipts[0][1])["is_accepted"]
    assert counts(database) == (2, 6)
    assert compare(database, [path]) == compare(database, [path, path])
    assert (compare(database, [path]).games, *compare(database, [path]).missing) == (2,)


def test_a_comparison_names_what_is_missing_different_and_unknown(tmp_path: Path, database: Database) -> None:
    path = tmp_path / "journal.sqlite3"
    won = small_game(("Ann", "Bob"), (121, 60))
    append(path, won, won, won, small_game(("Ann", "Bob"), (12, 60)))
    with closing(Journal.open_readonly(path)) as journal:
        results = [result_of(journal.rows_of(each.game), each, "table-1") for each in journal.games()]
    keys = [(result.id, result.revision) for result in results if result]
    for result in [result for result in results if result][1:]:
        take(database, [("table-1", result.payload.encode())])
    send(database, message())
    database.execute("UPDATE result SET digest = 'other' WHERE id = %s", (keys[1][0],))
    found = compare(database, [path])
    assert found.games == 3
    assert (found.missing, found.different, found.unknown) == ((keys[0],), (keys[1],), ((message().body["id"], 1),))


def test_a_withdrawn_result_of_a_journal_is_compared_by_its_revision(tmp_path: Path, database: Database) -> None:
    path = tmp_path / "journal.sqlite3"
    append(path, small_game(("Ann", "Bob"), (121, 60)))
    with closing(Journal.open_readonly(path)) as journal:
        (before,) = [result_of(journal.rows_of(each.game), each, "b") for each in journal.games()]
    assert before
    take(database, [("b", before.payload.encode())])
    with closing(Journal.open(path)) as written:
        assert isinstance(written.turns_of(1)[-1][0], GameWon)
        written.append([TurnUndone()])
    found = compare(database, [path])
    assert found.missing == ((before.id, 2),) and not found.unknown


def test_migrations_run_once(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/league.sqlite3"
    assert migrate(address) and not migrate(address)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("mysql://league@host/name", "expected postgresql://"),
        ("sqlite:////no/such/folder/file", "unable to open database file"),
        ("postgresql://league:secret@127.0.0.1:1/name", "127.0.0.1"),
    ],
)
def test_a_database_that_cannot_be_used_is_named_without_its_password(address: str, words: str) -> None:
    with pytest.raises(LeagueError, match=words) as error:
        migrate(address)
    assert "secret" not in str(error.value)


def test_a_file_that_is_no_database_is_refused_and_closed(tmp_path: Path) -> None:
    """From Python 3.13 a connection that is left open is a ResourceWarning, which fails the tests."""
    (tmp_path / "league").write_bytes(b"no database " * 99)
    with pytest.raises(LeagueError, match="not a database"):
        migrate(f"sqlite:///{tmp_path / 'league'}")
