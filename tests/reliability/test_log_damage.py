"""A damaged write-ahead log of the game that is on: every acknowledged turn is there, or the loss is reported.

SQLite drops what follows a damage in its log and reports nothing, as after a power cut. The high-water mark tells the
two apart.
"""

from __future__ import annotations

import logging
import os
import shutil
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from firmware_host.storage.high_water_mark import MARK_BYTES, Mark, mark_path, read_mark
from firmware_host.storage.journal import Journal
from firmware_host.storage.journal_table import PAGE_BYTES
from firmware_host.storage.recovery import open_or_recover
from firmware_host.storage.replica import replica_path
from firmware_host.storage.restore import restore
from tests.golden.make_journal import turns
from tests.reliability.figures import publish
from tests.reliability.test_corruption import rows_in, turns_in

TURNS = tuple(turns())
LOG_HEADER, FRAME_HEADER = 32, 24
FRAME = FRAME_HEADER + PAGE_BYTES


class KilledGame:
    """The files that a kill left behind: a journal whose log has all turns of the game that is on."""

    def __init__(self, folder: Path, number: int) -> None:
        self.path = folder / "state" / "journal.sqlite3"
        self.turns = TURNS[:number]
        with closing(open_or_recover(self.path).journal) as journal:
            for turn in self.turns:
                journal.append(turn)
            self.rows = rows_in(self.path)
            self.kept = {file.name: file.read_bytes() for file in self.path.parent.iterdir()}
        self.log_name = f"{self.path.name}-wal"
        self.log = self.kept[self.log_name]

    def start(self, **changed: bytes | None) -> str:
        """What a start reports after the files `log`, `mark` or `journal` were changed; None deletes the file."""
        shutil.rmtree(self.path.parent)
        self.path.parent.mkdir()
        names = {"log": self.log_name, "mark": mark_path(self.path).name, "journal": self.path.name}
        files: dict[str, bytes | None] = {**self.kept, **{names[name]: content for name, content in changed.items()}}
        for name, content in files.items():
            if content is not None and not name.endswith("-shm"):
                (self.path.parent / name).write_bytes(content)
        opened = open_or_recover(self.path)
        opened.journal.close()
        found = turns_in(self.path)
        assert found == list(self.turns[: len(found)]), "a turn was made up"
        if len(found) == len(self.turns):
            return "harmless" if opened.loss is None else "recovered"
        assert opened.loss is not None, f"{len(self.turns) - len(found)} turns were lost and nothing was reported"
        return "loss reported"

    def flip(self, bit: int) -> str:
        log = bytearray(self.log)
        log[bit // 8] ^= 1 << bit % 8
        return self.start(log=bytes(log))


@pytest.fixture
def killed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[KilledGame]:
    with caplog.at_level(logging.CRITICAL):
        yield KilledGame(tmp_path, 20)


def test_log_of_a_killed_game_is_replayed(killed: KilledGame) -> None:
    assert len(killed.log) > 20 * FRAME
    assert killed.start() == "harmless"


@pytest.mark.parametrize("at", [3, 17, 25, 32, 37, 41, 50, 100])
def test_flipped_bit_near_the_start_of_the_log_loses_no_turn(killed: KilledGame, at: int) -> None:
    """Header of the log, header of the first frame, and its page, which later frames write again."""
    assert killed.flip(8 * at) in ("harmless", "recovered")


def test_flipped_bits_in_the_log_are_harmless_or_reported(killed: KilledGame) -> None:
    random = Random(1)
    assert Counter(killed.flip(random.randrange(8 * len(killed.log))) for _ in range(12))["recovered"]


def test_missing_or_truncated_log_is_reported(killed: KilledGame) -> None:
    assert killed.start(log=None) == "loss reported"
    assert killed.start(log=b"") == "loss reported"
    assert killed.start(log=killed.log[: len(killed.log) // 2]) == "loss reported"


def test_log_of_zeros_is_reported(killed: KilledGame) -> None:
    assert killed.start(log=bytes(len(killed.log))) == "loss reported"


def test_last_page_of_the_log_torn_is_reported(killed: KilledGame) -> None:
    assert killed.start(log=killed.log[:-FRAME] + bytes(FRAME)) == "loss reported"


@pytest.mark.parametrize("content", [None, b"", b"0000000001 0000000009", bytes(MARK_BYTES)])
def test_damaged_mark_is_harmless(killed: KilledGame, content: bytes | None) -> None:
    assert killed.start(mark=content) == "harmless"


def test_every_flipped_bit_of_the_mark_is_harmless(killed: KilledGame) -> None:
    line = killed.kept[mark_path(killed.path).name]
    for at in range(len(line)):
        for bit in range(8):
            changed = bytearray(line)
            changed[at] ^= 1 << bit
            assert Mark.parse(bytes(changed)) is None
    assert killed.start(mark=line[:-1] + b" ") == "harmless"


def test_old_mark_is_harmless(killed: KilledGame) -> None:
    """After a power cut the mark may be as old as the last write that the system made by itself."""
    mark = Mark.parse(killed.kept[mark_path(killed.path).name])
    assert mark
    assert killed.start(mark=mark._replace(seq=3, seal=1).line()) == "harmless"


def test_mark_of_another_journal_is_ignored(killed: KilledGame) -> None:
    mark = Mark.parse(killed.kept[mark_path(killed.path).name])
    assert mark
    assert killed.start(mark=mark._replace(game=9, origin=1).line()) == "harmless"


def test_loss_is_reported_once(killed: KilledGame) -> None:
    assert killed.start(log=b"") == "loss reported"
    opened = open_or_recover(killed.path)
    opened.journal.append(TURNS[0])
    opened.journal.close()
    assert opened.loss is None
    assert read_mark(killed.path)


def test_damaged_log_is_kept_with_the_old_journal(killed: KilledGame) -> None:
    log = bytearray(killed.log)
    log[100] ^= 1
    assert killed.start(log=bytes(log)) == "recovered"
    kept = [file.read_bytes() for file in killed.path.parent.glob("*aside*-wal*")]
    assert bytes(log) in kept


def test_restored_backup_with_fewer_games_is_no_loss(killed: KilledGame, tmp_path: Path) -> None:
    source = tmp_path / "backup.sqlite3"
    with closing(open_or_recover(source).journal) as journal:
        for turn in killed.turns[:5]:
            journal.append(turn)
    killed.start()
    restore(killed.path, source)
    opened = open_or_recover(killed.path)
    opened.journal.close()
    assert opened.loss is None
    assert turns_in(killed.path) == list(killed.turns[:5])


def test_journal_and_replica_moved_away_begin_again(killed: KilledGame) -> None:
    killed.start()
    killed.path.unlink()
    replica_path(killed.path).unlink()
    opened = open_or_recover(killed.path)
    opened.journal.close()
    assert opened.loss is None and opened.journal.last_game == 0


def test_mark_is_one_short_write_for_each_turn(killed: KilledGame) -> None:
    with closing(Journal.open(killed.path)) as journal:
        for turn in TURNS[:3]:
            journal.append(turn)
            last = journal.row_reader.last()
            mark = read_mark(killed.path)
            assert last and mark and (mark.game, mark.seq, mark.seal) == (last.game, last.seq, last.seal)
            assert mark_path(killed.path).stat().st_size == MARK_BYTES == 55


def frames_of(log: bytes) -> Iterator[int]:
    return iter(range(LOG_HEADER, len(log), FRAME))


@pytest.mark.slow
def test_every_bit_of_the_headers_and_every_second_byte(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else tmp_path
    folder = folder / f"cribboard-log-{os.getpid()}"
    folder.mkdir()
    try:
        with caplog.at_level(logging.CRITICAL):
            killed, random = KilledGame(folder, 4), Random(2)
            headers = [*range(LOG_HEADER)]
            for at in frames_of(killed.log):
                headers += range(at, at + FRAME_HEADER)
            bits = [8 * at + bit for at in headers for bit in range(8)]
            bits += [8 * at + random.randrange(8) for at in range(0, len(killed.log), 2) if at not in headers]
            outcomes = Counter(map(killed.flip, bits))
    finally:
        shutil.rmtree(folder)
    (page_size,) = struct.unpack(">I", killed.log[8:12])
    assert page_size == PAGE_BYTES
    figures = {**dict(outcomes.most_common()), "bits_flipped": outcomes.total(), "bytes_of_the_mark": MARK_BYTES}
    publish("damaged_logs", figures, keep="KEEP_FIGURES" in os.environ)
