"""A journal that the card has spoilt: what can be saved is saved, what is lost is said, and nothing is made up."""

from __future__ import annotations

import logging
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from firmware_host.archive import Archive
from firmware_host.journal import Journal, JournalDamaged, JournalFault
from firmware_host.ledger import PAGE_BYTES, Row
from firmware_host.rescue import open_journal
from firmware_host.spare import spare_of
from firmware_host.table.events import Event
from tests.golden.make_journal import turns
from tests.reliability.figures import publish

TURNS = tuple(turns())
INSIDE_THE_TREE = 2
"""The first byte of such a page; at 3 it says how many rows it holds, and from 12 on where each begins."""


@dataclass
class Shelf:
    """A folder with a journal of two games, the second still on, and its spare: to be spoilt."""

    path: Path
    kept: tuple[bytes, bytes]

    def __post_init__(self) -> None:
        self.put_back()
        self.rows = rows_in(self.path)

    def put_back(self, *, spare: bool = True) -> None:
        shutil.rmtree(self.path.parent, ignore_errors=True)
        self.path.parent.mkdir()
        self.path.write_bytes(self.kept[0])
        if spare:
            spare_of(self.path).write_bytes(self.kept[1])

    def spoil(self, at: int, content: bytes) -> None:
        whole = self.path.read_bytes()
        self.path.write_bytes(whole[:at] + content + whole[at + len(content) :])


def rows_in(path: Path) -> list[Row]:
    with closing(Journal.open_to_read(path)) as journal:
        return [row for game in range(1, journal.last_game + 1) for row in journal.rows_of(game)]


def turns_in(path: Path) -> list[tuple[Event, ...]]:
    with closing(Journal.open_to_read(path)) as journal:
        return [turn for game in range(1, journal.last_game + 1) for turn in journal.turns_of(game)]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """The journal and its spare as the board leaves them."""
    path = tmp_path_factory.mktemp("kept") / "journal.sqlite3"
    with closing(open_journal(path).journal) as journal:
        for turn in TURNS:
            journal.append(turn)
    return path.read_bytes(), spare_of(path).read_bytes()


@pytest.fixture
def shelf(tmp_path: Path, kept: tuple[bytes, bytes]) -> Shelf:
    return Shelf(tmp_path / "state" / "journal.sqlite3", kept)


def test_a_sound_journal_is_left_as_it_is(shelf: Shelf) -> None:
    opened = open_journal(shelf.path)
    opened.journal.close()
    assert opened.loss is None
    assert rows_in(shelf.path) == shelf.rows


