"""Copies of all games by phone: the keeper takes one along, the owner brings it back, piece by piece."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.journal import Journal
from firmware_host.phones import Role
from firmware_host.table import orders as o
from tests.golden.make_journal import turns
from tests.panel.conftest import Guest, Room, told
from web_panel.copies import PIECE

GOLDEN = Path(__file__).parents[1] / "golden" / "journal-1.sqlite3"


@pytest.fixture
def kept_room(tmp_path: Path) -> Iterator[Room]:
    """A room whose games are in a file: one that was won, and one that is on."""
    with closing(Journal.open(tmp_path / "journal.sqlite3")) as journal:
        for turn in turns():
            journal.append(turn)
    room = Room(is_simulated=False, journal=Journal.open(tmp_path / "journal.sqlite3"))
    room.archive.opening = lambda: closing(Journal.open_to_read(tmp_path / "journal.sqlite3"))
    room.host.do(o.StartGame(room.host.house.games[0], ("Ann", "Ben")))
    room.host.step()
    yield room
    room.host.stop()


def sent(owner: Guest, content: bytes) -> int:
    """How many pieces the copy was sent in."""
    pieces = [content[at : at + PIECE] for at in range(0, len(content), PIECE)]
    for number, piece in enumerate(pieces):
        answer = owner.post("/copy/pieces", {"number": number, "piece": b64encode(piece).decode()})
        assert answer.status_code == 204, answer.text
    return len(pieces)


def test_a_copy_is_brought_back_and_the_board_goes_on_with_it(kept_room: Room) -> None:
    owner = Guest(kept_room).come_in("Ann", Role.OWNER)
    assert len(kept_room.archive.games()) == 3
    answer = owner.post("/copy/put-back", {"pieces": sent(owner, GOLDEN.read_bytes())})
    assert answer.status_code == 204, answer.text
    assert len(kept_room.archive.games()) == 2
    kept_room.host.do(o.StartGame(kept_room.host.house.games[0], ("Ann", "Ben")))
    assert len(kept_room.archive.games()) == 3


def test_what_is_taken_along_has_no_game_that_is_on(kept_room: Room, tmp_path: Path) -> None:
    keeper = Guest(kept_room).come_in("Ben", Role.KEEPER)
    answer = keeper.browser.get("/cribboard.sqlite3")
    (tmp_path / "copy").write_bytes(answer.data)
    with closing(Journal.open_to_read(tmp_path / "copy")) as journal:
        assert journal.last_game == 2
    page = keeper.browser.get("/copies").text
    assert "/cribboard.sqlite3" in page and "bring-back" not in page


@pytest.mark.parametrize("content", [b"no journal", GOLDEN.read_bytes()[:-5000]])
def test_what_is_no_sound_copy_changes_nothing(kept_room: Room, content: bytes) -> None:
    owner = Guest(kept_room).come_in("Ann", Role.OWNER)
    answer = owner.post("/copy/put-back", {"pieces": sent(owner, content)})
    assert answer.status_code == 503 and "name another copy" in told(answer)["detail"]
    assert len(kept_room.archive.games()) == 3
    kept_room.host.do(o.StartGame(kept_room.host.house.games[0], ("Ann", "Ben")))


def test_pieces_come_in_step(kept_room: Room) -> None:
    owner = Guest(kept_room).come_in("Ann", Role.OWNER)
    assert owner.post("/copy/pieces", {"number": 3, "piece": "AAAA"}).status_code == 409
    assert owner.post("/copy/pieces", {"number": 0, "piece": "A"}).status_code == 400
    assert owner.post("/copy/pieces", {"number": 0, "piece": "AAAA" * PIECE}).status_code == 413
    sent(owner, b"x" * PIECE * 2)
    assert owner.post("/copy/put-back", {"pieces": 3}).status_code == 409


def test_games_in_memory_are_not_replaced(room: Room) -> None:
    owner = Guest(room).come_in("Ann", Role.OWNER)
    assert told(owner.post("/copy/pieces", {"number": 0, "piece": "AAAA"}))["kind"] == "no_file"