@pytest.mark.parametrize(
    "wound",
    [
        pytest.param(lambda whole: b"not a database at all" * 300, id="something else"),
        pytest.param(lambda whole: b"", id="empty"),
        pytest.param(lambda whole: bytes(len(whole)), id="zeros"),
        pytest.param(lambda whole: whole[: len(whole) // 3], id="cut short"),
        pytest.param(lambda whole: whole[:PAGE_BYTES], id="one page left"),
        pytest.param(lambda whole: bytes(PAGE_BYTES) + whole[PAGE_BYTES:], id="first page gone"),
    ],
)
def test_the_spare_takes_the_place_of_a_wreck(shelf: Shelf, wound: object) -> None:
    assert callable(wound)
    wreck = wound(shelf.path.read_bytes())
    in_spare = rows_in(spare_of(shelf.path))
    shelf.path.write_bytes(wreck)
    opened = open_journal(shelf.path)
    opened.journal.close()
    assert opened.loss and opened.loss.aside.read_bytes().startswith(wreck[:16])
    found = rows_in(shelf.path)
    assert found == shelf.rows[: len(found)] and len(found) >= len(in_spare)
    assert (opened.loss.games, opened.loss.until) == (found[-1].game, found[-1].written_at)
    assert open_journal(shelf.path).loss is None, "told once"


def test_a_file_that_is_gone_comes_back(shelf: Shelf) -> None:
    shelf.path.unlink()
    opened = open_journal(shelf.path)
    opened.journal.close()
    assert opened.loss and opened.loss.games == rows_in(spare_of(shelf.path))[-1].game


def test_an_emptied_file_is_no_new_journal(tmp_path: Path) -> None:
    """Although no game had come into the spare yet, the loss is told."""
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path).journal
    journal.append(turns()[0])
    journal.close()
    path.write_bytes(b"")
    opened = open_journal(path)
    opened.journal.close()
    assert opened.loss and opened.loss.games == 0 and opened.loss.aside.exists()


def test_without_a_spare_the_sound_rows_are_kept(shelf: Shelf) -> None:
    shelf.put_back(spare=False)
    shelf.path.write_bytes(shelf.path.read_bytes()[: -12 * PAGE_BYTES])
    opened = open_journal(shelf.path)
    opened.journal.close()
    assert opened.loss
    found = rows_in(shelf.path)
    assert found and set(found) <= set(shelf.rows)


def test_a_wreck_without_a_spare_begins_a_new_journal_and_keeps_the_wreck(shelf: Shelf) -> None:
    shelf.put_back(spare=False)
    shelf.path.write_bytes(b"?" * 9_999)
    opened = open_journal(shelf.path)
    opened.journal.append(TURNS[0])
    opened.journal.close()
    assert opened.loss and (opened.loss.games, opened.loss.until) == (0, "")
    assert opened.loss.aside.read_bytes() == b"?" * 9_999


def test_a_changed_score_is_found_though_the_file_is_sound(shelf: Shelf) -> None:
    """Ten holes more, by a single bit, in a file that SQLite finds in order."""
    at = shelf.path.read_bytes().rindex(b'"pegs":[')
    digit = at + len(b'"pegs":[')
    shelf.spoil(digit, bytes([shelf.path.read_bytes()[digit] ^ 1]))
    with closing(Journal.open_to_read(shelf.path)) as journal, pytest.raises(JournalDamaged, match="as it was written"):
        [journal.pages.of(game) for game in range(1, journal.last_game + 1)]


def test_a_past_game_that_is_spoilt_is_read_from_the_spare(shelf: Shelf) -> None:
    body = next(row.body for row in shelf.rows if row.game == 1 and row.kind == "card_played").encode()
    shelf.spoil(shelf.path.read_bytes().index(body), body.replace(b"card", b"cord"))
    with closing(open_journal(shelf.path).journal) as journal:
        assert journal.turns_of(1) == Journal.open_to_read(spare_of(shelf.path)).turns_of(1)
    archive = Archive(lambda: closing(Journal.open_to_read(shelf.path)))
    assert len(archive.games()) == shelf.rows[-1].game


def test_a_spoilt_journal_does_not_spoil_its_spare(shelf: Shelf) -> None:
    """The last game that was won is spoilt before the spare has it."""
    shelf.put_back(spare=False)
    body = next(row.body for row in shelf.rows if row.game == 1 and row.kind == "card_played").encode()
    shelf.spoil(shelf.path.read_bytes().index(body), body.replace(b"card", b"cord"))
    opened = open_journal(shelf.path)
    opened.journal.close()
    found = rows_in(shelf.path)
    assert opened.loss and set(found) < set(shelf.rows) and found[-1] == shelf.rows[-1]
    assert rows_in(spare_of(shelf.path)) == found


def test_a_spoilt_spare_is_made_anew(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    spare_of(shelf.path).write_bytes(b"?" * 9_999)
    with caplog.at_level(logging.CRITICAL):
        opened = open_journal(shelf.path)
    opened.journal.close()
    assert opened.loss is None
    assert rows_in(spare_of(shelf.path)) == rows_in(shelf.path) == shelf.rows


def test_another_journal_that_somebody_put_there_is_believed(shelf: Shelf, tmp_path: Path) -> None:
    other = tmp_path / "other" / "journal.sqlite3"
    with closing(Journal.open(other)) as journal:
        journal.append(TURNS[0])
    shelf.path.write_bytes(other.read_bytes())
    opened = open_journal(shelf.path)
    opened.journal.close()
    assert opened.loss is None and len(rows_in(shelf.path)) == len(TURNS[0]) == len(rows_in(spare_of(shelf.path)))


def outcome_of(shelf: Shelf) -> str:
    """What becomes of a spoilt journal at the next start. Whatever is found must have been written once."""
    try:
        opened = open_journal(shelf.path)
    except JournalFault as refused:
        assert "update cribboard" in str(refused) or "another program" in str(refused), refused
        return "refused with a sentence, nothing touched"
    opened.journal.close()
    found = turns_in(shelf.path)
    kept = Counter(map(repr, found))
    assert not kept - Counter(map(repr, TURNS)), "made up"
    if found == list(TURNS):
        return "whole" if opened.loss is None else "mended whole"
    assert opened.loss is not None, "lost in silence"
    return "mended, with a loss that is told"


def flip(shelf: Shelf, random: Random) -> str:
    shelf.put_back()
    at = random.randrange(shelf.path.stat().st_size)
    shelf.spoil(at, bytes([shelf.path.read_bytes()[at] ^ 1 << random.randrange(8)]))
    return outcome_of(shelf)


def test_any_bit_may_flip(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        assert "whole" in Counter(flip(shelf, random) for random in map(Random, range(25)))


@pytest.mark.parametrize("letter", [b"\xac", b"?"])
def test_a_spoilt_description_of_the_table_is_a_damage(
    shelf: Shelf, letter: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite quotes it in its complaint, and what it quotes may be no text at all."""
    with caplog.at_level(logging.CRITICAL):
        shelf.spoil(shelf.path.read_bytes().index(b"ABORT") + 3, letter)
        outcome_of(shelf)


@pytest.mark.parametrize(("field", "content"), [(68, b"SQLi"), (60, bytes(4)), (47, b"\5"), (56, b"\0\0\0\2")])
def test_a_journal_is_known_by_its_table_if_its_head_is_spoilt(shelf: Shelf, field: int, content: bytes) -> None:
    """SQLite's application_id, user_version, format of the schema and encoding, in the head of the file."""
    shelf.spoil(field, content)
    assert outcome_of(shelf) == "mended whole"


def test_any_page_may_go(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        for page in (0, 1, *range(2, shelf.path.stat().st_size // PAGE_BYTES, 4)):
            shelf.put_back()
            shelf.spoil(page * PAGE_BYTES, bytes(PAGE_BYTES))
            outcome_of(shelf)


def games_inside_the_tree(content: bytes) -> Iterator[tuple[int, int]]:
    """Where rows stand that part the pages below them: the byte that tells a row's game, and a bit of it."""
    for start in range(0, len(content), PAGE_BYTES):
        page = content[start : start + PAGE_BYTES]
        for row in range(int.from_bytes(page[3:5], "big") if page[0] == INSIDE_THE_TREE else 0):
            at = int.from_bytes(page[12 + 2 * row : 14 + 2 * row], "big") + 4
            at += 2 if page[at] & 0x80 else 1  # past the length of the row: at its header
            is_first_game = page[at + 1] == 9  # so SQLite writes a 1, without any bytes of it
            yield (start + at + 1, 1) if is_first_game else (start + at + page[at], 0x40)


def test_a_row_inside_the_tree_may_go_astray(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    """Who looks for a game stops at a row that says it is another's: half a turn would be left."""
    places = tuple(games_inside_the_tree(shelf.path.read_bytes()))
    assert len(places) > 10
    with caplog.at_level(logging.CRITICAL):
        for at, bit in places[::2]:
            shelf.put_back()
            shelf.spoil(at, bytes([shelf.path.read_bytes()[at] ^ bit]))
            outcome_of(shelf)


@pytest.mark.slow
def test_thousands_of_bits_flip(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        outcomes = Counter(flip(shelf, random) for random in map(Random, range(3_000)))
    figures = {**dict(outcomes.most_common()), "flipped": outcomes.total()}
    publish("flipped_bits", figures, keep="KEEP_FIGURES" in os.environ)
